package server

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"runtime/debug"
	"slices"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/dashboard"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/httpapi/mcp"
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// check returns all errors of the options.
func (o Options) check() error {
	var faults invalid.Faults
	refuse := func(wrong bool, field, reason, message string) {
		if wrong {
			faults.Add(field, reason, message)
		}
	}
	refuse(o.Backend == nil, "Backend", "required", "is required")
	refuse(o.BaseURL != nil && !origin.IsBaseURL(o.BaseURL), "BaseURL", "invalid_format", "must be http:// or https:// with a host, and nothing after the path")
	const origins = "must be * or http:// or https:// with a host and nothing after it"
	refuse(slices.ContainsFunc(o.CORSOrigins, origin.Malformed), "CORSOrigins", "invalid_format", origins)
	refuse(slices.ContainsFunc(o.EmbedOrigins, origin.Malformed), "EmbedOrigins", "invalid_format", origins)
	rate := orDefault(o.RateMinute, 0)
	refuse(rate < 0 || rate > store.MaxPerWindow, "RateMinute", "out_of_range", fmt.Sprintf("must be 0 to %d", store.MaxPerWindow))
	refuse(orDefault(o.RateDay, 0) < 0, "RateDay", "out_of_range", "must not be negative")
	refuse(o.MaxExpiry < 0, "MaxExpiry", "out_of_range", "must not be negative")
	if o.AdminPassword != "" {
		err := dashboard.CheckPassword(o.AdminPassword)
		refuse(err != nil, "AdminPassword", "invalid_format", fmt.Sprint(err))
	}
	refuse(!slices.Contains([]string{"", "facts", "picture", "off"}, o.LinkPreviews), "LinkPreviews", "not_one_of", "must be facts, picture or off")
	o.checkUsers(refuse)
	refuse(o.MaxLogBytes < 0 || o.MaxLogBytes > share.LogBytesLimit, "MaxLogBytes", "out_of_range", fmt.Sprintf("must be 0 to %d", share.LogBytesLimit))
	refuse(o.MaxMemory != 0 && o.MaxMemory < httpapi.MinMemory, "MaxMemory", "out_of_range", fmt.Sprintf("must be at least %dMiB", httpapi.MinMemory>>20))
	refuse(o.DrainDelay < 0 || o.DrainDelay > maxDrainDelay, "DrainDelay", "out_of_range", fmt.Sprintf("must be 0s to %s", maxDrainDelay))
	refuse(o.MetricsListener != nil && o.Metrics == nil, "MetricsListener", "required", "needs Metrics")
	return faults.Err()
}

// checkUsers checks the options about users whom a proxy signs in.
func (o Options) checkUsers(refuse func(wrong bool, field, reason, message string)) {
	refuse(o.UserHeader != "" && !validUserHeader(o.UserHeader), "UserHeader", "invalid_format", "must be a header field of letters, digits and - without another meaning, such as Remote-User")
	refuse(o.UserHeader != "" && len(o.TrustedProxies) == 0, "UserHeader", "required", "needs a trusted proxy that sends it")
	refuse(o.UserHeader == "" && len(o.AdminUsers) > 0, "AdminUsers", "required", "needs a user header")
	for _, name := range o.AdminUsers {
		_, err := apikey.UserOwner(name)
		refuse(err != nil, "AdminUsers", "invalid_format", fmt.Sprintf("%q: %v", name, err))
	}
	refuse(o.NoPassword && o.UserHeader == "", "NoPassword", "required", "needs a user header")
	refuse(o.NoPassword && o.AdminPassword != "", "NoPassword", "not_one_of", "must not be set together with a password")
}

// userHeader excludes "_", because nginx drops header fields with it.
var userHeader = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]{0,63}$`)

// validUserHeader reports whether a header field may name a user. Clients and
// proxies use the others for something else.
func validUserHeader(name string) bool {
	others := []string{"Authorization", "Host", "Cookie", "Origin", "X-Api-Key", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"}
	return userHeader.MatchString(name) && !slices.Contains(others, http.CanonicalHeaderKey(name))
}

// user returns the function that reads the user signed in by a proxy, or nil.
func (o Options) user() func(*http.Request) (string, error) {
	if o.UserHeader == "" {
		return nil
	}
	return func(r *http.Request) (string, error) { return origin.User(r, o.UserHeader, o.TrustedProxies) }
}

// agents returns the handler of the Model Context Protocol, or nil if off.
func (o Options) agents() http.Handler {
	if !o.MCP {
		return nil
	}
	return mcp.Handler(httpapi.ClientOf, mcp.Options{Fonts: o.Fonts, Themes: o.Themes})
}

// EffectiveMaxMemory returns MaxMemory, or its default in this process if it is
// zero. The default leaves room in the memory limit for garbage, the store and
// idle memory.
func (o Options) EffectiveMaxMemory() int64 {
	limit := debug.SetMemoryLimit(-1)
	if limit == math.MaxInt64 {
		return cmp.Or(o.MaxMemory, httpapi.DefaultMemory)
	}
	return cmp.Or(o.MaxMemory, max(limit*2/5, httpapi.MinMemory))
}
