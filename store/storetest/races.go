package storetest

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/devkiln/devkiln/store"
)

// getDeletesNothing creates entries over expired ones while others read them: a
// Get that deletes by key what it saw as expired might delete the new entry.
func getDeletesNothing(t *testing.T, s store.Store) {
	const keys, atLeast = 20, 250 * time.Millisecond
	var current atomic.Int64
	reader := func() error {
		_, err := s.Get(t.Context(), keyOf(int(current.Load())))
		return unless(store.ErrNotFound, err)
	}
	during(t, func() {
		started := time.Now()
		for round := 0; round < keys || time.Since(started) < atLeast; round++ {
			key := keyOf(round % keys)
			current.Store(int64(round % keys))
			mustCreate(t, s, key, "expired", past())
			runtime.Gosched() // let the readers see the expired entry
			mustCreate(t, s, key, "live", future())
			runtime.Gosched() // let them act on it
			wantValue(t, s, key, "live")
			done(t, s.Delete(t.Context(), key), "Delete")
		}
	}, reader, reader, reader, reader)
}

func manyKeys(t *testing.T, s store.Store) {
	const each = 20
	mustRace(t, func(i int) error {
		for j := range each {
			key := keyOf(i*each + j)
			if err := s.Create(t.Context(), key, []byte(key), future()); err != nil {
				return err
			}
			got, err := s.Get(t.Context(), key)
			if err != nil {
				return fmt.Errorf("Get(%q) right after its Create: %w", key, err)
			}
			if string(got) != key {
				return fmt.Errorf("Get(%q) right after its Create returned %q, want %[1]q", key, got)
			}
		}
		return nil
	})
	for i := range racers * each {
		wantValue(t, s, keyOf(i), keyOf(i))
	}
}
