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

func newLocal(limits ratelimit.Limits) *ratelimit.Local {
	return ratelimit.NewLocal(store.NewMemory(), limits)
}

func allow(t *testing.T, l ratelimit.Limiter, now time.Time) ratelimit.Decision {
	t.Helper()
	d, err := l.Allow(t.Context(), "key", 0, now)
	require.NoError(t, err)
	return d
}

// For any gaps between requests, no 60 seconds contain more than the limit, and
// a request is denied only if the 60 seconds before it are full.
func TestLocal_noMinuteExceedsTheLimit(t *testing.T) {
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
			l := newLocal(ratelimit.Limits{PerMinute: limit})
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

func TestLocal_100Of101(t *testing.T) {
	l := newLocal(ratelimit.Limits{PerMinute: 100, PerDay: 10_000})
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

func TestLimiters_aKeysOwnLimit(t *testing.T) {
	limits := ratelimit.Limits{PerMinute: 2, PerDay: 10}
	for _, l := range []ratelimit.Limiter{newLocal(limits), newShared(t, store.NewMemory(), limits)} {
		ownLimits(t, l)
	}
}

func ownLimits(t *testing.T, l ratelimit.Limiter) {
	t.Helper()
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

func TestLocal_concurrentRequests(t *testing.T) {
	l := newLocal(ratelimit.Limits{PerMinute: 100})
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

func TestLocal_dayEndsAtMidnightUTC(t *testing.T) {
	l := newLocal(ratelimit.Limits{PerDay: 2})
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

func TestLocal_dayCountSurvivesARestart(t *testing.T) {
	backend := store.NewMemory()
	limits := ratelimit.Limits{PerDay: 3}
	now := time.Now() // the store's clock decides whether the count has expired
	first := ratelimit.NewLocal(backend, limits)
	allow(t, first, now)
	allow(t, first, now)
	require.NoError(t, first.Flush(t.Context(), now))
	require.NoError(t, first.Flush(t.Context(), now.Add(2*time.Minute)), "a key that is forgotten loses nothing")
	assert.Equal(t, 0, allow(t, first, now).Day.Remaining)
	require.NoError(t, first.Flush(t.Context(), now))

	second := ratelimit.NewLocal(backend, limits)
	assert.False(t, allow(t, second, now).Allowed)
}

func TestLimits_zeroIsOff(t *testing.T) {
	l := newLocal(ratelimit.Limits{})
	for range 1000 {
		require.Equal(t, ratelimit.Decision{Allowed: true}, allow(t, l, start))
	}
}

func TestLocal_clockStepsBack(t *testing.T) {
	l := newLocal(ratelimit.Limits{PerMinute: 2})
	assert.True(t, allow(t, l, start).Allowed)
	assert.True(t, allow(t, l, start.Add(-30*time.Second)).Allowed)
	assert.False(t, allow(t, l, start.Add(-time.Hour)).Allowed)
	assert.False(t, allow(t, l, start.Add(45*time.Second)).Allowed)
	assert.True(t, allow(t, l, start.Add(60*time.Second)).Allowed)
}

func TestLocal_flushDuringRequests(t *testing.T) {
	backend := store.NewMemory()
	l := ratelimit.NewLocal(backend, ratelimit.Limits{PerDay: 1_000_000})
	now := time.Now()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 500 {
				_, err := l.Allow(context.Background(), "key", 0, now)
				assert.NoError(t, err)
			}
		})
	}
	for range 200 {
		require.NoError(t, l.Flush(t.Context(), now))
	}
	wg.Wait()
	assert.Equal(t, 1_000_000-4001, allow(t, l, now).Day.Remaining)
}

// unreadable is a Memory whose reads are unavailable for a while.
type unreadable struct {
	*store.Memory
	gone bool
}

func (a *unreadable) Get(ctx context.Context, key string) ([]byte, error) {
	if a.gone {
		return nil, store.ErrUnavailable
	}
	return a.Memory.Get(ctx, key)
}

func TestLocal_catchesUpAfterAnOutage(t *testing.T) {
	backend := &unreadable{Memory: store.NewMemory()}
	limits := ratelimit.Limits{PerMinute: 10, PerDay: 10}
	now := time.Now()
	before := ratelimit.NewLocal(backend, limits)
	for range 4 {
		allow(t, before, now)
	}
	require.NoError(t, before.Flush(t.Context(), now))

	backend.gone = true
	l := ratelimit.NewLocal(backend, limits)
	assert.Equal(t, 9, allow(t, l, now).Day.Remaining, "what was counted before is not known")
	require.NoError(t, l.Flush(t.Context(), now))
	assert.Equal(t, 4, allow(t, l, now).Day.Remaining, "4 before, 1 during the outage, 1 now")
}

func ExampleLocal() {
	l := ratelimit.NewLocal(store.NewMemory(), ratelimit.Limits{PerMinute: 2})
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
	l := newLocal(ratelimit.Limits{PerMinute: 100, PerDay: 10_000})
	now := start
	for b.Loop() {
		now = now.Add(time.Second)
		if _, err := l.Allow(b.Context(), "key", 0, now); err != nil {
			b.Fatal(err)
		}
	}
}
