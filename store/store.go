// Package store says what Devkiln needs from a place that keeps things.
//
// [Store] is the whole of what package share asks for: three methods, which a
// program can put over whatever it already runs. [Backend] adds what the
// server needs for keys, counters and housekeeping. [Memory] is a Backend for
// tests and short-lived services; store/sqlite and store/postgres keep their
// entries on disk. A type that passes store/storetest is a correct Store.
// [AllCreator], [Meter], [Sizer] and [Counter] are abilities that a store can
// have besides; [Copy], [Export] and [Import] move entries between any two
// Backends.
//
// All stores agree on these points:
//
//   - Keys are 1 to [MaxKeyBytes] bytes of printable ASCII without spaces (see
//     [CheckKey]); values are any bytes, the empty value included.
//   - An expiry is an absolute time with a precision of a millisecond. The zero
//     [time.Time] means never. From the instant of its expiry on, an entry is
//     absent from every method, whoever sweeps its bytes away later.
//   - Reading never changes anything: Get does not delete what has expired.
//   - A nil error of a writing method means that the change is as durable as
//     the store can make it; only Add may answer earlier. After an error that
//     wraps [ErrUnavailable] the change may or may not have happened.
//   - A context that is done before a call changes nothing and is reported by
//     its error.
//   - All methods may be called from many goroutines at once. A value passed in
//     may be changed by the caller afterwards, and a returned value is the
//     caller's own.
//   - A store that has no room or cannot be reached answers with an error that
//     wraps [ErrUnavailable].
package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
)

var (
	// ErrExists is returned by Create when a live entry has the key.
	ErrExists = errors.New("store: key exists")
	// ErrNotFound is returned when no live entry has the key.
	ErrNotFound = errors.New("store: not found")
	// ErrUnavailable is wrapped by errors that may pass by themselves: a full
	// disk, a database that does not answer, a store that is closed.
	ErrUnavailable = errors.New("store: unavailable")

	errClosed = fmt.Errorf("store: closed: %w", ErrUnavailable)
)

// MaxKeyBytes is the length of the longest key.
const MaxKeyBytes = 256

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

// Backend is what the server needs. One place keeps everything: shares, API
// keys, counters, sessions.
type Backend interface {
	Store

	// Put adds or replaces an entry.
	Put(ctx context.Context, key string, value []byte, expires time.Time) error

	// List returns up to limit live entries whose keys start with prefix and
	// are greater than after, in ascending byte order of their keys. To read
	// on, pass the last key as after. prefix and after may be empty, limit must
	// be positive. Entries that come and go meanwhile may be missed; one that
	// is there all the time is listed once.
	List(ctx context.Context, prefix, after string, limit int) ([]Entry, error)

	// Add adds delta to a counter and returns the sum. A counter that is
	// absent or expired starts at zero and is given expires; a live one keeps
	// the expiry that it has. A counter is an entry: Get and List show its
	// value in decimal digits, Delete and Sweep remove it. Add may answer
	// before the sum is durable, so that a power cut loses the last few
	// additions, never more. Adding to an entry that is not a decimal number,
	// and a sum that does not fit into 64 bits, are errors that change nothing.
	Add(ctx context.Context, key string, delta int64, expires time.Time) (int64, error)

	// Sweep frees the space of up to limit expired entries, those that expired
	// first before the others, and returns how many it freed. Call it again
	// while it returns limit, which must be positive. It holds nobody up: calls
	// of other methods are answered between its steps.
	Sweep(ctx context.Context, limit int) (int, error)

	// Close releases the store. Later calls return errors that wrap
	// [ErrUnavailable]; closing twice is harmless.
	Close() error
}

// AllCreator is an ability that a [Store] can have beside its own: several
// entries become durable together, at the price of one. Memory and SQLite have
// it. A store whose entries lie on many machines is better off without.
type AllCreator interface {
	// CreateAll adds entries as Create does, all or none of them: when a live
	// entry has one of the keys, it returns an error that wraps [ErrExists] and
	// changes nothing. Nobody, and no crash, sees a part of them without the
	// others.
	CreateAll(ctx context.Context, entries ...Entry) error
}

// Sizer is an ability that a [Backend] can have beside its own.
type Sizer interface {
	// Size returns how many bytes the store takes up where it keeps its
	// entries, as near as it can say at little cost.
	Size(ctx context.Context) (int64, error)
}

// Entry is one live entry as List returns it.
type Entry struct {
	Key     string
	Value   []byte
	Expires time.Time // UTC, zero for never
}

// CheckKey returns nil for a key that every store takes, and an error that
// says what is wrong with any other.
func CheckKey(key string) error {
	if key == "" || len(key) > MaxKeyBytes {
		return fmt.Errorf("store: key has %d bytes, must have 1 to %d", len(key), MaxKeyBytes)
	}
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return fmt.Errorf("store: key %.40q has byte %#x at %d, must be printable ASCII without spaces", key, key[i], i)
		}
	}
	return nil
}

// CheckEntries returns nil for entries that every CreateAll takes, at least one,
// and an error that says what is wrong with any others.
func CheckEntries(entries []Entry) error {
	if len(entries) == 0 {
		return errors.New("store: there are no entries, must be at least one")
	}
	for _, e := range entries {
		if err := CheckKey(e.Key); err != nil {
			return err
		}
	}
	return nil
}

// Expired reports whether an entry with this expiry is gone at now.
func Expired(expires, now time.Time) bool {
	return !expires.IsZero() && !now.Before(expires.Truncate(time.Millisecond))
}

// CheckList returns nil for arguments that every List takes, and an error that
// says what is wrong with any others. prefix and after are empty or follow the
// rules of a key.
func CheckList(prefix, after string, limit int) error {
	if err := CheckLimit(limit); err != nil {
		return err
	}
	for _, s := range [...]string{prefix, after} {
		if s == "" {
			continue
		}
		if err := CheckKey(s); err != nil {
			return err
		}
	}
	return nil
}

// CheckLimit returns nil for a limit that every List and Sweep takes, and an
// error for any other.
func CheckLimit(limit int) error {
	if limit <= 0 {
		return fmt.Errorf("store: limit is %d, must be positive", limit)
	}
	return nil
}

// AddTo returns the sum of a counter's value, "0" for one that is absent, and
// delta. It is an error when value is not a decimal number or the sum does not
// fit into 64 bits. A Backend written in Go can build its Add on it.
func AddTo(value []byte, delta int64) (int64, error) {
	count, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil {
		return 0, errors.New("store: cannot add to an entry that is not a decimal number")
	}
	if (delta > 0 && count > math.MaxInt64-delta) || (delta < 0 && count < math.MinInt64-delta) {
		return 0, fmt.Errorf("store: counter %d plus %d does not fit into 64 bits", count, delta)
	}
	return count + delta, nil
}
