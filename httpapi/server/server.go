// Package server runs a complete Devkiln service: the API, its pages and its
// dashboard on one store, with the timeouts of an http.Server, store
// maintenance, metrics, and graceful shutdown.
//
//	s, err := server.New(server.Options{Backend: backend})
//	…
//	err = s.Serve(ctx, listener)
//
// [Server.Serve] is all that a service needs. A program with certificates from
// elsewhere gives it a listener of crypto/tls. A [Server] is also an
// http.Handler, so that it can serve beside other handlers, with
// [Server.Maintain] for the store: examples/server does that.
//
// [Server.Bootstrap] creates what a new store lacks: a first key, and a link to
// set the password of the dashboard.
package server

import (
	"cmp"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
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

// The defaults of RateMinute and RateDay in [Options].
const (
	DefaultRateMinute = 100
	DefaultRateDay    = 10_000

	maxDrainDelay = 5 * time.Minute
)

// Options configures a service. Only Backend is required.
type Options struct {
	// Backend stores everything. The caller closes it after Serve has returned.
	Backend store.Backend
	// Keys authenticates callers of the API. Nil means the keys in Backend.
	Keys *apikey.Keyring

	// BaseURL is the public URL of the service: http or https with a host and
	// optionally a path. Nil means the scheme and host of each request.
	BaseURL *url.URL
	// TrustedProxies are the proxies whose X-Forwarded fields are trusted.
	TrustedProxies []netip.Prefix
	// CORSOrigins are the origins whose pages may call the API from a browser,
	// such as https://app.example; "*" means every origin. Nil means none.
	CORSOrigins []string
	// BearerTokens also takes keys from "Authorization: Bearer KEY".
	BearerTokens bool
	// MCP serves the Model Context Protocol at POST /mcp to callers whose key
	// has all scopes.
	MCP bool
	// Certificate serves HTTPS with HTTP/2, and is read again when its files
	// change. If it is nil, the service uses HTTP; a program with certificates
	// from elsewhere gives [Server.Serve] a listener of crypto/tls.
	Certificate *Certificate

	// RateMinute is the maximum number of requests of a key in any 60 seconds,
	// and RateDay that in a UTC day; 0 means no limit. Nil means 100 and
	// 10,000.
	RateMinute, RateDay *int
	// MaxExpiry is the longest life of a share; a longer one is shortened to
	// it. Zero means no limit.
	MaxExpiry time.Duration
	// PublicSharing lets anyone share on the start page without a key, with the
	// limits of a key and for at most 30 days.
	PublicSharing bool
	// LinkPreviews is what previews of a posted link show of a share: facts,
	// the default, which are its title and figures; picture; or off.
	LinkPreviews string
	// MaxLogBytes is the maximum length in bytes of a log that is shared as
	// text or as a file, as in [share.Options].
	MaxLogBytes int64
	// EmbedOrigins are the origins whose pages may show snippets in a frame;
	// "*" means every origin. Nil means none.
	EmbedOrigins []string
	// MaskSecrets masks passwords, keys and tokens before they are stored.
	MaskSecrets bool

	// Fonts are used for characters that the embedded font of pictures lacks,
	// such as Chinese, Arabic and emoji. If nil, boxes are drawn for these.
	Fonts *screenshot.Fonts
	// Themes are additional themes for ?theme= of pictures; they take
	// precedence over built-in themes of the same name.
	Themes []highlight.Theme

	// NoPictures disables the pictures of logs and snippets at their URLs with
	// .png or .svg appended, which anyone with the link can request.
	NoPictures bool

	// AdminPassword is the password of the dashboard. Empty means the one in
	// the store.
	AdminPassword string
	// UserHeader is the header field, such as Remote-User, in which a trusted
	// proxy names the user that it has signed in. It is ignored in requests
	// from elsewhere. These users create and revoke keys of their own, and find
	// and delete what they have shared. The proxy must set or remove the field
	// in every request. Empty means that there is no such proxy.
	UserHeader string
	// AdminUsers are the users with the same rights as the admin password.
	AdminUsers []string
	// NoPassword disables the sign-in by password. It requires UserHeader.
	NoPassword bool
	// Settings are displayed unchanged on the dashboard.
	Settings []dashboard.Setting

	// MaxMemory is the maximum number of bytes that all requests together may
	// hold: bodies, responses, and the working memory of pages and pictures.
	// Requests beyond it get 503; one key or address may use a third of it.
	// Zero means 40 % of the Go runtime's memory limit, or 256 MiB if it has
	// none; the minimum is [httpapi.MinMemory].
	MaxMemory int64
	// DrainDelay is how long to continue serving after the context is done,
	// while /readyz returns 503: 0 to 5 minutes.
	DrainDelay time.Duration

	// Metrics counts what the service does. If nil, nothing is counted.
	Metrics *metrics.Metrics
	// MetricsListener serves Metrics at /metrics to anyone who can reach it. If
	// nil, the program may use their Handler itself.
	MetricsListener net.Listener

	// Log receives events and errors, AccessLog a record of each request. Nil
	// discards them.
	Log, AccessLog *slog.Logger
}

// Server is a service. It is safe for concurrent use.
type Server struct {
	options  Options
	log      *slog.Logger
	backend  store.Backend // instrumented if there are metrics
	visitors store.Memory  // counts the pages that each address requests
	keys     *apikey.Keyring
	usage    *usage.Counter
	handler  http.Handler
	stopping atomic.Bool

	warnForged sync.Once
}

// New returns a service with these options. It does not access the store yet.
// Its error joins one for each invalid option; each has a method Invalid()
// (field, reason string), whose reason is one word.
func New(o Options) (*Server, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	s := &Server{options: o, log: cmp.Or(o.Log, slog.New(slog.DiscardHandler)), backend: o.Backend, keys: o.Keys}
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

// assemble builds the handler from its parts.
func (s *Server) assemble() (http.Handler, error) {
	o := s.options
	limits := ratelimit.Limits{PerMinute: orDefault(o.RateMinute, DefaultRateMinute), PerDay: orDefault(o.RateDay, DefaultRateDay)}
	limiter, err := ratelimit.New(s.backend, limits, s.log)
	if err != nil {
		return nil, err
	}
	visitors, _ := ratelimit.New(&s.visitors, ratelimit.Limits{PerMinute: 300}, nil) // a limit that is allowed
	s.usage = usage.New(s.backend)
	shares, err := share.New(s.backend, share.Options{MaxExpiry: o.MaxExpiry, List: true, MaskSecrets: o.MaskSecrets, MaxLogBytes: o.MaxLogBytes})
	if err != nil {
		return nil, err
	}
	panel, err := dashboard.New(dashboard.Options{
		Backend: o.Backend, Keys: s.keys, Usage: s.usage, Shares: shares, Settings: o.Settings, Limits: limits,
		User: o.user(), AdminUsers: o.AdminUsers, NoPassword: o.NoPassword,
		BaseURL: o.BaseURL, TrustedProxies: o.TrustedProxies, Log: s.log,
	})
	if err != nil {
		return nil, err
	}
	pages, err := web.New(web.Options{
		Shares: shares, BaseURL: o.BaseURL, TrustedProxies: o.TrustedProxies, Limiter: visitors, Dashboard: panel, Fonts: o.Fonts, Themes: o.Themes, LinkPreviews: o.LinkPreviews, EmbedOrigins: o.EmbedOrigins, NoPictures: o.NoPictures, Log: s.log,
		Sharing: web.Sharing{Keys: s.keys, SignedIn: panel.SignedIn, Public: o.PublicSharing, Limiter: limiter, Usage: s.usage},
	})
	if err != nil {
		return nil, err
	}
	var observe func(httpapi.Observation)
	if o.Metrics != nil {
		observe = o.Metrics.Request
	}
	return httpapi.New(httpapi.Options{
		MCP: o.agents(), Shares: shares, Keys: s.keys, Limiter: limiter, Pages: pages, Usage: s.usage, Audit: audit.New(s.backend), Fonts: o.Fonts, Themes: o.Themes,
		BaseURL: o.BaseURL, TrustedProxies: o.TrustedProxies, CORSOrigins: o.CORSOrigins, BearerTokens: o.BearerTokens,
		MaxMemory: o.EffectiveMaxMemory(), Ready: s.backend.Ready, State: s.state, Observe: observe,
		Log: s.log, AccessLog: o.AccessLog,
	})
}

// state returns the lifecycle state of the service.
func (s *Server) state() httpapi.State {
	if s.stopping.Load() {
		return httpapi.Stopping
	}
	return httpapi.Serving
}

// ServeHTTP implements [http.Handler]. Requests from a Unix socket count as
// coming from 127.0.0.1, so that a proxy there can be trusted by that address.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if c, _ := r.Context().Value(connectionKey{}).(*connection); c != nil {
		c.begin(r)
		defer c.finish(r)
	}
	if !strings.Contains(r.RemoteAddr, ":") {
		r.RemoteAddr = "127.0.0.1:0"
	}
	if o := s.options; o.UserHeader != "" && origin.DropUser(r, o.UserHeader, o.TrustedProxies) {
		s.warnForged.Do(func() {
			s.log.WarnContext(r.Context(), "the user header from an address that is not a trusted proxy is dropped", "remote", r.RemoteAddr)
		})
	}
	if strings.HasPrefix(origin.Of(r, nil, s.options.TrustedProxies), "https://") {
		w.Header().Set("Strict-Transport-Security", "max-age=31536000") // a year
	}
	s.handler.ServeHTTP(w, r)
}

func orDefault(value *int, otherwise int) int { return *cmp.Or(value, &otherwise) }
