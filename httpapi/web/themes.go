package web

import (
	"net/http"

	"github.com/devkiln/devkiln/httpapi/web/layout"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

// themesView is the content of the page of themes.
type themesView struct{ Themes []highlight.Theme }

// themes lists the themes of pictures with links that open them in the studio.
func (s *site) themes(*http.Request) (*layout.Response, error) {
	var v themesView
	for _, name := range highlight.AllThemes() {
		if theme, ok := highlight.LookupTheme(name); ok {
			v.Themes = append(v.Themes, theme)
		}
	}
	a, err := s.Render("themes", layout.Page{
		Title: "Themes", Path: "/themes", Description: "The themes that pictures of code can have.", Content: v,
	})
	if err != nil {
		return nil, err
	}
	return a.Revalidate(), nil
}
