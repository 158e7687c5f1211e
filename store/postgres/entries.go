package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/driver"
)

const (
	// lazily is true, and makes the commit of its statement wait neither for
	// the disk nor for standbys. It is not a session setting, because a pooler
	// may run each transaction in another session.
	lazily = "set_config('synchronous_commit', 'off', true) = 'off'"

	createEntry = `INSERT INTO devkiln_entries AS e (key, value, expires) VALUES ($1, $2, $3)
		ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, expires = EXCLUDED.expires WHERE e.expires <= ` + clock
	putEntry = `INSERT INTO devkiln_entries (key, value, expires) VALUES ($1, $2, $3)
		ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, expires = EXCLUDED.expires`
	getEntry    = "SELECT value FROM devkiln_entries WHERE key = $1 AND expires > " + clock
	listEntries = `SELECT key, value, expires FROM devkiln_entries
		WHERE key >= $1 AND key < $2 AND expires > ` + clock + ` ORDER BY key LIMIT $3`
	countEntries = "SELECT count(*) FROM devkiln_entries WHERE key >= $1 AND key < $2"

	// Several entries are locked in the order of their keys, as by CreateAll.
	deleteAll = `DELETE FROM devkiln_entries WHERE expires > ` + clock + ` AND key = ANY (ARRAY(
			SELECT key FROM devkiln_entries WHERE key = ANY ($1) ORDER BY key FOR UPDATE))`

	// Replicas that sweep concurrently take different entries. The array
	// ensures that the subquery runs only once.
	sweepEntries = `DELETE FROM devkiln_entries WHERE key = ANY (ARRAY(
			SELECT key FROM devkiln_entries WHERE expires <= ` + clock + ` AND expires < 9223372036854775807
			ORDER BY expires LIMIT $1 FOR UPDATE SKIP LOCKED)) AND ` + lazily
)

// Create implements [store.Store].
func (db *DB) Create(ctx context.Context, key string, value []byte, expires time.Time) error {
	return db.set(ctx, store.ErrExists, createEntry, key, value, expires)
}

// CreateAll implements [store.Backend]. It is one transaction, and inserts the
// entries in the order of their keys to avoid deadlocks.
func (db *DB) CreateAll(ctx context.Context, entries ...store.Entry) error {
	entries = slices.SortedFunc(slices.Values(entries), func(a, b store.Entry) int { return strings.Compare(a.Key, b.Key) })
	keys, size := make([]string, len(entries)), int64(0)
	for i, e := range entries {
		keys[i] = e.Key
		size += entrySize(e.Key, e.Value)
	}
	if err := driver.CheckKey(keys...); err != nil {
		return err
	}
	if err := db.reserve(ctx, size); err != nil {
		return err
	}
	return db.run(ctx, db.timeout, func(ctx context.Context) error {
		var batch pgx.Batch
		for _, e := range entries {
			batch.Queue(createEntry, e.Key, driver.NotNil(e.Value), driver.Milliseconds(e.Expires)).Exec(created)
		}
		return pgx.BeginFunc(ctx, db.durable, func(tx pgx.Tx) error { return tx.SendBatch(ctx, &batch).Close() })
	})
}

// created returns an error for a statement that has inserted nothing.
func created(tag pgconn.CommandTag) error {
	if tag.RowsAffected() == 0 {
		return store.ErrExists
	}
	return nil
}

// Get implements [store.Store].
func (db *DB) Get(ctx context.Context, key string) ([]byte, error) {
	if err := driver.CheckKey(key); err != nil {
		return nil, err
	}
	var value []byte
	err := db.run(ctx, db.timeout, func(ctx context.Context) error {
		err := db.durable.QueryRow(ctx, getEntry, key).Scan(&value)
		if errors.Is(err, pgx.ErrNoRows) {
			return store.ErrNotFound
		}
		return err
	})
	return value, err
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
	return db.exec(ctx, store.ErrNotFound, deleteAll, keys)
}

// Put implements [store.Backend].
func (db *DB) Put(ctx context.Context, key string, value []byte, expires time.Time) error {
	return db.set(ctx, nil, putEntry, key, value, expires)
}

// set runs createEntry or putEntry, and returns unchanged if it affects no row.
func (db *DB) set(ctx context.Context, unchanged error, statement, key string, value []byte, expires time.Time) error {
	if err := driver.CheckKey(key); err != nil {
		return err
	}
	if err := db.reserve(ctx, entrySize(key, value)); err != nil {
		return err
	}
	return db.exec(ctx, unchanged, statement, key, driver.NotNil(value), driver.Milliseconds(expires))
}

// exec runs a statement and returns unchanged if it affects no row.
func (db *DB) exec(ctx context.Context, unchanged error, statement string, arguments ...any) error {
	return db.run(ctx, db.timeout, func(ctx context.Context) error {
		tag, err := db.durable.Exec(ctx, statement, arguments...)
		if err == nil && tag.RowsAffected() == 0 {
			return unchanged
		}
		return err
	})
}

// List implements [store.Backend].
func (db *DB) List(ctx context.Context, prefix, after string, limit int) ([]store.Entry, error) {
	if err := driver.CheckList(prefix, after, limit); err != nil {
		return nil, err
	}
	from, to := driver.Range(prefix, after)
	var entries []store.Entry
	err := db.run(ctx, db.timeout, func(ctx context.Context) error {
		rows, err := db.durable.Query(ctx, listEntries, from, to, limit)
		if err != nil {
			return err
		}
		entries, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (store.Entry, error) {
			var e store.Entry
			var expires int64
			err := row.Scan(&e.Key, &e.Value, &expires)
			e.Expires = driver.Expiry(expires)
			return e, err
		})
		return err
	})
	return entries, err
}

// Count implements [store.Backend]. It reads the index of keys, and those parts
// of the table that have changed since the last VACUUM.
func (db *DB) Count(ctx context.Context, prefix string) (int64, error) {
	if err := driver.CheckList(prefix, "", 1); err != nil {
		return 0, err
	}
	var n int64
	err := db.run(ctx, 10*db.timeout, func(ctx context.Context) error {
		return db.lazy.QueryRow(ctx, countEntries, prefix, prefix+"\x7f").Scan(&n)
	})
	return n, err
}

// sweepBatch is how many entries one statement sweeps.
const sweepBatch = 500

// Sweep implements [store.Backend]. Replicas that sweep at the same time share
// the work. PostgreSQL reuses the space that it frees; the files shrink when
// VACUUM finds their ends empty.
func (db *DB) Sweep(ctx context.Context, limit int) (int, error) {
	if err := driver.CheckLimit(limit); err != nil {
		return 0, err
	}
	for swept := 0; ; {
		size := min(sweepBatch, limit-swept)
		var deleted pgconn.CommandTag
		err := db.run(ctx, 10*db.timeout, func(ctx context.Context) (err error) {
			deleted, err = db.lazy.Exec(ctx, sweepEntries, size)
			return err
		})
		swept += int(deleted.RowsAffected())
		if err != nil || deleted.RowsAffected() < int64(size) || swept == limit {
			return swept, err
		}
	}
}
