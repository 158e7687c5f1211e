package postgres

import (
	"context"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/devkiln/devkiln/store"
)

// never is the expiry of an entry that stays.
const never = math.MaxInt64

const (
	createEntry = `INSERT INTO devkiln_entries AS e (key, value, expires) VALUES ($1, $2, $3)
		ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, expires = EXCLUDED.expires WHERE e.expires <= $4`
	putEntry = `INSERT INTO devkiln_entries (key, value, expires) VALUES ($1, $2, $3)
		ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, expires = EXCLUDED.expires`
	getEntry    = "SELECT value FROM devkiln_entries WHERE key = $1 AND expires > $2"
	deleteEntry = "DELETE FROM devkiln_entries WHERE key = $1 AND expires > $2"
	listEntries = `SELECT key, value, expires FROM devkiln_entries
		WHERE key >= $1 AND key < $2 AND expires > $3 ORDER BY key LIMIT $4`

	// In the escape encoding digits stand for themselves, and every value has
	// a text, whatever its bytes are.
	addToEntry = `INSERT INTO devkiln_entries AS e (key, value, expires) VALUES ($1, $2, $3)
		ON CONFLICT (key) DO UPDATE SET
			value = CASE WHEN e.expires <= $4 THEN EXCLUDED.value
				ELSE decode((encode(e.value, 'escape')::bigint + $5)::text, 'escape') END,
			expires = CASE WHEN e.expires <= $4 THEN EXCLUDED.expires ELSE e.expires END
		WHERE e.expires <= $4 OR encode(e.value, 'escape') ~ '^[+-]?[0-9]+$'
		RETURNING encode(value, 'escape')::bigint`

	// The last condition is looked at again when an entry has changed
	// meanwhile, so that one which has come back to life stays.
	sweepEntries = `WITH turn AS MATERIALIZED (
			SELECT pg_try_advisory_xact_lock($1, 'devkiln_entries'::regclass::oid::int) AS ours)
		DELETE FROM devkiln_entries WHERE key IN (
			SELECT key FROM devkiln_entries WHERE (SELECT ours FROM turn)
				AND expires <= $2 AND expires < 9223372036854775807 ORDER BY expires LIMIT $3)
		AND expires <= $2`
)

func milliseconds(expires time.Time) int64 {
	if expires.IsZero() {
		return never
	}
	return expires.UnixMilli()
}

func expiry(ms int64) time.Time {
	if ms == never {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func now() int64 { return time.Now().UnixMilli() }

// Create implements [store.Store].
func (db *DB) Create(ctx context.Context, key string, value []byte, expires time.Time) error {
	if err := db.reserve(ctx, entrySize(key, value)); err != nil {
		return err
	}
	return db.exec(ctx, key, store.ErrExists, func() (string, []any) {
		return createEntry, []any{key, notNil(value), milliseconds(expires), now()}
	})
}

// Get implements [store.Store].
func (db *DB) Get(ctx context.Context, key string) ([]byte, error) {
	if err := store.CheckKey(key); err != nil {
		return nil, err
	}
	var value []byte
	err := db.run(ctx, db.timeout, func(ctx context.Context) error {
		err := db.durable.QueryRow(ctx, getEntry, key, now()).Scan(&value)
		if errors.Is(err, pgx.ErrNoRows) {
			return store.ErrNotFound
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return value, nil
}

// Delete implements [store.Store].
func (db *DB) Delete(ctx context.Context, key string) error {
	return db.exec(ctx, key, store.ErrNotFound, func() (string, []any) {
		return deleteEntry, []any{key, now()}
	})
}

// Put implements [store.Backend].
func (db *DB) Put(ctx context.Context, key string, value []byte, expires time.Time) error {
	if err := db.reserve(ctx, entrySize(key, value)); err != nil {
		return err
	}
	return db.exec(ctx, key, nil, func() (string, []any) {
		return putEntry, []any{key, notNil(value), milliseconds(expires)}
	})
}

// exec runs a statement about key and returns unchanged when it has touched no
// row. The statement is made anew for each attempt, since time passes.
func (db *DB) exec(ctx context.Context, key string, unchanged error, statement func() (string, []any)) error {
	if err := store.CheckKey(key); err != nil {
		return err
	}
	return db.run(ctx, db.timeout, func(ctx context.Context) error {
		query, arguments := statement()
		tag, err := db.durable.Exec(ctx, query, arguments...)
		if err == nil && tag.RowsAffected() == 0 {
			return unchanged
		}
		return err
	})
}

// notNil keeps an empty value from becoming NULL.
func notNil(value []byte) []byte {
	if value == nil {
		return []byte{}
	}
	return value
}

// List implements [store.Backend].
func (db *DB) List(ctx context.Context, prefix, after string, limit int) ([]store.Entry, error) {
	if err := store.CheckList(prefix, after, limit); err != nil {
		return nil, err
	}
	first := prefix
	if after >= prefix {
		first = after + "\x01" // between after and every greater key
	}
	var entries []store.Entry
	err := db.run(ctx, db.timeout, func(ctx context.Context) error {
		rows, err := db.durable.Query(ctx, listEntries, first, prefix+"\x7f", now(), limit)
		if err != nil {
			return err
		}
		entries, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (store.Entry, error) {
			var e store.Entry
			var expires int64
			err := row.Scan(&e.Key, &e.Value, &expires)
			e.Expires = expiry(expires)
			return e, err
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return entries, nil
}

// Add implements [store.Backend]. It does not wait for the disk.
func (db *DB) Add(ctx context.Context, key string, delta int64, expires time.Time) (int64, error) {
	if err := store.CheckKey(key); err != nil {
		return 0, err
	}
	var sum int64
	err := db.run(ctx, db.timeout, func(ctx context.Context) error {
		first := strconv.AppendInt(nil, delta, 10)
		err := db.lazy.QueryRow(ctx, addToEntry, key, first, milliseconds(expires), now(), delta).Scan(&sum)
		if errors.Is(err, pgx.ErrNoRows) || sqlState(err) == codeOutOfRange {
			return &plainError{"cannot add to an entry that is not a decimal number of 64 bits with the sum"}
		}
		return err
	})
	return sum, err
}

// Sweep implements [store.Backend]. While another replica sweeps, it does
// nothing and returns 0. The space that it frees is used again by PostgreSQL;
// the files shrink when VACUUM finds their ends empty.
func (db *DB) Sweep(ctx context.Context, limit int) (int, error) {
	if err := store.CheckLimit(limit); err != nil {
		return 0, err
	}
	const batch = 500
	swept, more := 0, true
	for more && swept < limit {
		size := min(batch, limit-swept)
		var deleted int
		err := db.run(ctx, 10*db.timeout, func(ctx context.Context) error {
			tag, err := db.lazy.Exec(ctx, sweepEntries, lockSpace, now(), size)
			deleted = int(tag.RowsAffected())
			return err
		})
		if err != nil {
			return swept, err
		}
		swept += deleted
		more = deleted == size
	}
	return swept, nil
}
