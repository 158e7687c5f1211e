// Package sqlite is a store in one SQLite file, for a service on one machine.
//
// Start with [Open]. A [DB] is a [store.Backend]: when a writing method returns
// nil, the change has been written and synced to disk (journal mode WAL,
// synchronous=FULL), so it survives a crash of the process and a power failure.
// Update is an exception that the contract allows: its change is on disk about a
// second later.
//
// A single goroutine, which Open starts and Close stops, does all the writing.
// It commits all waiting changes in one transaction, so that many writers share
// the cost of a sync. Readers run concurrently and never wait for it. Recently
// read entries are cached, up to 4 MiB: Get sees writes of the same DB
// immediately, and those of another process after at most 10 milliseconds.
//
// A file belongs to one server at a time: a second Open returns an error that
// says so. It must have one name: SQLite names the write-ahead log after it, so
// a file with two hard links is refused. A program that uses the file beside a
// server, such as a command, sets [Options].Companion.
//
// While less than 32 MiB are free on the disk (or an eighth of a disk below 256
// MiB), creating and putting entries returns errors that wrap
// [store.ErrUnavailable], which leaves room for deleting and sweeping. This
// works only on Linux: on other systems a disk that the store has filled stays
// full until someone makes room.
//
// If the system's clock is set back, time stands still for the DB until a
// [DB.Sweep] has deleted what had expired, so that no expired entry comes back.
//
// The package makes no promises for disks that report a sync they have not
// done, or for network file systems, on which neither SQLite's locks nor those
// of this package are reliable.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver
	codes "modernc.org/sqlite/lib"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/driver"
)

// Options configures a [DB]. The zero value is right for a server.
type Options struct {
	// Companion opens the file beside a server that may be using it, without
	// taking the server's lock. A companion does not create the file.
	Companion bool

	// MaxBytes limits the size of the database file in bytes; zero means no
	// limit. At the limit, expired entries are swept, those that expired first
	// before the others; if that does not make room, writing methods return
	// errors that wrap [store.ErrUnavailable] until something is deleted or
	// expires. A file that is already larger does not grow. The write-ahead log
	// is not included: it takes about 16 MiB, or more during a backup.
	MaxBytes int64
}

// DB is a [store.Backend] in a file. Its methods may be called by several
// goroutines at once.
type DB struct {
	path      string
	file      os.FileInfo  // the file at path when it was opened
	lock      *sql.DB      // nil for a companion
	pool      *sql.DB      // for the writer and for maintenance
	readers   *sql.DB      // for short reads
	get, list *sql.Stmt    // prepared on readers
	calls     sync.RWMutex // read-locked by every call, locked by Close
	cache     *cache
	clock     driver.Clock
	writes    chan *write
	stop      chan struct{} // closed by Close
	stopped   chan struct{} // closed by the writer when it ends
	close     sync.Once
	closing   error // the result of Close
}

var errClosed = fmt.Errorf("sqlite: closed: %w", store.ErrUnavailable)

// busyTimeout is how long a statement waits while another process writes.
const busyTimeout = 10 * time.Second

// Open opens the database file at path, and creates it if it does not exist,
// readable by its owner only. The directory must exist. Close the DB to stop
// its goroutine.
//
// An error is one line that names the file and says what is wrong, for example
// that a server already has it open, that it is not a Devkiln database, or that
// a newer version of Devkiln has written it.
func Open(ctx context.Context, path string, options Options) (*DB, error) {
	path, err := resolve(path, options.Companion)
	if err != nil {
		return nil, err
	}
	db := &DB{
		path:    path,
		writes:  make(chan *write),
		cache:   newCache(),
		stop:    make(chan struct{}),
		stopped: make(chan struct{}),
	}
	if !options.Companion {
		if db.lock, err = lockServer(ctx, path); err != nil {
			return nil, fmt.Errorf("sqlite: %s: %w", path, explain(err))
		}
	}
	if err := db.start(ctx, options); err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: %s: %w", path, explain(err)), db.release())
	}
	return db, nil
}

// start opens the connections and starts the writer.
func (db *DB) start(ctx context.Context, options Options) (err error) {
	if db.lock != nil {
		if err := createFile(db.path); err != nil {
			return err
		}
	}
	if db.file, err = os.Stat(db.path); err != nil {
		return reason(err)
	}
	if err := checkNames(db.file); err != nil {
		return err
	}
	first, err := inspect(ctx, db.path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, first.Close()) }()
	folder := filepath.Dir(db.path)
	log := logSize(folder)
	if db.pool, err = sql.Open("sqlite", dataSource(db.path, pragmas(log)...)); err != nil {
		return err
	}
	db.pool.SetMaxOpenConns(2)
	conn, err := db.pool.Conn(ctx)
	if err != nil {
		return err
	}
	w := &writer{Conn: conn, statements: make(map[string]*sql.Stmt), room: room{folder: folder, reserve: 2 * log, limit: options.MaxBytes}, cache: db.cache, clock: &db.clock}
	if err = w.start(ctx, options); err == nil {
		err = db.startReaders(ctx, append(pragmas(log), readerCache))
	}
	if err != nil {
		return errors.Join(err, w.close())
	}
	go db.writeLoop(w)
	return nil
}

// readerCache is the page cache of a reader in KiB: 64 pages, which hold the
// upper levels of an index. The system's cache is shared: with 2 MiB each,
// SQLite's default, reading from a million entries is no faster, and four
// readers take 14 MB more (internal/bench/growth).
const readerCache = "cache_size(-256)"

// startReaders opens as many reading connections as are useful at once, so that
// no read needs to open a file: that fails while the process, or the system, has
// no file descriptor left.
func (db *DB) startReaders(ctx context.Context, pragmas []string) (err error) {
	if db.readers, err = sql.Open("sqlite", dataSource(db.path, pragmas...)); err != nil {
		return err
	}
	count := min(max(4, 2*runtime.GOMAXPROCS(0)), 16)
	db.readers.SetMaxOpenConns(count)
	db.readers.SetMaxIdleConns(count)
	if db.get, err = db.readers.PrepareContext(ctx, getEntry); err == nil {
		db.list, err = db.readers.PrepareContext(ctx, listEntries)
	}
	for i := 0; i < count && err == nil; i++ {
		var conn *sql.Conn
		if conn, err = db.readers.Conn(ctx); err == nil {
			defer func() { _ = conn.Close() }() // returns it to the pool
		}
	}
	return err
}

// Close waits for calls in progress, then closes the file. Later calls return
// errors that wrap [store.ErrUnavailable].
func (db *DB) Close() error {
	db.close.Do(func() {
		close(db.stop)
		<-db.stopped
		db.calls.Lock() // for good
		db.closing = errors.Join(db.closing, db.release())
	})
	return db.closing
}

// release closes the pools and releases the lock.
func (db *DB) release() error {
	var errs []error
	for _, pool := range []*sql.DB{db.readers, db.pool, db.lock} {
		if pool != nil {
			errs = append(errs, pool.Close())
		}
	}
	return errors.Join(errs...)
}

// lockServer takes the server's lock of a database file: a transaction in an
// empty database beside it, which ends with the process. That file stays: if it
// were removed, two servers could lock two files of the same name.
func lockServer(ctx context.Context, path string) (*sql.DB, error) {
	path += ".lock"
	if err := createFile(path); err != nil {
		return nil, err
	}
	lock, err := sql.Open("sqlite", dataSource(path))
	if err != nil {
		return nil, err
	}
	lock.SetMaxOpenConns(1)
	if _, err = lock.ExecContext(ctx, "BEGIN EXCLUSIVE"); code(err) == codes.SQLITE_BUSY {
		err = errors.New("another server has this file open")
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

// resolve checks path as far as possible without opening it, and follows
// symbolic links, so that every name of a file leads to the same lock.
func resolve(path string, mustExist bool) (string, error) {
	if path == "" {
		return "", errors.New("sqlite: the path of the database file is empty")
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("sqlite: %s: %w", path, err)
	}
	folder := filepath.Dir(absolute)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return "", fmt.Errorf("sqlite: %s: there is no folder %s", path, folder)
	}
	info, err := os.Stat(absolute)
	switch {
	case errors.Is(err, os.ErrNotExist) && mustExist:
		return "", fmt.Errorf("sqlite: %s: there is no such file", path)
	case errors.Is(err, os.ErrNotExist):
		return absolute, nil
	case err != nil:
		return "", fmt.Errorf("sqlite: %s: %w", path, reason(err))
	case info.IsDir():
		return "", fmt.Errorf("sqlite: %s: is a folder, must be a file", path)
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("sqlite: %s: is not a regular file", path)
	}
	return filepath.EvalSymlinks(absolute)
}

// createFile creates an empty database file and makes its name durable. It must
// not open an existing file: closing it would release the locks that SQLite
// holds on it elsewhere in this process.
func createFile(path string) error {
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) && exists(path+restoring) {
		return errors.New("a restore was interrupted: restore the backup again")
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return reason(err)
	}
	if err := errors.Join(f.Close(), giveAway(path)); err != nil {
		return reason(err)
	}
	return syncFolder(filepath.Dir(path))
}

// reason returns an error of package os without its operation and path.
func reason(err error) error {
	if pathError, ok := errors.AsType[*os.PathError](err); ok {
		return pathError.Err
	}
	return err
}

// dataSource returns the driver's name for the file: a URI, in which any
// character of a path can be written.
func dataSource(path string, pragmas ...string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/folder/file
	}
	return "file://" + (&url.URL{Path: path}).EscapedPath() + "?" + url.Values{"_pragma": pragmas}.Encode()
}

// pageSize is the page size of the files that SQLite creates, in bytes.
const pageSize = 4096

// pragmas returns the settings of every connection, none of which takes a lock
// for writing in a file that inspect has prepared. The log is copied into the
// file when it reaches logSize bytes.
func pragmas(logSize int64) []string {
	return []string{
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()),
		"secure_delete(FAST)", // zeroes deleted data except whole pages, which Sweep returns
		"journal_mode(WAL)",
		"synchronous(FULL)",
		fmt.Sprintf("wal_autocheckpoint(%d)", logSize/pageSize),
		fmt.Sprintf("journal_size_limit(%d)", logSize),
		"trusted_schema(OFF)",
	}
}
