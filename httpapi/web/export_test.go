package web

import "net/http"

// NewWithDocument is New with another OpenAPI document for the reference.
func NewWithDocument(o Options, text string) (http.Handler, error) {
	doc, err := readDocument(text)
	if err != nil {
		return nil, err
	}
	return newHandler(o, func() (*document, error) { return doc, nil })
}
