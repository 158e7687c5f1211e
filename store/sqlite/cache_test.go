package sqlite_test

import (
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/sqlite"
)

// Repeated reads never return a version of an entry older than one that any
// caller has already read or written.
func TestGet_isNeverStale(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "test.db"), sqlite.Options{})
	require.NoError(t, db.Put(t.Context(), "counter", []byte("0"), never))
	var known atomic.Int64 // the latest version that any caller knows
	know := func(n int64) {
		for old := known.Load(); n > old && !known.CompareAndSwap(old, n); {
			old = known.Load()
		}
	}
	var wg sync.WaitGroup
	var over atomic.Bool
	var reads atomic.Int64
	for range 2 {
		wg.Go(func() {
			for !over.Load() {
				before := known.Load()
				value, err := db.Get(t.Context(), "counter")
				if !assert.NoError(t, err) {
					return
				}
				n, err := strconv.ParseInt(string(value), 10, 64)
				if !assert.NoError(t, err) || !assert.GreaterOrEqual(t, n, before) {
					return
				}
				know(n)
				reads.Add(1)
			}
		})
	}
	for n := range int64(300) {
		switch n % 3 {
		case 0:
			require.NoError(t, db.Put(t.Context(), "counter", strconv.AppendInt(nil, n, 10), never))
		case 1:
			_, err := store.Add(t.Context(), db, "counter", 1, never)
			require.NoError(t, err)
		default:
			for enough := reads.Load() + 5; reads.Load() < enough && !t.Failed(); {
				runtime.Gosched() // for a while, only reads
			}
			continue
		}
		know(n)
	}
	over.Store(true)
	wg.Wait()
}

// A deleted entry is absent for every later read, however often it was read
// before and meanwhile.
func TestDelete_isSeenAtOnce(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "test.db"), sqlite.Options{})
	for i := range 200 {
		key := "key" + strconv.Itoa(i)
		if i%2 == 0 {
			require.NoError(t, db.Create(t.Context(), key, []byte("value"), never))
		} else {
			require.NoError(t, db.CreateAll(t.Context(), store.Entry{Key: key, Value: []byte("value")}, store.Entry{Key: key + "b"}))
		}
		var wg sync.WaitGroup
		var gone atomic.Bool
		for range 3 {
			wg.Go(func() {
				for range 50 {
					before := gone.Load()
					_, err := db.Get(t.Context(), key)
					if before && !assert.ErrorIs(t, err, store.ErrNotFound) {
						return
					}
				}
			})
		}
		require.NoError(t, db.Delete(t.Context(), key))
		gone.Store(true)
		wg.Wait()
	}
}

// A command beside the server changes an entry that the server reads
// continually.
func TestGet_writesOfAnotherProcess(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	server := open(t, path, sqlite.Options{})
	companion := open(t, path, sqlite.Options{Companion: true})
	// read returns what the server reads 10 milliseconds later.
	read := func() ([]byte, error) {
		changed := time.Now()
		for {
			begun := time.Now()
			value, err := server.Get(t.Context(), "key")
			if begun.Sub(changed) >= 10*time.Millisecond {
				return value, err
			}
		}
	}
	for i := range 20 {
		want := strconv.Itoa(i)
		require.NoError(t, companion.Put(t.Context(), "key", []byte(want), never))
		got, err := read()
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
	require.NoError(t, companion.Delete(t.Context(), "key"))
	_, err := read()
	require.ErrorIs(t, err, store.ErrNotFound)
}

// What is cached stays below its limit, and is counted right when it changes.
func TestGet_cachesWithinALimit(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "test.db"), sqlite.Options{})
	require.Eventually(t, func() bool { // the cache is in use once the writer has looked for other processes
		require.NoError(t, db.Put(t.Context(), "key", []byte("value"), never))
		_, err := db.Get(t.Context(), "key")
		require.NoError(t, err)
		return db.CachedBytes() > 0
	}, time.Minute, time.Millisecond)
	key := func(i int) string { return "key" + strconv.Itoa(i) }
	var entries []store.Entry
	for i := range 300 {
		entries = append(entries, store.Entry{Key: key(i), Value: make([]byte, 30_000+i)})
	}
	require.NoError(t, db.CreateAll(t.Context(), append(entries, store.Entry{Key: "large", Value: make([]byte, sqlite.MaxCache/64)})...))
	for range 2 {
		for i, e := range entries {
			value, err := db.Get(t.Context(), e.Key)
			require.NoError(t, err)
			require.Len(t, value, 30_000+i)
			require.LessOrEqual(t, db.CachedBytes(), sqlite.MaxCache)
		}
	}
	require.Greater(t, db.CachedBytes(), sqlite.MaxCache-40_000)
	before := db.CachedBytes()
	_, err := db.Get(t.Context(), "large")
	require.NoError(t, err)
	require.Equal(t, before, db.CachedBytes(), "too large to be cached")
	for _, e := range entries {
		require.NoError(t, db.Delete(t.Context(), e.Key))
	}
	require.NoError(t, db.Delete(t.Context(), "key"))
	require.Zero(t, db.CachedBytes())
}

// BenchmarkGet reads one entry repeatedly, and entries that are not cached.
func BenchmarkGet(b *testing.B) {
	db, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "test.db"), sqlite.Options{})
	require.NoError(b, err)
	defer func() { require.NoError(b, db.Close()) }()
	const entries = 40_000
	for i := range entries / 100 {
		batch := make([]store.Entry, 100)
		for j := range batch {
			batch[j] = store.Entry{Key: "key" + strconv.Itoa(100*i+j), Value: make([]byte, 200)}
		}
		require.NoError(b, db.CreateAll(b.Context(), batch...))
	}
	for name, among := range map[string]int{"again": 1, "another": entries} {
		b.Run(name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				if _, err := db.Get(b.Context(), "key"+strconv.Itoa(i%among)); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}
