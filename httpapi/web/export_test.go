package web

import "net/http"

// NewWithDocument is New with another OpenAPI document for the reference.
func NewWithDocument(o Options, document string) (http.Handler, error) {
	return newHandler(o, document)
}
