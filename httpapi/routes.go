package httpapi

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/httpapi/openapi"
	"github.com/devkiln/devkiln/share"
)

// A route is one operation and how requests reach it. A request is admitted,
// decoded, done and encoded: the operation of its route decodes and does it, and
// request.go does the rest.
type route struct {
	method string // "" means any
	path   string // ServeMux pattern, and the name in metrics
	usage  string // name under which a key's requests are counted
	access access
	scope  apikey.Scope // scope that a key must have
	json   bool         // the body is a JSON object
	do     operation
	plain  bool // failures are lines of text
}

// An operation decodes a request, performs it and encodes the result.
type operation func(*server, *request) (response, error)

// access is who may use a route, and whose shares it reads or deletes. A test
// requests every route as different callers to verify it.
type access int

const (
	accessUnset access = iota // missing in the table
	anyKey                    // any key; no share
	scoped                    // a key with the scope; no share
	linked                    // a key with the scope; any share, by its id
	owned                     // a key with the scope; shares of its owner
	keyless                   // no key needed; only failures of the API
	public                    // no key needed, even while the service is draining
)

// Operation describes one of the operations of the API: a POST of JSON to its
// path. Responses, navigation, the start page and the texts of scopes name the
// operations by their table.
type Operation struct {
	Name  string       // its path is /api/v1/ and the name; its requests are counted under it
	Scope apikey.Scope // what a key must have
	Makes string       // what it makes, in words
	Page  string       // path of its page
	Title string       // of the page in the navigation; "" for the start page

	do operation
}

var operations = []Operation{
	{"gradient-generator", apikey.ScopeTools, "gradients", "/gradient", "Gradient", (*server).makeGradient},
	{"slug-generator", apikey.ScopeTools, "slugs", "/slug", "Slug", (*server).makeSlug},
	{"log-share", apikey.ScopeShare, "logs", "/", "", (*server).createLog},
	{"code-snippet-share", apikey.ScopeShare, "snippets", "/", "", (*server).createSnippet},
	{"code-screenshot", apikey.ScopeTools, "pictures of code", "/screenshot", "Screenshot", (*server).makeScreenshot},
}

// Operations returns the operations, in the order of the document.
func Operations() []Operation { return slices.Clone(operations) }

// version starts the paths of the operations.
const version = "/api/v1/"

// routes returns everything that is served. Any other path belongs to Pages or,
// if it is under /api, does not exist.
func routes() []route {
	all := []route{
		{method: "GET", path: "/api/v1/log-share/{id}", usage: "log-share-read", access: linked, scope: apikey.ScopeRead, do: readLog((*share.Service).Log)},
		{method: "POST", path: "/api/v1/log-share/{id}/read", usage: "log-share-read", access: linked, scope: apikey.ScopeRead, do: readLog((*share.Service).TakeLog)},
		{method: "DELETE", path: "/api/v1/log-share/{id}", usage: "log-share-delete", access: owned, scope: apikey.ScopeShare, do: deleteShare(share.KindLog)},
		{method: "GET", path: "/api/v1/code-snippet-share/{id}", usage: "code-snippet-share-read", access: linked, scope: apikey.ScopeRead, do: readSnippet((*share.Service).Snippet)},
		{method: "POST", path: "/api/v1/code-snippet-share/{id}/read", usage: "code-snippet-share-read", access: linked, scope: apikey.ScopeRead, do: readSnippet((*share.Service).TakeSnippet)},
		{method: "DELETE", path: "/api/v1/code-snippet-share/{id}", usage: "code-snippet-share-delete", access: owned, scope: apikey.ScopeShare, do: deleteShare(share.KindSnippet)},
		{method: "GET", path: "/api/v1/shares", usage: "shares", access: owned, scope: apikey.ScopeRead, do: (*server).listShares},
		{method: "POST", path: "/api/v1/shares/delete", usage: "shares-delete", access: owned, scope: apikey.ScopeShare, json: true, do: (*server).deleteShares},
		{method: "GET", path: "/api/v1/limits", usage: "limits", access: anyKey, do: (*server).readLimits},

		{method: "POST", path: "/logs", usage: "log-share", access: scoped, scope: apikey.ScopeShare, do: (*server).createPlainLog, plain: true},
		{method: "POST", path: "/analyze", usage: "log-analysis", access: scoped, scope: apikey.ScopeTools, do: (*server).analyzeLog, plain: true},
		{method: "POST", path: "/snippets", usage: "code-snippet-share", access: scoped, scope: apikey.ScopeShare, do: (*server).createPlainSnippet, plain: true},

		{method: "POST", path: "/mcp", usage: "mcp", access: scoped, scope: apikey.ScopeAll, do: (*server).serveMCP},

		{method: "GET", path: "/healthz", access: public, do: (*server).healthz, plain: true},
		{method: "GET", path: "/readyz", access: public, do: (*server).readyz, plain: true},
		{method: "GET", path: "/openapi.yaml", access: public, do: serveDocument("application/yaml", openapi.YAML()), plain: true},
		{method: "GET", path: "/openapi.json", access: public, do: serveDocument("application/json", openapi.JSON()), plain: true},
	}
	for _, o := range operations {
		all = append(all, route{method: "POST", path: version + o.Name, usage: o.Name, access: scoped, scope: o.Scope, json: true, do: o.do})
	}
	return all
}

// unknownPath handles any path under /api that does not exist.
var unknownPath = route{path: "api", do: (*server).noSuchPath, access: keyless}

// pages handles any path that is neither the API's nor another route's.
var pages = route{path: "pages", plain: true, do: (*server).servePages, access: public}

// newMux registers the routes. For any other method, a path responds with those
// it allows, unless it is also a path of Pages.
func (s *server) newMux() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/", s.serveRest)
	methods := make(map[string][]string)
	for _, rt := range routes() {
		if rt.path == "/mcp" && s.MCP == nil {
			continue
		}
		mux.HandleFunc(rt.method+" "+rt.path, s.serve(rt))
		methods[rt.path] = append(methods[rt.path], rt.method)
		if first := len(methods[rt.path]) == 1; first && (!rt.plain || rt.access == public) {
			mux.HandleFunc(rt.path, s.serve(route{path: rt.path, plain: rt.plain, access: max(rt.access, keyless), do: wrongMethod(methods)}))
		}
	}
	return mux
}

// ServeHTTP routes a request. ServeMux would redirect a path that is not clean;
// here such a path does not exist under /api, and otherwise belongs to Pages.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if inner, ok := origin.WithinBase(r, s.BaseURL); ok && inner != r && s.handles(inner) {
		r = inner
	}
	if strings.HasPrefix(r.URL.Path, "/") && r.URL.Path == path.Clean(r.URL.Path) {
		s.mux.ServeHTTP(w, r)
		return
	}
	s.serveRest(w, r)
}

// serveRest serves paths without a route.
func (s *server) serveRest(w http.ResponseWriter, r *http.Request) {
	if isAPI(r.URL.Path) {
		s.serve(unknownPath)(w, r)
		return
	}
	s.serve(pages)(w, r)
}

// handles reports whether a request below the base URL is for this package
// rather than for Pages, which handles the base URL itself.
func (s *server) handles(r *http.Request) bool {
	if isAPI(r.URL.Path) {
		return strings.HasPrefix(r.URL.Path, "/")
	}
	_, pattern := s.mux.Handler(r)
	return pattern != "/" && r.URL.Path == path.Clean(r.URL.Path)
}

// isAPI reports whether the cleaned path is under /api.
func isAPI(p string) bool {
	clean := path.Clean("/" + p)
	return clean == "/api" || strings.HasPrefix(clean, "/api/")
}

func (s *server) noSuchPath(*request) (response, error) {
	var names []string
	for _, o := range operations {
		names = append(names, o.Name)
	}
	return response{}, notFound("no such path; the operations are POST " + version + english.WordSeries(names, "and"))
}

// wrongMethod refuses a method that the path does not have.
func wrongMethod(methods map[string][]string) operation {
	return func(_ *server, q *request) (response, error) {
		allowed := slices.Sorted(slices.Values(methods[q.route.path]))
		if slices.Contains(allowed, http.MethodGet) {
			allowed = append(allowed, http.MethodHead) // ServeMux routes HEAD to GET
		}
		q.recorder.Header().Set("Allow", strings.Join(allowed, ", "))
		return response{}, fail(http.StatusMethodNotAllowed, "method_not_allowed", "this path takes %s, not %s", english.WordSeries(allowed, "or"), clip(q.Method))
	}
}

// logPath returns the path of a request for the access log: without the path of
// the base URL, which a proxy may or may not have removed.
func logPath(r *http.Request, base *url.URL) string {
	inner, _ := origin.WithinBase(r, base)
	return clip(inner.URL.Path)
}
