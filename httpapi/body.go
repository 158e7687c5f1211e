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

// A body is read in parts, each with its own deadline. Received bytes are
// charged to the lease of the request before they are stored, so that a slow
// request holds no more than it has sent.
//
// A refused client may still be sending, and many clients read the response
// only afterwards: Python's http.client and wget get a broken pipe if the
// server closes the connection first. So the response is sent at once, and then
// the rest of the body is read and discarded for a while. nginx calls that
// lingering close.

// Bounds of lingering.
const (
	lingerBytes = 128 << 20
	lingerTime  = 30 * time.Second
	// Bytes read from all refused clients together, per second and at once. A
	// client that sends as fast as it can would otherwise take processor time
	// from the others.
	lingerRate  = 32 << 20
	lingerBurst = 16 << 20
	lingerStep  = 256 << 10
	// drained is how much of a body net/http reads before it responds, so that
	// the connection can be reused.
	drained = 256 << 10
)

// Sizes of the buffer for a body: the first in bytes, and the factor by which
// each further one is larger. Together they are less than twice the largest
// body.
const (
	firstBuffer = 4 << 10
	growth      = 4
)

// A body counts the bytes read of a request's body.
type body struct {
	io.ReadCloser
	bytes int64
	ended bool // Read returned io.EOF or another error
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.bytes += int64(n)
	b.ended = b.ended || err != nil
	return n, err
}

// mayRemain reports whether a client may still be sending more of a body than
// net/http reads by itself. HTTP/2 can refuse the rest of a body, but curl and
// node then sometimes lose the response.
func (b *body) mayRemain(r *http.Request) bool {
	return r.ContentLength != 0 && !b.ended && (r.ContentLength < 0 || r.ContentLength-b.bytes > drained)
}

// awaitBody limits the wait for an unread body: net/http reads the rest of a
// body before it sends a response, so that a refused client could hold the
// connection forever.
func (q *request) awaitBody(timeout time.Duration) error {
	if q.ContentLength == 0 || q.body.ended {
		return nil
	}
	return q.setReadDeadline(time.Now().Add(timeout))
}

// setReadDeadline does nothing if there is no connection, as in a test.
func (q *request) setReadDeadline(deadline time.Time) error {
	return ignoreUnsupported(http.NewResponseController(q.recorder).SetReadDeadline(deadline))
}

func ignoreUnsupported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// timedReader reads a body until end, and waits at most idle for each part. Its
// errors are failures.
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

// readBody returns the body, decompressed if necessary.
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

// bodyEnd returns when a body of up to limit bytes must have arrived, which
// allows large ones the same rate as others. It removes the http.Server's
// deadline for the response, which may pass before; the recorder sets others.
func (s *server) bodyEnd(q *request, limit int64) (end time.Time, err error) {
	err = http.NewResponseController(q.recorder).SetWriteDeadline(time.Time{})
	return q.arrived.Add(time.Duration(max(1, limit/MaxBody)) * s.BodyTimeout), ignoreUnsupported(err)
}

// openBody returns a reader of a body of up to most bytes, which decompresses
// as it reads. The caller must bound the decompressed size.
func (s *server) openBody(q *request, limit int64) (io.ReadCloser, error) {
	unpack, err := q.coding()
	if err != nil {
		return nil, err
	}
	if q.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	end, err := s.bodyEnd(q, limit)
	if err != nil {
		return nil, err
	}
	sent := timedReader{q, s.BodyIdleTimeout, end}
	if unpack == nil {
		return io.NopCloser(sent), nil
	}
	return unpack(&bounded{sent, limit, limit}, q.lease.Grow)
}

// bounded is a reader that returns an error after more than most bytes.
type bounded struct {
	io.Reader
	limit, left int64
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, tooLarge(b.limit)
	}
	return n, err
}

// receiveLog reads the text of a log as it arrives. The lease of the request
// covers what the writer holds.
func (s *server) receiveLog(q *request, o share.LogOptions) (*share.LogWriter, error) {
	w := s.Shares.NewLog(o)
	r, err := s.openBody(q, w.MaxBytes())
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	return w, q.lease.Copy(queuedWriter{w, s, q}, logs.UTF8(&bounded{r, w.MaxBytes(), w.MaxBytes()}))
}

// queuedWriter is a LogWriter that takes turns with pictures to process a long log.
type queuedWriter struct {
	*share.LogWriter
	server  *server
	request *request
}

// writeWork is the approximate processor time of one write to a long log.
const writeWork = 10 * time.Millisecond

func (w queuedWriter) Write(p []byte) (n int, err error) {
	if !w.Large() {
		return w.LogWriter.Write(p)
	}
	err = w.request.lease.Do(w.request.Context(), writeWork, func() error {
		n, err = w.LogWriter.Write(p)
		return err
	})
	return n, err
}

// readAll reads r to its end, at most [MaxBody] bytes. Its buffer grows with
// the bytes received rather than those announced, and it calls grow before it
// grows.
func readAll(r io.Reader, grow func(int64) error, announced int64, growth int) ([]byte, error) {
	limit := MaxBody + 1
	if announced >= 0 {
		limit = int(announced)
	}
	text := make([]byte, 0, min(firstBuffer, limit))
	for len(text) < limit {
		if len(text) == cap(text) {
			size := min(growth*cap(text), limit)
			if err := grow(int64(size - cap(text))); err != nil {
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

// linger reads and discards what a refused client sends after the response.
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

// checkMediaType accepts application/json in UTF-8, and a missing Content-Type.
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

// A body may be compressed (RFC 9110, section 8.4.1). The same limit applies to
// its compressed and to its decompressed size, and nothing is decompressed
// beyond it.

// codings maps content codings to their decompressors, which call grow before
// they allocate memory.
var codings = map[string]func(packed io.Reader, grow func(int64) error) (io.ReadCloser, error){
	"":         nil,
	"identity": nil,
	"gzip":     gunzip,
	"x-gzip":   gunzip,
	"zstd":     unzstd,
}

// coding returns the decompressor for the body of a request, or nil if it is
// not compressed.
func (q *request) coding() (func(io.Reader, func(int64) error) (io.ReadCloser, error), error) {
	name := strings.Join(q.Header.Values("Content-Encoding"), ", ")
	unpack, ok := codings[strings.ToLower(name)]
	if !ok {
		q.recorder.Header().Set("Accept-Encoding", "gzip, zstd")
		return nil, unsupportedMedia("Content-Encoding must be gzip or zstd, not " + clip(name))
	}
	return unpack, nil
}

func gunzip(packed io.Reader, grow func(int64) error) (io.ReadCloser, error) {
	if err := grow(gzipMemory); err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(packed)
	if err != nil {
		return nil, badCoding("gzip", err)
	}
	return unpacking{r, "gzip"}, nil
}

const (
	// gzipMemory is the approximate memory of a gzip reader in bytes.
	gzipMemory = 64 << 10
	// maxWindow is the maximum window of the content coding zstd (RFC 9659).
	maxWindow = 8 << 20
)

// unzstd charges the largest window, because any frame of a body may have it.
func unzstd(packed io.Reader, grow func(int64) error) (io.ReadCloser, error) {
	buffered := bufio.NewReader(packed)
	if _, err := buffered.Peek(1); err != nil {
		return nil, badCoding("zstd", err) // an empty body
	}
	if err := grow(maxWindow); err != nil {
		return nil, err
	}
	r, err := zstd.NewReader(buffered, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	return unpacking{r.IOReadCloser(), "zstd"}, nil
}

// unpackGrowth is the growth factor of the buffer for decompressed data, which
// arrives fast: from 4 KiB to the largest body in three steps.
const unpackGrowth = 51

// unpacking decompresses a body. Its errors are failures.
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

// badCoding returns the failure for a body that does not decompress, unless
// reading it caused another failure.
func badCoding(name string, err error) error {
	if decided, ok := errors.AsType[failure](err); ok {
		return decided
	}
	return failure{status: http.StatusBadRequest, code: "invalid_encoding", message: "the body is not valid " + name + ", as its Content-Encoding says"}
}
