package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"runtime/debug"
	"time"

	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/dashboard"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/httpapi/usage"
	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// serve is the command that runs the server.
type serve struct {
	Listen         string        `default:"127.0.0.1:8080" help:"The address to listen on."`
	BaseURL        string        `name:"base-url" placeholder:"URL" help:"Where the service is reached from outside, for the links it makes. Default: the host of each request."`
	RateMinute     int           `default:"100"            help:"Requests per key in any 60 seconds; 0 is no limit."`
	RateDay        int           `default:"10000"          help:"Requests per key and UTC day; 0 is no limit."`
	TrustedProxies []string      `placeholder:"CIDR"       help:"Proxies whose X-Forwarded-For, -Host and -Proto are believed: addresses or CIDRs, comma-separated."`
	MaxExpiry      string        `placeholder:"30d"  help:"The longest life of a share; a longer wish, never included, is shortened to it."`
	MaxStoreBytes  int64         `placeholder:"BYTES" help:"The largest size of the store. When it is full, creating answers 503 until there is room again."`
	MaskSecrets    bool          `help:"Mask passwords, keys and tokens in logs and snippets before they are stored. What was sent is then kept nowhere."`
	TLSCert        string        `name:"tls-cert" type:"existingfile" placeholder:"FILE" help:"A certificate in PEM with its chain, to serve HTTPS."`
	TLSKey         string        `name:"tls-key"  type:"existingfile" placeholder:"FILE" help:"The key of the certificate in PEM."`
	MetricsListen  string        `placeholder:"ADDRESS" help:"Serve Prometheus metrics on this address, to everybody who reaches it. Default: nowhere."`
	DrainDelay     time.Duration `default:"0s" help:"How long to go on serving after SIGTERM, while /readyz answers 503, until load balancers have noticed."`
	LogFormat      string        `default:"text" enum:"text,json" help:"How the log on stderr is written: text or json."`
	AccessLog      bool          `default:"true" negatable:"" help:"Log every request, a tenth of a second late at most."`
}

// How long the server waits for its clients.
const (
	readTimeout  = 5 * time.Second // for a header, and a body unless its handler gives it more
	idleTimeout  = 2 * time.Minute
	writeTimeout = 3 * time.Minute // from the header on: a slow body, the work, a slow reader
	drainTime    = 20 * time.Second
	maxHeader    = 32 << 10

	pagesPerMinute = 300 // requests of one address for pages
)

// Run serves until ctx ends, and then lets the requests in flight finish.
func (c serve) Run(ctx context.Context, command *kong.Context, p process, storeURL string) (err error) {
	set, err := c.settings(p.env)
	if err != nil {
		return usageError{err}
	}
	if set.inForce, err = inForce(p.env, command, set); err != nil {
		return usageError{err}
	}
	defer collectLess()()
	backend, err := openBackend(ctx, storeURL, backendOptions{maxBytes: c.MaxStoreBytes})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, backend.Close()) }()
	ring, err := apikey.New(backend, set.static...)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return usageError{fmt.Errorf("--listen %s: %w", c.Listen, plainNetError(err))}
	}
	listener = secure(deadlines(listener), set.certificate)
	if err := c.greet(ctx, p, listener.Addr(), storeURL, ring); err != nil {
		return errors.Join(err, listener.Close())
	}
	if err := c.openDashboard(ctx, p, backend, set, listener.Addr()); err != nil {
		return errors.Join(err, listener.Close())
	}
	return c.serve(ctx, p, service{listener, backend, ring, set})
}

// garbage is how much garbage there may be beside what is live, in percent of
// that. A server has little live memory and much garbage: twice Go's default
// takes a few MB and saves a few percent of the processor.
const garbage = 200

// collectLess makes garbage collection rarer, unless GOGC says how often it
// should be, and returns what takes that back.
func collectLess() (undo func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(garbage)
	return func() { debug.SetGCPercent(before) }
}

// service is what a server is made of, open and checked.
type service struct {
	listener net.Listener
	backend  store.Backend
	ring     *apikey.Ring
	set      settings
}

// secure puts TLS over a listener if there is a certificate.
func secure(listener net.Listener, certificate *tls.Certificate) net.Listener {
	if certificate == nil {
		return listener
	}
	return tls.NewListener(listener, &tls.Config{
		Certificates: []tls.Certificate{*certificate},
		NextProtos:   []string{"h2", "http/1.1"},
	})
}

// serve runs the server and what belongs to it, and ends it in order: requests,
// then the keepers of the store, then the metrics.
func (c serve) serve(ctx context.Context, p process, s service) (err error) {
	logs := c.logs(p)
	defer logs.flush()
	log := logs.events
	if text := doubt(s.set.certificate, time.Now()); text != "" {
		log.WarnContext(ctx, "clients will not accept this server", "reason", text)
	}
	backend, measured, err := c.measure(ctx, s.backend, log)
	if err != nil {
		return errors.Join(err, s.listener.Close())
	}
	defer func() { err = errors.Join(err, measured.close()) }()
	handler, write, err := c.assemble(ctx, s, backend, measured, logs)
	if err != nil {
		return errors.Join(err, s.listener.Close())
	}
	keeping, stopKeeping := context.WithCancel(context.WithoutCancel(ctx))
	kept := make(chan error, 1)
	go func() { kept <- keep(keeping, log, backend, write) }()
	err = c.answer(ctx, s.listener, handler, log)
	stopKeeping()
	return errors.Join(err, <-kept)
}

// assemble puts the parts of the service together: what answers requests, and
// what writes down their counts.
func (c serve) assemble(ctx context.Context, s service, backend store.Backend, m measured, logs logs) (
	handler http.Handler, write func(context.Context, time.Time) error, err error,
) {
	log := logs.events
	limits := ratelimit.Limits{PerMinute: c.RateMinute, PerDay: c.RateDay}
	local := ratelimit.NewLocal(backend, limits)
	limiter, err := newLimiter(s.backend, local, m, log)
	if err != nil {
		return nil, nil, usageError{err}
	}
	visitors := ratelimit.NewLocal(backend, ratelimit.Limits{PerMinute: pagesPerMinute})
	shares := share.New(backend, share.Options{MaxExpiry: s.set.maxExpiry, List: backend, MaskSecrets: c.MaskSecrets})
	counter := usage.New(backend)
	panel, err := dashboard.New(dashboard.Options{
		Backend: s.backend, Keys: s.ring, Usage: counter, Shares: shares, Settings: s.set.inForce, Limits: limits, Limiter: m.limiter(limiter),
		BaseURL: s.set.baseURL, Origin: s.set.proxies.Origin, ClientAddr: s.set.proxies.ClientAddr, Log: log,
	})
	if err != nil {
		return nil, nil, err
	}
	pages, err := web.New(web.Options{
		Shares: shares, BaseURL: s.set.baseURL, Limiter: visitors, Dashboard: panel, Log: log,
		Origin: s.set.proxies.Origin, ClientAddr: s.set.proxies.ClientAddr,
	})
	if err != nil {
		return nil, nil, err
	}
	handler = httpapi.New(httpapi.Options{
		Shares: shares, Keys: s.ring, Limiter: m.limiter(limiter), Pages: pages, Usage: counter,
		BaseURL: s.set.baseURL, TrustedProxies: s.set.proxies,
		Ready:   readiness(backend),
		Leaving: func() bool { return ctx.Err() != nil },
		Observe: m.observe(),
		Log:     log, AccessLog: logs.access,
	})
	return handler, func(ctx context.Context, now time.Time) error {
		return errors.Join(local.Flush(ctx, now), visitors.Flush(ctx, now), s.ring.Flush(ctx), counter.Flush(ctx))
	}, nil
}

// answer serves until ctx ends. From then on /readyz says so, and whoever sends
// requests here has the drain delay to notice; then the listener closes, and the
// requests in flight finish.
func (c serve) answer(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger) error {
	requests, cutOff := context.WithCancel(context.WithoutCancel(ctx))
	defer cutOff()
	server := c.server(requests, log, handler)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	log.Info("draining", "delay", c.DrainDelay, "at_most", drainTime)
	select {
	case err := <-served:
		return err
	case <-time.After(c.DrainDelay):
		return drain(server, cutOff)
	}
}

// server is the HTTP server around a handler. Its requests end with ctx at the
// latest.
func (c serve) server(ctx context.Context, log *slog.Logger, handler http.Handler) *http.Server {
	return &http.Server{
		Handler:        handler,
		ReadTimeout:    readTimeout,
		IdleTimeout:    idleTimeout,
		WriteTimeout:   writeTimeout,
		MaxHeaderBytes: maxHeader,
		ErrorLog:       slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		BaseContext:    func(net.Listener) context.Context { return ctx },
	}
}

// readiness reports an error while the store does not answer.
func readiness(backend store.Store) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := backend.Get(ctx, "ready")
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		return err
	}
}

// drain stops accepting and waits for the requests in flight. Those that are
// not done in time are cut off.
func drain(server *http.Server, cutOff context.CancelFunc) error {
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	err := server.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		cutOff()
		return server.Close()
	}
	return err
}

// greet says where the server is. If nothing can open it yet, it makes a key
// and shows it with a line to try.
func (c serve) greet(ctx context.Context, p process, addr net.Addr, storeURL string, ring *apikey.Ring) error {
	base := c.scheme() + reachable(addr)
	_, _ = fmt.Fprintf(p.stdout, "Devkiln listens on %s and keeps its data in %s\n", base, withoutPassword(storeURL))
	now := time.Now()
	empty, err := ring.Empty(ctx, now)
	if err != nil || !empty {
		return err
	}
	secret, _, err := ring.Issue(ctx, "first key", now, time.Time{})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, `
This is its first key. It is shown only now:

  %s

Try it:

  curl -s %s/api/v1/slug-generator -H 'X-API-Key: %s' -H 'Content-Type: application/json' -d '{"text":"Hello, Wörld & friends"}'

`, secret, base, secret)
	return err
}

func (c serve) scheme() string {
	if c.TLSCert != "" {
		return "https://"
	}
	return "http://"
}

// reachable returns an address that a client on this machine can use: an
// unspecified host becomes the loopback one.
func reachable(addr net.Addr) string {
	a, err := netip.ParseAddrPort(addr.String())
	if err != nil || !a.Addr().IsUnspecified() {
		return addr.String()
	}
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), a.Port()).String()
}

// plainNetError returns the cause of a network error without the address, which
// is told already.
func plainNetError(err error) error {
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err
	}
	return err
}
