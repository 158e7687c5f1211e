package layout

import (
	"net/http"
	"net/netip"
	"strconv"
	"strings"
)

// WantsHTML reports whether a client asks for a page: it names text/html, and
// likes it at least as much as text/plain. curl, which takes anything, does
// not.
func WantsHTML(h http.Header) bool {
	html, plain := 0.0, 0.0
	for item := range strings.SplitSeq(strings.Join(h.Values("Accept"), ","), ",") {
		name, q := quality(item)
		switch name {
		case "text/html", "application/xhtml+xml":
			html = max(html, q)
		case "text/plain":
			plain = q
		}
	}
	return html > 0 && html >= plain
}

// takesGzip reports whether a client takes a compressed response.
func takesGzip(h http.Header) bool {
	for item := range strings.SplitSeq(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		if name, q := quality(item); name == "gzip" {
			return q > 0
		}
	}
	return false
}

// quality splits an element of an Accept header into its name and its weight
// (RFC 9110, section 12.4.2). A weight that cannot be read is 0.
func quality(item string) (name string, q float64) {
	name, params, _ := strings.Cut(item, ";")
	q = 1
	for param := range strings.SplitSeq(params, ";") {
		key, value, ok := strings.Cut(strings.TrimSpace(param), "=")
		if ok && strings.EqualFold(key, "q") {
			var err error
			if q, err = strconv.ParseFloat(value, 64); err != nil {
				q = 0
			}
		}
	}
	return strings.ToLower(strings.TrimSpace(name)), q
}

// packable reports whether compression helps a type.
func packable(contentType string) bool {
	return strings.HasPrefix(contentType, "text/") || strings.HasPrefix(contentType, "image/svg+xml") ||
		strings.HasPrefix(contentType, "application/json") || strings.HasPrefix(contentType, "font/ttf")
}

// Peer returns the address at the other end of the connection.
func Peer(r *http.Request) string {
	p, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	return p.Addr().String()
}

// AddressGroup returns what is counted for an address: an IPv4 address, or the /64
// of an IPv6 address, all of which one subscriber has.
func AddressGroup(addr string) string {
	a, err := netip.ParseAddr(addr)
	if err != nil {
		return "unknown"
	}
	a = a.Unmap().WithZone("")
	if a.Is4() {
		return a.String()
	}
	prefix, err := a.Prefix(64)
	if err != nil {
		return "unknown"
	}
	return prefix.Addr().String()
}

// Origin returns the scheme and host that a request was sent to.
func Origin(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}
