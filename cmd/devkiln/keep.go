package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/store"
)

// How often the counts of keys are written down, and expired entries removed.
const (
	flushEvery = time.Second
	sweepEvery = time.Minute
	sweepBatch = 500
)

// keep writes counts down and sweeps until ctx ends, and writes once more then.
func keep(ctx context.Context, log *slog.Logger, backend store.Backend, ring *apikey.Ring, limiter *ratelimit.Local) error {
	flush, sweep := time.NewTicker(flushEvery), time.NewTicker(sweepEvery)
	defer flush.Stop()
	defer sweep.Stop()
	for {
		select {
		case <-ctx.Done():
			return lastFlush(context.WithoutCancel(ctx), ring, limiter)
		case now := <-flush.C:
			if err := errors.Join(limiter.Flush(ctx, now), ring.Flush(ctx)); err != nil && ctx.Err() == nil {
				log.Warn("counts not written, will be with the next", "error", err)
			}
		case <-sweep.C:
			if err := sweepAll(ctx, backend); err != nil && ctx.Err() == nil {
				log.Warn("expired entries not removed, will be with the next", "error", err)
			}
		}
	}
}

// lastFlush writes the counts down before the store closes. A connection that
// the database has closed meanwhile fails once, so it tries again.
func lastFlush(ctx context.Context, ring *apikey.Ring, limiter *ratelimit.Local) error {
	const tries = 3
	var err error
	for range tries {
		err = errors.Join(limiter.Flush(ctx, time.Now()), ring.Flush(ctx))
		if !errors.Is(err, store.ErrUnavailable) {
			break
		}
	}
	return err
}

func sweepAll(ctx context.Context, backend store.Backend) error {
	for {
		n, err := backend.Sweep(ctx, sweepBatch)
		if err != nil || n < sweepBatch {
			return err
		}
	}
}
