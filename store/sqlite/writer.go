package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	codes "modernc.org/sqlite/lib"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/driver"
)

const (
	// maxGroup is the maximum number of writes in one transaction. It bounds
	// how long the first of them waits for the last.
	maxGroup = 256

	// lazySync is how long a lazy write may remain unsynced.
	lazySync = time.Second
)

// write is one change on its way to the writer. run may be called more than
// once, each time in a transaction without the effects of the earlier call.
type write struct {
	run   func(ctx context.Context, w *writer) error
	keys  []string // entries it changes, except expired ones
	lazy  bool     // may be acknowledged before it is synced
	adds  int64    // bytes; zero if it frees space or changes a little in place
	state atomic.Int32
	err   error
	done  chan struct{}
}

// The first of two happens: the writer takes a write, or its caller calls it
// off.
const (
	taken    = 1
	canceled = 2
)

// do hands a change to the writer and waits until it is committed. If ctx ends
// before the writer takes the change, the change does not happen.
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
		if op.state.CompareAndSwap(0, canceled) {
			return ctx.Err()
		}
		<-op.done
	}
	return op.err
}

// writeLoop runs the writer: it commits waiting changes, group by group.
func (db *DB) writeLoop(w *writer) {
	ctx := context.Background() // a change in progress is never interrupted
	defer func() {
		db.closing = w.close()
		close(db.stopped)
	}()
	var syncDue <-chan time.Time
	for {
		select {
		case op := <-db.writes:
			w.commitGroup(ctx, op, db.writes)
		case <-w.cache.checkRequests:
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

// writer holds the only connection that writes.
type writer struct {
	*sql.Conn
	statements              []*sql.Stmt // all of them
	begin, commit, rollback *sql.Stmt
	create, put, remove     *sql.Stmt
	find, sweep             *sql.Stmt
	vacuum, free, version   *sql.Stmt

	group        []*write // reused by each group
	logDoubtful  bool     // a disk error may have damaged the log
	isSyncNormal bool     // the connection is in synchronous=NORMAL
	unsynced     bool     // something committed is not yet synced
	room         room
	cache        *cache
	clock        *driver.Clock
}

func newWriter(ctx context.Context, db *DB, room room, options Options) (*writer, error) {
	conn, err := db.pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	w := &writer{Conn: conn, room: room, cache: db.cache, clock: &db.clock}
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
	err := w.prepareAll(ctx)
	if err == nil && !options.Companion {
		err = w.tryWriting(ctx)
	}
	return err
}

// tryWriting returns an error if the file cannot be written. It changes
// nothing, but BEGIN IMMEDIATE alone succeeds in a read-only file.
func (w *writer) tryWriting(ctx context.Context) error {
	_, err := w.remove.ExecContext(ctx, "", int64(math.MaxInt64))
	return err
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
		{&w.sweep, `DELETE FROM entries WHERE id IN (SELECT id FROM entries
			WHERE expires <= ?1 AND expires < 9223372036854775807 ORDER BY expires LIMIT ?2)`},
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

// close also closes the statements: a connection with open ones stays open.
func (w *writer) close() error {
	var errs []error
	for _, stmt := range w.statements {
		errs = append(errs, stmt.Close())
	}
	return errors.Join(append(errs, w.Close())...)
}

// commitGroup commits first and all waiting writes, and acknowledges them. A
// group of only lazy writes is not synced. Any other group also takes in writes
// that arrive while it runs.
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

// next returns the group's next write, or nil if none waits or the group is
// full.
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
// SQLite, after which the transaction must be rolled back; any other error
// belongs to the write alone.
func (w *writer) run(ctx context.Context, op *write) error {
	if !op.state.CompareAndSwap(0, taken) && op.state.Load() != taken {
		return nil
	}
	if !w.reserveRoom(op.adds) {
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

// recover handles a group that could not be committed because of cause. If one
// of the writes may be the reason, it commits them one by one, so that only
// that one fails.
func (w *writer) recover(ctx context.Context, cause error) {
	again := len(w.group) > 1
	switch code(cause) {
	case codes.SQLITE_IOERR:
		again, w.logDoubtful = false, true
	case codes.SQLITE_BUSY:
		again = false
	}
	for _, op := range w.group {
		try := func() error { return w.transaction(ctx, op.lazy, func() error { return w.run(ctx, op) }) }
		err := cause
		if again {
			err = try()
		}
		if code(err) == codes.SQLITE_FULL && w.checkpoint(ctx) { // perhaps only the log is full
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
	if w.logDoubtful {
		if err := w.leaveLog(ctx); err != nil {
			return err
		}
	}
	if lazy != w.isSyncNormal {
		if _, err := w.ExecContext(ctx, synchronous(lazy)); err != nil {
			return err
		}
		w.isSyncNormal = lazy
	}
	if _, err := w.begin.ExecContext(ctx); err != nil {
		return err
	}
	err := change()
	if err == nil {
		_, err = w.commit.ExecContext(ctx)
	}
	if err != nil {
		// SQLite rolls back by itself after some errors; then this ROLLBACK
		// fails, which does no harm.
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
// whether it copied all of it, so that the log can restart.
func (w *writer) checkpoint(ctx context.Context) bool {
	var busy, logged, copied int
	row := w.QueryRowContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
	if err := row.Scan(&busy, &logged, &copied); err != nil || logged != copied {
		return false
	}
	w.unsynced = false
	return true
}

// leaveLog copies the whole log into the file and makes the next write restart
// the log. After a failed sync, the system treats unwritten data as written: a
// power cut would also lose what is committed after it in the same log.
func (w *writer) leaveLog(ctx context.Context) error {
	var busy, logged, copied int
	row := w.QueryRowContext(ctx, "PRAGMA wal_checkpoint(RESTART)")
	if err := row.Scan(&busy, &logged, &copied); err != nil {
		return err
	}
	if busy != 0 || logged != copied {
		return fmt.Errorf("%w: the log cannot be left after a disk error", store.ErrUnavailable)
	}
	w.logDoubtful = false
	return nil
}

// makeRoom sweeps in a full file or on a full disk, and reports whether it
// deleted anything.
func (w *writer) makeRoom(ctx context.Context) bool {
	w.checkpoint(ctx)
	swept := 0
	err := w.transaction(ctx, true, func() (err error) {
		swept, err = w.sweepSome(ctx, math.MaxInt)
		return err
	})
	return err == nil && swept > 0
}
