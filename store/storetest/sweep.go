package storetest

import (
	"testing"
	"time"

	"github.com/devkiln/devkiln/store"
)

func sweepLimit(t *testing.T, s store.Backend) {
	const count = 300
	for i := range count {
		mustPut(t, s, keyOf(i), "value", time.Now().Add(-time.Duration(i+1)*time.Second))
	}
	steps(t, s, "put live value never", "sweep 1 -> 1", "sweep 199 -> 199", "sweep 200 -> 100", "sweep 200 -> 0", "get live -> value")
}

func sweepBesideCreate(t *testing.T, s store.Backend) {
	sweeper := func() error {
		_, err := s.Sweep(t.Context(), 3)
		return err
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
