package layout

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"maps"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/zstd"

	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
)

// A Response is built before anything is sent, so that errors can still change
// the status.
type Response struct {
	Status int // 0 means 200
	Header http.Header
	Body   []byte

	// Large and Tail follow Body. Large is streamed, so that its output is
	// never in memory as a whole. If Large is nil, Tail is not sent.
	Large io.WriterTo
	Tail  []byte
}

// The media types of pages and text.
const (
	HTML = "text/html; charset=utf-8"
	Text = "text/plain; charset=utf-8"
)

// securityPolicy permits a page only resources of its own host and images made
// by its scripts. trusted-types prevents scripts from turning text into markup.
const securityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// NewResponse returns a response with the common headers: it must not be
// cached, nor embedded by other sites.
func NewResponse(contentType string, body []byte) *Response {
	h := http.Header{}
	h.Set("Content-Type", contentType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	return &Response{Header: h, Body: body}
}

// NoIndex tells search engines not to index a response.
func (a *Response) NoIndex() *Response {
	a.Header.Set("X-Robots-Tag", "noindex, nofollow, noarchive")
	return a
}

// SeeOther returns a redirect with status 303.
func SeeOther(location string) *Response {
	a := NewResponse(Text, nil)
	a.Status = http.StatusSeeOther
	a.Header.Set("Location", location)
	return a
}

// RetryAfter sets the header Retry-After unless d is zero.
func (a *Response) RetryAfter(d time.Duration) {
	if d > 0 {
		a.Header.Set("Retry-After", strconv.Itoa(int(math.Ceil(d.Seconds()))))
	}
}

// formReferrerPolicy makes the forms of a page send their origin without a path.
// With no-referrer they send "Origin: null", and over http nothing else
// distinguishes them from the forms of other sites.
const formReferrerPolicy = "strict-origin"

// Negotiated marks a response as varying by the Accept and User-Agent headers.
func (a *Response) Negotiated() *Response {
	a.Header.Add("Vary", "Accept")
	a.Header.Add("Vary", "User-Agent")
	return a
}

// Revalidate lets browsers cache a response that is the same for all visitors,
// provided they revalidate it for each use.
func (a *Response) Revalidate() *Response {
	sum := sha256.Sum256(a.Body)
	a.Header.Set("Cache-Control", "no-cache")
	a.Header.Set("ETag", `W/"`+hex.EncodeToString(sum[:12])+`"`)
	return a
}

// Write sends a response, compressed if the client accepts that and it is
// worthwhile.
func (l *Layout) Write(w http.ResponseWriter, r *http.Request, a *Response) {
	compressed := l.compressed
	if a.Large != nil {
		compressed = l.streamed
	}
	compressed(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { l.send(w, r, a) })).ServeHTTP(w, r)
}

// newCompressor returns a wrapper that compresses text of more than a packet.
func newCompressor(gzipLevel int, zstdLevel zstd.EncoderLevel) func(http.Handler) http.HandlerFunc {
	compressed, err := gzhttp.NewWrapper(gzhttp.MinSize(1400), gzhttp.CompressionLevel(gzipLevel), gzhttp.ZstdCompressionLevel(int(zstdLevel)), gzhttp.ContentTypeFilter(func(contentType string) bool {
		return strings.HasPrefix(contentType, "text/") || strings.HasPrefix(contentType, "image/svg+xml") ||
			strings.HasPrefix(contentType, "application/json") || contentType == "image/x-icon"
	}))
	if err != nil {
		panic(err) // the options are valid
	}
	return compressed
}

func (l *Layout) send(w http.ResponseWriter, r *http.Request, a *Response) {
	maps.Copy(w.Header(), a.Header)
	w.Header().Add("Vary", "Accept-Encoding")
	if negotiate.IsCurrent(r.Header, a.Header.Get("ETag")) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if a.Large == nil {
		w.Header().Set("Content-Length", strconv.Itoa(len(a.Body)))
	}
	w.WriteHeader(cmp.Or(a.Status, http.StatusOK))
	if r.Method == http.MethodHead {
		return
	}
	_, err := w.Write(a.Body)
	if a.Large != nil && err == nil {
		if _, err = a.Large.WriteTo(w); err == nil {
			_, err = w.Write(a.Tail)
		}
	}
	if err == nil {
		return
	}
	l.log.DebugContext(r.Context(), "page not delivered", "error", err)
	if a.Large != nil {
		panic(http.ErrAbortHandler) // a truncated page must not look complete
	}
}
