package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/devkiln/devkiln/store"
)

// How often the counts of keys are written down, and expired entries removed.
const (
	flushEvery = time.Second
	sweepEvery = time.Minute
	sweepBatch = 500
)

// keep writes counts down and sweeps until ctx ends, and writes once more then.
func keep(ctx context.Context, log *slog.Logger, backend store.Backend, write func(context.Context, time.Time) error) error {
	flush, sweep := time.NewTicker(flushEvery), time.NewTicker(sweepEvery)
	defer flush.Stop()
	defer sweep.Stop()
	for {
		select {
		case <-ctx.Done():
			return write(context.WithoutCancel(ctx), time.Now())
		case now := <-flush.C:
			if err := write(ctx, now); err != nil && ctx.Err() == nil {
				log.Warn("counts not written, will be with the next", "error", err)
			}
		case <-sweep.C:
			if err := sweepAll(ctx, backend); err != nil && ctx.Err() == nil {
				log.Warn("expired entries not removed, will be with the next", "error", err)
			}
		}
	}
}

func sweepAll(ctx context.Context, backend store.Backend) error {
	for {
		n, err := backend.Sweep(ctx, sweepBatch)
		if err != nil || n < sweepBatch {
			return err
		}
	}
}
