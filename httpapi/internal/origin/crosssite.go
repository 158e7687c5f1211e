package origin

import (
	"net/http"
	"net/url"
	"strings"
)

// CrossSite returns a check that fails for requests that a page of another site
// caused a browser to send, see [http.CrossOriginProtection]. base is the URL
// of the service or, if nil, the origin of each request, which of returns as
// its sender knows it: a proxy may change the host.
func CrossSite(base *url.URL, of func(*http.Request) string) (check func(*http.Request) error, err error) {
	protection := http.NewCrossOriginProtection()
	if base != nil {
		if err := protection.AddTrustedOrigin(base.Scheme + "://" + base.Host); err != nil {
			return nil, err
		}
	}
	return func(r *http.Request) error {
		inner := *r
		var scheme string
		scheme, inner.Host, _ = strings.Cut(of(r), "://")
		if sender, _, ok := strings.Cut(r.Header.Get("Origin"), "://"); ok && sender != scheme {
			inner.Host = "another scheme" // protection compares only hosts
		}
		return protection.Check(&inner)
	}, nil
}
