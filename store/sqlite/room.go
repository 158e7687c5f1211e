package sqlite

import (
	"context"
	"fmt"
	"math"
	"os"

	"github.com/devkiln/devkiln/store"
)

// On a full disk, deleting needs space in the log, and emptying the log needs
// space in the database file. Once both are out, expiring entries free nothing,
// and no server starts. So no entries are added when just enough space is left
// for these: twice the size at which the log is copied into the file. If
// something else fills the disk completely, every change still fails until
// space is freed.

const (
	// maxLog is the size in bytes at which the log is copied into the file. On
	// a disk below 256 MiB it is a sixteenth of the disk.
	maxLog = 16 << 20
	// entryOverhead is roughly what an entry takes in bytes beside its value.
	entryOverhead = 4096
	// readyRoom is how many bytes a store must be able to add to be ready.
	readyRoom = 256 << 10
)

var errDiskLow = fmt.Errorf("sqlite: the disk is nearly full: %w", store.ErrUnavailable)

// logSize returns the maximum size in bytes of the log of a database in folder.
func logSize(folder string) int64 {
	_, size, err := disk(folder)
	if err != nil {
		return maxLog
	}
	return min(maxLog, size/16)
}

// room tracks how many bytes may be added.
type room struct {
	folder  string
	reserve int64
	left    int64
	limit   int64 // [Options].MaxBytes
}

// measure measures the free space before a group of changes. If there is none,
// it tries to free some.
func (w *writer) measure(ctx context.Context) {
	if w.room.left = w.bytesLeft(ctx); w.room.left <= 0 && w.makeRoom(ctx) {
		w.room.left = w.bytesLeft(ctx)
	}
}

// bytesLeft returns how many bytes may be added: the free space of the disk
// beyond the reserve and, if that is little, the free space inside the file.
func (w *writer) bytesLeft(ctx context.Context) int64 {
	free, _, err := disk(w.room.folder)
	if err != nil {
		return math.MaxInt64 // no limit where the disk cannot be measured
	}
	left := free - w.room.reserve
	if left > w.room.reserve {
		return left
	}
	var inside int64
	if err := w.QueryRowContext(ctx, "PRAGMA freelist_count").Scan(&inside); err != nil {
		return left
	}
	return max(left, 0) + inside*pageSize
}

// reserveRoom reports whether a change that adds bytes is allowed. It counts them
// twice, because they are written to the log and to the file.
func (w *writer) reserveRoom(bytes int64) bool {
	w.room.left -= 2 * bytes
	return bytes == 0 || w.room.left >= 0
}

// Ready implements [store.Backend]. It returns nil if the file is where it was
// opened, can be read and written, and the disk has room.
func (db *DB) Ready(ctx context.Context) error {
	info, err := os.Stat(db.path)
	if err != nil || !os.SameFile(info, db.file) {
		return fmt.Errorf("sqlite: %s was moved away or replaced: %w", db.path, store.ErrUnavailable)
	}
	return db.do(ctx, &write{adds: readyRoom, run: func(ctx context.Context, w *writer) error { return w.tryWriting(ctx) }})
}

// added returns the space in bytes that an entry with this value takes.
func added(value []byte) int64 { return int64(len(value)) + entryOverhead }
