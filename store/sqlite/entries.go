package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/driver"
)

const (
	getEntry    = "SELECT value, expires FROM entries WHERE key = ?1 AND expires > ?2"
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
	if err := driver.CheckKeys(op.keys); err != nil {
		return err
	}
	op.run = func(ctx context.Context, w *writer) error {
		for i, e := range entries {
			n, err := changed(w.create.ExecContext(ctx, e.Key, driver.NotNil(e.Value), driver.Milliseconds(e.Expires), db.clock.Now().UnixMilli()))
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
		if _, err := w.remove.ExecContext(ctx, key, int64(math.MinInt64)); err != nil {
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
	switch err := db.get.QueryRowContext(ctx, key, now.UnixMilli()).Scan(&value, &expires); {
	case errors.Is(err, sql.ErrNoRows):
		return nil, store.ErrNotFound
	case err != nil:
		return nil, failed(err)
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
	if err := driver.CheckKeys(keys); err != nil {
		return err
	}
	return db.do(ctx, &write{keys: keys, run: func(ctx context.Context, w *writer) error {
		missing := store.ErrNotFound
		for _, key := range keys {
			n, err := changed(w.remove.ExecContext(ctx, key, db.clock.Now().UnixMilli()))
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
		_, err := w.put.ExecContext(ctx, key, driver.NotNil(value), driver.Milliseconds(expires))
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
	if err := driver.CheckPrefix(prefix); err != nil {
		return 0, err
	}
	var n int64
	err := db.maintain(ctx, func() error {
		from, to := driver.Range(prefix, "")
		return db.pool.QueryRowContext(ctx, "SELECT count(*) FROM entries WHERE key >= ?1 AND key < ?2", from, to).Scan(&n)
	})
	return n, err
}

// Add implements [store.Backend]. It returns before the sum is synced to the
// disk, which happens within about a second.
func (db *DB) Add(ctx context.Context, key string, delta int64, expires time.Time) (int64, error) {
	if err := driver.CheckKey(key); err != nil {
		return 0, err
	}
	var sum int64
	err := db.do(ctx, &write{keys: []string{key}, lazy: true, run: func(ctx context.Context, w *writer) error {
		value, until, err := w.lookUp(ctx, key)
		if err != nil {
			return err
		}
		if until <= db.clock.Now().UnixMilli() {
			value, until = []byte("0"), driver.Milliseconds(expires)
		}
		if sum, err = driver.AddTo(value, delta); err != nil {
			return err
		}
		_, err = w.put.ExecContext(ctx, key, strconv.AppendInt(nil, sum, 10), until)
		return err
	}})
	return sum, err
}

// lookUp returns the value and the expiry of an entry, even if it has expired.
// For one that does not exist, the expiry is the earliest time.
func (w *writer) lookUp(ctx context.Context, key string) ([]byte, int64, error) {
	var value []byte
	var until int64
	switch err := w.find.QueryRowContext(ctx, key).Scan(&value, &until); {
	case errors.Is(err, sql.ErrNoRows):
		return nil, math.MinInt64, nil
	case err != nil:
		return nil, 0, err
	}
	return driver.NotNil(value), until, nil
}

// changed returns the number of rows that a statement has changed.
func changed(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// begin is called before a connection is used for reading, and done afterwards:
// Close waits for it. The context that it returns is never canceled: most reads
// are short, and being able to interrupt them costs more.
func (db *DB) begin(ctx context.Context) (c context.Context, done func(), err error) {
	if err := db.open(ctx); err != nil {
		return nil, nil, err
	}
	db.calls.RLock()
	if db.closed() {
		db.calls.RUnlock()
		return nil, nil, errClosed
	}
	return context.WithoutCancel(ctx), db.calls.RUnlock, nil
}

// open returns an error if ctx is done or the DB is closed.
func (db *DB) open(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if db.closed() {
		return errClosed
	}
	return nil
}

// Take implements [store.Backend]. It returns before the use is synced to the
// disk, which happens within about a second.
func (db *DB) Take(ctx context.Context, key string, now time.Time, limits store.Limits) (store.Usage, error) {
	if err := driver.CheckKey(key); err != nil {
		return store.Usage{}, err
	}
	var usage store.Usage
	err := db.do(ctx, &write{keys: []string{key}, lazy: true, run: func(ctx context.Context, w *writer) error {
		old, until, err := w.lookUp(ctx, key)
		if err != nil {
			return err
		}
		next, expires, u, err := limits.Take(old, now)
		if err != nil && until <= db.clock.Now().UnixMilli() {
			next, expires, u, err = limits.Take(nil, now)
		}
		if err == nil && u.Taken {
			_, err = w.put.ExecContext(ctx, key, next, driver.Milliseconds(expires))
		}
		usage = u
		return err
	}})
	return usage, err
}
