// Package ratelimit limits the number of requests per minute and per day. Start
// with [NewLocal] or [NewShared].
//
// The minute is an exact sliding window: at most the limit of allowed requests
// lie in any interval of 60 seconds [t, t+60s). A token bucket refills during a
// slow burst and can therefore allow one request more. The day is a calendar
// day in UTC. A request that is denied counts towards neither.
//
// [Local] counts in memory for one process, and stores the count of the day so
// that it survives a restart. [Shared] counts in a store for all processes that
// use it. The caller passes the time to every function.
package ratelimit

import (
	"cmp"
	"context"
	"time"

	"github.com/devkiln/devkiln/store"
)

// Limits are the numbers of requests that a key may make. Zero means no limit.
type Limits struct {
	PerMinute int
	PerDay    int
}

// Window is the length of the sliding window.
const Window = time.Minute

// Limiter decides whether requests are allowed.
type Limiter interface {
	// Allow decides on one request of a key at now and counts it if it is
	// allowed. perMinute, if not zero, replaces the Limiter's limit for this
	// key, up to [store.MaxPerWindow]. The limits hold exactly under concurrent
	// calls. An error means that no decision was made and nothing was counted.
	Allow(ctx context.Context, key string, perMinute int, now time.Time) (Decision, error)
}

// Decision is the result of limiting one request.
type Decision struct {
	Allowed bool
	Minute  Quota
	Day     Quota
}

// Quota is the state of one limit after the decision.
type Quota struct {
	Limit     int // zero means no limit; the other fields are then zero
	Remaining int // number of requests that would be allowed now
	// Reset is the time until more requests are allowed: for the minute, until
	// the oldest counted request leaves the window; for the day, until midnight
	// UTC.
	Reset time.Duration
}

// RetryAfter returns how long a denied caller must wait: the longest Reset of
// the limits that were exceeded. It is zero for an allowed request.
func (d Decision) RetryAfter() time.Duration {
	var wait time.Duration
	if d.Allowed {
		return wait
	}
	for _, q := range []Quota{d.Minute, d.Day} {
		if q.Limit > 0 && q.Remaining == 0 {
			wait = max(wait, q.Reset)
		}
	}
	return wait
}

// forKey returns the limits of a key, which may have its own limit per minute.
func (l Limits) forKey(perMinute int) Limits {
	l.PerMinute = cmp.Or(perMinute, l.PerMinute)
	return l
}

// dayOf returns the start of the UTC day of t.
func dayOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// decision converts a usage at now to a Decision.
func (l Limits) decision(u store.Usage, now time.Time) Decision {
	d := Decision{Allowed: u.Taken}
	if l.PerMinute > 0 {
		oldest := now
		if !u.Oldest.IsZero() {
			oldest = u.Oldest
		}
		d.Minute = Quota{l.PerMinute, l.PerMinute - u.InWindow, oldest.Add(Window).Sub(now)}
	}
	if l.PerDay > 0 {
		d.Day = Quota{l.PerDay, max(0, l.PerDay-int(u.InPeriod)), dayOf(now).Add(24 * time.Hour).Sub(now)}
	}
	return d
}
