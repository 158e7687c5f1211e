package sqlite_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/sqlite"
)

// fill creates count entries of random bytes from 32 goroutines.
func fill(t *testing.T, db *sqlite.DB, prefix string, count, length int, expires time.Time) {
	t.Helper()
	const writers = 32
	errs := make([]error, writers)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			value := make([]byte, length)
			for i := w; i < count && errs[w] == nil; i += writers {
				rand.Read(value)
				errs[w] = db.Put(t.Context(), fmt.Sprintf("%s%06d", prefix, i), value, expires)
			}
		})
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
}

func size(t *testing.T, db *sqlite.DB) int64 {
	t.Helper()
	bytes, err := db.Size(t.Context())
	require.NoError(t, err)
	return bytes
}

func TestSweep_shrinksTheFile(t *testing.T) {
	t.Parallel()
	keep := 200
	if testing.Short() {
		keep = 50 // the race detector makes moving pages a hundred times slower
	}
	path := filepath.Join(t.TempDir(), "test.db")
	db := open(t, path, sqlite.Options{})
	empty := size(t, db)
	fill(t, db, "keep/", keep, 3000, never)
	kept := size(t, db) - empty
	fill(t, db, "expired/", 10*keep, 3000, time.Now().Add(-time.Minute))
	full := size(t, db) - empty
	require.Greater(t, full, 9*kept)

	swept, err := db.Sweep(t.Context(), 10_000)
	require.NoError(t, err)
	require.Equal(t, 10*keep, swept)
	assert.Less(t, size(t, db)-empty, kept+(full-kept)/10, "at least nine tenths of the space come back")
	require.NoError(t, db.Check(t.Context()))

	require.NoError(t, db.Close())
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Less(t, info.Size()-empty, kept+(full-kept)/10)
}

// TestSweep_erases looks for the content of a swept entry in the files.
func TestSweep_erases(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	db := open(t, path, sqlite.Options{})
	secret := []byte("the content that must not stay on the disk")
	fill(t, db, "keep/", 100, 3000, never)
	require.NoError(t, db.Create(t.Context(), "secret", secret, time.Now().Add(-time.Minute)))
	require.NoError(t, db.Create(t.Context(), "deleted", secret, never))
	require.NoError(t, db.Delete(t.Context(), "deleted"))
	swept, err := db.Sweep(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, 1, swept)
	require.NoError(t, db.Close())
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.NotContains(t, string(content), string(secret))
}

func TestMaxBytes(t *testing.T) {
	t.Parallel()
	const maxBytes = 1 << 20
	db := open(t, filepath.Join(t.TempDir(), "test.db"), sqlite.Options{MaxBytes: maxBytes})
	ctx := t.Context()
	value := make([]byte, 10_000)
	expired := time.Now().Add(-time.Minute)
	for i := range 50 {
		require.NoError(t, db.Create(ctx, fmt.Sprintf("expired-%d", i), value, expired))
	}
	created := 0
	var err error
	for ; err == nil; created++ {
		require.Less(t, created, 200)
		err = db.Create(ctx, fmt.Sprintf("live-%d", created), value, never)
	}
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.ErrorContains(t, err, "the store is full: it has reached its limit of 1048576 bytes", "not the disk")
	assert.Greater(t, created, 80, "expired entries make room")
	assert.LessOrEqual(t, size(t, db), int64(maxBytes))
	swept, err := db.Sweep(ctx, 100)
	require.NoError(t, err)
	require.Zero(t, swept, "all that had expired is swept")

	_, err = db.Get(ctx, "live-0")
	require.NoError(t, err, "reading goes on")
	require.NoError(t, db.Delete(ctx, "live-0"))
	require.NoError(t, db.Delete(ctx, "live-1"))
	require.NoError(t, db.Create(ctx, "again", value, never), "writing goes on once there is room")
}

// The write-ahead log is not part of MaxBytes, but does not grow without end.
func TestMaxBytes_boundsTheLog(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	db := open(t, path, sqlite.Options{MaxBytes: 4 << 20})
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			for range 60 {
				assert.NoError(t, db.Put(t.Context(), strconv.Itoa(i), make([]byte, 20_000), never))
			}
		})
	}
	wg.Wait()
	log, err := os.Stat(path + "-wal")
	require.NoError(t, err)
	assert.Less(t, log.Size(), int64(20<<20), "38 MB were written")
}

// TestMaxBytes_refusesOnlyWhatIsTooLarge writes large and small values
// concurrently to a file with room for only the small ones.
func TestMaxBytes_refusesOnlyWhatIsTooLarge(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "test.db"), sqlite.Options{MaxBytes: 1 << 20})
	const writers = 32
	errs := make([]error, writers)
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			value := make([]byte, 100)
			if i%2 == 1 {
				value = make([]byte, 2<<20)
			}
			errs[i] = db.Create(t.Context(), strconv.Itoa(i), value, never)
		})
	}
	wg.Wait()
	for i, err := range errs {
		if i%2 == 1 {
			assert.ErrorIs(t, err, store.ErrUnavailable)
		} else {
			assert.NoError(t, err)
		}
	}
}

func TestBackup_restores(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path, copied := filepath.Join(folder, "test.db"), filepath.Join(folder, "it's a copy.db")
	ctx := t.Context()
	db := open(t, path, sqlite.Options{})
	fill(t, db, "before/", 500, 2000, never)

	stop, writing := make(chan struct{}), make(chan error)
	go func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				writing <- nil
				return
			default:
			}
			if err := db.Put(ctx, fmt.Sprintf("beside/%d", i), []byte("value"), never); err != nil {
				writing <- err
				return
			}
		}
	}()
	require.NoError(t, db.Backup(ctx, copied))
	close(stop)
	require.NoError(t, <-writing)
	require.ErrorContains(t, db.Backup(ctx, copied), "exists already")
	require.ErrorContains(t, db.Backup(ctx, path), "exists already")
	require.ErrorContains(t, db.Backup(ctx, filepath.Join(folder, "missing", "copy.db")), "no such file or directory")
	require.NoError(t, db.Put(ctx, "after", []byte("value"), never))

	backup := open(t, copied, sqlite.Options{Companion: true})
	require.NoError(t, backup.Check(ctx))
	entries, err := backup.List(ctx, "before/", "", 1000)
	require.NoError(t, err)
	require.Len(t, entries, 500)
	require.NoError(t, backup.Close())

	_, err = sqlite.Restore(ctx, path, copied)
	require.ErrorContains(t, err, "another server has this file open")
	require.NoError(t, db.Close())
	replaced, err := sqlite.Restore(ctx, path, copied)
	require.NoError(t, err)
	restored := open(t, path, sqlite.Options{})
	_, err = restored.Get(ctx, "before/000499")
	require.NoError(t, err)
	_, err = restored.Get(ctx, "after")
	require.ErrorIs(t, err, store.ErrNotFound)

	require.Equal(t, path+".before-restore", replaced)
	aside := open(t, replaced, sqlite.Options{})
	_, err = aside.Get(ctx, "after")
	require.NoError(t, err)

	names, err := filepath.Glob(filepath.Join(folder, "*partial*"))
	require.NoError(t, err)
	require.Empty(t, names)
}

func TestRemovePartial(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	db := open(t, filepath.Join(folder, "test.db"), sqlite.Options{})
	left := filepath.Join(folder, "copy.db.devkiln-partial-123")
	other := filepath.Join(folder, "report.partial-123")
	recent := filepath.Join(folder, "copy.db.devkiln-partial-456")
	for _, path := range []string{left, left + "-journal", other, recent} {
		require.NoError(t, os.WriteFile(path, []byte("the start of a copy"), 0o600))
		if path != recent {
			require.NoError(t, os.Chtimes(path, time.Time{}, time.Now().Add(-2*time.Hour)))
		}
	}
	require.NoError(t, db.Backup(t.Context(), filepath.Join(folder, "copy.db")))
	removed, err := sqlite.RemovePartial(folder)
	require.NoError(t, err)
	require.Equal(t, []string{left, left + "-journal"}, removed)
	require.FileExists(t, other)
	require.FileExists(t, recent, "a backup may be in progress")
	require.FileExists(t, filepath.Join(folder, "copy.db"))
}

func TestClose_waitsForABackup(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	db := open(t, path, sqlite.Options{})
	fill(t, db, "fill/", 500, 100_000, never)
	backup := make(chan error, 1)
	go func() { backup <- db.Backup(t.Context(), path+".copy") }()
	require.Eventually(t, func() bool {
		files, err := filepath.Glob(path + ".copy*")
		return assert.NoError(t, err) && len(files) > 0
	}, time.Minute, time.Millisecond)
	require.NoError(t, db.Close())
	require.FileExists(t, path+".copy")
	require.NoError(t, <-backup)
}

func TestRestore_refuses(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "test.db")
	ctx := t.Context()
	db := open(t, path, sqlite.Options{})
	require.NoError(t, db.Put(ctx, "key", []byte("value"), never))
	fill(t, db, "fill/", 50, 2000, never)
	damaged := filepath.Join(folder, "damaged.db")
	require.NoError(t, db.Backup(ctx, damaged))
	require.NoError(t, db.Close())
	content, err := os.ReadFile(damaged)
	require.NoError(t, err)
	copy(content[4096*2:4096*3], make([]byte, 4096))
	require.NoError(t, os.WriteFile(damaged, content, 0o600))
	empty := filepath.Join(folder, "empty.db")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))

	for backup, want := range map[string]string{
		damaged:                               "damaged",
		empty:                                 "is empty",
		filepath.Join(folder, "nowhere"):      "there is no such file",
		folder:                                "is a folder",
		filepath.Join(folder, "test.db.lock"): "is locked by another process",
	} {
		_, err := sqlite.Restore(ctx, path, backup)
		require.ErrorContains(t, err, want)
	}
	kept := open(t, path, sqlite.Options{})
	_, err = kept.Get(ctx, "key")
	require.NoError(t, err)
	names, err := filepath.Glob(filepath.Join(folder, "*restor*"))
	require.NoError(t, err)
	require.Empty(t, names)
}

// TestRestore_whateverIsThere replaces stores that no server could open. The
// old files are kept unchanged under another name, with their log.
func TestRestore_whateverIsThere(t *testing.T) {
	t.Parallel()
	folder, ctx := t.TempDir(), t.Context()
	source, backup := filepath.Join(folder, "source.db"), filepath.Join(folder, "backup.db")
	db := open(t, source, sqlite.Options{})
	fill(t, db, "fill/", 100, 2000, never)
	require.NoError(t, db.Backup(ctx, backup))
	whole, err := os.ReadFile(source)
	require.NoError(t, err)
	log, err := os.ReadFile(source + "-wal")
	require.NoError(t, err)
	require.NotEmpty(t, log)
	require.NoError(t, db.Close())
	content, err := os.ReadFile(source)
	require.NoError(t, err)

	for name, files := range map[string]map[string][]byte{
		"nothing":          {},
		"a sound store":    {"": content},
		"a log beside it":  {"": whole, "-wal": log, "-shm": make([]byte, 32768)},
		"a log alone":      {"-wal": log, "-shm": make([]byte, 32768)},
		"half a file":      {"": content[:len(content)/2]},
		"a cut page":       {"": content[:len(content)/2+1000], "-wal": log[:len(log)/2]},
		"a zeroed header":  {"": append(make([]byte, 100), content[100:]...)},
		"garbage":          {"": []byte(strings.Repeat("\xf7\x00\x9e", 5000)), "-wal": []byte("garbage")},
		"text":             {"": []byte("notes about the store\n")},
		"an empty file":    {"": {}},
		"a hot journal":    {"": content, "-journal": []byte("half a journal")},
		"another database": {"": append([]byte("SQLite format 3\x00"), make([]byte, 4080)...)},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "test.db")
			for _, want := range []string{path + ".before-restore", path + ".before-restore-2"} {
				for suffix, content := range files {
					require.NoError(t, os.WriteFile(path+suffix, content, 0o600))
				}
				replaced, err := sqlite.Restore(ctx, path, backup)
				require.NoError(t, err)
				if len(files) == 0 {
					want = ""
				}
				require.Equal(t, want, replaced)
				for suffix, content := range files {
					kept, err := os.ReadFile(replaced + suffix)
					require.NoError(t, err)
					require.Equal(t, content, kept, suffix)
				}
				restored := open(t, path, sqlite.Options{})
				require.NoError(t, restored.Check(ctx))
				entries, err := restored.List(ctx, "fill/", "", 1000)
				require.NoError(t, err)
				require.Len(t, entries, 100)
				require.NoError(t, restored.Close())
				require.NoError(t, os.Remove(path))
			}
		})
	}
}

func TestCheck_findsDamage(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	db := open(t, path, sqlite.Options{})
	fill(t, db, "key/", 500, 2000, never)
	require.NoError(t, db.Check(t.Context()))
	require.NoError(t, db.Close())

	f, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	_, err = f.WriteAt(make([]byte, 4096), 4096*20)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	damaged := open(t, path, sqlite.Options{})
	require.Error(t, damaged.Check(t.Context()))
}

func TestMaintain_ends(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "test.db"), sqlite.Options{})
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, db.Check(canceled), context.Canceled)
	require.NoError(t, db.Close())
	require.ErrorIs(t, db.Check(t.Context()), store.ErrUnavailable)
	_, err := db.Size(t.Context())
	require.ErrorIs(t, err, store.ErrUnavailable)
}

// TestReading_besideALongWrite opens new connections, for maintenance and for
// reading, while another process is in the middle of a write.
func TestReading_besideALongWrite(t *testing.T) {
	t.Parallel()
	path, ctx := filepath.Join(t.TempDir(), "test.db"), t.Context()
	db := open(t, path, sqlite.Options{})
	require.NoError(t, db.Put(ctx, "key", []byte("value"), never))
	other, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, other.Close()) })
	write, err := other.BeginTx(ctx, nil)
	require.NoError(t, err)
	_, err = write.ExecContext(ctx, "DELETE FROM entries")
	require.NoError(t, err)

	require.NoError(t, db.Backup(ctx, path+".copy"), "a backup does not wait for writers")
	errs := make([]error, 8) // more than there are connections
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { _, errs[i] = db.List(ctx, "", "", 10) })
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...), "reading does not wait for writers")
	companion := open(t, path, sqlite.Options{Companion: true})
	_, err = companion.Get(ctx, "key")
	require.NoError(t, err, "opening does not wait for writers")
	require.NoError(t, write.Rollback())
}
