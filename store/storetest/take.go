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

func takeClauses() []clause[store.Backend] {
	return []clause[store.Backend]{
		{"Take keeps to a sliding window", takeWindow},
		{"Take keeps to a period", takePeriod},
		{"Take keeps to both limits", takeBoth},
		{"Take counts without a limit", takeUnlimited},
		{"Take keeps the times in order", takeOrder},
		{"racing Takes keep to the limits", takeRace},
		{"what Take counts is an entry", takeEntry},
		{"Take refuses bad arguments", takeArguments},
	}
}

func mustTake(t *testing.T, s store.Backend, key string, now time.Time, limits store.Limits, want store.Usage) {
	t.Helper()
	got, err := s.Take(t.Context(), key, now, limits)
	if err != nil || got != want {
		t.Fatalf("Take at %v = %+v, %v; want %+v", now, got, err, want)
	}
}

// noon is a round time about now.
func noon() time.Time { return time.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour) }

func takeWindow(t *testing.T, s store.Backend) {
	limits := store.Limits{Window: time.Minute, PerWindow: 3}
	at := noon()
	mustTake(t, s, "key", at, limits, store.Usage{Taken: true, InWindow: 1, Oldest: at})
	mustTake(t, s, "key", at.Add(20*time.Second), limits, store.Usage{Taken: true, InWindow: 2, Oldest: at})
	mustTake(t, s, "key", at.Add(20*time.Second), limits, store.Usage{Taken: true, InWindow: 3, Oldest: at})
	full := store.Usage{InWindow: 3, Oldest: at}
	mustTake(t, s, "key", at.Add(20*time.Second), limits, full)
	mustTake(t, s, "key", at.Add(time.Minute-time.Microsecond), limits, full)
	mustTake(t, s, "other", at, limits, store.Usage{Taken: true, InWindow: 1, Oldest: at})

	second := at.Add(20 * time.Second)
	mustTake(t, s, "key", at.Add(time.Minute), limits, store.Usage{Taken: true, InWindow: 3, Oldest: second})
	mustTake(t, s, "key", at.Add(time.Minute), limits, store.Usage{InWindow: 3, Oldest: second})
	last := at.Add(5 * time.Minute)
	mustTake(t, s, "key", last, limits, store.Usage{Taken: true, InWindow: 1, Oldest: last})

	lowered := store.Limits{Window: time.Minute, PerWindow: 1}
	mustTake(t, s, "key", last, lowered, store.Usage{InWindow: 1, Oldest: last})
}

func takePeriod(t *testing.T, s store.Backend) {
	limits := store.Limits{Period: 24 * time.Hour, PerPeriod: 2}
	at := noon()
	mustTake(t, s, "key", at, limits, store.Usage{Taken: true, InPeriod: 1})
	mustTake(t, s, "key", at.Add(12*time.Hour-time.Microsecond), limits, store.Usage{Taken: true, InPeriod: 2})
	mustTake(t, s, "key", at.Add(12*time.Hour-time.Microsecond), limits, store.Usage{InPeriod: 2})
	mustTake(t, s, "key", at.Add(12*time.Hour), limits, store.Usage{Taken: true, InPeriod: 1})
}

func takeBoth(t *testing.T, s store.Backend) {
	limits := store.Limits{Window: time.Minute, PerWindow: 2, Period: 24 * time.Hour, PerPeriod: 3}
	at := noon()
	mustTake(t, s, "key", at, limits, store.Usage{Taken: true, InWindow: 1, Oldest: at, InPeriod: 1})
	mustTake(t, s, "key", at, limits, store.Usage{Taken: true, InWindow: 2, Oldest: at, InPeriod: 2})
	mustTake(t, s, "key", at, limits, store.Usage{InWindow: 2, Oldest: at, InPeriod: 2})
	later := at.Add(time.Hour)
	mustTake(t, s, "key", later, limits, store.Usage{Taken: true, InWindow: 1, Oldest: later, InPeriod: 3})
	mustTake(t, s, "key", later, limits, store.Usage{InWindow: 1, Oldest: later, InPeriod: 3})
	mustTake(t, s, "key", later.Add(time.Hour), limits, store.Usage{InPeriod: 3})
}

func takeUnlimited(t *testing.T, s store.Backend) {
	at := noon()
	for i := range int64(10) {
		mustTake(t, s, "period", at, store.Limits{Period: time.Hour}, store.Usage{Taken: true, InPeriod: i + 1})
	}
	mustTake(t, s, "period", at.Add(time.Hour), store.Limits{Period: time.Hour}, store.Usage{Taken: true, InPeriod: 1})
}

// takeOrder takes at times that jump, as the clocks of several machines do.
func takeOrder(t *testing.T, s store.Backend) {
	limits := store.Limits{Window: time.Minute, PerWindow: 3}
	at := noon()
	mustTake(t, s, "key", at, limits, store.Usage{Taken: true, InWindow: 1, Oldest: at})
	mustTake(t, s, "key", at.Add(-time.Second), limits, store.Usage{Taken: true, InWindow: 2, Oldest: at})
	mustTake(t, s, "key", at.Add(-2*time.Second), limits, store.Usage{Taken: true, InWindow: 3, Oldest: at})
	mustTake(t, s, "key", at.Add(-3*time.Second), limits, store.Usage{InWindow: 3, Oldest: at})
	setBack := at.Add(-time.Hour)
	mustTake(t, s, "key", setBack, limits, store.Usage{Taken: true, InWindow: 1, Oldest: setBack})
}

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
	wantKeys(t, s, "meter/", "", 10, "meter/a")
	value, err := s.Get(t.Context(), "meter/a")
	done(t, err, "Get of what Take counts")
	at := now.UTC().Truncate(time.Microsecond)
	want := store.Usage{Taken: true, InWindow: 2, Oldest: at}
	if u, err := limits.Usage(value); err != nil || u != want {
		t.Fatalf("Usage of %q = %+v, %v; want %+v", value, u, err, want)
	}
	wantSwept(t, s, 10, 0)
	mustDelete(t, s, "meter/a")
	mustTake(t, s, "meter/a", now, limits, store.Usage{Taken: true, InWindow: 1, Oldest: at})
	_, err = s.Take(t.Context(), "meter/old", now.Add(-time.Hour), limits)
	done(t, err, "Take")
	wantSwept(t, s, 10, 1)
}

func takeArguments(t *testing.T, s store.Backend) {
	good := store.Limits{Window: time.Minute, PerWindow: 2}
	mustPut(t, s, "live", "text", never)
	mustPut(t, s, "number", "1", never)
	mustPut(t, s, "expired", "text", past())
	for _, key := range []string{"live", "number"} {
		_, err := s.Take(t.Context(), key, time.Now(), good)
		wantPlainError(t, err, "Take from the entry "+key)
	}
	wantValue(t, s, "live", "text")
	at := noon()
	mustTake(t, s, "expired", at, good, store.Usage{Taken: true, InWindow: 1, Oldest: at})
	for _, bad := range []store.Limits{
		{PerWindow: -1, Window: time.Minute},
		{PerWindow: store.MaxPerWindow + 1, Window: time.Minute},
		{PerWindow: 1},
		{PerPeriod: 1},
		{PerPeriod: -1, Period: time.Hour},
		{Period: -time.Hour},
	} {
		_, err := s.Take(t.Context(), "key", time.Now(), bad)
		wantPlainError(t, err, fmt.Sprintf("Take with %+v", bad))
	}
	wantAbsent(t, s, "key")
}

func sizeClauses() []clause[store.Backend] {
	return []clause[store.Backend]{{"Size grows with what is stored", sizeGrows}}
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
