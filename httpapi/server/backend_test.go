package server_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/metrics"
	"github.com/devkiln/devkiln/httpapi/server"
	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/storetest"
)

// stranger is a store of which the server knows only that it is a Backend.
type stranger struct{ store.Backend }

// A server runs completely on any store that passes the suite.
func TestNew_anyBackendThatPassesTheSuite(t *testing.T) {
	storetest.RunBackend(t, func(*testing.T) store.Backend { return stranger{store.NewMemory()} })
	s, err := server.New(server.Options{Backend: stranger{store.NewMemory()}, Metrics: metrics.New("v1")})
	require.NoError(t, err)
	key, setupToken, err := s.Bootstrap(t.Context())
	require.NoError(t, err)
	for _, c := range []struct {
		method, path, body string
		status             int
	}{
		{"GET", "/readyz", "", http.StatusOK},
		{"POST", "/api/v1/slug-generator", `{"text":"x"}`, http.StatusOK},
		{"POST", "/api/v1/log-share", `{"content":"ERROR x"}`, http.StatusOK},
		{"POST", "/api/v1/code-snippet-share", `{"code":"x","language":"go"}`, http.StatusOK},
		{"GET", "/api/v1/log-share/0123456789abcdef", "", http.StatusNotFound},
		{"GET", "/", "", http.StatusOK},
		{"GET", "/dashboard/setup?token=" + setupToken, "", http.StatusOK},
	} {
		r := httptest.NewRequestWithContext(t.Context(), c.method, c.path, strings.NewReader(c.body))
		r.Header.Set("X-API-Key", key)
		r.Header.Set("Accept", "text/html, application/json")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		assert.Equal(t, c.status, w.Code, "%s %s: %s", c.method, c.path, w.Body)
	}
}
