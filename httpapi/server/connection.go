package server

import (
	"context"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/devkiln/devkiln/httpapi"
)

// A client of HTTP/2 can send frames that are no requests, or requests that it
// resets at once, as fast as the server reads them (CVE-2023-44487). Package
// net/http does not limit that, so a connection that sends more than its requests
// account for is read slowly. Closing it would cost more, a handshake for the next
// one. docs/internals/security.md has the figures without it and with it.
const (
	// frameBurst is how many bytes a connection may send at once, and frameRate in
	// a second, beside finished requests: some 1,000 and 4,000 that it resets.
	frameBurst, frameRate = 64 << 10, 256 << 10
	// requestBytes is what a finished request accounts for beside its body.
	requestBytes = 4 << 10
)

// A connection is beneath TLS, if there is any.
type connection struct {
	net.Conn
	unlimited atomic.Bool // it uses HTTP/1, of which only requests are read
	unread    atomic.Bool // a request has begun that has not reached the handler

	mu      sync.Mutex
	allowed int64 // bytes that may be read
	at      time.Time
}

// connections is a listener for them. Those of crypto/tls stay as they are.
type connections struct{ net.Listener }

// Accept implements [net.Listener].
func (l connections) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if _, secure := conn.(*tls.Conn); err != nil || secure {
		return conn, err
	}
	return &connection{Conn: conn}, nil
}

// Read implements [net.Conn].
func (c *connection) Read(p []byte) (int, error) {
	for !c.unlimited.Load() && c.allow(0) <= 0 {
		time.Sleep(time.Millisecond)
	}
	n, err := c.Conn.Read(p)
	c.allow(-n)
	return n, err
}

// allow adds to the bytes that may be read, and returns how many these are.
func (c *connection) allow(bytes int) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	c.allowed = min(frameBurst, c.allowed+int64(bytes)+int64(now.Sub(c.at).Seconds()*frameRate))
	c.at = now
	return c.allowed
}

// begin is called with a request before it is handled, and finish afterwards.
func (c *connection) begin(r *http.Request) {
	c.unread.Store(false)
	if c.unlimited.Store(r.ProtoMajor == 1); r.ProtoMajor > 1 && r.ContentLength != 0 {
		r.Body = accountedBody{r.Body, c}
	}
}

func (c *connection) finish(r *http.Request) {
	if r.Context().Err() == nil {
		c.allow(requestBytes)
	}
}

// An accountedBody accounts for twice what is read of it, for the headers of
// small frames.
type accountedBody struct {
	io.ReadCloser
	conn *connection
}

// Read implements [io.Reader].
func (b accountedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.conn.allow(2 * n)
	return n, err
}

// connectionOf returns the connection beneath conn, or nil.
func connectionOf(conn net.Conn) *connection {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	c, _ := conn.(*connection)
	return c
}

type connectionKey struct{}

// withConnection returns a context for the requests of a connection.
func withConnection(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, connectionOf(conn))
}

// watch counts and logs requests to which net/http responds by itself, with 400
// or 431, or not at all because they break off.
func (s *Server) watch(conn net.Conn, state http.ConnState) {
	c := connectionOf(conn)
	switch secure, _ := conn.(*tls.Conn); {
	case c == nil, secure != nil && secure.ConnectionState().NegotiatedProtocol == "h2":
	case state == http.StateActive:
		c.unread.Store(true)
	case state == http.StateClosed && c.unread.Load():
		const cause = "unreadable"
		if s.options.Metrics != nil {
			s.options.Metrics.Request(httpapi.Observation{Route: "none", Method: "other", Status: http.StatusBadRequest, Cause: cause})
		}
		if s.options.AccessLog != nil {
			s.options.AccessLog.LogAttrs(context.Background(), slog.LevelInfo, "request", slog.String("remote", conn.RemoteAddr().String()), slog.String("cause", cause))
		}
	}
}
