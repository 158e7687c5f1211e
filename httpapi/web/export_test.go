package web

import "net/http"

// NewWithDocument is New with another OpenAPI document for the reference.
func NewWithDocument(o Options, document string) (http.Handler, error) {
	doc, err := readDocument(document)
	if err != nil {
		return nil, err
	}
	return newHandler(o, doc)
}
