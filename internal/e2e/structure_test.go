package e2e_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// download saves a page as sent by the server.
func download(t *testing.T, client *http.Client, dir, name, address string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	require.NoError(t, err)
	r.Header.Set("Accept", "text/html")
	response, err := client.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Contains(t, string(page), "<!doctype html>", address)
	require.NoError(t, os.WriteFile(filepath.Join(dir, name+".html"), page, 0o644))
}

// deskPages returns the pages of a dashboard by name.
func deskPages(keyID string) map[string]string {
	return map[string]string{
		"desk": "/dashboard", "desk-keys": "/dashboard/keys", "desk-key": "/dashboard/keys/" + keyID, "desk-revoke": "/dashboard/keys/" + keyID + "/revoke",
		"desk-shares": "/dashboard/shares", "new": "/", "new-log": "/?kind=log",
		"desk-settings": "/dashboard/settings", "desk-activity": "/dashboard/activity", "desk-nowhere": "/dashboard/nowhere",
	}
}

// html-validate finds no error in the markup of any page: no misplaced element,
// no duplicate id, no control without a name. npm ci installs it in this
// directory.
func TestPages_structure(t *testing.T) {
	t.Parallel()
	program, err := filepath.Abs("node_modules/.bin/html-validate")
	require.NoError(t, err)
	if _, err := os.Stat(program); err != nil {
		require.NotEqual(t, "1", os.Getenv("DEVKILN_REQUIRE_CHROMIUM"), "npm ci --prefix internal/e2e installs html-validate")
		t.Skip(err)
	}
	dir := t.TempDir()
	s := newService(t)
	for name, path := range samplePages(t, s) {
		download(t, http.DefaultClient, dir, name, s.URL+path)
	}

	d := newDesk(t)
	keyID := d.fill(t)
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	client := &http.Client{Jar: jar}
	download(t, client, dir, "desk-sign-in", d.URL+"/dashboard/sign-in")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, d.URL+"/dashboard/sign-in", strings.NewReader(url.Values{"password": {deskPassword}}.Encode()))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", d.URL)
	response, err := client.Do(r)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	for name, path := range deskPages(keyID) {
		download(t, client, dir, name, d.URL+path)
	}

	report, err := exec.CommandContext(t.Context(), program, "--config", "testdata/html-validate.json", "--formatter", "text", "--max-warnings", "0", dir+"/*.html").CombinedOutput()
	require.NoError(t, err, "%s", strings.ReplaceAll(string(report), dir+"/", ""))
}
