package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// applicationID marks a file as Devkiln's, at offset 68 of the file: "DvKn".
const applicationID = 0x44764b6e

// migrations returns the statements that lead from each version of the schema,
// which the file keeps in user_version, to the next. Released statements never
// change.
//
// The expiry is in milliseconds since 1970; never is the largest integer, so
// that one comparison finds live entries.
func migrations() []string {
	return []string{
		`CREATE TABLE entries (
			id      INTEGER PRIMARY KEY,
			key     TEXT    NOT NULL UNIQUE,
			value   BLOB    NOT NULL,
			expires INTEGER NOT NULL
		) STRICT;
		CREATE INDEX entries_expires ON entries (expires) WHERE expires < 9223372036854775807;`,
	}
}

// migrate updates the database of conn to the newest version of the schema, in
// one transaction.
func migrate(ctx context.Context, conn *sql.Conn) error {
	newest := len(migrations())
	if version, err := schemaVersion(ctx, conn); err != nil || version == newest {
		return err
	}
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	version, err := schemaVersion(ctx, conn)
	if err == nil {
		done := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT", applicationID, newest)
		_, err = conn.ExecContext(ctx, strings.Join(append(migrations()[version:], done), "\n"))
	}
	if err != nil {
		_, undo := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		err = errors.Join(err, undo)
	}
	return err
}

// rowQuerier is a pool or a connection.
type rowQuerier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// schemaVersion returns the version of the file, zero for an empty one. It
// refuses files of other programs and of a newer version.
func schemaVersion(ctx context.Context, q rowQuerier) (int, error) {
	var application, version, tables int
	row := q.QueryRowContext(ctx, `SELECT a.application_id, v.user_version, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_application_id AS a, pragma_user_version AS v`)
	if err := row.Scan(&application, &version, &tables); err != nil {
		return 0, err
	}
	newest := len(migrations())
	switch {
	case application == 0 && version == 0 && tables == 0:
		return 0, nil
	case application != applicationID:
		return 0, errors.New("is a SQLite database of another program")
	case version > newest:
		return 0, fmt.Errorf("was written by a newer version of Devkiln (schema %d, this version knows up to %d)", version, newest)
	}
	return version, nil
}

// inspect opens a file and refuses one that is not Devkiln's, without changing
// it; to an empty file it writes the first page, so that what is deleted later
// can be returned to the system. Closing the last connection to a file copies
// the log into it, which takes a while after a crash: close this one after
// opening another.
func inspect(ctx context.Context, path string) (*sql.DB, error) {
	pool, err := sql.Open("sqlite", dataSource(path, fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds())))
	if err != nil {
		return nil, err
	}
	version, err := schemaVersion(ctx, pool)
	if err == nil && version == 0 {
		_, err = pool.ExecContext(ctx, "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL")
	}
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return pool, nil
}
