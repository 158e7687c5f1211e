package storetest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/devkiln/devkiln/store"
)

const (
	capBytes  = 1 << 20
	capValue  = 8000            // bytes of each value
	capPeriod = 5 * time.Second // how long a store may take to notice free space
)

// RunCapped tests how a [store.Backend] behaves when it is full. It calls open
// once for each subtest; open must return an empty store with a limit of about
// maxBytes.
func RunCapped(t *testing.T, open func(t *testing.T, maxBytes int64) store.Backend) {
	run(t, []clause[store.Backend]{
		{"a full store refuses and loses nothing", fullRefuses},
		{"what is deleted makes room", deletedMakesRoom},
		{"what has expired makes room", expiredMakesRoom},
	}, func(t *testing.T) store.Backend { return open(t, capBytes) })
}

// fill creates entries until the store is full, and returns their number.
func fill(t *testing.T, s store.Backend) int {
	t.Helper()
	for i := range 2 * capBytes / capValue {
		err := s.Create(t.Context(), keyOf(i), []byte(capped(i)), never)
		if err == nil {
			continue
		}
		if !errors.Is(err, store.ErrUnavailable) || i < capBytes/capValue/2 {
			t.Fatalf("a store of %d bytes returns %v with %d values of %d bytes", capBytes, err, i, capValue)
		}
		return i
	}
	t.Fatalf("a store of %d bytes takes twice as much", capBytes)
	return 0
}

func capped(i int) string { return strings.Repeat(keyOf(i), capValue/len(keyOf(i))) }

// eventually retries f while it returns ErrUnavailable, for at most capPeriod.
func eventually(t *testing.T, what string, f func() error) {
	t.Helper()
	err := f()
	for began := time.Now(); errors.Is(err, store.ErrUnavailable) && time.Since(began) < capPeriod; err = f() {
		<-time.After(10 * time.Millisecond)
	}
	if err != nil {
		t.Fatalf("%s still returned the error %q after %v", what, err, capPeriod)
	}
}

// fullRefuses checks that a full store still reads, counts, lists and deletes.
func fullRefuses(t *testing.T, s store.Backend) {
	steps(t, s, "add counter 1 never -> 1")
	n := fill(t, s)
	steps(t, s, "put new "+capped(n)+" never -> ErrUnavailable", "get new -> ErrNotFound", "get "+keyOf(n)+" -> ErrNotFound", "add counter 1 never -> 2")
	for i := range n {
		wantValue(t, s, keyOf(i), capped(i))
	}
	mustList(t, s, "", n+1)
	steps(t, s, "delete "+keyOf(0), "sweep 10 -> 0")
}

func deletedMakesRoom(t *testing.T, s store.Backend) {
	n := fill(t, s)
	for i := range n / 4 {
		steps(t, s, "delete "+keyOf(i))
	}
	for i := range n / 8 {
		eventually(t, "Create where others were deleted", func() error {
			return s.Create(t.Context(), "again-"+keyOf(i), []byte(capped(i)), never)
		})
	}
}

func expiredMakesRoom(t *testing.T, s store.Backend) {
	for i := range 2 * capBytes / capValue {
		eventually(t, "Create of an expired entry", func() error {
			return s.Create(t.Context(), "expired-"+keyOf(i), []byte(capped(i)), past())
		})
	}
	for i := range capBytes / capValue / 2 {
		eventually(t, "Create where others have expired", func() error {
			return s.Create(t.Context(), keyOf(i), []byte(capped(i)), never)
		})
	}
	for i := range capBytes / capValue / 2 {
		wantValue(t, s, keyOf(i), capped(i))
	}
}
