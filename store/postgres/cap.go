package postgres

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/devkiln/devkiln/store"
)

// The size of the store is measured on a sample of its pages, so that it costs
// the same for a million entries and for a billion. What PostgreSQL says of its
// files would be cheaper, but files do not shrink when entries go, and a store
// that is full has to notice that.

// samplePages is about how many pages are looked at, 32 MiB in some 10 ms. A
// table of fewer is measured exactly. For 300,000 entries of 0.3 to 1.8 KB the
// standard error was 1.5 percent.
const samplePages = 4000

// sampledShare is the percentage of the pages that are looked at.
const sampledShare = `least(100, 100 * $1::float8 * current_setting('block_size')::float8 /
	greatest(pg_relation_size('devkiln_entries'), 1))`

// sizeOfEntries reads long values nowhere: their length stands in the row.
const sizeOfEntries = `SELECT (coalesce(sum(octet_length(key) + octet_length(value) + 64), 0) * 100 / ` + sampledShare + `)::bigint
	FROM devkiln_entries TABLESAMPLE SYSTEM (` + sampledShare + `)`

// measureEvery is how old a measured size may get; remeasureFull is the same
// for a store that was found full.
const (
	measureEvery  = 30 * time.Second
	remeasureFull = 200 * time.Millisecond
)

var errFull = fmt.Errorf("postgres: full: %w", store.ErrUnavailable)

// capacity keeps a store to a number of bytes. It goes by the last measurement
// and by what this replica has written since.
type capacity struct {
	max int64 // 0 for no cap

	mu       sync.Mutex // held while measuring
	size     int64
	measured time.Time
}

// entrySize is what sizeOfEntries says of one entry.
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

// reserve takes note of bytes to be written, or returns errFull.
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
		return errFull
	}
	c.size += bytes
	return nil
}

// makeRoom measures the size, and sweeps while it leaves no room for bytes,
// until the time of a call is over. When the size cannot be measured, the last
// one stands: whether the database can write, it will say itself.
func (db *DB) makeRoom(ctx context.Context, bytes int64) {
	c := &db.capacity
	for started := time.Now(); ; {
		err := db.measure(ctx)
		if err != nil || c.size+bytes <= c.max || time.Since(started) > db.timeout {
			return
		}
		const some = 1000
		if swept, err := db.Sweep(ctx, some); err != nil || swept == 0 {
			return
		}
	}
}

// measure measures the size. One that fails counts too, so that callers do not
// wait for it one after the other, unless it is the caller who has gone.
func (db *DB) measure(ctx context.Context) error {
	size, err := db.Size(ctx)
	if err == nil {
		db.capacity.size = size
	}
	if ctx.Err() == nil {
		db.capacity.measured = time.Now()
	}
	return err
}

// checkCap measures the size for the first time, and refuses a cap where that
// is not possible: the engines that speak PostgreSQL's language do not all take
// samples.
func (db *DB) checkCap(ctx context.Context) error {
	if db.capacity.max <= 0 {
		return nil
	}
	size, err := db.Size(ctx)
	db.capacity.size = size // until the first caller measures, and makes room
	if code := sqlState(err); code != "" && !passing(code) {
		return &plainError{fmt.Sprintf("this database cannot tell the size of the store, so there can be no cap on it: %v", err)}
	}
	return err
}
