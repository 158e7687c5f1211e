package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/httpapi/internal/fair"
)

// Agents reach the service by the Model Context Protocol, which has its own
// handler. Here its requests get the key, rate and size checks of all others.
// Its tools then call the API in this process, as part of their request.

type agentKey struct{}

// agentOf returns the request of an agent that a tool serves, or nil.
func agentOf(ctx context.Context) *agent {
	a, _ := ctx.Value(agentKey{}).(*agent)
	return a
}

// ClientOf returns a client for the sender of a request to [Options].MCP. What
// it sends counts as part of that request: it is neither limited nor logged by
// itself.
func ClientOf(ctx context.Context) *client.Client { return agentOf(ctx).api }

// An agent is a request to [Options].MCP.
type agent struct {
	server *server
	*request
	api   *client.Client
	cause atomic.Value // string; why the last request of a tool failed
}

// toolGrowth is how many bytes a tool allocates for a byte of its arguments and
// of each response.
const toolGrowth = 4

func (s *server) serveMCP(q *request) (response, error) {
	if page := q.Header.Get("Origin"); page != "" && !strings.HasPrefix(s.baseURL(q)+"/", page+"/") && !slices.Contains(s.CORSOrigins, page) && !slices.Contains(s.CORSOrigins, "*") {
		return response{}, fail(http.StatusForbidden, "cross_origin", "pages of %s may not call this service", clip(page))
	}
	body, err := s.readBody(q)
	if err != nil {
		return response{}, err
	}
	if err := q.lease.Grow(toolGrowth * int64(len(body))); err != nil {
		return response{}, err
	}
	a := &agent{server: s, request: q}
	a.api, err = client.New(s.baseURL(q), "agent", client.Options{HTTP: &http.Client{Transport: a}, Tries: 1})
	if err != nil {
		return response{}, fail(http.StatusBadRequest, "invalid_host", "the Host of this request cannot be part of a link")
	}
	r := q.WithContext(fair.NewContext(context.WithValue(q.Context(), agentKey{}, a), q.lease))
	r.Body = io.NopCloser(bytes.NewReader(body))
	q.recorder.inspect = func(part []byte) {
		inner, _ := a.cause.Load().(string)
		q.failure.cause = cmp.Or(failedCall(part, inner), q.failure.cause)
	}
	s.MCP.ServeHTTP(q.recorder, r)
	return response{sent: true}, nil
}

// failedCall returns why a call failed if a response with the status 200 says
// so: a cause, if it is known, or a word. A quotation mark in a JSON string has a
// backslash before it.
func failedCall(response []byte, cause string) string {
	switch {
	case bytes.Contains(response, []byte(`"error":{"code":`)):
		return cmp.Or(cause, "rpc_error")
	case bytes.Contains(response, []byte(`"isError":true`)):
		return cmp.Or(cause, "tool_error")
	}
	return ""
}

// RoundTrip implements http.RoundTripper: it serves a request of a tool.
func (a *agent) RoundTrip(r *http.Request) (*http.Response, error) {
	inner := r.Clone(context.WithValue(r.Context(), agentKey{}, a))
	inner.RemoteAddr = a.RemoteAddr
	inner.Header["X-Forwarded-For"] = a.Header["X-Forwarded-For"]
	inner.Header.Set("X-Request-Id", a.id)
	w := &buffer{header: make(http.Header), lease: a.lease}
	a.server.ServeHTTP(w, inner)
	return &http.Response{StatusCode: cmp.Or(w.status, http.StatusOK), Header: w.header, Body: io.NopCloser(&w.body), Request: r}, w.err
}

// A buffer is the ResponseWriter of a tool's request.
type buffer struct {
	header http.Header
	status int
	body   bytes.Buffer
	lease  *fair.Lease
	err    error
}

// Header implements http.ResponseWriter.
func (b *buffer) Header() http.Header { return b.header }

// WriteHeader implements http.ResponseWriter.
func (b *buffer) WriteHeader(status int) { b.status = status }

// Write implements http.ResponseWriter.
func (b *buffer) Write(p []byte) (int, error) {
	if b.err = b.lease.Grow(toolGrowth * int64(len(p))); b.err != nil {
		return 0, b.err
	}
	return b.body.Write(p)
}
