package httpapi

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"runtime/debug"
	"slices"
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
	failure  failure // in the response
	lease    *fair.Lease
	agent    *agent // whose tool sent the request; nil for others
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
	q := &request{Request: r, route: rt, id: r.Header.Get("X-Request-Id"), arrived: time.Now(), now: s.Now(), agent: agentOf(r.Context())}
	if q.agent != nil {
		q.key, q.lease = q.agent.key, q.agent.lease
	}
	q.recorder = &recorder{ResponseWriter: w, idleTimeout: s.WriteIdleTimeout}
	q.body = &body{ReadCloser: r.Body}
	if !requestID.MatchString(q.id) {
		q.id = strings.ToLower(rand.Text())
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

// respond runs a request through its route, and writes the response.
func (s *server) respond(q *request) {
	s.allowOrigin(q)
	if s.preflight(q) {
		return
	}
	response, err := s.run(q)
	if response.sent {
		return
	}
	if err == nil && q.agent == nil {
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
	case q.route.access == keyless, q.agent != nil:
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
	return origin.Of(q.Request, s.BaseURL, s.TrustedProxies)
}

// servePages passes a request to Pages, within the bounds that apply to all.
func (s *server) servePages(q *request) (response, error) {
	if q.agent == nil {
		q.lease = s.queue.Lease(origin.Owner("visitors", origin.ClientAddr(q.Request, s.TrustedProxies))...)
	}
	q.Request = q.WithContext(fair.NewContext(q.Context(), q.lease))
	q.Body = q.body
	if q.ContentLength != 0 {
		end, err := s.bodyEnd(q, s.Shares.MaxLogBytes())
		if err == nil {
			err = q.setReadDeadline(end)
		}
		if err != nil {
			return response{}, err
		}
	}
	s.Pages.ServeHTTP(q.recorder, q.Request)
	if q.body.mayRemain(q.Request) {
		s.linger(q)
	}
	return response{sent: true}, nil
}

// finish releases the lease of a request, then counts, logs and reports it.
func (s *server) finish(q *request) {
	if q.agent != nil {
		q.agent.cause.Store(q.cause())
		return
	}
	q.lease.Release()
	if s.Usage != nil && q.key.ID != "" {
		s.Usage.Count(q.key.ID, q.route.usage, q.recorder.status, q.now)
		f := usage.Failure{At: q.now, RequestID: q.id, Key: q.key.ID, Operation: q.route.usage, Status: q.recorder.status, Code: q.failure.code}
		if len(q.failure.details) > 0 {
			f.Field = q.failure.details[0].Field
		}
		s.Usage.Fail(f)
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
		slog.String("remote", origin.ClientAddr(q.Request, s.TrustedProxies)),
	}
	if cause := q.cause(); cause != "" {
		attributes = append(attributes, slog.String("cause", cause))
	}
	if q.failure.detail != "" {
		attributes = append(attributes, slog.String("error", q.failure.detail))
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
	if s.BearerTokens && f.status == http.StatusUnauthorized {
		q.recorder.Header().Set("WWW-Authenticate", "Bearer")
		f.message = strings.Replace(f.message, "X-API-Key header", "X-API-Key header or as Authorization: Bearer KEY", 1)
	}
	q.failure = f
	f.write(q)
	if lingers {
		s.linger(q)
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
	// Cause is why a request failed: the code in its response or, instead of
	// unavailable, one of busy, store, timeout, canceled and draining; for pages,
	// the status, such as not_found; for an agent's call that fails with the status
	// 200, rpc_error, tool_error or the cause of what the tool requested. It is
	// empty for successes.
	Cause string
}

// cause returns why a request failed, for operators, or "" if it did not. That
// of a page is its status in words; one below 400 is that of an agent's call.
func (q *request) cause() string {
	if q.recorder.status < http.StatusBadRequest {
		return q.failure.cause
	}
	return cmp.Or(q.failure.cause, q.failure.code, strings.ReplaceAll(strings.ToLower(http.StatusText(q.recorder.status)), " ", "_"))
}

func observation(q *request, took time.Duration) Observation {
	o := Observation{Route: q.route.path, Method: "other", Status: q.recorder.status, Duration: took, Received: q.body.bytes, Sent: q.recorder.bytes, Cause: q.cause()}
	if slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}, q.Method) {
		o.Method = q.Method
	}
	if o.Route == "pages" && q.Pattern != "" && q.Pattern != "/" {
		o.Route = q.Pattern[strings.Index(q.Pattern, " ")+1:]
	}
	return o
}

// requestID is the form of an id that a client may use for its request. Other
// requests get one of 130 random bits.
var requestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)
