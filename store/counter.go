package store

import (
	"context"
	"strings"
)

// Counter is an ability that a [Backend] can have beside its own. Memory,
// SQLite and PostgreSQL have it.
type Counter interface {
	// Count returns how many entries have keys that start with prefix, at
	// little cost: it looks at no value, and may count entries that have expired
	// until Sweep frees them.
	Count(ctx context.Context, prefix string) (int64, error)
}

// CheckPrefix returns nil for a prefix that every List and Count takes, and an
// error that says what is wrong with any other.
func CheckPrefix(prefix string) error {
	if prefix == "" {
		return nil
	}
	return CheckKey(prefix)
}

// Count implements [Counter].
func (m *Memory) Count(ctx context.Context, prefix string) (int64, error) {
	if err := CheckPrefix(prefix); err != nil {
		return 0, err
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return 0, errClosed
	}
	var n int64
	for key := range m.entries {
		if strings.HasPrefix(key, prefix) {
			n++
		}
	}
	return n, nil
}
