// Package snapshot is a store in memory that is read from a file when it is
// opened and written to it when it is closed. What happens between is lost with
// the process.
package snapshot

import (
	"context"
	"errors"
	"os"
	"sync"

	"github.com/devkiln/devkiln/store"
)

// DB is a [store.Backend] in memory, of which Close writes an export.
type DB struct {
	*store.Memory
	path  string
	close sync.Once
	fault error // what Close returns
}

// Open reads the export at path, if there is one. MaxBytes is that of
// [store.Memory].
func Open(ctx context.Context, path string, maxBytes int64) (*DB, error) {
	db := &DB{Memory: &store.Memory{MaxBytes: maxBytes}, path: path}
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return db, nil
	}
	if err != nil {
		return nil, err
	}
	_, err = store.Import(ctx, db.Memory, f)
	return db, errors.Join(err, f.Close())
}

// Close writes the export beside the old one and puts it in its place.
func (db *DB) Close() error {
	db.close.Do(func() { db.fault = errors.Join(db.save(context.Background()), db.Memory.Close()) })
	return db.fault
}

func (db *DB) save(ctx context.Context) error {
	f, err := os.OpenFile(db.path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = store.Export(ctx, f, db.Memory)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), db.path)
}
