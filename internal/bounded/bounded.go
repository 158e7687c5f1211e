// Package bounded holds what can be had again in so many bytes.
package bounded

// Map is a map from keys to values that takes up to a number of bytes. The zero
// value keeps nothing. It is not safe for concurrent use.
type Map[V any] struct {
	// Max is how many bytes there may be in all. An entry of more than a 64th of
	// that is not kept.
	Max int

	entries map[string]entry[V]
	bytes   int
}

type entry[V any] struct {
	value V
	bytes int
}

// overhead is about what an entry takes beside its key and its value.
const overhead = 128

// Get returns the value of a key, if it is kept.
func (m *Map[V]) Get(key string) (V, bool) {
	e, ok := m.entries[key]
	return e.value, ok
}

// Takes reports whether Put would keep a value that takes so many bytes.
func (m *Map[V]) Takes(key string, bytes int) bool {
	return bytes <= m.Max/64-len(key)-overhead
}

// Put keeps a value that takes so many bytes, in the place of others, which are
// chosen at random, if there is no room.
func (m *Map[V]) Put(key string, value V, bytes int) {
	m.Delete(key)
	if !m.Takes(key, bytes) {
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

// Delete forgets a key.
func (m *Map[V]) Delete(key string) {
	if e, ok := m.entries[key]; ok {
		delete(m.entries, key)
		m.bytes -= e.bytes
	}
}

// Clear forgets everything.
func (m *Map[V]) Clear() {
	clear(m.entries)
	m.bytes = 0
}

// Bytes returns how many bytes there are.
func (m *Map[V]) Bytes() int { return m.bytes }
