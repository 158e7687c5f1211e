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

// migrate updates the schema to the newest version. If several replicas create
// the table of versions at the same time, all but one may get an error despite
// IF NOT EXISTS; they find the table when they retry.
func (db *DB) migrate(ctx context.Context) (err error) {
	for range attempts {
		if err = pgx.BeginFunc(ctx, db.durable, func(tx pgx.Tx) error { return migrate(ctx, tx) }); sqlState(err) == "" {
			break
		}
	}
	return err
}

// migrate updates the schema in a transaction, of which there is one at a time.
func migrate(ctx context.Context, tx pgx.Tx) error {
	var exists bool
	if err := tx.QueryRow(ctx, "SELECT to_regclass('devkiln_schema') IS NOT NULL").Scan(&exists); err != nil {
		return err
	}
	if !exists {
		if _, err := tx.Exec(ctx, "CREATE TABLE IF NOT EXISTS devkiln_schema (version bigint PRIMARY KEY)"); err != nil {
			return err
		}
	}
	version, err := schemaVersion(ctx, tx)
	if err != nil || version == len(migrations()) {
		return err
	}
	if _, err := tx.Exec(ctx, "LOCK TABLE devkiln_schema"); err != nil {
		return err
	}
	if version, err = schemaVersion(ctx, tx); err != nil {
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
}

func schemaVersion(ctx context.Context, tx pgx.Tx) (int, error) {
	var version int
	if err := tx.QueryRow(ctx, "SELECT coalesce(max(version), 0) FROM devkiln_schema").Scan(&version); err != nil {
		return 0, err
	}
	if newest := len(migrations()); version > newest {
		return 0, plainError{fmt.Errorf("postgres: the database was set up by a newer version of Devkiln (schema %d, this version knows up to %d)", version, newest)}
	}
	return version, nil
}
