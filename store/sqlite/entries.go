package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/driver"
)

const (
	getEntry    = "SELECT value, expires FROM entries WHERE key = ?1"
	listEntries = `SELECT key, value, expires FROM entries
		WHERE key >= ?1 AND key < ?2 AND expires > ?3 ORDER BY key LIMIT ?4`
)

// Create implements [store.Store].
func (db *DB) Create(ctx context.Context, key string, value []byte, expires time.Time) error {
	return db.CreateAll(ctx, store.Entry{Key: key, Value: value, Expires: expires})
}

// CreateAll implements [store.Backend].
func (db *DB) CreateAll(ctx context.Context, entries ...store.Entry) error {
	op := &write{keys: make([]string, len(entries))}
	for i, e := range entries {
		op.keys[i] = e.Key
		op.adds += added(e.Value)
	}
	if err := driver.CheckKey(op.keys...); err != nil {
		return err
	}
	op.run = func(ctx context.Context, w *writer) error {
		for i, e := range entries {
			n, err := w.exec(ctx, createEntry, e.Key, driver.NotNil(e.Value), driver.Milliseconds(e.Expires), db.clock.Now().UnixMilli())
			if err != nil {
				return err
			}
			if n == 0 {
				return w.takeBack(ctx, op.keys[:i])
			}
		}
		return nil
	}
	return db.do(ctx, op)
}

// takeBack deletes entries that this transaction has inserted, and returns
// [store.ErrExists]. The transaction itself goes on, because other writes share
// it.
func (w *writer) takeBack(ctx context.Context, keys []string) error {
	for _, key := range keys {
		if _, err := w.exec(ctx, removeEntry, key, int64(math.MinInt64)); err != nil {
			return err
		}
	}
	return store.ErrExists
}

// Get implements [store.Store].
func (db *DB) Get(ctx context.Context, key string) ([]byte, error) {
	if err := driver.CheckKey(key); err != nil {
		return nil, err
	}
	ctx, done, err := db.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	now := db.clock.Now()
	value, changes, ok := db.cache.get(key, now)
	if ok {
		return driver.NotNil(value), nil
	}
	var expires int64
	switch err := db.get.QueryRowContext(ctx, key).Scan(&value, &expires); {
	case errors.Is(err, sql.ErrNoRows):
		return nil, store.ErrNotFound
	case err != nil:
		return nil, failed(err)
	case expires <= now.UnixMilli():
		return nil, fmt.Errorf("%w: expired at %s, and it is %s", store.ErrNotFound, time.UnixMilli(expires).UTC().Format(time.RFC3339), now.UTC().Format(time.RFC3339))
	}
	db.cache.add(key, value, expires, changes)
	return driver.NotNil(value), nil
}

// Delete implements [store.Store].
func (db *DB) Delete(ctx context.Context, key string) error {
	return db.DeleteAll(ctx, key)
}

// DeleteAll implements [store.Backend].
func (db *DB) DeleteAll(ctx context.Context, keys ...string) error {
	if err := driver.CheckKey(keys...); err != nil {
		return err
	}
	return db.do(ctx, &write{keys: keys, run: func(ctx context.Context, w *writer) error {
		missing := store.ErrNotFound
		for _, key := range keys {
			n, err := w.exec(ctx, removeEntry, key, db.clock.Now().UnixMilli())
			if err != nil {
				return err
			}
			if n > 0 {
				missing = nil
			}
		}
		return missing
	}})
}

// Put implements [store.Backend].
func (db *DB) Put(ctx context.Context, key string, value []byte, expires time.Time) error {
	if err := driver.CheckKey(key); err != nil {
		return err
	}
	return db.do(ctx, &write{keys: []string{key}, adds: added(value), run: func(ctx context.Context, w *writer) error {
		_, err := w.exec(ctx, putEntry, key, driver.NotNil(value), driver.Milliseconds(expires))
		return err
	}})
}

// List implements [store.Backend].
func (db *DB) List(ctx context.Context, prefix, after string, limit int) ([]store.Entry, error) {
	if err := driver.CheckList(prefix, after, limit); err != nil {
		return nil, err
	}
	ctx, done, err := db.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	from, to := driver.Range(prefix, after)
	rows, err := db.list.QueryContext(ctx, from, to, db.clock.Now().UnixMilli(), limit)
	if err != nil {
		return nil, failed(err)
	}
	defer func() { _ = rows.Close() }() // Err has reported it
	var entries []store.Entry
	for rows.Next() {
		var e store.Entry
		var expires int64
		if err := rows.Scan(&e.Key, &e.Value, &expires); err != nil {
			return nil, failed(err)
		}
		e.Expires = driver.Expiry(expires)
		entries = append(entries, e)
	}
	if err := rows.Err(); err != nil {
		return nil, failed(err)
	}
	return entries, nil
}

// Count implements [store.Backend]. It reads the index of keys, concurrently
// with the writer: about a tenth of a second for a million keys in memory.
func (db *DB) Count(ctx context.Context, prefix string) (int64, error) {
	if err := driver.CheckList(prefix, "", 1); err != nil {
		return 0, err
	}
	var n int64
	err := db.maintain(ctx, func() error {
		from, to := driver.Range(prefix, "")
		return db.pool.QueryRowContext(ctx, "SELECT count(*) FROM entries WHERE key >= ?1 AND key < ?2", from, to).Scan(&n)
	})
	return n, err
}

// Update implements [store.Backend]. It returns before the change is synced to
// the disk, which happens within about a second.
func (db *DB) Update(ctx context.Context, key string, change func(old store.Entry, live bool) (store.Entry, error)) error {
	if err := driver.CheckKey(key); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, lazyWait, errStalled)
	defer cancel()
	return db.do(ctx, &write{keys: []string{key}, lazy: true, run: func(ctx context.Context, w *writer) error {
		find, err := w.prepare(ctx, findEntry)
		if err != nil {
			return err
		}
		old, expires := store.Entry{Key: key}, int64(math.MinInt64)
		err = find.QueryRowContext(ctx, key).Scan(&old.Value, &expires)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		old.Expires = driver.Expiry(expires)
		next, err := change(old, expires > db.clock.Now().UnixMilli())
		if err != nil || next.Value == nil {
			return err
		}
		_, err = w.exec(ctx, putEntry, key, next.Value, driver.Milliseconds(next.Expires))
		return err
	}})
}

// begin is called before a connection is used, and done afterwards: Close waits
// for it. The context that it returns is never canceled: most reads are short,
// and being able to interrupt them costs more.
func (db *DB) begin(ctx context.Context) (c context.Context, done func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if !db.calls.TryRLock() { // only Close locks it, for good
		return nil, nil, errClosed
	}
	return context.WithoutCancel(ctx), db.calls.RUnlock, nil
}
