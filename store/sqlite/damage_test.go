package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/sqlite"
)

// filled returns the path of a closed store of 500 entries.
func filled(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.db")
	db := open(t, path, sqlite.Options{})
	fill(t, db, "key/", 500, 2000, never)
	require.NoError(t, db.Close())
	return path
}

// damaged returns the path of a store like filled's, with a page of zeros.
func damaged(t *testing.T) string {
	t.Helper()
	path := filled(t)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	_, err = f.WriteAt(make([]byte, 4096), 4096*50)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	return path
}

// TestGet_corruptPage reads a store with a damaged page: entries on it are
// errors rather than absent, and all others can be read.
func TestGet_corruptPage(t *testing.T) {
	t.Parallel()
	db := open(t, damaged(t), sqlite.Options{})
	sound := 0
	for i := range 500 {
		value, err := db.Get(t.Context(), fmt.Sprintf("key/%06d", i))
		if err == nil {
			assert.Len(t, value, 2000)
			sound++
			continue
		}
		assert.NotErrorIs(t, err, store.ErrNotFound)
		assert.ErrorContains(t, err, "sqlite: database disk image is malformed")
	}
	assert.Less(t, sound, 500)
	assert.Greater(t, sound, 400)
	require.ErrorContains(t, db.Check(t.Context()), "the file is damaged: ")
}

// TestPut_corruptPage puts concurrently into a file with a damaged page:
// entries on that page fail, but not those committed together with them.
func TestPut_corruptPage(t *testing.T) {
	t.Parallel()
	const count = 500
	db := open(t, damaged(t), sqlite.Options{})
	var faults [count]error
	var wg sync.WaitGroup
	for i := range count {
		wg.Go(func() { faults[i] = db.Put(t.Context(), fmt.Sprintf("key/%06d", i), make([]byte, 2000), never) })
	}
	wg.Wait()
	failed := 0
	for i, fault := range faults {
		if _, err := db.Get(t.Context(), fmt.Sprintf("key/%06d", i)); err != nil {
			assert.ErrorContains(t, fault, "malformed", i)
			failed++
			continue
		}
		assert.NoError(t, fault, i)
	}
	require.Positive(t, failed)
}

// TestOpen_truncatedFile truncates the file, as an interrupted copy does.
func TestOpen_truncatedFile(t *testing.T) {
	t.Parallel()
	path := filled(t)
	require.NoError(t, os.Truncate(path, 4096*100+1000))
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err == nil {
		err = errors.Join(db.Check(t.Context()), db.Close())
	}
	require.ErrorContains(t, err, "damaged")
}

// TestOpen_truncatedLog truncates the log at any offset, as a crash of the
// machine may: commits before it are there, and no commit is partial.
func TestOpen_truncatedLog(t *testing.T) {
	t.Parallel()
	source := filepath.Join(t.TempDir(), "source.db")
	db := open(t, source, sqlite.Options{})
	for i := range 50 {
		require.NoError(t, db.CreateAll(t.Context(), store.Entry{Key: fmt.Sprintf("a/%03d", i), Value: make([]byte, 5000)}, store.Entry{Key: fmt.Sprintf("b/%03d", i)}))
	}
	file, err := os.ReadFile(source)
	require.NoError(t, err)
	log, err := os.ReadFile(source + "-wal")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	before := -1
	for cut := 0; cut <= len(log); cut += len(log)/7 + 1 {
		path := filepath.Join(t.TempDir(), "cut.db")
		require.NoError(t, os.WriteFile(path, file, 0o600))
		require.NoError(t, os.WriteFile(path+"-wal", log[:cut], 0o600))
		db := open(t, path, sqlite.Options{})
		require.NoError(t, db.Check(t.Context()))
		a, err := db.List(t.Context(), "a/", "", 100)
		require.NoError(t, err)
		b, err := db.List(t.Context(), "b/", "", 100)
		require.NoError(t, err)
		assert.Len(t, b, len(a))
		assert.GreaterOrEqual(t, len(a), before)
		before = len(a)
		require.NoError(t, db.Create(t.Context(), "after", nil, never))
	}
	assert.Greater(t, before, 30)
}

// TestOpen_migrationCutOff opens what a process leaves that is killed while it
// creates the schema: an empty file, and a log that ends anywhere.
func TestOpen_migrationCutOff(t *testing.T) {
	t.Parallel()
	source := filepath.Join(t.TempDir(), "source.db")
	db := open(t, source, sqlite.Options{})
	file, err := os.ReadFile(source)
	require.NoError(t, err)
	log, err := os.ReadFile(source + "-wal")
	require.NoError(t, err)
	require.Greater(t, len(log), 4096)
	require.NoError(t, db.Close())
	check := func(file, log []byte) {
		path := filepath.Join(t.TempDir(), "cut.db")
		require.NoError(t, os.WriteFile(path, file, 0o600))
		require.NoError(t, os.WriteFile(path+"-wal", log, 0o600))
		db := open(t, path, sqlite.Options{})
		require.NoError(t, db.Check(t.Context()))
		require.NoError(t, db.Create(t.Context(), "key", nil, never))
		require.NoError(t, db.Close())
		_, err := open(t, path, sqlite.Options{}).Get(t.Context(), "key")
		require.NoError(t, err)
	}
	check(nil, nil)
	for cut := 0; cut <= len(log); cut += 1000 {
		check(file, log[:cut])
	}
	check(file, log)
}

// TestOpen_restoreCutOff opens what a killed restore leaves behind after it has
// moved the old store away, but not yet put the new one in its place.
func TestOpen_restoreCutOff(t *testing.T) {
	t.Parallel()
	path := filled(t)
	backup := filepath.Join(t.TempDir(), "backup.db")
	db := open(t, path, sqlite.Options{})
	require.NoError(t, db.Backup(t.Context(), backup))
	require.NoError(t, db.Close())
	require.NoError(t, os.Rename(path, path+".restoring"))
	_, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.ErrorContains(t, err, path+": a restore was interrupted: restore the backup again")
	require.NoFileExists(t, path)
	_, err = sqlite.Restore(t.Context(), path, backup)
	require.NoError(t, err)
	_, err = open(t, path, sqlite.Options{}).Get(t.Context(), "key/000499")
	require.NoError(t, err)
}

// maintainFile and maintainWork name the environment variables that make the
// test binary the child of TestMaintain_killed: the file, and the work to
// repeat.
const (
	maintainFile = "DEVKILN_TEST_MAINTAIN_FILE"
	maintainWork = "DEVKILN_TEST_MAINTAIN_WORK"
)

// TestMaintain_killed kills a process that creates stores, or backs up or
// restores one. Every file with its final name is complete, and the same work
// can be repeated.
func TestMaintain_killed(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector sees nothing in a process that is killed")
	}
	t.Parallel()
	for _, work := range []string{"migrate", "back up", "restore"} {
		t.Run(work, func(t *testing.T) {
			t.Parallel()
			path := filled(t)
			db := open(t, path, sqlite.Options{})
			require.NoError(t, db.Backup(t.Context(), path+".backup"))
			require.NoError(t, db.Close())
			for round := range 5 {
				killAfter(t, path, work, time.Duration(20+17*round)*time.Millisecond)
				files, err := filepath.Glob(path + "*.new")
				require.NoError(t, err)
				for _, file := range append(files, path) {
					db, err := sqlite.Open(t.Context(), file, sqlite.Options{})
					if err != nil && work == "restore" {
						require.ErrorContains(t, err, "a restore was interrupted")
						require.NoError(t, maintain(t, path, work, round))
						continue
					}
					require.NoError(t, err)
					require.NoError(t, db.Check(t.Context()))
					require.NoError(t, db.Create(t.Context(), fmt.Sprintf("round-%d", round), nil, never))
					require.NoError(t, db.Close())
				}
				require.NoError(t, maintain(t, path, work, -round-1))
			}
		})
	}
}

// killAfter kills a child some time after its first round.
func killAfter(t *testing.T, path, work string, while time.Duration) {
	t.Helper()
	executable, err := os.Executable()
	require.NoError(t, err)
	child := exec.CommandContext(t.Context(), executable, "-test.run=^TestMaintain_killedChild$")
	child.Env = append(os.Environ(), maintainFile+"="+path, maintainWork+"="+work)
	child.Stderr = os.Stderr
	output, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	var ready string
	_, err = fmt.Fscanln(output, &ready)
	require.NoError(t, err)
	<-time.After(while)
	require.NoError(t, child.Process.Kill())
	require.Error(t, child.Wait(), "it is killed")
}

// maintain does the work once; n distinguishes the repetitions.
func maintain(t *testing.T, path, work string, n int) error {
	t.Helper()
	target := fmt.Sprintf("%s-%d-%d.new", path, os.Getpid(), n)
	switch work {
	case "migrate":
		db, err := sqlite.Open(t.Context(), target, sqlite.Options{})
		if err != nil {
			return err
		}
		return db.Close()
	case "back up":
		db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err != nil {
			return err
		}
		return errors.Join(db.Backup(t.Context(), target), db.Close())
	default:
		_, err := sqlite.Restore(t.Context(), path, path+".backup")
		return err
	}
}

// TestMaintain_killedChild is the child of TestMaintain_killed. It works until
// killed.
func TestMaintain_killedChild(t *testing.T) {
	path := os.Getenv(maintainFile)
	if path == "" {
		t.Skip("runs as a child of TestMaintain_killed only")
	}
	fmt.Fprintln(os.Stdout, "ready")
	for n := 0; ; n++ {
		require.NoError(t, maintain(t, path, os.Getenv(maintainWork), n))
	}
}
