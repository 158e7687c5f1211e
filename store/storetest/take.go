package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/devkiln/devkiln/store"
)

// noon returns 12:00 UTC today.
func noon() time.Time { return time.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour) }

func takeRace(t *testing.T, s store.Backend) {
	const each, perWindow, perPeriod = 10, 100, 120
	limits := store.Limits{Window: time.Minute, PerWindow: perWindow, Period: 24 * time.Hour, PerPeriod: perPeriod}
	for round, want := range []int{perWindow, perPeriod - perWindow, 0} {
		at := noon().Add(time.Duration(round) * time.Hour)
		var taken atomic.Int64
		done(t, errors.Join(race(func(int) error {
			for range each {
				u, err := s.Take(t.Context(), "key", at, limits)
				if err != nil {
					return fmt.Errorf("a Take: %w", err)
				}
				if u.Taken {
					taken.Add(1)
				}
			}
			return nil
		})...), "a race")
		if got := int(taken.Load()); got != want {
			t.Fatalf("round %d: %d of %d Takes were counted, want %d", round, got, racers*each, want)
		}
	}
}

func takeEntry(t *testing.T, s store.Backend) {
	limits := store.Limits{Window: time.Minute, PerWindow: 2}
	now := time.Now()
	for range 3 {
		_, err := s.Take(t.Context(), "meter/a", now, limits)
		done(t, err, "Take")
	}
	mustList(t, s, "meter/", 1)
	value, err := s.Get(t.Context(), "meter/a")
	done(t, err, "Get of what Take counts")
	at := now.UTC().Truncate(time.Microsecond)
	want := store.Usage{Taken: true, InWindow: 2, Oldest: at}
	if u, err := limits.Usage(value); err != nil || u != want {
		t.Fatalf("Usage of %q = %+v, %v; want %+v", value, u, err, want)
	}
	wantSwept(t, s, 10, 0)
	mustDelete(t, s, "meter/a")
	_, err = s.Take(t.Context(), "meter/old", now.Add(-time.Hour), limits)
	done(t, err, "Take")
	wantSwept(t, s, 10, 1)
}

func sizeGrows(t *testing.T, s store.Backend) {
	before, err := s.Size(t.Context())
	if err != nil || before < 0 {
		t.Fatalf("Size = %d, %v", before, err)
	}
	const count, length = 20, 50_000
	for i := range count {
		mustPut(t, s, keyOf(i), strings.Repeat(keyOf(i), length/len(keyOf(i))), never)
	}
	after, err := s.Size(t.Context())
	if grown := after - before; err != nil || grown < count*length/2 || grown > count*length*4 {
		t.Fatalf("Size grew by %d, %v; want about %d", grown, err, count*length)
	}
}
