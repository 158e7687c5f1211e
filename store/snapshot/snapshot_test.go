package snapshot_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/snapshot"
	"github.com/devkiln/devkiln/store/storetest"
)

func open(t *testing.T, path string, maxBytes int64) *snapshot.DB {
	t.Helper()
	db, err := snapshot.Open(t.Context(), path, maxBytes)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestDB(t *testing.T) {
	storetest.RunBackend(t, func(t *testing.T) store.Backend { return open(t, filepath.Join(t.TempDir(), "s.jsonl"), 0) })
	storetest.RunCapped(t, func(t *testing.T, maxBytes int64) store.Backend {
		return open(t, filepath.Join(t.TempDir(), "s.jsonl"), maxBytes)
	})
}

func TestDB_closedAndOpenedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	db := open(t, path, 0)
	require.NoError(t, db.Create(t.Context(), "key", []byte("value"), time.Time{}))
	require.NoError(t, db.Close())
	value, err := open(t, path, 0).Get(t.Context(), "key")
	require.NoError(t, err)
	require.Equal(t, "value", string(value))
}
