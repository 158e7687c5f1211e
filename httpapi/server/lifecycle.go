package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Bounds on requests.
const (
	readTimeout  = 5 * time.Second // for the header, and the body unless the handler extends it
	idleTimeout  = 2 * time.Minute
	writeTimeout = 3 * time.Minute // after the header: reading the body, working, writing
	drainTime    = 20 * time.Second
	maxHeader    = 32 << 10
	// maxStreams is the maximum number of requests at a time of an HTTP/2
	// connection. With four times as many waiting, as when a client resets what it
	// has just requested, net/http closes the connection.
	maxStreams = 32
	// maxFrame is the maximum size of a frame of HTTP/2, which a connection holds
	// and of which nothing is read before its end.
	maxFrame = 16 << 10
)

// Serve serves requests, maintains the store and collects metrics until ctx is
// done or the listener fails. It closes the listener and MetricsListener. After
// ctx is done it continues for DrainDelay, during which /readyz returns 503 and
// responses ask clients to close their connections; then it closes the
// listener, gives requests in flight 20 seconds, stores the counts and returns
// nil. Serve may be called only once.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 2)
	go func() { ended <- s.Maintain(background) }()
	go func() { ended <- s.serveMetrics(background) }()
	err := s.serveUntil(ctx, listener)
	stop()
	return errors.Join(err, <-ended, <-ended)
}

// serveUntil serves requests until ctx is done, then drains.
func (s *Server) serveUntil(ctx context.Context, listener net.Listener) error {
	requests, cutOff := context.WithCancel(context.WithoutCancel(ctx))
	defer cutOff()
	server := s.httpServer(requests, s)
	server.ConnContext, server.ConnState = withConnection, s.watch
	listener = connections{listener}
	served := make(chan error, 1)
	go func() {
		if s.options.Certificate != nil {
			server.TLSConfig = s.options.Certificate.config()
			served <- server.ServeTLS(listener, "", "")
		} else {
			served <- server.Serve(listener)
		}
	}()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	s.stopping.Store(true)
	s.log.Info("draining", "delay", s.options.DrainDelay, "at_most", drainTime)
	select {
	case err := <-served:
		return err
	case <-time.After(s.options.DrainDelay):
		return drain(server, cutOff)
	}
}

// drain stops accepting connections and waits for requests in flight. It
// cancels those that do not finish in time.
func drain(server *http.Server, cutOff context.CancelFunc) error {
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	err := server.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		cutOff()
		return server.Close()
	}
	return err
}

// httpServer returns the HTTP server for a handler. Its requests are canceled
// when ctx is done.
func (s *Server) httpServer(ctx context.Context, handler http.Handler) *http.Server {
	return &http.Server{
		Handler:        handler,
		ReadTimeout:    readTimeout,
		IdleTimeout:    idleTimeout,
		WriteTimeout:   writeTimeout,
		MaxHeaderBytes: maxHeader,
		HTTP2:          &http.HTTP2Config{MaxConcurrentStreams: maxStreams, MaxReadFrameSize: maxFrame},
		ErrorLog:       slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
		BaseContext:    func(net.Listener) context.Context { return ctx },
	}
}
