package postgres

import (
	"context"

	"github.com/devkiln/devkiln/store"
)

const countEntries = "SELECT count(*) FROM devkiln_entries WHERE key >= $1 AND key < $2"

// Count implements [store.Counter]. It reads the index of keys, and of the table
// what has changed since the last VACUUM.
func (db *DB) Count(ctx context.Context, prefix string) (int64, error) {
	if err := store.CheckPrefix(prefix); err != nil {
		return 0, err
	}
	var n int64
	err := db.run(ctx, 10*db.timeout, func(ctx context.Context) error {
		return db.lazy.QueryRow(ctx, countEntries, prefix, prefix+"\x7f").Scan(&n)
	})
	return n, err
}
