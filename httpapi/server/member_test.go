package server_test

import (
	"bytes"
	"context"
	"log/slog"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/audit"
	"github.com/devkiln/devkiln/httpapi/server"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// A user's name is trusted if the connection comes from a trusted proxy, by
// IPv4, IPv6 or a Unix socket, which counts as 127.0.0.1.
func TestServe_usersOfTrustedProxies(t *testing.T) {
	for name, c := range map[string]struct {
		network, address, proxy string
		status                  int
	}{
		"TCP":                                {"tcp", "127.0.0.1:0", "127.0.0.1/32", http.StatusOK},
		"TCP of another":                     {"tcp", "127.0.0.1:0", "127.0.0.2/32", http.StatusForbidden},
		"TCP, IPv6 alone is trusted":         {"tcp", "127.0.0.1:0", "::1/128", http.StatusForbidden},
		"Unix socket":                        {"unix", filepath.Join(t.TempDir(), "a"), "127.0.0.1/32", http.StatusOK},
		"Unix socket, another is trusted":    {"unix", filepath.Join(t.TempDir(), "b"), "10.0.0.1/32", http.StatusForbidden},
		"Unix socket, IPv6 alone is trusted": {"unix", filepath.Join(t.TempDir(), "c"), "::1/128", http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			listener, err := (&net.ListenConfig{}).Listen(t.Context(), c.network, c.address)
			require.NoError(t, err)
			s, err := server.New(server.Options{
				Backend: store.NewMemory(), TrustedProxies: []netip.Prefix{netip.MustParsePrefix(c.proxy)},
				UserHeader: "Remote-User", AdminUsers: []string{"ada"}, NoPassword: true,
			})
			require.NoError(t, err)
			server := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
			go func() { _ = server.Serve(listener) }()
			defer server.Close()
			client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, c.network, listener.Addr().String())
			}}}
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://kiln/dashboard/settings", http.NoBody)
			require.NoError(t, err)
			r.Header.Set("Remote-User", "ada")
			response, err := client.Do(r)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			assert.Equal(t, c.status, response.StatusCode)
		})
	}
}

// A member can share on /new without a key and owns the share, but has no
// access to the API. Forged names are dropped and logged once.
func TestServer_members(t *testing.T) {
	var log bytes.Buffer
	backend := store.NewMemory()
	s, err := server.New(server.Options{
		Backend: backend, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.1/32")},
		UserHeader: "Remote-User", NoPassword: true, Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	require.NoError(t, err)
	key, setupToken, err := s.Bootstrap(t.Context())
	require.NoError(t, err)
	assert.Empty(t, setupToken, "there is no password to be set")
	ask := func(method, target, peer, contentType, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
		r.RemoteAddr = peer + ":1"
		r.Header.Set("Remote-User", "carol")
		r.Header.Set("Content-Type", contentType)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	for name, value := range map[string]string{"text": "a", "kind": "log", "expiry": "1h"} {
		require.NoError(t, parts.WriteField(name, value))
	}
	require.NoError(t, parts.Close())
	for peer, status := range map[string]int{"10.0.0.1": http.StatusSeeOther, "192.0.2.1": http.StatusForbidden, "192.0.2.2": http.StatusForbidden} {
		assert.Equal(t, status, ask(http.MethodPost, "/new", peer, parts.FormDataContentType(), form.String()).Code, peer)
		assert.Equal(t, http.StatusUnauthorized, ask(http.MethodGet, "/api/v1/shares", peer, "", "").Code)
	}
	// Deletions by a key are in the audit trail.
	call := func(method, target, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
		r.Header.Set("X-Api-Key", key)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	link := call(http.MethodPost, "/logs", "x").Body.String()
	path := strings.TrimSpace(link[strings.LastIndex(link, "/logs/"):])
	for range 2 {
		assert.Equal(t, http.StatusOK, call(http.MethodPost, "/api/v1/shares/delete", `{"urls":["`+path+`","/logs/0000000000000000"]}`).Code)
	}
	events, err := audit.New(backend).Latest(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, events, 1)
	assert.Equal(t, []any{audit.Deleted, path, "192.0.2.1"}, []any{events[0].Kind, events[0].Object, events[0].From})

	shares, err := share.New(backend, share.Options{List: true})
	require.NoError(t, err)
	found, err := shares.Find(t.Context(), share.Query{})
	require.NoError(t, err)
	require.Len(t, found.Shares, 1)
	assert.Equal(t, "user:carol", found.Shares[0].Owner)
	assert.Equal(t, 1, strings.Count(log.String(), "is not a trusted proxy is dropped"))
}
