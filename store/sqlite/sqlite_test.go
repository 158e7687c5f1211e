package sqlite_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/sqlite"
	"github.com/devkiln/devkiln/store/storetest"
)

var never time.Time

func TestDB(t *testing.T) {
	t.Parallel()
	storetest.RunBackend(t, func(t *testing.T) store.Backend {
		return open(t, filepath.Join(t.TempDir(), "test.db"), sqlite.Options{})
	})
}

func TestDB_capped(t *testing.T) {
	t.Parallel()
	storetest.RunCapped(t, func(t *testing.T, maxBytes int64) store.Backend {
		return open(t, filepath.Join(t.TempDir(), "test.db"), sqlite.Options{MaxBytes: maxBytes})
	})
}

func TestDB_companions(t *testing.T) {
	t.Parallel()
	storetest.RunBackend(t, func(t *testing.T) store.Backend {
		path := filepath.Join(t.TempDir(), "test.db")
		open(t, path, sqlite.Options{})
		return open(t, path, sqlite.Options{Companion: true})
	})
}

func open(t *testing.T, path string, options sqlite.Options) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), path, options)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

func TestOpen_again(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a b?c#d%20é.db")
	db := open(t, path, sqlite.Options{})
	require.NoError(t, db.Create(t.Context(), "share", []byte("value"), time.Now().Add(time.Hour)))
	_, err := store.Add(t.Context(), db, "counter", 42, never)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	require.NoFileExists(t, path+"-wal", "Close leaves one file")

	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	db = open(t, path, sqlite.Options{})
	value, err := db.Get(t.Context(), "share")
	require.NoError(t, err)
	require.Equal(t, "value", string(value))
	sum, err := store.Add(t.Context(), db, "counter", 0, never)
	require.NoError(t, err)
	require.EqualValues(t, 42, sum)
}

func TestOpen_oneServer(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "test.db")
	link := filepath.Join(folder, "link.db")
	server := open(t, path, sqlite.Options{})
	require.NoError(t, os.Symlink(path, link))
	for _, name := range []string{path, link, filepath.Join(folder, ".", "test.db")} {
		_, err := sqlite.Open(t.Context(), name, sqlite.Options{})
		require.ErrorContains(t, err, "another server has this file open")
	}

	companion := open(t, link, sqlite.Options{Companion: true})
	require.NoError(t, companion.Create(t.Context(), "key", []byte("from the command line"), never))
	value, err := server.Get(t.Context(), "key")
	require.NoError(t, err)
	require.Equal(t, "from the command line", string(value))
	require.NoError(t, server.Delete(t.Context(), "key"))
	_, err = companion.Get(t.Context(), "key")
	require.ErrorIs(t, err, store.ErrNotFound)

	// SQLite names the log after the database: two names, two logs, damage.
	elsewhere := filepath.Join(t.TempDir(), "elsewhere.db")
	require.NoError(t, os.Link(path, elsewhere))
	for _, options := range []sqlite.Options{{}, {Companion: true}} {
		_, err := sqlite.Open(t.Context(), elsewhere, options)
		require.ErrorContains(t, err, elsewhere+": has 2 hard links")
	}
	require.NoError(t, os.Remove(elsewhere))

	require.NoError(t, server.Close())
	open(t, path, sqlite.Options{})
}

// TestReady_movedFile moves the file away under a server, and puts another in
// its place.
func TestReady_movedFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	db := open(t, path, sqlite.Options{})
	require.NoError(t, db.Ready(t.Context()))
	require.NoError(t, os.Rename(path, path+".moved"))
	err := db.Ready(t.Context())
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.ErrorContains(t, err, path+" was moved away or replaced")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	require.ErrorIs(t, db.Ready(t.Context()), store.ErrUnavailable)
	require.NoError(t, os.Rename(path+".moved", path))
	require.NoError(t, db.Ready(t.Context()))
}

func TestOpen_refuses(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	database := func(name, statements string) string {
		path := filepath.Join(folder, name)
		pool, err := sql.Open("sqlite", path)
		require.NoError(t, err)
		defer pool.Close()
		_, err = pool.ExecContext(t.Context(), statements)
		require.NoError(t, err)
		return path
	}
	for name, test := range map[string]struct {
		path    string
		options sqlite.Options
		want    string
	}{
		"empty path":         {path: "", want: "the path of the database file is empty"},
		"no folder":          {path: filepath.Join(folder, "missing", "a.db"), want: "there is no folder " + filepath.Join(folder, "missing")},
		"a folder":           {path: folder, want: "is a folder, must be a file"},
		"folder is a file":   {path: filepath.Join(file("plain", ""), "a.db"), want: "there is no folder " + filepath.Join(folder, "plain")},
		"a device":           {path: os.DevNull, want: "is not a regular file"},
		"text":               {path: file("text", strings.Repeat("This is not a database.\n", 100)), want: "is not a SQLite database"},
		"another program's":  {path: database("other.db", "CREATE TABLE notes (note)"), want: "is a SQLite database of another program"},
		"a newer version's":  {path: database("newer.db", "CREATE TABLE entries (key); PRAGMA application_id = 0x44764b6e; PRAGMA user_version = 99"), want: "was written by a newer version of Devkiln (schema 99"},
		"companion, no file": {path: filepath.Join(folder, "none.db"), options: sqlite.Options{Companion: true}, want: "there is no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			before, _ := os.ReadFile(test.path)
			_, err := sqlite.Open(t.Context(), test.path, test.options)
			require.ErrorContains(t, err, test.want)
			require.ErrorContains(t, err, "sqlite: "+test.path)
			require.NotContains(t, err.Error(), "\n")
			after, _ := os.ReadFile(test.path)
			require.Equal(t, before, after, "a file that is refused stays as it is")
		})
	}
	require.NoFileExists(t, filepath.Join(folder, "none.db"))
}

func TestOpen_cancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "test.db"), sqlite.Options{})
	require.ErrorIs(t, err, context.Canceled)
}

// TestDB_cancelledWrite cancels a write that waits for another process: it
// returns at once and never happens.
func TestDB_cancelledWrite(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	db := open(t, path, sqlite.Options{})
	other, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer other.Close()
	other.SetMaxOpenConns(1)
	_, err = other.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	require.NoError(t, err)

	errs := make(chan error)
	ctx, cancel := context.WithCancel(t.Context())
	for _, key := range []string{"a", "b", "c"} {
		go func() { errs <- db.Create(ctx, key, nil, never) }()
	}
	_, err = db.Get(t.Context(), "a")
	require.ErrorIs(t, err, store.ErrNotFound, "readers do not wait")
	cancel()
	for range 3 {
		require.ErrorIs(t, <-errs, context.Canceled)
	}
	_, err = other.ExecContext(t.Context(), "ROLLBACK")
	require.NoError(t, err)
	require.NoError(t, db.Create(t.Context(), "d", nil, never))
	entries, err := db.List(t.Context(), "", "", 10)
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

// An expired entry does not come back when the clock is set back, neither from
// the cache nor from the file.
func TestDB_clockSetBack(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), open(t, filepath.Join(t.TempDir(), "test.db"), sqlite.Options{})
	for _, key := range []string{"read", "unread"} {
		require.NoError(t, db.Create(ctx, key, []byte("value"), time.Now().Add(time.Hour)))
	}
	_, err := db.Get(ctx, "read")
	require.NoError(t, err)
	db.See(time.Now().Add(2 * time.Hour))
	for _, key := range []string{"read", "unread"} {
		_, err := db.Get(ctx, key)
		require.ErrorIs(t, err, store.ErrNotFound)
		require.ErrorContains(t, err, "not found: expired at 2")
	}
	entries, err := db.List(ctx, "", "", 10)
	require.NoError(t, err)
	require.Empty(t, entries)
	swept, err := db.Sweep(ctx, 10)
	require.NoError(t, err)
	require.Equal(t, 2, swept)
	require.NoError(t, db.Create(ctx, "new", []byte("value"), time.Now().Add(time.Hour)))
	_, err = db.Get(ctx, "new")
	require.NoError(t, err, "the clock is believed again")
}

// Reads succeed while no file can be opened, as without file descriptors: the
// folder is gone, and the entries are too large to be cached.
func TestGet_opensNoFile(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "store")
	require.NoError(t, os.Mkdir(folder, 0o700))
	db := open(t, filepath.Join(folder, "test.db"), sqlite.Options{})
	require.NoError(t, db.Create(t.Context(), "key", make([]byte, 1<<20), never))
	require.NoError(t, os.Rename(folder, folder+".moved"))
	var reads sync.WaitGroup
	for range 32 {
		reads.Go(func() {
			_, err := db.Get(t.Context(), "key")
			assert.NoError(t, err)
		})
	}
	reads.Wait()
}
