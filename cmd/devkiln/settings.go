package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/dashboard"
	"github.com/devkiln/devkiln/store"
)

// settings are the flags of serve after they have been understood.
type settings struct {
	baseURL *url.URL
	proxies httpapi.Proxies
	static  []string // keys

	certificate *tls.Certificate // nil: no TLS

	maxExpiry time.Duration

	adminPassword string // empty: none is configured

	inForce []dashboard.Setting // for the page of settings
}

// longestDelay bounds --drain-delay.
const longestDelay = 5 * time.Minute

// settings understands the flags that are more than a number.
func (c serve) settings(env environment) (settings, error) {
	var set settings
	if c.RateMinute < 0 || c.RateDay < 0 || c.MaxStoreBytes < 0 {
		return set, errors.New("--rate-minute, --rate-day and --max-store-bytes must not be negative")
	}
	var err error
	if set.maxExpiry, err = parseLifetime(c.MaxExpiry); err != nil {
		return set, fmt.Errorf("--max-expiry %w", err)
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
	if set.adminPassword, err = adminPassword(env); err != nil {
		return set, err
	}
	if c.DrainDelay < 0 || c.DrainDelay > longestDelay {
		return set, fmt.Errorf("--drain-delay must be 0s to %s", longestDelay)
	}
	if set.certificate, err = c.certificate(); err != nil {
		return set, err
	}
	keys, source, err := env.secret(apiKeysVariable)
	if err != nil {
		return set, err
	}
	for key := range strings.FieldsFuncSeq(keys, func(c rune) bool { return c == ',' || c == '\n' || c == '\r' }) {
		if key = strings.TrimSpace(key); key != "" {
			set.static = append(set.static, key)
		}
	}
	if _, err := apikey.New(store.NewMemory(), set.static...); err != nil {
		return set, fmt.Errorf("%s: %w", source, err)
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
