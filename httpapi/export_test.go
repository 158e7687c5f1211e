package httpapi

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Routes returns the method and pattern of every route.
func Routes() []string {
	var all []string
	for _, rt := range routes() {
		all = append(all, rt.method+" "+rt.path)
	}
	return all
}

// KnownFields returns the fields that each route takes in a body of JSON, by its
// path: what it asks an empty object for.
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
		_, _ = rt.do(s, q) // refuses what is missing
		known[rt.path] = q.fields.Known()
	}
	return known
}
