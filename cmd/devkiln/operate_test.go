package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	cryptorand "crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"math/big"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/server"
	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/sqlite"
)

// get returns the status and body of a response.
func get(t *testing.T, client *http.Client, url string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	response, err := client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(body)
}

// nextPort is below the ephemeral port range, so that concurrent tests do not
// get the same port.
var nextPort atomic.Int32

// freePort returns a loopback address on which nothing listens.
func freePort(t *testing.T) string {
	t.Helper()
	nextPort.CompareAndSwap(0, 20_000+rand.Int32N(10_000))
	for {
		address := fmt.Sprintf("127.0.0.1:%d", nextPort.Add(1))
		if listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address); err == nil {
			require.NoError(t, listener.Close())
			return address
		}
	}
}

func TestHealthcheck_followsTheListener(t *testing.T) {
	t.Parallel()
	s := start(t, none, "--store=memory:")
	_, port, err := net.SplitHostPort(strings.TrimPrefix(s.base, "http://"))
	require.NoError(t, err)
	for _, listen := range []string{"127.0.0.1:" + port, ":" + port, "0.0.0.0:" + port, "[::]:" + port} {
		stdout, _, err := command(t, []string{"DEVKILN_LISTEN=" + listen}, "healthcheck")
		require.NoError(t, err, listen)
		assert.Equal(t, "ok\n", stdout)
	}
	_, _, err = command(t, none, "healthcheck", "--ready", "--listen=127.0.0.1:"+port)
	require.NoError(t, err)
	require.NoError(t, s.stop())
	_, _, err = command(t, none, "healthcheck", "--listen=127.0.0.1:"+port)
	assert.Equal(t, exitFault, report(err, io.Discard))
}

// A server with an IPv6 address alone is reached, checked and linked to by it.
func TestServe_ipv6Alone(t *testing.T) {
	t.Parallel()
	probe, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "[::1]:0")
	if err != nil {
		t.Skip("this machine has no IPv6: ", err)
	}
	require.NoError(t, probe.Close())
	s := start(t, none, "--store=memory:", "--listen=[::1]:0")
	require.Contains(t, s.base, "http://[::1]:")
	stdout, _, err := command(t, none, "healthcheck", "--listen="+strings.TrimPrefix(s.base, "http://"))
	require.NoError(t, err)
	assert.Equal(t, "ok\n", stdout)
	link, _, err := command(t, []string{"DEVKILN_KEY=" + s.key, "DEVKILN_URL=" + s.base}, "log", filepath.Join("testdata", "blocks.json"))
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(link, s.base+"/logs/"), link)
	content, _, err := command(t, []string{"DEVKILN_KEY=" + s.key, "DEVKILN_URL=" + s.base}, "shares", "show", strings.TrimSpace(link))
	require.NoError(t, err)
	want, err := os.ReadFile(filepath.Join("testdata", "blocks.json"))
	require.NoError(t, err)
	assert.Equal(t, string(want), content)
}

// A server that cannot store its first key does not say that it listens.
func TestServe_storeLostAtTheStart(t *testing.T) {
	t.Parallel()
	lost, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "devkiln.db"), sqlite.Options{})
	require.NoError(t, err)
	keys, err := apikey.New(lost)
	require.NoError(t, err)
	set := settings{Options: server.Options{Backend: lost, Keys: keys}}
	s, err := server.New(set.Options)
	require.NoError(t, err)
	require.NoError(t, lost.Close())
	var out output
	err = serve{}.announce(t.Context(), process{stdout: &out}, s, set, &net.TCPAddr{}, "memory:")
	require.ErrorIs(t, err, store.ErrUnavailable)
	assert.Empty(t, out.String())
}

// A server on a Unix socket trusts its proxy, and replaces the socket of a
// killed server but not that of a running one.
func TestServe_unixSocket(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s")
	stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	require.NoError(t, err)
	stale.SetUnlinkOnClose(false)
	require.NoError(t, stale.Close())
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	var out output
	flags := []string{"--store=memory:", "--no-access-log", "--listen=unix:" + path}
	go func() {
		ended <- run(ctx, append(flags, "--trusted-proxies=127.0.0.1"), []string{"DEVKILN_API_KEYS=" + proxyKey}, strings.NewReader(""), &out, io.Discard)
	}()
	require.Eventually(t, func() bool {
		_, _, err := command(t, none, "healthcheck", "--ready", "--listen=unix:"+path)
		return err == nil
	}, time.Minute, 20*time.Millisecond)
	assert.Contains(t, out.String(), "listens on unix:"+path+" ")
	socket, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, fs.FileMode(0o660), socket.Mode().Perm(), "the group of a proxy may connect")
	unit, err := os.ReadFile("../../deploy/devkiln.service")
	require.NoError(t, err)
	assert.Contains(t, string(unit), "\nRuntimeDirectory=devkiln\n", "the folder of the socket in docs/deploy.md")
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", path)
	}}}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://x/api/v1/code-snippet-share", strings.NewReader(`{"code":"x","language":"go"}`))
	require.NoError(t, err)
	request.Header.Set("X-API-Key", proxyKey)
	request.Header.Set("X-Forwarded-Host", "kiln.example")
	request.Header.Set("X-Forwarded-Proto", "https")
	response, err := client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	assert.Contains(t, string(body), `"fullUrl":"https://kiln.example/snippets/`)
	_, _, err = command(t, none, append([]string{"serve"}, flags...)...)
	assert.ErrorContains(t, err, "address already in use")
	cancel()
	require.NoError(t, <-ended)
	assert.NoFileExists(t, path)
}

// certificate writes a self-signed certificate for 127.0.0.1, valid for the
// hour before until, and its key.
func certificate(t *testing.T, until time.Time) (certFile, keyFile string, pool *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), cryptorand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: until.Add(-time.Hour), NotAfter: until,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(cryptorand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	dir := t.TempDir()
	certFile, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	require.NoError(t, os.WriteFile(certFile, certPEM, 0o600))
	require.NoError(t, os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}), 0o600))
	pool = x509.NewCertPool()
	require.True(t, pool.AppendCertsFromPEM(certPEM))
	return certFile, keyFile, pool
}

// With a log in JSON, what the start prints is JSON too.
func TestServe_startAsJSON(t *testing.T) {
	t.Parallel()
	listen := freePort(t)
	ctx, stop := context.WithCancel(t.Context())
	var out output
	done := make(chan error, 1)
	go func() {
		done <- run(ctx, []string{"--store=memory:", "--log-format=json", "--listen=" + listen}, none, strings.NewReader(""), &out, io.Discard)
	}()
	require.Eventually(t, func() bool { return strings.HasSuffix(out.String(), "\n") }, time.Minute, 20*time.Millisecond)
	stop()
	require.NoError(t, <-done)
	var event struct {
		Msg, Address, Store string
		Key                 string `json:"first_key"`
		Token               string `json:"setup_token"`
	}
	require.NoError(t, json.Unmarshal([]byte(out.String()), &event))
	assert.Equal(t, []string{"listening", "http://" + listen, "memory:"}, []string{event.Msg, event.Address, event.Store})
	assert.Regexp(t, "^dk_", event.Key)
	assert.Regexp(t, `^\w+$`, event.Token)
}

func TestTLS(t *testing.T) {
	t.Parallel()
	cert, key, pool := certificate(t, time.Now().Add(time.Minute))
	listen := freePort(t)
	tlsFlags := []string{"--tls-cert=" + cert, "--tls-key=" + key}
	done := make(chan error, 1)
	var out output
	go func() {
		done <- run(t.Context(), append(tlsFlags, "--store=memory:", "--no-access-log", "--base-url=https://kiln.example/tools/", "--listen="+listen), none, strings.NewReader(""), &out, io.Discard)
	}()
	require.Eventually(t, func() bool {
		_, _, err := command(t, none, "healthcheck", "--listen="+listen, tlsFlags[0])
		return err == nil
	}, time.Minute, 20*time.Millisecond)
	assert.Contains(t, out.String(), "https://"+listen)
	assert.Contains(t, out.String(), "curl -s https://kiln.example/tools/api/v1/slug-generator", "the name in its certificate")
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}}
	status, _ := get(t, client, "https://"+listen+"/healthz")
	assert.Equal(t, http.StatusOK, status)
}

// The server uses a renewed certificate within ten seconds and keeps open
// connections. SIGHUP, which hooks of certbot send, does not end it.
func TestTLS_certificateIsReadAgain(t *testing.T) {
	t.Parallel()
	cert, key, pool := certificate(t, time.Now().Add(time.Minute))
	listen := freePort(t)
	process := exec.CommandContext(t.Context(), executable(t), "--store=memory:", "--no-access-log", "--listen="+listen, "--tls-cert="+cert, "--tls-key="+key)
	process.Env = append(outside(), "TEST_AS_DEVKILN=1")
	require.NoError(t, process.Start())
	t.Cleanup(func() { _ = process.Process.Kill(); _ = process.Wait() })
	connect := func() (*tls.Conn, error) {
		conn, err := (&tls.Dialer{Config: &tls.Config{RootCAs: pool}}).DialContext(t.Context(), "tcp", listen)
		if err != nil {
			return nil, err
		}
		return conn.(*tls.Conn), nil
	}
	ask := func(conn *tls.Conn) int {
		_, err := io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
		require.NoError(t, err)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		defer response.Body.Close()
		return response.StatusCode
	}
	var open *tls.Conn
	require.Eventually(t, func() (ok bool) {
		conn, err := connect()
		open = conn
		return err == nil
	}, time.Minute, 20*time.Millisecond)
	defer open.Close()
	assert.Equal(t, http.StatusOK, ask(open))

	renewed, renewedKey, pool2 := certificate(t, time.Now().Add(time.Hour))
	pool = pool2
	_, err := connect()
	require.Error(t, err, "it is not there yet")
	require.NoError(t, os.Rename(renewedKey, key))
	require.NoError(t, os.Rename(renewed, cert))
	require.NoError(t, process.Process.Signal(syscall.SIGHUP))
	require.Eventually(t, func() bool {
		conn, err := connect()
		if err != nil {
			return false
		}
		defer conn.Close()
		return ask(conn) == http.StatusOK
	}, time.Minute, 20*time.Millisecond)
	assert.Equal(t, http.StatusOK, ask(open))
}

// serve and config report files that are not a certificate or a key.
func TestTLS_unusableFiles(t *testing.T) {
	t.Parallel()
	soon := time.Now().Add(time.Minute)
	cert, key, _ := certificate(t, soon)
	_, other, _ := certificate(t, soon)
	encrypted := secretFile(t, "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n")
	broken := secretFile(t, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
	notes := secretFile(t, "notes\n")
	for _, c := range []struct{ cert, key, want string }{
		{cert, "", "must be set together"},
		{"/no/such", key, "--tls-cert: stat /no/such: no such file"},
		{cert, t.TempDir(), "is a directory"},
		{notes, key, "--tls-cert " + notes + " with the key " + key + ": failed to find any PEM data in certificate input"},
		{key, cert, "did find a private key; PEM inputs may have been switched"},
		{cert, cert, "found a certificate rather than a key in the PEM for the private key"},
		{cert, encrypted, "is encrypted"},
		{cert, other, "private key does not match public key"},
		{broken, key, "--tls-cert " + broken},
	} {
		args := []string{"--tls-cert=" + c.cert}
		if c.key != "" {
			args = append(args, "--tls-key="+c.key)
		}
		for _, name := range []string{"serve", "config"} {
			_, _, err := command(t, none, append([]string{name, "--store=memory:", "--listen=127.0.0.1:0"}, args...)...)
			assert.ErrorContains(t, err, c.want)
			assert.Equal(t, exitUsage, report(err, io.Discard))
		}
	}
	for want, until := range map[string]time.Time{"expired at": time.Now().Add(-time.Minute), "is the clock right?": time.Now().Add(2 * time.Hour)} {
		cert, key, _ := certificate(t, until)
		_, stderr, err := command(t, none, "config", "--tls-cert="+cert, "--tls-key="+key)
		assert.NoError(t, err, "clients have the last word")
		assert.Contains(t, stderr, want)
	}
}

func TestServe_metricsListener(t *testing.T) {
	t.Parallel()
	metrics := freePort(t)
	s := start(t, none, storeIn(t), "--metrics-listen="+metrics)
	status, _ := call(t, http.MethodPost, s.base+"/api/v1/log-share", s.key, `{"content":"x"}`)
	require.Equal(t, http.StatusOK, status)
	status, text := get(t, http.DefaultClient, "http://"+metrics+"/metrics")
	require.Equal(t, http.StatusOK, status)
	assert.Contains(t, text, `devkiln_http_requests_total{method="POST",route="/api/v1/log-share",status="200"} 1`)
	assert.Contains(t, text, `devkiln_store_duration_seconds_count{call="create_all"} 1`, "a share and its place in the list")
	assert.Eventually(t, func() bool { // it is measured concurrently with the start
		_, text := get(t, http.DefaultClient, "http://"+metrics+"/metrics")
		return regexp.MustCompile(`(?s)devkiln_shares{kind="log"} [01].*devkiln_store_bytes [1-9]`).MatchString(text)
	}, time.Minute, 20*time.Millisecond)
	status, _ = get(t, http.DefaultClient, s.base+"/metrics")
	assert.Equal(t, http.StatusNotFound, status, "not where everybody is")

	_, _, err := command(t, none, "--store=memory:", "--listen=127.0.0.1:0", "--metrics-listen="+metrics)
	assert.ErrorContains(t, err, "--metrics-listen "+metrics)
	assert.Equal(t, exitFault, report(err, io.Discard))
}

func TestCompletion(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a command for each row, in one goroutine")
	}
	t.Parallel()
	for line, want := range map[string]string{
		"heal":                      "healthcheck",
		"comple":                    "completion",
		"keys ":                     "create list revoke",
		"keys create --na":          "--name",
		"log --expiry ":             "1h 24h 30d 6h 7d never",
		"log --expiry = 2":          "24h",
		"log --expiry=2":            "--expiry=24h",
		"serve --tls-cert=c":        "",
		"keys revoke --":            "--help --store",
		"slug --se":                 "--separator",
		"serve --log-format ":       "json text",
		"serve --no-":               "--no-access-log --no-password --no-system-fonts",
		"--rate-":                   "--rate-day --rate-minute",
		"completion ":               "bash fish zsh",
		"log ":                      "",
		"screenshot -o ":            "",
		"screenshot --scale 2 --th": "--theme --theme-file",
	} {
		stdout, _, err := command(t, none, append([]string{"complete", "--"}, strings.Split(line, " ")...)...)
		require.NoError(t, err, line)
		assert.Equal(t, want, strings.Join(strings.Fields(stdout), " "), line)
	}
}

// The completion scripts work in those shells that are installed.
func TestCompletion_scripts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Symlink(executable(t), filepath.Join(dir, "devkiln")))
	for shell, try := range map[string]string{
		"bash": "\nCOMP_WORDS=(devkiln keys cr); COMP_CWORD=2; _devkiln; printf '%s\\n' \"${COMPREPLY[@]}\"",
		"zsh":  "",
		"fish": "\ncomplete -C 'devkiln keys cr'",
	} {
		t.Run(shell, func(t *testing.T) {
			needs(t, shell)
			script, _, err := command(t, none, "completion", shell)
			require.NoError(t, err)
			args := []string{"-c", script + try}
			if shell == "zsh" { // actual completion needs a terminal
				args = []string{"-n", "-c", script}
			}
			process := exec.CommandContext(t.Context(), shell, args...)
			process.Env = append(outside(), "TEST_AS_DEVKILN=1", "PATH="+dir+":"+os.Getenv("PATH"))
			found, err := process.CombinedOutput()
			require.NoError(t, err, string(found))
			if try != "" {
				assert.Contains(t, string(found), "create")
			}
		})
	}
}

func executable(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	require.NoError(t, err)
	return path
}

// Pictures of the API use the fonts of the directory; without them the
// character is a box.
func TestServe_paintsFontsOfTheFolder(t *testing.T) {
	t.Parallel()
	const font = "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf"
	if _, err := os.Stat(font); err != nil && os.Getenv("DEVKILN_REQUIRE_FONTS") != "1" {
		t.Skip("no Noto Color Emoji on this machine")
	}
	picture := func(flags ...string) image.Image {
		s := start(t, none, append([]string{"--store=memory:", "--no-system-fonts"}, flags...)...)
		body := `{"code":"🔥","background":"#000000","padding":0,"lineNumbers":false,"windowControls":false,"shadow":false,"fontSize":72}`
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.base+"/api/v1/code-screenshot?scale=1", strings.NewReader(body))
		require.NoError(t, err)
		request.Header.Set("X-API-Key", s.key)
		request.Header.Set("Accept", "image/png")
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		defer response.Body.Close()
		require.Equal(t, http.StatusOK, response.StatusCode)
		drawn, err := png.Decode(response.Body)
		require.NoError(t, err)
		return drawn
	}
	// flames counts orange and yellow pixels.
	flames := func(drawn image.Image) (n int) {
		for y := range drawn.Bounds().Dy() {
			for x := range drawn.Bounds().Dx() {
				if r, g, b, _ := drawn.At(x, y).RGBA(); r > 0xc000 && g > 0x5000 && b < 0x6000 {
					n++
				}
			}
		}
		return n
	}
	assert.Zero(t, flames(picture()))
	assert.Greater(t, flames(picture("--fonts="+font)), 500)
}
