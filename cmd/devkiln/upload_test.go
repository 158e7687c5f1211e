package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// piped runs a command with a text on its standard input.
func piped(t *testing.T, variables []string, stdin string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs output
	err = run(t.Context(), args, variables, strings.NewReader(stdin), &out, &errs)
	return out.String(), errs.String(), err
}

// found fetches the share that a printed link names.
func found(t *testing.T, s *instance, operation, link string) map[string]any {
	t.Helper()
	link = strings.TrimSpace(link)
	status, share := call(t, http.MethodGet, s.base+"/api/v1/"+operation+link[strings.LastIndex(link, "/"):], s.key, "")
	require.Equal(t, http.StatusOK, status, link)
	return share
}

func TestShare(t *testing.T) {
	t.Parallel()
	s := start(t, none, "--store=memory:")
	variables := []string{"DEVKILN_URL=" + s.base, "DEVKILN_KEY=" + s.key}

	link, _, err := piped(t, variables, "03:00 ERROR disk\r\n", "log", "--expiry=never", "--title=nightly")
	require.NoError(t, err)
	assert.Regexp(t, "^"+s.base+"/logs/[0-9a-z]{16}\n$", link)
	log := found(t, s, "log-share", link)
	assert.Equal(t, "03:00 ERROR disk\r\n", log["content"])
	assert.Equal(t, "nightly", log["title"])
	assert.Nil(t, log["expiresAt"])

	file := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(file, []byte("x"), 0o600))
	link, _, err = piped(t, variables, "", "snippet", file)
	require.NoError(t, err)
	snippet := found(t, s, "code-snippet-share", link)
	assert.Equal(t, "go", snippet["language"], "by the name of the file")
	assert.Equal(t, "main.go", snippet["title"])

	text, _, err := piped(t, variables, "print(1)", "snippet", "-", "--json", "--language=Python")
	require.NoError(t, err)
	var printed struct{ ID, URL, Language, ExpiresAt string }
	require.NoError(t, json.Unmarshal([]byte(text), &printed))
	assert.Equal(t, "python", printed.Language)
	assert.Equal(t, s.base+"/snippets/"+printed.ID, printed.URL)
	assert.NotEmpty(t, printed.ExpiresAt)

	link, stderr, err := piped(t, variables, "a\xffb", "log")
	require.NoError(t, err)
	assert.Equal(t, "a�b", found(t, s, "log-share", link)["content"])
	assert.Contains(t, stderr, "not UTF-8", "nothing is changed silently")

	link, stderr, err = piped(t, variables, "\xff\xfea\x00\xe4\x00\r\x00\n\x00", "log")
	require.NoError(t, err)
	assert.Equal(t, "aä\r\n", found(t, s, "log-share", link)["content"], "PowerShell writes UTF-16")
	assert.Empty(t, stderr)
}

func TestShare_faults(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a command for each row, in one goroutine")
	}
	t.Parallel()
	s := start(t, none, "--store=memory:")
	here := []string{"DEVKILN_URL=" + s.base, "DEVKILN_KEY=" + s.key}
	for name, c := range map[string]struct {
		variables []string
		stdin     string
		args      []string
		code      int
		want      string
	}{
		"no server":          {nil, "x", []string{"log"}, 2, "DEVKILN_URL and DEVKILN_KEY"},
		"no URL nor key":     {[]string{"DEVKILN_URL=kiln"}, "x", []string{"log"}, 2, "must be http:// or https://"},
		"no URL of a server": {[]string{"DEVKILN_URL=kiln", "DEVKILN_KEY=k"}, "x", []string{"log"}, 2, "must be http:// or https://"},
		"a wrong key":        {[]string{"DEVKILN_URL=" + s.base, "DEVKILN_KEY=wrong"}, "x", []string{"log"}, 1, "this API key is unknown"},
		"nothing":            {here, "", []string{"log"}, 2, "standard input is empty"},
		"an empty file":      {here, "", []string{"snippet", os.DevNull}, 2, os.DevNull + " is empty"},
		"far too much":       {here, strings.Repeat("x", 400_001), []string{"snippet"}, 2, "standard input has more than 100000 characters"},
		"a picture":          {here, "\x89PNG\r\n\x1a\n\x00\x00\xb1", []string{"log"}, 2, "standard input is not text"},
		"a picture as code":  {here, "\x89PNG\r\n\x1a\n\x00\x00\xb1", []string{"snippet"}, 2, "standard input is not text"},
		"too much":           {here, strings.Repeat("é", 100_001), []string{"snippet"}, 2, "code: has 100001 characters"},
		"no such file":       {here, "", []string{"log", "/no/such/file"}, 1, "/no/such/file"},
		"no such expiry":     {here, "x", []string{"snippet", "--expiry=6h"}, 2, "--expiry"},
		"a server away":      {[]string{"DEVKILN_URL=http://127.0.0.1:1", "DEVKILN_KEY=k", "DEVKILN_MAX_WAIT=0"}, "x", []string{"log"}, 1, "refuses connections"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := piped(t, c.variables, c.stdin, c.args...)
			var stderr strings.Builder
			assert.Equal(t, c.code, report(err, &stderr), stderr.String())
			assert.Contains(t, stderr.String(), c.want)
		})
	}
}

// A wait for the limit of the key is reported on stderr, and --max-wait bounds
// it.
func TestShare_waitsForTheLimit(t *testing.T) {
	t.Parallel()
	for maxWait, tries := range map[string]int{"0": 1, "999ms": 1, "1s": 2} {
		came := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if r.Method == http.MethodPost {
				came++
			}
			if came == 1 || r.Method == http.MethodGet { // the public URL is asked for once, and not waited for
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(http.StatusTooManyRequests)
				_, _ = io.WriteString(w, `{"success":false,"error":{"code":"rate_limited","message":"too many requests"}}`)
				return
			}
			_, _ = io.WriteString(w, `{"success":true,"id":"4gyvm6pt90hk4r7z","url":"/logs/4gyvm6pt90hk4r7z","expiresAt":null}`)
		}))
		_, stderr, err := piped(t, []string{"DEVKILN_URL=" + s.URL, "DEVKILN_KEY=k", "DEVKILN_MAX_WAIT=" + maxWait}, "x", "log", "--expiry=never")
		s.Close()
		assert.Equal(t, tries, came, maxWait)
		if tries == 1 {
			assert.EqualError(t, err, "too many requests (429 Too Many Requests)", maxWait)
			assert.Empty(t, stderr, maxWait)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, "Waiting 1s before another try: too many requests (429 Too Many Requests)\n", stderr)
	}
}

// Sharing from /dev/null does not prompt for input, because the device is not a
// terminal.
func TestShare_fromTheNullDevice(t *testing.T) {
	t.Parallel()
	process := exec.CommandContext(t.Context(), executable(t), "log", "--url=http://127.0.0.1:1", "--key=none", "--max-wait=0")
	process.Env = append(outside(), "TEST_AS_DEVKILN=1")
	said, err := process.CombinedOutput() // its standard input is the null device
	require.Error(t, err)
	assert.NotContains(t, string(said), "terminal")
}

func TestServe_curlSharesAPipe(t *testing.T) {
	t.Parallel()
	needs(t, "sh", "curl")
	s := start(t, none, "--store=memory:")
	shell := exec.CommandContext(t.Context(), "sh", "-c", `printf 'a\nERROR b\n' | curl -s --data-binary @- -H "X-API-Key: $KEY" "$URL/logs?title=ci"`)
	shell.Env = append(os.Environ(), "KEY="+s.key, "URL="+s.base)
	link, err := shell.Output()
	require.NoError(t, err)
	log := found(t, s, "log-share", string(link))
	assert.Equal(t, "a\nERROR b\n", log["content"])
	assert.Equal(t, "ci", log["title"])
}
