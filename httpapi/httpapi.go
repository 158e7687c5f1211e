// Package httpapi serves Devkiln's operations over HTTP: the five POST
// operations under /api/v1, reading back and deleting what was shared, the same as
// plain text for shells, the OpenAPI document and checks of health.
//
//	shares, err := share.New(backend, share.Options{})
//	keys, err := apikey.New(backend)
//	…
//	handler := httpapi.New(httpapi.Options{
//		Shares:  shares,
//		Keys:    keys,
//		Limiter: ratelimit.NewLocal(backend, ratelimit.Limits{PerMinute: 100, PerDay: 10_000}),
//	})
//
// Every answer under /api is JSON and never cached, whatever went wrong.
// A failure names all fields that are at fault at once, in the names of the
// wire; what a library said goes to the log and never to the caller.
//
// The handler sets deadlines for reading bodies, also where the http.Server
// around it has none. The time for headers, TLS and shutting down belong to the
// http.Server; a ReadTimeout of it should not be longer than BodySilence, and a
// slow body is given its time all the same.
package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/httpapi/usage"
	"github.com/devkiln/devkiln/share"
)

// MaxBody is the largest request body in bytes: 10 MB, read as 10 MiB.
const MaxBody = 10 << 20

// Options is what the handler is made of. Shares, Keys and Limiter are
// required.
type Options struct {
	Shares  *share.Service
	Keys    *apikey.Ring
	Limiter ratelimit.Limiter

	// BaseURL is where the service is reached from outside. It may have a path,
	// with which requests may arrive or without. Nil means the scheme and host
	// of each request.
	BaseURL *url.URL
	// TrustedProxies are believed about clients, the scheme and the host.
	TrustedProxies Proxies

	// BodySilence is how long a client may be silent while it sends a body. Zero
	// means 5 seconds.
	BodySilence time.Duration
	// BodyTimeout is how long a body may take in all. Zero means 60 seconds, in
	// which a line of 200 kB/s carries the largest one.
	BodyTimeout time.Duration

	// Usage counts the requests of each key. Nil: nobody counts.
	Usage *usage.Counter

	// Pages answers every path that is not the API's: outside /api, /healthz,
	// /readyz, the OpenAPI document, and POST to /logs and /snippets. Nil: there
	// are none.
	Pages http.Handler

	// Log takes what went wrong inside. Nil discards it.
	Log *slog.Logger
	// AccessLog takes one record for each request. Nil: none is made.
	AccessLog *slog.Logger

	// Observe is told of each request when it is done. Nil: nobody is.
	Observe func(Observation)

	// Ready returns nil when requests can be served, for /readyz; its error goes
	// to the log. Nil means always.
	Ready func(context.Context) error
	// Leaving reports that the service will soon stop. From then on /readyz
	// answers 503, and every answer asks the client to close its connection, so
	// that its next one leads elsewhere. Requests are answered as ever: whoever
	// stops the service first waits for those who send them here to notice. Nil
	// means never.
	Leaving func() bool
	// Draining reports that the service takes no more work: API requests that
	// arrive from then on are answered 503, and /readyz too. Nil means never.
	Draining func() bool
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// server is the state of the handler.
type server struct {
	Options
	mux     *http.ServeMux
	base    string        // BaseURL without a slash at its end; "" if there is none
	drawing chan struct{} // holds one for each picture that is being drawn
}

// New returns the handler of the whole service.
func New(o Options) http.Handler {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Leaving == nil {
		o.Leaving = func() bool { return false }
	}
	if o.Draining == nil {
		o.Draining = func() bool { return false }
	}
	if o.Ready == nil {
		o.Ready = func(context.Context) error { return nil }
	}
	if o.Pages == nil {
		o.Pages = http.NotFoundHandler()
	}
	if o.BodySilence == 0 {
		o.BodySilence = 5 * time.Second
	}
	if o.BodyTimeout == 0 {
		o.BodyTimeout = 60 * time.Second
	}
	s := &server{Options: o, drawing: make(chan struct{}, runtime.GOMAXPROCS(0))}
	if o.BaseURL != nil {
		s.base = strings.TrimRight(o.BaseURL.String(), "/")
	}
	s.mux = s.routes()
	return s.within(s.watch(http.HandlerFunc(s.dispatch)))
}
