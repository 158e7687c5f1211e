package usage_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/usage"
	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/sqlite"
)

func TestCounter_addsUpOverProcesses(t *testing.T) {
	backend := store.NewMemory()
	now := time.Now()
	here, there := usage.New(backend), usage.New(backend)
	for _, status := range []int{200, 200, 303, 400, 404, 429, 503} {
		here.Count("k1", "log-share", status, now)
	}
	there.Count("k1", "log-share", 200, now)
	there.Count("k2", "slug-generator", 200, now)
	there.Count("k1", "log-share", 200, now.AddDate(0, 0, -1))
	require.NoError(t, here.Flush(t.Context()))
	require.NoError(t, there.Flush(t.Context()))
	require.NoError(t, there.Flush(t.Context()), "nothing is added twice")

	counts, err := usage.New(backend).OfDays(t.Context(), "", now, 1)
	require.NoError(t, err)
	sums := usage.SumBy(counts, func(c usage.Count) string { return c.Key })
	assert.Equal(t, usage.Sum{OK: 4, Limited: 1, Refused: 2, Failed: 1}, sums["k1"])
	assert.EqualValues(t, 8, sums["k1"].All())
	assert.EqualValues(t, 7, sums["k1"].Taken(), "429 uses up nothing")
	assert.EqualValues(t, 3, sums["k1"].Errors())
	assert.Equal(t, []string{"k1", "k2"}, usage.Busiest(sums))

	counts, err = here.OfDays(t.Context(), "k1", now, 2)
	require.NoError(t, err)
	days := usage.SumBy(counts, func(c usage.Count) string { return c.Day })
	assert.Len(t, days, 2)
	assert.EqualValues(t, 1, days[usage.Day(now.AddDate(0, 0, -1))].All())
	assert.Equal(t, usage.Day(now.AddDate(0, 0, -1)), counts[0].Day, "oldest first")
}

func TestCounter_keepsAMonth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := usage.New(store.NewMemory())
		start := time.Now()
		c.Count("k", "slug-generator", 200, start)
		require.NoError(t, c.Flush(t.Context()))
		<-time.After(30 * 24 * time.Hour)
		counts, err := c.OfDays(t.Context(), "", start, 1)
		require.NoError(t, err)
		assert.Len(t, counts, 1)
		<-time.After(2 * 24 * time.Hour)
		counts, err = c.OfDays(t.Context(), "", start, 1)
		require.NoError(t, err)
		assert.Empty(t, counts)
	})
}

// The overview of a month in which 1,000 keys used three operations each day.
func BenchmarkCounter_OfDays(b *testing.B) {
	db, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "usage.db"), sqlite.Options{})
	require.NoError(b, err)
	defer db.Close()
	c, now := usage.New(db), time.Now()
	for day := range 30 {
		for key := range 1000 {
			for _, operation := range []string{"log-share", "log-share-read", "slug-generator"} {
				c.Count(fmt.Sprintf("key%03d", key), operation, 200, now.AddDate(0, 0, -day))
			}
		}
	}
	require.NoError(b, c.Flush(b.Context()))
	for b.Loop() {
		counts, err := c.OfDays(b.Context(), "", now, 30)
		require.NoError(b, err)
		require.Len(b, counts, 90_000)
	}
}

// away is a store that is unavailable for a while.
type away struct {
	store.Backend
	gone bool
}

func (a *away) Update(ctx context.Context, key string, change func(old store.Entry, live bool) (store.Entry, error)) error {
	if a.gone {
		return store.ErrUnavailable
	}
	return a.Backend.Update(ctx, key, change)
}

func TestCounter_writesAgainAfterAFault(t *testing.T) {
	backend := &away{store.NewMemory(), true}
	c := usage.New(backend)
	now := time.Now()
	c.Count("k", "slug-generator", 200, now)
	require.ErrorIs(t, c.Flush(t.Context()), store.ErrUnavailable)
	c.Count("k", "slug-generator", 200, now)
	backend.gone = false
	require.NoError(t, c.Flush(t.Context()))
	counts, err := c.OfDays(t.Context(), "", now, 1)
	require.NoError(t, err)
	require.Len(t, counts, 1)
	assert.EqualValues(t, 2, counts[0].N)
}

func ExampleCounter() {
	ctx := context.Background()
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	c := usage.New(store.NewMemory())
	c.Count("4b9d0c1e2f3a", "log-share", 200, now)
	c.Count("4b9d0c1e2f3a", "log-share", 429, now)
	if err := c.Flush(ctx); err != nil {
		fmt.Println(err)
		return
	}
	counts, err := c.OfDays(ctx, "", now, 1)
	fmt.Println(counts, err)
	// Output: [{2026-11-20 4b9d0c1e2f3a log-share limited 1} {2026-11-20 4b9d0c1e2f3a log-share ok 1}] <nil>
}

// Refused requests, which anyone can send, do not evict failed ones.
func TestCounter_failuresOfTwoKinds(t *testing.T) {
	c, now := usage.New(store.NewMemory()), time.Now()
	c.Fail(usage.Failure{At: now, RequestID: "failed", Status: 503})
	for i := range 150 {
		c.Fail(usage.Failure{At: now.Add(time.Duration(i+1) * time.Second), RequestID: strconv.Itoa(i), Status: 400})
	}
	failures := c.Failures()
	require.Len(t, failures, 101)
	assert.Equal(t, []string{"149", "50", "failed"}, []string{failures[0].RequestID, failures[99].RequestID, failures[100].RequestID})
}
