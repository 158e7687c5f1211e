package storetest

import (
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
		mustRace(t, func(int) error {
			for range each {
				u, err := store.Take(t.Context(), s, "key", at, limits)
				if err != nil {
					return err
				}
				if u.Taken {
					taken.Add(1)
				}
			}
			return nil
		})
		if got := int(taken.Load()); got != want {
			t.Fatalf("round %d: %d of %d Takes were counted, want %d", round, got, racers*each, want)
		}
	}
}

func takeEntry(t *testing.T, s store.Backend) {
	limits := store.Limits{Window: time.Minute, PerWindow: 2}
	now := time.Now()
	var u store.Usage
	var err error
	for range 3 {
		u, err = store.Take(t.Context(), s, "meter/a", now, limits)
		done(t, err, "Take")
	}
	mustList(t, s, "meter/", 1)
	if want := (store.Usage{InWindow: 2, Oldest: now.UTC().Truncate(time.Microsecond)}); u != want {
		t.Fatalf("the third Take = %+v; want %+v", u, want)
	}
	steps(t, s, "sweep 10 -> 0", "delete meter/a")
	_, err = store.Take(t.Context(), s, "meter/old", now.Add(-time.Hour), limits)
	done(t, err, "Take")
	steps(t, s, "sweep 10 -> 1")
}

func sizeGrows(t *testing.T, s store.Backend) {
	before, err := s.Size(t.Context())
	if err != nil || before < 0 {
		t.Fatalf("Size returned %d and the error %v, want 0 or more and none", before, err)
	}
	const count, length = 20, 50_000
	for i := range count {
		mustPut(t, s, keyOf(i), strings.Repeat(keyOf(i), length/len(keyOf(i))), never)
	}
	after, err := s.Size(t.Context())
	if grown := after - before; err != nil || grown < count*length/2 || grown > count*length*4 {
		t.Fatalf("Size grew by %d and returned the error %v, want about %d and none", grown, err, count*length)
	}
}
