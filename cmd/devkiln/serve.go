package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/dashboard"
	"github.com/devkiln/devkiln/httpapi/metrics"
	"github.com/devkiln/devkiln/httpapi/server"
	"github.com/devkiln/devkiln/store"
)

// address is where the server listens.
type address struct {
	Listen  string `variable:"" default:"127.0.0.1:8080" help:"The address to listen on: HOST:PORT or unix:PATH."`
	TLSCert string `variable:"" name:"tls-cert" type:"existingfile" placeholder:"FILE" help:"A PEM file with a certificate and its chain, to serve HTTPS."`
}

// serve is the command that runs the server.
type serve struct {
	address

	TLSKey         string        `variable:"" name:"tls-key"  type:"existingfile" placeholder:"FILE" help:"A PEM file with the key of the certificate."`
	BaseURL        *url.URL      `variable:"" name:"base-url" placeholder:"URL" help:"The public URL of the service, for the links it creates. Default: the host of each request."`
	RateMinute     int           `variable:"" default:"${rate_minute}" help:"Requests per key in any 60 seconds; 0 means no limit."`
	RateDay        int           `variable:"" default:"${rate_day}"    help:"Requests per key and UTC day; 0 means no limit."`
	TrustedProxies []proxy       `variable:"" placeholder:"CIDR"       help:"Proxies whose X-Forwarded-For, -Host and -Proto are trusted: addresses or CIDRs, comma-separated."`
	UserHeader     string        `variable:"" placeholder:"FIELD" help:"The header field in which a trusted proxy names the user it has signed in, such as Remote-User. Users get keys and see their own shares at /dashboard. The proxy must set or remove the field in every request."`
	AdminUsers     []string      `variable:"" placeholder:"NAME" help:"The users of --user-header with the rights of the admin password, comma-separated."`
	NoPassword     bool          `variable:"" help:"Disable the admin password: only users signed in by the proxy of --user-header see the dashboard."`
	CORSOrigins    []string      `variable:"" name:"cors-origins" placeholder:"ORIGIN" help:"Pages of these origins may call the API from a browser: https://app.example, comma-separated; * means all. Default: none."`
	BearerTokens   bool          `variable:"" help:"Also take keys from Authorization: Bearer KEY, in requests without X-API-Key."`
	MCP            bool          `variable:"" name:"mcp" help:"Serve the Model Context Protocol, for agents, at POST /mcp to callers whose key has all scopes."`
	MaxExpiry      lifetime      `variable:"" placeholder:"30d"  help:"The longest life of a share; a longer one, including never, is shortened to it."`
	MaxStoreBytes  byteSize      `variable:"" placeholder:"BYTES" help:"The maximum size of the store, at least 1000000; the write-ahead log of SQLite takes about 16 MiB more. When it is full, creating fails with 503 until there is room again."`
	MaxLogBytes    byteSize      `variable:"" default:"33554432" placeholder:"BYTES" help:"The largest log that devkiln log, POST /logs and the start page accept; the JSON operation accepts 500,000 characters. At least 2000000; a smaller value counts as that. Default: 32 MiB."`
	PublicSharing  bool          `variable:"" help:"Let anyone share on the start page without a key, with the limits of a key and for at most 30 days."`
	LinkPreviews   string        `variable:"" default:"facts" enum:"facts,picture,off" help:"What chats show of a share whose link is posted: facts (its title, lines, size, errors), picture (the facts, and its first lines or those around its first error) or off."`
	EmbedOrigins   []string      `variable:"" placeholder:"ORIGIN" help:"Pages of these origins may show snippets in a frame: https://wiki.example, comma-separated; * means all. Default: none."`
	MaskSecrets    bool          `variable:"" help:"Mask what is written as a password, key or token in logs and snippets before they are stored. The original text is not stored."`
	MetricsListen  string        `variable:"" placeholder:"ADDRESS" help:"Serve Prometheus metrics on this address, to anyone who can reach it. Default: none."`
	DrainDelay     time.Duration `variable:"" default:"0s" help:"How long to continue serving after SIGTERM, while /readyz returns 503, so that load balancers notice."`
	Fonts          []string      `variable:"" placeholder:"DIR" help:"Font files, or directories of them, for characters that the embedded font of pictures lacks: Chinese, Arabic, emoji."`
	Pictures       string        `variable:"" default:"on" enum:"on,off" help:"Serve pictures of logs and snippets at their links with .png appended, of snippets also with .svg: on or off."`
	Themes         string        `variable:"" placeholder:"DIR" help:"A directory of themes for pictures: VS Code .json and chroma .xml files, which ?theme= names without the extension."`
	SystemFonts    bool          `variable:"" default:"true" negatable:"" help:"Use the fonts of the system, if any, for characters that are still missing."`
	MaxMemory      byteSize      `variable:"" placeholder:"BYTES" help:"How many bytes all requests together may hold; requests beyond it get 503. Default: 40 % of GOMEMLIMIT, which is 70 % of a container's memory unless it is set; 256 MiB without a container."`
	LogFormat      string        `variable:"" default:"text" enum:"text,json" help:"The format of the log on stderr, and of what the start prints on stdout: text or json."`
	AccessLog      bool          `variable:"" default:"true" negatable:"" help:"Log every request."`
}

// Run serves until ctx ends and lets requests in flight finish.
func (c serve) Run(ctx context.Context, command *kong.Context, p process, storeURL string) (err error) {
	set, err := c.settings(p.env)
	if err != nil {
		return usageError{err}
	}
	set.Log = slog.New(slog.NewTextHandler(p.stderr, nil))
	if c.LogFormat == "json" {
		set.Log = slog.New(slog.NewJSONHandler(p.stderr, nil))
	}
	if c.AccessLog {
		set.AccessLog = set.Log
	}
	set.limitMemory(ctx)
	if set.Settings, err = effectiveSettings(p.env, command, set); err != nil {
		return usageError{err}
	}
	if c.SystemFonts {
		set.addSystemFonts(ctx)
	}
	if set.warning != "" {
		set.Log.WarnContext(ctx, "clients will not accept this server", "reason", set.warning)
	}
	signal.Ignore(syscall.SIGHUP) // the certificate is read again every ten seconds
	early, err := listen(ctx, "--listen", c.Listen)
	if err != nil {
		return err // before the store, for which a server may wait for long
	}
	_ = early.Close()
	backend, err := openWhenReachable(ctx, set.Log, storeURL, backendOptions{maxBytes: int64(c.MaxStoreBytes)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, backend.Close()) }()
	if path, ok := sqlitePath(storeURL); ok {
		removePartial(set.Log, path)
	}
	set.Backend = backend
	if set.Keys, err = apikey.New(backend, set.staticKeys...); err != nil {
		return err
	}
	return c.serve(ctx, p, set, storeURL)
}

// serve opens the listeners, prints the address and serves.
func (c serve) serve(ctx context.Context, p process, set settings, storeURL string) (err error) {
	if c.MetricsListen != "" {
		set.Metrics = metrics.New(version())
		if set.MetricsListener, err = listen(ctx, "--metrics-listen", c.MetricsListen); err != nil {
			return err
		}
		set.Log.Info("metrics", "address", baseOf(set.MetricsListener.Addr(), false)+"/metrics")
	}
	s, err := server.New(set.Options)
	if err != nil {
		return usageError{asFlags(err)}
	}
	listener, err := listen(ctx, "--listen", c.Listen)
	if err != nil {
		return err
	}
	if err := c.announce(ctx, p, s, set, listener.Addr(), storeURL); err != nil {
		return errors.Join(err, listener.Close())
	}
	return s.Serve(ctx, listener)
}

// announce prints the server's address once the store has responded. If there is
// no key or no password yet, it also prints a new key or a link for setting the
// password.
func (c serve) announce(ctx context.Context, p process, s *server.Server, set settings, addr net.Addr, storeURL string) error {
	key, setupToken, err := s.Bootstrap(ctx)
	if err != nil {
		return err
	}
	base := baseOf(addr, c.TLSCert != "")
	shown, curl := base, ""
	if addr.Network() == "unix" {
		shown, curl = c.Listen, "--unix-socket "+addr.String()+" "
	}
	public := base
	if set.BaseURL != nil {
		public = strings.TrimRight(set.BaseURL.String(), "/")
	}
	if c.TLSCert != "" {
		base = public // which the certificate names
	}
	if c.LogFormat == "json" {
		slog.New(slog.NewJSONHandler(p.stdout, nil)).InfoContext(ctx, "listening", "address", shown, "store", withoutPassword(storeURL), "first_key", key, "setup_token", setupToken)
		return nil
	}
	_, _ = fmt.Fprintf(p.stdout, "Devkiln listens on %s and keeps its data in %s\n", shown, withoutPassword(storeURL))
	if key != "" {
		_, _ = fmt.Fprintf(p.stdout, `
This is its first key. It is not shown again:

  %s

Try it:

  curl -s %s%s/api/v1/slug-generator -H 'X-API-Key: %s' -H 'Content-Type: application/json' -d '{"text":"Hello, Wörld & friends"}'
`, key, curl, base, key)
	}
	if setupToken == "" {
		return nil
	}
	return p.print(`
Set the password of the dashboard here, once, within %d minutes:

  %s/dashboard/setup?token=%s

`, int(dashboard.SetupLife.Minutes()), public, setupToken)
}

const unixPrefix = "unix:"

// listen opens a listener on the address of a flag: HOST:PORT or unix:PATH.
func listen(ctx context.Context, flag, address string) (listener net.Listener, err error) {
	path, isUnix := strings.CutPrefix(address, unixPrefix)
	if !isUnix {
		listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	} else if err = removeStale(ctx, path); err == nil {
		listener, err = (&net.ListenConfig{}).Listen(ctx, "unix", path)
	}
	if err == nil {
		if isUnix {
			_ = os.Chmod(path, 0o660) // so that a proxy of the group can connect; a socket without a file has no mode
		}
		return listener, nil
	}
	if bad, ok := errors.AsType[*net.AddrError](err); ok {
		return nil, usageError{fmt.Errorf("%s %s: must be HOST:PORT such as 127.0.0.1:8080, or unix:PATH: %s", flag, address, bad.Err)}
	}
	err = fmt.Errorf("%s %s: %w%s", flag, address, plainNetError(err), listenRemedy(flag, isUnix, err))
	if errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, syscall.EADDRNOTAVAIL) {
		return nil, err // it may be free or exist later, so that a supervisor tries again
	}
	return nil, usageError{err}
}

// listenRemedy returns what to do about an address that cannot be listened on,
// if that is known.
func listenRemedy(flag string, isUnix bool, err error) string {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return ": another program, perhaps another Devkiln, listens there; stop it, or choose another " + flag
	case errors.Is(err, syscall.EACCES) && !isUnix:
		return ": a port below 1024 needs the capability CAP_NET_BIND_SERVICE; docs/deploy.md says how, under Certificates"
	case errors.Is(err, fs.ErrNotExist) && isUnix:
		return ": create the folder first"
	}
	return ""
}

// removeStale removes the socket of a killed process, which refuses
// connections.
func removeStale(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSocket == 0 {
		return nil // Listen reports the error
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", path)
	if err == nil {
		return errors.Join(conn.Close(), syscall.EADDRINUSE)
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		return os.Remove(path)
	}
	return err
}

// baseOf returns the base URL at which clients on this machine reach an address.
func baseOf(addr net.Addr, isTLS bool) string {
	host := addr.String()
	if addr.Network() == "unix" {
		host = "localhost"
	} else if a, err := netip.ParseAddrPort(host); err == nil && a.Addr().IsUnspecified() {
		host = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), a.Port()).String()
	}
	if isTLS {
		return "https://" + host
	}
	return "http://" + host
}

// plainNetError returns the cause of a network error without the address.
func plainNetError(err error) error {
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err
	}
	return err
}

// healthcheck checks the server on this machine.
type healthcheck struct {
	address
	Ready bool `help:"Check whether the server is ready for requests: its store responds and it is not about to stop."`
}

// Run checks the server at the same address.
func (c healthcheck) Run(ctx context.Context, p process) error {
	network, at := "tcp", c.Listen
	if path, found := strings.CutPrefix(c.Listen, unixPrefix); found {
		network, at = "unix", path
	}
	target := baseOf(&net.UnixAddr{Net: "unix"}, c.TLSCert != "") + "/healthz" // at localhost
	if c.Ready {
		target = strings.ReplaceAll(target, "healthz", "readyz")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, http.NoBody)
	if err != nil {
		return err
	}
	// The certificate names the public host; this connects to the local port.
	probe := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, at)
		},
	}}
	response, err := probe.Do(request)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no server listens there", c.Listen)
	case errors.Is(err, http.ErrSchemeMismatch):
		return fmt.Errorf("%s does not use TLS: leave out --tls-cert", c.Listen)
	case err != nil:
		return fmt.Errorf("%s: %w", c.Listen, plainNetError(errors.Unwrap(err)))
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode == http.StatusBadRequest && len(response.Header) == 0 { // net/http's to a request without TLS
		return fmt.Errorf("%s uses TLS: give --tls-cert, as to the server", c.Listen)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s responds with %s", c.Listen, response.Status)
	}
	return p.print("ok\n")
}

// doctorCmd checks the server's environment.
type doctorCmd struct {
	serve
	JSON bool `name:"json" help:"Print check, severity, found and do of each check as JSON."`
}

// Run checks what a server with the same flags and variables would use.
func (c doctorCmd) Run(ctx context.Context, p process, storeURL string) error {
	set, err := c.settings(p.env)
	if err != nil {
		return usageError{err}
	}
	set.limitMemory(ctx)
	if c.SystemFonts {
		set.addSystemFonts(ctx)
	}
	setup := server.Setup{Options: set.Options, Listen: c.Listen, ListenError: c.tryListening(ctx)}
	if err := openForDoctor(ctx, &setup, storeURL); err != nil {
		return err
	}
	err = c.print(p, append(server.Diagnose(ctx, setup), c.checkLimit(ctx, setup.Backend)...))
	if setup.Backend != nil {
		err = errors.Join(err, setup.Backend.Close())
	}
	return err
}

// tryListening returns why a server cannot listen at the address, or nil if it
// can or already does.
func (c doctorCmd) tryListening(ctx context.Context) error {
	listener, err := listen(ctx, "--listen", c.Listen)
	if err == nil {
		return listener.Close()
	}
	if (healthcheck{address: c.address}).Run(ctx, process{stdout: io.Discard}) == nil {
		return nil
	}
	return err
}

// openForDoctor opens the store; a server may have it open too.
func openForDoctor(ctx context.Context, setup *server.Setup, storeURL string) error {
	if err := checkStoreURL(storeURL); err != nil {
		return usageError{err}
	}
	if path, ok := sqlitePath(storeURL); ok {
		setup.Folder = filepath.Dir(path)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return notTheService(storeURL)
		}
	}
	backend, err := openBackend(ctx, storeURL, backendOptions{companion: true})
	if setup.StoreError = err; err == nil {
		setup.Backend = backend
	}
	return nil
}

// checkLimit says how full a store with a limit is.
func (c doctorCmd) checkLimit(ctx context.Context, backend store.Backend) []server.Finding {
	if c.MaxStoreBytes == 0 || backend == nil {
		return nil
	}
	size, err := backend.Size(ctx)
	if err != nil {
		return nil // the check of the store says so
	}
	f := server.Finding{Check: "limit", Severity: "ok", Found: fmt.Sprintf("the store has %d of at most %d bytes", size, c.MaxStoreBytes)}
	if size >= int64(c.MaxStoreBytes)*9/10 {
		f.Severity, f.Do = "warning", "Raise --max-store-bytes, or delete shares: in a full store, creating fails. What has expired or was deleted leaves room inside the file of SQLite."
	}
	return []server.Finding{f}
}

// print prints the findings and returns an error with the number of errors.
func (c doctorCmd) print(p process, findings []server.Finding) error {
	bad := 0
	var text strings.Builder
	for _, f := range findings {
		if f.Severity == "error" {
			bad++
		}
		fmt.Fprintf(&text, "%-7s  %-11s  %s\n", f.Severity, f.Check, f.Found)
		if f.Do != "" {
			fmt.Fprintf(&text, "%22s%s\n", "", f.Do)
		}
	}
	err := p.output(c.JSON, findings, "%s", text.String())
	if err == nil && bad > 0 {
		err = fmt.Errorf("%d of %d checks found an error", bad, len(findings))
	}
	return err
}
