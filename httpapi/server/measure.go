package server

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/devkiln/devkiln/httpapi/metrics"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// The contents of the store are measured every minute, or less often so that
// measuring takes at most a hundredth of the time.
const (
	measureEvery = time.Minute
	measureShare = 100
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

// measure measures the contents of the store, at once and then repeatedly until
// ctx is done.
func (s *Server) measure(ctx context.Context) error {
	for s.options.Metrics != nil {
		begin := time.Now()
		h, err := storeContents(ctx, s.options.Backend)
		if err == nil {
			s.options.Metrics.RecordContents(h)
		} else if ctx.Err() == nil {
			s.log.WarnContext(ctx, "store contents not measured", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(max(measureEvery, measureShare*time.Since(begin))):
		}
	}
	return nil
}

func storeContents(ctx context.Context, backend store.Backend) (metrics.Contents, error) {
	logs, err := share.Count(ctx, backend, share.KindLog)
	if err != nil {
		return metrics.Contents{}, err
	}
	snippets, err := share.Count(ctx, backend, share.KindSnippet)
	if err != nil {
		return metrics.Contents{}, err
	}
	size, err := backend.Size(ctx)
	return metrics.Contents{Logs: logs, Snippets: snippets, Bytes: size, Measured: time.Now()}, err
}
