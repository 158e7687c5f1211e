package httpapi

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/devkiln/devkiln/httpapi/apikey"
)

// MaxBody is the maximum length of a request body in bytes.
const MaxBody = maxBody

// Route is a row of the route table.
type Route struct {
	Method, Path string
	JSON         bool
	Scope        apikey.Scope
	Access       string
}

// Routes returns every route.
func Routes() []Route {
	names := map[access]string{anyKey: "any key", scoped: "scoped", linked: "linked", owned: "owned", public: "public"}
	var all []Route
	for _, rt := range routes() {
		all = append(all, Route{rt.method, rt.path, rt.json, rt.scope, names[rt.access]})
	}
	return all
}

// KnownFields returns the fields in the JSON body of each route, by path: those
// that it looks up in an empty object.
func KnownFields(t *testing.T, handler http.Handler) map[string][]string {
	t.Helper()
	s := handler.(*server)
	known := make(map[string][]string)
	for _, rt := range routes() {
		if !rt.json {
			continue
		}
		q := s.begin(rt, httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), rt.method, rt.path, strings.NewReader("{}")))
		if err := s.decodeJSON(q); err != nil {
			t.Fatal(err)
		}
		_, _ = rt.do(s, q) // fails for the missing fields
		known[rt.path] = q.fields.Known()
	}
	return known
}
