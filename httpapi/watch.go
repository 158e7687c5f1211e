package httpapi

import (
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
)

// visit is one request: what is known of it, and its answer as it is counted
// while it is written. Every handler of this package is given one as its
// ResponseWriter, and only the goroutine of the request touches it.
type visit struct {
	http.ResponseWriter
	id      string
	keyID   string
	arrived time.Time
	now     time.Time // when it arrived by the clock of Options
	status  int       // of the answer; zero until it begins
	bytes   int64     // of the answer's body

	// Parts that are here so that they take no memory of their own.
	source timedReader // of the body, if it is read
	idText [1]string   // header field
	length [1]string   // header field
}

// visitOf returns the visit that an answer is written to.
func visitOf(w http.ResponseWriter) *visit { return w.(*visit) }

// watch gives every request an id, turns a panic into a 500 and writes the
// access log.
func (s *server) watch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &visit{ResponseWriter: w, id: r.Header.Get("X-Request-Id"), arrived: time.Now()}
		if v.now = v.arrived; s.Now != nil {
			v.now = s.Now()
		}
		if !validRequestID(v.id) {
			v.id = newRequestID()
		}
		v.idText[0] = v.id
		w.Header()["X-Request-Id"] = v.idText[:]
		var body *countedBody
		if s.Observe != nil && r.Body != nil {
			body = &countedBody{ReadCloser: r.Body}
			r = r.WithContext(r.Context()) // a copy: the request is not ours to change
			r.Body = body
		}
		defer s.finish(v, r, body)
		defer s.recover(v, r)
		next.ServeHTTP(v, r)
	})
}

// finish counts, records and reports a request that has been answered.
func (s *server) finish(v *visit, r *http.Request, body *countedBody) {
	s.count(r, v)
	if s.AccessLog == nil && s.Observe == nil {
		return
	}
	took := time.Since(v.arrived)
	if s.AccessLog != nil {
		s.record(r, v, took)
	}
	if s.Observe != nil {
		s.Observe(observation(r, v, body, took))
	}
}

// recover answers 500 for a panic if nothing has been written yet.
func (s *server) recover(v *visit, r *http.Request) {
	fault := recover()
	if fault == nil {
		return
	}
	if err, ok := fault.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(fault)
	}
	s.Log.ErrorContext(r.Context(), "panic", "request_id", v.id, "path", clip(r.URL.Path), "fault", fault, "stack", string(debug.Stack()))
	if v.status != 0 {
		panic(http.ErrAbortHandler)
	}
	writeFailure(v, internal)
}

// record writes a record without the place in the source: it is this one for
// all of them, and takes a while to find.
func (s *server) record(r *http.Request, v *visit, took time.Duration) {
	handler := s.AccessLog.Handler()
	if !handler.Enabled(r.Context(), slog.LevelInfo) {
		return
	}
	record := slog.NewRecord(v.arrived.Add(took), slog.LevelInfo, "request", 0)
	record.AddAttrs(
		slog.String("request_id", v.id),
		slog.String("method", clip(r.Method)),
		slog.String("path", clip(r.URL.Path)),
		slog.Int("status", v.status),
		slog.Int64("bytes", v.bytes),
		slog.Duration("duration", took),
		slog.String("key_id", v.keyID),
		slog.String("remote", s.TrustedProxies.ClientAddr(r)),
	)
	_ = handler.Handle(r.Context(), record) // nobody can be told of a log that cannot be written
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

func observation(r *http.Request, v *visit, body *countedBody, took time.Duration) Observation {
	o := Observation{Route: "pages", Method: "other", Status: v.status, Duration: took, Sent: v.bytes}
	if body != nil {
		o.Received = body.bytes
	}
	if slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}, r.Method) {
		o.Method = r.Method
	}
	_, pattern, found := strings.Cut(r.Pattern, " ")
	switch clean := cleanPath(r); {
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

// newRequestID returns 26 random letters and digits of base32: 130 bits. It is
// no secret, so it is none of crypto/rand's.
func newRequestID() string {
	const alphabet = "abcdefghijklmnopqrstuvwxyz234567"
	const perWord = 64 / 5
	var id [26]byte
	var bits uint64
	for i := range id {
		if i%perWord == 0 {
			bits = rand.Uint64()
		}
		id[i] = alphabet[bits%32]
		bits >>= 5
	}
	return string(id[:])
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

// WriteHeader implements http.ResponseWriter.
func (v *visit) WriteHeader(status int) {
	if v.status == 0 && status >= http.StatusOK {
		v.status = status
	}
	v.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (v *visit) Write(b []byte) (int, error) {
	if v.status == 0 {
		v.status = http.StatusOK
	}
	n, err := v.ResponseWriter.Write(b)
	v.bytes += int64(n)
	return n, err
}

// announceLength writes the header field that says how long the body is.
func (v *visit) announceLength(bytes int) {
	v.length[0] = strconv.Itoa(bytes)
	v.Header()["Content-Length"] = v.length[:]
}

// Unwrap serves http.ResponseController.
func (v *visit) Unwrap() http.ResponseWriter { return v.ResponseWriter }
