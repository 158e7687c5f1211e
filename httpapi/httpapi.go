// Package httpapi serves Devkiln's operations over HTTP: the five POST
// operations under /api/v1, reading back and deleting what was shared, the same as
// plain text for shells, the OpenAPI document and checks of health.
//
//	shares, err := share.New(backend, share.Options{})
//	keys, err := apikey.New(backend)
//	…
//	handler, err := httpapi.New(httpapi.Options{
//		Shares:  shares,
//		Keys:    keys,
//		Limiter: ratelimit.NewLocal(backend, ratelimit.Limits{PerMinute: 100, PerDay: 10_000}),
//	})
//
// Every response under /api is JSON and never cached, whatever went wrong.
// A failure names all fields that are at fault at once; the text of an
// internal error goes to the log and never to the caller.
//
// What requests hold in memory is bounded by [Options.MaxMemory], and pictures
// are drawn a few at a time, callers by turns. Both hold for Pages too.
//
// The handler sets deadlines for reading bodies and for writing long responses,
// also where the http.Server around it has none. The time for headers, TLS and
// shutting down belong to the http.Server.
//
// All routes stand in routes.go. A request goes admit, decode, do, encode: the
// operation of its route decodes and does, what is around it stands in
// request.go.
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
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/audit"
	"github.com/devkiln/devkiln/httpapi/internal/drawing"
	"github.com/devkiln/devkiln/httpapi/internal/memory"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/httpapi/usage"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/share"
)

// MaxBody is the largest request body in bytes: 10 MB, read as 10 MiB.
const MaxBody = 10 << 20

// MinMemory is the least that [Options.MaxMemory] may be, in bytes. It holds the
// request that needs most: 10 MiB of text of which a slug is made.
const MinMemory = 128 << 20

// DefaultMemory is the default of [Options.MaxMemory], in bytes.
const DefaultMemory = 256 << 20

// The defaults of Options.
const (
	defaultBodyIdleTimeout  = 5 * time.Second
	defaultBodyTimeout      = 60 * time.Second
	defaultWriteIdleTimeout = 10 * time.Second
)

// Options is what the handler is made of. Shares, Keys and Limiter are
// required.
type Options struct {
	Shares *share.Service
	// Keys authenticates the callers; an [*apikey.Keyring] is one.
	Keys    Authenticator
	Limiter ratelimit.Limiter

	// BaseURL is where the service is reached from outside, http or https with a
	// host. It may have a path, with which requests may arrive or without. Nil
	// means the scheme and host of each request.
	BaseURL *url.URL
	// TrustedProxies are the proxies whose X-Forwarded fields are believed.
	TrustedProxies Proxies

	// CORSOrigins are the origins, such as https://tools.example, whose pages may
	// call the API from a browser, with a key and without cookies; "*" is every
	// origin. None: no page may.
	CORSOrigins []string

	// MaxMemory bounds what all requests in flight hold together, in bytes:
	// bodies, responses and pages. Several requests of one key, or of one address
	// without a key, hold at most a third of it; one that finds no room is
	// refused with 503.
	// Zero means [DefaultMemory], 256 MiB; the least is [MinMemory].
	MaxMemory int64

	// BodyIdleTimeout is how long a client may be silent while it sends a body.
	// Zero means 5 seconds.
	BodyIdleTimeout time.Duration
	// BodyTimeout is how long a body may take in all. Zero means 60 seconds, in
	// which a line of 200 kB/s carries the largest one.
	BodyTimeout time.Duration
	// WriteIdleTimeout is how long a client may take to read 32 KiB of a
	// response; one that takes longer is cut off. Zero means 10 seconds.
	WriteIdleTimeout time.Duration

	// Fonts are for what the embedded font of pictures lacks: Chinese, Arabic,
	// emoji. Nil: boxes are drawn.
	Fonts *screenshot.Fonts
	// Themes are what ?theme= may name for a picture besides the built-in ones;
	// one of the same name goes before those.
	Themes []highlight.Theme

	// Usage counts the requests of each key. Nil: they are not counted.
	Usage *usage.Counter

	// Audit is told of shares that are deleted. Nil: nobody is.
	Audit *audit.Trail

	// Pages serves every path that is not the API's: outside /api, /healthz,
	// /readyz, the OpenAPI document, and POST to /logs, /snippets, /analyze and
	// /mcp. Nil: there are none.
	Pages http.Handler

	// MCP serves POST /mcp to whoever has a key, such as the Handler of package
	// httpapi/mcp. [CallerOf] tells it whose. Nil: there is no such path.
	MCP http.Handler

	// Log takes what went wrong inside. Nil discards it.
	Log *slog.Logger
	// AccessLog takes one record for each request. Nil: none is made.
	AccessLog *slog.Logger

	// Observe is called after each request. It may be nil.
	Observe func(Observation)

	// Ready returns nil when requests can be served, for /readyz; its error goes
	// to the log. Nil means always.
	Ready func(context.Context) error
	// State tells where the service is in its life. Nil means [Serving].
	State func() State
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// State is where a service is in its life.
type State int

// The states, in their order.
const (
	// Serving is when requests are served.
	Serving State = iota
	// Leaving is when the service will soon stop: requests are served as ever,
	// but /readyz says 503, and responses ask clients of HTTP/1 to close their
	// connections, so that the next ones lead elsewhere. Whoever stops the
	// service first waits for those who send them here to notice.
	Leaving
	// Draining is when the service takes no more work: requests of the API get
	// 503.
	Draining
)

// An Authenticator checks keys.
type Authenticator interface {
	// Authenticate returns a valid key. The handler uses the ID, under which it is
	// limited, counted and logged, the Owner of what is shared with it, who alone
	// may list and delete that (none: the key itself), and what it may do. ID and
	// Owner are printable ASCII without a slash. The error wraps
	// apikey.ErrInvalid for a key that opens nothing, and store.ErrUnavailable
	// while nobody can say.
	Authenticate(ctx context.Context, key string, now time.Time) (apikey.Key, error)
}

// Proxies are the addresses of proxies whose X-Forwarded-For, -Host and -Proto
// are believed.
type Proxies []netip.Prefix

// Origin returns the scheme and host that a request was sent to, as a trusted
// proxy tells them.
func (p Proxies) Origin(r *http.Request) string { return origin.Of(r, p) }

// ClientAddr returns the address of the client: the last one in
// X-Forwarded-For that is not a trusted proxy, if a trusted proxy sent it, and
// else the other end of the connection.
func (p Proxies) ClientAddr(r *http.Request) string { return origin.ClientAddr(r, p) }

// User returns the name in the header field in which a trusted proxy says who
// sends a request: "" if it names nobody, or if the request comes from anywhere
// else. It is an error if the field is there twice or is a list. The proxy must
// set or remove the field of every request that it passes on.
func (p Proxies) User(r *http.Request, field string) (name string, err error) {
	return origin.User(r, field, p)
}

// server is the state of the handler.
type server struct {
	Options
	mux           *http.ServeMux
	base          string // BaseURL without a slash at its end; "" if there is none
	mounted       bool   // BaseURL has a path
	memory        *memory.Budget
	drawings      *drawing.Queue
	lingering     *rate.Limiter // bytes of refused bodies
	tellForwarded sync.Once
}

// New returns the handler of the whole service. The error names all that is
// missing in Options or cannot work.
func New(o Options) (http.Handler, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	o.setDefaults()
	s := &server{Options: o, memory: memory.New(o.MaxMemory), drawings: drawing.New(), lingering: rate.NewLimiter(lingerRate, lingerBurst)}
	if o.BaseURL != nil {
		s.base = strings.TrimRight(o.BaseURL.String(), "/")
		s.mounted = strings.Trim(o.BaseURL.Path, "/") != ""
	}
	s.mux = s.newMux()
	return s, nil
}

// check returns all that cannot work.
func (o *Options) check() error {
	var errs []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf("httpapi: Options."+format, args...))
		}
	}
	refuse(o.Shares == nil, "Shares is nil")
	refuse(o.Keys == nil, "Keys is nil")
	refuse(o.Limiter == nil, "Limiter is nil")
	if u := o.BaseURL; u != nil {
		refuse(u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "",
			"BaseURL is %q, must be http:// or https:// with a host, and nothing behind the path", u.Redacted())
	}
	for i, origin := range o.CORSOrigins {
		u, err := url.Parse(origin)
		refuse(origin != "*" && (err != nil || u.Host == "" || origin != u.Scheme+"://"+u.Host),
			"CORSOrigins[%d] is %q, must be * or http:// or https:// with a host and nothing behind it", i, origin)
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
