package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	codes "modernc.org/sqlite/lib"
)

// Size implements [store.Backend]. It returns the size of the database file in
// bytes, which [Options].MaxBytes limits, without the write-ahead log.
func (db *DB) Size(ctx context.Context) (int64, error) {
	var size int64
	err := db.maintain(ctx, func() error {
		return db.pool.QueryRowContext(ctx, "PRAGMA page_count").Scan(&size)
	})
	return size * pageSize, err
}

// Check verifies the whole file: that its structure is intact, and that the
// indexes agree with the table. It runs concurrently with the writer and takes
// time in proportion to the size of the file. An error names up to ten faults.
func (db *DB) Check(ctx context.Context) error {
	return db.maintain(ctx, func() error { return integrity(ctx, db.pool) })
}

func integrity(ctx context.Context, pool *sql.DB) error {
	var faults string
	row := pool.QueryRowContext(ctx, "SELECT group_concat(integrity_check, '; ') FROM (SELECT integrity_check FROM pragma_integrity_check LIMIT 10)")
	err := row.Scan(&faults)
	switch {
	case code(err) == codes.SQLITE_CORRUPT:
		return fmt.Errorf("the file is damaged: %w", err)
	case err != nil:
		return err
	case faults != "ok":
		return errors.New("the file is damaged: " + faults)
	}
	return nil
}

// Backup writes a consistent copy of the database to a new file at path, while
// reads and writes continue. The copy is compact and synced to disk, and is
// given its name only when it is complete. It is a database file like any
// other, for [Open] or [Restore]. If the process is killed, [RemovePartial]
// removes the incomplete copy.
func (db *DB) Backup(ctx context.Context, path string) error {
	return db.maintain(ctx, func() error { return vacuumInto(ctx, db.pool, path) })
}

// vacuumInto writes a compact copy of a database to a new file at path.
func vacuumInto(ctx context.Context, from *sql.DB, path string) error {
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		return errors.Join(fmt.Errorf("%s exists already", path), reason(err))
	}
	// SQLite accepts an existing empty file, whose permissions then apply.
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+partialSuffix+"*")
	if err != nil {
		return fmt.Errorf("%s: %w", path, reason(err))
	}
	_, err = from.ExecContext(ctx, "VACUUM INTO ?1", f.Name())
	if err == nil {
		err = f.Sync() // SQLite does not
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name() + "-journal") // SQLite leaves it on a full disk
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncFolder(filepath.Dir(path))
}

// restoring is the suffix of the file that a restore is about to rename.
const restoring = ".restoring"

// Restore replaces the database file at path by a copy of the file backup. The
// file at path must not be open in a server, and need not exist. Whatever is
// there is renamed together with its write-ahead log; replaced is its new name,
// or empty if there was nothing. If root restores, the new file belongs to the
// owner of its folder. If the backup is damaged or is not a Devkiln
// database, Restore changes nothing.
func Restore(ctx context.Context, path, backup string) (replaced string, err error) {
	path, err = resolve(path, false)
	if err != nil {
		return "", err
	}
	if backup, err = resolve(backup, true); err != nil {
		return "", err
	}
	lock, err := lockServer(ctx, path)
	if err != nil {
		return "", fmt.Errorf("sqlite: %s: %w", path, explain(err))
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	fresh := path + restoring
	if err := os.Remove(fresh); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("sqlite: %w", err)
	}
	if err := copyChecked(ctx, backup, fresh); err != nil {
		return "", fmt.Errorf("sqlite: %s: %w", backup, explain(err))
	}
	err = giveAway(fresh)
	if err == nil {
		replaced, err = setAside(path)
	}
	if err != nil {
		return replaced, errors.Join(fmt.Errorf("sqlite: %w", err), os.Remove(fresh))
	}
	return replaced, errors.Join(os.Rename(fresh, path), syncFolder(filepath.Dir(path)))
}

// copyChecked copies a database after checking that it is intact and Devkiln's.
func copyChecked(ctx context.Context, from, to string) error {
	pool, err := sql.Open("sqlite", dataSource(from))
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, pool)
	switch {
	case err != nil:
	case version == 0:
		err = errors.New("is empty")
	default:
		err = integrity(ctx, pool)
	}
	if err == nil {
		err = vacuumInto(ctx, pool, to)
	}
	return errors.Join(err, pool.Close())
}

// setAside renames the database at path and the files that SQLite keeps beside
// it, any of which may be missing, and returns the new name of the database. A
// log left behind would be replayed into the next database of that name.
func setAside(path string) (aside string, err error) {
	for n := 1; aside == "" || exists(aside); n++ {
		aside = path + ".before-restore"
		if n > 1 {
			aside += "-" + strconv.Itoa(n)
		}
	}
	found := false
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		err := os.Rename(path+suffix, aside+suffix)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
		found = found || err == nil
	}
	if !found {
		return "", nil
	}
	return aside, nil
}

// exists reports whether a database of this name, or its log, exists.
func exists(path string) bool {
	_, db := os.Lstat(path)
	_, log := os.Lstat(path + "-wal")
	return db == nil || log == nil
}

// maintain runs work that may take long, on the pool's connection that the
// writer does not use.
func (db *DB) maintain(ctx context.Context, work func() error) error {
	_, done, err := db.begin(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := work(); err != nil {
		return cmp.Or(ctx.Err(), failed(err))
	}
	return nil
}
