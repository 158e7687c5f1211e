package httpapi

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
)

// within takes the path of the base URL off requests for what is ours: a proxy
// may pass it on, or have taken it off before. Pages know the base themselves.
func (s *server) within(next http.Handler) http.Handler {
	if s.BaseURL == nil || strings.Trim(s.BaseURL.Path, "/") == "" {
		return next
	}
	base, escaped := strings.TrimRight(s.BaseURL.Path, "/"), strings.TrimRight(s.BaseURL.EscapedPath(), "/")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rest, ok := strings.CutPrefix(r.URL.Path, base)
		if !ok || !ours(r.Method, rest) {
			next.ServeHTTP(w, r)
			return
		}
		inner := *r
		inner.URL = &url.URL{Path: rest, RawPath: strings.TrimPrefix(r.URL.RawPath, escaped), RawQuery: r.URL.RawQuery}
		next.ServeHTTP(w, &inner)
	})
}

// ours reports whether a path, with its method, is for this package rather than
// for the pages.
func ours(method, p string) bool {
	if !strings.HasPrefix(p, "/") {
		return false
	}
	clean := path.Clean(p)
	return clean == "/api" || strings.HasPrefix(clean, "/api/") || slices.Contains(fixedRoutes, p) ||
		method == http.MethodPost && (p == "/logs" || p == "/snippets")
}
