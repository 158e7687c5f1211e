package share

import (
	"slices"
	"strings"
	"time"
)

// Expiry is how long a share lives. The zero value means 24 hours.
type Expiry string

// The expiries of the API. Snippets take all but 6 hours.
const (
	Expiry1h    Expiry = "1h"
	Expiry6h    Expiry = "6h"
	Expiry24h   Expiry = "24h"
	Expiry7d    Expiry = "7d"
	Expiry30d   Expiry = "30d"
	ExpiryNever Expiry = "never"
)

var (
	logExpiries     = []Expiry{Expiry1h, Expiry6h, Expiry24h, Expiry7d, Expiry30d, ExpiryNever}
	snippetExpiries = []Expiry{Expiry1h, Expiry24h, Expiry7d, Expiry30d, ExpiryNever}
)

// Duration returns the time to live, and false for never and for a value that
// is not an expiry.
func (e Expiry) Duration() (d time.Duration, ok bool) {
	switch e {
	case Expiry1h:
		return time.Hour, true
	case Expiry6h:
		return 6 * time.Hour, true
	case Expiry24h, "":
		return 24 * time.Hour, true
	case Expiry7d:
		return 7 * 24 * time.Hour, true
	case Expiry30d:
		return 30 * 24 * time.Hour, true
	default:
		return 0, false
	}
}

// expires returns when a share made at created ends: the zero time for never.
func (s *Service) expires(created time.Time, e Expiry) time.Time {
	d, finite := e.Duration()
	if s.maxExpiry > 0 && (!finite || d > s.maxExpiry) {
		d, finite = s.maxExpiry, true
	}
	if !finite {
		return time.Time{}
	}
	return created.Add(d)
}

// checkExpiry returns an error for an expiry that is not among allowed.
func checkExpiry(e Expiry, allowed []Expiry) error {
	if e == "" || slices.Contains(allowed, e) {
		return nil
	}
	return notOneOf("expiry", allowed)
}

// notOneOf is the error for a field whose value is none of allowed.
func notOneOf[T ~string](field string, allowed []T) error {
	names := make([]string, len(allowed))
	for i, name := range allowed {
		names[i] = string(name)
	}
	return &OptionError{field, "not_one_of", "must be one of " + strings.Join(names, ", ")}
}
