package bench

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/devkiln/devkiln/internal/pgtest"
	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/postgres"
	"github.com/devkiln/devkiln/store/sqlite"
)

// storeWriters is the number of concurrent writers or readers.
const storeWriters = 64

// valueSizes are 10 KB of incompressible data, and about the size of 10 KB of
// log text compressed by package share.
var valueSizes = []int{10_000, 1_500}

// place is a place for values. put returns once the value would survive a power
// cut, if the place supports that.
type place struct {
	put func(key string, value []byte) error
	get func(key string) ([]byte, error)
}

var places = []struct {
	name string
	open func(b *testing.B) place
}{
	{"sqlite", func(b *testing.B) place { return backend(b, openSQLite(b)) }},
	{"files", files},
	{"bbolt", bolt},
	{"postgres", func(b *testing.B) place {
		db, err := postgres.Open(b.Context(), pgtest.Start(b, "fsync=on").URL(), postgres.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { db.Close() })
		return backend(b, db)
	}},
	{"memory", func(b *testing.B) place { return backend(b, store.NewMemory()) }},
}

func openSQLite(b *testing.B) *sqlite.DB {
	b.Helper()
	db, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "bench.db"), sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	return db
}

func backend(b *testing.B, s store.Backend) place {
	return place{
		put: func(key string, value []byte) error {
			return s.Create(b.Context(), key, value, time.Now().Add(time.Hour))
		},
		get: func(key string) ([]byte, error) { return s.Get(b.Context(), key) },
	}
}

// files stores one file per value: written under another name, synced and
// renamed, with the folder synced too.
func files(b *testing.B) place {
	folder := b.TempDir()
	return place{
		put: func(key string, value []byte) error {
			name := filepath.Join(folder, url.PathEscape(key))
			f, err := os.Create(name + ".partial")
			if err != nil {
				return err
			}
			if _, err := f.Write(value); err != nil {
				return err
			}
			if err := f.Sync(); err != nil {
				return err
			}
			if err := f.Close(); err != nil {
				return err
			}
			if err := os.Rename(name+".partial", name); err != nil {
				return err
			}
			d, err := os.Open(folder)
			if err != nil {
				return err
			}
			defer d.Close()
			return d.Sync()
		},
		get: func(key string) ([]byte, error) { return os.ReadFile(filepath.Join(folder, url.PathEscape(key))) },
	}
}

// bolt is bbolt, which groups writers in its own way.
func bolt(b *testing.B) place {
	db, err := bbolt.Open(filepath.Join(b.TempDir(), "bench.bolt"), 0o600, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	db.MaxBatchSize, db.MaxBatchDelay = storeWriters, time.Millisecond
	bucket := []byte("entries")
	if err := db.Update(func(tx *bbolt.Tx) error { _, err := tx.CreateBucket(bucket); return err }); err != nil {
		b.Fatal(err)
	}
	return place{
		put: func(key string, value []byte) error {
			return db.Batch(func(tx *bbolt.Tx) error { return tx.Bucket(bucket).Put([]byte(key), value) })
		},
		get: func(key string) (value []byte, err error) {
			err = db.View(func(tx *bbolt.Tx) error {
				value = slices.Clone(tx.Bucket(bucket).Get([]byte(key)))
				return nil
			})
			return value, err
		},
	}
}

// BenchmarkStorePut has 64 writers put values under random keys.
func BenchmarkStorePut(b *testing.B) {
	for _, size := range valueSizes {
		for _, p := range places {
			b.Run(fmt.Sprintf("%s/%dB", p.name, size), func(b *testing.B) {
				at := p.open(b)
				value := make([]byte, size)
				rand.Read(value)
				measure(b, func(int) error { return at.put(rand.Text(), value) })
			})
		}
	}
}

// BenchmarkStoreGet has 64 readers get values from among 5,000.
func BenchmarkStoreGet(b *testing.B) {
	const count = 5000
	for _, p := range places {
		b.Run(p.name, func(b *testing.B) {
			at := p.open(b)
			value := make([]byte, valueSizes[0])
			rand.Read(value)
			parallel(count, func(i int) error { return at.put(fmt.Sprintf("key-%d", i), value) })
			measure(b, func(i int) error {
				_, err := at.get(fmt.Sprintf("key-%d", i*7919%count))
				return err
			})
		})
	}
}

// BenchmarkStoreCount has 64 goroutines count uses of 10 keys.
func BenchmarkStoreCount(b *testing.B) {
	limits := store.Limits{Window: time.Minute, PerWindow: 100, Period: 24 * time.Hour}
	for _, c := range []struct {
		name string
		open func(b *testing.B) store.Backend
	}{
		{"sqlite", func(b *testing.B) store.Backend { return openSQLite(b) }},
		{"memory", func(*testing.B) store.Backend { return store.NewMemory() }},
		{"postgres", func(b *testing.B) store.Backend {
			db, err := postgres.Open(b.Context(), pgtest.Start(b, "fsync=on").URL(), postgres.Options{})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { db.Close() })
			return db
		}},
	} {
		b.Run(c.name+"/Add", func(b *testing.B) {
			s := c.open(b)
			measure(b, func(i int) error {
				_, err := store.Add(b.Context(), s, fmt.Sprintf("counter-%d", i%10), 1, time.Time{})
				return err
			})
		})
		b.Run(c.name+"/Take", func(b *testing.B) {
			s := c.open(b)
			measure(b, func(i int) error {
				_, err := store.Take(b.Context(), s, fmt.Sprintf("meter-%d", i%10), time.Now(), limits)
				return err
			})
		})
	}
}

// BenchmarkStoreSweep measures puts during a sweep with enough to delete, and
// the time to sweep 100,000 entries of the size of a compressed log.
func BenchmarkStoreSweep(b *testing.B) {
	for _, sweeping := range []bool{false, true} {
		b.Run(fmt.Sprintf("put/sweeping=%t", sweeping), func(b *testing.B) {
			db := openSQLite(b)
			expired(b, db, 50_000)
			value := make([]byte, valueSizes[1])
			rand.Read(value)
			stop, stopped := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(stopped)
				for sweeping {
					select {
					case <-stop:
						return
					default:
						db.Sweep(b.Context(), 1000)
					}
				}
			}()
			measure(b, func(int) error { return db.Create(b.Context(), rand.Text(), value, time.Now().Add(time.Hour)) })
			close(stop)
			<-stopped
		})
	}
	b.Run("100k", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			db := openSQLite(b)
			empty, _ := db.Size(b.Context())
			expired(b, db, 100_000)
			full, _ := db.Size(b.Context())
			b.StartTimer()
			for swept := 1; swept > 0; {
				var err error
				if swept, err = db.Sweep(b.Context(), 10_000); err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			left, _ := db.Size(b.Context())
			b.ReportMetric(100*float64(full-left)/float64(full-empty), "%freed")
			b.StartTimer()
		}
	})
}

// BenchmarkStoreReopen opens the files of a killed process: 100,000 entries and
// a log that has not been checkpointed.
func BenchmarkStoreReopen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "bench.db")
	db, err := sqlite.Open(b.Context(), path, sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	expired(b, db, 100_000)
	original := filepath.Join(b.TempDir(), "original.db")
	copyFile := func(to, from string) {
		content, err := os.ReadFile(from)
		if err != nil {
			b.Fatal(err)
		}
		f, err := os.Create(to)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		if _, err := f.Write(content); err != nil {
			b.Fatal(err)
		}
		f.Sync() // otherwise opening it waits for the disk
	}
	for _, suffix := range []string{"", "-wal"} {
		copyFile(original+suffix, path+suffix)
	}
	for b.Loop() {
		b.StopTimer()
		crashed := filepath.Join(b.TempDir(), "crashed.db")
		for _, suffix := range []string{"", "-wal"} {
			copyFile(crashed+suffix, original+suffix)
		}
		b.StartTimer()
		again, err := sqlite.Open(b.Context(), crashed, sqlite.Options{})
		if err == nil {
			_, err = again.Get(b.Context(), "unknown")
		}
		b.StopTimer()
		if !errors.Is(err, store.ErrNotFound) {
			b.Fatal(err)
		}
		again.Close()
		b.StartTimer()
	}
}

func expired(b *testing.B, s store.Backend, count int) {
	b.Helper()
	value := make([]byte, valueSizes[1])
	rand.Read(value)
	past := time.Now().Add(-time.Hour)
	if err := parallel(count, func(int) error { return s.Create(b.Context(), rand.Text(), value, past) }); err != nil {
		b.Fatal(err)
	}
}

// parallel calls work count times from storeWriters goroutines.
func parallel(count int, work func(i int) error) error {
	var next atomic.Int64
	var failed atomic.Pointer[error]
	var wg sync.WaitGroup
	for range storeWriters {
		wg.Go(func() {
			for i := next.Add(1) - 1; int(i) < count; i = next.Add(1) - 1 {
				if err := work(int(i)); err != nil {
					failed.Store(&err)
					return
				}
			}
		})
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

// measure calls work from storeWriters goroutines. It reports calls per second,
// the median and the 99th percentile of the latency, and the processor time of
// this process per call, which depends less on other load.
func measure(b *testing.B, work func(i int) error) {
	b.Helper()
	var mu sync.Mutex
	var all []time.Duration
	var next atomic.Int64
	b.SetParallelism(cmp.Or(storeWriters/runtime.GOMAXPROCS(0), 1))
	b.ResetTimer()
	used := processorTime()
	b.RunParallel(func(pb *testing.PB) {
		var mine []time.Duration
		for pb.Next() {
			started := time.Now()
			if err := work(int(next.Add(1))); err != nil {
				b.Error(err)
				break
			}
			mine = append(mine, time.Since(started))
		}
		mu.Lock()
		all = append(all, mine...)
		mu.Unlock()
	})
	b.StopTimer()
	used = processorTime() - used
	slices.Sort(all)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
	b.ReportMetric(float64(used.Nanoseconds())/1000/float64(b.N), "cpu-µs/call")
	b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, "p99-ms")
}

// processorTime returns the processor time that this process has used.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
