package server

import (
	"crypto/tls"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"runtime/debug"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/dashboard"
	"github.com/devkiln/devkiln/httpapi/mcp"
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/share"
)

// check returns everything that is wrong with the options.
func (o Options) check() error {
	var faults invalid.Inputs
	refuse := func(wrong bool, field, reason, message string) {
		if wrong {
			faults.Add(field, reason, message)
		}
	}
	refuse(o.Backend == nil, "Backend", "required", "is required")
	refuse(o.BaseURL != nil && !validBaseURL(o.BaseURL), "BaseURL", "invalid_format", "must be http:// or https:// with a host, and nothing behind the path")
	refuse(o.Certificate != nil && o.TLS != nil, "TLS", "not_one_of", "must not be set beside Certificate")
	refuse(orDefault(o.RateMinute, 0) < 0, "RateMinute", "out_of_range", "must not be negative")
	refuse(orDefault(o.RateDay, 0) < 0, "RateDay", "out_of_range", "must not be negative")
	refuse(o.MaxExpiry < 0, "MaxExpiry", "out_of_range", "must not be negative")
	if o.AdminPassword != "" {
		if err := dashboard.CheckPassword(o.AdminPassword); err != nil {
			faults.Add("AdminPassword", "invalid_format", err.Error())
		}
	}
	refuse(o.MaxMemory != 0 && o.MaxMemory < httpapi.MinMemory, "MaxMemory", "out_of_range", fmt.Sprintf("must be at least %d", httpapi.MinMemory))
	refuse(o.DrainDelay < 0 || o.DrainDelay > MaxDrainDelay, "DrainDelay", "out_of_range", fmt.Sprintf("must be 0s to %s", MaxDrainDelay))
	refuse(o.MetricsListener != nil && o.Metrics == nil, "MetricsListener", "required", "needs Metrics")
	return faults.Err()
}

// agents returns what serves the Model Context Protocol, nil for nothing.
func (o Options) agents(shares *share.Service) http.Handler {
	if !o.MCP {
		return nil
	}
	return mcp.Handler(func(r *http.Request) mcp.Kiln {
		caller := httpapi.CallerOf(r.Context())
		return mcp.Local{Service: shares, Owner: caller.Owner, MaxExpiry: caller.MaxExpiry, BaseURL: caller.BaseURL}
	}, mcp.Options{})
}

// maxMemory returns the effective MaxMemory, zero for the default of httpapi. It
// leaves room in the memory limit for garbage, the store and what is idle.
func (o Options) maxMemory() int64 {
	limit := debug.SetMemoryLimit(-1)
	if o.MaxMemory != 0 || limit == math.MaxInt64 {
		return o.MaxMemory
	}
	return max(limit*2/5, httpapi.MinMemory)
}

// tlsConfig returns what HTTPS is served with, nil for HTTP.
func (o Options) tlsConfig() *tls.Config {
	if o.Certificate != nil {
		return o.Certificate.config()
	}
	return o.TLS
}

func validBaseURL(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.RawQuery == "" && u.Fragment == "" && u.User == nil
}
