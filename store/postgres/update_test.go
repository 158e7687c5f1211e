package postgres_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/pgtest"
	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/postgres"
)

// TestTake_agreesWithMeter takes at random times, some earlier than the last,
// with changing limits, and compares the SQL statement with the Go
// implementation, including the stored value.
func TestTake_agreesWithMeter(t *testing.T) {
	t.Parallel()
	db := open(t, pgtest.Shared(t).NewSchema(), postgres.Options{})
	memory := store.NewMemory()
	source := rand.New(rand.NewPCG(3, 4))
	start := time.Now()
	for round := range 20 {
		limits := store.Limits{Window: time.Duration(1+source.IntN(60)) * time.Second, PerWindow: source.IntN(6)}
		if round%3 > 0 {
			limits.Period = time.Duration(1+source.IntN(10)) * time.Minute
			limits.PerPeriod = int64(source.IntN(20))
		}
		key, now := "key", start
		for range 100 {
			now = now.Add(time.Duration(source.IntN(10_000_000)-1_000_000) * time.Microsecond)
			if source.IntN(50) == 0 {
				now = now.Add(time.Duration(source.IntN(7200)-3600) * time.Second)
			}
			want, err := store.Take(t.Context(), memory, key, now, limits)
			require.NoError(t, err)
			got, err := store.Take(t.Context(), db, key, now, limits)
			require.NoError(t, err)
			require.Equal(t, want, got, "%+v at %v", limits, now.Sub(start))
			wantValue, err := memory.Get(t.Context(), key)
			if err != nil {
				continue // expired by the clock, which Take in Go ignores
			}
			gotValue, err := db.Get(t.Context(), key)
			require.NoError(t, err)
			require.Equal(t, string(wantValue), string(gotValue))
		}
	}
}
