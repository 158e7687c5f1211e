package httpapi

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/fair"
)

// Agents reach the service by the Model Context Protocol, which has its own
// handler. Here its requests get the key, rate and size checks of all others.

// A Caller is the sender of a request to [Options].MCP.
type Caller struct {
	Owner     string               // owner of what is shared
	MaxExpiry time.Duration        // longest life of what is shared; zero means the service's
	BaseURL   string               // without a trailing slash
	Deleted   func(urls ...string) // to be called with the URLs of deleted shares
	Hold      func(int64) error    // to be called before more bytes of memory are held for the request
}

type callerKey struct{}

// CallerOf returns the sender of a request from its context.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// toolGrowth is how many bytes a tool allocates for a byte of its arguments.
const toolGrowth = 4

func (s *server) serveMCP(q *request) (response, error) {
	body, err := s.readBody(q)
	if err != nil {
		return response{}, err
	}
	if err := q.lease.Grow(toolGrowth * int64(len(body))); err != nil {
		return response{}, err
	}
	ctx := context.WithValue(q.Context(), callerKey{}, Caller{q.key.ShareOwner(), q.key.MaxExpiry, s.baseURL(q), func(urls ...string) { s.recordDeletion(q, urls...) }, q.lease.Grow})
	r := q.WithContext(fair.NewContext(ctx, q.lease))
	r.Body = io.NopCloser(bytes.NewReader(body))
	whole := &wholeResponse{header: q.recorder.Header()}
	s.MCP.ServeHTTP(whole, r)
	return response{status: whole.status, mediaType: whole.header.Get("Content-Type"), data: whole.body.Bytes()}, nil
}

// wholeResponse is a ResponseWriter that buffers the whole response.
type wholeResponse struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (w *wholeResponse) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *wholeResponse) WriteHeader(status int) { w.status = status }

// Write implements http.ResponseWriter.
func (w *wholeResponse) Write(b []byte) (int, error) { return w.body.Write(b) }
