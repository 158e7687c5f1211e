package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/postgres"
	"github.com/devkiln/devkiln/store/sqlite"
)

// backendOptions configures how a store is opened.
type backendOptions struct {
	companion bool  // permits a server to have the store open
	maxBytes  int64 // maximum size; 0 means no limit
}

// checkStoreURL returns an error if the URL does not name a store.
func checkStoreURL(storeURL string) error {
	scheme, rest, found := strings.Cut(storeURL, ":")
	switch {
	case !found:
		return fmt.Errorf("--store %q has no scheme; write sqlite:%[1]s for this file", storeURL)
	case (scheme == "sqlite" || scheme == "file") && rest == "":
		return fmt.Errorf("--store %s: needs the path of a file", storeURL)
	case scheme == "sqlite", scheme == "file", scheme == "postgres", scheme == "postgresql", storeURL == "memory:":
		return nil
	}
	return fmt.Errorf("--store must be sqlite:PATH, file:PATH, postgres://… or memory:, not %q", scheme)
}

// openBackend opens the store that the URL names.
func openBackend(ctx context.Context, storeURL string, o backendOptions) (store.Backend, error) {
	if err := checkStoreURL(storeURL); err != nil {
		return nil, usageError{err}
	}
	if path, ok := sqlitePath(storeURL); ok {
		return sqlite.Open(ctx, path, sqlite.Options{Companion: o.companion, MaxBytes: o.maxBytes})
	}
	if storeURL == "memory:" {
		memory := store.NewMemory()
		memory.MaxBytes = o.maxBytes
		return memory, nil
	}
	return postgres.Open(ctx, storeURL, postgres.Options{MaxBytes: o.maxBytes})
}

// The waits before the store of a server is opened again.
const (
	firstReopen   = time.Second
	longestReopen = 30 * time.Second
)

// openWhenReachable opens the store of a server. While its database cannot be
// reached, as at the boot of the machine that both are on, it waits and tries
// again until ctx ends.
func openWhenReachable(ctx context.Context, log *slog.Logger, storeURL string, o backendOptions) (store.Backend, error) {
	for wait := firstReopen; ; wait = min(2*wait, longestReopen) {
		backend, err := openBackend(ctx, storeURL, o)
		_, isFile := sqlitePath(storeURL)
		if isFile || !errors.Is(err, store.ErrUnavailable) {
			return backend, err
		}
		log.WarnContext(ctx, "the store cannot be reached, and is tried again", "wait", wait, "error", err)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), err)
		}
	}
}

// withoutPassword returns the URL of a store without its password.
func withoutPassword(storeURL string) string {
	if strings.HasPrefix(storeURL, "postgres") {
		return postgres.Redact(storeURL)
	}
	return storeURL
}
