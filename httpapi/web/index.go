package web

import (
	"net/http"

	"github.com/devkiln/devkiln/httpapi/web/layout"
)

// indexView is the content of the start page.
type indexView struct {
	Examples  []example
	Origin    string
	Dashboard bool     // there is one to link to
	New       *newView // the form that shares; nil: nobody may
}

func (s *site) index(r *http.Request) (*layout.Response, error) {
	examples, err := sharedExamples()
	if err != nil {
		return nil, err
	}
	v := indexView{Examples: examples, Origin: s.origin(r), Dashboard: s.Dashboard != nil}
	p := layout.Page{
		Title: "Devkiln", Path: "/", Styles: []string{"lines.css", "index.css"},
		Description: "Gradients, slugs, shared logs and snippets, and pictures of code: an HTTP API, a Go library and these pages.",
	}
	if s.Sharing.enabled() {
		v.New = new(s.newView(emptyForm()))
		p.Styles, p.Scripts = append(p.Styles, "share.css"), []string{"new.js"}
	}
	p.Content = v
	a, err := s.Render("index", p)
	if err != nil {
		return nil, err
	}
	if v.New != nil {
		a.NameOrigin()
	}
	return a.Revalidate(), nil
}
