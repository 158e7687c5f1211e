package web

import (
	"net/http"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/share/mask"
)

func (s *site) mask(r *http.Request) (*layout.Response, error) {
	text := r.URL.Query().Get("text")
	masked, _ := mask.Secrets(text, mask.Options{})
	return s.Render("mask", layout.Page{
		Title: "Mask", Path: "/mask", Styles: []string{"tool.css"},
		Description: "Mask the secrets in a text.", Content: struct{ Text, Masked string }{text, masked},
	})
}
