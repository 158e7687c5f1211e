package sqlite

import (
	"errors"
	"fmt"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"github.com/devkiln/devkiln/store"
)

// code returns the primary result code of an SQLite error, or zero.
func code(err error) int {
	if e, ok := errors.AsType[*driver.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

// failed wraps the error of a statement, with [store.ErrUnavailable] if it may
// be temporary.
func failed(err error) error {
	switch code(err) {
	case codes.SQLITE_FULL, codes.SQLITE_IOERR, codes.SQLITE_BUSY, codes.SQLITE_LOCKED, codes.SQLITE_CANTOPEN,
		codes.SQLITE_NOMEM, codes.SQLITE_READONLY, codes.SQLITE_PROTOCOL, codes.SQLITE_INTERRUPT:
		return fmt.Errorf("sqlite: %w: %w", store.ErrUnavailable, err)
	}
	return fmt.Errorf("sqlite: %w", err)
}

// explain replaces common errors of Open with plain descriptions.
func explain(err error) error {
	switch code(err) {
	case codes.SQLITE_NOTADB:
		return errors.New("is not a SQLite database")
	case codes.SQLITE_CORRUPT:
		return errors.New("is damaged: restore a backup")
	case codes.SQLITE_READONLY, codes.SQLITE_PERM:
		return errors.New("cannot be written: permission denied")
	case codes.SQLITE_CANTOPEN:
		return errors.New("cannot be opened: check the permissions of the file and its folder, and whether the file system is read-only")
	case codes.SQLITE_BUSY:
		return fmt.Errorf("is locked by another process: %w", store.ErrUnavailable)
	case codes.SQLITE_FULL:
		return fmt.Errorf("the disk is full: %w", store.ErrUnavailable)
	}
	return err
}
