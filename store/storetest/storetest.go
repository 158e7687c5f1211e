// Package storetest tests implementations of package store: one subtest for
// each clause of its contract. It imports only the standard library, so that
// stores in other modules can use it at no cost.
//
// Start with [Run] for a [store.Store] or with [RunBackend] for a
// [store.Backend]:
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) store.Store {
//			return open(t.TempDir())
//		})
//	}
//
// The suite overwrites with ! each value that it has passed or got: a store that
// returns such a value later keeps memory that is the caller's.
//
// The suite only calls the methods of a store. It cannot show that an entry
// survives a crash or a power failure: a store that claims so needs tests of
// its own.
package storetest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/devkiln/devkiln/store"
)

// racers is the number of goroutines that compete in the clauses about races.
const racers = 16

// Run tests a [store.Store]. It calls open once for each subtest; open must
// return an empty store and use t.Cleanup to release it.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	run(t, scripted[store.Store]("store.txt"), open)
	run(t, []clause[store.Store]{
		{"Create then Get", createThenGet},
		{"keys of every legal form", legalKeys},
		{"illegal keys", func(t *testing.T, s store.Store) { illegalKeys(t, s, storeCalls) }},
		{"a context that is done", func(t *testing.T, s store.Store) { canceledContext(t, s, storeCalls) }},
		{"an entry lives until the instant of its expiry", expiryInstant},
		{"Get deletes nothing", getDeletesNothing},
		{"many writers and readers", manyKeys},
	}, open)
}

// RunBackend tests a [store.Backend], including the clauses of [Run]. It calls
// open as Run does. A store that passes can run the server.
func RunBackend(t *testing.T, open func(t *testing.T) store.Backend) {
	Run(t, func(t *testing.T) store.Store { return open(t) })
	run(t, scripted[store.Backend]("backend.txt"), open)
	run(t, []clause[store.Backend]{
		{"Put and Get beside each other", putWhole},
		{"illegal keys of a Backend", func(t *testing.T, s store.Backend) { illegalKeys(t, s, keyedCalls) }},
		{"a context that is done, for a Backend", func(t *testing.T, s store.Backend) {
			canceledContext(t, s, backendCalls)
			steps(t, s, "sweep 10 -> 1")
		}},
		{"List sees all that CreateAll adds or nothing", createAllWhole},
		{"List sees all that DeleteAll deletes or nothing", deleteAllWhole},
		{"CreateAll and DeleteAll of the same keys", togetherRace},
		{"List shows values and expiries", listEntries},
		{"List beside writers", listBesideWriters},
		{"racing Adds lose nothing", addRace},
		{"racing Takes keep to the limits", takeRace},
		{"what Take counts is an entry", takeEntry},
		{"Sweep keeps to its limit", sweepLimit},
		{"Sweep beside Create loses nothing", sweepBesideCreate},
		{"Size grows with what is stored", sizeGrows},
		{"a closed store is unavailable", closedStore},
		{"Close beside other calls", closeRace},
	}, open)
}

// clause is one requirement of the contract.
type clause[S any] struct {
	name  string
	check func(t *testing.T, s S)
}

func run[S any](t *testing.T, clauses []clause[S], open func(t *testing.T) S) {
	t.Helper()
	for _, c := range clauses {
		t.Run(c.name, func(t *testing.T) { c.check(t, open(t)) })
	}
}

// never is the expiry of an entry that does not expire.
var never time.Time

func past() time.Time   { return time.Now().Add(-time.Second) }
func future() time.Time { return time.Now().Add(time.Hour) }

func mustCreate(t *testing.T, s store.Store, key, value string, expires time.Time) {
	t.Helper()
	done(t, s.Create(t.Context(), key, []byte(value), expires), fmt.Sprintf("Create(%q)", key))
}

func mustPut(t *testing.T, s store.Backend, key, value string, expires time.Time) {
	t.Helper()
	done(t, s.Put(t.Context(), key, []byte(value), expires), fmt.Sprintf("Put(%q)", key))
}

func wantValue(t *testing.T, s store.Store, key, want string) {
	t.Helper()
	got, err := s.Get(t.Context(), key)
	done(t, err, fmt.Sprintf("Get(%q)", key))
	if string(got) != want {
		t.Fatalf("Get(%q) returned %d bytes, %.40q; want %d bytes, %.40q", key, len(got), got, len(want), want)
	}
}

// done fails unless err is nil.
func done(t *testing.T, err error, what string) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s returned the error %q, want none", what, err)
	}
}

// unless returns err unless it wraps allowed.
func unless(allowed, err error) error {
	if errors.Is(err, allowed) {
		return nil
	}
	return err
}

// mustRace fails unless every racer returns nil.
func mustRace(t *testing.T, f func(i int) error) {
	t.Helper()
	done(t, cmp.Or(race(f)...), fmt.Sprintf("one of %d goroutines that started together", racers))
}

// race calls f in racers goroutines that start together, and returns their
// results.
func race(f func(i int) error) []error {
	errs := make([]error, racers)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range racers {
		wg.Go(func() {
			<-start
			errs[i] = f(i)
		})
	}
	close(start)
	wg.Wait()
	return errs
}

// during runs each background function repeatedly, from before work starts
// until it ends, and reports the first error that one of them returns.
func during(t *testing.T, work func(), background ...func() error) {
	t.Helper()
	done := make(chan struct{})
	failed := make(chan error, len(background))
	var running, ended sync.WaitGroup
	for _, f := range background {
		running.Add(1)
		ended.Go(func() {
			err := f()
			for running.Done(); err == nil; err = f() {
				select {
				case <-done:
					return
				default:
					runtime.Gosched() // work must not wait for a time slice
				}
			}
			failed <- err
		})
	}
	running.Wait()
	func() {
		defer ended.Wait()
		defer close(done)
		work()
	}()
	select {
	case err := <-failed:
		t.Fatal(err)
	default:
	}
}

// overwrite overwrites b, which others may still refer to.
func overwrite(b []byte) {
	copy(b, bytes.Repeat([]byte{'!'}, len(b)))
}
