package httpapi

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// visit is what one request leaves behind for the access log. It travels in
// the context of the request, and only its own goroutine touches it.
type visit struct {
	id    string
	keyID string
}

type visitKey struct{}

func visitOf(r *http.Request) *visit {
	if v, ok := r.Context().Value(visitKey{}).(*visit); ok {
		return v
	}
	return &visit{}
}

func requestID(r *http.Request) string { return visitOf(r).id }

func noteKey(r *http.Request, id string) { visitOf(r).keyID = id }

// watch gives every request an id, turns a panic into a 500 and writes the
// access log.
func (s *server) watch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		v := &visit{id: r.Header.Get("X-Request-Id")}
		if !validRequestID(v.id) {
			v.id = strings.ToLower(rand.Text())
		}
		w.Header().Set("X-Request-Id", v.id)
		r = r.WithContext(context.WithValue(r.Context(), visitKey{}, v))
		m := &meter{ResponseWriter: w}
		var counted *countedBody
		if s.Observe != nil && r.Body != nil {
			counted = &countedBody{ReadCloser: r.Body}
			r.Body = counted
		}
		defer func() {
			s.count(r, v, m.status)
			took := time.Since(start)
			if s.AccessLog != nil {
				s.record(r, v, m, took)
			}
			if s.Observe != nil {
				s.Observe(observation(r, m, counted, took))
			}
		}()
		defer s.recover(m, r)
		next.ServeHTTP(m, r)
	})
}

// recover answers 500 for a panic if nothing has been written yet.
func (s *server) recover(m *meter, r *http.Request) {
	fault := recover()
	if fault == nil {
		return
	}
	if err, ok := fault.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(fault)
	}
	s.Log.ErrorContext(r.Context(), "panic", "request_id", requestID(r), "path", clip(r.URL.Path), "fault", fault, "stack", string(debug.Stack()))
	if m.status != 0 {
		panic(http.ErrAbortHandler)
	}
	writeFailure(m, r, internal)
}

func (s *server) record(r *http.Request, v *visit, m *meter, took time.Duration) {
	s.AccessLog.LogAttrs(r.Context(), slog.LevelInfo, "request",
		slog.String("request_id", v.id),
		slog.String("method", clip(r.Method)),
		slog.String("path", clip(r.URL.Path)),
		slog.Int("status", m.status),
		slog.Int64("bytes", m.bytes),
		slog.Duration("duration", took),
		slog.String("key_id", v.keyID),
		slog.String("remote", s.TrustedProxies.ClientAddr(r)),
	)
}

// Observation is what is measured of one request.
type Observation struct {
	// Route is the pattern of the path, such as /api/v1/log-share/{id}; "api" for
	// a path that the API does not have, "pages" for any other without a pattern.
	Route    string
	Method   string // of HTTP; "other" if it is not a common one
	Status   int
	Duration time.Duration
	Received int64 // bytes of the body that were read
	Sent     int64 // bytes of the answer's body
}

// fixedRoutes are the paths outside /api that are ours.
var fixedRoutes = []string{"/healthz", "/readyz", "/openapi.yaml", "/openapi.json"}

func observation(r *http.Request, m *meter, body *countedBody, took time.Duration) Observation {
	o := Observation{Route: "pages", Method: "other", Status: m.status, Duration: took, Sent: m.bytes}
	if body != nil {
		o.Received = body.bytes
	}
	if slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}, r.Method) {
		o.Method = r.Method
	}
	_, pattern, found := strings.Cut(r.Pattern, " ")
	switch clean := path.Clean("/" + r.URL.Path); {
	case found:
		o.Route = pattern
	case r.Pattern != "" && r.Pattern != "/":
		o.Route = r.Pattern
	case clean == "/api" || strings.HasPrefix(clean, "/api/"):
		o.Route = "api"
	case slices.Contains(fixedRoutes, r.URL.Path), r.Method == http.MethodPost && (r.URL.Path == "/logs" || r.URL.Path == "/snippets"):
		o.Route = r.URL.Path
	}
	return o
}

// countedBody counts what is read of a body.
type countedBody struct {
	io.ReadCloser
	bytes int64
}

// Read implements io.Reader.
func (c *countedBody) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.bytes += int64(n)
	return n, err
}

// validRequestID reports whether a request may name itself so:
// ^[A-Za-z0-9._-]{1,64}$.
func validRequestID(id string) bool {
	if id == "" || len(id) > 64 {
		return false
	}
	for i := range len(id) {
		c := id[i]
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// meter counts what is written.
type meter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader implements http.ResponseWriter.
func (m *meter) WriteHeader(status int) {
	if m.status == 0 && status >= http.StatusOK {
		m.status = status
	}
	m.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (m *meter) Write(b []byte) (int, error) {
	if m.status == 0 {
		m.status = http.StatusOK
	}
	n, err := m.ResponseWriter.Write(b)
	m.bytes += int64(n)
	return n, err
}

// Unwrap serves http.ResponseController.
func (m *meter) Unwrap() http.ResponseWriter { return m.ResponseWriter }
