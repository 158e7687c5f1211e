package origin

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// CrossSite returns a check that fails for requests that a page of another site
// caused a browser to send, see [http.CrossOriginProtection]. base is the URL
// of the service or, if nil, the origin of each request as its sender knows it:
// a trusted proxy may change the host.
func CrossSite(base *url.URL, trusted []netip.Prefix) (check func(*http.Request) error, err error) {
	protection := http.NewCrossOriginProtection()
	if base != nil {
		if err := protection.AddTrustedOrigin(base.Scheme + "://" + base.Host); err != nil {
			return nil, err
		}
	}
	return func(r *http.Request) error {
		inner := *r
		var scheme string
		scheme, inner.Host, _ = strings.Cut(Of(r, nil, trusted), "://")
		if sender, _, ok := strings.Cut(r.Header.Get("Origin"), "://"); ok && sender != scheme {
			inner.Host = "another scheme" // protection compares only hosts
		}
		return protection.Check(&inner)
	}, nil
}
