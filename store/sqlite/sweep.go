package sqlite

import (
	"context"
	"fmt"
	"time"

	"github.com/devkiln/devkiln/store/driver"
)

// A sweep proceeds in steps of a few milliseconds, between which the writer
// takes other changes.
const (
	sweepBudget = 4 * time.Millisecond
	sweepBatch  = 16 // entries, which one statement deletes whatever their size
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
	swept, now := 0, db.clock.Now()
	for {
		var batch int
		var shrinking bool
		err := db.do(ctx, &write{lazy: true, run: func(ctx context.Context, w *writer) (err error) {
			batch, err = w.sweepSome(ctx, limit-swept)
			if err == nil && batch == 0 {
				shrinking, err = w.shrink(ctx)
			}
			return err
		}})
		if err != nil {
			return swept, err
		}
		swept += batch
		if batch == 0 {
			db.clock.Swept(now)
		}
		if swept == limit || batch == 0 && !shrinking {
			return swept, nil
		}
	}
}

// sweepSome deletes expired entries, the oldest expiry first, until limit, its
// budget or their number is reached. It returns how many it deleted.
func (w *writer) sweepSome(ctx context.Context, limit int) (int, error) {
	started, swept := time.Now(), 0
	for {
		batch := min(sweepBatch, limit-swept)
		n, err := w.exec(ctx, sweepEntries, w.clock.Now().UnixMilli(), batch)
		swept += int(n)
		if err != nil || int(n) < batch || swept == limit || time.Since(started) > sweepBudget {
			return swept, err
		}
	}
}

// shrink returns some free pages to the system, and reports whether more
// remain.
func (w *writer) shrink(ctx context.Context) (bool, error) {
	var free int
	if err := w.QueryRowContext(ctx, "PRAGMA freelist_count").Scan(&free); err != nil || free == 0 {
		return false, err
	}
	_, err := w.ExecContext(ctx, fmt.Sprintf("PRAGMA incremental_vacuum(%d)", vacuumPages))
	return true, err
}
