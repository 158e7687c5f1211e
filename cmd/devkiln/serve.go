package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
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
	Listen         string   `default:"127.0.0.1:8080" help:"The address to listen on."`
	BaseURL        string   `name:"base-url" placeholder:"URL" help:"Where the service is reached from outside, for the links it makes. Default: the host of each request."`
	RateMinute     int      `default:"100"            help:"Requests per key in any 60 seconds; 0 is no limit."`
	RateDay        int      `default:"10000"          help:"Requests per key and UTC day; 0 is no limit."`
	TrustedProxies []string `placeholder:"CIDR"       help:"Proxies whose X-Forwarded-For, -Host and -Proto are believed: addresses or CIDRs, comma-separated."`
	MaxExpiry      string   `placeholder:"30d"  help:"The longest life of a share; a longer wish, never included, is shortened to it."`
	MaxStoreBytes  int64    `placeholder:"BYTES" help:"The largest size of a SQLite store. When it is full, creating answers 503 until there is room again."`
	LogFormat      string   `default:"text" enum:"text,json" help:"How the log on stderr is written: text or json."`
	AccessLog      bool     `default:"true" negatable:"" help:"Log every request."`
}

// How long the server waits for its clients.
const (
	headerTimeout = 5 * time.Second
	idleTimeout   = 2 * time.Minute
	writeTimeout  = 3 * time.Minute // from the header on: a slow body, the work, a slow reader
	drainTime     = 20 * time.Second
	maxHeader     = 32 << 10

	pagesPerMinute = 300 // requests of one address for pages
)

// Run serves until ctx ends, and then lets the requests in flight finish.
func (c serve) Run(ctx context.Context, command *kong.Context, p process, storeURL string) (err error) {
	set, err := c.settings(p.getenv)
	if err != nil {
		return usageError{err}
	}
	set.inForce = inForce(command, p.getenv, set)
	backend, err := openBackend(ctx, storeURL, backendOptions{maxBytes: c.MaxStoreBytes})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, backend.Close()) }()
	ring, err := apikey.New(backend, set.static...)
	if err != nil {
		return usageError{fmt.Errorf("DEVKILN_API_KEYS: %w", err)}
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return usageError{fmt.Errorf("--listen %s: %w", c.Listen, plainNetError(err))}
	}
	if err := greet(ctx, p, listener.Addr(), storeURL, ring); err != nil {
		return errors.Join(err, listener.Close())
	}
	if err := openDashboard(ctx, p, backend, set, "http://"+reachable(listener.Addr())); err != nil {
		return errors.Join(err, listener.Close())
	}
	return c.serve(ctx, p, listener, backend, ring, set)
}

// serve runs the server and what belongs to it, and ends it in order: requests,
// then the keepers of the store.
func (c serve) serve(ctx context.Context, p process, listener net.Listener, backend store.Backend, ring *apikey.Ring, set settings) error {
	log := c.logger(p)
	local := ratelimit.NewLocal(backend, ratelimit.Limits{PerMinute: c.RateMinute, PerDay: c.RateDay})
	limiter, err := newLimiter(backend, local, log)
	if err != nil {
		return usageError{err}
	}
	visitors := ratelimit.NewLocal(backend, ratelimit.Limits{PerMinute: pagesPerMinute})
	shares := share.New(backend, share.Options{MaxExpiry: set.maxExpiry, List: backend})
	counter := usage.New(backend)
	panel, err := dashboard.New(dashboard.Options{
		Backend: backend, Keys: ring, Usage: counter, Shares: shares, Settings: set.inForce,
		Limits:  ratelimit.Limits{PerMinute: c.RateMinute, PerDay: c.RateDay},
		BaseURL: set.baseURL, Origin: set.proxies.Origin, ClientAddr: set.proxies.ClientAddr, Log: log,
	})
	if err != nil {
		return err
	}
	pages, err := web.New(web.Options{
		Shares: shares, BaseURL: set.baseURL, Limiter: visitors, ClientAddr: set.proxies.ClientAddr, Log: log, Dashboard: panel,
	})
	if err != nil {
		return err
	}
	requests, cutOff := context.WithCancel(context.WithoutCancel(ctx))
	defer cutOff()
	server := &http.Server{
		Handler: httpapi.New(httpapi.Options{
			Shares: shares, Keys: ring, Limiter: limiter,
			BaseURL: set.baseURL, TrustedProxies: set.proxies, Pages: pages, Usage: counter,
			Log: log, AccessLog: c.accessLog(log),
		}),
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		WriteTimeout:      writeTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		BaseContext:       func(net.Listener) context.Context { return requests },
	}
	keeping, stopKeeping := context.WithCancel(context.WithoutCancel(ctx))
	kept := make(chan error, 1)
	go func() {
		kept <- keep(keeping, log, backend, func(ctx context.Context, now time.Time) error {
			return errors.Join(local.Flush(ctx, now), visitors.Flush(ctx, now), ring.Flush(ctx), counter.Flush(ctx))
		})
	}()

	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err = <-served:
	case <-ctx.Done():
		log.Info("draining", "at_most", drainTime)
		err = drain(server, cutOff)
	}
	stopKeeping()
	return errors.Join(err, <-kept)
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
func greet(ctx context.Context, p process, addr net.Addr, storeURL string, ring *apikey.Ring) error {
	base := "http://" + reachable(addr)
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

// reachable returns an address that a client on this machine can use: an
// unspecified host becomes the loopback one.
func reachable(addr net.Addr) string {
	a, err := netip.ParseAddrPort(addr.String())
	if err != nil || !a.Addr().IsUnspecified() {
		return addr.String()
	}
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), a.Port()).String()
}

func (c serve) logger(p process) *slog.Logger {
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(p.stderr, nil))
	}
	return slog.New(slog.NewTextHandler(p.stderr, nil))
}

func (c serve) accessLog(log *slog.Logger) *slog.Logger {
	if !c.AccessLog {
		return nil
	}
	return log
}

// plainNetError returns the cause of a network error without the address, which
// is told already.
func plainNetError(err error) error {
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err
	}
	return err
}
