// Package postgres is a store in a PostgreSQL database, for many replicas of a
// service that are to be one.
//
// Start with [Open]. A [DB] is a store.Backend. When a writing method returns nil, the database has committed
// the change as durably as it is set up to: with synchronous_commit=on and
// synchronous standbys, the change outlives the loss of the primary. Add, Take
// and Sweep do not wait for the disk.
//
// Every method is one statement, nearly always on one key, but for CreateAll,
// which is one transaction of a few. There are no extensions, triggers, notifications and advisory locks, so that distributed engines which
// speak PostgreSQL's language have a chance to understand it. None has been
// tried. The clock of the database says what has expired. A replica makes
// expiries by its own, so Open refuses one that is off by more than a minute.
//
// What is not promised: service while the database is away. Methods then
// return errors that wrap store.ErrUnavailable after [Options].Timeout at the
// latest, at once when it has been silent for two seconds, and go on by
// themselves once it is back, on whichever host.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/devkiln/devkiln/store"
)

// Options are the choices of a [DB]. The zero value is right for most servers.
type Options struct {
	// Timeout is how long a call waits for the database, connecting included;
	// 3 seconds unless told. Sweep may take ten times as long.
	Timeout time.Duration

	// MaxBytes caps what Size returns, about: it is measured twice a minute.
	// Zero is no cap. At the cap Create and Put sweep expired entries, the
	// oldest expiry first, and when that does not make room, they return
	// errors that wrap [store.ErrUnavailable]. Indexes and the like come
	// on top, about a third as much again, more until PostgreSQL has cleaned
	// up what was deleted. A cap needs TABLESAMPLE, which PostgreSQL has and
	// not every engine that is like it: without, Open returns an error.
	MaxBytes int64
}

const (
	defaultTimeout  = 3 * time.Second
	defaultMaxConns = 16
)

// DB is a [store.Backend] in a PostgreSQL database. Its methods may be called
// from many goroutines at once.
type DB struct {
	durable *pgxpool.Pool
	lazy    *pgxpool.Pool // for calls that do not wait for the disk
	timeout time.Duration
	closed  atomic.Bool
	breaker *breaker

	capacity capacity
}

var errClosed = fmt.Errorf("postgres: closed: %w", store.ErrUnavailable)

// Open connects to the database at url, such as
// postgres://user:password@host:5432/database, and creates or updates the
// tables, which are called devkiln_entries and devkiln_schema, in the first
// schema of the search path. Of several hosts, as in
//
//	postgres://user@a:5432,b:5432,c:5432/database?target_session_attrs=read-write
//
// the one that takes writes is used, also after a failover. pool_max_conns in the
// URL is the largest number of connections for calls that wait for the disk, 16
// unless told; half as many come on top for those that do not. connect_timeout is
// how long one host has to accept a connection, in seconds; unless told, the
// hosts share [Options].Timeout. A pooler that gives each transaction another
// session needs default_query_exec_mode=exec. An error is one
// line; it wraps [store.ErrUnavailable] when the database cannot be reached.
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
		_ = db.Close() // it has no errors
		return nil, oneLine(err)
	}
	return db, nil
}

// probe returns nil if the database responds to somebody who connects, whatever
// it says. Each host has its time, so that one that is silent does not hide
// another. When none responds, the connections of before are not used again:
// they may lead to a host that stays silent.
func (db *DB) probe(ctx context.Context, config *pgx.ConnConfig) error {
	config = config.Copy()
	config.ConnectTimeout = min(config.ConnectTimeout, probeTimeout)
	ctx, cancel := context.WithTimeout(ctx, time.Duration(hosts(config))*config.ConnectTimeout)
	defer cancel()
	connection, err := pgx.ConnectConfig(ctx, config)
	switch {
	case err == nil:
		return connection.Close(ctx)
	case sqlState(err) != "": // it refuses, so it is there
		return nil
	}
	db.reset()
	return err
}

// hosts is how many different hosts and ports config names.
func hosts(config *pgx.ConnConfig) int {
	type address struct {
		host string
		port uint16
	}
	all := map[address]bool{{config.Host, config.Port}: true}
	for _, f := range config.Fallbacks {
		all[address{f.Host, f.Port}] = true
	}
	return len(all)
}

// reset has all calls from now on connect anew.
func (db *DB) reset() {
	db.durable.Reset()
	db.lazy.Reset()
}

// prepare makes sure that the database and this server suit each other.
func (db *DB) prepare(ctx context.Context) error {
	for _, step := range []func(context.Context) error{db.migrate, db.checkClock} {
		if err := db.run(ctx, 10*db.timeout, step); err != nil {
			return err
		}
	}
	return db.checkCap(ctx)
}

// config reads url and adds what bounds every wait.
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

// oneLine keeps an error on one line, for which those of several hosts are not
// made.
func oneLine(err error) error {
	text := strings.Join(strings.Fields(err.Error()), " ")
	text = "postgres: " + strings.TrimPrefix(text, "postgres: ")
	if errors.Is(err, store.ErrUnavailable) {
		return fmt.Errorf("%s: %w", strings.TrimPrefix(text, "postgres: "+store.ErrUnavailable.Error()+": "), store.ErrUnavailable)
	}
	return errors.New(text)
}

// Ready implements [store.Backend]: the database responds, and takes writes.
func (db *DB) Ready(ctx context.Context) error {
	return db.run(ctx, db.timeout, func(ctx context.Context) error {
		var readOnly string
		err := db.durable.QueryRow(ctx, "SELECT current_setting('transaction_read_only')").Scan(&readOnly)
		if err == nil && readOnly == "on" {
			err = errors.New("the database takes no writes")
		}
		return err
	})
}

// Shared implements [store.Backend]: a database serves many.
func (db *DB) Shared() bool { return true }

// Close waits for the calls that are under way, then closes the connections.
// Later calls return errors that wrap [store.ErrUnavailable].
func (db *DB) Close() error {
	if !db.closed.Swap(true) {
		db.breaker.close()
		db.durable.Close()
		db.lazy.Close()
	}
	return nil
}
