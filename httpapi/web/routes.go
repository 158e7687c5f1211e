package web

import (
	"errors"
	"net/http"
	"path"
	"strings"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/share"
)

// pages maps the patterns of all pages to their handlers.
func (s *site) pages() map[string]handler {
	return map[string]handler{
		"GET /{$}":                    s.index,
		"POST /{$}":                   s.share,
		"GET /new":                    s.newPage,
		"POST /new":                   s.share, // of a form that was opened before it moved
		"GET /screenshot":             s.studio,
		"POST /screenshot":            s.studioForm,
		"POST /screenshot/picture":    s.drawRequest,
		"GET /gradient":               s.gradientPage,
		"GET /gradient/picture.svg":   s.gradientPicture,
		"GET /slug":                   s.slug,
		"GET /docs":                   s.docs,
		"GET /logs/{id}":              s.viewLog,
		"POST /logs/{id}/read":        s.takeLog,
		"GET /logs/{id}/card.png":     s.logCard,
		"GET /logs/{id}/raw":          s.rawLog,
		"GET /logs/{id}/download":     s.downloadLog,
		"GET /logs/{id}/delete":       s.askDelete,
		"POST /logs/{id}/delete":      s.deleteShare(share.KindLog),
		"GET /compare":                s.compareForm,
		"GET /compare/{a}/{b}":        s.compare,
		"GET /snippets/{id}":          s.viewSnippet,
		"POST /snippets/{id}/read":    s.takeSnippet,
		"GET /snippets/{id}/card.png": s.snippetCard,
		"GET /snippets/{id}/delete":   s.askDelete,
		"POST /snippets/{id}/delete":  s.deleteShare(share.KindSnippet),
		"GET /snippets/{id}/embed":    s.embed,
		"GET /snippets/{id}/raw":      s.rawSnippet,
		"GET /snippets/{id}/download": s.downloadSnippet,
	}
}

func (s *site) routes() *http.ServeMux {
	mux := http.NewServeMux()
	for pattern, h := range s.pages() {
		mux.Handle(pattern, s.page(h))
	}
	if s.Dashboard != nil {
		mux.Handle("/dashboard", s.within(s.Dashboard))
		mux.Handle("/dashboard/", s.within(s.Dashboard))
	}
	mux.HandleFunc("GET /robots.txt", s.robots)
	for _, name := range []string{"favicon.ico", "apple-touch-icon.png"} {
		mux.Handle("GET /"+name, s.ServeFixed(name))
	}
	mux.HandleFunc("GET "+layout.AssetPrefix+"{version}/{name}", s.ServeAsset)
	return mux
}

// robots keeps search engines away from shares, which are for people who have
// the link.
func (s *site) robots(w http.ResponseWriter, r *http.Request) {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for _, p := range []string{"/api/", "/dashboard", "/logs/", "/compare/", "/snippets/", "/screenshot/picture", "/gradient/picture.svg"} {
		b.WriteString("Disallow: " + s.Path(p) + "\n")
	}
	a := layout.NewResponse(layout.Text, []byte(b.String()))
	a.Header.Set("Cache-Control", "public, max-age=86400")
	s.Write(w, r, a)
}

// A handler returns the response to a request. A [layout.Failure] is shown to
// the visitor; any other error is logged and shown as an internal error.
type handler func(*http.Request) (*layout.Response, error)

// page applies the rate limit and sends the response or the error.
func (s *site) page(handle handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, err := s.limited(r, handle)
		switch {
		case errors.Is(err, share.ErrNotFound):
			s.Fail(w, r, layout.Gone)
		case errors.Is(err, share.ErrReadOnce):
			s.Fail(w, r, readOnce)
		case err != nil:
			s.Fail(w, r, err)
		default:
			s.Write(w, r, a)
		}
	})
}

func (s *site) limited(r *http.Request, handle handler) (*layout.Response, error) {
	if err := s.admit(r); err != nil {
		return nil, err
	}
	return handle(r)
}

// admit counts a request against the rate limit of its address.
func (s *site) admit(r *http.Request) error {
	if s.Limiter == nil {
		return nil
	}
	d, err := s.Limiter.Allow(r.Context(), "page/"+origin.LimitKey(s.ClientAddr(r)), 0, s.Now())
	if err == nil && !d.Allowed {
		err = layout.TooMany(d.RetryAfter())
	}
	return err
}

// within applies the rate limit of pages to a handler of another package.
func (s *site) within(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.admit(r); err != nil {
			s.Fail(w, r, err)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// serve routes a request. It removes the path of the base URL if present; a
// proxy may already have removed it.
func (s *site) serve(w http.ResponseWriter, r *http.Request) {
	inner, ok := origin.WithinBase(r, s.BaseURL)
	if !ok {
		inner = r
	}
	if s.routed(inner) {
		s.mux.ServeHTTP(w, inner)
		return
	}
	if s.routed(r) {
		s.mux.ServeHTTP(w, r)
		return
	}
	if allowed := layout.Allowed(s.mux, inner); allowed != "" && path.Clean(inner.URL.Path) == inner.URL.Path {
		w.Header().Set("Allow", allowed)
		s.Fail(w, r, layout.MethodNotAllowed)
		return
	}
	s.page(nowhere).ServeHTTP(w, r)
}

// routed reports whether a page has this path. It refuses unclean paths because
// ServeMux would redirect them to a path without that of the base URL.
func (s *site) routed(r *http.Request) bool {
	_, pattern := s.mux.Handler(r)
	return pattern != "" && path.Clean(r.URL.Path) == r.URL.Path
}

func nowhere(*http.Request) (*layout.Response, error) { return nil, layout.NoPage }
