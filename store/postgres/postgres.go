// Package postgres is a store in a PostgreSQL database, for services with
// several replicas.
//
// Start with [Open]. A [DB] is a [store.Backend]. When a writing method returns
// nil, the database has committed the change as durably as it is configured to:
// with synchronous_commit=on and synchronous standbys, the change survives the
// loss of the primary. Update and Sweep do not wait for the disk.
//
// Every method is one statement, nearly always on one key, except CreateAll,
// which is one transaction of a few. The package uses no extensions, triggers,
// notifications or advisory locks, so that distributed databases that speak the
// PostgreSQL protocol may work; none has been tested. The database's clock
// decides what has expired. A replica computes expiries by its own clock, so
// Open refuses a replica whose clock is off by more than a minute.
// If the database's clock is set back, entries that have expired and were not
// swept, which servers do every minute, are live again until it catches up.
//
// There is no service while the database is unreachable. Methods then return
// errors that wrap [store.ErrUnavailable], after at most [Options].Timeout, or
// immediately if it has not responded for two seconds. They recover without
// intervention when the database is back, on whichever host.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/devkiln/devkiln/store"
)

// Options configures a [DB]. The zero value is right for most servers.
type Options struct {
	// Timeout is how long a call waits for the database, including the time to
	// connect; zero means 3 seconds. Sweep may take ten times as long.
	Timeout time.Duration

	// MaxBytes limits what Size returns, approximately: the size is measured
	// twice a minute. Zero means no limit. At the limit, Create and Put sweep
	// expired entries, those that expired first before the others; if that does
	// not make room, they return errors that wrap [store.ErrUnavailable].
	// Indexes and other overhead add about a third, or more until PostgreSQL
	// has cleaned up deleted rows. A limit requires TABLESAMPLE, which some
	// databases compatible with PostgreSQL lack: on these Open returns an
	// error.
	MaxBytes int64
}

const (
	defaultTimeout  = 3 * time.Second
	defaultMaxConns = 16
)

// DB is a [store.Backend] in a PostgreSQL database. Its methods may be called
// by several goroutines at once.
type DB struct {
	durable *pgxpool.Pool
	lazy    *pgxpool.Pool // for calls that do not wait for a sync
	timeout time.Duration
	closed  atomic.Bool
	breaker *breaker

	capacity capacity
}

var errClosed = fmt.Errorf("postgres: closed: %w", store.ErrUnavailable)

// Open connects to the database at url, such as
// postgres://user:password@host:5432/database, and creates or updates the
// tables devkiln_entries and devkiln_schema in the first schema of the search
// path. If the URL names several hosts, as in
//
//	postgres://user@a:5432,b:5432,c:5432/database?target_session_attrs=read-write
//
// Open uses the one that accepts writes, also after a failover. pool_max_conns
// in the URL is the maximum number of connections for calls that wait for the
// disk, 16 by default; half as many more are used for those that do not.
// connect_timeout is how many seconds one host has to accept a connection; by
// default the hosts share Options.Timeout. A pooler that may give each
// transaction a different session requires default_query_exec_mode=exec. An
// error is one line; it wraps [store.ErrUnavailable] if the database cannot be
// reached.
func Open(ctx context.Context, url string, options Options) (*DB, error) {
	db := &DB{timeout: options.Timeout, capacity: capacity{max: options.MaxBytes}}
	if db.timeout <= 0 {
		db.timeout = defaultTimeout
	}
	config, err := db.config(url)
	if err != nil {
		return nil, oneLine(err)
	}
	db.breaker = newBreaker(func(ctx context.Context) error { return db.probe(ctx, config.ConnConfig) })
	lazy := config.Copy()
	lazy.MaxConns = max(2, config.MaxConns/2)
	if db.durable, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, oneLine(err)
	}
	if db.lazy, err = pgxpool.NewWithConfig(ctx, lazy); err != nil {
		db.durable.Close()
		return nil, oneLine(err)
	}
	if err := db.prepare(ctx); err != nil {
		_ = db.Close() // never returns an error
		if to := config.ConnConfig; errors.Is(err, syscall.ECONNREFUSED) && hosts(to) == 1 {
			return nil, fmt.Errorf("postgres: %s:%d refuses connections: %w", to.Host, to.Port, store.ErrUnavailable)
		}
		return nil, oneLine(err)
	}
	return db, nil
}

// probe returns nil if the database responds to a connection attempt, even with
// an error. Each host has its own time, so that a silent one does not hide
// another. If none responds, the pools drop their connections, which may lead
// to a host that stays silent.
func (db *DB) probe(ctx context.Context, config *pgx.ConnConfig) error {
	config = config.Copy()
	config.ConnectTimeout = min(config.ConnectTimeout, probeTimeout)
	ctx, cancel := context.WithTimeout(ctx, time.Duration(hosts(config))*config.ConnectTimeout)
	defer cancel()
	connection, err := pgx.ConnectConfig(ctx, config)
	switch {
	case err == nil:
		return connection.Close(ctx)
	case sqlState(err) != "": // an error response is a response
		return nil
	}
	db.reset()
	return err
}

// hosts returns the number of distinct hosts and ports in config.
func hosts(config *pgx.ConnConfig) int {
	all := map[string]bool{fmt.Sprint(config.Host, " ", config.Port): true}
	for _, f := range config.Fallbacks {
		all[fmt.Sprint(f.Host, " ", f.Port)] = true
	}
	return len(all)
}

// reset makes all further calls use new connections.
func (db *DB) reset() {
	db.durable.Reset()
	db.lazy.Reset()
}

// prepare migrates the schema, checks the clock and, for a cap, whether the
// database can sample its pages, as some PostgreSQL-compatible engines cannot.
func (db *DB) prepare(ctx context.Context) error {
	for _, step := range []func(context.Context) error{db.migrate, db.checkClock} {
		if err := db.run(ctx, 10*db.timeout, step); err != nil {
			return err
		}
	}
	if db.capacity.max <= 0 {
		return nil
	}
	if _, err := db.Size(ctx); err != nil {
		return fmt.Errorf("cannot measure the size of the store: %w", err)
	}
	return nil
}

// config parses url and sets the timeouts that bound every wait.
func (db *DB) config(url string) (*pgxpool.Config, error) {
	if err := checkURL(url); err != nil {
		return nil, err
	}
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, parseError(url, err)
	}
	if !strings.Contains(url, "pool_max_conns") {
		config.MaxConns = defaultMaxConns
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = db.timeout / time.Duration(hosts(config.ConnConfig))
	}
	config.PingTimeout = db.timeout
	parameters := config.ConnConfig.RuntimeParams
	if parameters["application_name"] == "" {
		parameters["application_name"] = "devkiln"
	}
	if parameters["statement_timeout"] == "" {
		parameters["statement_timeout"] = strconv.FormatInt(10*db.timeout.Milliseconds(), 10)
	}
	return config, nil
}

// oneLine returns why the database refuses a connection, or joins the lines of an error, of
// which pgx returns one for each try of a host: with TLS, and the same without.
func oneLine(err error) error {
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && connecting && !errors.Is(err, store.ErrUnavailable) {
		return fmt.Errorf("postgres: %s (SQLSTATE %s)", refused.Message, refused.Code)
	}
	lines := strings.FieldsFunc(err.Error(), func(c rune) bool { return c == '\n' || c == '\t' })
	text := strings.ReplaceAll(strings.Join(slices.Compact(lines), "; "), ":; ", ": ")
	text = "postgres: " + strings.TrimPrefix(text, "postgres: ")
	if errors.Is(err, store.ErrUnavailable) {
		return fmt.Errorf("%s: %w", strings.TrimPrefix(text, "postgres: "+store.ErrUnavailable.Error()+": "), store.ErrUnavailable)
	}
	return errors.New(text)
}

// Ready implements [store.Backend]. It returns nil if the database responds and
// accepts writes.
func (db *DB) Ready(ctx context.Context) error {
	return db.run(ctx, db.timeout, func(ctx context.Context) error {
		var readOnly string
		err := db.durable.QueryRow(ctx, "SELECT current_setting('transaction_read_only')").Scan(&readOnly)
		if err == nil && readOnly == "on" {
			err = errors.New("the database is read-only")
		}
		return err
	})
}

// Close waits for calls in progress, then closes the connections. Later calls
// return errors that wrap [store.ErrUnavailable].
func (db *DB) Close() error {
	if !db.closed.Swap(true) {
		db.breaker.stop()
		db.durable.Close()
		db.lazy.Close()
	}
	return nil
}
