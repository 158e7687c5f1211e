package server

import (
	"context"
	"errors"
	"time"
)

// How often counts are written, and expired entries removed.
const (
	flushEvery = time.Second
	sweepEvery = time.Minute
	sweepBatch = 500
)

// Maintain writes the counts of keys and requests every second and removes
// expired entries every minute until ctx ends; then it writes the counts once
// more and returns. Faults in between go to the log, since the next turn makes
// up for them. [Server.Serve] calls it.
func (s *Server) Maintain(ctx context.Context) error {
	flush, sweep := time.NewTicker(flushEvery), time.NewTicker(sweepEvery)
	defer flush.Stop()
	defer sweep.Stop()
	for {
		select {
		case <-ctx.Done():
			return s.flushAll(context.WithoutCancel(ctx), time.Now())
		case now := <-flush.C:
			if err := s.flushAll(ctx, now); err != nil && ctx.Err() == nil {
				s.log.WarnContext(ctx, "counts not written, will be with the next", "error", err)
			}
		case <-sweep.C:
			if err := s.sweepAll(ctx); err != nil && ctx.Err() == nil {
				s.log.WarnContext(ctx, "expired entries not removed, will be with the next", "error", err)
			}
		}
	}
}

func (s *Server) flushAll(ctx context.Context, now time.Time) error {
	var faults []error
	for _, flush := range s.flush {
		faults = append(faults, flush(ctx, now))
	}
	return errors.Join(faults...)
}

func (s *Server) sweepAll(ctx context.Context) error {
	for {
		n, err := s.backend.Sweep(ctx, sweepBatch)
		if err != nil || n < sweepBatch {
			return err
		}
	}
}
