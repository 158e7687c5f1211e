package share

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/devkiln/devkiln/internal/invalid"
)

// Expiry is the lifetime of a share. The empty Expiry means 24 hours.
type Expiry string

// The expiries of the API. Snippets allow all but 6 hours.
const (
	Expiry1h    Expiry = "1h"
	Expiry6h    Expiry = "6h"
	Expiry24h   Expiry = "24h"
	Expiry7d    Expiry = "7d"
	Expiry30d   Expiry = "30d"
	ExpiryNever Expiry = "never"
)

// The expiries that logs and snippets can have, shortest first.
var (
	logExpiries     = []Expiry{Expiry1h, Expiry6h, Expiry24h, Expiry7d, Expiry30d, ExpiryNever}
	snippetExpiries = []Expiry{Expiry1h, Expiry24h, Expiry7d, Expiry30d, ExpiryNever}
)

// Duration returns the lifetime, or zero for ExpiryNever. It returns an error
// for the field expiry if e is not one of the constants.
func (e Expiry) Duration() (time.Duration, error) {
	d, ok := durations[cmp.Or(e, Expiry24h)]
	if !ok {
		return 0, notOneOf("expiry", logExpiries)
	}
	return d, nil
}

var durations = map[Expiry]time.Duration{
	Expiry1h: time.Hour, Expiry6h: 6 * time.Hour, Expiry24h: 24 * time.Hour,
	Expiry7d: 7 * 24 * time.Hour, Expiry30d: 30 * 24 * time.Hour, ExpiryNever: 0,
}

// date sets the creation time of h to now, and its expiry time from e, which
// has been checked. own is the MaxExpiry of the share's options.
func (s *Service) date(h *header, e Expiry, own time.Duration) {
	h.Created = s.now().UTC().Truncate(time.Millisecond)
	d, _ := e.Duration() // never fails after checkExpiry
	for _, longest := range []time.Duration{s.maxExpiry, own} {
		if longest > 0 && (d == 0 || d > longest) {
			d = longest
		}
	}
	if d > 0 {
		h.Expires = h.Created.Add(d)
	}
}

// checkExpiry returns an error for an expiry that is not among allowed.
func checkExpiry(e Expiry, allowed []Expiry) error {
	if e == "" || slices.Contains(allowed, e) {
		return nil
	}
	return notOneOf("expiry", allowed)
}

func checkMaxExpiry(d time.Duration) error {
	if d >= 0 {
		return nil
	}
	return &invalid.Fault{Field: "maxExpiry", Reason: "out_of_range", Message: "must not be negative"}
}

// notOneOf returns the error for a field whose value is not among allowed.
func notOneOf[T ~string](field string, allowed []T) error {
	return &invalid.Fault{Field: field, Reason: "not_one_of", Message: "must be one of " + strings.Join(words(allowed), ", ")}
}
