package httpapi

import (
	"bufio"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/time/rate"

	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/logs"
)

// A body is read a part at a time, each part with a deadline of its own. What
// has arrived is charged to the lease of its request before it is kept, so that
// a slow one holds no more than it has sent.
//
// A client that is refused may still be sending, and many read the response
// only when they are done: Python's http.client and wget see a broken pipe where
// the server closes before. So the response is sent at once, and then what
// comes is thrown away for a while. nginx calls that lingering close.

// Bounds of lingering.
const (
	lingerBytes = 128 << 20
	lingerTime  = 30 * time.Second
	// All refused clients together are read so many bytes a second, and so many
	// at once: those that send as fast as they can would keep the processors from
	// the others.
	lingerRate  = 32 << 20
	lingerBurst = 16 << 20
	lingerStep  = 256 << 10
	// drained is what net/http reads of a body before it responds, so that the
	// connection can be used again.
	drained = 256 << 10
)

// Sizes of the buffer for a body: the first, in bytes, and how many times
// larger than the last each further one is. All together make less than twice
// the largest body.
const (
	firstBuffer = 4 << 10
	growth      = 4
)

// A body counts what is read of a request's body.
type body struct {
	io.ReadCloser
	bytes int64
	ended bool // by its end or an error
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.bytes += int64(n)
	b.ended = b.ended || err != nil
	return n, err
}

// isLeft reports whether a client may still be sending more of a body than
// net/http reads by itself. HTTP/2 could refuse the rest of one, but curl and
// node then lose the response now and then.
func (b *body) isLeft(r *http.Request) bool {
	return r.ContentLength != 0 && !b.ended && (r.ContentLength < 0 || r.ContentLength-b.bytes > drained)
}

// awaitBody ends the wait for a body that nobody has read: net/http reads what is
// left of a body before it sends a response, so that a caller who is refused
// could hold the connection for ever.
func (q *request) awaitBody(timeout time.Duration) error {
	if q.ContentLength == 0 || q.body.ended {
		return nil
	}
	return q.setReadDeadline(time.Now().Add(timeout))
}

// setReadDeadline does nothing where there is no connection, as in a test.
func (q *request) setReadDeadline(deadline time.Time) error {
	return ignoreUnsupported(http.NewResponseController(q.recorder).SetReadDeadline(deadline))
}

func ignoreUnsupported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// timedReader reads a body until end, with no more silence than idle. Its errors
// are failures.
type timedReader struct {
	q    *request
	idle time.Duration
	end  time.Time
}

// Read implements io.Reader.
func (t timedReader) Read(p []byte) (int, error) {
	deadline := time.Now().Add(t.idle)
	if deadline.After(t.end) {
		deadline = t.end
	}
	if err := t.q.setReadDeadline(deadline); err != nil {
		return 0, err
	}
	n, err := t.q.body.Read(p)
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return n, err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, slowBody
	default:
		return n, invalidJSON(int(t.q.body.bytes), "the body broke off")
	}
}

// readBody returns the body, unpacked if it is compressed.
func (s *server) readBody(q *request) ([]byte, error) {
	r, err := s.openBody(q, MaxBody)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	if unpack, _ := q.coding(); unpack != nil {
		return readAll(r, q.lease.Grow, -1, unpackGrowth)
	}
	return readAll(r, q.lease.Grow, q.ContentLength, growth)
}

// openBody returns a reader of a body of at most so many bytes, which unpacks one
// that is compressed as it comes. Whoever reads bounds what that becomes.
func (s *server) openBody(q *request, most int64) (io.ReadCloser, error) {
	unpack, err := q.coding()
	if err != nil {
		return nil, err
	}
	if q.ContentLength > most {
		return nil, tooLarge(most)
	}
	large := time.Duration(max(1, most/MaxBody)) // the same rate for larger bodies
	sent := timedReader{q, s.BodyIdleTimeout, q.arrived.Add(large * s.BodyTimeout)}
	if unpack == nil {
		return io.NopCloser(sent), nil
	}
	return unpack(&bounded{sent, most, most}, q.lease.Grow)
}

// bounded is a reader whose error tells that there is more than it may have.
type bounded struct {
	io.Reader
	most, left int64
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, tooLarge(b.most)
	}
	return n, err
}

// receiveLog reads the text of a log as it comes. The request holds what the
// writer does.
func (s *server) receiveLog(q *request, o share.LogOptions) (*share.LogWriter, error) {
	w := s.Shares.NewLog(o)
	r, err := s.openBody(q, w.MaxBytes())
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	return w, q.lease.Copy(inTurn{w, s, q}, logs.UTF8(&bounded{r, w.MaxBytes(), w.MaxBytes()}))
}

// inTurn is a LogWriter that works at a long log in turn with pictures.
type inTurn struct {
	*share.LogWriter
	server  *server
	request *request
}

// writeWork is about how long a piece of a long log takes.
const writeWork = 10 * time.Millisecond

func (w inTurn) Write(p []byte) (n int, err error) {
	if !w.Large() {
		return w.LogWriter.Write(p)
	}
	err = w.server.drawings.Do(w.request.Context(), "key/"+w.request.key.ID, writeWork, func() error {
		n, err = w.LogWriter.Write(p)
		return err
	})
	return n, err
}

// readAll reads to the end of r, at most [MaxBody] bytes. Its buffer grows with
// what has arrived and not with what was announced, and hold is asked before.
func readAll(r io.Reader, hold func(int64) error, announced int64, growth int) ([]byte, error) {
	limit := MaxBody + 1
	if announced >= 0 {
		limit = int(announced)
	}
	text := make([]byte, 0, min(firstBuffer, limit))
	for len(text) < limit {
		if len(text) == cap(text) {
			size := min(growth*cap(text), limit)
			if err := hold(int64(size - cap(text))); err != nil {
				return nil, err
			}
			text = append(make([]byte, 0, size), text...)
		}
		n, err := r.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return text, err
		}
	}
	if len(text) > MaxBody {
		return nil, tooLarge(MaxBody)
	}
	return text, nil
}

// linger reads what a refused client goes on sending, after the response.
func (q *request) linger(idle time.Duration, limit *rate.Limiter) {
	if err := http.NewResponseController(q.recorder).Flush(); err != nil {
		return
	}
	rest := timedReader{q, idle, time.Now().Add(lingerTime)}
	for range lingerBytes / lingerStep {
		if _, err := io.CopyN(io.Discard, rest, lingerStep); err != nil || limit.WaitN(q.Context(), lingerStep) != nil {
			return
		}
	}
}

// checkMediaType accepts application/json in UTF-8, and no media type at all.
func checkMediaType(h http.Header) error {
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

// A body may be compressed (RFC 9110, section 8.4.1). What it unpacks to is
// bounded like a body that is not, and so is what was sent. Nothing is unpacked
// beyond the bound.

// codings are the content codings of bodies, and how they are unpacked. hold is
// asked before memory is taken.
var codings = map[string]func(packed io.Reader, hold func(int64) error) (io.ReadCloser, error){
	"":         nil,
	"identity": nil,
	"gzip":     gunzip,
	"x-gzip":   gunzip,
	"zstd":     unzstd,
}

// coding returns how the body of a request is unpacked, nil for one that is not
// compressed.
func (q *request) coding() (func(io.Reader, func(int64) error) (io.ReadCloser, error), error) {
	name := q.Header.Get("Content-Encoding")
	unpack, ok := codings[strings.ToLower(name)]
	if !ok {
		q.recorder.Header().Set("Accept-Encoding", "gzip, zstd")
		return nil, unsupportedMedia("Content-Encoding must be gzip or zstd, not " + clip(name))
	}
	return unpack, nil
}

func gunzip(packed io.Reader, hold func(int64) error) (io.ReadCloser, error) {
	if err := hold(gzipMemory); err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(packed)
	if err != nil {
		return nil, badCoding("gzip", err)
	}
	return unpacking{r, "gzip"}, nil
}

const (
	// gzipMemory is about what unpacking takes.
	gzipMemory = 64 << 10
	// maxWindow is the largest window of the content coding zstd (RFC 9659).
	maxWindow = 8 << 20
)

func unzstd(packed io.Reader, hold func(int64) error) (io.ReadCloser, error) {
	buffered := bufio.NewReader(packed)
	head, readErr := buffered.Peek(zstd.HeaderMaxSize)
	var first zstd.Header
	if err := first.Decode(head); err != nil {
		if readErr == nil || errors.Is(readErr, io.EOF) {
			readErr = err
		}
		return nil, badCoding("zstd", readErr)
	}
	window := min(max(first.WindowSize, zstd.MinWindowSize), maxWindow)
	if err := hold(int64(window)); err != nil {
		return nil, err
	}
	r, err := zstd.NewReader(buffered, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(window))
	if err != nil {
		return nil, err
	}
	return unpacking{r.IOReadCloser(), "zstd"}, nil
}

// unpackGrowth is how many times larger than the last a buffer is for what is
// unpacked, which comes fast: from 4 KiB to the largest body in three steps.
const unpackGrowth = 51

// unpacking is a body that is unpacked. Its errors are failures.
type unpacking struct {
	io.ReadCloser
	coding string
}

// Read implements io.Reader.
func (u unpacking) Read(p []byte) (int, error) {
	n, err := u.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = badCoding(u.coding, err)
	}
	return n, err
}

// badCoding is the failure of a body that does not unpack, unless it was another
// one that it could not be read.
func badCoding(name string, err error) error {
	if decided, ok := errors.AsType[failure](err); ok {
		return decided
	}
	return failure{status: http.StatusBadRequest, code: "invalid_encoding", message: "the body is not valid " + name + ", as its Content-Encoding says"}
}
