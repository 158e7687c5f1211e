package httpapi

import (
	"context"
	"net/http"
	"time"
)

// readyTime is how long the check for readiness may take.
const readyTime = 3 * time.Second

// healthz answers as long as the process serves at all.
func healthz(w http.ResponseWriter, r *http.Request) {
	if readOnly(w, r) {
		writeLine(w, http.StatusOK, "ok")
	}
}

// readyz answers whether requests should be sent here.
func (s *server) readyz(w http.ResponseWriter, r *http.Request) {
	if !readOnly(w, r) {
		return
	}
	if s.Leaving() || s.Draining() {
		writeLine(w, http.StatusServiceUnavailable, "the server is stopping")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), readyTime)
	defer cancel()
	if err := s.Ready(ctx); err != nil {
		s.Log.WarnContext(ctx, "not ready", "error", err)
		writeLine(w, http.StatusServiceUnavailable, "the server is not ready; its log says why")
		return
	}
	writeLine(w, http.StatusOK, "ok")
}

// writeLine answers a line of text that is not kept.
func writeLine(w http.ResponseWriter, status int, line string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(line + "\n"))
}
