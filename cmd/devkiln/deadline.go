package main

import (
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

// http.Server sets seven deadlines for each request, and most of them are
// replaced before anybody has waited for them. A connection of ours tells the
// runtime of a deadline only when somebody waits: twice for each request.

// deadlines puts such connections over those of a listener.
func deadlines(l net.Listener) net.Listener { return deadlineListener{l} }

type deadlineListener struct{ net.Listener }

// Accept implements net.Listener.
func (l deadlineListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return newDeadlineConn(conn), nil
}

// deadlineConn behaves as the connection that it is made of.
type deadlineConn struct {
	net.Conn
	read, write deadline
}

func newDeadlineConn(conn net.Conn) *deadlineConn {
	return &deadlineConn{conn, deadline{watch: conn.SetReadDeadline}, deadline{watch: conn.SetWriteDeadline}}
}

// Read implements net.Conn.
func (c *deadlineConn) Read(p []byte) (n int, err error) {
	for {
		if err = c.read.begin(); err == nil {
			n, err = c.Conn.Read(p)
		}
		if c.read.end(err) || n > 0 {
			return n, err
		}
	}
}

// Write implements net.Conn.
func (c *deadlineConn) Write(p []byte) (written int, err error) {
	for {
		if err = c.write.begin(); err == nil {
			var n int
			n, err = c.Conn.Write(p[written:])
			written += n
		}
		if c.write.end(err) {
			return written, err
		}
	}
}

// SetReadDeadline implements net.Conn.
func (c *deadlineConn) SetReadDeadline(t time.Time) error { return c.read.ask(t) }

// SetWriteDeadline implements net.Conn.
func (c *deadlineConn) SetWriteDeadline(t time.Time) error { return c.write.ask(t) }

// SetDeadline implements net.Conn.
func (c *deadlineConn) SetDeadline(t time.Time) error {
	return errors.Join(c.read.ask(t), c.write.ask(t))
}

// CloseWrite says that nothing more will be sent: http.Server does so before it
// closes a connection whose client has not read the last answer yet.
func (c *deadlineConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// deadline is the deadline of one direction. The runtime may watch for a sooner
// one than was asked for: whoever waits then goes on waiting.
type deadline struct {
	watch func(time.Time) error // tells the runtime

	mu      sync.Mutex
	asked   time.Time
	watched time.Time
	over    bool // the one that is watched has passed
	waiting int  // how many read or write
}

// ask notes a deadline. Those who wait already have it from now on.
func (d *deadline) ask(t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked = t
	if d.waiting == 0 {
		return nil
	}
	return d.tell()
}

// begin is called before each read or write, whatever comes of it.
func (d *deadline) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting++
	if !d.over && !later(d.watched, d.asked) {
		return nil
	}
	return d.tell()
}

// end is called afterwards, with what came of it. It reports whether that
// stands: an error does not if the deadline that was asked for is still to come.
func (d *deadline) end(err error) (stands bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting--
	if err == nil || !errors.Is(err, os.ErrDeadlineExceeded) {
		return true
	}
	d.over = true
	return !d.asked.IsZero() && time.Until(d.asked) <= 0
}

// tell has the runtime watch for what was asked.
func (d *deadline) tell() error {
	if d.watched.Equal(d.asked) {
		return nil
	}
	d.watched, d.over = d.asked, false
	return d.watch(d.asked)
}

// later reports whether a is a later deadline than b. The zero one is never.
func later(a, b time.Time) bool {
	return !b.IsZero() && (a.IsZero() || a.After(b))
}
