package httpapi_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/store"
)

// FuzzRequest verifies that no request with a valid key under /api causes a
// 5xx, and that every response keeps what all responses promise.
func FuzzRequest(f *testing.F) {
	for _, path := range []string{"/api/v1/log-share/0123456789abcdef", "/api//v1", "/api/v1/log-share/%2e%2e"} {
		f.Add(http.MethodPost, path, []byte(`{"text": "a"}`))
	}
	for _, operation := range httpapi.Operations() {
		f.Add(http.MethodPost, "/api/v1/"+operation.Name, []byte(`{"text": "a"}`))
	}
	f.Add(http.MethodPost, "/api/v1/gradient-generator", []byte(`{"colors": ["#ff0000", "#0000ff"], "type": "radial", "angle": -1e2, "positions": [0, 1e400]}`))
	f.Add(http.MethodPost, "/api/v1/log-share", []byte(`{"content": "{}\n[1]", "format": "json", "expiry": "never", "stats": {"a": [{}]}, "title": "\ud83d\ude00"}`))
	f.Add(http.MethodPost, "/api/v1/code-snippet-share", []byte(`{"code": "a\u0000", "language": "auto", "title": null}`))
	f.Add(http.MethodPost, "/api/v1/code-screenshot", []byte(`{"code": "a", "background": "linear-gradient(red, blue)", "padding": 0.5, "shadow": false}`))
	f.Add(http.MethodDelete, "/api/v1/log-share/0123456789abcdef", []byte(nil))
	f.Add(http.MethodPost, "/api/v1/slug-generator", []byte("\xef\xbb\xbf{\"a\": 1, \"\\u0061\": \"\\ud83d\"}"))
	f.Fuzz(func(t *testing.T, method, path string, body []byte) {
		target, err := url.ParseRequestURI(path)
		if err != nil {
			t.Skip("no server gets such a path")
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://kiln.test/", bytes.NewReader(body))
		r.Method, r.URL, r.RequestURI = method, target, path
		r.Header.Set("X-Api-Key", staticKey)
		w := httptest.NewRecorder()
		handlerOf(t, options(t, store.NewMemory())).ServeHTTP(w, r)
		response := w.Result()
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.Less(t, response.StatusCode, http.StatusInternalServerError, "%s", text)
		require.NoError(t, promises(r, body, response, text), "%s", text)
	})
}

// FuzzHeaders verifies the same for header fields and queries.
func FuzzHeaders(f *testing.F) {
	f.Add("/api/v1/code-screenshot?scale=2", "image/png;q=0.5, */*", "application/json; charset=utf-8", "a-1")
	f.Add("/api/v1/code-screenshot?scale=1e309&scale=%zz", "image/svg+xml;q=x,,;", "text/plain", "\x00")
	f.Add("/logs?title=%ff&expiry=never", "", "multipart/form-data; boundary=", "")
	f.Add("/snippets?language=go&language=c;x", "text/html", "", "é")
	f.Fuzz(func(t *testing.T, target, accept, contentType, id string) {
		u, err := url.ParseRequestURI(target)
		if err != nil {
			t.Skip("no server gets such a path")
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://kiln.test/", bytes.NewReader([]byte(`{"code": "a"}`)))
		r.URL, r.RequestURI = u, target
		for name, value := range map[string]string{
			"X-Api-Key": staticKey, "Accept": accept, "Content-Type": contentType, "X-Request-Id": id,
			"Content-Encoding": id, "X-Forwarded-For": accept, "X-Forwarded-Host": id,
		} {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		handlerOf(t, options(t, store.NewMemory())).ServeHTTP(w, r)
		require.Less(t, w.Code, http.StatusInternalServerError, "%s", w.Body)
	})
}
