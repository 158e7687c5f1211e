package postgres

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/devkiln/devkiln/store"
)

// measureEvery is how old a measured size may get; remeasureFull is the same
// for a store that was found full.
const (
	measureEvery  = 30 * time.Second
	remeasureFull = time.Second
)

var errFull = fmt.Errorf("postgres: full: %w", store.ErrUnavailable)

// capacity keeps a store to a number of bytes. To measure the size takes a look
// at the whole table, so it goes by the last measurement and by what this
// replica has written since.
type capacity struct {
	max int64 // 0 for no cap

	mu       sync.Mutex
	size     int64
	measured time.Time
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
		if err := db.measure(ctx, bytes); err != nil {
			return err
		}
	}
	if c.size+bytes > c.max {
		return errFull
	}
	c.size += bytes
	return nil
}

// measure measures the size, and sweeps when it leaves no room for bytes.
func (db *DB) measure(ctx context.Context, bytes int64) (err error) {
	c := &db.capacity
	for {
		if c.size, err = db.Size(ctx); err != nil {
			return err
		}
		c.measured = time.Now()
		if c.size+bytes <= c.max {
			return nil
		}
		const some = 1000
		swept, err := db.Sweep(ctx, some)
		if err != nil || swept == 0 {
			return err
		}
	}
}
