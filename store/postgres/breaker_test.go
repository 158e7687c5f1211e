package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/pgtest"
	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/postgres"
)

// TestDB_frozenDatabase freezes a database during calls that would wait for ten
// minutes: they fail, and later ones fail at once, until it is thawed.
func TestDB_frozenDatabase(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	db := open(t, server.URL(), postgres.Options{Timeout: 10 * time.Minute})
	limits := store.Limits{Window: time.Minute, PerWindow: 100}
	require.NoError(t, db.Put(t.Context(), "key", []byte("value"), never))
	calls := []func(context.Context) error{
		func(ctx context.Context) error { _, err := store.Take(ctx, db, "uses", time.Now(), limits); return err },
		func(ctx context.Context) error { _, err := db.Get(ctx, "key"); return err },
		func(ctx context.Context) error { return db.Put(ctx, "key", []byte("value"), never) },
		func(ctx context.Context) error { _, err := db.List(ctx, "", "", 1); return err },
		db.Ready,
	}
	for round := range 2 {
		thaw := server.Freeze()
		var waiting sync.WaitGroup
		for range 10 {
			for _, call := range calls {
				waiting.Go(func() { assert.ErrorIs(t, call(t.Context()), store.ErrUnavailable) })
			}
		}
		waiting.Wait()
		for _, call := range calls {
			soon, cancel := context.WithTimeout(t.Context(), time.Second) // less than a probe takes
			assert.EqualError(t, call(soon), "postgres: the database does not respond: store: unavailable")
			cancel()
		}
		thaw()
		for i, call := range calls {
			require.Eventually(t, func() bool { return call(t.Context()) == nil }, time.Minute, 10*time.Millisecond, "%d in round %d", i, round)
		}
	}
}

// TestDB_silentHostBeforeAnother freezes the first of two hosts and makes the
// other take over.
func TestDB_silentHostBeforeAnother(t *testing.T) {
	t.Parallel()
	first := pgtest.Start(t)
	second := first.Standby("second")
	first.Query("ALTER SYSTEM SET synchronous_standby_names = 'second'")
	first.Query("SELECT pg_reload_conf()")
	db := open(t, fmt.Sprintf("postgres://postgres@%s,%s/postgres?sslmode=disable&target_session_attrs=read-write",
		first.Address(), second.Address()), postgres.Options{})
	require.NoError(t, db.Put(t.Context(), "key", []byte("value"), never))
	first.Freeze()
	require.ErrorIs(t, db.Put(t.Context(), "key", nil, never), store.ErrUnavailable)
	require.Equal(t, "t", second.Query("SELECT pg_promote()"))
	require.Eventually(t, func() bool { return db.Put(t.Context(), "another", nil, never) == nil }, time.Minute, 10*time.Millisecond)
	value, err := db.Get(t.Context(), "key")
	require.NoError(t, err)
	require.Equal(t, "value", string(value))
}

// TestDB_slowStatement waits for a lock for longer than a probe may take.
func TestDB_slowStatement(t *testing.T) {
	t.Parallel()
	server, url, schema := newSchema(t)
	db := open(t, url, postgres.Options{Timeout: time.Minute})
	require.NoError(t, db.Put(t.Context(), "key", []byte("value"), never))
	locked := make(chan struct{})
	go func() {
		defer close(locked)
		server.Query("BEGIN; SELECT pg_advisory_lock(7); UPDATE " + schema + ".devkiln_entries SET value = 'x'; SELECT pg_sleep(2); COMMIT")
	}()
	require.Eventually(t, func() bool {
		return server.Query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7") == "1"
	}, time.Minute, 10*time.Millisecond)
	require.NoError(t, db.Delete(t.Context(), "key"))
	<-locked
}

// TestClose_besideASlowCall closes a DB during a call that waits for a lock for
// longer than a call may take before the database is probed: Close waits for
// it, idly. It is not parallel, because it counts the allocations of the whole
// process.
func TestClose_besideASlowCall(t *testing.T) {
	server, url, schema := newSchema(t)
	db := open(t, url, postgres.Options{Timeout: time.Minute})
	require.NoError(t, db.Put(t.Context(), "key", []byte("value"), never))
	execute := lockEntries(t, url)
	errs := make(chan error, 2)
	go func() { errs <- db.Delete(t.Context(), "key") }()
	require.Eventually(t, func() bool {
		return server.Query("SELECT count(*) FROM pg_locks WHERE relation = '"+schema+".devkiln_entries'::regclass AND NOT granted") == "1"
	}, time.Minute, 10*time.Millisecond)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	go func() { errs <- db.Close() }()
	execute("SELECT pg_sleep(1)")
	runtime.ReadMemStats(&after)
	execute("ROLLBACK")
	require.NoError(t, errors.Join(<-errs, <-errs))
	assert.Less(t, after.Mallocs-before.Mallocs, uint64(20_000))
}

// Open is interrupted at any point of the migration, by the end of its process
// or of the database: the next Open finds the schema whole or makes it.
func TestOpen_interrupted(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	for round := range 16 {
		url := server.NewSchema()
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(5+3*round)*time.Millisecond)
		interrupted := make(chan error, 1)
		go func() {
			db, err := postgres.Open(ctx, url, postgres.Options{})
			if err == nil {
				err = db.Close()
			}
			interrupted <- err
		}()
		<-ctx.Done()
		cancel()
		if round%4 == 0 {
			server.Kill()
			server.Restart()
		}
		t.Logf("round %d: %v", round, <-interrupted)
		for range 2 {
			db := open(t, url, postgres.Options{})
			require.NoError(t, db.Put(t.Context(), "key", []byte("value"), never))
			require.NoError(t, db.Close())
		}
		_, schema, _ := strings.Cut(url, "search_path=")
		require.Equal(t, "1", server.Query("SELECT string_agg(version::text, ' ') FROM "+schema+".devkiln_schema"))
	}
}
