package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/devkiln/devkiln/store"
)

// folder is a store.Store with a file for each entry. The name of a file is the
// SHA-256 of its key, its modification time is the expiry.
type folder struct {
	dir string
	mu  sync.Mutex
}

// open locks the folder and says where a key is, and whether it is there.
func (f *folder) open(ctx context.Context, key string) (path string, err error) {
	f.mu.Lock()
	path = fmt.Sprintf("%s/%x", f.dir, sha256.Sum256([]byte(key)))
	info, err := os.Stat(path)
	if os.IsNotExist(err) || err == nil && store.Expired(info.ModTime(), time.Now()) {
		err = store.ErrNotFound
	}
	return path, cmp.Or(ctx.Err(), store.CheckKey(key), err)
}

func (f *folder) Create(ctx context.Context, key string, value []byte, expires time.Time) error {
	path, err := f.open(ctx, key)
	defer f.mu.Unlock()
	if !errors.Is(err, store.ErrNotFound) {
		return cmp.Or(err, store.ErrExists)
	}
	if expires.IsZero() {
		expires = time.Date(9999, time.January, 1, 0, 0, 0, 0, time.UTC)
	}
	return errors.Join(os.WriteFile(path, value, 0o600), os.Chtimes(path, time.Time{}, expires))
}

func (f *folder) Get(ctx context.Context, key string) ([]byte, error) {
	path, err := f.open(ctx, key)
	defer f.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

func (f *folder) Delete(ctx context.Context, key string) error {
	path, err := f.open(ctx, key)
	defer f.mu.Unlock()
	if err != nil {
		return err
	}
	return os.Remove(path)
}
