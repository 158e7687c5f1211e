package web

import (
	"fmt"
	"net/http"
	"path"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/share"
)

// pages maps the patterns of all pages to their handlers.
func (s *site) pages() map[string]handler {
	return map[string]handler{
		"GET /{$}":                    s.index,
		"POST /{$}":                   s.ownForm(s.share),
		"GET /new":                    s.newPage,
		"POST /new":                   s.ownForm(s.share), // of a form that was opened before it moved
		"GET /screenshot":             s.studio,
		"POST /screenshot":            s.studioForm,
		"POST /screenshot/picture":    s.drawRequest,
		"GET /gradient":               s.gradientPage,
		"GET /gradient/picture.svg":   s.gradientPicture,
		"GET /slug":                   s.slug,
		"GET /docs":                   s.docs,
		"GET /docs/{operation}":       s.docs,
		"GET /logs/{id}":              s.viewLog,
		"POST /logs/{id}/read":        s.ownForm(s.take(share.KindLog)),
		"GET /logs/{id}/raw":          s.logText(false),
		"GET /logs/{id}/download":     s.logText(true),
		"GET /logs/{id}/delete":       s.askDelete,
		"POST /logs/{id}/delete":      s.ownForm(s.deleteShare(share.KindLog)),
		"GET /compare":                s.compareForm,
		"GET /compare/{a}/{b}":        s.compare,
		"GET /snippets/{id}":          s.viewSnippet,
		"POST /snippets/{id}/read":    s.ownForm(s.take(share.KindSnippet)),
		"GET /snippets/{id}/delete":   s.askDelete,
		"POST /snippets/{id}/delete":  s.ownForm(s.deleteShare(share.KindSnippet)),
		"GET /snippets/{id}/embed":    s.embed,
		"GET /snippets/{id}/raw":      s.snippetText(false),
		"GET /snippets/{id}/download": s.snippetText(true),
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
	for _, asset := range []string{"/favicon.ico", "/apple-touch-icon.png", layout.AssetPrefix + "{version}/{name}"} {
		mux.HandleFunc("GET "+asset, s.ServeAsset)
	}
	return mux
}

// robots keeps search engines away from shares, which are for people who have
// the link.
func (s *site) robots(w http.ResponseWriter, r *http.Request) {
	text := []byte("User-agent: *\n")
	for _, p := range []string{"/api/", "/dashboard", "/logs/", "/compare/", "/snippets/", "/screenshot/picture", "/gradient/picture.svg"} {
		text = fmt.Appendf(text, "Disallow: %s\n", s.Path(p))
	}
	a := layout.NewResponse(layout.Text, text)
	a.Header.Set("Cache-Control", "public, max-age=86400")
	s.Write(w, r, a)
}

// A handler returns the response to a request. A [layout.Failure] is shown to
// the visitor; any other error is logged and shown as an internal error.
type handler func(*http.Request) (*layout.Response, error)

// page applies the rate limit and sends the response or the error.
func (s *site) page(handle handler) http.Handler {
	return s.within(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.Respond(w, r, handle) }))
}

// ownForm refuses forms that another site sent.
func (s *site) ownForm(handle handler) handler {
	return func(r *http.Request) (*layout.Response, error) {
		if s.foreign(r) != nil {
			return nil, layout.Foreign
		}
		return handle(r)
	}
}

// within applies the rate limit of the address to a handler.
func (s *site) within(h http.Handler) http.Handler {
	if s.Limiter == nil {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d, err := s.Limiter.Allow(r.Context(), "page/"+origin.LimitKey(origin.ClientAddr(r, s.TrustedProxies)), 0, s.Now())
		switch {
		case err != nil:
			s.Fail(w, r, err)
		case !d.Allowed:
			s.Fail(w, r, layout.TooMany(d.RetryAfter()))
		default:
			h.ServeHTTP(w, r)
		}
	})
}

// serve routes a request. It removes the path of the base URL if present; a
// proxy may already have removed it. It refuses unclean paths because ServeMux
// would redirect them to a path without that of the base URL.
func (s *site) serve(w http.ResponseWriter, r *http.Request) {
	inner, ok := origin.WithinBase(r, s.BaseURL)
	if !ok {
		inner = r
	}
	for _, candidate := range []*http.Request{inner, r} {
		if _, pattern := s.mux.Handler(candidate); pattern != "" && path.Clean(candidate.URL.Path) == candidate.URL.Path {
			s.mux.ServeHTTP(w, candidate)
			return
		}
	}
	s.within(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if path.Clean(inner.URL.Path) != inner.URL.Path {
			s.Fail(w, r, layout.NoPage)
			return
		}
		s.Route(s.mux, w, inner)
	})).ServeHTTP(w, r)
}
