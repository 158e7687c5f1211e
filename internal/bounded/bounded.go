// Package bounded provides a size-bounded cache.
package bounded

// Cache maps keys to values, up to a total size in bytes. The zero value caches
// nothing. It is not safe for concurrent use.
type Cache[V any] struct {
	// Max is the maximum size of all entries in bytes. An entry of more
	// than a 64th of that is not cached.
	Max int

	entries map[string]entry[V]
	bytes   int
}

type entry[V any] struct {
	value V
	bytes int
}

// overhead is the approximate size of an entry besides its key and value.
const overhead = 128

// Get returns the value of a key, if it is cached.
func (m *Cache[V]) Get(key string) (V, bool) {
	e, ok := m.entries[key]
	return e.value, ok
}

// Fits reports whether Put would cache a value of this many bytes under key.
func (m *Cache[V]) Fits(key string, bytes int) bool {
	return bytes <= m.Max/64-len(key)-overhead
}

// Put caches a value of this many bytes. To make room, it evicts arbitrary
// other entries.
func (m *Cache[V]) Put(key string, value V, bytes int) {
	m.Delete(key)
	if !m.Fits(key, bytes) {
		return
	}
	bytes += len(key) + overhead
	for other := range m.entries {
		if m.bytes+bytes <= m.Max {
			break
		}
		m.Delete(other)
	}
	if m.entries == nil {
		m.entries = make(map[string]entry[V])
	}
	m.entries[key] = entry[V]{value, bytes}
	m.bytes += bytes
}

// Delete removes a key.
func (m *Cache[V]) Delete(key string) {
	if e, ok := m.entries[key]; ok {
		delete(m.entries, key)
		m.bytes -= e.bytes
	}
}

// Clear removes all entries.
func (m *Cache[V]) Clear() {
	clear(m.entries)
	m.bytes = 0
}

// Bytes returns the size of all entries.
func (m *Cache[V]) Bytes() int { return m.bytes }
