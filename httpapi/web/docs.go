package web

import (
	"net/http"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/reference"
)

// docsView is the content of the API reference.
type docsView struct {
	*reference.Reference
	Origin string
	Base   string // path prefix of the operations
}

// docsPage is the page for one origin. It is cached because building it takes
// tens of milliseconds and a server has few origins.
type docsPage struct {
	origin   string
	response layout.Response
}

func (s *site) docs(r *http.Request) (*layout.Response, error) {
	origin := s.origin(r)
	if last := s.docsPage.Load(); last != nil && last.origin == origin {
		a := last.response
		return &a, nil
	}
	ref, err := reference.New(s.document, origin)
	if err != nil {
		return nil, err
	}
	a, err := s.Render("docs", layout.Page{
		Title: "API reference", Path: "/docs", Styles: []string{"docs.css"}, Scripts: []string{"docs.js"}, Wide: true,
		Description: "Every operation of the API with its fields, limits, responses and examples, and a form to try it.",
		Content:     docsView{ref, origin, s.Path("")},
	})
	if err != nil {
		return nil, err
	}
	a.Revalidate()
	s.docsPage.Store(&docsPage{origin, *a})
	return a, nil
}
