package sqlite

import (
	"context"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/devkiln/devkiln/store"
)

// A full disk is a trap: to delete takes room in the log, to empty the log
// takes room in the database file, and when both are out, nothing that expires
// makes room again, and no server starts. So entries are no longer added while
// there is just enough left for that: twice what the log holds when it is copied
// into the file. A disk that something else fills to the last byte still stops
// every change, until somebody makes room there.

const (
	// maxLog is how long the log gets before it is copied into the file. On a disk
	// below 256 MiB it is a sixteenth of that.
	maxLog = 16 << 20
	// entryOverhead is about what an entry takes beside its value.
	entryOverhead = 4096
	// readyRoom is how much a store must have room for to be ready.
	readyRoom = 256 << 10
	// lookEvery is how long a look at the disk is good for while there is a lot
	// of room: more than anybody writes in that time.
	lookEvery = 100 * time.Millisecond
	plenty    = 4 << 30
)

var errDiskLow = fmt.Errorf("sqlite: the disk is nearly full: %w", store.ErrUnavailable)

// logSize is how long the log of a database in a folder may get, in bytes.
func logSize(folder string) int64 {
	_, size, err := disk(folder)
	if err != nil {
		return maxLog
	}
	return min(maxLog, size/16)
}

// room keeps track of how many bytes may be added.
type room struct {
	folder  string
	reserve int64
	left    int64
	looked  time.Time
}

// measure looks how much room there is before a group of changes. When there is
// none, it tries to make some.
func (w *writer) measure(ctx context.Context) {
	r := &w.room
	if r.left > plenty && time.Since(r.looked) < lookEvery {
		return
	}
	r.looked = time.Now()
	if r.left = w.bytesLeft(ctx); r.left <= 0 && w.makeRoom(ctx) {
		r.left = w.bytesLeft(ctx)
	}
}

// bytesLeft is how much may be added: what the disk has beyond the reserve and,
// when that is little, what is free inside the file.
func (w *writer) bytesLeft(ctx context.Context) int64 {
	free, _, err := disk(w.room.folder)
	if err != nil {
		return math.MaxInt64 // what cannot be measured is not guarded
	}
	left := free - w.room.reserve
	if left > w.room.reserve {
		return left
	}
	var inside int64
	row := w.QueryRowContext(ctx, "SELECT f.freelist_count * s.page_size FROM pragma_freelist_count AS f, pragma_page_size AS s")
	if err := row.Scan(&inside); err != nil {
		return left
	}
	return max(left, 0) + inside
}

// takeRoom reports whether a change that adds bytes may be made. It counts them
// twice: they go through the log into the file.
func (w *writer) takeRoom(bytes int64) bool {
	if bytes == 0 {
		return true
	}
	w.room.left -= 2 * bytes
	return w.room.left >= 0
}

// Ready implements [store.Backend]. It returns nil if the file is where it was
// opened, can be read and written, and the disk has room.
func (db *DB) Ready(ctx context.Context) error {
	info, err := os.Stat(db.path)
	if err != nil || !os.SameFile(info, db.file) {
		return fmt.Errorf("sqlite: %s was moved away or replaced: %w", db.path, store.ErrUnavailable)
	}
	return db.do(ctx, &write{lazy: true, adds: readyRoom, run: func(ctx context.Context, w *writer) error {
		_, _, err := w.lookUp(ctx, "ready")
		return err
	}})
}

// added is what an entry of this value adds to the store.
func added(value []byte) int64 { return int64(len(value)) + entryOverhead }
