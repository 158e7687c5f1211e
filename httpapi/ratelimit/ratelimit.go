// Package ratelimit counts requests: so many in any minute, so many a day.
//
// The minute is an exact sliding window: of all requests that were allowed, no
// more than the limit lie in any 60 seconds [t, t+60s), wherever t is put. A
// token bucket would not do, since it refills during a slow burst and lets one
// request more pass. The day is a calendar day in UTC. A request that is denied
// counts towards neither.
//
// [Local] counts in memory for one process and keeps the day's count in a
// store, so that it survives a restart. [Shared] counts in a store for all
// processes on it. Time is an argument everywhere.
package ratelimit

import (
	"cmp"
	"context"
	"time"

	"github.com/devkiln/devkiln/store"
)

// Limits are the numbers of requests allowed for one key. Zero switches a limit
// off.
type Limits struct {
	PerMinute int
	PerDay    int
}

// Window is the length of the sliding window.
const Window = time.Minute

// Limiter decides about requests.
type Limiter interface {
	// Allow decides about one request of a key at now and counts it if it is
	// allowed. perMinute is the key's own limit, in place of that of the Limiter,
	// up to [store.MaxPerWindow]; zero means that of the Limiter. Among concurrent
	// calls the limits hold exactly. An error means that no decision could be made
	// and nothing was counted.
	Allow(ctx context.Context, key string, perMinute int, now time.Time) (Decision, error)
}

// Decision is what was decided about one request.
type Decision struct {
	Allowed bool
	Minute  Quota
	Day     Quota
}

// Quota is the state of one limit after the decision.
type Quota struct {
	Limit     int // zero: the limit is off, and so is the rest
	Remaining int // further requests that would be allowed right now
	// Reset is the time until more is allowed: for the minute, until the oldest
	// request that counts leaves the window; for the day, until midnight UTC.
	Reset time.Duration
}

// RetryAfter returns how long a denied caller has to wait: the longest Reset
// among the limits that were hit. It is zero for an allowed request.
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

// own returns the limits of a key that may have its own.
func (l Limits) own(perMinute int) Limits {
	l.PerMinute = cmp.Or(perMinute, l.PerMinute)
	return l
}

// dayOf returns the beginning of the UTC day of t.
func dayOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// decision is what a usage means to a caller at now.
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
