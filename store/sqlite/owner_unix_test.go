//go:build unix

package sqlite_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/store/sqlite"
)

// What root creates in the folder of a server belongs to the user of the
// server.
func TestOpen_filesOfRootBelongToTheOwnerOfTheFolder(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root gives files away")
	}
	const nobody = 65534
	folder := t.TempDir()
	require.NoError(t, os.Chown(folder, nobody, nobody))
	backup, path := filepath.Join(folder, "backup.db"), filepath.Join(folder, "test.db")
	require.NoError(t, open(t, backup, sqlite.Options{}).Close())
	for range 2 {
		_, err := sqlite.Restore(t.Context(), path, backup)
		require.NoError(t, err)
	}
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, len(files), 5)
	for _, file := range files {
		info, err := file.Info()
		require.NoError(t, err)
		s, ok := info.Sys().(*syscall.Stat_t)
		require.True(t, ok)
		assert.EqualValues(t, nobody, s.Uid, file.Name())
	}
}
