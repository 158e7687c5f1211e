package httpapi

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
)

// A route is one thing that requests can ask for.
type route struct {
	method string // "" is any
	path   string // a pattern of ServeMux, and the name in metrics
	usage  string // the name under which requests of a key are counted
	access access
	scope  apikey.Scope // what a key must be good for
	json   bool         // the body is an object of JSON
	do     operation
	plain  bool // failures are lines of text
}

// An operation reads what a request asks for, does it and encodes what came of
// it.
type operation func(*server, *request) (response, error)

// access is who may use a route, and whose shares it reads or deletes. A test
// asks every route as different callers, and fails if it does otherwise.
type access int

const (
	undecided access = iota // a fault of the table
	anyKey                  // who has a key, whatever it is good for; no share
	scoped                  // who has a key for the scope; no share
	linked                  // the same; a share whose id they know
	owned                   // the same; shares of the key's owner
	keyless                 // anybody; nothing but failures of the API
	public                  // anybody, also while the service takes no more work
)

// routes is everything that is served, on one screen. What is not here is for
// Pages, or under /api a path that does not exist.
func routes() []route {
	return []route{
		{method: "POST", path: "/api/v1/gradient-generator", usage: "gradient-generator", access: scoped, scope: apikey.ScopeTools, json: true, do: (*server).makeGradient},
		{method: "POST", path: "/api/v1/slug-generator", usage: "slug-generator", access: scoped, scope: apikey.ScopeTools, json: true, do: (*server).makeSlug},
		{method: "POST", path: "/api/v1/log-share", usage: "log-share", access: scoped, scope: apikey.ScopeShare, json: true, do: (*server).createLog},
		{method: "GET", path: "/api/v1/log-share/{id}", usage: "log-share-read", access: linked, scope: apikey.ScopeRead, do: (*server).readLog},
		{method: "POST", path: "/api/v1/log-share/{id}/read", usage: "log-share-read", access: linked, scope: apikey.ScopeRead, do: (*server).takeLog},
		{method: "DELETE", path: "/api/v1/log-share/{id}", usage: "log-share-delete", access: owned, scope: apikey.ScopeShare, do: (*server).deleteLog},
		{method: "POST", path: "/api/v1/code-snippet-share", usage: "code-snippet-share", access: scoped, scope: apikey.ScopeShare, json: true, do: (*server).createSnippet},
		{method: "GET", path: "/api/v1/code-snippet-share/{id}", usage: "code-snippet-share-read", access: linked, scope: apikey.ScopeRead, do: (*server).readSnippet},
		{method: "POST", path: "/api/v1/code-snippet-share/{id}/read", usage: "code-snippet-share-read", access: linked, scope: apikey.ScopeRead, do: (*server).takeSnippet},
		{method: "DELETE", path: "/api/v1/code-snippet-share/{id}", usage: "code-snippet-share-delete", access: owned, scope: apikey.ScopeShare, do: (*server).deleteSnippet},
		{method: "POST", path: "/api/v1/code-screenshot", usage: "code-screenshot", access: scoped, scope: apikey.ScopeTools, json: true, do: (*server).makeScreenshot},
		{method: "GET", path: "/api/v1/shares", usage: "shares", access: owned, scope: apikey.ScopeRead, do: (*server).listShares},
		{method: "POST", path: "/api/v1/shares/delete", usage: "shares-delete", access: owned, scope: apikey.ScopeShare, json: true, do: (*server).deleteShares},
		{method: "GET", path: "/api/v1/limits", usage: "limits", access: anyKey, do: (*server).readLimits},

		{method: "POST", path: "/logs", usage: "log-share", access: scoped, scope: apikey.ScopeShare, do: (*server).createPlainLog, plain: true},
		{method: "POST", path: "/analyze", usage: "log-analysis", access: scoped, scope: apikey.ScopeTools, do: (*server).analyzeLog, plain: true},
		{method: "POST", path: "/snippets", usage: "code-snippet-share", access: scoped, scope: apikey.ScopeShare, do: (*server).createPlainSnippet, plain: true},

		{method: "POST", path: "/mcp", usage: "mcp", access: scoped, scope: apikey.ScopeAll, do: (*server).serveMCP},

		{method: "GET", path: "/healthz", access: public, do: (*server).healthz, plain: true},
		{method: "GET", path: "/readyz", access: public, do: (*server).readyz, plain: true},
		{method: "GET", path: "/openapi.yaml", access: public, do: (*server).documentYAML, plain: true},
		{method: "GET", path: "/openapi.json", access: public, do: (*server).documentJSON, plain: true},
	}
}

// nowhere is every path under /api that does not exist.
var nowhere = route{path: "api", do: (*server).noSuchPath, access: keyless}

// newMux registers the routes. A path that takes other methods says which;
// those that people see too are left to Pages then.
func (s *server) newMux() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/", s.serveRest)
	known := make(map[string]bool)
	for _, rt := range routes() {
		if rt.path == "/mcp" && s.MCP == nil {
			continue
		}
		mux.HandleFunc(rt.method+" "+rt.path, s.serve(rt))
		if known[rt.path] || rt.plain && rt.access < keyless {
			continue
		}
		known[rt.path] = true
		mux.HandleFunc(rt.path, s.serve(route{path: rt.path, plain: rt.plain, access: max(rt.access, keyless), do: (*server).wrongMethod}))
	}
	return mux
}

// ServeHTTP sends a request to its route. ServeMux would redirect a path that is
// not clean; under /api there is no such path, and else it is for Pages.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.mounted {
		if inner, ok := origin.WithinBase(r, s.BaseURL); ok && s.isOurs(inner) {
			r = inner
		}
	}
	if strings.HasPrefix(r.URL.Path, "/") && r.URL.Path == path.Clean(r.URL.Path) {
		s.mux.ServeHTTP(w, r)
		return
	}
	s.serveRest(w, r)
}

// serveRest serves what has no route.
func (s *server) serveRest(w http.ResponseWriter, r *http.Request) {
	if isAPI(r.URL.Path) {
		s.serve(nowhere)(w, r)
		return
	}
	s.servePages(w, r)
}

// isOurs reports whether a request below the base URL is for this package rather
// than for Pages, which know the base themselves.
func (s *server) isOurs(r *http.Request) bool {
	if isAPI(r.URL.Path) {
		return strings.HasPrefix(r.URL.Path, "/")
	}
	_, pattern := s.mux.Handler(r)
	return pattern != "/" && r.URL.Path == path.Clean(r.URL.Path)
}

// isAPI reports whether a path lies under /api, when it is clean.
func isAPI(p string) bool {
	clean := path.Clean("/" + p)
	return clean == "/api" || strings.HasPrefix(clean, "/api/")
}

func (s *server) noSuchPath(*request) (response, error) {
	return response{}, notFound("no such path; the operations are POST /api/v1/gradient-generator, slug-generator, log-share, code-snippet-share and code-screenshot")
}

func (s *server) wrongMethod(q *request) (response, error) {
	var allowed []string
	for _, rt := range routes() {
		if rt.path == q.route.path {
			allowed = append(allowed, rt.method)
		}
	}
	slices.Sort(allowed)
	if slices.Contains(allowed, http.MethodGet) {
		allowed = append(allowed, http.MethodHead) // ServeMux serves it as GET
	}
	q.recorder.Header().Set("Allow", strings.Join(allowed, ", "))
	if q.route.access == public {
		q.recorder.Header().Set("X-Content-Type-Options", "nosniff")
		return encodeLine(http.StatusMethodNotAllowed, "method not allowed"), nil
	}
	return response{}, methodNotAllowed(q.Method, allowed)
}

// logPath returns the path of a request as the access log has it: without that
// of the base URL, with which it may arrive or not.
func logPath(r *http.Request, base *url.URL) string {
	inner, _ := origin.WithinBase(r, base)
	return clip(inner.URL.Path)
}
