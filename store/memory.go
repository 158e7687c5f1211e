package store

import (
	"bytes"
	"container/heap"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/devkiln/devkiln/store/driver"
)

// Memory is a [Backend] that keeps its entries in memory and loses them with
// the process. The zero value is an empty store. List and Count scan all
// entries.
type Memory struct {
	// MaxBytes limits what Size returns; zero means no limit. At the limit,
	// Create and Put sweep expired entries, those that expired first before the
	// others; if that does not make room, they return an error that wraps
	// [ErrUnavailable]. Set it before the first call.
	MaxBytes int64

	mu      sync.RWMutex
	clock   driver.Clock
	entries map[string]*item
	expiry  expiryHeap
	size    int64
	closed  bool
}

// itemBytes is the approximate size of an entry in bytes without key and value.
const itemBytes = 200

var errFull = fmt.Errorf("store: full: %w", ErrUnavailable)

// item is an entry of a Memory. Its value is never modified in place.
type item struct {
	key     string
	value   []byte
	expires time.Time // to the millisecond; zero means never
	index   int       // in the expiry heap; -1 means never
}

// NewMemory returns an empty store.
func NewMemory() *Memory {
	return new(Memory)
}

// Create implements [Store].
func (m *Memory) Create(ctx context.Context, key string, value []byte, expires time.Time) error {
	return m.CreateAll(ctx, Entry{Key: key, Value: value, Expires: expires})
}

// CreateAll implements [Backend].
func (m *Memory) CreateAll(ctx context.Context, entries ...Entry) error {
	keys := make([]string, len(entries))
	for i, e := range entries {
		keys[i] = e.Key
	}
	return m.write(ctx, keys, func(now time.Time) error {
		for i, e := range entries {
			err := ErrExists
			if m.live(e.Key, now) == nil {
				err = m.insert(e.Key, e.Value, e.Expires)
			}
			if err != nil {
				m.takeBack(entries[:i])
				return err
			}
		}
		return nil
	})
}

// takeBack removes entries that were just inserted.
func (m *Memory) takeBack(entries []Entry) {
	for _, e := range entries {
		if it := m.entries[e.Key]; it != nil {
			m.remove(it)
		}
	}
}

// Get implements [Store].
func (m *Memory) Get(ctx context.Context, key string) ([]byte, error) {
	if err := driver.CheckKey(key); err != nil {
		return nil, err
	}
	unlock, err := m.read(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	it := m.live(key, m.clock.Now())
	if it == nil {
		return nil, ErrNotFound
	}
	return bytes.Clone(it.value), nil
}

// Delete implements [Store].
func (m *Memory) Delete(ctx context.Context, key string) error {
	return m.DeleteAll(ctx, key)
}

// DeleteAll implements [Backend].
func (m *Memory) DeleteAll(ctx context.Context, keys ...string) error {
	return m.write(ctx, keys, func(now time.Time) error {
		err := ErrNotFound
		for _, key := range keys {
			if it := m.live(key, now); it != nil {
				m.remove(it)
				err = nil
			}
		}
		return err
	})
}

// Put implements [Backend].
func (m *Memory) Put(ctx context.Context, key string, value []byte, expires time.Time) error {
	return m.write(ctx, []string{key}, func(time.Time) error {
		return m.insert(key, value, expires)
	})
}

// List implements [Backend].
func (m *Memory) List(ctx context.Context, prefix, after string, limit int) ([]Entry, error) {
	if err := driver.CheckList(prefix, after, limit); err != nil {
		return nil, err
	}
	unlock, err := m.read(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	now := m.clock.Now()
	var found []*item
	for key, it := range m.entries {
		if key > after && strings.HasPrefix(key, prefix) && !driver.Expired(it.expires, now) {
			found = append(found, it)
		}
	}
	slices.SortFunc(found, func(a, b *item) int { return strings.Compare(a.key, b.key) })
	found = found[:min(limit, len(found))]
	entries := make([]Entry, len(found))
	for i, it := range found {
		entries[i] = Entry{Key: it.key, Value: bytes.Clone(it.value), Expires: it.expires}
	}
	return entries, nil
}

// Count implements [Backend].
func (m *Memory) Count(ctx context.Context, prefix string) (int64, error) {
	if err := driver.CheckPrefix(prefix); err != nil {
		return 0, err
	}
	unlock, err := m.read(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	var n int64
	for key := range m.entries {
		if strings.HasPrefix(key, prefix) {
			n++
		}
	}
	return n, nil
}

// Add implements [Backend].
func (m *Memory) Add(ctx context.Context, key string, delta int64, expires time.Time) (int64, error) {
	var sum int64
	err := m.write(ctx, []string{key}, func(now time.Time) error {
		old := []byte("0")
		if it := m.live(key, now); it != nil {
			old, expires = it.value, it.expires
		}
		var err error
		if sum, err = driver.AddTo(old, delta); err != nil {
			return err
		}
		m.set(key, strconv.AppendInt(nil, sum, 10), expires)
		return nil
	})
	return sum, err
}

// Take implements [Backend].
func (m *Memory) Take(ctx context.Context, key string, now time.Time, limits Limits) (Usage, error) {
	var u Usage
	err := m.write(ctx, []string{key}, func(clock time.Time) error {
		var old item
		if it := m.entries[key]; it != nil {
			old = *it
		}
		next, expires, taken, err := limits.Take(old.value, now)
		if err != nil && driver.Expired(old.expires, clock) {
			next, expires, taken, err = limits.Take(nil, now)
		}
		if err == nil && taken.Taken {
			m.set(key, next, expires)
		}
		u = taken
		return err
	})
	return u, err
}

// Size implements [Backend]. It returns the bytes of all keys and values, plus
// about 200 for each entry.
func (m *Memory) Size(ctx context.Context) (int64, error) {
	unlock, err := m.read(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	return m.size, nil
}

// Ready implements [Backend]. A Memory is ready until it is closed.
func (m *Memory) Ready(ctx context.Context) error {
	unlock, err := m.read(ctx)
	if err != nil {
		return err
	}
	unlock()
	return nil
}

// Shared implements [Backend]. It returns false: a Memory belongs to its
// process.
func (m *Memory) Shared() bool { return false }

// Sweep implements [Backend].
func (m *Memory) Sweep(ctx context.Context, limit int) (int, error) {
	if err := driver.CheckLimit(limit); err != nil {
		return 0, err
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return 0, errClosed
	}
	return m.sweep(limit), nil
}

// Close implements [Backend].
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed, m.entries, m.expiry = true, nil, nil
	return nil
}

func (m *Memory) sweep(limit int) int {
	now := m.clock.Now()
	swept := 0
	for swept < limit && len(m.expiry) > 0 && driver.Expired(m.expiry[0].expires, now) {
		m.remove(m.expiry[0])
		swept++
	}
	if swept < limit {
		m.clock.Swept(now)
	}
	return swept
}

// write checks keys and ctx, then runs change with the store locked.
func (m *Memory) write(ctx context.Context, keys []string, change func(now time.Time) error) error {
	if err := driver.CheckKeys(keys); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return errClosed
	}
	return change(m.clock.Now())
}

// read locks the store for reading, unless it is closed or ctx is done.
func (m *Memory) read(ctx context.Context) (unlock func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.RLock()
	if m.closed {
		m.mu.RUnlock()
		return nil, errClosed
	}
	return m.mu.RUnlock, nil
}

func (m *Memory) live(key string, now time.Time) *item {
	it := m.entries[key]
	if it == nil || driver.Expired(it.expires, now) {
		return nil
	}
	return it
}

// insert sets a copy of value if there is room for it.
func (m *Memory) insert(key string, value []byte, expires time.Time) error {
	if m.MaxBytes > 0 {
		for need := m.need(key, value); need > 0 && m.size+need > m.MaxBytes; need = m.need(key, value) {
			if m.sweep(1) == 0 {
				return errFull
			}
		}
	}
	m.set(key, append([]byte{}, value...), expires)
	return nil
}

// need returns by how many bytes the store grows when key is set to value.
func (m *Memory) need(key string, value []byte) int64 {
	need := itemSize(key, value)
	if old := m.entries[key]; old != nil {
		need -= itemSize(old.key, old.value)
	}
	return need
}

func itemSize(key string, value []byte) int64 { return int64(len(key) + len(value) + itemBytes) }

func (m *Memory) set(key string, value []byte, expires time.Time) {
	if old := m.entries[key]; old != nil {
		m.remove(old)
	}
	it := &item{key: key, value: value, expires: driver.Expiry(driver.Milliseconds(expires)), index: -1}
	if !it.expires.IsZero() {
		heap.Push(&m.expiry, it)
	}
	if m.entries == nil {
		m.entries = make(map[string]*item)
	}
	m.entries[key] = it
	m.size += itemSize(key, value)
}

func (m *Memory) remove(it *item) {
	delete(m.entries, it.key)
	m.size -= itemSize(it.key, it.value)
	if it.index >= 0 {
		heap.Remove(&m.expiry, it.index)
	}
}

// expiryHeap is a min-heap by expiry.
type expiryHeap []*item

func (h expiryHeap) Len() int           { return len(h) }
func (h expiryHeap) Less(i, j int) bool { return h[i].expires.Before(h[j].expires) }

func (h expiryHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

// Push implements [heap.Interface].
func (h *expiryHeap) Push(x any) {
	it := x.(*item)
	it.index = len(*h)
	*h = append(*h, it)
}

// Pop implements [heap.Interface].
func (h *expiryHeap) Pop() any {
	last := len(*h) - 1
	it := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return it
}
