package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/fields"
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// failure is any response other than success. It is an error, so that functions
// can return it as one.
type failure struct {
	status     int
	code       string
	message    string
	details    invalid.Faults
	retryAfter time.Duration // rounded up to seconds; zero means no Retry-After
	closing    bool          // the connection cannot be reused
	cause      string        // for operators; empty means the code
	detail     string        // of the error, for the access log
}

// because returns f with a cause, which is not sent.
func (f failure) because(cause string) failure {
	f.cause = cause
	return f
}

func (f failure) Error() string { return f.code + ": " + f.message }

// Failures without variable parts.
var (
	missingKey  = failure{status: http.StatusUnauthorized, code: "missing_api_key", message: "send an API key in the X-API-Key header"}
	invalidKey  = failure{status: http.StatusUnauthorized, code: "invalid_api_key", message: "this API key is unknown, revoked or expired"}
	slowBody    = failure{status: http.StatusRequestTimeout, code: "request_timeout", message: "the body did not arrive in time", closing: true}
	unavailable = failure{status: http.StatusServiceUnavailable, code: "unavailable", message: "the service cannot do this right now; try again later", retryAfter: 5 * time.Second}
	busy        = failure{status: http.StatusServiceUnavailable, code: "unavailable", message: "the service has too much to do right now; try again in a moment", retryAfter: time.Second}
	readOnce    = failure{status: http.StatusConflict, code: "read_once", message: "this share is read once, and reading deletes it: send a POST to this path with /read appended"}
	keyReused   = failure{status: http.StatusUnprocessableEntity, code: "idempotency_key_reused", message: "this Idempotency-Key was used for another request within 24 hours"}
	largeLog    = failure{status: http.StatusNotAcceptable, code: "too_large", message: fmt.Sprintf("this log has more than %d characters; its text is at /logs/{id}/raw", share.MaxLogContent)}
	inFlight    = failure{status: http.StatusConflict, code: "request_in_flight", message: "a request with this Idempotency-Key is in progress; try again in a moment", retryAfter: time.Second}
	internal    = failure{status: http.StatusInternalServerError, code: "internal", message: "something went wrong on our side; the request id helps to find it"}
)

func fail(status int, code, format string, args ...any) failure {
	return failure{status: status, code: code, message: fmt.Sprintf(format, args...)}
}

func tooLarge(limit int64) failure {
	return fail(http.StatusRequestEntityTooLarge, "body_too_large", "the body must have at most %d bytes", limit)
}

func notFound(message string) failure { return fail(http.StatusNotFound, "not_found", "%s", message) }

func unsupportedMedia(what, rule, value string) failure {
	return fail(http.StatusUnsupportedMediaType, "unsupported_media_type", "%s must be %s, not %s", what, rule, clip(value))
}

func invalidJSON(offset int, problem string) failure {
	return fail(http.StatusBadRequest, "invalid_json", "%s (at byte %d)", problem, offset)
}

// invalidText returns the failure for a text body that is not valid UTF-8.
func invalidText(offset int) failure {
	return fail(http.StatusBadRequest, "invalid_text", "the body is not valid UTF-8 (at byte %d)", offset)
}

// insufficientScope is named after the error code in RFC 6750.
func insufficientScope(scope apikey.Scope) failure {
	reason := "it lacks the scope " + string(scope)
	if scope == apikey.ScopeAll {
		reason = "it has scopes, and this takes a key without any"
	}
	return fail(http.StatusForbidden, "insufficient_scope", "this key may not do this: %s", reason)
}

func rateLimited(wait time.Duration) failure {
	n := int(seconds(wait))
	f := fail(http.StatusTooManyRequests, "rate_limited", "too many requests for this key; try again in %d %s", n, english.PluralWord(n, "second", ""))
	f.retryAfter = wait
	return f
}

// validationFailed lists the errors. Its message is complete without them: it
// has the first three.
func validationFailed(details invalid.Faults) failure {
	const maxShown = 3
	for _, d := range details {
		d.Field = clip(d.Field) // the client may have chosen it
	}
	var parts []string
	for _, d := range details[:min(maxShown, len(details))] {
		parts = append(parts, d.Error())
	}
	if more := len(details) - maxShown; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	f := fail(http.StatusBadRequest, "validation_failed", "%s", strings.Join(parts, "; "))
	f.details = details[:min(100, len(details))]
	return f
}

// failures maps errors of other packages to responses.
var failures = []struct {
	err     error
	failure failure
}{
	{share.ErrNotFound, notFound("no share has this id: it has expired or never existed")},
	{share.ErrReadOnce, readOnce},
	{share.ErrNoList, notFound("this server keeps no list of its shares")},
	{share.ErrKeyReused, keyReused},
	{share.ErrInFlight, inFlight},
	{fair.ErrBusy, busy.because("busy")},
	{store.ErrUnavailable, unavailable.because("store")},
	{context.DeadlineExceeded, unavailable.because("timeout")},
	{context.Canceled, unavailable.because("canceled")},
}

// failureOf returns the response to an error.
func failureOf(err error) failure {
	var f failure
	var syntax *fields.SyntaxError
	var text *share.UTF8Error
	faults, _ := invalid.Of(err)
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &text):
		return invalidText(int(text.Offset))
	case errors.As(err, &syntax):
		return invalidJSON(syntax.Offset, syntax.Reason)
	case len(faults) > 0:
		return validationFailed(faults)
	}
	for _, known := range failures {
		if f := known.failure; errors.Is(err, known.err) {
			f.detail = err.Error()
			return f
		}
	}
	return internal
}

// clip shortens a string that a client sent, for display.
func clip(s string) string { return fields.Clip(s) }

// seconds returns d in seconds, rounded up.
func seconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// write sends a failure, as JSON or as a line of text.
func (f failure) write(q *request) {
	h := q.recorder.Header()
	f.announce(h, q.ProtoMajor)
	if q.route.plain && !q.prefersJSON() {
		h.Set("X-Content-Type-Options", "nosniff")
		encodeLine(f.status, f.message).write(q)
		return
	}
	var body failureBody
	body.Error.Code, body.Error.Message, body.Error.Details = f.code, f.message, f.details
	body.RequestID = q.id
	response, err := encodeJSON(body)
	if err != nil {
		panic(err) // strings always encode
	}
	response.status = f.status
	response.write(q)
}

// announce sets the header fields of a failure. With HTTP/2, net/http would
// close the connection for all its requests.
func (f failure) announce(h http.Header, protoMajor int) {
	switch f.status {
	case http.StatusUnauthorized:
		h.Add("WWW-Authenticate", "ApiKey")
	case http.StatusUnsupportedMediaType:
		h.Set("Accept-Post", "application/json")
	}
	if f.retryAfter > 0 {
		h.Set("Retry-After", strconv.FormatInt(seconds(f.retryAfter), 10))
	}
	if f.closing && protoMajor == 1 {
		h.Set("Connection", "close")
	}
}

// failureBody is the JSON form of a failure.
type failureBody struct {
	Success bool `json:"success"`
	Error   struct {
		Code    string         `json:"code"`
		Message string         `json:"message"`
		Details invalid.Faults `json:"details,omitempty"`
	} `json:"error"`
	RequestID string `json:"requestId"`
}
