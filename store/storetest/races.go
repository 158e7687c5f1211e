package storetest

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/devkiln/devkiln/store"
)

func createRace(t *testing.T, s store.Store) {
	for round := range 20 {
		raceForKey(t, s, keyOf(round))
	}
}

func expiredCreateRace(t *testing.T, s store.Store) {
	for round := range 20 {
		mustCreate(t, s, keyOf(round), "expired", past())
		raceForKey(t, s, keyOf(round))
	}
}

func raceForKey(t *testing.T, s store.Store, key string) {
	t.Helper()
	errs := race(func(i int) error {
		return s.Create(t.Context(), key, []byte(strconv.Itoa(i)), future())
	})
	winner := wantOneWinner(t, errs, store.ErrExists)
	wantValue(t, s, key, strconv.Itoa(winner))
}

func deleteRace(t *testing.T, s store.Store) {
	for round := range 20 {
		mustCreate(t, s, keyOf(round), "value", never)
		errs := race(func(int) error { return s.Delete(t.Context(), keyOf(round)) })
		wantOneWinner(t, errs, store.ErrNotFound)
		wantAbsent(t, s, keyOf(round))
	}
}

// getDeletesNothing creates entries over expired ones while others read them: a
// Get that deletes by key what it saw as expired might delete the new entry.
func getDeletesNothing(t *testing.T, s store.Store) {
	const keys, atLeast = 20, 250 * time.Millisecond
	var current atomic.Int64
	reader := func() error {
		_, err := s.Get(t.Context(), keyOf(int(current.Load())))
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("a Get beside Create: %w", err)
		}
		return nil
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
			mustDelete(t, s, key)
		}
	}, reader, reader, reader, reader)
}

func manyKeys(t *testing.T, s store.Store) {
	const each = 20
	done(t, errors.Join(race(func(i int) error {
		for j := range each {
			key := keyOf(i*each + j)
			if err := s.Create(t.Context(), key, []byte(key), future()); err != nil {
				return fmt.Errorf("a Create(%q): %w", key, err)
			}
			got, err := s.Get(t.Context(), key)
			if err != nil || string(got) != key {
				return fmt.Errorf("a Get(%q) right after Create = %q, %w", key, got, err)
			}
		}
		return nil
	})...), "a race")
	for i := range racers * each {
		wantValue(t, s, keyOf(i), keyOf(i))
	}
}
