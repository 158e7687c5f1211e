package httpapi

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
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
	// lingerStep is how much of a refused body is read at once, and how much net/http
	// reads before it responds, so that the connection can be reused.
	lingerStep = 256 << 10
	// lingerEvery is the time between two steps of all refused clients together:
	// one that sends as fast as it can would otherwise take processor time from
	// the others.
	lingerEvery = 8 * time.Millisecond
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
	return r.ContentLength != 0 && !b.ended && (r.ContentLength < 0 || r.ContentLength-b.bytes > lingerStep)
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
	case err == nil:
		return n, nil
	case errors.Is(err, io.EOF): // net/http now reads on, and cancels the request at a deadline
		return n, cmp.Or(t.q.setReadDeadline(time.Time{}), err)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, slowBody
	default:
		return n, invalidJSON(int(t.q.body.bytes), "the body broke off")
	}
}

// readBody returns the body, decompressed if necessary. Its buffer grows with
// the bytes received rather than those announced.
func (s *server) readBody(q *request) ([]byte, error) {
	r, err := s.openBody(q, maxBody)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	limit := maxBody + 1
	if q.ContentLength >= 0 && q.Header.Get("Content-Encoding") == "" {
		limit = int(q.ContentLength) + 1 // one more, for io.EOF
	}
	var text []byte
	for {
		if len(text) == cap(text) {
			size := min(max(firstBuffer, growth*cap(text)), limit)
			if err := q.lease.Grow(int64(size - cap(text))); err != nil {
				return nil, err
			}
			text = append(make([]byte, 0, size), text...)
		}
		n, err := r.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		switch {
		case len(text) > maxBody:
			return nil, tooLarge(maxBody)
		case errors.Is(err, io.EOF):
			return text, nil
		case err != nil:
			return nil, err
		}
	}
}

// The size of the first buffer for a body in bytes, and the factor by which each
// further one is larger. Together they are less than twice the largest body.
const (
	firstBuffer = 4 << 10
	growth      = 16
)

// bodyEnd returns when a body of up to limit bytes must have arrived, which
// allows large ones the same rate as others. It removes the http.Server's
// deadline for the response, which may pass before; the recorder sets others.
func (s *server) bodyEnd(q *request, limit int64) (end time.Time, err error) {
	err = http.NewResponseController(q.recorder).SetWriteDeadline(time.Time{})
	return q.arrived.Add(time.Duration(max(1, limit/maxBody)) * s.BodyTimeout), ignoreUnsupported(err)
}

// A body may be compressed (RFC 9110, section 8.4.1). The same limit applies to
// its compressed and to its decompressed size, and nothing is decompressed
// beyond it.
const (
	// gzipMemory is the approximate memory of a gzip reader in bytes.
	gzipMemory = 64 << 10
	// maxWindow is the maximum window of the content coding zstd (RFC 9659). It
	// is charged to every body, because any frame of one may have it.
	maxWindow = 8 << 20
)

// openBody returns a reader of a body of up to limit bytes, which decompresses
// as it reads. The caller must bound the decompressed size.
func (s *server) openBody(q *request, limit int64) (io.ReadCloser, error) {
	coding := strings.ToLower(strings.Join(q.Header.Values("Content-Encoding"), ", "))
	memory, ok := map[string]int64{"": 0, "identity": 0, "gzip": gzipMemory, "x-gzip": gzipMemory, "zstd": maxWindow}[coding]
	if !ok {
		q.recorder.Header().Set("Accept-Encoding", "gzip, zstd")
		return nil, unsupportedMedia("Content-Encoding", "gzip or zstd", coding)
	}
	if q.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	end, err := s.bodyEnd(q, limit)
	if err != nil {
		return nil, err
	}
	sent := timedReader{q, s.BodyIdleTimeout, end}
	if memory == 0 {
		return io.NopCloser(sent), nil
	}
	if err := q.lease.Grow(memory); err != nil {
		return nil, err
	}
	return decompress(strings.TrimPrefix(coding, "x-"), bufio.NewReader(&bounded{sent, limit, limit}))
}

func decompress(coding string, packed *bufio.Reader) (io.ReadCloser, error) {
	if _, err := packed.Peek(1); err != nil {
		return nil, badCoding(coding, err) // an empty body
	}
	if coding == "zstd" {
		r, err := zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		return decompressor{r.IOReadCloser(), coding}, nil
	}
	r, err := gzip.NewReader(packed)
	if err != nil {
		return nil, badCoding(coding, err)
	}
	return decompressor{r, coding}, nil
}

// decompressor decompresses a body. Its errors are failures.
type decompressor struct {
	io.ReadCloser
	coding string
}

// Read implements io.Reader.
func (d decompressor) Read(p []byte) (int, error) {
	n, err := d.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = badCoding(d.coding, err)
	}
	return n, err
}

// badCoding returns the failure for a body that does not decompress, unless
// reading it caused another failure.
func badCoding(coding string, err error) error {
	if decided, ok := errors.AsType[failure](err); ok {
		return decided
	}
	return fail(http.StatusBadRequest, "invalid_encoding", "the body is not valid %s, as its Content-Encoding says", coding)
}

// bounded is a reader that returns an error after more than limit bytes.
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

// linger reads and discards what a refused client sends after the response.
func (s *server) linger(q *request) {
	err := http.NewResponseController(q.recorder).Flush()
	rest := timedReader{q, s.BodyIdleTimeout, time.Now().Add(lingerTime)}
	for n := 0; n < lingerBytes && err == nil; n += lingerStep {
		_, err = io.CopyN(io.Discard, rest, lingerStep)
		<-s.lingering
	}
}

// checkMediaType accepts application/json in UTF-8, and a missing Content-Type.
func checkMediaType(value string) error {
	if value == "" || value == "application/json" {
		return nil
	}
	mediaType, params, err := mime.ParseMediaType(value)
	if err != nil || mediaType != "application/json" {
		return unsupportedMedia("Content-Type", "application/json", value)
	}
	if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return unsupportedMedia("the charset", "utf-8", charset)
	}
	return nil
}
