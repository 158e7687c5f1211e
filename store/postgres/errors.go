package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/devkiln/devkiln/store"
)

// attempts is how often a call tries a statement that has not reached the
// database, each time on another connection.
const attempts = 3

// SQLSTATE codes that call for more than passing them on.
const (
	codeReadOnly   = "25006" // the server does not take writes, any more or yet
	codeOutOfRange = "22003" // a number does not fit
)

// run calls work with a context that ends after timeout, again when it has
// failed before the database can have seen anything of it, and sorts its
// error.
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

// sorted is the error of a call as the contract wants it.
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
	if _, ours := errors.AsType[*plainError](err); ours {
		return err
	}
	return fmt.Errorf("postgres: %w: %w", store.ErrUnavailable, err)
}

// plainError is an error about what the database holds. It does not pass by
// itself.
type plainError struct{ text string }

func (e *plainError) Error() string { return "postgres: " + e.text }

func sqlState(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

// passing reports whether an error of this code may pass by itself.
func passing(code string) bool {
	switch code[:2] {
	case "08", // the connection
		"40", // conflicts with other transactions
		"53", // no room, memory or connections
		"55", // locks
		"57", // canceled by a timeout, shutting down, starting up
		"58": // the disk
		return true
	}
	return code == codeReadOnly
}
