package postgres

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/devkiln/devkiln/store"
)

// The size of the store is estimated from a sample of its pages, at a constant
// cost for any number of entries. The file sizes that PostgreSQL reports are
// cheaper, but files do not shrink when entries are deleted, so a full store
// would stay full.

// samplePages is the approximate number of pages sampled, 32 MiB in about 10
// ms. A smaller table is measured exactly. For 300,000 entries of 0.3 to 1.8 KB
// the standard error was 1.5 percent.
const samplePages = 4000

// sampledShare is the percentage of pages in the sample.
const sampledShare = `least(100, 100 * $1::float8 * current_setting('block_size')::float8 /
	greatest(pg_relation_size('devkiln_entries'), 1))`

// sizeOfEntries reads no long values, because the row holds their length.
const sizeOfEntries = `SELECT (coalesce(sum(octet_length(key) + octet_length(value) + 64), 0) * 100 / ` + sampledShare + `)::bigint
	FROM devkiln_entries TABLESAMPLE SYSTEM (` + sampledShare + `)`

// measureEvery is the maximum age of a measured size; remeasureFull is the same
// for a full store.
const (
	measureEvery  = 30 * time.Second
	remeasureFull = 200 * time.Millisecond
)

// capacity limits the size of a store in bytes. It counts from the last
// measurement and adds what this replica has written since.
type capacity struct {
	max int64 // 0 means no cap

	mu       sync.Mutex // held while measuring
	size     int64
	measured time.Time
}

// entrySize returns the size of one entry, as sizeOfEntries counts it.
func entrySize(key string, value []byte) int64 { return int64(len(key) + len(value) + 64) }

// Size implements [store.Backend]. It returns the bytes of all keys and values
// plus 64 for each entry, exactly for up to a few thousand entries and within a
// few percent beyond. It reads at most 32 MiB of the table.
func (db *DB) Size(ctx context.Context) (int64, error) {
	var size int64
	err := db.run(ctx, db.timeout, func(ctx context.Context) error {
		return db.lazy.QueryRow(ctx, sizeOfEntries, samplePages).Scan(&size)
	})
	return size, err
}

// reserve counts bytes that are about to be written, or returns that
// the store is full.
func (db *DB) reserve(ctx context.Context, bytes int64) error {
	c := &db.capacity
	if c.max <= 0 {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	age := time.Since(c.measured)
	if age > measureEvery || age > remeasureFull && c.size+bytes > c.max {
		db.makeRoom(ctx, bytes)
	}
	if c.size+bytes > c.max {
		return fmt.Errorf("postgres: the store is full: it has reached its limit of %d bytes: %w", c.max, store.ErrUnavailable)
	}
	c.size += bytes
	return nil
}

// makeRoom measures the size, and sweeps until bytes fit or the timeout of a
// call has passed. If the size cannot be measured, the last one remains: the
// write itself shows whether the database works. A failure also counts as a
// measurement, unless ctx is done, so that callers do not wait for one after
// another.
func (db *DB) makeRoom(ctx context.Context, bytes int64) {
	c := &db.capacity
	for started, swept := time.Now(), 1; swept > 0 && time.Since(started) < db.timeout; {
		size, err := db.Size(ctx)
		if ctx.Err() == nil {
			c.measured = time.Now()
		}
		if err != nil {
			return
		}
		if c.size = size; size+bytes <= c.max {
			return
		}
		swept, _ = db.Sweep(ctx, sweepBatch) // an error shows in the write
	}
}
