package main

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"github.com/devkiln/devkiln/cmd/devkiln/internal/commandline"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/server"
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/store"
)

// settings holds the parsed flags and variables of serve.
type settings struct {
	server.Options
	staticKeys []string
	warning    string // about the certificate; may be empty
}

// warn logs the warning, if there is one.
func (s settings) warn(ctx context.Context) {
	if s.warning != "" {
		s.Log.WarnContext(ctx, "clients will not accept this server", "reason", s.warning)
	}
}

// memoryShare is the fraction of a container's memory for the Go runtime. The
// rest is for the binary, the store's cache and memory that is released late.
const memoryShare = 0.7

// limitMemory sets the runtime's memory limit from that of the container unless
// GOMEMLIMIT is set.
func (s settings) limitMemory(ctx context.Context) {
	_, err := memlimit.Set(memlimit.WithRatio(memoryShare))
	if err != nil && !errors.Is(err, memlimit.ErrNoCgroup) && !errors.Is(err, memlimit.ErrCgroupsNotSupported) {
		s.Log.WarnContext(ctx, "the memory of the container is not known; set GOMEMLIMIT", "error", err)
	}
}

// reloadOnHangup reloads the certificate on each SIGHUP until stop is called,
// rather than at the next periodic check.
func (s settings) reloadOnHangup() (stop func()) {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	go func() {
		for range hangups {
			if s.Certificate == nil {
				continue
			}
			if changed, err := s.Certificate.Reload(); err != nil {
				s.Log.Warn("certificate not reloaded, the old one is still served", "error", err)
			} else {
				s.Log.Info("certificate reloaded", "changed", changed, "expires", s.Certificate.NotAfter())
			}
		}
	}()
	return func() {
		signal.Stop(hangups)
		close(hangups)
	}
}

// addSystemFonts adds the fonts of the system, if any.
func (s settings) addSystemFonts(ctx context.Context) {
	s.Fonts.AddSystem("", func(err error) { s.Log.InfoContext(ctx, "system fonts are not used", "reason", err) })
}

// minStoreBytes is the smallest limit of a store: room for an empty store and a
// few shares.
const minStoreBytes = 1_000_000

// settings parses the flags and refuses what the server would refuse.
func (c serve) settings(env commandline.Environment) (set settings, err error) {
	set.RateMinute, set.RateDay = &c.RateMinute, &c.RateDay
	set.PublicSharing, set.MaskSecrets, set.CORSOrigins, set.MCP, set.BearerTokens = c.PublicSharing, c.MaskSecrets, c.CORSOrigins, c.MCP, c.BearerTokens
	set.NoPictures = c.Pictures == "off"
	set.UserHeader, set.AdminUsers, set.NoPassword = c.UserHeader, c.AdminUsers, c.NoPassword
	set.DrainDelay, set.MaxMemory, set.MaxLogBytes, set.LinkPreviews = c.DrainDelay, int64(c.MaxMemory), int64(c.MaxLogBytes), c.LinkPreviews
	set.EmbedOrigins = c.EmbedOrigins
	var faults []error
	refuse := func(wrong error, format string, args ...any) {
		if wrong != nil {
			faults = append(faults, fmt.Errorf(format, append(args, wrong)...))
		}
	}
	if c.MaxStoreBytes != 0 && c.MaxStoreBytes < minStoreBytes {
		faults = append(faults, fmt.Errorf("--max-store-bytes must be at least %d, or 0 for no limit", minStoreBytes))
	}
	set.MaxExpiry, err = parseLifetime(c.MaxExpiry)
	refuse(err, "--max-expiry %w")
	if c.BaseURL != "" {
		set.BaseURL, err = url.Parse(c.BaseURL)
		refuse(err, "--base-url: %w")
	}
	set.TrustedProxies, err = parsePrefixes(c.TrustedProxies)
	refuse(err, "%w")
	set.Fonts, err = screenshot.LoadFonts(c.Fonts...)
	refuse(err, "--fonts: %w")
	if c.Themes != "" {
		set.Themes, err = highlight.LoadThemes(os.DirFS(c.Themes))
		refuse(err, "--themes %s: %w", c.Themes)
	}
	refuse(c.readCertificate(&set), "%w")
	set.staticKeys, err = staticKeys(env)
	refuse(err, "%w")
	password, source, err := env.Secret(commandline.AdminPasswordVariable)
	refuse(err, "%w")
	set.AdminPassword = password
	probe := set.Options
	probe.Backend = store.NewMemory()
	if _, err := server.New(probe); err != nil {
		faults = append(faults, errors.New(strings.ReplaceAll(asFlags(err).Error(), "--admin-password", source)))
	}
	return set, errors.Join(faults...)
}

// readCertificate loads the certificate for HTTPS, if there is one.
func (c serve) readCertificate(set *settings) error {
	if (c.TLSCert == "") != (c.TLSKey == "") {
		return errors.New("--tls-cert and --tls-key must be set together")
	}
	if c.TLSCert == "" {
		return nil
	}
	var err error
	if set.Certificate, err = server.LoadCertificate(c.TLSCert, c.TLSKey); err != nil {
		return asFlags(err)
	}
	set.warning = set.Certificate.Warning(time.Now())
	return nil
}

// staticKeys returns the API keys set in the environment.
func staticKeys(env commandline.Environment) (list []string, err error) {
	text, source, err := env.Secret(commandline.APIKeysVariable)
	if err != nil {
		return nil, err
	}
	for key := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == ',' || c == '\n' || c == '\r' }) {
		if key = strings.TrimSpace(key); key != "" {
			list = append(list, key)
		}
	}
	if _, err := apikey.New(store.NewMemory(), list...); err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	return list, nil
}

// parsePrefixes parses addresses and CIDR prefixes.
func parsePrefixes(texts []string) (prefixes []netip.Prefix, err error) {
	for _, text := range texts {
		prefix, err := netip.ParsePrefix(strings.TrimSpace(text))
		if addr, notAddress := netip.ParseAddr(strings.TrimSpace(text)); notAddress == nil {
			prefix, err = addr.Prefix(addr.BitLen())
		}
		if err != nil {
			return nil, fmt.Errorf("--trusted-proxies %q must be an address or a CIDR such as 10.0.0.0/8", text)
		}
		prefixes = append(prefixes, prefix.Masked())
	}
	return prefixes, nil
}

var wordEnd = regexp.MustCompile(`([a-z]|TLS|CORS)([A-Z])`)

// asFlags replaces the option names in an error with the names of their flags.
func asFlags(err error) error {
	faults, other := invalid.Of(err)
	if other != nil {
		return err
	}
	texts := make([]string, len(faults))
	for i, bad := range faults {
		texts[i] = "--" + strings.ToLower(wordEnd.ReplaceAllString(bad.Field, "$1-$2")) + " " + bad.Message
	}
	return errors.New(strings.Join(texts, "; "))
}
