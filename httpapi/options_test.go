package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/store"
)

func TestNew_namesAllThatCannotWork(t *testing.T) {
	_, err := httpapi.New(httpapi.Options{BaseURL: &url.URL{Path: "/tools"}, CORSOrigins: []string{"*", "https://a.test/", "a.test"}, MaxMemory: -1, BodyTimeout: -time.Second})
	for _, want := range []string{"Options.Shares is nil", "Options.Keys is nil", `Options.BaseURL is "/tools"`, `Options.CORSOrigins[1] is "https://a.test/"`, `Options.CORSOrigins[2] is "a.test"`, "Options.MaxMemory is -1", "Options.BodyTimeout is -1s"} {
		require.ErrorContains(t, err, want)
	}
}

func TestNew_takesABaseURLThatLinksCanBeMadeOf(t *testing.T) {
	for base, legal := range map[string]bool{
		"https://kiln.test/tools": true, "http://kiln.test:8080": true,
		"/tools": false, "//kiln.test": false, "kiln.test": false, "ftp://kiln.test": false, "https://": false,
		"https://kiln.test?a=b": false, "https://kiln.test/#a": false, "https://me:secret@kiln.test": false,
	} {
		o := options(t, store.NewMemory())
		var err error
		o.BaseURL, err = url.Parse(base)
		require.NoError(t, err)
		_, err = httpapi.New(o)
		assert.Equal(t, legal, err == nil, base)
		if err != nil {
			assert.NotContains(t, err.Error(), "secret")
		}
	}
}

// A bearer token is a key only where it is asked for, and only without an
// X-API-Key. Without a limiter nothing is limited.
func TestNew_bearerTokensAndNoLimiter(t *testing.T) {
	for _, c := range []struct {
		bearer bool
		fields map[string]string
		want   int
	}{
		{true, map[string]string{"Authorization": "Bearer " + staticKey}, http.StatusOK},
		{true, map[string]string{"Authorization": "bearer  " + staticKey}, http.StatusOK},
		{true, map[string]string{"Authorization": "Basic " + staticKey}, http.StatusUnauthorized},
		{true, map[string]string{"Authorization": "Bearer"}, http.StatusUnauthorized},
		{true, map[string]string{"Authorization": "Bearer " + staticKey, "X-API-Key": "wrong"}, http.StatusUnauthorized},
		{true, map[string]string{"Authorization": "Bearer wrong", "X-API-Key": staticKey}, http.StatusOK},
		{false, map[string]string{"Authorization": "Bearer " + staticKey}, http.StatusUnauthorized},
	} {
		o := options(t, store.NewMemory())
		o.BearerTokens, o.Limiter = c.bearer, nil
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/v1/slug-generator", strings.NewReader(`{"text":"a b"}`))
		for name, value := range c.fields {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		handlerOf(t, o).ServeHTTP(w, r)
		assert.Equal(t, c.want, w.Code, "%+v: %s", c, w.Body)
		assert.Empty(t, w.Header().Get("RateLimit"))
		if c.want == http.StatusUnauthorized {
			assert.Equal(t, c.bearer, slices.Contains(w.Header().Values("WWW-Authenticate"), "Bearer"), "%+v", c)
		}
		if w.Code == http.StatusUnauthorized && len(c.fields) == 1 {
			assert.Equal(t, c.bearer, strings.Contains(w.Body.String(), "X-API-Key header or as Authorization: Bearer KEY"), "%+v", c)
		}
	}
}
