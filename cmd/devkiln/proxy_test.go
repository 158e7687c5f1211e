package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/pgtest"
)

const proxyKey = "a-key-for-what-is-behind-a-proxy"

// daemon starts a program. stop sends SIGTERM and waits.
func daemon(t *testing.T, variables []string, name string, args ...string) (stop func() error) {
	t.Helper()
	process := exec.CommandContext(context.Background(), name, args...)
	process.Env = append(outside(), variables...)
	var log output
	process.Stderr = &log
	require.NoError(t, process.Start())
	stop = sync.OnceValue(func() error {
		_ = process.Process.Signal(syscall.SIGTERM)
		return process.Wait()
	})
	t.Cleanup(func() {
		_ = stop()
		if t.Failed() {
			t.Log(name, log.String())
		}
	})
	return stop
}

// replica runs devkiln in a process on an address.
func replica(t *testing.T, listen, db string, more ...string) (stop func() error) {
	t.Helper()
	flags := []string{db, "--listen=" + listen, "--no-access-log", "--rate-minute=0", "--rate-day=0", "--trusted-proxies=127.0.0.1"}
	stop = daemon(t, []string{"TEST_AS_DEVKILN=1", "DEVKILN_API_KEYS=" + proxyKey}, executable(t), append(flags, more...)...)
	require.Eventually(t, func() bool { return answers(t, "http://"+listen) }, time.Minute, 20*time.Millisecond)
	return stop
}

// configurations returns the code blocks of a language in docs/deploy.md.
func configurations(t *testing.T, language string) (all []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/deploy.md")
	require.NoError(t, err)
	for _, block := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllSubmatch(text, -1) {
		all = append(all, string(block[1]))
	}
	require.NotEmpty(t, all)
	return all
}

// replaced returns a configuration with its addresses replaced.
func replaced(t *testing.T, config string, addresses ...string) string {
	t.Helper()
	for i := 0; i < len(addresses); i += 2 {
		require.Contains(t, config, addresses[i], "the configuration has another address")
	}
	return strings.NewReplacer(addresses...).Replace(config)
}

// program returns the path of a program, or skips the test.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil && os.Getenv("DEVKILN_REQUIRE_PROXIES") == "1" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip("no " + name + " on this machine")
	}
	return path
}

// startNginx runs nginx with the documented configuration for one server, with
// replacements, in clear text: certificates are tried by TestServe_nginxWithTLS.
func startNginx(t *testing.T, listen string, addresses ...string) {
	t.Helper()
	runNginx(t, replaced(t, configurations(t, "nginx")[0], append(addresses, "listen 80;", "listen "+freePort(t)+";", "listen 443 ssl;", "listen "+listen+";")...))
}

// runNginx runs nginx with a configuration and a certificate, and returns its roots.
func runNginx(t *testing.T, config string) *x509.CertPool {
	t.Helper()
	nginx, dir := program(t, "nginx"), t.TempDir()
	cert, key, pool := certificate(t, time.Now().Add(time.Hour))
	const live = "/etc/letsencrypt/live/kiln.example/"
	config = replaced(t, config, live+"fullchain.pem", cert, live+"privkey.pem", key)
	temp := "client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;"
	config = "user root; daemon off; pid nginx.pid; error_log stderr; events {}\nhttp { access_log off; " + temp + "\n" + config + "}\n"
	file := filepath.Join(dir, "nginx.conf")
	require.NoError(t, os.WriteFile(file, []byte(config), 0o600))
	require.NoError(t, os.Chmod(dir, 0o755))
	daemon(t, nil, nginx, "-p", dir, "-c", file)
	return pool
}

// startCaddy runs Caddy with the documented configuration.
func startCaddy(t *testing.T, listen, backend string) {
	t.Helper()
	caddy, dir := program(t, "caddy"), t.TempDir()
	config := "{\n admin off\n auto_https off\n}\n" + replaced(t, configurations(t, "caddy")[0], "127.0.0.1:8080", backend, "kiln.example", "http://"+listen)
	file := filepath.Join(dir, "Caddyfile")
	require.NoError(t, os.WriteFile(file, []byte(config), 0o600))
	daemon(t, []string{"HOME=" + dir, "XDG_DATA_HOME=" + dir, "XDG_CONFIG_HOME=" + dir}, caddy, "run", "--config", file, "--adapter", "caddyfile")
}

// The documented proxies change neither links nor error responses.
func TestServe_documentedProxies(t *testing.T) {
	t.Parallel()
	log := strings.Repeat("10:00:00 INFO up"+strings.Repeat(" and serving", 80)+"\n", 12_000) // few lines cost less
	nginx := func(t *testing.T, listen, backend string) {
		t.Helper()
		startNginx(t, listen, "127.0.0.1:8080", backend)
	}
	for name, startProxy := range map[string]func(t *testing.T, listen, backend string){"nginx": nginx, "caddy": startCaddy} {
		t.Run(name, func(t *testing.T) {
			program(t, name)
			address, front := freePort(t), freePort(t)
			replica(t, address, storeIn(t))
			startProxy(t, front, address)
			base := "http://" + front
			require.Eventually(t, func() bool { return answers(t, base) }, time.Minute, 20*time.Millisecond)
			status, made := call(t, http.MethodPost, base+"/api/v1/code-snippet-share", proxyKey, `{"code":"x","language":"go"}`)
			require.Equal(t, http.StatusOK, status)
			assert.True(t, strings.HasPrefix(made["fullUrl"].(string), base+"/snippets/"), made["fullUrl"])
			status, answer := call(t, http.MethodPost, base+"/api/v1/slug-generator", proxyKey, `{"text":"`+strings.Repeat("x", 10<<20)+`"}`)
			assert.Equal(t, http.StatusRequestEntityTooLarge, status)
			assert.Equal(t, "body_too_large", answer["error"].(map[string]any)["code"])
			_, _, err := piped(t, []string{"DEVKILN_URL=" + base, "DEVKILN_KEY=" + proxyKey, "DEVKILN_MAX_WAIT=0"}, log, "log")
			require.NoError(t, err, "a log of 12 MB")
			status, _ = call(t, http.MethodGet, base+"/api//v1", proxyKey, "")
			assert.Equal(t, http.StatusNotFound, status)
		})
	}
}

// The documented nginx speaks HTTPS, and redirects to it.
func TestServe_nginxWithTLS(t *testing.T) {
	t.Parallel()
	address, front, plain := freePort(t), freePort(t), freePort(t)
	replica(t, address, storeIn(t))
	pool := runNginx(t, replaced(t, configurations(t, "nginx")[0], "127.0.0.1:8080", address, "listen 80;", "listen "+plain+";", "listen 443 ssl;", "listen "+front+" ssl;"))
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	require.Eventually(t, func() bool {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", front)
		if err == nil {
			conn.Close()
		}
		return err == nil
	}, time.Minute, 20*time.Millisecond)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+front+"/logs", strings.NewReader("x"))
	require.NoError(t, err)
	request.Header.Set("X-Api-Key", proxyKey)
	response, err := client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	link, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(link), "https://"+front+"/logs/"), string(link))
	assert.NotEmpty(t, response.Header.Get("Strict-Transport-Security"))
	status, location, _ := send(t, http.MethodGet, "http://"+plain+"/docs?x", nil)
	assert.Equal(t, http.StatusMovedPermanently, status)
	assert.Equal(t, "https://127.0.0.1/docs?x", location)
}

// nginx may remove the base path or pass it on.
func TestServe_underAPathOfNginx(t *testing.T) {
	t.Parallel()
	program(t, "nginx")
	for name, target := range map[string]string{"passed on": "proxy_pass http://devkiln;", "taken off": "proxy_pass http://devkiln/;"} {
		t.Run(name, func(t *testing.T) {
			address, front := freePort(t), freePort(t)
			base := "http://" + front + "/tools"
			replica(t, address, storeIn(t), "--base-url="+base)
			startNginx(t, front, "127.0.0.1:8080", address, "location / {", "location /tools/ {", "proxy_pass http://devkiln;", target)
			require.Eventually(t, func() bool { return answers(t, base) }, time.Minute, 20*time.Millisecond)
			status, made := call(t, http.MethodPost, base+"/api/v1/code-snippet-share", proxyKey, `{"code":"x","language":"go"}`)
			require.Equal(t, http.StatusOK, status)
			link := made["fullUrl"].(string)
			assert.True(t, strings.HasPrefix(link, base+"/snippets/"), link)
			status, _ = call(t, http.MethodGet, base+"/api/v1/code-snippet-share/"+made["id"].(string), proxyKey, "")
			assert.Equal(t, http.StatusOK, status)
		})
	}
}

// Two replicas behind nginx restart one after the other, as documented, while
// clients share logs. No client sees an error.
func TestServe_rollingRestartBehindNginx(t *testing.T) {
	t.Parallel()
	program(t, "nginx")
	database := pgtest.Shared(t)
	for name, c := range map[string]struct{ directive, delay string }{
		"as documented":       {"", "0s"},
		"with its keep-alive": {"keepalive 16;", "1s"},
	} {
		t.Run(name, func(t *testing.T) {
			db, delay := "--store="+database.NewSchema(), "--drain-delay="+c.delay
			addresses := []string{freePort(t), freePort(t)}
			stops := []func() error{replica(t, addresses[0], db, delay), replica(t, addresses[1], db, delay)}
			front := freePort(t)
			upstream := replaced(t, configurations(t, "nginx")[1], "127.0.0.1:8080", addresses[0], "127.0.0.1:8081", addresses[1], "{", "{ "+c.directive)
			startNginx(t, front, "upstream devkiln {\n    server 127.0.0.1:8080;\n}\n", upstream)
			base := "http://" + front
			require.Eventually(t, func() bool { return answers(t, base) }, time.Minute, 20*time.Millisecond)
			l := load(t, base)
			for i := range stops {
				l.someMore(t)
				require.NoError(t, stops[i](), "it ends by itself")
				l.someMore(t)
				stops[i] = replica(t, addresses[i], db, delay)
			}
			l.someMore(t)
			l.end()
			assert.Zero(t, l.bad.Load())
			t.Log(l.good.Load(), "requests")
		})
	}
}

// loading is a set of clients that share logs continuously.
type loading struct {
	good, bad atomic.Int64
	end       func()
}

func load(t *testing.T, base string) *loading {
	ctx, cancel := context.WithCancel(t.Context())
	l := &loading{}
	var wg sync.WaitGroup
	l.end = func() { cancel(); wg.Wait() }
	t.Cleanup(l.end)
	for range 3 {
		wg.Go(func() {
			for ctx.Err() == nil {
				<-time.After(10 * time.Millisecond) // a steady load leaves the tests beside it their processor
				if text, ok := shareThrough(base); ok {
					l.good.Add(1)
				} else if l.bad.Add(1) == 1 {
					t.Error(text)
				}
			}
		})
	}
	return l
}

// someMore waits for a few more responses.
func (l *loading) someMore(t *testing.T) {
	t.Helper()
	before := l.good.Load()
	require.Eventually(t, func() bool { return l.good.Load() > before+50 }, time.Minute, 5*time.Millisecond)
}

// shareThrough shares a log; text describes any failure.
func shareThrough(base string) (text string, ok bool) {
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, base+"/api/v1/log-share", strings.NewReader(`{"content":"x"}`))
	if err != nil {
		return err.Error(), false
	}
	request.Header.Set("X-Api-Key", proxyKey)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err.Error(), false
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return fmt.Sprint(response.Status, string(answer), err), err == nil && response.StatusCode == http.StatusOK
}

// A server is told to stop while clients share. Every share in the store was
// acknowledged, so no request was dropped midway.
func TestTermination_losesNoRequest(t *testing.T) {
	t.Parallel()
	db := storeIn(t)
	listen := freePort(t)
	stop := replica(t, listen, db)
	var good atomic.Int64
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			for {
				if _, ok := shareThrough("http://" + listen); !ok {
					return // the listener is closed
				}
				good.Add(1)
			}
		})
	}
	require.Eventually(t, func() bool { return good.Load() > 200 }, time.Minute, time.Millisecond)
	require.NoError(t, stop())
	wg.Wait()
	stdout, _, err := command(t, none, "export", db)
	require.NoError(t, err)
	var kept int64
	for line := range strings.Lines(stdout) {
		var entry struct{ Key string }
		if json.Unmarshal([]byte(line), &entry) == nil && strings.HasPrefix(entry.Key, "log/") {
			kept++
		}
	}
	assert.Equal(t, good.Load(), kept)
}

// Clients without a proxy keep their connections open. With a drain delay of a
// second, each connection closes after a response and never during a request.
// Only new connections fail.
func TestTermination_losesNothingOnOpenConnections(t *testing.T) {
	t.Parallel()
	listen := freePort(t)
	stop := replica(t, listen, storeIn(t), "--drain-delay=1s")
	message := fmt.Sprintf("POST /api/v1/log-share HTTP/1.1\r\nHost: x\r\nX-API-Key: %s\r\nContent-Length: 15\r\n\r\n"+`{"content":"x"}`, proxyKey)
	var good, lost atomic.Int64
	// use sends requests over one connection until the server closes it after a
	// response, and reports whether there was at least one.
	use := func() bool {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", listen)
		if err != nil {
			return false
		}
		defer conn.Close()
		reader := bufio.NewReader(conn)
		for sent := 0; ; sent++ {
			_, err := io.WriteString(conn, message)
			var response *http.Response
			if err == nil {
				response, err = http.ReadResponse(reader, nil)
			}
			if err == nil {
				_, err = io.Copy(io.Discard, response.Body)
				response.Body.Close()
			}
			if err != nil || response.StatusCode != http.StatusOK {
				if sent > 0 {
					lost.Add(1)
				}
				return false
			}
			good.Add(1)
			if response.Close {
				return true
			}
		}
	}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for use() {
			}
		})
	}
	require.Eventually(t, func() bool { return good.Load() > 200 }, time.Minute, time.Millisecond)
	require.NoError(t, stop())
	wg.Wait()
	assert.Zero(t, lost.Load(), "of %d", good.Load())
}
