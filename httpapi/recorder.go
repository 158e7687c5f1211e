package httpapi

import (
	"cmp"
	"net/http"
	"time"
)

// A recorder is a ResponseWriter that records status and size, and aborts if
// the client does not read. Only the goroutine of its request uses it.
type recorder struct {
	http.ResponseWriter
	idleTimeout time.Duration
	status      int   // zero until the response begins
	bytes       int64 // bytes of the response's body

	inspect func(part []byte) // is called with what is written, unless it is nil
}

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 && status >= http.StatusOK {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter. The first part has twice the time,
// because the header is sent with it.
func (r *recorder) Write(b []byte) (n int, err error) {
	idle := r.idleTimeout
	r.status = cmp.Or(r.status, http.StatusOK)
	if r.bytes == 0 {
		idle *= 2
	}
	if r.inspect != nil {
		r.inspect(b)
	}
	for ; ; idle = r.idleTimeout {
		part := b[n:min(n+32<<10, len(b))] // what a client must read within idleTimeout
		if err := ignoreUnsupported(http.NewResponseController(r.ResponseWriter).SetWriteDeadline(time.Now().Add(idle))); err != nil {
			return n, err
		}
		written, err := r.ResponseWriter.Write(part)
		n += written
		r.bytes += int64(written)
		if err != nil || n == len(b) {
			return n, err
		}
	}
}

// Unwrap is for http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
