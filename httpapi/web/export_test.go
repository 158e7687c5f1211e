package web

import (
	"net/http"

	"github.com/devkiln/devkiln/httpapi/web/reference"
)

// NewWithDocument is New with another OpenAPI document for the reference.
func NewWithDocument(o Options, text string) (http.Handler, error) {
	doc, err := reference.Read(text)
	if err != nil {
		return nil, err
	}
	return newHandler(o, func() (*reference.Document, error) { return doc, nil })
}
