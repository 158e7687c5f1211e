package sqlite

import (
	"bytes"
	"context"
	"sync"
	"time"
)

// cache holds recently read entries. Without it a server reads logs of 1 KB at
// two thirds of the speed: 13,000 instead of 20,000 a second on a busy machine
// with 2 cores (internal/bench, -bench ServiceLogs).
//
// Readers see writes of this process at once: an entry is evicted before it is
// changed, and nothing read before the commit is cached after it. They see
// writes of other processes, such as a companion, after at most maxAge: when a
// read finds the cache that old, it bypasses it and asks the writer to check
// for them.
type cache struct {
	checkRequests chan struct{} // asks the writer to call look

	mu      sync.Mutex
	entries map[string]cached
	bytes   int                 // size of all entries
	writing map[string]struct{} // keys being changed
	changes uint64              // count of changes
	checked time.Time           // when look last succeeded
	version int64               // SQLite's data_version then
}

type cached struct {
	value   []byte
	expires int64
}

// size returns the approximate size of an entry in memory.
func (e cached) size(key string) int { return len(key) + len(e.value) + 128 }

const (
	maxAge   = 10 * time.Millisecond
	maxCache = 4 << 20       // bytes of all entries
	maxEntry = maxCache / 64 // bytes of an entry
)

func newCache() *cache {
	return &cache{checkRequests: make(chan struct{}, 1), entries: make(map[string]cached), writing: make(map[string]struct{})}
}

// get returns a copy of the cached value of a live entry. If there is none, the
// caller may read the entry and cache it with add, which needs changes.
func (c *cache) get(key string, now time.Time) (value []byte, changes uint64, ok bool) {
	c.mu.Lock()
	e, ok := c.entries[key]
	changes = c.changes
	old := time.Since(c.checked) >= maxAge // now is in milliseconds
	c.mu.Unlock()
	if old {
		select {
		case c.checkRequests <- struct{}{}:
		default: // already asked
		}
	}
	if old || !ok || e.expires <= now.UnixMilli() {
		return nil, changes, false
	}
	return bytes.Clone(e.value), changes, true
}

// add caches an entry read after get, unless it is large or may have changed
// since. To make room, it evicts arbitrary other entries.
func (c *cache) add(key string, value []byte, expires int64, changes uint64) {
	e := cached{value, expires}
	size := e.size(key)
	if size > maxEntry {
		return
	}
	e.value = bytes.Clone(value)
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, writing := c.writing[key]; writing || c.changes != changes {
		return
	}
	c.evict(key)
	for other := range c.entries {
		if c.bytes+size <= maxCache {
			break
		}
		c.evict(other)
	}
	c.entries[key] = e
	c.bytes += size
}

// evict removes an entry. The caller holds mu.
func (c *cache) evict(key string) {
	if e, ok := c.entries[key]; ok {
		delete(c.entries, key)
		c.bytes -= e.size(key)
	}
}

// begin evicts keys whose entries are about to change, and bars them until end.
func (c *cache) begin(keys []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range keys {
		c.evict(key)
		c.writing[key] = struct{}{}
	}
}

// end records that all changes begun are committed or have failed.
func (c *cache) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.writing)
	c.changes++
}

// look evicts everything if another process has changed the file. SQLite's
// data_version does not count the connection's own changes.
func (w *writer) look(ctx context.Context) {
	now := time.Now()
	var version int64
	if err := w.QueryRowContext(ctx, "PRAGMA data_version").Scan(&version); err != nil {
		return // the cache grows too old to be used
	}
	c := w.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	if version != c.version {
		clear(c.entries)
		c.bytes = 0
		c.changes++
	}
	c.version, c.checked = version, now
}
