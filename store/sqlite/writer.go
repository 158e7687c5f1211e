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

	// lazySync is how long a lazy write may remain unsynced, and lazyWait how long
	// it waits for a writer that the disk keeps waiting.
	lazySync = time.Second
	lazyWait = 2 * time.Second
)

var errStalled = fmt.Errorf("sqlite: the disk does not respond: %w", store.ErrUnavailable)

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
// before the writer takes the change, the change does not happen. A lazy one may
// happen later, because do does not wait for a stalled disk.
func (db *DB) do(ctx context.Context, op *write) error {
	_, done, err := db.begin(ctx)
	if err != nil {
		return err
	}
	defer done()
	op.done = make(chan struct{})
	select {
	case db.writes <- op:
	case <-db.stop:
		return errClosed
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case <-op.done:
	case <-ctx.Done():
		if op.state.CompareAndSwap(0, canceled) || op.lazy {
			return context.Cause(ctx)
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
			_, _ = w.checkpoint(ctx, "PASSIVE") // or a second later
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
	statements map[string]*sql.Stmt // prepared, by their text

	logDoubtful  bool // a disk error may have damaged the log
	isSyncNormal bool // the connection is in synchronous=NORMAL
	unsynced     bool // something committed is not yet synced
	room         room
	cache        *cache
	clock        *driver.Clock
}

const (
	createEntry = `INSERT INTO entries (key, value, expires) VALUES (?1, ?2, ?3)
		ON CONFLICT (key) DO UPDATE SET value = ?2, expires = ?3 WHERE expires <= ?4`
	putEntry = `INSERT INTO entries (key, value, expires) VALUES (?1, ?2, ?3)
		ON CONFLICT (key) DO UPDATE SET value = ?2, expires = ?3`
	removeEntry  = "DELETE FROM entries WHERE key = ?1 AND expires > ?2"
	findEntry    = "SELECT value, expires FROM entries WHERE key = ?1"
	sweepEntries = `DELETE FROM entries WHERE id IN (SELECT id FROM entries
		WHERE expires <= ?1 AND expires < 9223372036854775807 ORDER BY expires LIMIT ?2)`
)

// start updates the schema and limits the size of the file.
func (w *writer) start(ctx context.Context, options Options) error {
	err := migrate(ctx, w.Conn)
	if err == nil && options.MaxBytes > 0 {
		_, err = w.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", max(1, options.MaxBytes/pageSize)))
	}
	if err == nil && !options.Companion {
		err = w.tryWriting(ctx)
	}
	return err
}

// tryWriting returns an error if the file cannot be written. It changes
// nothing, but BEGIN IMMEDIATE alone succeeds in a read-only file.
func (w *writer) tryWriting(ctx context.Context) error {
	_, err := w.exec(ctx, removeEntry, "", int64(math.MaxInt64))
	return err
}

// exec executes a statement, and returns how many rows it has changed.
func (w *writer) exec(ctx context.Context, text string, args ...any) (int64, error) {
	stmt, err := w.prepare(ctx, text)
	if err != nil {
		return 0, err
	}
	result, err := stmt.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// prepare prepares a statement once.
func (w *writer) prepare(ctx context.Context, text string) (stmt *sql.Stmt, err error) {
	if stmt = w.statements[text]; stmt == nil {
		stmt, err = w.PrepareContext(ctx, text)
	}
	if err == nil {
		w.statements[text] = stmt
	}
	return stmt, err
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
	group, lazy := []*write{first}, first.lazy
	for takeIn(&group, more) {
		lazy = lazy && group[len(group)-1].lazy
	}
	if !lazy { // lazy writes add nothing
		w.measure(ctx)
	}
	err := w.transaction(ctx, lazy, func() error {
		for i := 0; i < len(group) || !lazy && takeIn(&group, more); i++ {
			if err := w.run(ctx, group[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		w.recover(ctx, group, err)
	}
	w.cache.end()
	for _, op := range group {
		close(op.done)
	}
}

// takeIn adds a waiting write to a group, and reports whether there was one and
// room for it.
func takeIn(group *[]*write, more <-chan *write) bool {
	if len(*group) >= maxGroup {
		return false
	}
	select {
	case op := <-more:
		*group = append(*group, op)
		return true
	default:
		return false
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
func (w *writer) recover(ctx context.Context, group []*write, cause error) {
	again := len(group) > 1
	switch code(cause) {
	case codes.SQLITE_IOERR:
		again, w.logDoubtful = false, true
	case codes.SQLITE_BUSY:
		again = false
	}
	for _, op := range group {
		try := func() error { return w.transaction(ctx, op.lazy, func() error { return w.run(ctx, op) }) }
		err := cause
		if again {
			err = try()
		}
		if code(err) == codes.SQLITE_FULL { // perhaps only the log is full
			if whole, _ := w.checkpoint(ctx, "PASSIVE"); whole {
				err = try()
			}
		}
		for code(err) == codes.SQLITE_FULL && w.makeRoom(ctx) {
			err = try()
		}
		switch {
		case code(err) == codes.SQLITE_FULL && w.room.limit > 0 && w.bytesLeft(ctx) > 0:
			op.err = fmt.Errorf("sqlite: the store is full: it has reached its limit of %d bytes: %w", w.room.limit, store.ErrUnavailable)
		case err != nil:
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
		mode := "FULL"
		if lazy {
			mode = "NORMAL"
		}
		if _, err := w.ExecContext(ctx, "PRAGMA synchronous = "+mode); err != nil {
			return err
		}
		w.isSyncNormal = lazy
	}
	if _, err := w.exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err := change()
	if err == nil {
		_, err = w.exec(ctx, "COMMIT")
	}
	if err != nil {
		// SQLite rolls back by itself after some errors; then this ROLLBACK
		// fails, which does no harm.
		_, _ = w.exec(ctx, "ROLLBACK")
		return err
	}
	w.unsynced = lazy
	return nil
}

// checkpoint syncs the log and copies it into the database file. It reports
// whether it copied all of it, so that the log can restart.
func (w *writer) checkpoint(ctx context.Context, mode string) (bool, error) {
	var busy, logged, copied int
	err := w.QueryRowContext(ctx, "PRAGMA wal_checkpoint("+mode+")").Scan(&busy, &logged, &copied)
	if err != nil || busy != 0 || logged != copied {
		return false, err
	}
	w.unsynced = false
	return true, nil
}

// leaveLog copies the whole log into the file and makes the next write restart
// the log. After a failed sync, the system treats unwritten data as written: a
// power cut would also lose what is committed after it in the same log.
func (w *writer) leaveLog(ctx context.Context) error {
	whole, err := w.checkpoint(ctx, "RESTART")
	if err == nil && !whole {
		err = fmt.Errorf("%w: the log cannot be left after a disk error", store.ErrUnavailable)
	}
	w.logDoubtful = err != nil
	return err
}

// makeRoom sweeps in a full file or on a full disk, and reports whether it
// deleted anything.
func (w *writer) makeRoom(ctx context.Context) bool {
	_, _ = w.checkpoint(ctx, "PASSIVE") // the sweep may do without
	swept := 0
	err := w.transaction(ctx, true, func() (err error) {
		swept, err = w.sweepSome(ctx, math.MaxInt)
		return err
	})
	return err == nil && swept > 0
}
