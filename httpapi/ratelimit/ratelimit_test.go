package ratelimit_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/store"
)

var start = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

func newLimiter(tb testing.TB, meter store.Backend, limits ratelimit.Limits) *ratelimit.Limiter {
	tb.Helper()
	l, err := ratelimit.New(meter, limits, nil)
	require.NoError(tb, err)
	return l
}

func allow(t *testing.T, l *ratelimit.Limiter, now time.Time) ratelimit.Decision {
	t.Helper()
	d, err := l.Allow(t.Context(), "key", 0, now)
	require.NoError(t, err)
	return d
}

// For any gaps between requests, no 60 seconds contain more than the limit, and
// a request is denied only if the 60 seconds before it are full.
func TestLimiter_noMinuteExceedsTheLimit(t *testing.T) {
	const limit = 100
	for name, gap := range map[string]func(*rand.Rand) time.Duration{
		"burst":      func(*rand.Rand) time.Duration { return 0 },
		"slow burst": func(*rand.Rand) time.Duration { return 59 * time.Second / 100 },
		"steady":     func(*rand.Rand) time.Duration { return 600 * time.Millisecond },
		"random":     func(r *rand.Rand) time.Duration { return time.Duration(r.Int64N(int64(time.Second))) },
		"in heaps": func(r *rand.Rand) time.Duration {
			return time.Duration(r.Int64N(2)*r.Int64N(2)) * 40 * time.Second
		},
	} {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			l := newLimiter(t, store.NewMemory(), ratelimit.Limits{PerMinute: limit})
			var allowed []time.Time
			now := start
			for range 2000 {
				inWindow := 0
				for _, at := range allowed {
					if now.Sub(at) < time.Minute {
						inWindow++
					}
				}
				d := allow(t, l, now)
				require.Equal(t, inWindow < limit, d.Allowed, "%d in the minute before", inWindow)
				if d.Allowed {
					allowed = append(allowed, now)
				}
				now = now.Add(gap(random))
			}
		})
	}
}

func TestLimiter_100Of101(t *testing.T) {
	l := newLimiter(t, store.NewMemory(), ratelimit.Limits{PerMinute: 100, PerDay: 10_000})
	for i := range 100 {
		d := allow(t, l, start.Add(time.Duration(i)*599*time.Millisecond))
		require.True(t, d.Allowed)
		assert.Equal(t, 99-i, d.Minute.Remaining)
		assert.Equal(t, 9_999-i, d.Day.Remaining)
	}
	last := start.Add(59_999 * time.Millisecond)
	d := allow(t, l, last)
	assert.False(t, d.Allowed)
	assert.Equal(t, time.Millisecond, d.Minute.Reset)
	assert.Equal(t, time.Millisecond, d.RetryAfter())
	assert.Equal(t, 9_900, d.Day.Remaining, "a denied request uses no quota")
	assert.True(t, allow(t, l, last.Add(d.RetryAfter())).Allowed, "the wait that was told is enough")
	assert.False(t, allow(t, l, last.Add(d.RetryAfter())).Allowed)
}

func TestLimiter_aKeysOwnLimit(t *testing.T) {
	l := newLimiter(t, store.NewMemory(), ratelimit.Limits{PerMinute: 2, PerDay: 10})
	for name, own := range map[string]int{"narrow": 1, "wide": 5, "none": 0} {
		allowed := 0
		for range 8 {
			d, err := l.Allow(t.Context(), name, own, start)
			assert.NoError(t, err)
			assert.Equal(t, 10, d.Day.Limit)
			if d.Allowed {
				allowed++
			}
		}
		assert.Equal(t, cmp.Or(own, 2), allowed, name)
	}
}

func TestLimiter_concurrentRequests(t *testing.T) {
	l := newLimiter(t, store.NewMemory(), ratelimit.Limits{PerMinute: 100})
	var allowed atomic.Int32
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 20 {
				d, err := l.Allow(context.Background(), "key", 0, start)
				if err == nil && d.Allowed {
					allowed.Add(1)
				}
			}
		})
	}
	wg.Wait()
	assert.EqualValues(t, 100, allowed.Load())
}

func TestLimiter_dayEndsAtMidnightUTC(t *testing.T) {
	l := newLimiter(t, store.NewMemory(), ratelimit.Limits{PerDay: 2})
	elsewhere := time.FixedZone("elsewhere", 5*3600)
	late := time.Date(2026, 11, 21, 4, 59, 59, 0, elsewhere) // 23:59:59 UTC on the 20th
	assert.True(t, allow(t, l, late).Allowed)
	d := allow(t, l, late)
	assert.True(t, d.Allowed)
	assert.Equal(t, ratelimit.Quota{Limit: 2, Remaining: 0, Reset: time.Second}, d.Day)
	d = allow(t, l, late)
	assert.False(t, d.Allowed)
	assert.Equal(t, time.Second, d.RetryAfter())
	d = allow(t, l, late.Add(time.Second))
	assert.True(t, d.Allowed)
	assert.Equal(t, ratelimit.Quota{Limit: 2, Remaining: 1, Reset: 24 * time.Hour}, d.Day)
}

func TestLimiter_dayCountSurvivesARestart(t *testing.T) {
	backend := store.NewMemory()
	limits := ratelimit.Limits{PerDay: 3}
	now := time.Now() // the store's clock decides whether the count has expired
	first := newLimiter(t, backend, limits)
	allow(t, first, now)
	assert.Equal(t, 1, allow(t, first, now).Day.Remaining)

	second := newLimiter(t, backend, limits)
	assert.Equal(t, 0, allow(t, second, now).Day.Remaining)
	assert.False(t, allow(t, second, now).Allowed)
}

func TestLimits_zeroIsOff(t *testing.T) {
	l := newLimiter(t, store.NewMemory(), ratelimit.Limits{})
	for range 1000 {
		require.Equal(t, ratelimit.Decision{Allowed: true}, allow(t, l, start))
	}
}

func TestLimiter_clockStepsBack(t *testing.T) {
	l := newLimiter(t, store.NewMemory(), ratelimit.Limits{PerMinute: 2})
	assert.True(t, allow(t, l, start).Allowed)
	assert.True(t, allow(t, l, start.Add(-30*time.Second)).Allowed)
	assert.False(t, allow(t, l, start.Add(-50*time.Second)).Allowed)
	assert.False(t, allow(t, l, start.Add(45*time.Second)).Allowed)
	assert.True(t, allow(t, l, start.Add(60*time.Second)).Allowed)
}

func ExampleLimiter() {
	l, err := ratelimit.New(store.NewMemory(), ratelimit.Limits{PerMinute: 2}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	for range 3 {
		d, err := l.Allow(context.Background(), "key", 0, now)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(d.Allowed, d.Minute.Remaining, d.RetryAfter())
		now = now.Add(10 * time.Second)
	}
	// Output:
	// true 1 0s
	// true 0 0s
	// false 0 40s
}

func BenchmarkAllow(b *testing.B) {
	l := newLimiter(b, store.NewMemory(), ratelimit.Limits{PerMinute: 100, PerDay: 10_000})
	now := start
	for b.Loop() {
		now = now.Add(time.Second)
		if _, err := l.Allow(b.Context(), "key", 0, now); err != nil {
			b.Fatal(err)
		}
	}
}
