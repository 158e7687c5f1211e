package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/pgtest"
)

// TestMain lets the test binary run as devkiln, so that tests can kill it.
func TestMain(m *testing.M) {
	if os.Getenv("TEST_AS_DEVKILN") != "" {
		main()
		return
	}
	os.Exit(pgtest.Run(m))
}

// output is a buffer that a test reads while a command writes it.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// none is an environment without variables.
var none []string

// command runs a command and waits for its end.
func command(t *testing.T, variables []string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs output
	err = run(t.Context(), args, variables, strings.NewReader(""), &out, &errs)
	return out.String(), errs.String(), err
}

// instance is a server in this process.
type instance struct {
	base, key string
	stdout    *output
	stop      func() error
}

var (
	addressPattern = regexp.MustCompile(`(?:listens on |"address":")(http://[^\s"]+)`)
	keyPattern     = regexp.MustCompile(`dk_[0-9A-Za-z]{36}`)
)

// start runs a server until the test ends or stop is called.
func start(t *testing.T, variables []string, args ...string) *instance {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	i := &instance{stdout: &output{}}
	done := make(chan error, 1)
	args = append(args, "--no-access-log")
	if !slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "--listen=") }) {
		args = append(args, "--listen=127.0.0.1:0")
	}
	go func() { done <- run(ctx, args, variables, strings.NewReader(""), i.stdout, io.Discard) }()
	i.stop = sync.OnceValue(func() error {
		cancel()
		return <-done
	})
	t.Cleanup(func() { assert.NoError(t, i.stop()) })
	require.Eventually(t, func() bool {
		found := addressPattern.FindStringSubmatch(i.stdout.String())
		if found == nil {
			return false
		}
		i.base = found[1]
		return answers(t, i.base)
	}, time.Minute, 10*time.Millisecond, "the server does not answer")
	i.key = keyPattern.FindString(i.stdout.String())
	return i
}

// answers reports whether a server's health check succeeds.
func answers(t *testing.T, base string) bool {
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/healthz", http.NoBody)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// call sends a request and returns the status and JSON body of the response.
func call(t *testing.T, method, url, key, body string) (int, map[string]any) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("X-API-Key", key)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	var answer map[string]any
	require.NoError(t, json.NewDecoder(response.Body).Decode(&answer))
	return response.StatusCode, answer
}

// reported returns the exit code of an error and what is printed for it.
func reported(err error) (code int, text string) {
	var stderr strings.Builder
	code = report(err, &stderr)
	return code, stderr.String()
}

func storeIn(t *testing.T) string {
	return "--store=sqlite:" + filepath.Join(t.TempDir(), "devkiln.db")
}

func TestServe_restartKeepsSharesAndKeys(t *testing.T) {
	t.Parallel()
	db := storeIn(t)
	first := start(t, none, db)
	require.NotEmpty(t, first.key)
	status, made := call(t, http.MethodPost, first.base+"/api/v1/log-share", first.key, `{"content":"ERROR disk is full\r\n","expiry":"never"}`)
	require.Equal(t, http.StatusOK, status)
	require.NoError(t, first.stop())

	second := start(t, none, "serve", db)
	assert.Empty(t, second.key, "a key is shown once")
	status, found := call(t, http.MethodGet, second.base+"/api/v1/log-share/"+made["id"].(string), first.key, "")
	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, "ERROR disk is full\r\n", found["content"])
	assert.Nil(t, found["expiresAt"])

	status, _ = call(t, http.MethodPost, second.base+"/api/v1/slug-generator", first.key, `{"text":"x"}`)
	require.Equal(t, http.StatusOK, status)
	response, err := http.DefaultClient.Do(slugRequest(t, second.base, first.key))
	require.NoError(t, err)
	response.Body.Close()
	assert.Contains(t, response.Header.Get("RateLimit"), `"day";r=9996;`, "the day's count goes on: two requests, a restart, two requests")
}

func slugRequest(t *testing.T, base, key string) *http.Request {
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/api/v1/slug-generator", strings.NewReader(`{"text":"x"}`))
	require.NoError(t, err)
	request.Header.Set("X-API-Key", key)
	return request
}

// needs skips the test where a program is missing: only Go is required.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("no " + program + " on this machine")
		}
	}
}

// A shell runs the line that the first start prints.
func TestServe_printedCurlLine(t *testing.T) {
	t.Parallel()
	needs(t, "sh", "curl")
	s := start(t, none, storeIn(t))
	line := regexp.MustCompile(`(?m)^\s+(curl .*)$`).FindStringSubmatch(s.stdout.String())
	require.NotNil(t, line, s.stdout.String())
	answer, err := exec.CommandContext(t.Context(), "sh", "-c", line[1]).Output()
	require.NoError(t, err)
	assert.JSONEq(t, `{"success":true,"result":"hello-world-and-friends"}`, string(answer))
}

func TestKeys_besideARunningServer(t *testing.T) {
	t.Parallel()
	db := storeIn(t)
	s := start(t, none, db)
	stdout, stderr, err := command(t, none, "keys", "create", "--name", "ci", "--expires", "90d", db)
	require.NoError(t, err)
	secret := strings.TrimSpace(stdout)
	require.Regexp(t, keyPattern, secret)
	id := regexp.MustCompile(`Key ([0-9a-f]{12}) \(ci\)`).FindStringSubmatch(stderr)
	require.NotNil(t, id, stderr)

	status, _ := call(t, http.MethodPost, s.base+"/api/v1/slug-generator", secret, `{"text":"x"}`)
	assert.Equal(t, http.StatusOK, status)

	stdout, _, err = command(t, none, "keys", "list", db)
	require.NoError(t, err)
	assert.Contains(t, stdout, "first key")
	assert.Regexp(t, id[1]+`\s+ci\s+dk_.{4}…`+secret[len(secret)-4:], stdout)
	assert.NotContains(t, stdout, secret)

	_, _, err = command(t, none, "keys", "revoke", id[1], db)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		status, _ := call(t, http.MethodPost, s.base+"/api/v1/slug-generator", secret, `{"text":"x"}`)
		return status == http.StatusUnauthorized
	}, time.Minute, 100*time.Millisecond)
	_, _, err = command(t, none, "keys", "revoke", "000000000000", db)
	assert.ErrorContains(t, err, "no key has the id")
}

// The list of keys shows no control characters of names, and a name on one line.
func TestKeys_escapeControlCharacters(t *testing.T) {
	t.Parallel()
	db := storeIn(t)
	start(t, none, db)
	_, stderr, err := command(t, none, "keys", "create", "--name=a\x1b]0;title\ab\nc\u202e é 東", db)
	require.NoError(t, err)
	stdout, _, err := command(t, none, "keys", "list", db)
	require.NoError(t, err)
	for _, shown := range []string{stdout, stderr} {
		assert.Contains(t, shown, "a�]0;title�b c� é 東")
		assert.NotContains(t, shown, "\x1b")
	}
}

func TestServe_environment(t *testing.T) {
	t.Parallel()
	s := start(t, []string{
		"DEVKILN_STORE=memory:",
		"DEVKILN_BASE_URL=https://kiln.example/tools/",
		"DEVKILN_RATE_MINUTE=1",
		"DEVKILN_RATE_DAY=0",
		"DEVKILN_API_KEYS=first-static-key-of-this-test, second-static-key-of-this-test",
		"DEVKILN_LISTEN=256.0.0.1:1", // the flag takes precedence
		"PATH=/",
	})
	assert.Empty(t, s.key, "there are keys already")
	for _, key := range []string{"first-static-key-of-this-test", "second-static-key-of-this-test"} {
		status, made := call(t, http.MethodPost, s.base+"/api/v1/code-snippet-share", key, `{"code":"x","language":"go"}`)
		require.Equal(t, http.StatusOK, status)
		assert.Regexp(t, `^https://kiln\.example/tools/snippets/`, made["fullUrl"])
		status, _ = call(t, http.MethodPost, s.base+"/api/v1/slug-generator", key, `{"text":"x"}`)
		assert.Equal(t, http.StatusTooManyRequests, status)
	}
}

func TestRun_errorsAreOneLine(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a command for each row, in one goroutine")
	}
	t.Parallel()
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	notAStore := filepath.Join(t.TempDir(), "notes.txt")
	require.NoError(t, os.WriteFile(notAStore, []byte(strings.Repeat("these are notes\n", 1000)), 0o600))
	code := filepath.Join(t.TempDir(), "kiln.go")
	require.NoError(t, os.WriteFile(code, []byte("package kiln\n"), 0o600))
	running := storeIn(t)
	start(t, none, running)

	for name, c := range map[string]struct {
		args []string
		env  string
		code int
		want string
	}{
		"a flag that does not exist":   {[]string{"--prot=1"}, "", 2, "unknown flag --prot"},
		"a command that is none":       {[]string{"sevre"}, "", 2, "sevre"},
		"a port that is taken":         {[]string{"--store=memory:", "--listen=" + taken.Addr().String()}, "", 1, "address already in use: another program, perhaps another Devkiln, listens there; stop it, or choose another --listen\n"},
		"an address that is not here":  {[]string{"--store=memory:", "--listen=192.0.2.1:0"}, "", 1, "cannot assign requested address"},
		"a port that is none":          {[]string{"--store=memory:", "--listen=127.0.0.1:99999"}, "", 2, "--listen 127.0.0.1:99999"},
		"a store without a scheme":     {[]string{"--store=devkiln.db"}, "", 2, "no scheme"},
		"a scheme that is none":        {[]string{"--store=redis://x"}, "", 2, "must be sqlite:PATH, file:PATH, postgres://… or memory:"},
		"a backup of a database":       {[]string{"backup", "x.db", "--store=postgres://127.0.0.1:1/x"}, "", 2, "use pg_dump or export"},
		"a folder that is not there":   {[]string{"--store=sqlite:/no/such/folder/x.db"}, "", 1, "/no/such/folder"},
		"a file that is no store":      {[]string{"--store=file:" + notAStore}, "", 1, notAStore},
		"a store that is in use":       {[]string{running, "--listen=127.0.0.1:0"}, "", 1, "another server"},
		"a base URL without a host":    {[]string{"--store=memory:", "--base-url=/tools"}, "", 2, "--base-url"},
		"a base URL of ftp":            {[]string{"--store=memory:", "--base-url=ftp://x"}, "", 2, "--base-url"},
		"a proxy that is none":         {[]string{"--store=memory:", "--trusted-proxies=10.0.0.0/99"}, "", 2, `--trusted-proxies "10.0.0.0/99": must be an address or a CIDR such as 10.0.0.0/8`},
		"a rate below zero":            {[]string{"--store=memory:", "--rate-day=-1"}, "", 2, "must not be negative"},
		"a store for no share":         {[]string{"--store=memory:", "--max-store-bytes=1"}, "", 2, `--max-store-bytes "1": must be at least 1000000, or 0 for no limit`},
		"a rate that is no number":     {[]string{"--store=memory:", "--rate-day=many"}, "", 2, "--rate-day"},
		"a delay that is too long":     {[]string{"--store=memory:", "--drain-delay=1h"}, "", 2, `--drain-delay "1h": must be 0s to 5m0s`},
		"a log of too many bytes":      {[]string{"--store=memory:", "--max-log-bytes", "1TB"}, "", 2, `--max-log-bytes "1TB": must be 0 to `},
		"a delay of a variable":        {[]string{"--store=memory:"}, "DEVKILN_DRAIN_DELAY=10m", 2, `DEVKILN_DRAIN_DELAY "10m": must be 0s to 5m0s`},
		"a box without height":         {[]string{"gradient", "red", "blue", "--height=0"}, "", 2, `--height "0": must be 1 or more`},
		"lines the code does not have": {[]string{"screenshot", code, "--lines", "50-60"}, "", 2, code + `: --lines "50-60": must be among the lines 1 to 1 of the code`},
		"a log format that is none":    {[]string{"--store=memory:", "--log-format=xml"}, "", 2, "--log-format"},
		"a static key too short":       {[]string{"--store=memory:"}, "DEVKILN_API_KEYS=short", 2, "DEVKILN_API_KEYS"},
		"a lifetime that is none":      {[]string{"--store=memory:", "keys", "create", "--name=x", "--expires=soon"}, "", 2, `--expires "soon": must be days such as 90d or a duration such as 12h30m, at most 100 years`},
		"a key for no part":            {[]string{"--store=memory:", "keys", "create", "--name=x", "--scopes=everything"}, "", 2, "--scopes"},
		"a key of too many requests":   {[]string{running, "keys", "create", "--name=x", "--rate-minute=10001"}, "", 2, `--rate-minute "10001": must be 1 to 10000`},
		"a key of no request":          {[]string{running, "keys", "create", "--name=x", "--rate-minute=0"}, "", 2, `--rate-minute "0": must be 1 to 10000`},
		"a key of a blank user":        {[]string{running, "keys", "create", "--name=x", "--user= x"}, "", 2, `--user " x": the name of a user must not be empty, nor begin or end with a space`},
		"shares for no time":           {[]string{"--store=memory:", "keys", "create", "--name=x", "--max-expiry=0d"}, "", 2, "--max-expiry"},
		"a time that is none":          {[]string{"log", "--expiry=2h"}, "", 2, "--expiry \"2h\": must be one of 1h, 6h, 24h, 7d, 30d, never\n"},
		"a kind that is none":          {[]string{"shares", "list", "--kind=picture"}, "", 2, `--kind "picture": must be one of log, snippet`},
		"a key that others can read":   {[]string{"login", "http://127.0.0.1:1", "dk_x"}, "", 2, "the key is read from standard input"},
		"a login without a scheme":     {[]string{"login", "kiln.example"}, "HOME=/nonexistent", 2, `server URL "kiln.example" must be http:// or https://`},
		"an address without a port":    {[]string{"--store=memory:", "--listen=99999"}, "", 2, "--listen 99999: must be HOST:PORT such as 127.0.0.1:8080, or unix:PATH: missing port in address"},
		"fonts that are not there":     {[]string{"--store=memory:", "--fonts=/no/such"}, "", 2, "devkiln: --fonts: stat /no/such: no such file or directory"},
		"a base URL without a scheme":  {[]string{"--store=memory:", "--base-url=kiln.example/x"}, "", 2, `--base-url "kiln.example/x": must be http://`},
		"a key that is lost at once":   {[]string{"--store=memory:", "keys", "create", "--name=x"}, "", 2, "--store memory: is empty and ends with this process"},
		"an import that is lost":       {[]string{"--store=memory:", "import"}, "", 2, "--store memory: is empty"},
		"a scale that is none":         {[]string{"screenshot", "--scale=9"}, "", 2, `--scale "9": must be 1 to 4`},
		"a fit that is none":           {[]string{"log", "--fit=middle"}, "", 2, `--fit "middle": must be ends`},
		"a key with all of it wrong": {
			[]string{running, "keys", "create", "--name=", "--rate-minute=-1", "--user= x"},
			"", 2,
			`--name "": must have 1 to 100 characters of valid UTF-8; --rate-minute "-1": must be 1 to 10000; --user " x": the name`,
		},
		"a server with all of it wrong": {
			[]string{"--store=memory:", "--themes=/no/such", "--embed-origins=ftp://x", "--cors-origins=x", "--rate-day=-1"},
			"DEVKILN_API_KEYS=short", 2,
			"--themes /no/such: no such file or directory; DEVKILN_API_KEYS: static key 1 has 5 characters, must have at least 20; " +
				`--cors-origins "x": must be * or http:// or https:// with a host and nothing after it; --embed-origins "ftp://x": must be * or http:// or https:// with a host and nothing after it; ` +
				"--rate-day \"-1\": must not be negative\n",
		},
		"a key without a name": {[]string{"--store=memory:", "keys", "create"}, "", 2, "--name"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := command(t, []string{c.env}, c.args...)
			code, text := reported(err)
			assert.Equal(t, c.code, code, text)
			assert.Contains(t, text, c.want)
			assert.Equal(t, 1, strings.Count(text, "\n"), text)
		})
	}
}

// broken is an output that panics.
type broken struct{}

func (broken) Write([]byte) (int, error) { panic("broken") }

func TestRun_panicsAreNoSuccess(t *testing.T) {
	t.Parallel()
	assert.PanicsWithValue(t, "broken", func() { _ = run(t.Context(), []string{"slug", "x"}, none, strings.NewReader(""), broken{}, io.Discard) })
}

func TestHelp_andVersion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args  []string
		words []string
	}{
		{[]string{"--help"}, []string{"--store", "serve", "keys create", "keys list", "keys revoke", "version", "DEVKILN_RATE_DAY"}},
		{[]string{"serve", "--help"}, []string{"--listen", "--base-url", "--rate-minute", "--rate-day", "--trusted-proxies", "--log-format", "--[no-]access-log"}},
		{[]string{"keys", "create", "--help"}, []string{"--name", "--expires"}},
	} {
		stdout, _, err := command(t, none, c.args...)
		require.NoError(t, err)
		for _, word := range c.words {
			assert.Contains(t, stdout, word, c.args)
		}
	}
	stdout, _, err := command(t, none, "version")
	require.NoError(t, err)
	assert.Regexp(t, `^devkiln \S+ go1\S+ \w+/\w+\n$`, stdout)
}

// A request that began before the server was told to stop completes.
func TestTermination_finishesRequests(t *testing.T) {
	t.Parallel()
	s := start(t, none, storeIn(t))
	connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.base, "http://"))
	require.NoError(t, err)
	defer connection.Close()
	body := `{"content":"the last words"}`
	_, err = fmt.Fprintf(connection, "POST /api/v1/log-share HTTP/1.1\r\nHost: x\r\nX-API-Key: %s\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", s.key, len(body))
	require.NoError(t, err)
	reader := bufio.NewReader(connection)
	line, err := reader.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "HTTP/1.1 100 Continue\r\n", line, "the body is being read")
	stopped := make(chan error, 1)
	address := strings.TrimPrefix(s.base, "http://")
	go func() { stopped <- s.stop() }()
	require.Eventually(t, func() bool { // draining has begun once the listener is closed
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		if err == nil {
			c.Close()
		}
		return err != nil
	}, time.Minute, 10*time.Millisecond)
	_, err = connection.Write([]byte(body))
	require.NoError(t, err)
	answer, err := io.ReadAll(reader)
	require.NoError(t, err)
	assert.Contains(t, string(answer), `"success":true`)
	assert.NoError(t, <-stopped)
}

// full is an output without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestRun_fullOutput(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"slug x", "gradient red blue", "version", "licences", "completion bash", "analyze", "config", "--help"} {
		err := run(t.Context(), strings.Fields(line), none, strings.NewReader("ERROR x\n"), full{}, io.Discard)
		require.ErrorIs(t, err, syscall.ENOSPC, line)
	}
}
