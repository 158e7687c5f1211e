package store

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/devkiln/devkiln/store/driver"
)

// Memory is a [Backend] that keeps its entries in memory and loses them with
// the process. The zero value is an empty store. List, Count and Sweep scan all
// entries.
type Memory struct {
	// MaxBytes limits what Size returns; zero means no limit. At the limit,
	// Create and Put sweep expired entries; if that does not make room, they
	// return an error that wraps [ErrUnavailable]. Set it before the first call.
	MaxBytes int64

	mu      sync.RWMutex
	clock   driver.Clock
	entries map[string]Entry // whose values are never modified in place
	size    int64
	closed  bool
}

// NewMemory returns an empty store.
func NewMemory() *Memory { return new(Memory) }

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
	return m.write(ctx, driver.CheckKey(keys...), func(now time.Time) error {
		for i, key := range keys {
			if _, live := m.live(key, now); live || slices.Contains(keys[:i], key) {
				return ErrExists
			}
		}
		return m.insert(entries)
	})
}

// Get implements [Store].
func (m *Memory) Get(ctx context.Context, key string) ([]byte, error) {
	unlock, err := m.read(ctx, driver.CheckKey(key))
	if err != nil {
		return nil, err
	}
	defer unlock()
	e, live := m.live(key, m.clock.Now())
	if !live {
		return nil, ErrNotFound
	}
	return bytes.Clone(e.Value), nil
}

// Delete implements [Store].
func (m *Memory) Delete(ctx context.Context, key string) error {
	return m.DeleteAll(ctx, key)
}

// DeleteAll implements [Backend].
func (m *Memory) DeleteAll(ctx context.Context, keys ...string) error {
	return m.write(ctx, driver.CheckKey(keys...), func(now time.Time) error {
		err := ErrNotFound
		for _, key := range keys {
			if _, live := m.live(key, now); live {
				m.remove(key)
				err = nil
			}
		}
		return err
	})
}

// Put implements [Backend].
func (m *Memory) Put(ctx context.Context, key string, value []byte, expires time.Time) error {
	return m.write(ctx, driver.CheckKey(key), func(time.Time) error {
		return m.insert([]Entry{{key, value, expires}})
	})
}

// List implements [Backend].
func (m *Memory) List(ctx context.Context, prefix, after string, limit int) ([]Entry, error) {
	unlock, err := m.read(ctx, driver.CheckList(prefix, after, limit))
	if err != nil {
		return nil, err
	}
	defer unlock()
	now := m.clock.Now()
	var found []Entry
	for key, e := range m.entries {
		if key > after && strings.HasPrefix(key, prefix) && !driver.Expired(e.Expires, now) {
			found = append(found, e)
		}
	}
	slices.SortFunc(found, func(a, b Entry) int { return strings.Compare(a.Key, b.Key) })
	found = slices.Clone(found[:min(limit, len(found))])
	for i := range found {
		found[i].Value = bytes.Clone(found[i].Value)
	}
	return found, nil
}

// Count implements [Backend].
func (m *Memory) Count(ctx context.Context, prefix string) (int64, error) {
	unlock, err := m.read(ctx, driver.CheckList(prefix, "", 1))
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

// Update implements [Backend].
func (m *Memory) Update(ctx context.Context, key string, change func(old Entry, live bool) (Entry, error)) error {
	return m.write(ctx, driver.CheckKey(key), func(now time.Time) error {
		next, err := change(m.live(key, now))
		if err == nil && next.Value != nil {
			m.set(key, next.Value, next.Expires)
		}
		return err
	})
}

// Size implements [Backend]. It returns the bytes of all keys and values, plus
// about 200 for each entry.
func (m *Memory) Size(ctx context.Context) (int64, error) {
	unlock, err := m.read(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer unlock()
	return m.size, nil
}

// Ready implements [Backend]. A Memory is ready until it is closed.
func (m *Memory) Ready(ctx context.Context) error {
	_, err := m.Size(ctx)
	return err
}

// Sweep implements [Backend].
func (m *Memory) Sweep(ctx context.Context, limit int) (swept int, err error) {
	err = m.write(ctx, driver.CheckLimit(limit), func(now time.Time) error {
		swept = m.sweep(now, limit)
		return nil
	})
	return swept, err
}

// Close implements [Backend].
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed, m.entries = true, nil
	return nil
}

// sweep removes up to limit expired entries, the oldest expiry first, and
// returns their number.
func (m *Memory) sweep(now time.Time, limit int) int {
	var expired []Entry
	for _, e := range m.entries {
		if driver.Expired(e.Expires, now) {
			expired = append(expired, e)
		}
	}
	slices.SortFunc(expired, func(a, b Entry) int { return a.Expires.Compare(b.Expires) })
	if len(expired) > limit {
		expired = expired[:limit]
	} else {
		m.clock.Swept(now)
	}
	for _, e := range expired {
		m.remove(e.Key)
	}
	return len(expired)
}

// write runs change with the store locked, unless the arguments are invalid or
// ctx is done.
func (m *Memory) write(ctx context.Context, invalid error, change func(now time.Time) error) error {
	if err := cmp.Or(invalid, ctx.Err()); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return errClosed
	}
	return change(m.clock.Now())
}

// read locks the store for reading, unless it is closed, the arguments are
// invalid or ctx is done.
func (m *Memory) read(ctx context.Context, invalid error) (unlock func(), err error) {
	if err := cmp.Or(invalid, ctx.Err()); err != nil {
		return nil, err
	}
	m.mu.RLock()
	if m.closed {
		m.mu.RUnlock()
		return nil, errClosed
	}
	return m.mu.RUnlock, nil
}

// live returns an entry, also one that has expired, and whether it has not.
func (m *Memory) live(key string, now time.Time) (Entry, bool) {
	e, ok := m.entries[key]
	return e, ok && !driver.Expired(e.Expires, now)
}

// insert sets copies of entries with different keys if there is room for them.
func (m *Memory) insert(entries []Entry) error {
	if m.MaxBytes > 0 && !m.fits(entries) {
		m.sweep(m.clock.Now(), math.MaxInt)
		if !m.fits(entries) {
			return fmt.Errorf("store: the store is full: it has reached its limit of %d bytes: %w", m.MaxBytes, ErrUnavailable)
		}
	}
	for _, e := range entries {
		m.set(e.Key, append([]byte{}, e.Value...), e.Expires)
	}
	return nil
}

// fits reports whether there is room for entries, or they take no more than
// those that they replace.
func (m *Memory) fits(entries []Entry) bool {
	size := m.size
	for _, e := range entries {
		size += sizeOf(e) - sizeOf(m.entries[e.Key])
	}
	return size <= max(m.size, m.MaxBytes)
}

// sizeOf returns approximately how many bytes an entry takes.
func sizeOf(e Entry) int64 {
	const overhead = 200
	if e.Key == "" {
		return 0
	}
	return int64(len(e.Key) + len(e.Value) + overhead)
}

func (m *Memory) set(key string, value []byte, expires time.Time) {
	m.remove(key)
	e := Entry{key, value, driver.Expiry(driver.Milliseconds(expires))}
	if m.entries == nil {
		m.entries = make(map[string]Entry)
	}
	m.entries[key] = e
	m.size += sizeOf(e)
}

func (m *Memory) remove(key string) {
	m.size -= sizeOf(m.entries[key])
	delete(m.entries, key)
}
