package web

import (
	"maps"
	"net/http"
	"strconv"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// An answer is a whole response in memory: what fails, fails before the status
// is written.
type answer struct {
	status int // 0: 200
	header http.Header
	body   []byte
}

// securityPolicy lets a page use what comes from its own host, and pictures
// that its scripts make. trusted-types leaves scripts no way to turn text into
// markup.
const securityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// rawPolicy is for content that a stranger wrote.
const rawPolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

// newAnswer returns an answer with the headers that all have.
func newAnswer(contentType string, body []byte) *answer {
	h := http.Header{}
	h.Set("Content-Type", contentType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	return &answer{header: h, body: body}
}

// hidden keeps an answer out of search engines.
func (a *answer) hidden() *answer {
	a.header.Set("X-Robots-Tag", "noindex, nofollow, noarchive")
	return a
}

// write sends an answer, compressed where the client takes that and it pays.
func (s *site) write(w http.ResponseWriter, r *http.Request, a *answer) {
	h := w.Header()
	maps.Copy(h, a.header)
	if a.status == 0 {
		a.status = http.StatusOK
	}
	h.Add("Vary", "Accept-Encoding")
	packed := len(a.body) >= minPacked && packable(h.Get("Content-Type")) && takesGzip(r.Header)
	if packed {
		h.Set("Content-Encoding", "gzip")
	} else {
		h.Set("Content-Length", strconv.Itoa(len(a.body)))
	}
	w.WriteHeader(a.status)
	if r.Method == http.MethodHead {
		return
	}
	if err := send(w, a.body, packed); err != nil {
		s.Log.DebugContext(r.Context(), "page not delivered", "error", err)
	}
}

// minPacked is the size in bytes below which compression saves no packet.
const minPacked = 1400

var packers = sync.Pool{New: func() any {
	z, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		return gzip.NewWriter(nil)
	}
	return z
}}

func send(w http.ResponseWriter, body []byte, packed bool) error {
	if !packed {
		_, err := w.Write(body)
		return err
	}
	z, ok := packers.Get().(*gzip.Writer)
	if !ok {
		z = gzip.NewWriter(nil)
	}
	defer packers.Put(z)
	z.Reset(w)
	if _, err := z.Write(body); err != nil {
		return err
	}
	return z.Close()
}
