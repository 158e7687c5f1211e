package sqlite

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/devkiln/devkiln/internal/bounded"
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
	entries bounded.Cache[cached]
	writing map[string]struct{} // keys being changed
	changes uint64              // count of changes
	checked time.Time           // when look last succeeded
	version int64               // SQLite's data_version then
}

type cached struct {
	value   []byte
	expires int64
}

const (
	maxAge   = 10 * time.Millisecond
	maxCache = 4 << 20 // bytes
)

func newCache() *cache {
	return &cache{
		checkRequests: make(chan struct{}, 1), entries: bounded.Cache[cached]{Max: maxCache}, writing: make(map[string]struct{}),
	}
}

// get returns a copy of the cached value of a live entry. If there is none, the
// caller may read the entry and cache it with add, which needs changes.
func (c *cache) get(key string, now time.Time) (value []byte, changes uint64, ok bool) {
	c.mu.Lock()
	e, ok := c.entries.Get(key)
	changes = c.changes
	old := now.Sub(c.checked) >= maxAge
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

// add caches an entry read after get, unless it may have changed since.
func (c *cache) add(key string, value []byte, expires int64, changes uint64) {
	if !c.entries.Fits(key, len(value)) {
		return
	}
	e := cached{bytes.Clone(value), expires}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, writing := c.writing[key]; !writing && c.changes == changes {
		c.entries.Put(key, e, len(value))
	}
}

// begin evicts keys whose entries are about to change, and bars them until end.
func (c *cache) begin(keys []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range keys {
		c.entries.Delete(key)
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
	if err := w.version.QueryRowContext(ctx).Scan(&version); err != nil {
		return // the cache grows too old to be used
	}
	c := w.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	if version != c.version {
		c.entries.Clear()
		c.changes++
	}
	c.version, c.checked = version, now
}
