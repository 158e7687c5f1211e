package httpapi

import (
	"net/http"
	"net/netip"
	"strings"
)

// baseURL returns where the service is reached from outside, without a slash at
// the end: the configured URL, or else the scheme and host of the request, as
// a trusted proxy tells them.
func (s *server) baseURL(r *http.Request) string {
	if s.base != "" {
		return s.base
	}
	return s.TrustedProxies.Origin(r)
}

// Proxies are the addresses of proxies whose X-Forwarded-For, -Host and -Proto
// are believed.
type Proxies []netip.Prefix

// Origin returns the scheme and host that a request was sent to, as a trusted
// proxy tells them.
func (p Proxies) Origin(r *http.Request) string {
	scheme, host := "http", r.Host
	if r.TLS != nil {
		scheme = "https"
	}
	if p.trust(remoteAddr(r)) {
		if proto := lastValue(r.Header, "X-Forwarded-Proto"); proto == "http" || proto == "https" {
			scheme = proto
		}
		if forwarded := lastValue(r.Header, "X-Forwarded-Host"); validHost(forwarded) {
			host = forwarded
		}
	}
	return scheme + "://" + host
}

// ClientAddr returns the address of the client: the last one in
// X-Forwarded-For that is not a trusted proxy, if a trusted proxy sent it, and
// else the other end of the connection.
func (p Proxies) ClientAddr(r *http.Request) string {
	addr := remoteAddr(r)
	if !p.trust(addr) {
		return addr.String()
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && p.trust(addr); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		addr = hop.Unmap()
	}
	return addr.String()
}

func (p Proxies) trust(addr netip.Addr) bool {
	for _, prefix := range p {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}

// remoteAddr returns the address at the other end of the connection; it is not
// valid if the connection has none.
func remoteAddr(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return peer.Addr().Unmap().WithZone("")
}

// lastValue returns the last element of a list header: the one that the nearest
// proxy added.
func lastValue(h http.Header, name string) string {
	all := strings.Join(h.Values(name), ",")
	return strings.TrimSpace(all[strings.LastIndexByte(all, ',')+1:])
}

// validHost reports whether host looks like a host with an optional port.
func validHost(host string) bool {
	return host != "" && len(host) <= 255 && !strings.ContainsFunc(host, func(c rune) bool {
		return (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') && !strings.ContainsRune(".-:[]_", c)
	})
}
