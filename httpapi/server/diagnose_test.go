package server_test

import (
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/server"
	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/sqlite"
)

// found returns the finding of a check for a setup.
func found(t *testing.T, check string, s server.Setup) server.Finding {
	t.Helper()
	for _, f := range server.Diagnose(t.Context(), s) {
		if f.Check == check {
			return f
		}
	}
	t.Fatal("no check of the name", check)
	return server.Finding{}
}

// local returns a setup without any faults.
func local(change func(*server.Setup)) server.Setup {
	s := server.Setup{Options: server.Options{Backend: store.NewMemory(), NoPictures: true}, Listen: "127.0.0.1:8080"}
	change(&s)
	return s
}

func TestDiagnose_soundSetup(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "devkiln.db")
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	defer db.Close()
	require.NoError(t, db.Put(t.Context(), "key", []byte("value"), time.Now().Add(time.Hour)))
	for _, f := range server.Diagnose(t.Context(), local(func(s *server.Setup) { s.Backend, s.Folder = db, filepath.Dir(path) })) {
		assert.NotEqual(t, "error", f.Severity, f)
		assert.NotEmpty(t, f.Found, f.Check)
		assert.Equal(t, f.Severity == "ok", f.Do == "", f)
		if f.Check == "store" {
			assert.Contains(t, f.Found, "has 1")
		}
	}
	n, err := db.Count(t.Context(), "")
	require.NoError(t, err)
	assert.EqualValues(t, 1, n, "what it tries the store with is gone")
}

func TestDiagnose_brokenSetups(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "devkiln.db")
	require.NoError(t, os.WriteFile(path, []byte("this was never a store"), 0o600))
	_, damaged := sqlite.Open(t.Context(), path, sqlite.Options{Companion: true})
	require.Error(t, damaged)
	closed, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "closed.db"), sqlite.Options{})
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	cert, err := server.LoadCertificate(writeCertificate(t, t.TempDir(), 1))
	require.NoError(t, err)
	for _, c := range []struct {
		check    string
		severity string
		found    string
		change   func(*server.Setup)
	}{
		{"store", "error", damaged.Error(), func(s *server.Setup) { s.Backend, s.StoreError = nil, damaged }},
		{"store", "error", "closed", func(s *server.Setup) { s.Backend = closed }},
		{"store", "error", "cannot be created", func(s *server.Setup) { s.Backend, s.Folder = nil, "/none/of/these" }},
		{"store", "ok", "does not exist yet", func(s *server.Setup) { s.Backend, s.Folder = nil, folder }},
		{"disk", "error", "no such", func(s *server.Setup) { s.Folder = "/none/of/these" }},
		{"fonts", "warning", "Chinese", func(s *server.Setup) { s.NoPictures = false }},
		{"proxies", "warning", "HTTP at :80", func(s *server.Setup) { s.Listen = ":80" }},
		{"proxies", "error", "0.0.0.0/0", func(s *server.Setup) { s.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")} }},
		{"proxies", "warning", "kiln.invalid", func(s *server.Setup) { s.BaseURL = &url.URL{Scheme: "https", Host: "kiln.invalid"} }},
		{"base URL", "warning", "each request", func(s *server.Setup) { s.Listen = ":80" }},
		{"base URL", "warning", "not https", func(s *server.Setup) { s.BaseURL = &url.URL{Scheme: "http", Host: "kiln.invalid"} }},
		{"base URL", "error", "kiln.invalid cannot be resolved", func(s *server.Setup) { s.BaseURL = &url.URL{Scheme: "https", Host: "kiln.invalid"} }},
		{"certificate", "error", "expired", func(s *server.Setup) { s.Certificate, s.Now = cert, time.Now().Add(2*time.Hour) }},
		{"certificate", "warning", "expires at", func(s *server.Setup) { s.Certificate = cert }},
		{"certificate", "error", "kiln.invalid", func(s *server.Setup) {
			s.Certificate, s.BaseURL = cert, &url.URL{Scheme: "https", Host: "kiln.invalid"}
		}},
	} {
		f := found(t, c.check, local(c.change))
		assert.Equal(t, c.severity, f.Severity, "%s: %v", c.check, f)
		assert.Contains(t, f.Found, c.found, c.check)
		assert.Equal(t, f.Severity == "ok", f.Do == "", f)
	}
}
