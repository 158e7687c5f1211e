package httpapi_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/store"
)

func TestForwardedHeaders_ofAStrangerAreToldOnce(t *testing.T) {
	var log bytes.Buffer
	o := options(t, store.NewMemory())
	o.Log = slog.New(slog.NewTextHandler(&log, nil))
	o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	handler := handlerOf(t, o)
	send := func(remote, name string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/healthz", http.NoBody)
		r.RemoteAddr = remote
		r.Header.Set(name, "https")
		handler.ServeHTTP(httptest.NewRecorder(), r)
	}
	send("10.0.0.1:1", "X-Forwarded-Proto")
	send("192.0.2.1:1", "X-Other")
	assert.Empty(t, log.String())
	for range 3 {
		send("192.0.2.1:1", "X-Forwarded-Proto")
		send("192.0.2.2:1", "X-Forwarded-For")
	}
	assert.Equal(t, 1, strings.Count(log.String(), "not a trusted proxy"), log.String())
	assert.Contains(t, log.String(), "remote=192.0.2.1:1")
}

func TestAccessLog_hasOnePathWhateverTheMount(t *testing.T) {
	for mount, c := range map[string]struct {
		base   string
		wrap   func(http.Handler) http.Handler
		prefix string // path prefix of the requests
	}{
		"at the root":                 {"", nil, ""},
		"a path that a proxy takes":   {"https://kiln.test/tools", nil, ""},
		"a path that a proxy leaves":  {"https://kiln.test/tools", nil, "/tools"},
		"a path that StripPrefix has": {"https://kiln.test/tools", func(h http.Handler) http.Handler { return http.StripPrefix("/tools", h) }, "/tools"},
	} {
		t.Run(mount, func(t *testing.T) {
			records := make(recorder, 1)
			o := options(t, store.NewMemory())
			o.AccessLog = slog.New(records)
			if c.base != "" {
				var err error
				o.BaseURL, err = url.Parse(c.base)
				require.NoError(t, err)
			}
			handler := handlerOf(t, o)
			if c.wrap != nil {
				handler = c.wrap(handler)
			}
			for _, path := range []string{"/api/v1/slug-generator", "/healthz", "/logs/0123456789abcdef", "/nowhere", "/api//v1"} {
				r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, c.prefix+path, http.NoBody)
				handler.ServeHTTP(httptest.NewRecorder(), r)
				record := <-records
				var got string
				record.Attrs(func(a slog.Attr) bool {
					if a.Key == "path" {
						got = a.Value.String()
					}
					return true
				})
				assert.Equal(t, path, got)
			}
		})
	}
}
