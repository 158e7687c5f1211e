// Package origin determines where a request came from and where it was sent to,
// from the connection or from what trusted proxies report.
package origin

import (
	"cmp"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Malformed reports whether text is neither the origin of a page, such as
// https://app.example, nor *, which means every origin.
func Malformed(text string) bool {
	u, err := url.Parse(text)
	return text != "*" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || text != u.Scheme+"://"+u.Host)
}

// IsBaseURL reports whether u can be the public URL of a service: http:// or
// https:// with a host and perhaps a path.
func IsBaseURL(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == ""
}

// Of returns the base URL of a service, without a slash at its end: base, or if
// that is nil, the scheme and host that a request was sent to.
func Of(r *http.Request, base *url.URL, trusted []netip.Prefix) string {
	if base != nil {
		return strings.TrimRight(base.String(), "/")
	}
	scheme, host := "http", r.Host
	if r.TLS != nil {
		scheme = "https"
	}
	if contains(trusted, remoteAddr(r)) {
		if proto := lastValue(r.Header, "X-Forwarded-Proto"); proto == "http" || proto == "https" {
			scheme = proto
		}
		if forwarded := lastValue(r.Header, "X-Forwarded-Host"); validHost.MatchString(forwarded) {
			host = forwarded
		}
	}
	return scheme + "://" + host
}

// ClientAddr returns the address of the client: the last one in X-Forwarded-For
// that is not a trusted proxy, if a trusted proxy sent the request, else the
// remote address of the connection.
func ClientAddr(r *http.Request, trusted []netip.Prefix) string {
	addr := remoteAddr(r)
	if !contains(trusted, addr) {
		return addr.String()
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && contains(trusted, addr); i-- {
		hop, ok := parseHop(strings.TrimSpace(hops[i]))
		if !ok {
			break
		}
		addr = hop
	}
	return addr.String()
}

// IsForwarded reports whether a request from an address that is not trusted has
// header fields in which proxies report their client: either the client has
// forged them, or the proxy is missing from the configuration.
func IsForwarded(r *http.Request, trusted []netip.Prefix) bool {
	for _, name := range []string{"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
		if r.Header.Get(name) != "" {
			return !contains(trusted, remoteAddr(r))
		}
	}
	return false
}

// User returns the user that a trusted proxy names in the header field: "" if
// it names none, or if the request is from another address. Several fields are
// an error, because one of them may be the client's.
func User(r *http.Request, field string, trusted []netip.Prefix) (name string, err error) {
	values := r.Header.Values(field)
	if len(values) == 0 || !contains(trusted, remoteAddr(r)) {
		return "", nil
	}
	if len(values) > 1 || strings.Contains(values[0], ",") {
		return "", fmt.Errorf("%s must occur once, with one name and no comma", field)
	}
	return strings.Trim(values[0], " \t"), nil // other space is part of a name
}

// DropUser removes the field of [User] from a request that is not from a
// trusted proxy, and from every request those that programs read as the same
// field because they take "_" for "-". It reports whether the client has forged
// the field itself.
func DropUser(r *http.Request, field string, trusted []netip.Prefix) (forged bool) {
	forged = len(r.Header.Values(field)) > 0 && !contains(trusted, remoteAddr(r))
	for name := range r.Header {
		same := strings.EqualFold(strings.ReplaceAll(name, "_", "-"), field)
		if same && (forged || strings.Contains(name, "_")) {
			delete(r.Header, name)
		}
	}
	return forged
}

// parseHop parses an element of X-Forwarded-For: an address, to which some
// proxies append the port, with brackets around an IPv6 address.
func parseHop(s string) (netip.Addr, bool) {
	if pair, err := netip.ParseAddrPort(s); err == nil {
		return plain(pair.Addr()), true
	}
	addr, err := netip.ParseAddr(strings.Trim(s, "[]"))
	return plain(addr), err == nil
}

// LimitKey returns the unit by which an address is limited: an IPv4 address, or
// the /64 prefix of an IPv6 address, which one subscriber owns.
func LimitKey(addr string) string {
	a, err := netip.ParseAddr(addr)
	if err != nil {
		return "unknown"
	}
	if a = plain(a); a.Is4() {
		return a.String()
	}
	return netip.PrefixFrom(a, 64).Masked().Addr().String()
}

// Owner returns the path by which the requests of an address take turns in a
// group: its network, if it has one, and the unit by which it is limited.
func Owner(group, addr string) []string {
	if network, ok := Network(addr); ok {
		return []string{group, network, LimitKey(addr)}
	}
	return []string{group, LimitKey(addr)}
}

// Network returns the /48 of an IPv6 address. A site gets at most a /48 (RFC
// 6177) and may use any /64 in it.
func Network(addr string) (network string, ok bool) {
	a, err := netip.ParseAddr(addr)
	if err != nil || plain(a).Is4() {
		return "", false
	}
	return netip.PrefixFrom(plain(a), 48).Masked().String(), true
}

// WithinBase returns a request without the path of a base URL, and whether it
// was below that path, which proxies either keep or remove. The original
// request is unchanged; a nil base is the root.
func WithinBase(r *http.Request, base *url.URL) (inner *http.Request, ok bool) {
	if base == nil || strings.Trim(base.Path, "/") == "" {
		return r, true
	}
	rest, ok := strings.CutPrefix(r.URL.Path, strings.TrimRight(base.Path, "/"))
	if !ok || rest != "" && rest[0] != '/' {
		return r, false
	}
	copied := *r
	copied.URL = &url.URL{Path: cmp.Or(rest, "/"), RawPath: strings.TrimPrefix(r.URL.RawPath, strings.TrimRight(base.EscapedPath(), "/")), RawQuery: r.URL.RawQuery}
	return &copied, true
}

func contains(prefixes []netip.Prefix, addr netip.Addr) bool {
	return slices.ContainsFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// remoteAddr returns the remote address of the connection. It is invalid if the
// connection has none.
func remoteAddr(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return plain(peer.Addr())
}

// plain unmaps an IPv4-mapped address and removes the zone of an IPv6 address.
func plain(addr netip.Addr) netip.Addr { return addr.Unmap().WithZone("") }

// lastValue returns the last element of a list field, which the nearest proxy
// added.
func lastValue(h http.Header, name string) string {
	all := strings.Join(h.Values(name), ",")
	return strings.TrimSpace(all[strings.LastIndexByte(all, ',')+1:])
}

// validHost is a host with an optional port.
var validHost = regexp.MustCompile(`^[0-9A-Za-z.:_\[\]-]{1,255}$`)
