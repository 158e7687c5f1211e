package store

import (
	"bytes"
	"container/heap"
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Memory is a [Backend] that keeps its entries in memory and loses them with
// the process. List looks at every entry. Make one with [NewMemory].
type Memory struct {
	mu      sync.RWMutex
	entries map[string]*item
	expiry  expiryHeap
	closed  bool
}

// item is an entry of a Memory. Its value is never changed in place.
type item struct {
	key     string
	value   []byte
	expires time.Time // to the millisecond, zero for never
	index   int       // in the expiry heap, -1 for never
}

// NewMemory returns an empty store.
func NewMemory() *Memory {
	return &Memory{entries: make(map[string]*item)}
}

// Create implements [Store].
func (m *Memory) Create(ctx context.Context, key string, value []byte, expires time.Time) error {
	return m.write(ctx, key, func(now time.Time) error {
		if m.live(key, now) != nil {
			return ErrExists
		}
		m.set(key, bytes.Clone(value), expires)
		return nil
	})
}

// Get implements [Store].
func (m *Memory) Get(ctx context.Context, key string) ([]byte, error) {
	if err := check(ctx, key); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return nil, errClosed
	}
	it := m.live(key, time.Now())
	if it == nil {
		return nil, ErrNotFound
	}
	return bytes.Clone(it.value), nil
}

// Delete implements [Store].
func (m *Memory) Delete(ctx context.Context, key string) error {
	return m.write(ctx, key, func(now time.Time) error {
		it := m.live(key, now)
		if it == nil {
			return ErrNotFound
		}
		m.remove(it)
		return nil
	})
}

// Put implements [Backend].
func (m *Memory) Put(ctx context.Context, key string, value []byte, expires time.Time) error {
	return m.write(ctx, key, func(time.Time) error {
		m.set(key, bytes.Clone(value), expires)
		return nil
	})
}

// List implements [Backend].
func (m *Memory) List(ctx context.Context, prefix, after string, limit int) ([]Entry, error) {
	if err := CheckList(prefix, after, limit); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return nil, errClosed
	}
	now := time.Now()
	var found []*item
	for key, it := range m.entries {
		if key > after && strings.HasPrefix(key, prefix) && !Expired(it.expires, now) {
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

// Add implements [Backend].
func (m *Memory) Add(ctx context.Context, key string, delta int64, expires time.Time) (int64, error) {
	var sum int64
	err := m.write(ctx, key, func(now time.Time) error {
		old := []byte("0")
		if it := m.live(key, now); it != nil {
			old, expires = it.value, it.expires
		}
		var err error
		if sum, err = AddTo(old, delta); err != nil {
			return err
		}
		m.set(key, strconv.AppendInt(nil, sum, 10), expires)
		return nil
	})
	return sum, err
}

// Sweep implements [Backend].
func (m *Memory) Sweep(ctx context.Context, limit int) (int, error) {
	if err := CheckLimit(limit); err != nil {
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
	now := time.Now()
	swept := 0
	for swept < limit && len(m.expiry) > 0 && Expired(m.expiry[0].expires, now) {
		m.remove(m.expiry[0])
		swept++
	}
	return swept
}

// write runs change with the store locked, once key and ctx are found good.
func (m *Memory) write(ctx context.Context, key string, change func(now time.Time) error) error {
	if err := check(ctx, key); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return errClosed
	}
	return change(time.Now())
}

func (m *Memory) live(key string, now time.Time) *item {
	it := m.entries[key]
	if it == nil || Expired(it.expires, now) {
		return nil
	}
	return it
}

func (m *Memory) set(key string, value []byte, expires time.Time) {
	if old := m.entries[key]; old != nil {
		m.remove(old)
	}
	it := &item{key: key, value: value, index: -1}
	if !expires.IsZero() {
		it.expires = expires.UTC().Truncate(time.Millisecond)
		heap.Push(&m.expiry, it)
	}
	m.entries[key] = it
}

func (m *Memory) remove(it *item) {
	delete(m.entries, it.key)
	if it.index >= 0 {
		heap.Remove(&m.expiry, it.index)
	}
}

func check(ctx context.Context, key string) error {
	if err := CheckKey(key); err != nil {
		return err
	}
	return ctx.Err()
}

// expiryHeap has the entry that expires first at its head.
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
