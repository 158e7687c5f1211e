package sqlite

import "time"

// See tells the clock of the store what time it is.
func (db *DB) See(now time.Time) { db.clock.See(now) }

// CachedBytes returns the size of the cached entries, which is at most [MaxCache].
func (db *DB) CachedBytes() int {
	db.cache.mu.Lock()
	defer db.cache.mu.Unlock()
	return db.cache.bytes
}

// MaxCache is the limit of CachedBytes.
const MaxCache = maxCache
