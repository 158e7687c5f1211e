package httpapi_test

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// options returns the options of a service that accepts staticKey.
func options(tb testing.TB, backend store.Backend) httpapi.Options {
	tb.Helper()
	keys, err := apikey.New(backend, staticKey)
	require.NoError(tb, err)
	shares, err := share.New(backend, share.Options{})
	require.NoError(tb, err)
	return httpapi.Options{Shares: shares, Keys: keys}
}

// handlerOf returns the handler for valid options.
func handlerOf(tb testing.TB, o httpapi.Options) http.Handler {
	tb.Helper()
	handler, err := httpapi.New(o)
	require.NoError(tb, err)
	return handler
}

// dial serves o on 127.0.0.1 and returns a connection to it. Reads and writes
// fail after a minute.
func dial(t *testing.T, o httpapi.Options) net.Conn {
	t.Helper()
	server := httptest.NewServer(handlerOf(t, o))
	t.Cleanup(server.Close)
	var d net.Dialer
	conn, err := d.DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	return conn
}

// head returns the request line and header of a request with a valid key.
func head(method, path string, fields ...string) string {
	lines := append([]string{method + " " + path + " HTTP/1.1", "Host: kiln.test"}, fields...)
	return strings.Join(lines, "\r\n") + "\r\n\r\n"
}

const withKey = "X-API-Key: " + staticKey

func send(t *testing.T, w io.Writer, text string) {
	t.Helper()
	_, err := io.WriteString(w, text)
	require.NoError(t, err)
}

// received is a response as it arrived.
type received struct {
	status int
	closes bool // the server announced that it closes the connection
	body   string
}

// receive reads one response.
func receive(t *testing.T, r *bufio.Reader) received {
	t.Helper()
	response, err := http.ReadResponse(r, nil)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return received{response.StatusCode, response.Close, string(body)}
}

func requireClosed(t *testing.T, r *bufio.Reader) {
	t.Helper()
	_, err := r.ReadByte()
	require.Error(t, err, "the connection must be closed")
	var timeout net.Error
	require.NotErrorAs(t, err, &timeout, "the connection is still open")
}

func TestBody_slowIs408(t *testing.T) {
	for name, fields := range map[string][]string{
		"announced": {withKey, "Content-Length: 100"},
		"chunked":   {withKey, "Transfer-Encoding: chunked"},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t, store.NewMemory())
			o.BodyIdleTimeout = 50 * time.Millisecond
			conn := dial(t, o)
			send(t, conn, head("POST", "/api/v1/slug-generator", fields...))
			r := bufio.NewReader(conn)
			got := receive(t, r)
			assert.Equal(t, http.StatusRequestTimeout, got.status)
			assert.Contains(t, got.body, `"error":{"code":"request_timeout","message":"the body did not arrive in time"}`)
			assert.True(t, got.closes)
			requireClosed(t, r)
		})
	}
}

func TestRefusal_doesNotWaitForTheBody(t *testing.T) {
	for name, c := range map[string]struct {
		path   string
		fields []string
		status int
	}{
		"no key":            {"/api/v1/slug-generator", nil, http.StatusUnauthorized},
		"media type":        {"/api/v1/slug-generator", []string{withKey, "Content-Type: text/plain"}, http.StatusUnsupportedMediaType},
		"unknown path":      {"/api/v1/nowhere", []string{withKey}, http.StatusNotFound},
		"method of a share": {"/api/v1/log-share/0123456789abcdef", []string{withKey}, http.StatusMethodNotAllowed},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t, store.NewMemory())
			o.BodyIdleTimeout = 50 * time.Millisecond
			conn := dial(t, o)
			send(t, conn, head("POST", c.path, append(c.fields, "Content-Length: 100")...))
			r := bufio.NewReader(conn)
			got := receive(t, r)
			assert.Equal(t, c.status, got.status, got.body)
			requireClosed(t, r)
		})
	}
}

func TestBody_announcedTooLargeIsRefusedUnread(t *testing.T) {
	for name, fields := range map[string][]string{
		"at once":        {withKey, "Content-Length: 10485761"},
		"asked for":      {withKey, "Content-Length: 10485761", "Expect: 100-continue"},
		"beyond all use": {withKey, "Content-Length: 9223372036854775807"},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t, store.NewMemory())
			o.BodyIdleTimeout = 50 * time.Millisecond // limits the wait for bytes that the client does not send
			conn := dial(t, o)
			send(t, conn, head("POST", "/api/v1/slug-generator", fields...))
			r := bufio.NewReader(conn)
			got := receive(t, r)
			assert.Equal(t, http.StatusRequestEntityTooLarge, got.status)
			assert.Contains(t, got.body, `"code":"body_too_large"`)
			assert.True(t, got.closes)
			requireClosed(t, r)
		})
	}
}

func TestBody_unknownLengthIsCounted(t *testing.T) {
	for name, c := range map[string]struct {
		spaces int
		status int
	}{
		"10,485,760 bytes": {httpapi.MaxBody - len(`{"text":"a"}`), http.StatusOK},
		"one byte more":    {httpapi.MaxBody - len(`{"text":"a"}`) + 1, http.StatusRequestEntityTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(handlerOf(t, options(t, store.NewMemory())))
			defer server.Close()
			body := io.MultiReader(strings.NewReader(`{"text":"a"}`), strings.NewReader(strings.Repeat(" ", c.spaces)))
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/api/v1/slug-generator", body)
			require.NoError(t, err)
			r.Header.Set("X-Api-Key", staticKey)
			response, err := server.Client().Do(r)
			require.NoError(t, err)
			defer response.Body.Close()
			assert.Equal(t, c.status, response.StatusCode)
		})
	}
}

func TestHead_headersOfGet(t *testing.T) {
	conn := dial(t, options(t, store.NewMemory()))
	r := bufio.NewReader(conn)
	send(t, conn, head("HEAD", "/api/v1/log-share/0123456789abcdef", withKey)+head("GET", "/healthz"))
	response, err := http.ReadResponse(r, &http.Request{Method: http.MethodHead})
	require.NoError(t, err)
	defer response.Body.Close()
	assert.Equal(t, http.StatusNotFound, response.StatusCode)
	assert.Equal(t, "application/json; charset=utf-8", response.Header.Get("Content-Type"))
	assert.Positive(t, response.ContentLength)
	assert.Equal(t, "ok\n", receive(t, r).body, "the next response follows at once")
}

func TestContext_endsWithTheClient(t *testing.T) {
	records, log := make(recorder, 1), make(recorder, 1)
	o := options(t, store.NewMemory())
	o.AccessLog, o.Log = slog.New(records), slog.New(log)
	conn := dial(t, o)
	send(t, conn, head("POST", "/api/v1/slug-generator", withKey, "Content-Length: 100")+`{"text":`)
	require.NoError(t, conn.Close())
	record := <-records
	assert.Equal(t, "request", record.Message)
	assert.Empty(t, log, "a client that goes away is no fault of ours")
}

// recorder is a slog.Handler that sends records on a channel.
type recorder chan slog.Record

func (r recorder) Enabled(context.Context, slog.Level) bool { return true }
func (r recorder) WithAttrs([]slog.Attr) slog.Handler       { return r }
func (r recorder) WithGroup(string) slog.Handler            { return r }

func (r recorder) Handle(_ context.Context, record slog.Record) error {
	r <- record
	return nil
}

// pipe serves o on the other end of the connection that it returns. In a
// synctest bubble, the deadlines of the connection use the bubble's clock.
func pipe(t *testing.T, o httpapi.Options, readTimeout time.Duration) net.Conn {
	t.Helper()
	client, far := net.Pipe()
	server := &http.Server{Handler: handlerOf(t, o), ReadHeaderTimeout: time.Hour, ReadTimeout: readTimeout}
	served := make(chan error)
	go func() { served <- server.Serve(&single{conns: make(chan net.Conn), first: far}) }()
	t.Cleanup(func() {
		_ = client.Close()
		_ = server.Close()
		assert.ErrorIs(t, <-served, http.ErrServerClosed)
	})
	return client
}

// single is a listener that accepts one connection.
type single struct {
	conns chan net.Conn
	first net.Conn
}

func (s *single) Accept() (net.Conn, error) {
	if first := s.first; first != nil {
		s.first = nil
		return first, nil
	}
	<-s.conns
	return nil, net.ErrClosed
}

func (s *single) Close() error {
	close(s.conns)
	return nil
}

func (s *single) Addr() net.Addr { return &net.UnixAddr{} }

func TestBodyIdleTimeout_fiveSecondsOfSixty(t *testing.T) {
	const short, long = `{"text":"a"}`, `{"text":"aaaaaaaaa"}`
	for name, c := range map[string]struct {
		text   string
		pause  time.Duration // before each byte
		status int
	}{
		"almost 5 seconds of silence":    {short, 4999 * time.Millisecond, http.StatusOK},
		"more than 5 seconds of silence": {short, 5001 * time.Millisecond, http.StatusRequestTimeout},
		"almost 60 seconds in all":       {long, 59_900 * time.Millisecond / time.Duration(len(long)), http.StatusOK},
		"more than 60 seconds in all":    {long, 60_100 * time.Millisecond / time.Duration(len(long)), http.StatusRequestTimeout},
	} {
		for _, readTimeout := range []time.Duration{0, 5 * time.Second, time.Minute} { // of the server
			t.Run(name+", "+readTimeout.String(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					conn := pipe(t, options(t, store.NewMemory()), readTimeout)
					send(t, conn, head("POST", "/api/v1/slug-generator", withKey, "Content-Length: "+strconv.Itoa(len(c.text))))
					var sender sync.WaitGroup
					sender.Go(func() {
						for i := range c.text {
							time.Sleep(c.pause)
							if _, err := io.WriteString(conn, c.text[i:i+1]); err != nil {
								return
							}
						}
					})
					got := receive(t, bufio.NewReader(conn))
					assert.Equal(t, c.status, got.status, got.body)
					require.NoError(t, conn.Close())
					sender.Wait()
				})
			})
		}
	}
}

// slow is a Memory that takes an hour, or until its context is done.
type slow struct{ store.Backend }

func (s slow) Create(ctx context.Context, key string, value []byte, expires time.Time) error {
	if err := anHour(ctx); err != nil {
		return err
	}
	return s.Backend.Create(ctx, key, value, expires)
}

func (s slow) Get(ctx context.Context, key string) ([]byte, error) {
	if err := anHour(ctx); err != nil {
		return nil, err
	}
	return s.Backend.Get(ctx, key)
}

func anHour(ctx context.Context) error {
	select {
	case <-time.After(time.Hour):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestBody_deadlineEndsWithTheBody(t *testing.T) {
	for name, c := range map[string]struct {
		request string
		status  int
	}{
		"a body":         {head("POST", "/api/v1/log-share", withKey, "Content-Length: 15") + `{"content":"a"}`, http.StatusOK},
		"a chunked body": {head("POST", "/api/v1/log-share", withKey, "Transfer-Encoding: chunked") + "f\r\n" + `{"content":"a"}` + "\r\n0\r\n\r\n", http.StatusOK},
		"no body":        {head("GET", "/api/v1/log-share/0123456789abcdef", withKey), http.StatusNotFound},
		"an unread body": {head("GET", "/api/v1/log-share/0123456789abcdef", withKey, "Content-Length: 15") + `{"content":"a"}`, http.StatusNotFound},
	} {
		for _, readTimeout := range []time.Duration{0, 5 * time.Second} { // of the server
			t.Run(name+", "+readTimeout.String(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					conn := pipe(t, options(t, slow{store.NewMemory()}), readTimeout)
					var sender sync.WaitGroup
					sender.Go(func() { _, _ = io.WriteString(conn, c.request) })
					got := receive(t, bufio.NewReader(conn))
					assert.Equal(t, c.status, got.status, got.body)
					require.NoError(t, conn.Close())
					sender.Wait()
				})
			})
		}
	}
}
