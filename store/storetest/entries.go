package storetest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/driver"
)

func createThenGet(t *testing.T, s store.Store) {
	everyByte := make([]byte, 256)
	for i := range everyByte {
		everyByte[i] = byte(i)
	}
	for key, value := range map[string]string{
		"empty":  "",
		"text":   "one\r\ntwo\n",
		"binary": string(everyByte),
		"large":  strings.Repeat("0123456789abcdef", 1<<16),
	} {
		mustCreate(t, s, key, value, future())
		wantValue(t, s, key, value)
		wantValue(t, s, key, value)
	}
	done(t, s.Create(t.Context(), "nil", nil, never), "Create with a nil value")
	wantValue(t, s, "nil", "")
}

func legalKeys(t *testing.T, s store.Store) {
	var printable strings.Builder
	for c := byte('!'); c <= '~'; c++ {
		printable.WriteByte(c)
		mustCreate(t, s, string(c), "single "+string(c), never)
	}
	long := strings.Repeat("k", driver.MaxKeyBytes)
	for _, key := range []string{printable.String(), long, long[1:]} {
		mustCreate(t, s, key, "value of "+key, never)
		wantValue(t, s, key, "value of "+key)
	}
	for c := byte('!'); c <= '~'; c++ {
		wantValue(t, s, string(c), "single "+string(c))
		done(t, s.Delete(t.Context(), string(c)), "Delete")
	}
}

func keyOf(i int) string { return fmt.Sprintf("key-%04d", i) }

// expiryInstant watches an entry across its expiry. If a call finds the entry
// missing, the time after the call must not precede the expiry; if it finds it,
// the time before the call must precede it.
func expiryInstant(t *testing.T, s store.Store) {
	expires := time.Now().Add(250 * time.Millisecond).Truncate(time.Millisecond)
	mustCreate(t, s, "key", "value", expires)
	for {
		before := time.Now()
		_, err := s.Get(t.Context(), "key")
		after := time.Now()
		switch {
		case err == nil && !before.Before(expires):
			t.Fatalf("Get found an entry %v after its expiry", before.Sub(expires))
		case errors.Is(err, store.ErrNotFound) && after.Before(expires):
			t.Fatalf("Get missed an entry %v before its expiry", expires.Sub(after))
		case errors.Is(err, store.ErrNotFound):
			mustCreate(t, s, "key", "next", never)
			wantValue(t, s, "key", "next")
			return
		case err != nil:
			t.Fatalf("Get: %v", err)
		}
	}
}
