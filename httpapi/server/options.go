package server

import (
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"runtime/debug"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/dashboard"
	"github.com/devkiln/devkiln/httpapi/mcp"
	"github.com/devkiln/devkiln/share"
)

// optionError is an option that cannot be used.
type optionError struct{ field, reason string }

// Error implements error.
func (e optionError) Error() string { return "server: " + e.field + " " + e.reason }

// Invalid returns the field of Options and what is wrong with it.
func (e optionError) Invalid() (field, reason string) { return e.field, e.reason }

// check returns everything that is wrong with the options.
func (o Options) check() error {
	var faults []error
	refuse := func(wrong bool, field, reason string) {
		if wrong {
			faults = append(faults, optionError{field, reason})
		}
	}
	refuse(o.Backend == nil, "Backend", "is required")
	refuse(o.BaseURL != nil && !validBaseURL(o.BaseURL), "BaseURL", "must be http:// or https:// with a host, and nothing behind the path")
	refuse(o.Certificate != nil && o.TLS != nil, "TLS", "must not be set beside Certificate")
	refuse(orDefault(o.RateMinute, 0) < 0, "RateMinute", "must not be negative")
	refuse(orDefault(o.RateDay, 0) < 0, "RateDay", "must not be negative")
	refuse(o.MaxExpiry < 0, "MaxExpiry", "must not be negative")
	if o.AdminPassword != "" {
		if err := dashboard.CheckPassword(o.AdminPassword); err != nil {
			refuse(true, "AdminPassword", err.Error())
		}
	}
	refuse(o.MaxMemory != 0 && o.MaxMemory < httpapi.MinMemory, "MaxMemory", fmt.Sprintf("must be at least %d", httpapi.MinMemory))
	refuse(o.DrainDelay < 0 || o.DrainDelay > MaxDrainDelay, "DrainDelay", fmt.Sprintf("must be 0s to %s", MaxDrainDelay))
	refuse(o.MetricsListener != nil && o.Metrics == nil, "MetricsListener", "needs Metrics")
	return errors.Join(faults...)
}

// agents returns what serves the Model Context Protocol, nil for nothing.
func (o Options) agents(shares *share.Service) http.Handler {
	if !o.MCP {
		return nil
	}
	return mcp.Handler(func(r *http.Request) mcp.Kiln {
		caller := httpapi.CallerOf(r.Context())
		return mcp.Local{Service: shares, Owner: caller.Owner, BaseURL: caller.BaseURL}
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
