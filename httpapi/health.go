package httpapi

import (
	"context"
	"net/http"
	"time"
)

// readyTime is how long the check for readiness may take.
const readyTime = 3 * time.Second

// healthz says that the process serves at all.
func (s *server) healthz(q *request) (response, error) {
	q.recorder.Header().Set("Cache-Control", "no-store")
	return encodeLine(http.StatusOK, "ok"), nil
}

// readyz says whether requests should be sent here.
func (s *server) readyz(q *request) (response, error) {
	q.recorder.Header().Set("Cache-Control", "no-store")
	if s.State() >= Leaving {
		return encodeLine(http.StatusServiceUnavailable, "the server is stopping"), nil
	}
	ctx, cancel := context.WithTimeout(q.Context(), readyTime)
	defer cancel()
	if err := s.Ready(ctx); err != nil {
		s.Log.WarnContext(ctx, "not ready", "error", err)
		return encodeLine(http.StatusServiceUnavailable, "the server is not ready; its log says why"), nil
	}
	return encodeLine(http.StatusOK, "ok"), nil
}
