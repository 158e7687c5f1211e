package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// migrations returns the statements that lead from each version of the schema
// to the next. Released statements never change.
//
// The expiry is in milliseconds since 1970; never is the largest integer, so
// that one comparison finds live entries.
func migrations() []string {
	return []string{
		`CREATE TABLE devkiln_entries (
			key     text COLLATE "C" PRIMARY KEY,
			value   bytea  NOT NULL,
			expires bigint NOT NULL
		);
		CREATE INDEX devkiln_entries_expires ON devkiln_entries (expires) WHERE expires < 9223372036854775807;`,
	}
}

// migrate updates the schema to the newest version, one replica at a time.
func (db *DB) migrate(ctx context.Context) error {
	newest := len(migrations())
	var exists bool
	if err := db.durable.QueryRow(ctx, "SELECT to_regclass('devkiln_schema') IS NOT NULL").Scan(&exists); err != nil {
		return err
	}
	if exists {
		version, err := schemaVersion(ctx, db.durable)
		if err != nil || version == newest {
			return err
		}
	}
	if err := db.createSchema(ctx); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, db.durable, func(tx pgx.Tx) error {
		var first int
		if err := tx.QueryRow(ctx, "SELECT version FROM devkiln_schema WHERE version = 0 FOR UPDATE").Scan(&first); err != nil {
			return err
		}
		version, err := schemaVersion(ctx, tx)
		if err != nil {
			return err
		}
		for i, statements := range migrations()[version:] {
			if _, err := tx.Exec(ctx, statements); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "INSERT INTO devkiln_schema (version) VALUES ($1)", version+i+1); err != nil {
				return err
			}
		}
		return nil
	})
}

// createSchema creates the table of versions and its row 0, which a migrating
// replica locks, because not every engine has advisory locks. If several
// replicas create a table at the same time, all but one may get an error of
// varying kinds despite IF NOT EXISTS; they find the table when they retry.
func (db *DB) createSchema(ctx context.Context) (err error) {
	for range attempts {
		_, err = db.durable.Exec(ctx, "CREATE TABLE IF NOT EXISTS devkiln_schema (version bigint PRIMARY KEY)")
		if sqlState(err) == "" {
			break
		}
	}
	if err == nil {
		_, err = db.durable.Exec(ctx, "INSERT INTO devkiln_schema (version) VALUES (0) ON CONFLICT DO NOTHING")
	}
	return err
}

// rowQuerier is a pool or a transaction.
type rowQuerier interface {
	QueryRow(ctx context.Context, query string, arguments ...any) pgx.Row
}

func schemaVersion(ctx context.Context, q rowQuerier) (int, error) {
	var version int
	if err := q.QueryRow(ctx, "SELECT coalesce(max(version), 0) FROM devkiln_schema").Scan(&version); err != nil {
		return 0, err
	}
	if newest := len(migrations()); version > newest {
		return 0, &plainError{fmt.Sprintf("the database was set up by a newer version of Devkiln (schema %d, this version knows up to %d)", version, newest)}
	}
	return version, nil
}
