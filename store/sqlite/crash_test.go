package sqlite_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/sqlite"
)

// crashFile names the environment variable that makes the test binary the child
// of TestDB_killed. Its value is the file to write to.
const crashFile = "DEVKILN_TEST_CRASH_FILE"

const crashWriters = 64

// TestDB_killed kills a process that creates entries from 64 goroutines, half
// of them in pairs. Every acknowledged key must be readable, and no pair may be
// incomplete.
func TestDB_killed(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector sees nothing in a process that is killed")
	}
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	for round := range 5 {
		acknowledged := crash(t, path, 500*(round+1))
		started := time.Now()
		db := open(t, path, sqlite.Options{})
		t.Logf("round %d: %d keys acknowledged, reopened in %v", round, len(acknowledged), time.Since(started))
		lost := 0
		for _, key := range acknowledged {
			value, err := db.Get(t.Context(), key)
			if err != nil || string(value) != crashValue(key) {
				lost++
			}
		}
		assert.Zero(t, lost, "acknowledged entries that are lost")
		assert.Equal(t, suffixes(t, db, "pair/"), suffixes(t, db, "twin/"))
		require.NoError(t, db.Close())
	}
}

// suffixes returns what follows prefix in the keys that start with it.
func suffixes(t *testing.T, db *sqlite.DB, prefix string) []string {
	t.Helper()
	entries, err := db.List(t.Context(), prefix, "", 1<<30)
	require.NoError(t, err)
	require.NotEmpty(t, entries)
	var rest []string
	for _, e := range entries {
		rest = append(rest, strings.TrimPrefix(e.Key, prefix))
	}
	return rest
}

// crash starts a child that writes to path, kills it once it has acknowledged
// enough keys, and returns all acknowledged keys.
func crash(t *testing.T, path string, enough int) []string {
	t.Helper()
	executable, err := os.Executable()
	require.NoError(t, err)
	child := exec.CommandContext(t.Context(), executable, "-test.run=^TestDB_killedChild$")
	child.Env = append(os.Environ(), crashFile+"="+path)
	child.Stderr = os.Stderr
	output, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())

	var acknowledged []string
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		key, complete := strings.CutSuffix(lines.Text(), ".")
		if !complete {
			continue // the pipe ended within a line
		}
		acknowledged = append(acknowledged, key)
		if len(acknowledged) == enough {
			require.NoError(t, child.Process.Kill())
		}
	}
	require.Error(t, child.Wait(), "the child is killed")
	require.GreaterOrEqual(t, len(acknowledged), enough)
	return acknowledged
}

// TestDB_killedChild is the child of TestDB_killed. It prints each key that
// Create or CreateAll has acknowledged, until it is killed.
func TestDB_killedChild(t *testing.T) {
	path := os.Getenv(crashFile)
	if path == "" {
		t.Skip("runs as a child of TestDB_killed only")
	}
	db := open(t, path, sqlite.Options{})
	var wg sync.WaitGroup
	for i := range crashWriters {
		wg.Go(func() {
			for j := 0; ; j++ {
				name := fmt.Sprintf("%d-%d-%d", os.Getpid(), i, j)
				key, err := "pair/"+name, error(nil)
				if i%2 == 0 {
					key = "single/" + name
					err = db.Create(t.Context(), key, []byte(crashValue(key)), never)
				} else {
					err = db.CreateAll(t.Context(), store.Entry{Key: key, Value: []byte(crashValue(key))}, store.Entry{Key: "twin/" + name})
				}
				if err != nil {
					t.Error(err)
					return
				}
				fmt.Fprintf(os.Stdout, "%s.\n", key)
			}
		})
	}
	wg.Wait()
}

func crashValue(key string) string { return strings.Repeat(key, 100) }
