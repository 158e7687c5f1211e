package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/devkiln/devkiln/store"
)

// attempts is how many times a call tries a statement that has not reached the
// database, each time on another connection.
const attempts = 3

// codeReadOnly is the SQLSTATE of a server that does not accept writes, any more
// or yet.
const codeReadOnly = "25006"

// run calls work with a context that ends after timeout, retries it if it
// failed before the database received anything, and classifies its error.
func (db *DB) run(ctx context.Context, timeout time.Duration, work func(ctx context.Context) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if db.closed.Load() {
		return errClosed
	}
	bounded, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := db.breaker.do(bounded, func(ctx context.Context) (err error) {
		for range attempts {
			if err = work(ctx); err == nil || !pgconn.SafeToRetry(err) || ctx.Err() != nil {
				break
			}
		}
		return err
	})
	return db.sorted(ctx, err)
}

// sorted returns the error of a call as the contract of the store requires.
func (db *DB) sorted(ctx context.Context, err error) error {
	switch {
	case err == nil, errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrExists):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case db.closed.Load():
		return errClosed
	case errors.Is(err, errHangs):
		return err
	}
	if code := sqlState(err); code == codeReadOnly {
		db.reset()
	} else if code != "" && !passing(code) {
		return fmt.Errorf("postgres: %w", err)
	}
	if _, ours := errors.AsType[plainError](err); ours {
		return err
	}
	return fmt.Errorf("postgres: %w: %w", store.ErrUnavailable, err)
}

// plainError is a permanent error about an argument or the contents of the
// database.
type plainError struct{ error }

func sqlState(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

// passing reports whether an error with this code may be temporary.
func passing(code string) bool {
	switch code[:2] {
	case "08", // connection
		"40", // conflict with another transaction
		"53", // out of disk, memory or connections
		"55", // lock not available
		"57", // timeout, shutdown or startup
		"58": // disk
		return true
	}
	return code == codeReadOnly
}
