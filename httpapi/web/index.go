package web

import (
	"net/http"

	"github.com/devkiln/devkiln/httpapi/web/layout"
)

// indexView is the content of the start page.
type indexView struct {
	Examples  []example
	Origin    string
	Dashboard bool // there is one to link to
}

func (s *site) index(r *http.Request) (*layout.Response, error) {
	examples, err := sharedExamples()
	if err != nil {
		return nil, err
	}
	a, err := s.Render("index", layout.Page{
		Title: "Devkiln", Path: "/", Styles: []string{"lines.css", "index.css"},
		Description: "Gradients, slugs, shared logs and snippets, and pictures of code: an HTTP API, a Go library and these pages.",
		Content:     indexView{Examples: examples, Origin: s.origin(r), Dashboard: s.Dashboard != nil},
	})
	if err != nil {
		return nil, err
	}
	return a.Revalidate(), nil
}
