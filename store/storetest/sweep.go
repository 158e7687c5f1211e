package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/devkiln/devkiln/store"
)

func sweepClauses() []clause[store.Backend] {
	return []clause[store.Backend]{
		{"Sweep frees what has expired", sweepFrees},
		{"Sweep keeps to its limit", sweepLimit},
		{"Sweep frees expired counters", sweepCounters},
		{"Sweep frees an entry once", sweepOnce},
		{"Sweep beside Create loses nothing", sweepBesideCreate},
	}
}

func wantSwept(t *testing.T, s store.Backend, limit, want int) {
	t.Helper()
	got, err := s.Sweep(t.Context(), limit)
	if err != nil || got != want {
		t.Fatalf("Sweep(%d) = %d, %v; want %d", limit, got, err, want)
	}
}

func sweepFrees(t *testing.T, s store.Backend) {
	wantSwept(t, s, 10, 0)
	mustCreate(t, s, "expired", "value", past())
	mustCreate(t, s, "live", "value", future())
	mustCreate(t, s, "never", "value", never)
	wantSwept(t, s, 10, 1)
	wantSwept(t, s, 10, 0)
	wantAbsent(t, s, "expired")
	wantValue(t, s, "live", "value")
	wantValue(t, s, "never", "value")
	mustCreate(t, s, "expired", "again", never)
	wantValue(t, s, "expired", "again")
}

func sweepLimit(t *testing.T, s store.Backend) {
	const count = 300
	for i := range count {
		mustPut(t, s, keyOf(i), "value", time.Now().Add(-time.Duration(i+1)*time.Second))
	}
	mustPut(t, s, "live", "value", never)
	wantSwept(t, s, 1, 1)
	wantSwept(t, s, 199, 199)
	wantSwept(t, s, 200, 100)
	wantSwept(t, s, 200, 0)
	wantValue(t, s, "live", "value")
}

func sweepCounters(t *testing.T, s store.Backend) {
	mustAdd(t, s, "expired", 7, past(), 7)
	mustAdd(t, s, "live", 7, future(), 7)
	wantSwept(t, s, 10, 1)
	mustAdd(t, s, "live", 1, future(), 8)
	mustAdd(t, s, "expired", 1, future(), 1)
}

func sweepOnce(t *testing.T, s store.Backend) {
	for range 3 {
		mustPut(t, s, "often", "value", past())
		mustCreate(t, s, "created", "value", past())
	}
	mustPut(t, s, "revived", "value", past())
	mustPut(t, s, "revived", "value", future())
	wantSwept(t, s, 10, 2)
	wantSwept(t, s, 10, 0)
	wantValue(t, s, "revived", "value")
}

func sweepBesideCreate(t *testing.T, s store.Backend) {
	sweeper := func() error {
		if _, err := s.Sweep(t.Context(), 3); err != nil {
			return fmt.Errorf("a Sweep beside Create: %w", err)
		}
		return nil
	}
	const rounds = 100
	during(t, func() {
		for round := range rounds {
			mustCreate(t, s, keyOf(round), "expired", past())
			mustCreate(t, s, keyOf(round), "live", future())
		}
	}, sweeper, sweeper)
	for round := range rounds {
		wantValue(t, s, keyOf(round), "live")
	}
}
