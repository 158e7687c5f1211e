package web

import (
	"net/http"
	"strings"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/share"
)

// Other sites can show a snippet in a frame that has only the code, so that a
// visitor clicks nothing by mistake. The operator chooses these sites.

// embed shows a snippet in a frame.
func (s *site) embed(r *http.Request) (*layout.Response, error) {
	if len(s.EmbedOrigins) == 0 {
		return nil, layout.NoPage
	}
	snippet, err := s.openSnippet(r, r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	if err := reserve(r, codeWeight*len(snippet.Code)); err != nil {
		return nil, err
	}
	v := snippetView{shareView: s.shareView(r, share.KindSnippet.Path(snippet.ID), or(snippet.Title, "Untitled snippet"), snippet.Expires)}
	code, err := s.colored.code(r.Context(), snippet.ID, snippet.Code, snippet.Language)
	if err != nil {
		return nil, err
	}
	v.Listing = code.Listing
	v.Facts = []string{layout.LanguageName(snippet.Language), layout.Plural(v.Lines, "line")}
	a, err := s.Render("embed", layout.Page{Title: v.Title, Styles: []string{"lines.css", "viewer.css"}, Private: true, Bare: true, Content: v, Large: v.Listing})
	if err != nil {
		return nil, err
	}
	policy := a.Header.Get("Content-Security-Policy")
	a.Header.Set("Content-Security-Policy", strings.Replace(policy, "frame-ancestors 'none'", "frame-ancestors "+strings.Join(s.EmbedOrigins, " "), 1))
	a.Header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	return a, nil
}
