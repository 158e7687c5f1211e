package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	codes "modernc.org/sqlite/lib"

	"github.com/devkiln/devkiln/store"
)

const (
	// maxGroup is how many writes share one transaction at most. It bounds how
	// long the first of them waits for the last.
	maxGroup = 256

	// lazySync is how long a change that nobody waits for stays unsynced.
	lazySync = time.Second
)

// write is one change on its way to the writer. run may be called more than
// once, each time in a transaction from which the earlier call is gone.
type write struct {
	run   func(ctx context.Context, w *writer) error
	keys  []string // of the entries that it changes, unless those have expired
	lazy  bool     // may be acknowledged before it is synced
	adds  int64    // bytes, zero for what frees some or changes a few in place
	state atomic.Int32
	err   error
	done  chan struct{}
}

// A write is taken by the writer or called off by the one who waits for it,
// whoever comes first.
const (
	taken     = 1
	calledOff = 2
)

// do hands a change to the writer and waits until it is committed. When ctx
// ends before the writer has taken the change, the change does not happen.
func (db *DB) do(ctx context.Context, op *write) error {
	if err := db.open(ctx); err != nil {
		return err
	}
	op.done = make(chan struct{})
	select {
	case db.writes <- op:
	case <-db.stop:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-op.done:
	case <-ctx.Done():
		if op.state.CompareAndSwap(0, calledOff) {
			return ctx.Err()
		}
		<-op.done
	}
	return op.err
}

// writeLoop is the writer: it commits what waits, group after group.
func (db *DB) writeLoop(w *writer) {
	ctx := context.Background() // a change under way is never interrupted
	defer func() {
		db.closing = w.close()
		close(db.stopped)
	}()
	var syncDue <-chan time.Time
	for {
		select {
		case op := <-db.writes:
			w.commitGroup(ctx, op, db.writes)
		case <-w.cache.asks:
			w.look(ctx)
		case <-syncDue:
			w.checkpoint(ctx)
			syncDue = nil
		case <-db.stop:
			return
		}
		switch {
		case !w.unsynced:
			syncDue = nil
		case syncDue == nil:
			syncDue = time.After(lazySync)
		}
	}
}

// writer is the one connection that writes.
type writer struct {
	*sql.Conn
	statements              []*sql.Stmt // all of them
	begin, commit, rollback *sql.Stmt
	create, put, remove     *sql.Stmt
	find, expired, sweep    *sql.Stmt
	vacuum, free, version   *sql.Stmt

	group    []*write // reused
	suspect  bool     // a disk error may have hit the log
	relaxed  bool     // the connection is in synchronous=NORMAL
	unsynced bool     // something is committed that no sync has followed
	room     room
	cache    *cache
}

func newWriter(ctx context.Context, pool *sql.DB, room room, cache *cache, options Options) (*writer, error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	w := &writer{Conn: conn, room: room, cache: cache}
	if err := w.start(ctx, options); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

func (w *writer) start(ctx context.Context, options Options) error {
	if err := migrate(ctx, w.Conn); err != nil {
		return err
	}
	if err := w.limit(ctx, options.MaxBytes); err != nil {
		return err
	}
	return w.prepareAll(ctx)
}

// limit caps the number of pages of the file.
func (w *writer) limit(ctx context.Context, maxBytes int64) error {
	if maxBytes <= 0 {
		return nil
	}
	var pageSize int64
	if err := w.QueryRowContext(ctx, "PRAGMA page_size").Scan(&pageSize); err != nil {
		return err
	}
	_, err := w.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", max(1, maxBytes/pageSize)))
	return err
}

func (w *writer) prepareAll(ctx context.Context) error {
	for _, s := range []struct {
		stmt **sql.Stmt
		text string
	}{
		{&w.begin, "BEGIN IMMEDIATE"},
		{&w.commit, "COMMIT"},
		{&w.rollback, "ROLLBACK"},
		{&w.create, `INSERT INTO entries (key, value, expires) VALUES (?1, ?2, ?3)
			ON CONFLICT (key) DO UPDATE SET value = ?2, expires = ?3 WHERE expires <= ?4`},
		{&w.put, `INSERT INTO entries (key, value, expires) VALUES (?1, ?2, ?3)
			ON CONFLICT (key) DO UPDATE SET value = ?2, expires = ?3`},
		{&w.remove, "DELETE FROM entries WHERE key = ?1 AND expires > ?2"},
		{&w.find, "SELECT value, expires FROM entries WHERE key = ?1"},
		{&w.expired, `SELECT id FROM entries
			WHERE expires <= ?1 AND expires < 9223372036854775807 ORDER BY expires LIMIT ?2`},
		{&w.sweep, "DELETE FROM entries WHERE id = ?1"},
		{&w.free, "PRAGMA freelist_count"},
		{&w.version, "PRAGMA data_version"},
		{&w.vacuum, fmt.Sprintf("PRAGMA incremental_vacuum(%d)", vacuumPages)},
	} {
		var err error
		if *s.stmt, err = w.PrepareContext(ctx, s.text); err != nil {
			return err
		}
		w.statements = append(w.statements, *s.stmt)
	}
	return nil
}

// close closes the statements too: a connection with open ones stays open.
func (w *writer) close() error {
	var errs []error
	for _, stmt := range w.statements {
		errs = append(errs, stmt.Close())
	}
	return errors.Join(append(errs, w.Close())...)
}

// commitGroup commits first and what else waits, and acknowledges all of it. A
// group of lazy writes only is not synced. Any other group takes in what
// arrives while it runs.
func (w *writer) commitGroup(ctx context.Context, first *write, more <-chan *write) {
	w.group = w.group[:0]
	lazy := true
	for op := first; op != nil; op = w.next(more) {
		w.group = append(w.group, op)
		lazy = lazy && op.lazy
	}
	w.measure(ctx)
	err := w.transaction(ctx, lazy, func() error {
		for i := 0; i < len(w.group); i++ {
			if err := w.run(ctx, w.group[i]); err != nil {
				return err
			}
			if i == len(w.group)-1 && !lazy {
				if op := w.next(more); op != nil {
					w.group = append(w.group, op)
				}
			}
		}
		return nil
	})
	if err != nil {
		w.recover(ctx, err)
	}
	w.cache.end()
	for i, op := range w.group {
		close(op.done)
		w.group[i] = nil
	}
}

// next is the next write of a group, nil when none waits or there are enough.
func (w *writer) next(more <-chan *write) *write {
	if len(w.group) >= maxGroup {
		return nil
	}
	select {
	case op := <-more:
		return op
	default:
		return nil
	}
}

// run runs a write unless it has been called off. It returns an error of
// SQLite, after which the transaction must be rolled back; any other error is
// the write's own.
func (w *writer) run(ctx context.Context, op *write) error {
	if !op.state.CompareAndSwap(0, taken) && op.state.Load() != taken {
		return nil
	}
	if !w.takeRoom(op.adds) {
		op.err = errDiskLow
		return nil
	}
	w.cache.begin(op.keys)
	op.err = op.run(ctx, w)
	if code(op.err) != 0 {
		return op.err
	}
	return nil
}

// recover deals with a group that could not be committed because of cause.
// Where one of the writes may be to blame, it commits them one by one, so that
// one that cannot be done fails alone.
func (w *writer) recover(ctx context.Context, cause error) {
	again := len(w.group) > 1
	switch code(cause) {
	case codes.SQLITE_IOERR:
		again, w.suspect = false, true
	case codes.SQLITE_BUSY:
		again = false
	}
	for _, op := range w.group {
		try := func() error { return w.transaction(ctx, op.lazy, func() error { return w.run(ctx, op) }) }
		err := cause
		if again {
			err = try()
		}
		if code(err) == codes.SQLITE_FULL && w.checkpoint(ctx) { // the log may be all that is full
			err = try()
		}
		for code(err) == codes.SQLITE_FULL && w.makeRoom(ctx) {
			err = try()
		}
		if err != nil {
			op.err = failed(err)
		}
	}
}

// transaction runs change between BEGIN and COMMIT. A lazy one is not synced.
func (w *writer) transaction(ctx context.Context, lazy bool, change func() error) error {
	if w.suspect {
		if err := w.leaveLog(ctx); err != nil {
			return err
		}
	}
	if lazy != w.relaxed {
		if _, err := w.ExecContext(ctx, synchronous(lazy)); err != nil {
			return err
		}
		w.relaxed = lazy
	}
	if _, err := w.begin.ExecContext(ctx); err != nil {
		return err
	}
	err := change()
	if err == nil {
		_, err = w.commit.ExecContext(ctx)
	}
	if err != nil {
		// SQLite has rolled back by itself after some errors; then this one
		// fails, and that is as good.
		_, _ = w.rollback.ExecContext(ctx)
		return err
	}
	w.unsynced = lazy
	return nil
}

func synchronous(lazy bool) string {
	if lazy {
		return "PRAGMA synchronous = NORMAL"
	}
	return "PRAGMA synchronous = FULL"
}

// checkpoint syncs the log and copies it into the database file. It reports
// whether that is all of it, so that the log can begin anew.
func (w *writer) checkpoint(ctx context.Context) bool {
	var busy, logged, copied int
	row := w.QueryRowContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
	if err := row.Scan(&busy, &logged, &copied); err != nil || logged != copied {
		return false
	}
	w.unsynced = false
	return true
}

// leaveLog copies the whole log into the file and has the next write begin the
// log anew. After a sync that failed, the system takes what it could not write
// for written: what is committed after it in the same log would be lost with
// it in a power cut.
func (w *writer) leaveLog(ctx context.Context) error {
	var busy, logged, copied int
	row := w.QueryRowContext(ctx, "PRAGMA wal_checkpoint(RESTART)")
	if err := row.Scan(&busy, &logged, &copied); err != nil {
		return err
	}
	if busy != 0 || logged != copied {
		return fmt.Errorf("%w: the log cannot be left after a disk error", store.ErrUnavailable)
	}
	w.suspect = false
	return nil
}

// makeRoom sweeps in a full file or on a full disk, and reports whether it has
// found anything.
func (w *writer) makeRoom(ctx context.Context) bool {
	w.checkpoint(ctx)
	swept := 0
	err := w.transaction(ctx, true, func() (err error) {
		swept, err = w.sweepBatch(ctx, time.Now(), sweepBatch)
		return err
	})
	return err == nil && swept > 0
}
