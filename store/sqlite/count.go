package sqlite

import (
	"context"
	"database/sql"

	"github.com/devkiln/devkiln/store"
)

// Count implements [store.Counter]. It reads the index of keys, beside the
// writer: about a tenth of a second for a million keys, if they are in memory.
func (db *DB) Count(ctx context.Context, prefix string) (int64, error) {
	if err := store.CheckPrefix(prefix); err != nil {
		return 0, err
	}
	var n int64
	err := db.maintain(ctx, func(conn *sql.Conn) error {
		row := conn.QueryRowContext(ctx, "SELECT count(*) FROM entries WHERE key >= ?1 AND key < ?2", prefix, prefix+"\x7f")
		return row.Scan(&n)
	})
	return n, err
}
