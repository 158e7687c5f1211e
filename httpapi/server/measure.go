package server

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/devkiln/devkiln/httpapi/metrics"
	"github.com/devkiln/devkiln/share"
)

// serveMetrics serves the metrics until ctx is done, if there is a listener.
func (s *Server) serveMetrics(ctx context.Context) error {
	listener := s.options.MetricsListener
	if listener == nil {
		return nil
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", s.options.Metrics.Handler())
	server := s.httpServer(ctx, mux)
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	err := server.Serve(listener)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	s.log.ErrorContext(ctx, "metrics are no longer served", "error", err)
	return err
}

// measure records the contents of the store and the expiry of the certificate.
func (s *Server) measure(ctx context.Context) error {
	m, backend := s.options.Metrics, s.options.Backend
	if m == nil {
		return nil
	}
	if s.options.Certificate != nil {
		m.RecordCertificate(s.options.Certificate.notAfter())
	}
	logs, err := share.Count(ctx, backend, share.KindLog)
	snippets, err2 := share.Count(ctx, backend, share.KindSnippet)
	size, err3 := backend.Size(ctx)
	if err := errors.Join(err, err2, err3); err != nil {
		return err
	}
	m.RecordContents(metrics.Contents{Logs: logs, Snippets: snippets, Bytes: size, Measured: time.Now()})
	return nil
}
