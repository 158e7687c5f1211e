package origin_test

import (
	"crypto/tls"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/internal/origin"
)

var proxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}

func request(remote string, fields ...string) *http.Request {
	r := &http.Request{RemoteAddr: remote, Host: "kiln.test", Header: http.Header{}, URL: &url.URL{Path: "/"}}
	for i := 0; i < len(fields); i += 2 {
		r.Header.Add(fields[i], fields[i+1])
	}
	return r
}

func TestClientAddr(t *testing.T) {
	for name, c := range map[string]struct{ remote, forwarded, want string }{
		"direct":                          {"192.0.2.1:1", "", "192.0.2.1"},
		"a client who makes it up":        {"192.0.2.1:1", "203.0.113.9", "192.0.2.1"},
		"through a proxy":                 {"10.0.0.1:1", "203.0.113.9", "203.0.113.9"},
		"through two proxies":             {"10.0.0.1:1", "198.51.100.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"},
		"with a port":                     {"10.0.0.1:1", "203.0.113.9:4711", "203.0.113.9"},
		"IPv6":                            {"[fd00::1]:1", "2001:db8::9", "2001:db8::9"},
		"IPv6 in brackets":                {"10.0.0.1:1", "[2001:db8::9]", "2001:db8::9"},
		"IPv6 with a port":                {"10.0.0.1:1", "[2001:db8::9]:4711", "2001:db8::9"},
		"IPv4 as IPv6":                    {"[::ffff:10.0.0.1]:1", "::ffff:203.0.113.9", "203.0.113.9"},
		"a proxy that knows no address":   {"10.0.0.1:1", "unknown", "10.0.0.1"},
		"only proxies":                    {"10.0.0.1:1", "10.0.0.3, 10.0.0.2", "10.0.0.3"},
		"a connection without an address": {"@", "203.0.113.9", "invalid IP"},
	} {
		assert.Equal(t, c.want, origin.ClientAddr(request(c.remote, "X-Forwarded-For", c.forwarded), proxies), name)
	}
}

func TestOf(t *testing.T) {
	for name, c := range map[string]struct {
		r    *http.Request
		want string
	}{
		"direct":      {request("192.0.2.1:1", "X-Forwarded-Host", "evil.test", "X-Forwarded-Proto", "https"), "http://kiln.test"},
		"proxied":     {request("10.0.0.1:1", "X-Forwarded-Host", "a.test, b.test", "X-Forwarded-Proto", "https"), "https://b.test"},
		"no host":     {request("10.0.0.1:1", "X-Forwarded-Host", "a b", "X-Forwarded-Proto", "gopher"), "http://kiln.test"},
		"two headers": {request("10.0.0.1:1", "X-Forwarded-Host", "a.test", "X-Forwarded-Host", "[::1]:80"), "http://[::1]:80"},
	} {
		assert.Equal(t, c.want, origin.Of(c.r, nil, proxies), name)
	}
	secure := request("192.0.2.1:1")
	secure.TLS = &tls.ConnectionState{}
	assert.Equal(t, "https://kiln.test", origin.Of(secure, nil, nil))
}

func TestCrossSite(t *testing.T) {
	base := &url.URL{Scheme: "https", Host: "public.test"}
	check, err := origin.CrossSite(base, proxies)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		r       *http.Request
		foreign bool
	}{
		"no browser":         {request("192.0.2.1:1"), false},
		"own page":           {request("192.0.2.1:1", "Origin", "http://kiln.test"), false},
		"another scheme":     {request("192.0.2.1:1", "Origin", "https://kiln.test"), true},
		"through a proxy":    {request("10.0.0.1:1", "Origin", "https://kiln.test", "X-Forwarded-Proto", "https"), false},
		"without its scheme": {request("10.0.0.1:1", "Origin", "http://kiln.test", "X-Forwarded-Proto", "https"), true},
		"by fetch metadata":  {request("192.0.2.1:1", "Origin", "https://kiln.test", "Sec-Fetch-Site", "same-origin"), false},
		"public URL":         {request("192.0.2.1:1", "Origin", "https://public.test"), false},
		"public URL by HTTP": {request("192.0.2.1:1", "Origin", "http://public.test"), true},
		"no host":            {request("192.0.2.1:1", "Origin", "https://"), true},
		"opaque":             {request("192.0.2.1:1", "Origin", "null"), true},
	} {
		c.r.Method = http.MethodPost
		assert.Equal(t, c.foreign, check(c.r) != nil, name)
		c.r.Method = http.MethodGet
		assert.NoError(t, check(c.r), name)
	}
}

func TestIsForwarded(t *testing.T) {
	assert.False(t, origin.IsForwarded(request("192.0.2.1:1"), proxies))
	assert.True(t, origin.IsForwarded(request("192.0.2.1:1", "X-Forwarded-Proto", "https"), proxies))
	assert.False(t, origin.IsForwarded(request("10.0.0.1:1", "X-Forwarded-For", "192.0.2.1"), proxies))
}

func TestLimitKey(t *testing.T) {
	for addr, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1", "2001:db8:1:2:3::4": "2001:db8:1:2::", "fe80::1%eth0": "fe80::", "": "unknown",
	} {
		assert.Equal(t, want, origin.LimitKey(addr), addr)
	}
}

func TestWithinBase(t *testing.T) {
	for base, paths := range map[string]map[string]string{ // "-" means not below it
		"https://kiln.test/tools/": {"/tools/docs": "/docs", "/tools": "/", "/tools/": "/", "/toolsdocs": "-", "/docs": "-"},
		"https://kiln.test/a%20b":  {"/a b/docs": "/docs", "/a b/a b": "/a b"},
		"https://kiln.test/":       {"/docs": "/docs"},
	} {
		parsed, err := url.Parse(base)
		require.NoError(t, err)
		for path, want := range paths {
			r := request("192.0.2.1:1")
			r.URL = &url.URL{Path: path, RawQuery: "a=b"}
			inner, ok := origin.WithinBase(r, parsed)
			assert.Equal(t, want != "-", ok, path)
			if ok {
				assert.Equal(t, &url.URL{Path: want, RawQuery: "a=b"}, inner.URL, path)
			}
			assert.Equal(t, path, r.URL.Path, "the request stays as it is")
		}
	}
}

func TestUser(t *testing.T) {
	for name, c := range map[string]struct {
		remote string
		fields []string
		user   string
		forged bool
		left   []string // fields left for the handler
	}{
		"by a proxy":             {"10.0.0.1:1", []string{"Remote-User", "ada"}, "ada", false, []string{"Remote-User"}},
		"by a proxy, padded":     {"10.0.0.1:1", []string{"Remote-User", " ada "}, "ada", false, []string{"Remote-User"}},
		"with another space":     {"10.0.0.1:1", []string{"Remote-User", "\tada\u00a0"}, "ada\u00a0", false, []string{"Remote-User"}},
		"IPv6":                   {"[fd00::1]:1", []string{"Remote-User", "ada"}, "ada", false, []string{"Remote-User"}},
		"IPv6 with a zone":       {"[fd00::1%eth0]:1", []string{"Remote-User", "ada"}, "ada", false, []string{"Remote-User"}},
		"IPv4 as IPv6":           {"[::ffff:10.0.0.1]:1", []string{"Remote-User", "ada"}, "ada", false, []string{"Remote-User"}},
		"made up":                {"192.0.2.1:1", []string{"Remote-User", "ada"}, "", true, nil},
		"made up by IPv6":        {"[2001:db8::a00:1]:1", []string{"Remote-User", "ada"}, "", true, nil},
		"made up twice":          {"192.0.2.1:1", []string{"Remote-User", "ada", "Remote-User", "eve"}, "", true, nil},
		"with a proxy's address": {"192.0.2.1:1", []string{"Remote-User", "ada", "X-Forwarded-For", "10.0.0.1"}, "", true, []string{"X-Forwarded-For"}},
		"underscores":            {"192.0.2.1:1", []string{"Remote_User", "ada"}, "", false, nil},
		"a client's beside":      {"10.0.0.1:1", []string{"Remote-User", "ada", "Remote_User", "eve", "REMOTE_USER", "eve"}, "ada", false, []string{"Remote-User"}},
		"empty":                  {"10.0.0.1:1", []string{"Remote-User", ""}, "", false, []string{"Remote-User"}},
		"no address":             {"@", []string{"Remote-User", "ada"}, "", true, nil},
		"another field":          {"192.0.2.1:1", []string{"Remote-Users", "ada"}, "", false, []string{"Remote-Users"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := request(c.remote, c.fields...)
			for _, field := range []string{"Remote-User", "remote-user", "REMOTE-USER"} {
				user, err := origin.User(r, field, proxies)
				assert.NoError(t, err)
				assert.Equal(t, c.user, user)
			}
			assert.Equal(t, c.forged, origin.DropUser(r, "remote-user", proxies))
			assert.ElementsMatch(t, c.left, slices.Collect(maps.Keys(r.Header)))
		})
	}
	for _, fields := range [][]string{{"Remote-User", "ada", "Remote-User", "eve"}, {"Remote-User", "", "Remote-User", "eve"}, {"Remote-User", "ada,eve"}} {
		_, err := origin.User(request("10.0.0.1:1", fields...), "Remote-User", proxies)
		assert.ErrorContains(t, err, "must occur once", fields)
	}
}
