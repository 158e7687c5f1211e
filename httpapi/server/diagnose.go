package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/devkiln/devkiln/screenshot"
)

// Finding is the result of one check of [Diagnose].
type Finding struct {
	Check string `json:"check"`
	// Severity is "error" if the server does not work as it should, "warning" if
	// it may surprise, and otherwise "ok".
	Severity string `json:"severity"`
	Found    string `json:"found"`
	Do       string `json:"do,omitempty"` // what to do about it; "" if nothing
}

// Setup is the input of [Diagnose]: the options of a server, and facts that
// they do not contain.
type Setup struct {
	Options

	Listen      string    // the address to listen on, HOST:PORT; any other form is local to the machine
	ListenError error     // why the server cannot listen on Listen; nil if it can, or already does
	Folder      string    // directory of the Backend's file; "" if it has none
	StoreError  error     // why Backend could not be opened; nil with a nil Backend means not yet created
	Now         time.Time // zero means the current time
}

// Diagnose checks what a server needs of its machine and its settings: the
// address, the store, the clock, the disk, fonts, proxies, the base URL and the certificate,
// with one Finding each. It tries to write to the
// store, and resolves the host of the base URL; a server may be
// running at the same time. It takes at most a few seconds.
func Diagnose(ctx context.Context, s Setup) []Finding {
	if s.Now.IsZero() {
		s.Now = time.Now()
	}
	findings := make([]Finding, len(checks))
	for i, c := range checks {
		findings[i] = c.look(ctx, &s)
		findings[i].Check = c.name
	}
	return findings
}

var checks = []struct {
	name string
	look func(context.Context, *Setup) Finding
}{
	{"listen", checkListen},
	{"store", checkStore},
	{"clock", checkClock},
	{"disk", checkDisk},
	{"fonts", checkFonts},
	{"proxies", checkProxies},
	{"base URL", checkBaseURL},
	{"certificate", checkCertificate},
}

func ok(format string, values ...any) Finding {
	return Finding{Severity: "ok", Found: fmt.Sprintf(format, values...)}
}

func warn(do, format string, values ...any) Finding {
	return Finding{Severity: "warning", Found: fmt.Sprintf(format, values...), Do: do}
}

func refuse(do, format string, values ...any) Finding {
	return Finding{Severity: "error", Found: fmt.Sprintf(format, values...), Do: do}
}

func checkListen(_ context.Context, s *Setup) Finding {
	const do = "Choose another --listen: a free port, 1024 or above for a user without the capability for lower ones, or a socket in a folder that exists."
	switch {
	case errors.Is(s.ListenError, syscall.EADDRINUSE):
		return warn(do, "%v", s.ListenError)
	case s.ListenError != nil:
		return refuse(do, "%v", s.ListenError)
	}
	return ok("%s", s.Listen)
}

func checkStore(ctx context.Context, s *Setup) Finding {
	do := "Check that its folder exists, has room and belongs to the user of the server; devkiln check verifies every entry, devkiln restore restores a backup."
	if s.Folder == "" {
		do = "Check that the database runs, that this machine reaches it, and the name and password in its URL."
	}
	switch {
	case s.StoreError != nil:
		return refuse(do, "%v", s.StoreError)
	case s.Backend != nil:
		entries, err := s.Backend.Count(ctx, "")
		if err := errors.Join(s.Backend.Ready(ctx), err); err != nil {
			return refuse(do, "%v", err)
		}
		return ok("can be read and written; has %d entries", entries)
	}
	file, err := os.CreateTemp(s.Folder, "devkiln-doctor")
	if err != nil {
		return refuse(do, "cannot be created: %v", err)
	}
	_, _ = file.Close(), os.Remove(file.Name())
	return ok("does not exist yet; the first start creates it in %s", s.Folder)
}

func checkClock(_ context.Context, s *Setup) Finding {
	if !clockSynchronized() {
		return warn("Synchronize it with NTP: expiry, quotas and sign-in depend on it.", "is not synchronized with NTP, according to the system")
	}
	return ok("%s", s.Now.UTC().Format(time.RFC3339))
}

func checkDisk(_ context.Context, s *Setup) Finding {
	const tooLittle, scarce = 64 << 20, 1 << 30
	if s.Folder == "" {
		return ok("the store is not a file")
	}
	const do = "Free some space, or limit the store with --max-store-bytes: below 32 MiB, nothing more is stored."
	free, err := freeBytes(s.Folder)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return ok("not known on this system")
	case err != nil:
		return refuse("Check that the folder of the store exists.", "%v", err)
	case free < tooLittle:
		return refuse(do, "%d MiB free in %s", free>>20, s.Folder)
	case free < scarce:
		return warn(do, "%d MiB free in %s", free>>20, s.Folder)
	}
	return ok("%d MiB free in %s", free>>20, s.Folder)
}

// scriptSamples has one character of each script that the embedded font lacks.
const scriptSamples = "漢か한عשअก🎉"

var scripts = []string{"Chinese", "Japanese", "Korean", "Arabic", "Hebrew", "Devanagari", "Thai", "emoji"}

func checkFonts(_ context.Context, s *Setup) Finding {
	if s.NoPictures {
		return ok("no pictures")
	}
	config := screenshot.Options{Language: "text", Extras: screenshot.Extras{Fonts: s.Fonts}}.Fill(scriptSamples)
	picture, err := config.Picture()
	if err != nil {
		return refuse("", "%v", err)
	}
	var missing []string
	for i, r := range []rune(scriptSamples) {
		if slices.Contains(picture.Missing(), r) {
			missing = append(missing, scripts[i])
		}
	}
	if len(missing) == 0 {
		return ok("for all %d scripts", len(scripts))
	}
	return warn("Install fonts, such as fonts-noto-core, fonts-noto-cjk and fonts-noto-color-emoji, or name a folder of them with --fonts.",
		"pictures show boxes for %s", strings.Join(missing, ", "))
}

// isLocal reports whether only this machine can reach address.
func isLocal(address string) bool {
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err != nil || host == "localhost" || ip != nil && ip.IsLoopback()
}

func checkProxies(_ context.Context, s *Setup) Finding {
	for _, prefix := range s.TrustedProxies {
		if prefix.Bits() == 0 {
			return refuse("List only your proxies in --trusted-proxies.", "%s lets everybody choose the address to which limits apply", prefix)
		}
	}
	switch {
	case len(s.TrustedProxies) > 0:
		return ok("%d trusted", len(s.TrustedProxies))
	case !isLocal(s.Listen) && s.Certificate == nil:
		return warn("Set --tls-cert and --tls-key, or put a proxy with TLS in front and list it in --trusted-proxies.", "HTTP at %s: keys and passwords can be read in transit", s.Listen)
	case isLocal(s.Listen) && s.BaseURL != nil && !isLocal(net.JoinHostPort(s.BaseURL.Hostname(), "0")):
		return warn("List it in --trusted-proxies, such as 127.0.0.1.", "the proxy of %s is not trusted: all clients seem to have its address", s.BaseURL.Host)
	}
	return ok("none")
}

func checkBaseURL(ctx context.Context, s *Setup) Finding {
	u := s.BaseURL
	if u == nil {
		if isLocal(s.Listen) {
			return ok("that of each request")
		}
		return warn("Set --base-url to where people reach the service.", "is taken from each request, where the client chooses it")
	}
	host := net.JoinHostPort(u.Hostname(), "0")
	if u.Scheme == "http" && !isLocal(host) {
		return warn("Serve HTTPS, and write https:// in --base-url.", "%s is not https: links and keys can be read in transit", u)
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	if _, err := net.DefaultResolver.LookupHost(ctx, u.Hostname()); err != nil {
		return refuse("Correct --base-url, or its DNS record.", "%s cannot be resolved here: %v", u.Hostname(), err)
	}
	return ok("%s", u)
}

func checkCertificate(_ context.Context, s *Setup) Finding {
	const soon = 14 * 24 * time.Hour
	const do = "Renew it; the server reads new files by itself."
	if s.Certificate == nil {
		return ok("none; plain HTTP, or TLS by a proxy")
	}
	if warning := s.Certificate.Warning(s.Now); warning != "" {
		return refuse(do, "%s", warning)
	}
	leaf := s.Certificate.current.Load().Leaf
	if s.BaseURL != nil {
		if err := leaf.VerifyHostname(s.BaseURL.Hostname()); err != nil {
			return refuse("Get one for the host of --base-url.", "%v", err)
		}
	}
	expires := "expires at " + leaf.NotAfter.UTC().Format(time.RFC3339)
	if leaf.NotAfter.Sub(s.Now) < soon {
		return warn(do, "%s", expires)
	}
	return ok("%s", expires)
}
