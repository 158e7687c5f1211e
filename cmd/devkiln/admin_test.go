package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const adminPass = "correct horse battery"

// visitor is a browser at a server's dashboard.
type visitor struct {
	*http.Client
	base string
}

func visit(t *testing.T, base string) visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return visitor{&http.Client{Jar: jar}, base}
}

func (v visitor) send(t *testing.T, method, path string, form url.Values) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, v.base+path, strings.NewReader(form.Encode()))
	require.NoError(t, err)
	r.Header.Set("Accept", "text/html")
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	response, err := v.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(page)
}

func (v visitor) signIn(t *testing.T, password string) bool {
	t.Helper()
	status, page := v.send(t, http.MethodPost, "/dashboard/sign-in", url.Values{"password": {password}})
	return status == http.StatusOK && strings.Contains(page, "<h1>Overview</h1>")
}

// typed runs a command with a text on its standard input.
func typed(t *testing.T, input string, args ...string) error {
	t.Helper()
	return run(t.Context(), args, none, strings.NewReader(input), io.Discard, io.Discard)
}

// environmentOf returns an environment with these variables.
func environmentOf(variables map[string]string) []string {
	var all []string
	for name, value := range variables {
		all = append(all, name+"="+value)
	}
	return all
}

var setupPattern = regexp.MustCompile(`(http://\S+)(/dashboard/setup\?token=\S+)`)

func TestServe_setupLink(t *testing.T) {
	t.Parallel()
	db := storeIn(t)
	s := start(t, none, db)
	var link []string
	require.Eventually(t, func() bool {
		link = setupPattern.FindStringSubmatch(s.stdout.String())
		return link != nil
	}, time.Minute, 10*time.Millisecond)
	assert.Equal(t, s.base, link[1])
	v := visit(t, s.base)
	status, page := v.send(t, http.MethodGet, link[2], nil)
	assert.Equal(t, http.StatusOK, status)
	assert.Contains(t, page, "Set the admin password")
	_, token, _ := strings.Cut(link[2], "token=")
	_, page = v.send(t, http.MethodPost, "/dashboard/setup", url.Values{"token": {token}, "password": {adminPass}, "again": {adminPass}})
	assert.Contains(t, page, "<h1>Overview</h1>")
	require.NoError(t, s.stop())

	again := start(t, none, "serve", db)
	assert.NotContains(t, again.stdout.String(), "/dashboard/setup")
	assert.True(t, visit(t, again.base).signIn(t, adminPass))
}

func TestSetPassword(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine: it hashes passwords")
	}
	t.Parallel()
	db := storeIn(t)
	s := start(t, none, db)
	const old = "the password before it"
	require.NoError(t, typed(t, old+"\n", db, "admin", "set-password"))
	first := visit(t, s.base)
	require.True(t, first.signIn(t, old))

	err := typed(t, "too short\n", db, "admin", "set-password")
	assert.ErrorContains(t, err, "must have 12 to 256")
	err = typed(t, adminPass+"\r\nmore\n", db, "admin", "set-password")
	require.NoError(t, err)
	_, page := first.send(t, http.MethodGet, "/dashboard", nil)
	assert.Contains(t, page, "<h1>Sign in</h1>", "sessions of the old password are over")
	assert.True(t, visit(t, s.base).signIn(t, adminPass))
	_, stderr, err := piped(t, none, "too short\n", db, "admin", "set-password")
	require.ErrorContains(t, err, "must have 12 to 256")
	assert.Empty(t, stderr, "a prompt is for a terminal")
	_, _, err = command(t, none, "--store=memory:", "admin", "set-password")
	assert.ErrorContains(t, err, "DEVKILN_ADMIN_PASSWORD")
}

func TestPassword_ofTheEnvironment(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine: it hashes passwords")
	}
	t.Parallel()
	file := filepath.Join(t.TempDir(), "password")
	require.NoError(t, os.WriteFile(file, []byte(adminPass+"\n"), 0o600))
	for name, value := range map[string]string{"DEVKILN_ADMIN_PASSWORD": adminPass, "DEVKILN_ADMIN_PASSWORD_FILE": file} {
		s := start(t, environmentOf(map[string]string{name: value, "DEVKILN_RATE_DAY": "77"}), storeIn(t), "--max-expiry=7d")
		assert.NotContains(t, s.stdout.String(), "/dashboard/setup")
		v := visit(t, s.base)
		require.True(t, v.signIn(t, adminPass), name)
		_, page := v.send(t, http.MethodGet, "/dashboard/settings", nil)
		assert.NotContains(t, page, adminPass)
		for _, row := range []string{
			`max-expiry</span>.*?7d</span></td>\s*<td data-label="From">Flag<`,
			`rate-day</span>.*?77</span></td>\s*<td data-label="From"><span class="mono">DEVKILN_RATE_DAY<`,
			`Defaults.*rate-minute</span>.*?100</span></td>`,
			`admin-password</span>.*?set, not shown</span></td>\s*<td data-label="From"><span class="mono">` + name + `<`,
		} {
			assert.Regexp(t, `(?s)`+row, page)
		}
	}
	for want, vars := range map[string]map[string]string{
		"must have 12 to 256": {"DEVKILN_ADMIN_PASSWORD": "short"},
		"no such file":        {"DEVKILN_ADMIN_PASSWORD_FILE": file + "x"},
		"both set":            {"DEVKILN_ADMIN_PASSWORD": adminPass, "DEVKILN_ADMIN_PASSWORD_FILE": file},
	} {
		_, _, err := command(t, environmentOf(vars), "serve", storeIn(t), "--listen=127.0.0.1:0")
		assert.ErrorContains(t, err, want)
		assert.NotContains(t, err.Error(), adminPass)
	}
}

func TestServe_restartKeepsUsage(t *testing.T) {
	t.Parallel()
	db := storeIn(t)
	env := environmentOf(map[string]string{"DEVKILN_ADMIN_PASSWORD": adminPass})
	first := start(t, env, db)
	for range 3 {
		status, _ := call(t, http.MethodPost, first.base+"/api/v1/slug-generator", first.key, `{"text":"x"}`)
		require.Equal(t, http.StatusOK, status)
	}
	status, _ := call(t, http.MethodPost, first.base+"/api/v1/slug-generator", first.key, `{}`)
	require.Equal(t, http.StatusBadRequest, status)
	require.NoError(t, first.stop())

	v := visit(t, start(t, env, "serve", db).base)
	require.True(t, v.signIn(t, adminPass))
	_, page := v.send(t, http.MethodGet, "/dashboard", nil)
	assert.Regexp(t, `Requests today</dt><dd>4<`, page)
	assert.Regexp(t, `Errors</dt><dd class="bad">1<`, page)
	assert.Contains(t, page, "slug-generator")
}

func TestStoreURL_withoutPassword(t *testing.T) {
	t.Parallel()
	for given, shown := range map[string]string{
		"postgres://u:secret@h/db":        "postgres://u:xxxxx@h/db",
		"postgres://u:p#secret@h/db":      "postgres://u:xxxxx@h/db",
		"postgres://h/db?sslmode=disable": "postgres://h/db",
		"sqlite:/var/lib/devkiln.db":      "sqlite:/var/lib/devkiln.db",
		"memory:":                         "memory:",
	} {
		assert.Equal(t, shown, withoutPassword(given))
		stdout, _, err := command(t, none, "--store="+given, "config")
		assert.NoError(t, err)
		assert.Contains(t, stdout, shown)
		assert.NotContains(t, stdout, "secret@")
	}
}
