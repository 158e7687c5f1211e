// Package store defines the interface of the stores in which Devkiln keeps its
// data: entries with a key, a value and an expiry.
//
// [Store] is all that package share needs: three methods, which a program can
// implement on whatever storage it already has. [Backend] adds what the server
// needs for keys, counters and maintenance. [Memory] is a Backend for tests and
// short-lived services; store/sqlite and store/postgres are durable. Package
// store/storetest tests any implementation: a Backend that passes can run the
// server. Package store/driver has functions for implementers. [Export]
// and [Import] move entries between any two Backends.
//
// All stores follow these rules:
//
//   - Keys are 1 to 256 bytes of printable ASCII without spaces (see
//     driver.CheckKey); values are any bytes and may be empty.
//   - An expiry is an absolute time with millisecond precision. The zero
//     time.Time means never, and so does a time after the year 9999, which an
//     export could not represent. From the instant of its expiry, an entry is
//     absent for every method, no matter when it is swept.
//   - Reading changes nothing: Get does not delete expired entries.
//   - If a writing method returns nil, the change is as durable as the store
//     can make it; only Update may return earlier. After an error that
//     wraps [ErrUnavailable], the change may or may not have happened.
//   - If the context is done before a call, the call changes nothing and
//     returns the context's error.
//   - All methods may be called by several goroutines at once. The caller may
//     modify a value after passing it in, and owns returned values.
//   - A store that is full or cannot be reached returns an error that wraps
//     [ErrUnavailable].
package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

var (
	// ErrExists is returned by Create if a live entry has the key.
	ErrExists = errors.New("store: key exists")
	// ErrNotFound is returned if no live entry has the key.
	ErrNotFound = errors.New("store: not found")
	// ErrUnavailable is wrapped by errors that may be temporary: a full disk, a
	// database that does not respond, a closed store.
	ErrUnavailable = errors.New("store: unavailable")

	errClosed = fmt.Errorf("store: closed: %w", ErrUnavailable)
)

// Store is the store that package share needs. The rules of the package comment
// apply to each method. For implementers, package driver checks keys
// ([driver.CheckKey]) and decides what has expired ([driver.Expired]), and package
// storetest tests the result.
type Store interface {
	// Create adds an entry, or returns an error that wraps [ErrExists] and
	// changes nothing if a live entry has the key. Of any number of concurrent
	// Creates of a key exactly one succeeds. An expiry in the past is valid and
	// creates an entry that is absent from the start.
	Create(ctx context.Context, key string, value []byte, expires time.Time) error

	// Get returns the value of a live entry, or an error that wraps
	// [ErrNotFound].
	Get(ctx context.Context, key string) ([]byte, error)

	// Delete removes an entry. It returns an error that wraps [ErrNotFound] if
	// no live entry has the key.
	Delete(ctx context.Context, key string) error
}

// Backend is the store that the server needs. The server keeps everything in
// one: shares, API keys, counters, limits and sessions.
type Backend interface {
	Store

	// CreateAll adds entries as Create does, all or none of them: if a live
	// entry or an earlier one of entries has one of the keys, it returns an
	// error that wraps [ErrExists] and changes nothing. The change is atomic,
	// also in a crash.
	CreateAll(ctx context.Context, entries ...Entry) error

	// DeleteAll removes the live entries among keys atomically, also in a
	// crash. It returns an error that wraps [ErrNotFound] if there is none.
	DeleteAll(ctx context.Context, keys ...string) error

	// Put adds or replaces an entry.
	Put(ctx context.Context, key string, value []byte, expires time.Time) error

	// List returns up to limit live entries whose keys start with prefix and
	// are greater than after, in ascending byte order of their keys. To
	// continue, pass the last key as after. prefix and after may be empty;
	// limit must be positive. Entries created or deleted meanwhile may be
	// missed; one that exists throughout is listed once.
	List(ctx context.Context, prefix, after string, limit int) ([]Entry, error)

	// Count returns the number of entries whose keys start with prefix, which
	// may be empty. It reads no values, and may include expired entries that
	// have not been swept.
	Count(ctx context.Context, prefix string) (int64, error)

	// Update replaces the value and the expiry of an entry by those that change
	// returns. change gets the entry, also one that has expired but was not
	// swept, or one without a value if there is none, and whether it is live. If
	// it returns no value or an error, which Update then returns, nothing
	// changes. Of concurrent Updates of a key, in however many processes, none
	// is lost; change may therefore be called several times, and also after
	// Update has returned an error. It must not call the store.
	//
	// Update may return before the change is durable, so that a power cut may
	// lose the last few Updates, but no more.
	Update(ctx context.Context, key string, change func(old Entry, live bool) (next Entry, err error)) error

	// Sweep frees the space of up to limit expired entries, those that expired
	// first before the others, and returns how many it freed. Call it again
	// while it returns limit, which must be positive. Other methods may run
	// between its steps.
	Sweep(ctx context.Context, limit int) (int, error)

	// Size returns approximately how many bytes the store occupies where it
	// keeps its entries. It must be cheap.
	Size(ctx context.Context) (int64, error)

	// Ready returns nil while the store can be read and has room for more, and
	// otherwise an error that wraps [ErrUnavailable] and gives the reason. It
	// is cheap enough to be called every second.
	Ready(ctx context.Context) error

	// Close releases the store. Later calls return errors that wrap
	// [ErrUnavailable]. Closing it again has no effect.
	Close() error
}

// Entry is a live entry, as List returns it.
type Entry struct {
	Key     string
	Value   []byte
	Expires time.Time // UTC; zero means never
}
