package server_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/metrics"
	"github.com/devkiln/devkiln/httpapi/server"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// pipes is a listener without a network, so that a server can run in a synctest
// bubble.
type pipes struct {
	incoming chan net.Conn
	closed   chan struct{}
	once     sync.Once
}

func newPipes() *pipes { return &pipes{incoming: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.incoming:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.incoming <- far:
		return near, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// A buffered connection accepts writes at once, as a socket does. Over a pipe alone
// a client of HTTP/2 would hold its mutex until the server reads, and whoever waits
// for a mutex stops the clock of the bubble.
type buffered struct {
	net.Conn
	sent   chan []byte
	closed context.Context
	close  context.CancelFunc
}

func newBuffered(conn net.Conn) *buffered {
	closed, stop := context.WithCancel(context.Background())
	b := &buffered{conn, make(chan []byte, 1000), closed, stop}
	go func() {
		for {
			select {
			case p := <-b.sent:
				_, _ = conn.Write(p)
			case <-closed.Done():
				return
			}
		}
	}()
	return b
}

func (b *buffered) Write(p []byte) (int, error) {
	select {
	case b.sent <- bytes.Clone(p):
		return len(p), nil
	case <-b.closed.Done():
		return 0, net.ErrClosed
	}
}

func (b *buffered) Close() error {
	b.close()
	return b.Conn.Close()
}

// serving runs a service until stop is called, which waits for it to end.
func serving(t *testing.T, o server.Options) (listener *pipes, stop func()) {
	t.Helper()
	s, err := server.New(o)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	listener = newPipes()
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	return listener, func() {
		cancel()
		require.NoError(t, <-ended)
	}
}

func TestNew_refusesEveryOptionAtFault(t *testing.T) {
	for name, c := range map[string]struct {
		options server.Options
		want    map[string]string
	}{
		"no backend": {server.Options{}, map[string]string{"Backend": "is required"}},
		"all others": {
			server.Options{
				Backend: store.NewMemory(), BaseURL: &url.URL{Path: "/tools"}, RateMinute: new(-1), RateDay: new(-1), MaxExpiry: -1,
				LinkPreviews: "all", AdminPassword: "short", DrainDelay: time.Hour, MetricsListener: newPipes(),
			},
			map[string]string{
				"BaseURL": "must be http:// or https:// with a host, and nothing after the path", "RateMinute": "must be 0 to 10000",
				"RateDay": "must not be negative", "MaxExpiry": "must not be negative", "AdminPassword": "12", "LinkPreviews": "must be facts, picture or off",
				"DrainDelay": "must be 0s to 5m0s", "MetricsListener": "needs Metrics",
			},
		},
		"users of no proxy": {
			server.Options{Backend: store.NewMemory(), UserHeader: "Remote_User", AdminUsers: []string{"ada", "a\nb"}, NoPassword: true, AdminPassword: "a password of the dashboard"},
			map[string]string{"UserHeader": "needs a trusted proxy", "AdminUsers": `"a\nb": the name of a user must be valid UTF-8 without control characters`, "NoPassword": "must not be set together with a password"},
		},
		"admins of no header": {
			server.Options{Backend: store.NewMemory(), AdminUsers: []string{"ada"}, NoPassword: true},
			map[string]string{"AdminUsers": "needs a user header", "NoPassword": "needs a user header"},
		},
		"a header for something else": {
			server.Options{Backend: store.NewMemory(), UserHeader: "x-forwarded-for", TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}},
			map[string]string{"UserHeader": "must be a header field of letters, digits and -"},
		},
		"a header that proxies drop": {
			server.Options{Backend: store.NewMemory(), UserHeader: "Remote_User", TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}},
			map[string]string{"UserHeader": "must be a header field of letters, digits and -"},
		},
	} {
		_, err := server.New(c.options)
		require.Error(t, err, name)
		found := map[string]string{}
		var collect func(error)
		collect = func(err error) {
			if joined, ok := err.(interface{ Unwrap() []error }); ok {
				for _, e := range joined.Unwrap() {
					collect(e)
				}
			} else if option, ok := err.(interface{ Invalid() (string, string) }); ok {
				field, _ := option.Invalid()
				found[field] = err.Error()
			}
		}
		collect(err)
		assert.Len(t, found, len(c.want), name)
		for field, reason := range c.want {
			assert.Contains(t, found[field], reason, field)
		}
	}
}

// TestServe_sweepsAndFlushes examines only the store: expired entries are gone,
// and the counts of a key are stored before the service ends.
func TestServe_sweepsAndFlushes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := store.NewMemory()
		s, err := server.New(server.Options{Backend: backend})
		require.NoError(t, err)
		key, setupToken, err := s.Bootstrap(t.Context())
		require.NoError(t, err)
		require.NotEmpty(t, key)
		require.NotEmpty(t, setupToken)
		for i := range 1200 { // more than one sweep step deletes
			require.NoError(t, backend.Put(t.Context(), fmt.Sprintf("old/%d", i), nil, time.Now().Add(time.Second)))
		}
		keys, err := apikey.New(backend)
		require.NoError(t, err)
		_, old, err := keys.Issue(t.Context(), "long revoked", time.Now(), apikey.Options{})
		require.NoError(t, err)
		require.NoError(t, keys.Revoke(t.Context(), old.ID, time.Now().AddDate(0, 0, -90)))
		ctx, cancel := context.WithCancel(t.Context())
		listener, ended := newPipes(), make(chan error, 1)
		go func() { ended <- s.Serve(ctx, listener) }()
		client := &http.Client{Transport: &http.Transport{DialContext: listener.dial, DisableKeepAlives: true}}
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://kiln/api/v1/slug-generator", strings.NewReader(`{"text":"a b"}`))
		require.NoError(t, err)
		request.Header.Set("X-API-Key", key)
		response, err := client.Do(request)
		require.NoError(t, err)
		var slug struct{ Result string }
		require.NoError(t, json.NewDecoder(response.Body).Decode(&slug))
		require.NoError(t, response.Body.Close())
		assert.Equal(t, "a-b", slug.Result)
		time.Sleep(1500 * time.Millisecond)
		counts, err := backend.List(ctx, "rate/", "", 10)
		require.NoError(t, err)
		assert.NotEmpty(t, counts)
		time.Sleep(time.Minute)
		synctest.Wait()
		left, err := keys.List(ctx)
		require.NoError(t, err)
		assert.Len(t, left, 1, "the record of the revoked key is gone")
		kept, err := backend.Count(t.Context(), "old/")
		require.NoError(t, err)
		assert.Zero(t, kept, "expired entries that are not swept")
		cancel()
		require.NoError(t, <-ended)

		again, _, err := s.Bootstrap(t.Context())
		require.NoError(t, err)
		assert.Empty(t, again, "there is a key")
	})
}

// During the delay /readyz returns 503 and requests are served, also on a
// connection that was open, which is then closed; afterwards the listener is.
func TestServe_drains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := server.New(server.Options{Backend: store.NewMemory(), DrainDelay: 5 * time.Second})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		listener, ended := newPipes(), make(chan error, 1)
		go func() { ended <- s.Serve(ctx, listener) }()
		connections := 0
		client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			connections++
			return listener.dial(ctx, network, address)
		}}}
		status := func(path string) (code int, closes bool) {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://kiln"+path, http.NoBody)
			require.NoError(t, err)
			response, err := client.Do(request)
			if err != nil {
				return 0, true
			}
			_, _ = io.Copy(io.Discard, response.Body)
			require.NoError(t, response.Body.Close())
			return response.StatusCode, response.Close
		}
		is := func(path string, wantCode int, wantCloses bool, wantConnections int) {
			t.Helper()
			code, closes := status(path)
			assert.Equal(t, []any{wantCode, wantCloses, wantConnections}, []any{code, closes, connections})
		}
		is("/readyz", http.StatusOK, false, 1)
		cancel()
		time.Sleep(4 * time.Second)
		is("/readyz", http.StatusServiceUnavailable, true, 1)
		is("/healthz", http.StatusOK, true, 2)
		require.NoError(t, <-ended)
		is("/healthz", 0, true, 3)
	})
}

// A large log may take longer to arrive than other requests take in all.
func TestServe_respondsAfterASlowUpload(t *testing.T) {
	keys, err := apikey.New(store.NewMemory(), "a-key-out-of-the-environment")
	require.NoError(t, err)
	// The form's examples are made outside the bubble, once per process: making
	// them starts a clock of regexp2, which would never end inside.
	s, err := server.New(server.Options{Backend: store.NewMemory(), Keys: keys})
	require.NoError(t, err)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
	require.Equal(t, http.StatusOK, w.Code)
	synctest.Test(t, func(t *testing.T) {
		listener, stop := serving(t, server.Options{Backend: store.NewMemory(), Keys: keys})
		client := &http.Client{Transport: &http.Transport{DialContext: listener.dial, DisableKeepAlives: true}}
		const mediaType = "multipart/form-data; boundary=boundary"
		for target, c := range map[string]struct {
			before, after string
			lines         int // one every 4 seconds
		}{
			"/logs?fit=ends": {"", "", 175},
			"/new":           {"--boundary\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\n", "\r\n--boundary--\r\n", 44},
		} {
			body, sender := io.Pipe()
			go func() {
				_, _ = io.WriteString(sender, c.before)
				for range c.lines {
					<-time.After(4 * time.Second)
					_, _ = io.WriteString(sender, "INFO still here\n")
				}
				_, _ = io.WriteString(sender, c.after)
				_ = sender.Close()
			}()
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://kiln"+target, body)
			require.NoError(t, err)
			request.Header.Set("X-API-Key", "a-key-out-of-the-environment")
			request.Header.Set("Content-Type", mediaType)
			response, err := client.Do(request)
			require.NoError(t, err, target)
			text, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			assert.Regexp(t, "still here|http://kiln/logs/", string(text), target)
		}
		stop()
	})
}

// Contents are measured at once, then every minute.
func TestServe_measuresContentsNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := store.NewMemory()
		m := metrics.New("v1")
		_, stop := serving(t, server.Options{Backend: backend, Metrics: m})
		shows := func(line string, after time.Duration) {
			t.Helper()
			<-time.After(after)
			synctest.Wait()
			w := httptest.NewRecorder()
			m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody))
			assert.Contains(t, w.Body.String(), line+"\n")
		}
		another := func() {
			shares, err := share.New(backend, share.Options{})
			require.NoError(t, err)
			_, err = shares.CreateLog(t.Context(), "x", share.LogOptions{Expiry: share.ExpiryNever})
			require.NoError(t, err)
		}
		shows(`devkiln_shares{kind="log"} 0`, time.Second)
		another()
		shows(`devkiln_shares{kind="log"} 0`, 58*time.Second)
		shows(`devkiln_shares{kind="log"} 1`, 2*time.Second)
		stop()
	})
}

// An idle process returns what requests no longer use, even if the last garbage
// collection found it in use.
func TestMaintain_returnsUnusedMemory(t *testing.T) {
	held := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapSys - m.HeapReleased
	}
	synctest.Test(t, func(t *testing.T) {
		_, stop := serving(t, server.Options{Backend: store.NewMemory()})
		<-time.After(time.Second)
		used := make([]byte, 32<<20)
		runtime.GC()
		before := held()
		runtime.KeepAlive(used)
		<-time.After(30 * time.Second)
		synctest.Wait()
		assert.Less(t, held(), before-24<<20)
		stop()
	})
}

// Browsers are told to keep using HTTPS only in responses over HTTPS.
func TestServeHTTP_transportSecurityByHTTPSOnly(t *testing.T) {
	proxy := []netip.Prefix{netip.MustParsePrefix("192.0.2.1/32")}
	s, err := server.New(server.Options{Backend: store.NewMemory(), TrustedProxies: proxy})
	require.NoError(t, err)
	for _, c := range []struct {
		target, peer, forwarded string
		want                    string
	}{
		{"http://kiln/healthz", "192.0.2.1:1", "", ""},
		{"http://kiln/healthz", "192.0.2.1:1", "https", "max-age=31536000"},
		{"http://kiln/healthz", "192.0.2.2:1", "https", ""},
		{"https://kiln/healthz", "192.0.2.2:1", "", "max-age=31536000"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, c.target, http.NoBody)
		r.RemoteAddr = c.peer
		r.Header.Set("X-Forwarded-Proto", c.forwarded)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		assert.Equal(t, c.want, w.Header().Get("Strict-Transport-Security"), c)
	}
}

// writeCertificate writes a certificate for kiln and its key to files.
func writeCertificate(t *testing.T, dir string, serial int64) (certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"kiln"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	certFile, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	require.NoError(t, os.WriteFile(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	require.NoError(t, os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}), 0o600))
	return certFile, keyFile
}

// Replacing only the key makes it mismatch the certificate.
func TestCertificate_Reload(t *testing.T) {
	cert, key := writeCertificate(t, t.TempDir(), 1)
	certificate, err := server.LoadCertificate(cert, key)
	require.NoError(t, err)
	changed, err := server.Reload(certificate)
	require.NoError(t, err)
	require.False(t, changed)
	_, other := writeCertificate(t, t.TempDir(), 1)
	text, err := os.ReadFile(other)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(key, text, 0o600))
	_, err = server.Reload(certificate)
	require.ErrorContains(t, err, "private key does not match public key")
}

// TLS 1.2 has no suites with CBC, and an HTTP/2 connection at most 32 requests
// at a time.
func TestServe_boundsOfTLS(t *testing.T) {
	cert, key := writeCertificate(t, t.TempDir(), 1)
	synctest.Test(t, func(t *testing.T) {
		certificate, err := server.LoadCertificate(cert, key)
		require.NoError(t, err)
		listener, stop := serving(t, server.Options{Backend: store.NewMemory(), Certificate: certificate})
		connect := func(c *tls.Config) (*tls.Conn, error) {
			conn, err := listener.dial(t.Context(), "", "")
			require.NoError(t, err)
			c.InsecureSkipVerify = true
			secure := tls.Client(conn, c)
			return secure, secure.HandshakeContext(t.Context())
		}
		_, err = connect(&tls.Config{MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, tls.TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA}})
		require.Error(t, err)
		old, err := connect(&tls.Config{MaxVersion: tls.VersionTLS12})
		require.NoError(t, err)
		require.NoError(t, old.Close())
		conn, err := connect(&tls.Config{NextProtos: []string{"h2"}})
		require.NoError(t, err)
		_, err = io.WriteString(conn, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")
		require.NoError(t, err)
		settings := make([]byte, 200)
		n, err := io.ReadAtLeast(conn, settings, 40)
		require.NoError(t, err)
		assert.Contains(t, string(settings[:n]), "\x00\x03\x00\x00\x00\x20", "SETTINGS_MAX_CONCURRENT_STREAMS (RFC 9113, section 6.5.2)")
		require.NoError(t, conn.Close())
		stop()
	})
}

// A renewed certificate is served, and measured within a minute; files that do not match
// leave the old one in use.
func TestServe_readsTheCertificateAgain(t *testing.T) {
	dir := t.TempDir()
	cert, key := writeCertificate(t, dir, 1)
	synctest.Test(t, func(t *testing.T) {
		certificate, err := server.LoadCertificate(cert, key)
		require.NoError(t, err)
		m := metrics.New("v1")
		listener, stop := serving(t, server.Options{Backend: store.NewMemory(), Certificate: certificate, Metrics: m})
		served := func() int64 {
			conn, err := listener.dial(t.Context(), "", "")
			require.NoError(t, err)
			secure := tls.Client(conn, &tls.Config{ServerName: "kiln", InsecureSkipVerify: true})
			require.NoError(t, secure.HandshakeContext(t.Context()))
			serial := secure.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
			require.NoError(t, conn.Close())
			return serial
		}
		recorded := func() string {
			synctest.Wait() // until it has been measured
			w := httptest.NewRecorder()
			m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody))
			return regexp.MustCompile(`(?m)^devkiln_certificate_expiry_timestamp_seconds (.*)$`).FindStringSubmatch(w.Body.String())[1]
		}
		assert.EqualValues(t, 1, served())
		assert.Equal(t, fmt.Sprint(float64(server.NotAfter(certificate).Unix())), recorded())
		writeCertificate(t, dir, 2)
		assert.EqualValues(t, 1, served())
		old := recorded()
		time.Sleep(61 * time.Second)
		assert.EqualValues(t, 2, served())
		assert.NotEqual(t, old, recorded())
		require.NoError(t, os.WriteFile(key, []byte("half a file"), 0o600))
		time.Sleep(61 * time.Second)
		assert.EqualValues(t, 2, served())
		stop()
	})
}

// A connection that sends more than its requests account for is read slowly, and
// an upload is not.
func TestServe_pacesHTTP2(t *testing.T) {
	cert, key := writeCertificate(t, t.TempDir(), 1)
	synctest.Test(t, func(t *testing.T) {
		certificate, err := server.LoadCertificate(cert, key)
		require.NoError(t, err)
		backend := store.NewMemory()
		const secret = "a-key-of-somebody-who-uploads"
		keys, err := apikey.New(backend, secret)
		require.NoError(t, err)
		listener, stop := serving(t, server.Options{Backend: backend, Keys: keys, Certificate: certificate})
		dial := func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := listener.dial(ctx, network, address)
			return newBuffered(conn), err
		}
		transport := &http.Transport{DialContext: dial, ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
		begin := time.Now()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://kiln.test/logs", strings.NewReader(strings.Repeat("a line\n", 300_000)))
		require.NoError(t, err)
		r.Header.Set("X-Api-Key", secret)
		response, err := transport.RoundTrip(r)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, http.StatusOK, response.StatusCode)
		require.Equal(t, 2, response.ProtoMajor)
		assert.Less(t, time.Since(begin), time.Second, "2 MB")
		transport.CloseIdleConnections()

		conn, err := listener.dial(t.Context(), "", "")
		require.NoError(t, err)
		flood := tls.Client(conn, &tls.Config{NextProtos: []string{"h2"}, InsecureSkipVerify: true})
		_, err = io.WriteString(flood, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")
		require.NoError(t, err)
		go func() { _, _ = io.Copy(io.Discard, flood) }()
		const priority = "\x00\x00\x05\x02\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00"
		begin = time.Now()
		for range 64 {
			_, err = io.WriteString(flood, strings.Repeat(priority, 16<<10/len(priority)))
			require.NoError(t, err)
		}
		assert.Greater(t, time.Since(begin), 3*time.Second, "1 MB")
		require.NoError(t, conn.Close())
		stop()
	})
}

// A request that net/http refuses by itself, or that breaks off, is counted and
// logged; a connection without one is not.
func TestServe_countsWhatCannotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		m := metrics.New("v1")
		listener, stop := serving(t, server.Options{Backend: store.NewMemory(), Metrics: m, AccessLog: slog.New(slog.NewTextHandler(&log, nil))})
		for _, sent := range []string{
			"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("x", 50_000) + "\r\n\r\n", "GET / HT", "",
			"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
		} {
			conn, err := listener.dial(t.Context(), "", "")
			require.NoError(t, err)
			go func() { _, _ = io.WriteString(conn, sent) }()
			_, _ = io.Copy(io.Discard, conn) // until the server closes it
			require.NoError(t, conn.Close())
			synctest.Wait()
		}
		stop()
		assert.Equal(t, 3, strings.Count(log.String(), `msg=request remote=pipe cause=unreadable`), log.String())
		w := httptest.NewRecorder()
		m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody))
		assert.Contains(t, w.Body.String(), `devkiln_http_failures_total{cause="unreadable",route="none"} 3`)
	})
}
