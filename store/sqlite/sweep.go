package sqlite

import (
	"context"
	"time"

	"github.com/devkiln/devkiln/store"
)

// A sweep goes in steps of this size, so that writers never wait long.
const (
	sweepBatch  = 64      // entries
	sweepBytes  = 1 << 20 // of values
	vacuumPages = 512
)

// Sweep implements [store.Backend]. Once nothing more has expired, it hands
// free pages back to the file system until at most one page in twenty is free:
// the file shrinks, and a few pages stay at hand for what comes next.
func (db *DB) Sweep(ctx context.Context, limit int) (int, error) {
	if err := store.CheckLimit(limit); err != nil {
		return 0, err
	}
	swept, more := 0, true
	for more {
		var batch int
		err := db.do(ctx, true, func(ctx context.Context, w *writer) error {
			var err error
			if batch, err = w.sweepBatch(ctx, time.Now(), min(sweepBatch, limit-swept)); err != nil {
				return err
			}
			more, err = w.vacuum(ctx)
			return err
		})
		if err != nil {
			return swept, err
		}
		swept += batch
		more = (more || batch > 0) && swept < limit
	}
	return swept, nil
}

// sweepBatch deletes up to limit entries that have expired, the oldest expiry
// first, and returns how many it has deleted.
func (w *writer) sweepBatch(ctx context.Context, now time.Time, limit int) (int, error) {
	rows, err := w.expired.QueryContext(ctx, now.UnixMilli(), limit)
	if err != nil {
		return 0, err
	}
	var ids []int64
	for size := int64(0); size < sweepBytes && rows.Next(); {
		var id, length int64
		if err := rows.Scan(&id, &length); err != nil {
			return 0, err
		}
		ids = append(ids, id)
		size += length
	}
	if err := rows.Close(); err != nil {
		return 0, err
	}
	for _, id := range ids {
		if _, err := w.sweep.ExecContext(ctx, id); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}

// vacuum gives free pages back, and reports whether there are more to give.
func (w *writer) vacuum(ctx context.Context) (bool, error) {
	var pages, free int
	if err := w.pages.QueryRowContext(ctx).Scan(&pages, &free); err != nil {
		return false, err
	}
	if free <= pages/20 {
		return false, nil
	}
	_, err := w.vacuumed.ExecContext(ctx)
	return true, err
}
