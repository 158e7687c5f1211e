package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	mrand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/sqlite"
)

const (
	callers = 64
	creates = 10_000 // per round
	reads   = 50_000
	idSize  = 16
)

// file is a store with a number of logs, in a folder.
type file struct {
	dir  string
	logs int
}

func (f file) path() string { return filepath.Join(f.dir, fmt.Sprintf("%d.db", f.logs)) }

// ids returns the path of the file with the concatenated ids of all logs.
func (f file) ids() string { return filepath.Join(f.dir, fmt.Sprintf("%d.ids", f.logs)) }

// open opens the file, and a service on it whose clock is behind by slow.
func (f file) open(ctx context.Context, slow time.Duration) (*sqlite.DB, *share.Service, error) {
	db, err := sqlite.Open(ctx, f.path(), sqlite.Options{})
	if err != nil {
		return nil, nil, err
	}
	shares, err := share.New(db, share.Options{List: true, Now: func() time.Time { return time.Now().Add(-slow) }})
	return db, shares, err
}

// fill creates the logs.
func (f file) fill(ctx context.Context) error {
	db, shares, err := f.open(ctx, 24*time.Hour)
	if err != nil {
		return err
	}
	ids := make([]byte, f.logs*idSize)
	_, err = together(f.logs, func(i int) error {
		log, err := shares.CreateLog(ctx, text(), share.LogOptions{Expiry: share.ExpiryNever})
		copy(ids[i*idSize:], log.ID)
		return err
	})
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	return os.WriteFile(f.ids(), ids, 0o600)
}

// measure runs a round of work, which leaves the file's contents as they were.
func (f file) measure(ctx context.Context) (all []figure, err error) {
	ids, err := f.sample(reads)
	if err != nil {
		return nil, err
	}
	started := time.Now()
	db, shares, err := f.open(ctx, time.Hour) // creates expired logs for Sweep
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	opened := time.Since(started)
	create, err := together(creates, func(int) error {
		_, err := shares.CreateLog(ctx, text(), share.LogOptions{Expiry: share.Expiry1h})
		return err
	})
	if err != nil {
		return nil, err
	}
	read, err := together(reads, func(i int) error {
		_, err := shares.Log(ctx, ids[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	memory, err := resident()
	if err != nil {
		return nil, err
	}
	bare, err := f.readBare(ctx)
	if err != nil {
		return nil, err
	}
	whole, err := f.maintain(ctx, db)
	return append([]figure{
		{"create, a second", "%.0f", 1 / create.each.Seconds()},
		{"create, µs of a processor", "%.0f", create.processor.Seconds() * 1e6},
		{"create, p99 in ms", "%.1f", create.p99.Seconds() * 1e3},
		{"read at random, a second", "%.0f", 1 / read.each.Seconds()},
		{"read, µs of a processor", "%.0f", read.processor.Seconds() * 1e6},
		{"a bare SELECT by row number, µs of a processor", "%.0f", bare.processor.Seconds() * 1e6},
		{"read, p99 in ms", "%.1f", read.p99.Seconds() * 1e3},
		{"resident memory, MB", "%.0f", memory},
		{"open, ms", "%.1f", opened.Seconds() * 1e3},
	}, whole...), err
}

// readBare reads rows at random by row id, without a store, to measure the
// share of the file and the driver in a read.
func (f file) readBare(ctx context.Context) (load, error) {
	pool, err := sql.Open("sqlite", "file:"+f.path())
	if err != nil {
		return load{}, err
	}
	pool.SetMaxOpenConns(2) // as many as it keeps idle
	row, err := pool.PrepareContext(ctx, "SELECT value FROM entries WHERE id = ?1")
	if err != nil {
		return load{}, errors.Join(err, pool.Close())
	}
	l, err := together(reads, func(int) error {
		var value []byte
		return row.QueryRowContext(ctx, 1+mrand.IntN(f.logs)).Scan(&value)
	})
	return l, errors.Join(err, row.Close(), pool.Close())
}

// sample returns the ids of n random logs.
func (f file) sample(n int) ([]string, error) {
	all, err := os.Open(f.ids())
	if err != nil {
		return nil, err
	}
	ids, id := make([]string, n), make([]byte, idSize)
	for i := range ids {
		if _, err := all.ReadAt(id, int64(mrand.IntN(f.logs))*idSize); err != nil {
			return nil, errors.Join(err, all.Close())
		}
		ids[i] = string(id)
	}
	return ids, all.Close()
}

// maintain measures the operations on the whole file, and sweeps the created
// logs.
func (f file) maintain(ctx context.Context, db *sqlite.DB) (all []figure, err error) {
	backup := f.path() + ".backup"
	defer func() { err = errors.Join(err, os.Remove(backup)) }()
	for _, work := range []struct {
		name, format string
		logs         int
		do           func() error
	}{
		{"list all, µs a log", "%.2f", f.logs, func() error { return listAll(ctx, db) }},
		{"check, µs a log", "%.2f", f.logs, func() error { return db.Check(ctx) }},
		{"back up, µs a log", "%.2f", f.logs, func() error { return db.Backup(ctx, backup) }},
		{"sweep, µs a log", "%.1f", creates, func() error { return sweepAll(ctx, db) }},
	} {
		started := time.Now()
		if err := work.do(); err != nil {
			return nil, err
		}
		all = append(all, figure{work.name, work.format, time.Since(started).Seconds() * 1e6 / float64(work.logs)})
	}
	size, err := db.Size(ctx)
	return append(all, figure{"file, bytes a log", "%.0f", float64(size) / float64(f.logs)}), err
}

func listAll(ctx context.Context, db *sqlite.DB) error {
	for _, err := range store.All(ctx, db, "log/") {
		if err != nil {
			return err
		}
	}
	return nil
}

func sweepAll(ctx context.Context, db *sqlite.DB) error {
	for {
		if swept, err := db.Sweep(ctx, 10_000); err != nil || swept == 0 {
			return err
		}
	}
}

// load is the cost of a number of calls.
type load struct {
	each, p99 time.Duration // elapsed time per call; 99th percentile of the latency
	processor time.Duration // processor time of this process per call
}

// together calls work count times, from all callers concurrently.
func together(count int, work func(i int) error) (load, error) {
	var next atomic.Int64
	took, faults := make([]time.Duration, count), make([]error, callers)
	var running sync.WaitGroup
	started, before := time.Now(), processor()
	for caller := range callers {
		running.Go(func() {
			for i := int(next.Add(1)) - 1; i < count && faults[caller] == nil; i = int(next.Add(1)) - 1 {
				begun := time.Now()
				faults[caller] = work(i)
				took[i] = time.Since(begun)
			}
		})
	}
	running.Wait()
	l := load{each: time.Since(started) / time.Duration(count), processor: (processor() - before) / time.Duration(count)}
	slices.Sort(took)
	l.p99 = took[count*99/100]
	return l, errors.Join(faults...)
}

// processor returns the processor time that this process has used.
func processor() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// text returns 1 KB of a service's log, with a unique number in each line.
func text() string {
	var b strings.Builder
	for b.Len() < 1000 {
		fmt.Fprintf(&b, "2026-11-20T10:00:00.000Z INFO [worker-7] request %s handled in 12 ms\n", rand.Text()[:12])
	}
	return b.String()[:1000]
}

// resident returns the resident memory of this process in MB.
func resident() (float64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	_, after, _ := bytes.Cut(status, []byte("VmRSS:"))
	kilobytes, err := strconv.ParseFloat(string(bytes.Fields(after)[0]), 64)
	return kilobytes / 1000, err
}
