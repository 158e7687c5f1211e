// Package store defines the stores that Devkiln keeps its data in: entries of a
// key, a value and an expiry.
//
// [Store] is the whole of what package share needs: three methods, which a
// program can put over whatever it already runs. [Backend] adds what the
// server needs for keys, counters and maintenance. [Memory] is a Backend for
// tests and short-lived services; store/sqlite and store/postgres keep their
// entries on disk. A type that passes store/storetest is correct, and a Backend
// that does carries the server; package store/driver has what its author needs.
// [Copy], [Export] and [Import] move entries between any two Backends.
//
// All stores agree on these points:
//
//   - Keys are 1 to [MaxKeyBytes] bytes of printable ASCII without spaces (see
//     driver.CheckKey); values are any bytes, the empty value included.
//   - An expiry is an absolute time with a precision of a millisecond. The zero
//     [time.Time] means never. From the instant of its expiry on, an entry is
//     absent from every method, whoever sweeps its bytes away later.
//   - Reading never changes anything: Get does not delete what has expired.
//   - A nil error of a writing method means that the change is as durable as
//     the store can make it; only Add and Take may return earlier. After an error that
//     wraps [ErrUnavailable] the change may or may not have happened.
//   - A context that is done before a call changes nothing and is reported by
//     its error.
//   - All methods may be called from many goroutines at once. A value passed in
//     may be changed by the caller afterwards, and a returned value is the
//     caller's own.
//   - A store that has no room or cannot be reached returns an error that
//     wraps [ErrUnavailable].
package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/devkiln/devkiln/store/driver"
)

var (
	// ErrExists is returned by Create when a live entry has the key.
	ErrExists = errors.New("store: key exists")
	// ErrNotFound is returned when no live entry has the key.
	ErrNotFound = errors.New("store: not found")
	// ErrUnavailable is wrapped by errors that may pass by themselves: a full
	// disk, a database that does not respond, a store that is closed.
	ErrUnavailable = errors.New("store: unavailable")

	errClosed = fmt.Errorf("store: closed: %w", ErrUnavailable)
)

// MaxKeyBytes is the length of the longest key.
const MaxKeyBytes = driver.MaxKeyBytes

// Store is what package share needs.
type Store interface {
	// Create adds an entry, or returns an error that wraps [ErrExists] and
	// changes nothing when a live entry has the key. Of any number of
	// concurrent Creates of one key exactly one succeeds. An expiry in the past
	// is legal and makes an entry that is absent from the start.
	Create(ctx context.Context, key string, value []byte, expires time.Time) error

	// Get returns the value of a live entry, or an error that wraps
	// [ErrNotFound].
	Get(ctx context.Context, key string) ([]byte, error)

	// Delete removes an entry. It returns an error that wraps [ErrNotFound]
	// when no live entry has the key.
	Delete(ctx context.Context, key string) error
}

// Backend is what the server needs. The server keeps all in one: shares,
// API keys, counters, limits, sessions.
type Backend interface {
	Store

	// CreateAll adds entries as Create does, all or none of them: when a live
	// entry has one of the keys, it returns an error that wraps [ErrExists] and
	// changes nothing. Nobody, and no crash, sees a part of them without the
	// others.
	CreateAll(ctx context.Context, entries ...Entry) error

	// DeleteAll removes the live entries among keys together: nobody, and no
	// crash, sees a part of them gone and the others there. It returns an error
	// that wraps [ErrNotFound] when there is none.
	DeleteAll(ctx context.Context, keys ...string) error

	// Put adds or replaces an entry.
	Put(ctx context.Context, key string, value []byte, expires time.Time) error

	// List returns up to limit live entries whose keys start with prefix and
	// are greater than after, in ascending byte order of their keys. To read
	// on, pass the last key as after. prefix and after may be empty, limit must
	// be positive. Entries that come and go meanwhile may be missed; one that
	// is there all the time is listed once.
	List(ctx context.Context, prefix, after string, limit int) ([]Entry, error)

	// Count returns how many entries have keys that start with prefix, which
	// may be empty. It reads no values, and may count entries that have expired
	// until Sweep frees them.
	Count(ctx context.Context, prefix string) (int64, error)

	// Add adds delta to a counter and returns the sum. A counter that is
	// absent or expired starts at zero and is given expires; a live one keeps
	// the expiry that it has. A counter is an entry: Get and List show its
	// value in decimal digits, Delete and Sweep remove it. Add may return
	// before the sum is durable, so that a power cut loses the last few
	// additions, never more. Adding to an entry that is not a decimal number,
	// and a sum that does not fit into 64 bits, are errors that change nothing.
	Add(ctx context.Context, key string, delta int64, expires time.Time) (int64, error)

	// Take counts one use of key at now, unless a limit is reached already.
	// Then it counts nothing and returns a Usage that is not Taken and a nil
	// error. Of concurrent Takes no more succeed than the limits allow, in
	// however many processes.
	//
	// now is the time of the use, not far from what the clock says. What is
	// counted is an entry, which Get, List, Delete and Sweep see; it expires
	// once it no longer counts for a limit. As with Add, a power cut can lose the last
	// few uses, never more. Taking from a live entry that Take has not made is
	// an error.
	Take(ctx context.Context, key string, now time.Time, limits Limits) (Usage, error)

	// Sweep frees the space of up to limit expired entries, those that expired
	// first before the others, and returns how many it freed. Call it again
	// while it returns limit, which must be positive. Other methods
	// run between its steps.
	Sweep(ctx context.Context, limit int) (int, error)

	// Size returns how many bytes the store takes up where it keeps its
	// entries, as near as it can say at little cost.
	Size(ctx context.Context) (int64, error)

	// Ready returns nil while the store can be read and has room for more, and
	// an error that wraps [ErrUnavailable] and says why otherwise. It is cheap
	// enough to be asked every second.
	Ready(ctx context.Context) error

	// Shared reports whether other servers may be using the same entries. Then
	// what is counted for all of them has to be counted with Take.
	Shared() bool

	// Close releases the store. Later calls return errors that wrap
	// [ErrUnavailable]; closing twice is harmless.
	Close() error
}

// Entry is one live entry as List returns it.
type Entry struct {
	Key     string
	Value   []byte
	Expires time.Time // UTC, zero for never
}
