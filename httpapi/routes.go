package httpapi

import (
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/httpapi/openapi"
)

// routes is every path of the API, on one screen.
func (s *server) routes() *http.ServeMux {
	return newMux(map[string]map[string]http.Handler{
		"/api/v1/gradient-generator":      {"POST": post(s, operation(decodeGradient, checkGradient, makeGradient))},
		"/api/v1/slug-generator":          {"POST": post(s, operation(decodeSlug, checkSlug, makeSlug))},
		"/api/v1/log-share":               {"POST": post(s, operation(decodeLog, checkLog, s.createLog))},
		"/api/v1/log-share/{id}":          {"GET": bodyless(s, s.readLog), "DELETE": bodyless(s, s.deleteLog)},
		"/api/v1/code-snippet-share":      {"POST": post(s, operation(decodeSnippet, checkSnippet, s.createSnippet))},
		"/api/v1/code-snippet-share/{id}": {"GET": bodyless(s, s.readSnippet), "DELETE": bodyless(s, s.deleteSnippet)},
		"/api/v1/code-screenshot":         {"POST": post(s, operation(decodeScreenshot, checkScreenshot, s.makeScreenshot))},
	})
}

// newMux registers handlers by path and method. A method that a path does not
// have is answered 405 with those that it has.
func newMux(paths map[string]map[string]http.Handler) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/", noSuchPath)
	for pattern, methods := range paths {
		for method, handler := range methods {
			mux.Handle(method+" "+pattern, handler)
		}
		allowed := slices.Sorted(maps.Keys(methods))
		if _, ok := methods["GET"]; ok {
			allowed = append(allowed, "HEAD") // ServeMux answers it with GET
		}
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			writeFailure(w, methodNotAllowed(r.Method, allowed))
		})
	}
	return mux
}

// dispatch sends a request to the API, its document, the checks of health,
// the shares as plain text or the pages. ServeMux
// would redirect a path that is not clean; under /api that is a 404.
func (s *server) dispatch(w http.ResponseWriter, r *http.Request) {
	if s.Leaving() {
		w.Header().Set("Connection", "close")
	}
	clean := cleanPath(r)
	switch {
	case clean == "/api" || strings.HasPrefix(clean, "/api/"):
		s.serveAPI(w, r, clean)
	case r.URL.Path == "/healthz":
		healthz(w, r)
	case r.URL.Path == "/readyz":
		s.readyz(w, r)
	case r.URL.Path == "/openapi.yaml":
		serveDocument(w, r, "application/yaml", openapi.YAML())
	case r.URL.Path == "/openapi.json":
		serveDocument(w, r, "application/json", openapi.JSON())
	case r.Method == http.MethodPost && r.URL.Path == "/logs":
		s.servePlain(w, r, s.plainLog())
	case r.Method == http.MethodPost && r.URL.Path == "/snippets":
		s.servePlain(w, r, s.plainSnippet())
	default:
		s.servePages(w, r)
	}
}

// servePages gives the body of a form its time.
func (s *server) servePages(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 {
		if err := setReadDeadline(w, visitOf(w).arrived.Add(s.BodyTimeout)); err != nil {
			writePlainFailure(w, s.failure(w, r, err))
			return
		}
	}
	s.Pages.ServeHTTP(w, r)
}

// cleanPath returns the path of a request without empty and dot elements.
func cleanPath(r *http.Request) string {
	if strings.HasPrefix(r.URL.Path, "/") {
		return path.Clean(r.URL.Path)
	}
	return path.Clean("/" + r.URL.Path)
}

// open reports whether a request may go on; if not, it is answered.
func (s *server) open(w http.ResponseWriter, r *http.Request, refuse refuse) bool {
	w.Header()["Cache-Control"], w.Header()["X-Content-Type-Options"] = noStore, noSniff
	if err := s.awaitBody(w, r); err != nil {
		refuse(w, s.failure(w, r, err))
		return false
	}
	if s.Draining() {
		refuse(w, unavailable)
		return false
	}
	return true
}

func (s *server) serveAPI(w http.ResponseWriter, r *http.Request, clean string) {
	if !s.open(w, r, writeFailure) {
		return
	}
	if clean != r.URL.Path {
		noSuchPath(w, r)
		return
	}
	s.mux.ServeHTTP(w, r)
}

func noSuchPath(w http.ResponseWriter, _ *http.Request) {
	writeFailure(w, notFound("no such path; the operations are POST /api/v1/gradient-generator, slug-generator, log-share, code-snippet-share and code-screenshot"))
}
