// Package server runs Devkiln as a whole: the API, its pages and its dashboard
// on one store, with the timeouts of an [http.Server], maintenance of the store,
// metrics, and a graceful shutdown.
//
//	s, err := server.New(server.Options{Backend: backend})
//	…
//	err = s.Serve(ctx, listener)
//
// Serve is all that a service needs. A program with an http.Server of its own
// mounts the Server as an [http.Handler] and calls [Server.Maintain] beside it:
// without that, counts are never written and expired entries never removed.
//
// [Server.Bootstrap] makes what a new store lacks: a first key, and a link to
// set the password of the dashboard.
package server

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/audit"
	"github.com/devkiln/devkiln/httpapi/dashboard"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/httpapi/metrics"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/httpapi/usage"
	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// Limits of Options and what they are when nobody sets them.
const (
	DefaultRateMinute = 100
	DefaultRateDay    = 10_000

	MaxDrainDelay = 5 * time.Minute
)

// pagesPerMinute is how many pages one address may ask for in a minute.
const pagesPerMinute = 300

// Options is what a service is made of. Only Backend is required.
type Options struct {
	// Backend holds everything. Its owner closes it, after Serve has returned.
	Backend store.Backend
	// Keys decides who may call the API. Nil means the keys of Backend.
	Keys *apikey.Keyring

	// BaseURL is where the service is reached from outside: http or https, with
	// a host and perhaps a path. Nil means the scheme and host of each request.
	BaseURL *url.URL
	// TrustedProxies are the proxies whose X-Forwarded fields are believed.
	TrustedProxies httpapi.Proxies
	// CORSOrigins are the origins whose pages may call the API from a browser, such
	// as https://app.example; "*" is all. Nil is none.
	CORSOrigins []string
	// MCP serves the Model Context Protocol at POST /mcp, to whoever has a key.
	MCP bool
	// Certificate serves HTTPS, with HTTP/2, and is read again when its files have
	// changed. TLS does so with certificates that the program has from elsewhere.
	// With neither, the service speaks HTTP.
	Certificate *Certificate
	TLS         *tls.Config

	// RateMinute is how many requests a key may make in any 60 seconds, RateDay
	// in a UTC day; 0 is no limit. Nil means 100 and 10,000.
	RateMinute, RateDay *int
	// MaxExpiry is the longest life of a share; a longer one is shortened to it.
	// Zero is no limit.
	MaxExpiry time.Duration
	// PublicSharing lets everybody share on the page /new without a key, as much as
	// a key may and for 30 days at most.
	PublicSharing bool
	// LinkPreviews says what previews of a posted link show of a share:
	// [web.PreviewFacts], which "" means too, [web.PreviewPicture] or [web.PreviewOff].
	LinkPreviews string
	// MaxLogBytes is how many bytes a log may have that is shared as text or a file.
	// Zero means [share.DefaultLogBytes], the most is [share.MostLogBytes].
	MaxLogBytes int64
	// EmbedOrigins are the origins whose pages may show snippets in a frame; "*" is
	// all. Nil: none.
	EmbedOrigins []string
	// MaskSecrets masks passwords, keys and tokens before they are stored.
	MaskSecrets bool

	// Fonts are for what the embedded font of pictures lacks: Chinese, Arabic,
	// emoji. Nil: boxes are drawn.
	Fonts *screenshot.Fonts
	// Themes are what ?theme= may name for a picture besides the built-in ones;
	// one of the same name goes before those.
	Themes []highlight.Theme

	// NoPictures leaves out the pictures of logs and snippets that anybody with
	// their link may have drawn, at their addresses with .png or .svg behind them.
	NoPictures bool

	// AdminPassword is the password of the dashboard. Empty means the one that
	// the store has.
	AdminPassword string
	// UserHeader is the header field in which a trusted proxy names the user that
	// it has signed in, such as Remote-User. From anywhere else it is dropped. Who
	// is named so makes and revokes keys of their own, and finds and deletes what
	// they have shared. The proxy must set or remove the field of every request.
	// Empty: there is no such proxy.
	UserHeader string
	// AdminUsers are the users who may do what the password opens.
	AdminUsers []string
	// NoPassword closes the sign-in by password. It needs UserHeader.
	NoPassword bool
	// Settings are shown on the dashboard as they are.
	Settings []dashboard.Setting

	// MaxMemory is how many bytes all requests may hold at a time: bodies,
	// responses, and what pages and pictures are made of. Beyond it requests get
	// 503; one key or address has a third of it. Zero means 40 % of the Go
	// runtime's memory limit, or 256 MiB if it has none; the least is
	// [httpapi.MinMemory].
	MaxMemory int64
	// DrainDelay is how long to go on serving after the end of the context, while
	// /readyz returns 503: 0 to 5 minutes.
	DrainDelay time.Duration

	// Metrics counts what the service does. Nil: nothing is counted.
	Metrics *metrics.Metrics
	// MetricsListener serves Metrics at /metrics, to everybody who reaches it.
	// Nil: nobody does, and the program may mount their Handler.
	MetricsListener net.Listener

	// Log takes what happens, AccessLog a record of each request. Nil discards.
	Log, AccessLog *slog.Logger
}

// Server is a service. It is safe for concurrent use.
type Server struct {
	options  Options
	log      *slog.Logger
	backend  store.Backend // measured if there are metrics
	keys     *apikey.Keyring
	handler  http.Handler
	flush    []func(context.Context, time.Time) error
	stopping atomic.Bool

	tellForged sync.Once
}

// New puts a service together. It reads and writes nothing yet. Its error names
// every option that is at fault; each of them has a method
// Invalid() (field, reason string), of which the reason is one word.
func New(o Options) (*Server, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	s := &Server{options: o, log: o.Log, backend: o.Backend, keys: o.Keys}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if o.Metrics != nil {
		s.backend = o.Metrics.Store(o.Backend)
	}
	var err error
	if s.keys == nil {
		if s.keys, err = apikey.New(o.Backend); err != nil {
			return nil, err
		}
	}
	s.handler, err = s.assemble()
	return s, err
}

// assemble makes the handler out of its parts.
func (s *Server) assemble() (http.Handler, error) {
	o := s.options
	limits := ratelimit.Limits{PerMinute: orDefault(o.RateMinute, DefaultRateMinute), PerDay: orDefault(o.RateDay, DefaultRateDay)}
	limiter, err := s.limiter(limits)
	if err != nil {
		return nil, err
	}
	visitors := ratelimit.NewLocal(s.backend, ratelimit.Limits{PerMinute: pagesPerMinute})
	counter := usage.New(s.backend)
	s.flush = append(s.flush, visitors.Flush, ignoringTime(s.keys.Flush), ignoringTime(counter.Flush))
	shares, err := share.New(s.backend, share.Options{MaxExpiry: o.MaxExpiry, List: true, MaskSecrets: o.MaskSecrets, MaxLogBytes: o.MaxLogBytes})
	if err != nil {
		return nil, err
	}
	panel, err := dashboard.New(dashboard.Options{
		Backend: o.Backend, Keys: s.keys, Usage: counter, Shares: shares, Settings: o.Settings, Limits: limits,
		User: o.user(), AdminUsers: o.AdminUsers, NoPassword: o.NoPassword,
		BaseURL: o.BaseURL, Origin: o.TrustedProxies.Origin, ClientAddr: o.TrustedProxies.ClientAddr, Log: s.log,
	})
	if err != nil {
		return nil, err
	}
	pages, err := web.New(web.Options{
		Shares: shares, BaseURL: o.BaseURL, Limiter: visitors, Dashboard: panel, Fonts: o.Fonts, Themes: o.Themes, LinkPreviews: o.LinkPreviews, EmbedOrigins: o.EmbedOrigins, NoPictures: o.NoPictures, Log: s.log,
		Sharing: web.Sharing{Keys: s.keys, SignedIn: panel.SignedIn, Public: o.PublicSharing, Limiter: limiter, Usage: counter},
		Origin:  o.TrustedProxies.Origin, ClientAddr: o.TrustedProxies.ClientAddr,
	})
	if err != nil {
		return nil, err
	}
	return httpapi.New(httpapi.Options{
		MCP: o.agents(shares), Shares: shares, Keys: s.keys, Limiter: limiter, Pages: pages, Usage: counter, Audit: audit.New(s.backend), Fonts: o.Fonts, Themes: o.Themes,
		BaseURL: o.BaseURL, TrustedProxies: o.TrustedProxies, CORSOrigins: o.CORSOrigins,
		MaxMemory: o.EffectiveMaxMemory(), Ready: s.backend.Ready, State: s.state, Observe: s.observe(),
		Log: s.log, AccessLog: o.AccessLog,
	})
}

// state is where the service is in its life.
func (s *Server) state() httpapi.State {
	if s.stopping.Load() {
		return httpapi.Leaving
	}
	return httpapi.Serving
}

// limiter returns the limiter of the API.
func (s *Server) limiter(limits ratelimit.Limits) (ratelimit.Limiter, error) {
	local := ratelimit.NewLocal(s.backend, limits)
	s.flush = append(s.flush, local.Flush)
	var limiter ratelimit.Limiter = local
	if s.backend.Shared() {
		shared, err := ratelimit.NewShared(s.backend, local, s.log)
		if err != nil {
			return nil, err
		}
		limiter = shared
	}
	if s.options.Metrics != nil {
		limiter = s.options.Metrics.Limiter(limiter)
	}
	return limiter, nil
}

// transportSecurity tells browsers to come back by HTTPS only, for a year.
const transportSecurity = "max-age=31536000"

// ServeHTTP implements [http.Handler]. Whoever comes by a Unix socket counts as
// 127.0.0.1, so that a proxy there can be trusted by that address.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.RemoteAddr, ":") {
		r.RemoteAddr = "127.0.0.1:0"
	}
	if o := s.options; o.UserHeader != "" && origin.DropUser(r, o.UserHeader, o.TrustedProxies) {
		s.tellForged.Do(func() {
			s.log.WarnContext(r.Context(), "the header of users comes from an address that is not a trusted proxy and is dropped", "remote", r.RemoteAddr)
		})
	}
	if strings.HasPrefix(s.options.TrustedProxies.Origin(r), "https://") {
		w.Header().Set("Strict-Transport-Security", transportSecurity)
	}
	s.handler.ServeHTTP(w, r)
}

func (s *Server) observe() func(httpapi.Observation) {
	if s.options.Metrics == nil {
		return nil
	}
	return s.options.Metrics.Request
}

func orDefault(value *int, otherwise int) int {
	if value == nil {
		return otherwise
	}
	return *value
}

func ignoringTime(flush func(context.Context) error) func(context.Context, time.Time) error {
	return func(ctx context.Context, _ time.Time) error { return flush(ctx) }
}
