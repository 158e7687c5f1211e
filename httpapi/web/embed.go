package web

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/httpapi/internal/drawing"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/listing"
	"github.com/devkiln/devkiln/share"
)

// Other sites can show a snippet in a frame that has only the code, so that a
// visitor clicks nothing by mistake. The operator chooses these sites. oEmbed
// (https://oembed.com) tells their programs what HTML to write for a link.

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
	err = drawing.Do(r.Context(), 0, func() error {
		v.Listing = listing.Code(snippet.Code, snippet.Language, listing.Options{})
		return nil
	})
	if err != nil {
		return nil, err
	}
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

// oEmbed is an oEmbed response of type rich.
type oEmbed struct {
	Type         string `json:"type"`
	Version      string `json:"version"`
	Title        string `json:"title"`
	ProviderName string `json:"provider_name"`
	ProviderURL  string `json:"provider_url"`
	CacheAge     int    `json:"cache_age"` // seconds
	Width        int    `json:"width"`
	Height       int    `json:"height"`
	HTML         string `json:"html"`
}

// The size of the frame in CSS pixels.
const (
	frameWidth  = 720
	frameHeight = 480 // maximum
	lineHeight  = 19
	frameAround = 76 // above and below the lines
)

// xmlUnsupported refuses oEmbed in XML with the status that oEmbed specifies.
var xmlUnsupported = layout.Failure{Status: http.StatusNotImplemented, Title: "Only JSON is spoken here", Text: "Ask with format=json, or without a format."}

// oembed describes how to embed a snippet.
func (s *site) oembed(r *http.Request) (*layout.Response, error) {
	query := r.URL.Query()
	path, ours := strings.CutPrefix(query.Get("url"), s.origin(r))
	kind, id, ok := share.ParsePath(path)
	switch {
	case len(s.EmbedOrigins) == 0 || !ours || !ok || kind != share.KindSnippet:
		return nil, layout.NoPage
	case !slices.Contains([]string{"", "json"}, query.Get("format")):
		return nil, xmlUnsupported
	}
	snippet, err := s.openSnippet(r, id)
	if err != nil {
		return nil, err
	}
	lines := 1 + strings.Count(strings.TrimSuffix(snippet.Code, "\n"), "\n")
	e := oEmbed{
		Type: "rich", Version: "1.0", Title: or(snippet.Title, "Untitled snippet"), ProviderName: "Devkiln", ProviderURL: s.origin(r),
		CacheAge: int(pictureAge.Seconds()), Width: atMost(query.Get("maxwidth"), frameWidth),
		Height: atMost(query.Get("maxheight"), min(frameHeight, lines*lineHeight+frameAround)),
	}
	e.HTML = fmt.Sprintf(`<iframe src="%s" width="%d" height="%d" title="%s" loading="lazy" sandbox="allow-popups allow-same-origin"></iframe>`,
		html.EscapeString(s.origin(r)+path+"/embed"), e.Width, e.Height, html.EscapeString(e.Title))
	a, err := layout.JSON(e)
	if err != nil {
		return nil, err
	}
	return a.NoIndex(), nil
}

// atMost returns the smaller of the requested size and size.
func atMost(asked string, size int) int {
	if n, err := strconv.Atoi(asked); err == nil && n > 0 {
		return min(n, size)
	}
	return size
}

// oEmbedAddress returns the oEmbed URL of a page; it is empty if embedding is
// disabled.
func (s *site) oEmbedAddress(r *http.Request, path string) string {
	if len(s.EmbedOrigins) == 0 {
		return ""
	}
	return s.origin(r) + "/oembed?" + url.Values{"url": {s.origin(r) + path}}.Encode()
}
