package server

import (
	"context"
	"errors"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Intervals of storing counts, removing old entries and keys, and freeing
// memory.
const (
	flushEvery   = time.Second
	sweepEvery   = time.Minute
	sweepBatch   = 500
	releaseEvery = 10 * time.Second
	tidyEvery    = 24 * time.Hour
	idleMemory   = 2 << 20 // bytes that an idle process may retain unused, or an eighth of those in use
)

// Maintain stores the counts of keys and requests every second, removes expired
// entries every minute, and at its start and every day removes the records of
// keys revoked 90 days ago and sums up the counts of past days, until ctx is
// done; then it stores the counts once more and returns. It returns memory
// freed by the start of the process and by requests to the system when the
// process is idle. Errors are logged, and the operation is tried again next
// time. [Server.Serve] calls Maintain.
func (s *Server) Maintain(ctx context.Context) error {
	flush, sweep, release, tidy := time.NewTicker(flushEvery), time.NewTicker(sweepEvery), time.NewTicker(releaseEvery), time.NewTicker(tidyEvery)
	defer flush.Stop()
	defer sweep.Stop()
	defer release.Stop()
	defer tidy.Stop()
	s.tidy(ctx, time.Now())
	var memory heap
	memory.release()
	for {
		select {
		case <-ctx.Done():
			return s.flushAll(context.WithoutCancel(ctx), time.Now())
		case now := <-flush.C:
			if err := s.flushAll(ctx, now); err != nil && ctx.Err() == nil {
				s.log.WarnContext(ctx, "counts not written, retrying at the next flush", "error", err)
			}
		case now := <-tidy.C:
			s.tidy(ctx, now)
		case <-release.C:
			memory.releaseIfIdle()
		case <-sweep.C:
			if err := s.sweepAll(ctx); err != nil && ctx.Err() == nil {
				s.log.WarnContext(ctx, "expired entries not removed, retrying at the next sweep", "error", err)
			}
		}
	}
}

func (s *Server) tidy(ctx context.Context, now time.Time) {
	if err := s.keys.DeleteRevoked(ctx, now); err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "old revoked keys not deleted, retrying tomorrow", "error", err)
	}
	if err := s.usage.Summarize(ctx, now); err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "counts of past days not summed up, will be when they are needed", "error", err)
	}
}

func (s *Server) flushAll(ctx context.Context, now time.Time) error {
	var failures []error
	for _, flush := range s.flush {
		failures = append(failures, flush(ctx, now))
	}
	return errors.Join(failures...)
}

func (s *Server) sweepAll(ctx context.Context) error {
	for {
		n, err := s.backend.Sweep(ctx, sweepBatch)
		if err != nil || n < sweepBatch {
			return err
		}
	}
}

// heap returns memory to the system that the process no longer uses.
type heap struct {
	collections uint64 // number of garbage collections at the last look
	live        uint64 // bytes in use after the last release
}

func (h *heap) release() {
	debug.FreeOSMemory()
	h.collections, _, h.live = readHeap()
}

// releaseIfIdle releases memory if no garbage collection has run since the last
// look. A process that allocates little may otherwise wait two minutes for the
// next one.
func (h *heap) releaseIfIdle() {
	collections, live, held := readHeap()
	live = min(live, h.live)
	if collections == h.collections && held > live+max(idleMemory, live/8) {
		h.release()
		return
	}
	h.collections = collections
}

// readHeap returns the number of garbage collections, the bytes in use at the
// last of them, and those now held for the heap.
func readHeap() (collections, live, held uint64) {
	samples := []metrics.Sample{
		{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(samples)
	return samples[0].Value.Uint64(), samples[1].Value.Uint64(), samples[2].Value.Uint64() + samples[3].Value.Uint64()
}
