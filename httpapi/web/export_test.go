package web

import (
	"maps"
	"net/http"
	"slices"
)

// NewWithDocument is like New with another OpenAPI document.
func NewWithDocument(o Options, document string) (http.Handler, error) {
	return newHandler(o, document)
}

// Routes returns the method and pattern of every page.
func Routes() []string { return slices.Sorted(maps.Keys(new(site).pages())) }
