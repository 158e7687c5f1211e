package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/devkiln/devkiln/store"
)

func wantSwept(t *testing.T, s store.Backend, limit, want int) {
	t.Helper()
	got, err := s.Sweep(t.Context(), limit)
	if err != nil || got != want {
		t.Fatalf("Sweep(%d) = %d, %v; want %d", limit, got, err, want)
	}
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
