package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/sqlite"
)

// openBackend opens the store that a URL names. A companion works beside a
// server that has the store open.
func openBackend(ctx context.Context, url string, companion bool) (store.Backend, error) {
	scheme, rest, found := strings.Cut(url, ":")
	switch {
	case !found:
		return nil, usageError{fmt.Errorf("--store %q has no scheme; write sqlite:%[1]s for this file", url)}
	case scheme == "memory" && rest == "":
		return store.NewMemory(), nil
	case (scheme == "sqlite" || scheme == "file") && rest != "":
		return sqlite.Open(ctx, rest, sqlite.Options{Companion: companion})
	default:
		return nil, usageError{fmt.Errorf("--store must be sqlite:PATH, file:PATH or memory: and not %q", url)}
	}
}
