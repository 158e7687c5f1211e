package ratelimit

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/devkiln/devkiln/store"
)

// Shared is a [Limiter] for several processes on one store: the limits hold
// exactly for all of them together. While the store is unavailable, each
// process limits by itself.
type Shared struct {
	meter       store.Backend
	local       *Local
	log         *slog.Logger
	unavailable atomic.Bool
}

// meterPrefix precedes the key in the store key of its usage.
const meterPrefix = "rate/"

// NewShared returns a Shared that counts in meter, with the limits of local,
// and counts in local while meter is unavailable. It logs when that begins and
// ends; log may be nil. It returns an error if PerMinute exceeds
// [store.MaxPerWindow].
func NewShared(meter store.Backend, local *Local, log *slog.Logger) (*Shared, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Shared{meter: meter, local: local, log: log}, local.limits.metered().Check()
}

// metered converts l to the limits of Take in package store.
func (l Limits) metered() store.Limits {
	return store.Limits{Window: Window, PerWindow: l.PerMinute, Period: 24 * time.Hour, PerPeriod: int64(l.PerDay)}
}

// Allow implements [Limiter].
func (s *Shared) Allow(ctx context.Context, key string, perMinute int, now time.Time) (Decision, error) {
	limits := s.local.limits.forKey(perMinute)
	if limits.PerMinute == 0 && limits.PerDay == 0 {
		return Decision{Allowed: true}, nil
	}
	usage, err := s.meter.Take(ctx, meterPrefix+key, now, limits.metered())
	unavailable := errors.Is(err, store.ErrUnavailable)
	if s.unavailable.CompareAndSwap(!unavailable, unavailable) {
		s.logAvailability(unavailable, err)
	}
	if unavailable {
		return s.local.Allow(ctx, key, perMinute, now)
	}
	if err != nil {
		return Decision{}, err
	}
	return limits.decision(usage, now), nil
}

func (s *Shared) logAvailability(unavailable bool, err error) {
	if unavailable {
		s.log.Warn("the store cannot be reached; requests are limited by this process alone", "error", err)
		return
	}
	s.log.Info("the store can be reached again; requests are limited together")
}
