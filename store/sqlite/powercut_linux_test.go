package sqlite_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/sqlite"
)

// These tests must mount file systems. They skip, and say why, where they
// cannot.

const mntDetach = 2

// mount mounts a file system on a new folder until the end of the test.
func mount(t *testing.T, arguments ...string) string {
	t.Helper()
	folder := t.TempDir()
	run(t, "mount", append(arguments, folder)...)
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, mntDetach); err != nil && !errors.Is(err, syscall.EINVAL) {
			t.Errorf("unmount: %v", err)
		}
	})
	return folder
}

// run runs a command, and skips the test if it is missing or not permitted.
func run(t *testing.T, name string, arguments ...string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("mounting a file system takes root")
	}
	if output, err := exec.CommandContext(t.Context(), name, arguments...).CombinedOutput(); err != nil {
		t.Skipf("%s %s: %v: %s", name, strings.Join(arguments, " "), err, output)
	}
}

// TestDB_fullDisk fills the disk completely with other data: entries can still
// be read and deleted.
func TestDB_fullDisk(t *testing.T) {
	t.Parallel()
	folder := mount(t, "-t", "tmpfs", "-o", "size=8m", "tmpfs")
	ctx := t.Context()
	db, err := sqlite.Open(ctx, filepath.Join(folder, "test.db"), sqlite.Options{})
	require.NoError(t, err)
	ballast, err := os.Create(filepath.Join(folder, "ballast"))
	require.NoError(t, err)
	_, err = ballast.Write(make([]byte, 2<<20))
	require.NoError(t, err)
	value := make([]byte, 10_000)
	created := fillDisk(t, db, value)

	for err == nil {
		_, err = ballast.Write(value)
	}
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.NoError(t, ballast.Close())
	require.ErrorIs(t, db.Ready(ctx), store.ErrUnavailable)
	require.ErrorIs(t, db.Create(ctx, "refused", value, never), store.ErrUnavailable)
	_, err = db.Get(ctx, "refused")
	require.ErrorIs(t, err, store.ErrNotFound)
	half := len(created) / 2
	deleteEach(t, db, created[:half]) // the log already has the space
	created = created[half:]

	require.NoError(t, os.Remove(ballast.Name()))
	require.NoError(t, db.Create(ctx, "refused", value, never), "there is room again")
	for _, key := range append(created, "refused") {
		_, err := db.Get(ctx, key)
		require.NoError(t, err)
	}
	require.NoError(t, db.Check(ctx))
	require.NoError(t, db.Close())
}

// TestBackup_leavesNothing backs up to a disk that is too small, and cancels a
// backup in progress.
func TestBackup_leavesNothing(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "test.db"), sqlite.Options{})
	fill(t, db, "fill/", 300, 100_000, never)
	folder := mount(t, "-t", "tmpfs", "-o", "size=1m", "tmpfs")
	require.ErrorContains(t, db.Backup(t.Context(), filepath.Join(folder, "copy.db")), "disk is full")
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	assert.Empty(t, files)

	folder = t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		assert.Eventually(t, func() bool {
			files, err := os.ReadDir(folder)
			return assert.NoError(t, err) && len(files) > 0
		}, time.Minute, time.Millisecond)
	}()
	if err := db.Backup(ctx, filepath.Join(folder, "copy.db")); err != nil {
		require.ErrorIs(t, err, context.Canceled)
		require.NoError(t, os.Remove(folder), "it is empty")
	}
}

// TestOpen_readOnly makes the file system read-only, as Linux does after a disk
// error.
func TestOpen_readOnly(t *testing.T) {
	t.Parallel()
	folder := mount(t, "-t", "tmpfs", "-o", "size=64m", "tmpfs")
	path := filepath.Join(folder, "test.db")
	db := open(t, path, sqlite.Options{})
	require.NoError(t, db.Create(t.Context(), "key", []byte("value"), never))
	require.NoError(t, db.Close())
	run(t, "mount", "-o", "remount,ro", folder)
	_, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.EqualError(t, err, "sqlite: "+path+": cannot be opened: check the permissions of the file and its folder, and whether the file system is read-only")
}

// TestOpen_readOnlyFile makes the file alone read-only: no server starts on it,
// but commands can still read it.
func TestOpen_readOnlyFile(t *testing.T) {
	t.Parallel()
	path, ctx := filepath.Join(t.TempDir(), "test.db"), t.Context()
	db := open(t, path, sqlite.Options{})
	require.NoError(t, db.Create(ctx, "key", []byte("value"), never))
	require.NoError(t, db.Close())
	require.NoError(t, os.Chmod(path, 0o400))
	if os.Getuid() == 0 { // who may write to any file
		run(t, "mount", "--bind", path, path)
		t.Cleanup(func() { assert.NoError(t, syscall.Unmount(path, mntDetach)) })
		run(t, "mount", "-o", "remount,bind,ro", path)
	}
	_, err := sqlite.Open(ctx, path, sqlite.Options{})
	require.EqualError(t, err, "sqlite: "+path+": cannot be written: permission denied")
	companion := open(t, path, sqlite.Options{Companion: true})
	_, err = companion.Get(ctx, "key")
	require.NoError(t, err)
	require.NoError(t, companion.Backup(ctx, path+".copy"))
	require.ErrorIs(t, companion.Ready(ctx), store.ErrUnavailable)
}

// TestOpen_whileTheLockIsInherited makes another descriptor of the lock file
// outlive Close, as a process that is just being started does.
func TestOpen_whileTheLockIsInherited(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	db := open(t, path, sqlite.Options{})
	descriptors, err := filepath.Glob("/proc/self/fd/*")
	require.NoError(t, err)
	inherited := -1
	for _, name := range descriptors {
		if target, err := os.Readlink(name); err == nil && target == path+".lock" {
			number, err := strconv.Atoi(filepath.Base(name))
			require.NoError(t, err)
			inherited, err = syscall.Dup(number)
			require.NoError(t, err)
		}
	}
	require.Positive(t, inherited)
	defer func() { require.NoError(t, syscall.Close(inherited)) }()
	require.NoError(t, db.Close())
	open(t, path, sqlite.Options{})
}

// Counts of Add and Take are copied from the log into the file about a second
// later, which syncs both, even without any other write. Another process reads
// the file, because closing it in this one would release SQLite's locks.
func TestDB_countsReachTheFile(t *testing.T) {
	t.Parallel()
	cat, err := exec.LookPath("cat")
	if err != nil {
		t.Skip(err)
	}
	path := filepath.Join(t.TempDir(), "test.db")
	db := open(t, path, sqlite.Options{})
	_, err = store.Add(t.Context(), db, "counts-of-a-day", 1, never)
	require.NoError(t, err)
	_, err = store.Take(t.Context(), db, "uses-of-a-key", time.Now(), store.Limits{Period: time.Hour})
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		file, err := exec.CommandContext(t.Context(), cat, path).Output()
		return err == nil && strings.Contains(string(file), "counts-of-a-day") && strings.Contains(string(file), "uses-of-a-key")
	}, time.Minute, 100*time.Millisecond)
}

// fillDisk creates entries until there is no room, and returns their keys.
func fillDisk(t *testing.T, db *sqlite.DB, value []byte) []string {
	t.Helper()
	var (
		prefix  = rand.Text()
		mu      sync.Mutex
		created []string
		writers sync.WaitGroup
	)
	for writer := range 16 {
		writers.Go(func() {
			for i := 0; ; i++ {
				key := fmt.Sprintf("%s-%d-%d", prefix, writer, i)
				err := db.Create(t.Context(), key, value, never)
				if err != nil {
					assert.ErrorIs(t, err, store.ErrUnavailable)
					return
				}
				mu.Lock()
				created = append(created, key)
				mu.Unlock()
			}
		})
	}
	writers.Wait()
	return created
}

// TestDB_fillsTheDisk fills a disk with entries alone. Entries that are deleted
// or expire must free space without help, and a server must be able to restart.
func TestDB_fillsTheDisk(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		size               string
		value, least, part int
	}{
		{"80m", 100_000, 400, 150},
		{"40m", 100_000, 200, 100},
		{"10m", 300, 3_000, 2_000},
		{"10m", 10_000, 400, 200},
	} {
		t.Run(fmt.Sprintf("%s of %d bytes", c.size, c.value), func(t *testing.T) {
			if testing.Short() && c.value != 10_000 {
				t.Skip("the smallest disk shows what the race detector can see")
			}
			t.Parallel()
			fillAndEmpty(t, mount(t, "-t", "tmpfs", "-o", "size="+c.size, "tmpfs"), make([]byte, c.value), c.least, c.part)
		})
	}
}

func fillAndEmpty(t *testing.T, folder string, value []byte, least, part int) {
	t.Helper()
	ctx, path := t.Context(), filepath.Join(folder, "test.db")
	db, err := sqlite.Open(ctx, path, sqlite.Options{})
	require.NoError(t, err)
	require.NoError(t, db.Ready(ctx))
	created := fillDisk(t, db, value)
	require.Greater(t, len(created), least)
	for range 2 {
		require.ErrorContains(t, db.Ready(ctx), "the disk is nearly full: store: unavailable")
		log, err := os.Stat(path + "-wal") // closing makes its room free, too
		require.NoError(t, err)
		require.NoError(t, db.Close())
		db, err = sqlite.Open(ctx, path, sqlite.Options{})
		require.NoError(t, err)
		deleteEach(t, db, created[:part])
		require.NoError(t, db.Ready(ctx))
		again := fillDisk(t, db, value)
		assert.GreaterOrEqual(t, len(again), part*2/3)
		assert.LessOrEqual(t, len(again), part*4/3+int(log.Size())/len(value))
		created = append(created[part:], again...)
	}
	deleteAtOnce(t, db, created)
	_, err = db.Sweep(ctx, 1)
	require.NoError(t, err)
	assert.Less(t, size(t, db), int64(1<<20), "the file has shrunk")
	require.NoError(t, db.Check(ctx))
	require.NoError(t, db.Close())
}

func deleteEach(t *testing.T, db *sqlite.DB, keys []string) {
	t.Helper()
	for _, key := range keys {
		require.NoError(t, db.Delete(t.Context(), key))
	}
}

// deleteAtOnce is deleteEach with 16 goroutines.
func deleteAtOnce(t *testing.T, db *sqlite.DB, keys []string) {
	t.Helper()
	var deleters sync.WaitGroup
	for part := range slices.Chunk(keys, len(keys)/16+1) {
		deleters.Go(func() {
			for _, key := range part {
				if !assert.NoError(t, db.Delete(t.Context(), key)) {
					return
				}
			}
		})
	}
	deleters.Wait()
}

// TestDB_powerCut writes to a file system that is shut down without writing
// back what it holds in memory: data that was not synced is lost, as in a power
// cut. No acknowledged entry may be lost. The same load on the same schema
// without syncs loses entries, which proves that the test works.
func TestDB_powerCut(t *testing.T) {
	t.Parallel()
	t.Run("store", func(t *testing.T) {
		lost, acknowledged := cutPower(t, func(path string) (create, func() error) {
			db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			require.NoError(t, err)
			return func(ctx context.Context, key string, value []byte) error {
				return db.Create(ctx, key, value, never)
			}, db.Close
		})
		t.Logf("lost %d of %d acknowledged entries", lost, acknowledged)
		assert.Zero(t, lost)
	})
	t.Run("synchronous=OFF", func(t *testing.T) {
		lost, acknowledged := cutPower(t, func(path string) (create, func() error) {
			db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			require.NoError(t, err)
			require.NoError(t, db.Close())
			pool, err := sql.Open("sqlite", path+"?_pragma=synchronous(OFF)&_pragma=busy_timeout(10000)")
			require.NoError(t, err)
			pool.SetMaxOpenConns(1)
			return func(ctx context.Context, key string, value []byte) error {
				_, err := pool.ExecContext(ctx, "INSERT INTO entries (key, value, expires) VALUES (?, ?, 9223372036854775807)", key, value)
				return err
			}, pool.Close
		})
		t.Logf("lost %d of %d acknowledged entries", lost, acknowledged)
		assert.Positive(t, lost)
	})
}

type create func(ctx context.Context, key string, value []byte) error

// cutPower writes from 64 goroutines with the functions that start returns,
// shuts the file system down meanwhile, and counts the entries acknowledged
// before and how many of them are lost. Acknowledgements during the shutdown do
// not count: ext4 may let an fsync succeed although it has just aborted the
// journal's transaction, whereas no machine acknowledges anything after its
// power is cut.
func cutPower(t *testing.T, start func(path string) (create, func() error)) (lost, acknowledged int) {
	image := filepath.Join(t.TempDir(), "image")
	require.NoError(t, os.WriteFile(image, nil, 0o600))
	require.NoError(t, os.Truncate(image, 256<<20))
	run(t, "mkfs.ext4", "-q", "-F", image)
	folder := mount(t, "-o", "loop", image)
	put, stop := start(filepath.Join(folder, "test.db"))

	const writers, enough = 64, 2000
	var mu sync.Mutex
	var keys []string
	cut := make(chan struct{})
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := 0; ; i++ {
				key := fmt.Sprintf("%d-%d", w, i)
				if put(t.Context(), key, []byte(strings.Repeat(key, 200))) != nil {
					return // the power is off
				}
				mu.Lock()
				keys = append(keys, key)
				if len(keys) == enough {
					close(cut)
				}
				mu.Unlock()
			}
		})
	}
	<-cut
	mu.Lock()
	acknowledged = len(keys)
	mu.Unlock()
	shutDown(t, folder)
	wg.Wait()
	_ = stop() // cannot succeed
	require.NoError(t, syscall.Unmount(folder, 0))

	folder = mount(t, "-o", "loop", image)
	db, err := sqlite.Open(t.Context(), filepath.Join(folder, "test.db"), sqlite.Options{})
	require.NoError(t, err)
	for _, key := range keys[:acknowledged] {
		value, err := db.Get(t.Context(), key)
		if err != nil || string(value) != strings.Repeat(key, 200) {
			lost++
		}
	}
	require.NoError(t, db.Close())
	return lost, acknowledged
}

// shutDown makes ext4 refuse further work and drop its journal in memory:
// EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH.
func shutDown(t *testing.T, folder string) {
	t.Helper()
	const ext4Shutdown, noLogFlush = 0x8004587d, 2
	f, err := os.Open(folder)
	require.NoError(t, err)
	defer f.Close()
	flags := uint32(noLogFlush)
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), ext4Shutdown, uintptr(unsafe.Pointer(&flags)))
	require.Zero(t, errno, "shutdown: %v", errno)
}
