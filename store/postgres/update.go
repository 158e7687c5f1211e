package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/driver"
)

const (
	findEntry = "SELECT value, expires, expires > " + clock + " FROM devkiln_entries WHERE key = $1"

	// These change nothing if another call was faster.
	insertEntry = `INSERT INTO devkiln_entries (key, value, expires)
		SELECT $1::text, $2::bytea, $3::bigint WHERE ` + lazily + ` ON CONFLICT DO NOTHING`
	replaceEntry = `UPDATE devkiln_entries SET value = $2, expires = $3
		WHERE key = $1 AND value = $4 AND expires = $5 AND ` + lazily
)

// Update implements [store.Backend]. It does not wait for the disk. It reads the
// entry, replaces it if it is still the same, and otherwise begins again: two
// statements of one row each, which no lock spans.
func (db *DB) Update(ctx context.Context, key string, change func(old store.Entry, live bool) (store.Entry, error)) error {
	if err := driver.CheckKey(key); err != nil {
		return err
	}
	err := db.run(ctx, db.timeout, func(ctx context.Context) (err error) {
		for done := false; err == nil && !done; {
			done, err = db.update(ctx, key, change)
		}
		return err
	})
	if refused, ok := errors.AsType[plainError](err); ok {
		return refused.error
	}
	return err
}

// update is not done if another call changes the entry meanwhile.
func (db *DB) update(ctx context.Context, key string, change func(old store.Entry, live bool) (store.Entry, error)) (done bool, err error) {
	old, expires, live := store.Entry{Key: key}, int64(0), false
	err = db.lazy.QueryRow(ctx, findEntry, key).Scan(&old.Value, &expires, &live)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return false, err
	}
	old.Expires = driver.Expiry(expires)
	next, err := change(old, live)
	switch {
	case err != nil:
		return false, plainError{err}
	case next.Value == nil:
		return true, nil
	}
	var tag pgconn.CommandTag
	if old.Value == nil {
		tag, err = db.lazy.Exec(ctx, insertEntry, key, next.Value, driver.Milliseconds(next.Expires))
	} else {
		tag, err = db.lazy.Exec(ctx, replaceEntry, key, next.Value, driver.Milliseconds(next.Expires), old.Value, expires)
	}
	return tag.RowsAffected() == 1, err
}
