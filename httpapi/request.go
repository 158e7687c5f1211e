package httpapi

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/fields"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/httpapi/usage"
)

// A request is the state of one request.
type request struct {
	*http.Request
	route    route
	recorder *recorder
	body     *body
	fields   *fields.Set // fields of the body, if the route takes JSON
	id       string
	arrived  time.Time
	now      time.Time  // time of arrival by the clock of Options
	key      apikey.Key // the client's key, once authenticated
	decision ratelimit.Decision
	failed   string // code of the failure in the response
	cause    string // of that failure, for operators
	lease    *fair.Lease
}

// serve returns the handler of a route.
func (s *server) serve(rt route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := s.begin(rt, w, r)
		defer s.finish(q)
		defer s.recover(q)
		s.respond(q)
	}
}

// begin assigns an id to a request and a recorder to its response.
func (s *server) begin(rt route, w http.ResponseWriter, r *http.Request) *request {
	q := &request{Request: r, route: rt, id: r.Header.Get("X-Request-Id"), arrived: time.Now(), now: s.Now()}
	q.recorder = &recorder{ResponseWriter: w, idleTimeout: s.WriteIdleTimeout}
	q.body = &body{ReadCloser: r.Body}
	if !validRequestID(q.id) {
		q.id = newRequestID()
	}
	w.Header().Set("X-Request-Id", q.id)
	if s.State() >= Stopping && r.ProtoMajor == 1 {
		w.Header().Set("Connection", "close")
	}
	if origin.IsForwarded(r, s.TrustedProxies) {
		s.warnForwarded.Do(func() {
			s.Log.WarnContext(r.Context(), "forwarded headers from an address that is not a trusted proxy are ignored", "remote", r.RemoteAddr)
		})
	}
	return q
}

// respond runs a request through its route. It writes every response except
// those of Pages.
func (s *server) respond(q *request) {
	s.allowOrigin(q)
	if s.isPreflight(q) {
		s.preflight(q)
		return
	}
	response, err := s.run(q)
	if err == nil {
		err = q.lease.Resize(int64(cap(response.data)))
	}
	if err == nil {
		err = q.awaitBody(s.BodyIdleTimeout)
	}
	if err != nil {
		s.refuse(q, err)
		return
	}
	response.write(q)
}

func (s *server) run(q *request) (response, error) {
	if err := s.admit(q); err != nil {
		return response{}, err
	}
	if q.route.json {
		if err := s.decodeJSON(q); err != nil {
			return response{}, err
		}
	}
	return q.route.do(s, q)
}

// admit checks the state of the service, the key, the rate limit and the scope,
// in this order. Path and method have been checked before; media type, size and
// fields are checked later.
func (s *server) admit(q *request) error {
	if q.route.access == public {
		return nil
	}
	q.recorder.Header().Set("Cache-Control", "no-store")
	q.recorder.Header().Set("X-Content-Type-Options", "nosniff")
	switch {
	case s.State() >= Draining:
		return unavailable.because("draining")
	case q.route.access == keyless:
		return nil
	}
	if err := s.authenticate(q); err != nil {
		return err
	}
	q.lease = s.queue.Lease("key/" + q.key.ID)
	if err := s.limit(q); err != nil {
		return err
	}
	if !q.key.May(q.route.scope) {
		return insufficientScope(q.route.scope)
	}
	return nil
}

func (s *server) authenticate(q *request) error {
	key := q.Header.Get("X-Api-Key")
	if scheme, token, _ := strings.Cut(q.Header.Get("Authorization"), " "); key == "" && s.BearerTokens && strings.EqualFold(scheme, "Bearer") {
		key = strings.TrimSpace(token)
	}
	if key == "" {
		return missingKey
	}
	k, err := s.Keys.Authenticate(q.Context(), key, q.now)
	if errors.Is(err, apikey.ErrInvalid) {
		return invalidKey
	}
	q.key = k
	return err
}

// limit counts a request. Every later response includes the rate limit.
func (s *server) limit(q *request) error {
	if s.Limiter == nil {
		return nil
	}
	decision, err := s.Limiter.Allow(q.Context(), q.key.ID, q.key.PerMinute, q.now)
	if err != nil {
		return err
	}
	q.decision = decision
	announceLimits(q.recorder.Header(), decision)
	if !decision.Allowed {
		return rateLimited(decision.RetryAfter())
	}
	return nil
}

// baseURL returns the base URL without a trailing slash.
func (s *server) baseURL(q *request) string {
	if s.base != "" {
		return s.base
	}
	return s.TrustedProxies.Origin(q.Request)
}

// servePages passes a request to Pages, within the bounds that apply to all.
func (s *server) servePages(w http.ResponseWriter, r *http.Request) {
	q := s.begin(route{path: "pages", plain: true}, w, r)
	defer s.finish(q)
	defer s.recover(q)
	q.lease = s.queue.Lease(origin.Owner("visitors", s.TrustedProxies.ClientAddr(r))...)
	q.Request = r.WithContext(fair.NewContext(r.Context(), q.lease))
	q.Body = q.body
	if q.ContentLength != 0 {
		end, err := s.bodyEnd(q, s.Shares.MaxLogBytes())
		if err == nil {
			err = q.setReadDeadline(end)
		}
		if err != nil {
			s.refuse(q, err)
			return
		}
	}
	s.Pages.ServeHTTP(q.recorder, q.Request)
	if q.body.mayRemain(q.Request) {
		q.linger(s.BodyIdleTimeout, s.lingering)
	}
}

// finish releases the lease of a request, then counts, logs and reports it.
func (s *server) finish(q *request) {
	q.lease.Release()
	if s.Usage != nil && q.key.ID != "" {
		s.Usage.Count(q.key.ID, q.route.usage, q.recorder.status, q.now)
		if o := usage.OutcomeOf(q.recorder.status); o == usage.Refused || o == usage.Failed {
			s.Usage.Fail(usage.Failure{At: q.now, RequestID: q.id, Key: q.key.ID, Operation: q.route.usage, Status: q.recorder.status, Code: q.failed})
		}
	}
	took := time.Since(q.arrived)
	s.logAccess(q, took)
	if s.Observe != nil {
		s.Observe(observation(q, took))
	}
}

// logAccess logs a request, with the cause of a failure.
func (s *server) logAccess(q *request, took time.Duration) {
	if s.AccessLog == nil {
		return
	}
	attributes := []slog.Attr{
		slog.String("request_id", q.id),
		slog.String("method", clip(q.Method)),
		slog.String("path", logPath(q.Request, s.BaseURL)),
		slog.Int("status", q.recorder.status),
		slog.Int64("bytes", q.recorder.bytes),
		slog.Duration("duration", took),
		slog.String("key_id", q.key.ID),
		slog.String("remote", s.TrustedProxies.ClientAddr(q.Request)),
	}
	if q.cause != "" {
		attributes = append(attributes, slog.String("cause", q.cause))
	}
	s.AccessLog.LogAttrs(q.Context(), slog.LevelInfo, "request", attributes...)
}

// recover responds with 500 to a panic, unless the response has begun.
func (s *server) recover(q *request) {
	cause := recover()
	if cause == nil {
		return
	}
	if err, ok := cause.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(cause)
	}
	s.Log.ErrorContext(q.Context(), "panic", "request_id", q.id, "path", clip(q.URL.Path), "cause", cause, "stack", string(debug.Stack()))
	if q.recorder.status != 0 {
		panic(http.ErrAbortHandler)
	}
	s.refuse(q, internal)
}

// refuse responds with a failure, and logs what the client must not see.
func (s *server) refuse(q *request, err error) {
	f := failureOf(err)
	if isUnforeseen(err) && f.status >= http.StatusInternalServerError {
		s.Log.ErrorContext(q.Context(), "request failed", "request_id", q.id, "path", clip(q.URL.Path), "error", err)
	}
	_ = q.awaitBody(s.BodyIdleTimeout) // fails if the connection is gone
	lingers := q.body.mayRemain(q.Request) && !f.closing
	f.closing = f.closing || lingers
	q.failed, q.cause = f.code, cmp.Or(f.cause, f.code)
	f.write(q)
	if lingers {
		q.linger(s.BodyIdleTimeout, s.lingering)
	}
}

// isUnforeseen reports whether an error is neither a decision of this package
// nor caused by the client.
func isUnforeseen(err error) bool {
	_, decided := errors.AsType[failure](err)
	return !decided && !errors.Is(err, context.Canceled) && !errors.Is(err, fair.ErrBusy)
}

// Observation is the measurement of one request.
type Observation struct {
	// Route is the pattern of the path, such as /api/v1/log-share/{id}; "api"
	// for an unknown path of the API, and "pages" for any other path without a
	// pattern.
	Route    string
	Method   string // HTTP method; "other" if it is not a common one
	Status   int
	Duration time.Duration
	Received int64 // bytes of the body that were read
	Sent     int64 // bytes of the response's body
	// Cause is why an operation failed: the code in its response or, instead of
	// unavailable, one of busy, store, timeout, canceled and draining. It is
	// empty for successes and pages.
	Cause string
}

func observation(q *request, took time.Duration) Observation {
	o := Observation{Route: q.route.path, Method: "other", Status: q.recorder.status, Duration: took, Received: q.body.bytes, Sent: q.recorder.bytes, Cause: q.cause}
	switch q.Method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
		o.Method = q.Method
	}
	if o.Route == "pages" && q.Pattern != "" && q.Pattern != "/" {
		_, pattern, found := strings.Cut(q.Pattern, " ")
		if o.Route = pattern; !found {
			o.Route = q.Pattern
		}
	}
	return o
}

// newRequestID returns 26 random base32 characters: 130 bits.
func newRequestID() string { return strings.ToLower(rand.Text()) }

// validRequestID reports whether a client may use id for its request:
// ^[A-Za-z0-9._-]{1,64}$.
func validRequestID(id string) bool {
	return id != "" && len(id) <= 64 && !strings.ContainsFunc(id, func(c rune) bool {
		return (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c != '.' && c != '_' && c != '-'
	})
}
