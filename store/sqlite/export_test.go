package sqlite

// Cached returns how many bytes the cache counts, and how many it has.
func (db *DB) Cached() (counted, kept int) {
	db.cache.mu.Lock()
	defer db.cache.mu.Unlock()
	for key, e := range db.cache.entries {
		kept += e.size(key)
	}
	return db.cache.bytes, kept
}
