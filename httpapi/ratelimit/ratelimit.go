// Package ratelimit limits the number of requests per minute and per day. Start
// with [New].
//
// The minute is an exact sliding window: at most the limit of allowed requests
// lie in any interval of 60 seconds [t, t+60s). A token bucket refills during a
// slow burst and can therefore allow one request more. The day is a calendar
// day in UTC. A request that is denied counts towards neither.
//
// The counts are in a store, for all processes that use it, and survive a
// restart. A [store.Memory] is enough for limits that need neither. The caller
// passes the time to every function.
package ratelimit

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/devkiln/devkiln/store"
)

// Limits are the numbers of requests that a key may make. Zero means no limit.
type Limits struct {
	PerMinute int // at most [store.MaxPerWindow]
	PerDay    int
}

// metered converts l to the limits of Take in package store.
func (l Limits) metered() store.Limits {
	return store.Limits{Window: time.Minute, PerWindow: l.PerMinute, Period: 24 * time.Hour, PerPeriod: int64(l.PerDay)}
}

// Limiter decides whether requests are allowed. While its store is unavailable,
// it counts in memory. It is safe for concurrent use.
type Limiter struct {
	meter, memory store.Backend
	limits        Limits
	log           *slog.Logger
	unavailable   atomic.Bool
}

// meterPrefix precedes the key in the store key of its counts.
const meterPrefix = "rate/"

// New returns a Limiter that counts in meter. It logs when meter becomes
// unavailable and available again; log may be nil. The error is about limits
// that are out of range.
func New(meter store.Backend, limits Limits, log *slog.Logger) (*Limiter, error) {
	log = cmp.Or(log, slog.New(slog.DiscardHandler))
	return &Limiter{meter: meter, memory: store.NewMemory(), limits: limits, log: log}, limits.metered().Check()
}

// Allow decides on one request of a key at now and counts it if it is allowed.
// perMinute, if not zero, replaces the limit for this key, up to
// [store.MaxPerWindow]. The limits hold exactly under concurrent calls. An error
// means that no decision was made and nothing was counted.
func (l *Limiter) Allow(ctx context.Context, key string, perMinute int, now time.Time) (Decision, error) {
	limits := Limits{cmp.Or(perMinute, l.limits.PerMinute), l.limits.PerDay}
	if limits == (Limits{}) {
		return Decision{Allowed: true}, nil
	}
	usage, err := store.Take(ctx, l.meter, meterPrefix+key, now, limits.metered())
	unavailable := errors.Is(err, store.ErrUnavailable)
	if changed := l.unavailable.CompareAndSwap(!unavailable, unavailable); changed && unavailable {
		l.log.WarnContext(ctx, "the store cannot be reached; requests are limited by this process alone", "error", err)
	} else if changed {
		l.log.InfoContext(ctx, "the store can be reached again; requests are limited together")
	}
	if unavailable {
		usage, err = store.Take(ctx, l.memory, key, now, limits.metered())
	}
	if err != nil {
		return Decision{}, err
	}
	return limits.decision(usage, now), nil
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
func (d Decision) RetryAfter() (wait time.Duration) {
	for _, q := range []Quota{d.Minute, d.Day} {
		if !d.Allowed && q.Limit > 0 && q.Remaining == 0 {
			wait = max(wait, q.Reset)
		}
	}
	return wait
}

// decision converts a usage at now to a Decision.
func (l Limits) decision(u store.Usage, now time.Time) Decision {
	d := Decision{Allowed: u.Taken}
	if l.PerMinute > 0 {
		oldest := now
		if !u.Oldest.IsZero() {
			oldest = u.Oldest
		}
		d.Minute = Quota{l.PerMinute, l.PerMinute - u.InWindow, oldest.Add(time.Minute).Sub(now)}
	}
	if l.PerDay > 0 {
		midnight := now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
		d.Day = Quota{l.PerDay, max(0, l.PerDay-int(u.InPeriod)), midnight.Sub(now)}
	}
	return d
}
