package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whatever is done to it, and whenever, a connection of ours answers what the
// one beneath it would have answered, and when.
func TestDeadlinesAreThoseOfTheConnection(t *testing.T) {
	for seed := range uint64(300) {
		var plain, ours []string
		synctest.Test(t, func(t *testing.T) {
			plain = conversation(t, seed, func(c net.Conn) net.Conn { return c })
		})
		synctest.Test(t, func(t *testing.T) {
			ours = conversation(t, seed, func(c net.Conn) net.Conn { return newDeadlineConn(c) })
		})
		require.Equal(t, plain, ours, "seed %d", seed)
		require.NotEmpty(t, plain)
	}
}

// conversation reads from and writes to a connection for 50 seconds, while its
// deadlines change and the other end reads and writes now and then. It returns
// what came of each call.
func conversation(t *testing.T, seed uint64, over func(net.Conn) net.Conn) []string {
	t.Helper()
	inner, peer := net.Pipe()
	conn := over(inner)
	start := time.Now()
	reads, writes := make(chan string, 1000), make(chan string, 1000)
	repeat := func(call func([]byte) (int, error), told chan<- string) {
		defer close(told)
		for {
			n, err := call([]byte("abcd"))
			told <- fmt.Sprint(time.Since(start), n, errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, io.ErrClosedPipe))
			if errors.Is(err, io.ErrClosedPipe) {
				return
			}
			time.Sleep(211 * time.Millisecond)
		}
	}
	go repeat(conn.Read, reads)
	go repeat(conn.Write, writes)
	// One at a time: whoever waits for a mutex stops the clock of the bubble.
	sizes := make(chan int, 100)
	lines := make(chan string, 100)
	go func() {
		for size := range sizes {
			_, _ = peer.Read(make([]byte, size))
		}
	}()
	go func() {
		for line := range lines {
			_, _ = peer.Write([]byte(line))
		}
	}()
	random := rand.New(rand.NewPCG(seed, 0))
	for time.Since(start) < 50*time.Second {
		// No two things happen at the same instant.
		time.Sleep(time.Duration(random.IntN(2000))*time.Millisecond + time.Duration(random.IntN(1000))*time.Microsecond + 1)
		deadline := time.Now().Add(time.Duration(random.IntN(4_000_000)) * time.Microsecond)
		switch random.IntN(8) {
		case 0:
			require.NoError(t, conn.SetReadDeadline(deadline))
		case 1:
			require.NoError(t, conn.SetWriteDeadline(deadline))
		case 2:
			require.NoError(t, conn.SetDeadline(deadline))
		case 3:
			require.NoError(t, conn.SetReadDeadline(time.Time{}))
		case 4:
			require.NoError(t, conn.SetDeadline(time.Time{}))
		case 5:
			require.NoError(t, conn.SetReadDeadline(time.Unix(1, 0)))
		case 6:
			lines <- "xyz"
		case 7:
			sizes <- 1 + random.IntN(4)
		}
	}
	close(sizes)
	close(lines)
	time.Sleep(time.Nanosecond)
	require.NoError(t, conn.Close())
	require.NoError(t, peer.Close())
	var told []string
	for line := range reads {
		told = append(told, "read "+line)
	}
	for line := range writes {
		told = append(told, "write "+line)
	}
	return told
}

// http.Server sets five deadlines for reading and one for writing with each
// request.
func TestTheRuntimeIsToldOfFewDeadlines(t *testing.T) {
	tcp, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	counting := &countingListener{Listener: tcp}
	var served int64
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// http.Server reads once for the request, and once more to learn whether
		// the client goes away.
		for served++; counting.calls.Load() < 2*served && r.Context().Err() == nil; {
			runtime.Gosched()
		}
		_, _ = io.Copy(w, r.Body)
	})
	server := serve{}.server(context.Background(), slog.New(slog.DiscardHandler), handler)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(deadlines(counting)) }()
	const requests = 50
	for range requests {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+tcp.Addr().String(), nil)
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
	}
	require.NoError(t, server.Close())
	require.ErrorIs(t, <-ended, http.ErrServerClosed)
	assert.LessOrEqual(t, counting.reads.Load(), int64(2*requests+2))
	assert.GreaterOrEqual(t, counting.reads.Load(), int64(1), "idle connections have a deadline")
	assert.LessOrEqual(t, counting.writes.Load(), int64(2))
	assert.GreaterOrEqual(t, counting.writes.Load(), int64(1))
}

// countingListener counts the deadlines of its connections.
type countingListener struct {
	net.Listener
	reads, writes atomic.Int64
	calls         atomic.Int64 // of Read
}

func (l *countingListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return countingConn{conn, l}, err
}

type countingConn struct {
	net.Conn
	listener *countingListener
}

func (c countingConn) Read(p []byte) (int, error) {
	c.listener.calls.Add(1)
	return c.Conn.Read(p)
}

func (c countingConn) SetReadDeadline(t time.Time) error {
	c.listener.reads.Add(1)
	return c.Conn.SetReadDeadline(t)
}

func (c countingConn) SetWriteDeadline(t time.Time) error {
	c.listener.writes.Add(1)
	return c.Conn.SetWriteDeadline(t)
}
