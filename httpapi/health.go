package httpapi

import (
	"context"
	"net/http"
	"time"
)

// healthz reports that the process is serving.
func (s *server) healthz(q *request) (response, error) {
	q.recorder.Header().Set("Cache-Control", "no-store")
	return encodeLine(http.StatusOK, "ok"), nil
}

// readyz reports whether requests should be routed here.
func (s *server) readyz(q *request) (response, error) {
	q.recorder.Header().Set("Cache-Control", "no-store")
	if s.State() >= Stopping {
		return encodeLine(http.StatusServiceUnavailable, "the server is stopping"), nil
	}
	ctx, cancel := context.WithTimeout(q.Context(), 3*time.Second)
	defer cancel()
	if err := s.Ready(ctx); err != nil {
		s.Log.WarnContext(ctx, "not ready", "error", err)
		return encodeLine(http.StatusServiceUnavailable, "the server is not ready; its log says why"), nil
	}
	return encodeLine(http.StatusOK, "ok"), nil
}
