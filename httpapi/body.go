package httpapi

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"
)

// awaitBody ends the wait for a body that nobody reads: net/http reads what is
// left of a body before it sends an answer, so that a caller who is refused
// could hold the connection for ever. A request without a body must not get a
// deadline, since it would end while it is served.
func (s *server) awaitBody(w http.ResponseWriter, r *http.Request) error {
	if r.ContentLength == 0 || s.awaited(r) {
		return nil
	}
	return setReadDeadline(w, visitOf(w).arrived.Add(min(s.BodySilence, s.BodyTimeout)))
}

// awaited reports whether the http.Server waits no longer for the body than we
// would. That is so of a small one, which comes with its header: of others the
// time that the header took would be missing.
func (s *server) awaited(r *http.Request) bool {
	server, ok := r.Context().Value(http.ServerContextKey).(*http.Server)
	return ok && server.ReadTimeout > 0 && server.ReadTimeout <= s.BodySilence && r.ContentLength > 0 && r.ContentLength <= smallBody
}

// Sizes of the buffer for a body. It grows with what has arrived and not with
// what was announced.
const (
	smallBody = 4 << 10  // at first, if nothing is announced
	firstBody = 64 << 10 // at most, at first
	growth    = 4        // from one buffer to the next
)

// readBody returns the body.
func (s *server) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength > MaxBody {
		return nil, tooLarge
	}
	v := visitOf(w)
	v.source = timedReader{r.Body, w, s.BodySilence, v.arrived.Add(s.BodyTimeout), v.arrived}
	end, first := r.ContentLength, min(r.ContentLength, firstBody)
	if r.ContentLength < 0 {
		end, first = MaxBody+1, smallBody
	}
	body, err := readUpTo(&v.source, make([]byte, 0, first), int(end))
	switch {
	case len(body) > MaxBody:
		return nil, tooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, slowBody
	case err != nil:
		return nil, invalidJSON(len(body), "the body broke off")
	}
	return body, nil
}

// readUpTo reads to the end of r, or until there are end bytes.
func readUpTo(r io.Reader, body []byte, end int) ([]byte, error) {
	for len(body) < end {
		if len(body) == cap(body) {
			body = append(make([]byte, 0, min(growth*cap(body), end)), body...)
		}
		n, err := r.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if errors.Is(err, io.EOF) {
			return body, nil
		}
		if err != nil {
			return body, err
		}
	}
	return body, nil
}

// timedReader moves the read deadline of a connection along before each read.
type timedReader struct {
	body    io.Reader
	writer  http.ResponseWriter // of the answer on the same connection
	silence time.Duration
	end     time.Time
	moved   time.Time // when the deadline was last moved; at first, by awaitBody
}

// moveAfter is how old a deadline must be to be worth moving: a small body is
// read at once.
const moveAfter = 50 * time.Millisecond

func (t *timedReader) Read(p []byte) (int, error) {
	now := time.Now()
	if now.Sub(t.moved) < moveAfter {
		return t.body.Read(p)
	}
	t.moved = now
	deadline := now.Add(t.silence)
	if deadline.After(t.end) {
		deadline = t.end
	}
	if err := setReadDeadline(t.writer, deadline); err != nil {
		return 0, err
	}
	return t.body.Read(p)
}

// setReadDeadline does nothing where there is no connection, as in a test.
func setReadDeadline(w http.ResponseWriter, deadline time.Time) error {
	err := http.NewResponseController(w).SetReadDeadline(deadline)
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// checkCoding refuses a compressed body.
func checkCoding(h http.Header) error {
	if coding := h.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return unsupportedMedia("the body must not be compressed, but Content-Encoding is " + clip(coding))
	}
	return nil
}

// checkMediaType accepts application/json in UTF-8, and no media type at all.
func checkMediaType(h http.Header) error {
	if err := checkCoding(h); err != nil {
		return err
	}
	value := h.Get("Content-Type")
	if value == "" || value == "application/json" {
		return nil
	}
	mediaType, params, err := mime.ParseMediaType(value)
	if err != nil || mediaType != "application/json" {
		return unsupportedMedia("Content-Type must be application/json, not " + clip(value))
	}
	if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return unsupportedMedia("the charset must be utf-8, not " + clip(charset))
	}
	return nil
}
