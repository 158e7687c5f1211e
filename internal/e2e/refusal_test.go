package e2e_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/contract"
)

// A sender is a program that posts the file body.json with a media type and a
// key, and prints the status and body of the response.
type sender struct {
	name    string
	program string
	args    []string // followed by the URL, the media type and the key
}

const (
	httpClientScript = `import http.client, sys, urllib.parse
u = urllib.parse.urlsplit(sys.argv[1]); c = http.client.HTTPConnection(u.netloc, timeout=60)
c.request("POST", u.path, open("body.json", "rb").read(), {"Content-Type": sys.argv[2], "X-API-Key": sys.argv[3]})
r = c.getresponse(); print(r.status, r.read().decode())`
	urllibScript = `import sys, urllib.request, urllib.error
q = urllib.request.Request(sys.argv[1], open("body.json", "rb").read(), {"Content-Type": sys.argv[2], "X-API-Key": sys.argv[3]})
try: r = urllib.request.urlopen(q, timeout=60)
except urllib.error.HTTPError as e: r = e
print(r.status, r.read().decode())`
	requestsScript = `import requests, sys
r = requests.post(sys.argv[1], data=open("body.json", "rb"), headers={"Content-Type": sys.argv[2], "X-API-Key": sys.argv[3]}, timeout=60)
print(r.status_code, r.text)`
	fetchScript = `const [url, type, key] = process.argv.slice(1)
fetch(url, {method: "POST", body: require("fs").readFileSync("body.json"), headers: {"Content-Type": type, "X-API-Key": key}})
  .then(async r => console.log(r.status, await r.text()))`
	curlScript = `curl -sS -w ' %%{http_code}' --data-binary @body.json -H "Content-Type: $2" -H "X-API-Key: $3" %s "$1"`
	wgetScript = `wget -q -S --content-on-error -O - --tries=1 --post-file=body.json --header "Content-Type: $2" --header "X-API-Key: $3" "$1" 2>&1`
)

func senders() []sender {
	return []sender{
		{"curl", "curl", []string{"sh", "-c", fmt.Sprintf(curlScript, ""), "sh"}},
		{"curl without Expect", "curl", []string{"sh", "-c", fmt.Sprintf(curlScript, `-H "Expect:"`), "sh"}},
		{"wget", "wget", []string{"sh", "-c", wgetScript, "sh"}},
		{"http.client of Python", "python3", []string{"python3", "-c", httpClientScript}},
		{"urllib of Python", "python3", []string{"python3", "-c", urllibScript}},
		{"requests of Python", "python3", []string{"python3", "-c", requestsScript}},
		{"fetch of node", "node", []string{"node", "-e", fetchScript}},
	}
}

// refusals are the reasons to refuse a large body.
var refusals = map[string]struct {
	path, mediaType, key string
	status               string
	code                 string
}{
	"too large":  {"/api/v1/slug-generator", "application/json", contract.StaticKey, "413", `"code":"body_too_large"`},
	"no key":     {"/api/v1/slug-generator", "application/json", "wrong", "401", `"code":"invalid_api_key"`},
	"media type": {"/api/v1/slug-generator", "text/plain", contract.StaticKey, "415", `"code":"unsupported_media_type"`},
}

// TestRefusal_isSeenByEveryClient checks that every client can read why its
// request was refused before the body was read.
func TestRefusal_isSeenByEveryClient(t *testing.T) {
	t.Parallel()
	none := 0
	server := httptest.NewServer(contract.Start(t, contract.Server{PerMinute: &none, PerDay: &none}).Handler)
	t.Cleanup(server.Close)
	for route, address := range map[string]string{
		"direct":                 server.Listener.Addr().String(),
		"nginx":                  nginx(t, server.Listener.Addr().String(), "on"),
		"nginx without a buffer": nginx(t, server.Listener.Addr().String(), "off"),
	} {
		for _, megabytes := range []int{11, 100} {
			t.Run(fmt.Sprintf("%s, %d MB", route, megabytes), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				require.NoError(t, os.WriteFile(filepath.Join(dir, "body.json"), bytes.Repeat([]byte(" "), megabytes<<20), 0o600))
				for why, c := range refusals {
					if address == "" || megabytes > 11 && why != "too large" {
						continue
					}
					for _, s := range senders() {
						got, ok := s.send(t, dir, "http://"+address+c.path, c.mediaType, c.key)
						if !ok {
							continue
						}
						assert.Contains(t, got, c.status, "%s, %s", s.name, why)
						if s.name != "wget" || c.status != "401" { // wget never shows the body of a 401
							assert.Contains(t, got, c.code, "%s, %s", s.name, why)
						}
					}
				}
			})
		}
	}
}

// TestRefusal_isSeenBeyondTheRate does the same for rate-limited requests.
func TestRefusal_isSeenBeyondTheRate(t *testing.T) {
	t.Parallel()
	one := 1
	server := httptest.NewServer(contract.Start(t, contract.Server{PerMinute: &one}).Handler)
	t.Cleanup(server.Close)
	url, dir := server.URL+"/api/v1/slug-generator", t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "body.json"), []byte(`{"text":"a"}`), 0o600))
	_, _ = senders()[0].send(t, dir, url, "application/json", contract.StaticKey)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "body.json"), bytes.Repeat([]byte(" "), 20<<20), 0o600))
	for _, s := range senders() {
		if got, ok := s.send(t, dir, url, "application/json", contract.StaticKey); ok {
			assert.Contains(t, got, `"code":"rate_limited"`, s.name)
		}
	}
}

// send runs the program and returns its output, or false if it is not
// installed.
func (s sender) send(t *testing.T, dir, url, mediaType, key string) (string, bool) {
	t.Helper()
	if _, err := exec.LookPath(s.program); err != nil {
		missing(t, s.program)
		return "", false
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, s.args[0], append(s.args[1:], url, mediaType, key)...)
	command.Dir = dir
	printed, err := command.CombinedOutput()
	if strings.Contains(string(printed), "No module named") {
		missing(t, s.name)
		return "", false
	}
	assert.NotErrorIs(t, err, exec.ErrNotFound)
	return string(printed), true
}

// missing logs that a program is not installed, or fails if all are required.
func missing(t *testing.T, program string) {
	t.Helper()
	if os.Getenv("DEVKILN_REQUIRE_PROXIES") != "" {
		t.Errorf("%s is not installed", program)
		return
	}
	t.Logf("skipped: %s is not installed", program)
}

// nginx starts nginx as a proxy for upstream and returns its address, or "" if
// it is not installed.
func nginx(t *testing.T, upstream, buffering string) string {
	t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		missing(t, "nginx")
		return ""
	}
	free, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := free.Addr().String()
	require.NoError(t, free.Close())
	dir := t.TempDir()
	config := fmt.Sprintf(`user root; daemon off; pid nginx.pid; error_log stderr crit; events {}
http {
	access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
	server {
		listen %s; client_max_body_size 0;
		location / { proxy_pass http://%s; proxy_http_version 1.1; proxy_request_buffering %s; }
	}
}`, address, upstream, buffering)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "nginx.conf"), []byte(config), 0o600))
	command := exec.CommandContext(t.Context(), program, "-p", dir, "-c", filepath.Join(dir, "nginx.conf"))
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	require.NoError(t, command.Start())
	t.Cleanup(func() { _ = command.Wait() })
	require.Eventually(t, func() bool {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/healthz", http.NoBody)
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			return false
		}
		defer response.Body.Close()
		_, err = io.Copy(io.Discard, response.Body)
		return err == nil
	}, time.Minute, 20*time.Millisecond)
	return address
}

const http2Script = `const [url, type, key] = process.argv.slice(1), u = new URL(url)
const session = require("http2").connect(u.origin, {rejectUnauthorized: false})
session.on("error", e => console.log("session", e.message))
const stream = session.request({":method": "POST", ":path": u.pathname, "content-type": type, "x-api-key": key})
let text = "", status = 0
stream.on("response", h => status = h[":status"]).on("data", d => text += d).on("error", e => console.log("stream", e.message))
stream.on("end", () => { console.log(status, text); process.exit() })
require("fs").createReadStream("body.json").pipe(stream)`

// TestRefusal_isSeenOverHTTP2 does the same on a multiplexed connection, which
// must remain usable.
func TestRefusal_isSeenOverHTTP2(t *testing.T) {
	t.Parallel()
	none := 0
	server := httptest.NewUnstartedServer(contract.Start(t, contract.Server{PerMinute: &none, PerDay: &none}).Handler)
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	dir := t.TempDir()
	body := bytes.Repeat([]byte(" "), 11<<20)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "body.json"), body, 0o600))
	for why, c := range refusals {
		for _, s := range []sender{
			{"curl", "curl", []string{"sh", "-c", fmt.Sprintf(curlScript, "--http2 --insecure"), "sh"}},
			{"http2 of node", "node", []string{"node", "-e", http2Script}},
		} {
			if got, ok := s.send(t, dir, server.URL+c.path, c.mediaType, c.key); ok {
				assert.Contains(t, got, c.status, "%s, %s", s.name, why)
				assert.Contains(t, got, c.code, "%s, %s", s.name, why)
			}
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+c.path, bytes.NewReader(body))
		require.NoError(t, err)
		r.Header = http.Header{"Content-Type": {c.mediaType}, "X-Api-Key": {c.key}}
		response, err := server.Client().Do(r)
		require.NoError(t, err)
		got, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		assert.Equal(t, 2, response.ProtoMajor)
		assert.Contains(t, string(got), c.code, "Go, %s", why)
		assert.Empty(t, response.Header.Get("Connection"))
	}
}
