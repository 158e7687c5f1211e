package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
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
)

// How often the counts of keys are written down, and expired entries removed.
const (
	flushEvery = time.Second
	sweepEvery = time.Minute
	sweepBatch = 500
)

// settings are the flags of serve after they have been understood.
type settings struct {
	baseURL *url.URL
	proxies []netip.Prefix
	static  []string
}

// Run serves until ctx ends, and then lets the requests in flight finish.
func (c serve) Run(ctx context.Context, p process, storeURL string) (err error) {
	set, err := c.settings(p.getenv)
	if err != nil {
		return usageError{err}
	}
	backend, err := openBackend(ctx, storeURL, false)
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
	return c.serve(ctx, p, listener, backend, ring, set)
}

// serve runs the server and what belongs to it, and ends it in order: requests,
// then the keepers of the store.
func (c serve) serve(ctx context.Context, p process, listener net.Listener, backend store.Backend, ring *apikey.Ring, set settings) error {
	log := c.logger(p)
	limiter := ratelimit.NewLocal(backend, ratelimit.Limits{PerMinute: c.RateMinute, PerDay: c.RateDay})
	requests, cutOff := context.WithCancel(context.WithoutCancel(ctx))
	defer cutOff()
	server := &http.Server{
		Handler: httpapi.New(httpapi.Options{
			Shares: share.New(backend, share.Options{}), Keys: ring, Limiter: limiter,
			BaseURL: set.baseURL, TrustedProxies: set.proxies,
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
	go func() { kept <- keep(keeping, log, backend, ring, limiter) }()

	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	var err error
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

// keep writes counts down and sweeps until ctx ends, and writes once more then.
func keep(ctx context.Context, log *slog.Logger, backend store.Backend, ring *apikey.Ring, limiter *ratelimit.Local) error {
	flush, sweep := time.NewTicker(flushEvery), time.NewTicker(sweepEvery)
	defer flush.Stop()
	defer sweep.Stop()
	for {
		select {
		case <-ctx.Done():
			last := context.WithoutCancel(ctx)
			return errors.Join(limiter.Flush(last, time.Now()), ring.Flush(last))
		case now := <-flush.C:
			if err := errors.Join(limiter.Flush(ctx, now), ring.Flush(ctx)); err != nil && ctx.Err() == nil {
				log.Warn("counts not written, will be with the next", "error", err)
			}
		case <-sweep.C:
			if err := sweepAll(ctx, backend); err != nil && ctx.Err() == nil {
				log.Warn("expired entries not removed, will be with the next", "error", err)
			}
		}
	}
}

func sweepAll(ctx context.Context, backend store.Backend) error {
	for {
		n, err := backend.Sweep(ctx, sweepBatch)
		if err != nil || n < sweepBatch {
			return err
		}
	}
}

// greet says where the server is. If nothing can open it yet, it makes a key
// and shows it with a line to try.
func greet(ctx context.Context, p process, addr net.Addr, storeURL string, ring *apikey.Ring) error {
	base := "http://" + reachable(addr)
	_, _ = fmt.Fprintf(p.stdout, "Devkiln listens on %s and keeps its data in %s\n", base, storeURL)
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

// settings understands the flags that are more than a number.
func (c serve) settings(getenv func(string) string) (settings, error) {
	var set settings
	if c.RateMinute < 0 || c.RateDay < 0 {
		return set, errors.New("--rate-minute and --rate-day must not be negative")
	}
	if c.BaseURL != "" {
		u, err := url.Parse(c.BaseURL)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
			return set, fmt.Errorf("--base-url %q must be http:// or https:// with a host, and nothing behind the path", c.BaseURL)
		}
		set.baseURL = u
	}
	for _, text := range c.TrustedProxies {
		prefix, err := parsePrefix(strings.TrimSpace(text))
		if err != nil {
			return set, fmt.Errorf("--trusted-proxies %q must be an address or a CIDR such as 10.0.0.0/8", text)
		}
		set.proxies = append(set.proxies, prefix)
	}
	for key := range strings.SplitSeq(getenv("DEVKILN_API_KEYS"), ",") {
		if key = strings.TrimSpace(key); key != "" {
			set.static = append(set.static, key)
		}
	}
	return set, nil
}

func parsePrefix(text string) (netip.Prefix, error) {
	if prefix, err := netip.ParsePrefix(text); err == nil {
		return prefix.Masked(), nil
	}
	addr, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Prefix{}, err
	}
	return addr.Prefix(addr.BitLen())
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
