package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/dashboard"
	"github.com/devkiln/devkiln/httpapi/metrics"
	"github.com/devkiln/devkiln/httpapi/server"
)

// serve is the command that runs the server.
type serve struct {
	Listen         string        `variable:"" address:"" default:"127.0.0.1:8080" help:"The address to listen on: HOST:PORT, unix:PATH, or systemd: for the socket that systemd has opened."`
	BaseURL        string        `variable:"" name:"base-url" placeholder:"URL" help:"Where the service is reached from outside, for the links it makes. Default: the host of each request."`
	RateMinute     int           `variable:"" default:"${rate_minute}" help:"Requests per key in any 60 seconds; 0 is no limit."`
	RateDay        int           `variable:"" default:"${rate_day}"    help:"Requests per key and UTC day; 0 is no limit."`
	TrustedProxies []string      `variable:"" placeholder:"CIDR"       help:"Proxies whose X-Forwarded-For, -Host and -Proto are believed: addresses or CIDRs, comma-separated."`
	UserHeader     string        `variable:"" placeholder:"FIELD" help:"The header field in which a trusted proxy names whom it has signed in, such as Remote-User. They get keys and see shares of their own at /dashboard. The proxy must set or remove it in every request."`
	AdminUsers     []string      `variable:"" placeholder:"NAME" help:"The users of --user-header who may do what the admin password opens, comma-separated."`
	NoPassword     bool          `variable:"" help:"Have no admin password: only whom the proxy of --user-header has signed in sees the dashboard."`
	CORSOrigins    []string      `variable:"" name:"cors-origins" placeholder:"ORIGIN" help:"Pages of these origins may call the API from a browser: https://app.example, comma-separated; * is all. Default: none."`
	MCP            bool          `variable:"" name:"mcp" help:"Serve the Model Context Protocol, for agents, at POST /mcp behind the keys."`
	MaxExpiry      string        `variable:"" placeholder:"30d"  help:"The longest life of a share; a longer one, never included, is shortened to it."`
	MaxStoreBytes  int64         `variable:"" placeholder:"BYTES" help:"The largest size of the store. When it is full, creating fails with 503 until there is room again."`
	MaxLogBytes    int64         `variable:"" default:"33554432" placeholder:"BYTES" help:"The largest log that devkiln log, POST /logs and the page /new take; the JSON operation takes 500,000 characters."`
	PublicSharing  bool          `variable:"" help:"Let everybody share on the page /new without a key, as much as a key may and for 30 days at most."`
	LinkPreviews   string        `variable:"" default:"facts" enum:"facts,picture,off" help:"What chats show of a share whose link is posted: facts (its title, lines, size, errors), picture (facts, and its first lines or those about its first error) or off."`
	EmbedOrigins   []string      `variable:"" placeholder:"ORIGIN" help:"Pages of these origins may show snippets in a frame: https://wiki.example, comma-separated; * is all. Default: none."`
	MaskSecrets    bool          `variable:"" help:"Mask passwords, keys and tokens in logs and snippets before they are stored. What was sent is then kept nowhere."`
	TLSCert        string        `variable:"" address:"" name:"tls-cert" type:"existingfile" placeholder:"FILE" help:"A certificate in PEM with its chain, to serve HTTPS."`
	TLSKey         string        `variable:"" name:"tls-key"  type:"existingfile" placeholder:"FILE" help:"The key of the certificate in PEM."`
	MetricsListen  string        `variable:"" placeholder:"ADDRESS" help:"Serve Prometheus metrics on this address, to everybody who reaches it. Default: nowhere."`
	DrainDelay     time.Duration `variable:"" default:"0s" help:"How long to go on serving after SIGTERM, while /readyz returns 503, until load balancers have noticed."`
	Fonts          []string      `variable:"" placeholder:"DIR" help:"Files or folders of fonts for what the embedded font of pictures lacks: Chinese, Arabic, emoji."`
	Pictures       string        `variable:"" default:"on" enum:"on,off" help:"Draw logs and snippets at their links with .png or .svg behind them: on or off."`
	Themes         string        `variable:"" placeholder:"DIR" help:"A folder of themes for pictures, .json of VS Code and .xml of chroma, which ?theme= names without their extension."`
	SystemFonts    bool          `variable:"" default:"true" negatable:"" help:"Use the fonts of the system for what is lacking still, where it has any."`
	MaxMemory      int64         `variable:"" placeholder:"BYTES" help:"How many bytes all requests may hold at a time; beyond it they get 503. Default: 40 % of GOMEMLIMIT, which is 70 % of a container's memory unless it is set; 256 MiB without a container."`
	LogFormat      string        `variable:"" default:"text" enum:"text,json" help:"How the log on stderr is written: text or json."`
	AccessLog      bool          `variable:"" default:"true" negatable:"" help:"Log every request."`
}

// Run serves until ctx ends, and then lets the requests in flight finish.
func (c serve) Run(ctx context.Context, command *kong.Context, p process, storeURL string) (err error) {
	set, err := c.settings(p.env)
	if err != nil {
		return usageError{err}
	}
	set.Log, set.AccessLog = c.loggers(p.stderr)
	set.limitMemory(ctx)
	if set.Settings, err = effectiveSettings(p.env, command, set); err != nil {
		return usageError{err}
	}
	if c.SystemFonts {
		set.addSystemFonts(ctx)
	}
	set.warn(ctx)
	defer set.reloadOnHangup()()
	backend, err := openBackend(ctx, storeURL, backendOptions{maxBytes: c.MaxStoreBytes})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, backend.Close()) }()
	set.Backend = backend
	if set.Keys, err = apikey.New(backend, set.staticKeys...); err != nil {
		return err
	}
	if c.MetricsListen != "" {
		set.Metrics = metrics.New(version())
		if set.MetricsListener, err = listen(ctx, "--metrics-listen", c.MetricsListen); err != nil {
			return err
		}
		set.Log.Info("metrics", "address", reached(set.MetricsListener.Addr(), false).base+"/metrics")
	}
	return c.serve(ctx, p, set, storeURL)
}

// serve listens, says where, and serves.
func (c serve) serve(ctx context.Context, p process, set settings, storeURL string) error {
	s, err := server.New(set.Options)
	if err != nil {
		return usageError{asFlags(err)}
	}
	listener, err := listen(ctx, "--listen", c.Listen)
	if err != nil {
		return err
	}
	if err := c.greet(ctx, p, s, set, listener.Addr(), storeURL); err != nil {
		return errors.Join(err, listener.Close())
	}
	return s.Serve(ctx, listener)
}

// loggers returns the log of events, and that of requests, which is nil if
// nobody wants it.
func (c serve) loggers(stderr io.Writer) (events, access *slog.Logger) {
	var handler slog.Handler = slog.NewTextHandler(stderr, nil)
	if c.LogFormat == "json" {
		handler = slog.NewJSONHandler(stderr, nil)
	}
	events = slog.New(handler)
	if c.AccessLog {
		access = events
	}
	return events, access
}

// greet says where the server is. What nobody can open yet, it makes a key for
// and shows it with a line to try, and a link to set the password.
func (c serve) greet(ctx context.Context, p process, s *server.Server, set settings, addr net.Addr, storeURL string) error {
	at := reached(addr, c.TLSCert != "")
	_, _ = fmt.Fprintf(p.stdout, "Devkiln listens on %s and keeps its data in %s\n", at, withoutPassword(storeURL))
	made, err := s.Bootstrap(ctx)
	if err != nil {
		return err
	}
	if made.Key != "" {
		_, _ = fmt.Fprintf(p.stdout, `
This is its first key. It is shown only now:

  %s

Try it:

  curl -s %s%s/api/v1/slug-generator -H 'X-API-Key: %s' -H 'Content-Type: application/json' -d '{"text":"Hello, Wörld & friends"}'

`, made.Key, at.curl, at.base, made.Key)
	}
	if made.SetupToken == "" {
		return nil
	}
	base := at.base
	if set.BaseURL != nil {
		base = strings.TrimRight(set.BaseURL.String(), "/")
	}
	_, err = fmt.Fprintf(p.stdout, `Set the password of the dashboard here, once, within %d minutes:

  %s/dashboard/setup?token=%s

`, int(dashboard.SetupLife.Minutes()), base, made.SetupToken)
	return err
}
