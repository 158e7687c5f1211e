//go:build linux || darwin

package sqlite_test

import (
	"fmt"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/sqlite"
)

// TestDB_diskError makes writes fail with an error other than a full disk, by a
// limit on the size of files. The limit is the process's, so that no other test
// runs meanwhile.
func TestDB_diskError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	db := open(t, path, sqlite.Options{})
	ctx := t.Context()
	value := make([]byte, 50_000)
	require.NoError(t, db.Create(ctx, "before", value, never))
	for round := range 3 {
		// Less than one value, wherever in the log it would be written.
		limitFiles(t, 40_000, func() {
			errs := make([]error, 16)
			var wg sync.WaitGroup
			for i := range errs {
				wg.Go(func() { errs[i] = db.Create(ctx, fmt.Sprintf("%d-%d", round, i), value, never) })
			}
			wg.Wait()
			for _, err := range errs {
				assert.ErrorIs(t, err, store.ErrUnavailable)
			}
		})
		require.NoError(t, db.Create(ctx, fmt.Sprintf("after-%d", round), value, never), "the store goes on by itself")
	}
	entries, err := db.List(ctx, "", "", 100)
	require.NoError(t, err)
	require.Len(t, entries, 4)
	require.NoError(t, db.Check(ctx))
}

// limitFiles runs work while no file may exceed a number of bytes.
func limitFiles(t *testing.T, bytes uint64, work func()) {
	t.Helper()
	var before syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before))
	limited := before
	limited.Cur = bytes
	signal.Ignore(syscall.SIGXFSZ)
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limited))
	defer func() {
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before))
		signal.Reset(syscall.SIGXFSZ)
	}()
	work()
}
