package sqlite

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/devkiln/devkiln/internal/bounded"
)

// cache holds recently read entries. Without it a server reads logs of 1 KB at
// two thirds of the speed, 13,000 instead of 20,000 a second on a busy machine
// of 2 cores (internal/bench, -bench ServiceLogs).
//
// What this process writes is never seen late. An entry is evicted before it is
// changed and not cached again until the change is committed, nor is one that
// was read before. Changes of other processes, such as a companion, are seen
// once they are maxAge old at most: the writer looks for them, if somebody asks.
type cache struct {
	asks chan struct{} // for the writer to look

	mu      sync.Mutex
	entries bounded.Cache[cached]
	writing map[string]struct{} // keys that are being changed
	changes uint64              // how often something has been changed
	looked  time.Time           // when no other process had changed anything
	version int64               // what SQLite counted then
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
		asks: make(chan struct{}, 1), entries: bounded.Cache[cached]{Max: maxCache}, writing: make(map[string]struct{}),
	}
}

// get returns the value of a live entry that is cached, to be the caller's own.
// If it has none, what is read afterwards can be cached with add, which needs
// changes.
func (c *cache) get(key string, now time.Time) (value []byte, changes uint64, ok bool) {
	c.mu.Lock()
	e, ok := c.entries.Get(key)
	changes = c.changes
	old := now.Sub(c.looked) >= maxAge
	c.mu.Unlock()
	if old {
		select {
		case c.asks <- struct{}{}:
		default: // somebody has asked
		}
	}
	if old || !ok || e.expires <= now.UnixMilli() {
		return nil, changes, false
	}
	return bytes.Clone(e.value), changes, true
}

// add caches an entry that was read after get.
func (c *cache) add(key string, value []byte, expires int64, changes uint64) {
	if !c.entries.Takes(key, len(value)) {
		return
	}
	e := cached{bytes.Clone(value), expires}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, writing := c.writing[key]; !writing && c.changes == changes {
		c.entries.Put(key, e, len(value))
	}
}

// begin is told of keys before their entries are changed.
func (c *cache) begin(keys []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range keys {
		c.entries.Delete(key)
		c.writing[key] = struct{}{}
	}
}

// end is told when all changes that have begun are committed or have failed.
func (c *cache) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.writing)
	c.changes++
}

// look evicts everything if another process has changed something. SQLite
// counts that for each connection: its own changes are not among them.
func (w *writer) look(ctx context.Context) {
	now := time.Now()
	var version int64
	if err := w.version.QueryRowContext(ctx).Scan(&version); err != nil {
		return // the cache grows old, and is used by nobody
	}
	c := w.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	if version != c.version {
		c.entries.Clear()
		c.changes++
	}
	c.version, c.looked = version, now
}
