// Package httpapi serves Devkiln's operations over HTTP: the five POST
// operations under /api/v1, reading and deleting shares, plain-text equivalents
// for shells, the OpenAPI document, and health checks. Start with [New], and with
// packages share, httpapi/apikey and httpapi/ratelimit:
//
//	shares, err := share.New(backend, share.Options{List: true})
//	keys, err := apikey.New(backend)
//	…
//	limiter, err := ratelimit.New(backend, ratelimit.Limits{PerMinute: 100, PerDay: 10_000}, nil)
//	…
//	handler, err := httpapi.New(httpapi.Options{Shares: shares, Keys: keys, Limiter: limiter})
//
// Without share.Options.List, /api/v1/shares is 404. The links in responses lead
// to pages, which [Options].Pages serves: without it they are 404, and package
// httpapi/server, which has all of it, is the shorter way. To serve the handler
// under a prefix of a mux, do not strip the prefix: set [Options].BaseURL to a
// URL with that path, and links have it too.
//
// Every response under /api is JSON and never cached, including errors. An
// error response lists all invalid fields at once; the text of an internal
// error is logged and never sent to the caller.
//
// [Options].MaxMemory bounds the memory that requests hold, and only a few
// pictures are drawn at a time, with callers taking turns. Both apply to Pages
// too.
//
// The handler sets deadlines for reading bodies and for writing long responses,
// even if the http.Server has none. Timeouts for headers, TLS and shutdown
// belong to the http.Server.
package httpapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/audit"
	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/httpapi/usage"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/share"
)

// maxBody is the maximum length of a request body in bytes: 10 MB, read as 10
// MiB.
const maxBody = 10 << 20

// MinMemory is the minimum of [Options].MaxMemory in bytes. It suffices for the
// request that needs the most: a slug of 10 MiB of text.
const MinMemory = 128 << 20

// DefaultMemory is the default of [Options].MaxMemory in bytes.
const DefaultMemory = 256 << 20

// The defaults of Options.
const (
	defaultBodyIdleTimeout  = 5 * time.Second
	defaultBodyTimeout      = 60 * time.Second
	defaultWriteIdleTimeout = 10 * time.Second
)

// Options configures the handler. Shares and Keys are required.
type Options struct {
	// Shares holds what is shared. An Idempotency-Key is ignored, and a log of
	// more than [share.MaxLogContent] characters is an error, unless its store is
	// a [store.Backend].
	Shares *share.Service
	// Keys authenticates callers; an [*apikey.Keyring] is an Authenticator.
	Keys Authenticator
	// Limiter limits the requests of each key; a [*ratelimit.Limiter] is a
	// Limiter. If nil, they are not limited.
	Limiter Limiter
	// BearerTokens also takes the key from "Authorization: Bearer KEY", as
	// OAuth 2.0 clients send it (RFC 6750, section 2.1), in requests without an
	// X-API-Key.
	BearerTokens bool

	// BaseURL is the public URL of the service: http or https with a host and
	// optionally a path. Requests may arrive with or without that path. Nil
	// means the scheme and host of each request.
	BaseURL *url.URL
	// TrustedProxies are the addresses of proxies whose X-Forwarded-For, -Host
	// and -Proto are trusted. The client of a request from one is the last address
	// in X-Forwarded-For that is not a trusted proxy.
	TrustedProxies []netip.Prefix

	// CORSOrigins are the origins, such as https://tools.example, whose pages
	// may call the API from a browser, with a key and without cookies; "*"
	// means every origin. Nil means none.
	CORSOrigins []string

	// MaxMemory bounds the memory in bytes that all requests in flight hold
	// together: bodies, responses and pages. Requests of one key, or of one
	// address without a key, hold at most a third of it; a request for which
	// there is no room gets 503. Zero means [DefaultMemory], 256 MiB; the
	// minimum is [MinMemory].
	MaxMemory int64

	// BodyIdleTimeout is how long a client may pause while it sends a body.
	// Zero means 5 seconds.
	BodyIdleTimeout time.Duration
	// BodyTimeout is how long a body of up to 10 MB may take, and a larger
	// one in proportion. Zero means 60 seconds, enough for the largest body at
	// 200 kB/s.
	BodyTimeout time.Duration
	// WriteIdleTimeout is how long a client may take to read 32 KiB of a
	// response; after that the connection is closed. Zero means 10 seconds.
	WriteIdleTimeout time.Duration

	// Fonts are used for characters that the embedded font of pictures lacks,
	// such as Chinese, Arabic and emoji. If nil, boxes are drawn for these.
	Fonts *screenshot.Fonts
	// Themes are additional themes for ?theme= of pictures; they take
	// precedence over built-in themes of the same name.
	Themes []highlight.Theme

	// Usage counts the requests of each key. If nil, they are not counted.
	Usage *usage.Counter

	// Audit records deletions of shares. If nil, they are not recorded.
	Audit *audit.Trail

	// Pages serves every path outside the API, that is except /api, /healthz,
	// /readyz, the OpenAPI document, and POST to /logs, /snippets, /analyze and
	// /mcp. If nil, there are no pages.
	Pages http.Handler

	// MCP, such as the Handler of package httpapi/mcp, serves POST /mcp to
	// callers whose key has all scopes. [ClientOf] returns the API for a caller.
	// If nil, the path does not exist.
	MCP http.Handler

	// Log receives internal errors. Nil discards them.
	Log *slog.Logger
	// AccessLog receives one record for each request. Nil discards them.
	AccessLog *slog.Logger

	// Observe, if not nil, is called after each request.
	Observe func(Observation)

	// Ready returns nil if requests can be served, for /readyz; its error is
	// logged. Nil means always ready.
	Ready func(context.Context) error
	// State returns the lifecycle state of the service. Nil means always
	// [Serving].
	State func() State
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// State is the lifecycle state of a service.
type State int

// The states, in their order.
const (
	// Serving means that requests are served.
	Serving State = iota
	// Stopping means that the service will soon stop: requests are still served,
	// but /readyz returns 503, and responses ask HTTP/1 clients to close their
	// connections, so that new ones go elsewhere. Before stopping the service,
	// wait until load balancers have noticed.
	Stopping
	// Draining means that the service accepts no more work: API requests get
	// 503.
	Draining
)

// An Authenticator authenticates API keys.
type Authenticator interface {
	// Authenticate returns the key, if it is valid. The handler uses its ID for
	// limits, counts and logs, its Owner (if empty, the key itself) as the
	// owner of what is shared with it, who alone may list and delete that, and
	// what it may do. ID and Owner are printable ASCII without a slash. The
	// error wraps apikey.ErrInvalid for a key that is not valid, and
	// store.ErrUnavailable if that cannot be determined.
	Authenticate(ctx context.Context, key string, now time.Time) (apikey.Key, error)
}

// A Limiter limits the requests of API keys.
type Limiter interface {
	// Allow decides on one request at now of the key with an ID, and counts it.
	// perMinute is the key's own limit; 0 means that it has none. A Quota of the
	// Decision with a Limit is in the header fields of the response; the Reset of
	// one without Remaining is in the Retry-After of a denied request.
	Allow(ctx context.Context, id string, perMinute int, now time.Time) (ratelimit.Decision, error)
}

// server is the handler and its state.
type server struct {
	Options
	mux           *http.ServeMux
	queue         *fair.Queue
	lingering     <-chan time.Time // a step of refused bodies
	warnForwarded sync.Once
}

// New returns the handler of the API. The error joins one for each
// option that is missing or invalid.
func New(o Options) (http.Handler, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	o.setDefaults()
	s := &server{Options: o, queue: fair.NewQueue(o.MaxMemory), lingering: time.Tick(lingerEvery)}
	s.mux = s.newMux()
	return s, nil
}

// check returns all errors of the options.
func (o *Options) check() error {
	var errs []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf("httpapi: Options."+format, args...))
		}
	}
	refuse(o.Shares == nil, "Shares is nil")
	refuse(o.Keys == nil, "Keys is nil")
	refuse(o.BaseURL != nil && !origin.IsBaseURL(o.BaseURL),
		"BaseURL is %q, must be http:// or https:// with a host, and nothing after the path", o.BaseURL.Redacted())
	for i, text := range o.CORSOrigins {
		refuse(origin.Malformed(text), "CORSOrigins[%d] is %q, must be * or http:// or https:// with a host and nothing after it", i, text)
	}
	refuse(o.MaxMemory != 0 && o.MaxMemory < MinMemory, "MaxMemory is %d, must be 0 or at least %d", o.MaxMemory, MinMemory)
	refuse(o.BodyIdleTimeout < 0, "BodyIdleTimeout is %v, must not be negative", o.BodyIdleTimeout)
	refuse(o.BodyTimeout < 0, "BodyTimeout is %v, must not be negative", o.BodyTimeout)
	refuse(o.WriteIdleTimeout < 0, "WriteIdleTimeout is %v, must not be negative", o.WriteIdleTimeout)
	return errors.Join(errs...)
}

func (o *Options) setDefaults() {
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	o.MaxMemory = cmp.Or(o.MaxMemory, DefaultMemory)
	o.BodyIdleTimeout = cmp.Or(o.BodyIdleTimeout, defaultBodyIdleTimeout)
	o.BodyTimeout = cmp.Or(o.BodyTimeout, defaultBodyTimeout)
	o.WriteIdleTimeout = cmp.Or(o.WriteIdleTimeout, defaultWriteIdleTimeout)
	if o.State == nil {
		o.State = func() State { return Serving }
	}
	if o.Ready == nil {
		o.Ready = func(context.Context) error { return nil }
	}
	if o.Pages == nil {
		o.Pages = http.NotFoundHandler()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
}
