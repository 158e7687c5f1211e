package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/store"
)

// Paths that a proxy passes on unchanged are distinguished from those without
// the base path, even if the base path looks like one of our own paths.
func TestBaseURL_paths(t *testing.T) {
	const slug = "/api/v1/slug-generator"
	for base, paths := range map[string]map[string]int{
		"https://kiln.example/api":    {slug: 200, "/api" + slug: 200, "/apiapi/v1/slug-generator": 404, "/api/api/healthz": 404},
		"https://kiln.example/tools/": {slug: 200, "/tools" + slug: 200, "/tools/healthz": 405, "/toolsapi/v1/slug-generator": 404, "/tools/tools" + slug: 404, "/other" + slug: 404},
		"https://kiln.example/":       {slug: 200, "/tools" + slug: 404},
	} {
		o := options(t, store.NewMemory())
		var err error
		o.BaseURL, err = url.Parse(base)
		require.NoError(t, err)
		handler := handlerOf(t, o)
		for path, status := range paths {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(`{"text":"a"}`))
			r.Header.Set("X-Api-Key", staticKey)
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			assert.Equal(t, status, w.Code, "%s below %s", path, base)
		}
	}
}
