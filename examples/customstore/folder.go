package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/driver"
)

// folder is a store.Store with one file per entry, named by the SHA-256 of its
// key. Each file starts with eight bytes of expiry.
type folder struct {
	dir string
	mu  sync.Mutex
}

// find returns the path for a key, and its value if it exists.
func (f *folder) find(ctx context.Context, key string) (path string, value []byte, err error) {
	if err := errors.Join(ctx.Err(), driver.CheckKey(key)); err != nil {
		return "", nil, err
	}
	path = fmt.Sprintf("%s/%x", f.dir, sha256.Sum256([]byte(key)))
	data, err := os.ReadFile(path)
	switch {
	case os.IsNotExist(err):
		return path, nil, store.ErrNotFound
	case err != nil:
		return path, nil, err
	case len(data) < 8:
		return path, nil, fmt.Errorf("%s was not written whole", path)
	case driver.Expired(driver.Expiry(int64(binary.BigEndian.Uint64(data))), time.Now()):
		return path, nil, store.ErrNotFound
	}
	return path, data[8:], nil
}

func (f *folder) Create(ctx context.Context, key string, value []byte, expires time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	path, _, err := f.find(ctx, key)
	if !errors.Is(err, store.ErrNotFound) {
		return cmp.Or(err, store.ErrExists)
	}
	head := binary.BigEndian.AppendUint64(nil, uint64(driver.Milliseconds(expires)))
	return os.WriteFile(path, append(head, value...), 0o600)
}

func (f *folder) Get(ctx context.Context, key string) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, value, err := f.find(ctx, key)
	return value, err
}

func (f *folder) Delete(ctx context.Context, key string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	path, _, err := f.find(ctx, key)
	if err != nil {
		return err
	}
	return os.Remove(path)
}
