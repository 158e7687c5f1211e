package server

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/devkiln/devkiln/store"
)

// Intervals of maintenance.
const (
	flushEvery  = time.Second
	reloadEvery = 10 * time.Second
	sweepEvery  = time.Minute
	sweepBatch  = 500
)

// Maintain stores the counts of requests every second, and reads the certificate
// again every ten, when it also returns unused memory to the system. Every
// minute it removes expired entries, and measures the contents of the store, if
// there are metrics. When ctx is done, it stores the counts once more and
// returns. Errors are logged, and the operation is tried again next time.
// [Server.Serve] calls it; a program that serves the Server in a mux of its own
// does so itself, once.
func (s *Server) Maintain(ctx context.Context) error {
	flush, reload, sweep := time.NewTicker(flushEvery), time.NewTicker(reloadEvery), time.NewTicker(sweepEvery)
	defer flush.Stop()
	defer reload.Stop()
	defer sweep.Stop()
	err := s.measure(ctx)
	for {
		if err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "maintenance failed, and is tried again", "error", err)
		}
		select {
		case <-ctx.Done():
			return s.usage.Flush(context.WithoutCancel(ctx))
		case <-flush.C:
			err = s.usage.Flush(ctx)
		case <-reload.C:
			debug.FreeOSMemory() // after a large request, the next collection may be minutes away
			err = s.reloadCertificate(ctx)
		case <-sweep.C:
			err = errors.Join(sweepAll(ctx, &s.visitors), sweepAll(ctx, s.backend), s.measure(ctx))
		}
	}
}

// sweepAll removes what has expired, a few entries at a time.
func sweepAll(ctx context.Context, backend store.Backend) error {
	for {
		if n, err := backend.Sweep(ctx, sweepBatch); err != nil || n < sweepBatch {
			return err
		}
	}
}
