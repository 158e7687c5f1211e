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
	run(t, capClauses(), func(t *testing.T) store.Backend { return open(t, capBytes) })
}

func capClauses() []clause[store.Backend] {
	return []clause[store.Backend]{
		{"a full store refuses and loses nothing", fullRefuses},
		{"a full store reads, counts and deletes", fullGoesOn},
		{"what is deleted makes room", deletedMakesRoom},
		{"what has expired makes room", expiredMakesRoom},
	}
}

// fill creates entries until the store is full, and returns their number.
func fill(t *testing.T, s store.Backend) int {
	t.Helper()
	for i := range 2 * capBytes / capValue {
		err := s.Create(t.Context(), keyOf(i), []byte(capped(i)), never)
		if err == nil {
			continue
		}
		wantError(t, err, store.ErrUnavailable, "Create in a full store")
		if i < capBytes/capValue/2 {
			t.Fatalf("a store of %d bytes is full with %d values of %d bytes", capBytes, i, capValue)
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
		t.Fatalf("%s: %v", what, err)
	}
}

func fullRefuses(t *testing.T, s store.Backend) {
	n := fill(t, s)
	wantError(t, s.Put(t.Context(), "new", []byte(capped(n)), never), store.ErrUnavailable, "Put in a full store")
	wantAbsent(t, s, "new")
	wantAbsent(t, s, keyOf(n))
	for i := range n {
		wantValue(t, s, keyOf(i), capped(i))
	}
}

func fullGoesOn(t *testing.T, s store.Backend) {
	mustAdd(t, s, "counter", 1, never, 1)
	n := fill(t, s)
	wantValue(t, s, keyOf(0), capped(0))
	mustAdd(t, s, "counter", 1, never, 2)
	mustList(t, s, "", n+1)
	mustDelete(t, s, keyOf(0))
	wantSwept(t, s, 10, 0)
}

func deletedMakesRoom(t *testing.T, s store.Backend) {
	n := fill(t, s)
	for i := range n / 4 {
		mustDelete(t, s, keyOf(i))
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
