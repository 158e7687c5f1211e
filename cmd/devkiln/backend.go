package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/sqlite"
)

// backendOptions says how to open a store.
type backendOptions struct {
	companion bool  // works beside a server that has the store open
	maxBytes  int64 // the largest size; zero is no cap
}

// openBackend opens the store that a URL names.
func openBackend(ctx context.Context, url string, o backendOptions) (store.Backend, error) {
	if path, ok := sqlitePath(url); ok {
		return sqlite.Open(ctx, path, sqlite.Options{Companion: o.companion, MaxBytes: o.maxBytes})
	}
	if o.maxBytes > 0 {
		return nil, usageError{fmt.Errorf("--max-store-bytes is for SQLite stores, not for %q", url)}
	}
	if url == "memory:" {
		return store.NewMemory(), nil
	}
	if !strings.Contains(url, ":") {
		return nil, usageError{fmt.Errorf("--store %q has no scheme; write sqlite:%[1]s for this file", url)}
	}
	return nil, usageError{fmt.Errorf("--store must be sqlite:PATH, file:PATH or memory: and not %q", url)}
}
