package sqlite

import (
	"context"
	"time"

	"github.com/devkiln/devkiln/store/driver"
)

// A sweep proceeds in steps of a few milliseconds, between which the writer
// takes other changes.
const (
	sweepBatch  = 1024 // entries
	sweepBudget = 4 * time.Millisecond
	vacuumPages = 256
)

// Sweep implements [store.Backend]. Once no expired entries are left, it
// returns all free pages to the file system: the file shrinks, and no swept or
// deleted data remains in it. The write-ahead log may hold some until it is
// overwritten, at the latest by Close.
func (db *DB) Sweep(ctx context.Context, limit int) (int, error) {
	if err := driver.CheckLimit(limit); err != nil {
		return 0, err
	}
	swept := 0
	for {
		var batch int
		var shrinking bool
		err := db.do(ctx, &write{lazy: true, run: func(ctx context.Context, w *writer) error {
			var err error
			batch, err = w.sweepBatch(ctx, time.Now(), min(sweepBatch, limit-swept))
			if err == nil && batch == 0 {
				shrinking, err = w.shrink(ctx)
			}
			return err
		}})
		if err != nil {
			return swept, err
		}
		swept += batch
		if swept == limit || batch == 0 && !shrinking {
			return swept, nil
		}
	}
}

// sweepBatch deletes up to limit expired entries, the oldest expiry first,
// until its time is up. It returns how many it deleted.
func (w *writer) sweepBatch(ctx context.Context, now time.Time, limit int) (int, error) {
	rows, err := w.expired.QueryContext(ctx, now.UnixMilli(), limit)
	if err != nil {
		return 0, err
	}
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return 0, err
		}
		ids = append(ids, id)
	}
	if err := rows.Close(); err != nil {
		return 0, err
	}
	for i, id := range ids {
		if _, err := w.sweep.ExecContext(ctx, id); err != nil {
			return 0, err
		}
		if time.Since(now) > sweepBudget {
			return i + 1, nil
		}
	}
	return len(ids), nil
}

// shrink returns some free pages to the system, and reports whether more
// remain.
func (w *writer) shrink(ctx context.Context) (bool, error) {
	var free int
	if err := w.free.QueryRowContext(ctx).Scan(&free); err != nil {
		return false, err
	}
	if free == 0 {
		return false, nil
	}
	_, err := w.vacuum.ExecContext(ctx)
	return true, err
}
