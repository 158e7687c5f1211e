package sqlite

import (
	"bytes"
	"context"
	"sync"
	"time"
)

// cache keeps entries that were read lately: to find one here takes a hundredth
// of the time that SQLite takes.
//
// What this process writes is never seen late. An entry is forgotten before it
// is changed and not kept again until the change is committed, nor is one that
// was read before. Changes of other processes, such as a companion, are seen
// once they are maxAge old at most: the writer looks for them, if somebody asks.
type cache struct {
	asks chan struct{} // for the writer to look

	mu      sync.Mutex
	entries map[string]cached
	bytes   int                 // of entries, about
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
	maxAge        = 10 * time.Millisecond
	maxCache      = 4 << 20  // bytes
	maxCached     = 64 << 10 // bytes of an entry
	cacheOverhead = 128      // bytes of an entry beside its key and value
)

func newCache() *cache {
	return &cache{asks: make(chan struct{}, 1), entries: make(map[string]cached), writing: make(map[string]struct{})}
}

// get returns the value of a live entry that is kept, to be the caller's own. If
// it has none, what is read afterwards can be kept with add, which needs changes.
func (c *cache) get(key string, now time.Time) (value []byte, changes uint64, ok bool) {
	c.mu.Lock()
	e, ok := c.entries[key]
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

// add keeps an entry that was read after get, in the place of others if there is
// no room.
func (c *cache) add(key string, value []byte, expires int64, changes uint64) {
	e := cached{bytes.Clone(value), expires}
	if e.size(key) > maxCached {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, writing := c.writing[key]; writing || c.changes != changes {
		return
	}
	c.forget(key)
	for other := range c.entries { // in no order
		if c.bytes+e.size(key) <= maxCache {
			break
		}
		c.forget(other)
	}
	c.entries[key] = e
	c.bytes += e.size(key)
}

func (e cached) size(key string) int { return len(key) + len(e.value) + cacheOverhead }

func (c *cache) forget(key string) {
	if e, ok := c.entries[key]; ok {
		c.bytes -= e.size(key)
		delete(c.entries, key)
	}
}

// begin is told of keys before their entries are changed.
func (c *cache) begin(keys []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range keys {
		c.forget(key)
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

// look forgets everything if another process has changed something. SQLite
// counts that for each connection: its own changes are not among them.
func (w *writer) look(ctx context.Context) {
	now := time.Now()
	var version int64
	if err := w.version.QueryRowContext(ctx).Scan(&version); err != nil {
		return // the cache grows old, and nobody uses it
	}
	c := w.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	if version != c.version {
		clear(c.entries)
		c.bytes = 0
		c.changes++
	}
	c.version, c.looked = version, now
}
