package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/pgtest"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/postgres"
	"github.com/devkiln/devkiln/store/storetest"
)

var never time.Time

func TestMain(m *testing.M) { os.Exit(pgtest.Run(m)) }

// newSchema creates an empty schema on the shared server, and returns its URL
// and name.
func newSchema(t *testing.T) (server *pgtest.Server, url, name string) {
	server = pgtest.Shared(t)
	url = server.NewSchema()
	_, name, _ = strings.Cut(url, "search_path=")
	return server, url, name
}

func TestDB(t *testing.T) {
	t.Parallel()
	storetest.RunBackend(t, emptied(t, ""))
}

// emptied returns a function that opens a store in a schema of its own, which it
// empties and opens again only after the store was closed.
func emptied(t *testing.T, parameters string) func(*testing.T) store.Backend {
	server, url, schema := newSchema(t)
	var db *postgres.DB
	return func(*testing.T) store.Backend {
		if db == nil || db.Ready(t.Context()) != nil {
			db = open(t, url+parameters, postgres.Options{})
		}
		server.Query("TRUNCATE " + schema + ".devkiln_entries")
		return db
	}
}

// TestDB_withoutPreparedStatements uses the store as through a pooler that
// gives each transaction another session.
func TestDB_withoutPreparedStatements(t *testing.T) {
	t.Parallel()
	storetest.RunBackend(t, emptied(t, "&default_query_exec_mode=exec"))
}

// TestDB_withoutStandby verifies that Add, Take and Sweep do not wait for a
// missing standby.
func TestDB_withoutStandby(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	db := open(t, server.URL(), postgres.Options{})
	ctx := t.Context()
	require.NoError(t, db.Put(ctx, "expired", nil, time.Now().Add(-time.Hour)))
	server.Query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
	server.Query("SELECT pg_reload_conf()")
	require.Eventually(t, func() bool {
		return errors.Is(db.Put(ctx, "key", nil, never), store.ErrUnavailable)
	}, time.Minute, 10*time.Millisecond)
	for want := range int64(3) {
		got, err := store.Add(ctx, db, "counter", 1, never)
		require.NoError(t, err)
		require.Equal(t, want+1, got)
		usage, err := store.Take(ctx, db, "uses", time.Now(), store.Limits{Window: time.Minute, PerWindow: 100})
		require.NoError(t, err)
		require.True(t, usage.Taken)
	}
	swept, err := db.Sweep(ctx, 10)
	require.NoError(t, err)
	require.Equal(t, 1, swept)
}

// TestDB_sharedAgainWithoutStandby requests a share repeatedly while no standby
// confirms it: a share that could be lost with the primary is not acknowledged.
func TestDB_sharedAgainWithoutStandby(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	db := open(t, server.URL(), postgres.Options{Timeout: 500 * time.Millisecond})
	shares, err := share.New(db, share.Options{})
	require.NoError(t, err)
	create := func() error {
		_, err := shares.CreateLog(t.Context(), "INFO up", share.LogOptions{IdempotencyKey: "key"})
		return err
	}
	server.Query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
	server.Query("SELECT pg_reload_conf()")
	require.Eventually(t, func() bool {
		return errors.Is(db.Put(t.Context(), "key", nil, never), store.ErrUnavailable)
	}, time.Minute, 10*time.Millisecond, "the connections have read the settings")
	for range 5 {
		require.ErrorIs(t, create(), store.ErrUnavailable)
	}
	server.Query("ALTER SYSTEM RESET synchronous_standby_names")
	server.Query("SELECT pg_reload_conf()")
	require.Eventually(t, func() bool { return create() == nil }, time.Minute, 10*time.Millisecond)
}

func TestDB_capped(t *testing.T) {
	t.Parallel()
	server := pgtest.Shared(t)
	storetest.RunCapped(t, func(t *testing.T, maxBytes int64) store.Backend {
		return open(t, server.NewSchema(), postgres.Options{MaxBytes: maxBytes})
	})
}

func open(t *testing.T, url string, options postgres.Options) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), url, options)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// TestDB_replicas opens one empty database from many replicas at once and makes
// them work on the same keys.
func TestDB_replicas(t *testing.T) {
	t.Parallel()
	url := pgtest.Shared(t).NewSchema()
	const replicas = 8
	dbs, errs := make([]*postgres.DB, replicas), make([]error, replicas)
	var wg sync.WaitGroup
	for i := range replicas {
		wg.Go(func() { dbs[i], errs[i] = postgres.Open(t.Context(), url+"&pool_max_conns=4", postgres.Options{}) })
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
	for _, db := range dbs {
		t.Cleanup(func() { require.NoError(t, db.Close()) })
	}

	limits := store.Limits{Window: time.Minute, PerWindow: 100, Period: 24 * time.Hour, PerPeriod: 10_000}
	const requests = 300
	taken, created := make([]int, replicas), make([]int, replicas)
	for i, db := range dbs {
		wg.Go(func() {
			for j := range requests / replicas {
				u, err := store.Take(t.Context(), db, "limit", time.Now(), limits)
				if u.Taken {
					taken[i]++
				}
				errs[i] = errors.Join(errs[i], err)
				switch err := db.Create(t.Context(), fmt.Sprintf("key-%d", j), nil, never); {
				case err == nil:
					created[i]++
				case !errors.Is(err, store.ErrExists):
					errs[i] = errors.Join(errs[i], err)
				}
				if _, err := db.Sweep(t.Context(), 100); err != nil {
					errs[i] = errors.Join(errs[i], err)
				}
			}
		})
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
	assert.Equal(t, limits.PerWindow, sum(taken), "the limit holds over all replicas")
	assert.Equal(t, requests/replicas, sum(created), "each key is created once")

	const expired = 5000
	past := time.Now().Add(-time.Minute)
	swept := make([]int, replicas)
	for i, db := range dbs {
		wg.Go(func() {
			for j := range expired / replicas {
				errs[i] = errors.Join(errs[i], db.Create(t.Context(), fmt.Sprintf("expired-%d-%d", i, j), nil, past))
			}
			var err error
			swept[i], err = db.Sweep(t.Context(), expired)
			errs[i] = errors.Join(errs[i], err)
		})
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
	left, err := dbs[0].Sweep(t.Context(), expired)
	require.NoError(t, err)
	assert.Equal(t, expired, sum(swept)+left, "each entry is swept once")
}

func sum(numbers []int) int {
	total := 0
	for _, n := range numbers {
		total += n
	}
	return total
}

func TestDB_databaseGoesAway(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	db := open(t, server.URL(), postgres.Options{})
	ctx := t.Context()
	require.NoError(t, db.Put(ctx, "key", []byte("value"), never))
	for name, end := range map[string]func(){"stopped": server.Stop, "killed": server.Kill} {
		t.Run(name, func(t *testing.T) {
			end()
			for range 20 {
				_, get := db.Get(ctx, "key")
				_, add := store.Add(ctx, db, "counter", 1, never)
				for _, err := range []error{get, add, db.Create(ctx, "new", nil, never), db.Put(ctx, "key", nil, never)} {
					require.ErrorIs(t, err, store.ErrUnavailable)
				}
			}
			_, err := postgres.Open(ctx, server.URL(), postgres.Options{})
			require.ErrorIs(t, err, store.ErrUnavailable)
			require.NotContains(t, err.Error(), "\n")

			server.Restart()
			value, err := db.Get(ctx, "key")
			require.NoError(t, err, "the store recovers by itself")
			require.Equal(t, "value", string(value))
			require.NoError(t, db.Put(ctx, "key", value, never))
		})
	}
}

// TestDB_silentDatabase connects to a listener that accepts connections and
// never responds, like a machine that has lost its network.
func TestDB_silentDatabase(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	_, err = postgres.Open(t.Context(), "postgres://user:secret@"+listener.Addr().String()+"/database", postgres.Options{Timeout: 50 * time.Millisecond})
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.NotContains(t, err.Error(), "secret")
}

// lockEntries locks the table of entries in a session of its own. The result
// executes further statements in it, such as ROLLBACK.
func lockEntries(t *testing.T, url string) (execute func(statement string)) {
	t.Helper()
	connection, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, connection.Close(context.Background())) })
	execute = func(statement string) {
		t.Helper()
		_, err := connection.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	execute("BEGIN")
	execute("LOCK TABLE devkiln_entries")
	return execute
}

func TestDB_statementTimeout(t *testing.T) {
	t.Parallel()
	_, url, _ := newSchema(t)
	db := open(t, url, postgres.Options{Timeout: 500 * time.Millisecond})
	execute := lockEntries(t, url)
	require.ErrorIs(t, db.Put(t.Context(), "key", nil, never), store.ErrUnavailable)
	execute("ROLLBACK")
	require.Eventually(t, func() bool { return db.Put(t.Context(), "key", nil, never) == nil }, time.Minute, 10*time.Millisecond)
}

// TestOpen_migrationKilled ends the session that migrates, after it has begun and
// before it commits. What is opened then is whole.
func TestOpen_migrationKilled(t *testing.T) {
	t.Parallel()
	server, url, schema := newSchema(t)
	server.Query("CREATE TABLE " + schema + ".devkiln_schema (version bigint PRIMARY KEY)")
	locker, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, locker.Close(t.Context())) }()
	tx, err := locker.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "LOCK TABLE devkiln_schema IN SHARE MODE")
	require.NoError(t, err)
	opened := make(chan error, 1)
	go func() {
		db, err := postgres.Open(t.Context(), url+"&application_name="+schema, postgres.Options{})
		if err == nil {
			err = db.Close()
		}
		opened <- err
	}()
	waiting := "FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = '" + schema + "'"
	require.Eventually(t, func() bool { return server.Query("SELECT count(*) "+waiting) == "1" }, time.Minute, 10*time.Millisecond)
	require.Equal(t, "t", server.Query("SELECT pg_terminate_backend(pid) "+waiting))
	require.NoError(t, tx.Rollback(t.Context()))
	<-opened // with or without an error
	db := open(t, url, postgres.Options{})
	require.NoError(t, db.Create(t.Context(), "key", nil, never))
	require.Equal(t, "1", server.Query("SELECT string_agg(version::text, ' ') FROM "+schema+".devkiln_schema"))
}

func TestOpen_refuses(t *testing.T) {
	t.Parallel()
	server, newer, schema := newSchema(t)
	open(t, newer, postgres.Options{})
	server.Query("INSERT INTO " + schema + ".devkiln_schema (version) VALUES (99)")
	for name, test := range map[string]struct{ url, want string }{
		"newer schema":     {newer, "postgres: the database was set up by a newer version of Devkiln (schema 99"},
		"no URL":           {"mysql://", "postgres: cannot parse"},
		"unknown database": {"postgres://postgres:secret@" + server.Address() + "/nowhere?sslmode=prefer", `postgres: database "nowhere" does not exist (SQLSTATE 3D000)`},
		"unknown role":     {"postgres://nobody:secret@" + server.Address() + "/postgres", `postgres: role "nobody" does not exist (SQLSTATE 28000)`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := postgres.Open(t.Context(), test.url, postgres.Options{})
			require.ErrorContains(t, err, test.want)
			require.NotContains(t, err.Error(), "\n")
			require.NotContains(t, err.Error(), "secret")
			require.NotErrorIs(t, err, store.ErrUnavailable)
		})
	}
}

// A database that does not run is named without the terms of the driver.
func TestOpen_refused(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"postgres://u:secret@127.0.0.1:1/x", "postgres://u@localhost:1/x"} {
		_, err := postgres.Open(t.Context(), url, postgres.Options{Timeout: time.Second})
		require.ErrorIs(t, err, store.ErrUnavailable)
		assert.Regexp(t, `^postgres: (127.0.0.1|localhost):1 refuses connections: store: unavailable$`, err.Error())
	}
	_, err := postgres.Open(t.Context(), "postgres://u@127.0.0.1:1,127.0.0.1:2/x", postgres.Options{Timeout: time.Second})
	require.ErrorIs(t, err, store.ErrUnavailable)
	assert.ErrorContains(t, err, ":2", "of several hosts each has its own error")
}

func TestMaxBytes(t *testing.T) {
	t.Parallel()
	_, url, _ := newSchema(t)
	ctx := t.Context()
	value := make([]byte, 1000)
	past := time.Now().Add(-time.Minute)
	uncapped := open(t, url, postgres.Options{})
	for i := range 20 {
		require.NoError(t, uncapped.Create(ctx, fmt.Sprintf("expired-%d", i), value, past))
	}
	db := open(t, url, postgres.Options{MaxBytes: 10_000})
	created := 0
	var err error
	for ; err == nil; created++ {
		require.Less(t, created, 20)
		err = db.Create(ctx, fmt.Sprintf("live-%d", created), value, never)
	}
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.ErrorContains(t, err, "its limit of 10000 bytes")
	require.Equal(t, 10, created)
	_, err = store.Add(ctx, db, "counter", 1, never)
	require.NoError(t, err, "counting goes on")
	require.NoError(t, db.Delete(ctx, "live-0"))
	for err := store.ErrUnavailable; err != nil; err = db.Create(ctx, "again", value, never) {
		require.ErrorIs(t, err, store.ErrUnavailable, "until the size is measured once more")
	}
}

// TestSize_isSampled measures a table with more pages than are sampled, before
// and after half of its rows are deleted, which does not shrink the files.
func TestSize_isSampled(t *testing.T) {
	t.Parallel()
	server, url, schema := newSchema(t)
	db := open(t, url, postgres.Options{})
	table := schema + ".devkiln_entries"
	server.Query("INSERT INTO " + table + `
		SELECT 'key-' || i, decode(repeat(md5(i::text), 20 + i % 200), 'hex'), 9223372036854775807 FROM generate_series(1, 20000) AS i`)
	for _, deleted := range []string{"false", "key > 'key-5'"} {
		server.Query("DELETE FROM " + table + " WHERE " + deleted)
		want, err := strconv.ParseInt(server.Query("SELECT sum(length(key) + length(value) + 64) FROM "+table), 10, 64)
		require.NoError(t, err)
		got, err := db.Size(t.Context())
		require.NoError(t, err)
		assert.InEpsilon(t, want, got, 0.1)
	}
}

// TestOpen_maxBytesNeedsSize opens a database that cannot report a size.
func TestOpen_maxBytesNeedsSize(t *testing.T) {
	t.Parallel()
	server, url, schema := newSchema(t)
	url += ",pg_catalog"
	server.Query("CREATE FUNCTION " + schema + `.pg_relation_size(regclass) RETURNS bigint LANGUAGE plpgsql
		AS $$ BEGIN RAISE feature_not_supported; END $$`)
	open(t, url, postgres.Options{})
	_, err := postgres.Open(t.Context(), url, postgres.Options{MaxBytes: 1 << 30})
	require.ErrorContains(t, err, "cannot measure the size of the store")
	require.NotErrorIs(t, err, store.ErrUnavailable)
}

// TestDB_clockOfTheDatabase makes the database's clock, as the store sees it,
// an hour ahead of the local one, and an hour behind.
func TestDB_clockOfTheDatabase(t *testing.T) {
	t.Parallel()
	for skew, test := range map[time.Duration]struct {
		expires time.Duration
		alive   bool
		refusal string
	}{
		time.Hour:  {30 * time.Minute, false, "the clock of this machine is 1h0m0s behind the database's, may be 1m0s"},
		-time.Hour: {-30 * time.Minute, true, "the clock of this machine is 1h0m0s ahead of the database's, may be 1m0s"},
	} {
		t.Run(skew.String(), func(t *testing.T) {
			server, url, schema := newSchema(t)
			url += ",pg_catalog" // if not named, it is searched first
			db := open(t, url, postgres.Options{})
			for _, function := range []string{"now", "clock_timestamp"} {
				server.Query(fmt.Sprintf("CREATE FUNCTION %s.%s() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT pg_catalog.%[2]s() + '%[3]d s' $$",
					schema, function, int(skew.Seconds())))
			}
			require.NoError(t, db.Create(t.Context(), "key", []byte("value"), time.Now().Add(test.expires)))
			_, got := db.Get(t.Context(), "key")
			created := db.Create(t.Context(), "key", nil, time.Now().Add(test.expires))
			entries, err := db.List(t.Context(), "", "", 10)
			require.NoError(t, err)
			swept, err := db.Sweep(t.Context(), 10)
			require.NoError(t, err)
			if test.alive {
				require.NoError(t, got)
				assert.ErrorIs(t, created, store.ErrExists)
				assert.Len(t, entries, 1)
				assert.Zero(t, swept)
			} else {
				require.ErrorIs(t, got, store.ErrNotFound)
				assert.NoError(t, created)
				assert.Empty(t, entries)
				assert.Equal(t, 1, swept)
			}
			_, err = postgres.Open(t.Context(), url, postgres.Options{})
			require.ErrorContains(t, err, test.refusal)
			require.NotErrorIs(t, err, store.ErrUnavailable)
		})
	}
}

// TestDB_failover kills a primary under load and promotes a synchronous
// standby. All acknowledged entries must be there, and the store must recover
// by itself.
func TestDB_failover(t *testing.T) {
	t.Parallel()
	primary := pgtest.Start(t)
	standbys := []*pgtest.Server{primary.Standby("s1"), primary.Standby("s2")}
	primary.Query("ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (s1, s2)'")
	primary.Query("SELECT pg_reload_conf()")
	url := fmt.Sprintf("postgres://postgres@%s,%s,%s/postgres?sslmode=disable&target_session_attrs=read-write",
		primary.Address(), standbys[0].Address(), standbys[1].Address())
	db := open(t, url, postgres.Options{})
	ctx := t.Context()

	const writers, before, after = 32, 500, 200
	var mu sync.Mutex
	var keys []string
	failed, promoted := false, false
	sinceFailure, recovered := 0, make(chan time.Time, 1)
	half, done := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				key := fmt.Sprintf("%d-%d", w, i)
				err := db.Create(ctx, key, []byte(key), never)
				if err != nil {
					<-time.After(10 * time.Millisecond)
				}
				mu.Lock()
				switch {
				case err != nil:
					assert.ErrorIs(t, err, store.ErrUnavailable)
					failed = true
				default:
					keys = append(keys, key)
					if len(keys) == before {
						close(half)
					}
					if failed && promoted {
						sinceFailure++
						if sinceFailure == 1 {
							recovered <- time.Now()
						}
						if sinceFailure == after {
							close(done)
						}
					}
				}
				mu.Unlock()
			}
		})
	}
	<-half
	primary.Kill()
	next := standbys[0]
	if newest := "SELECT pg_last_wal_receive_lsn() - '0/0'::pg_lsn"; len(standbys[1].Query(newest)) > len(next.Query(newest)) ||
		standbys[1].Query(newest) > next.Query(newest) {
		next = standbys[1]
	}
	require.Equal(t, "t", next.Query("SELECT pg_promote()"))
	mu.Lock()
	promoted = true
	mu.Unlock()
	start := time.Now()
	wg.Wait()

	lost := 0
	for _, key := range keys {
		if value, err := db.Get(ctx, key); err != nil || string(value) != key {
			lost++
		}
	}
	t.Logf("lost %d of %d acknowledged entries, writing again %v after the promotion", lost, len(keys), (<-recovered).Sub(start))
	assert.Zero(t, lost)
}
