package ratelimit_test

import (
	"bytes"
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/store"
)

func newShared(t *testing.T, meter store.Backend, limits ratelimit.Limits) *ratelimit.Shared {
	t.Helper()
	s, err := ratelimit.NewShared(meter, newLocal(limits), nil)
	require.NoError(t, err)
	return s
}

// Three processes on one store allow as many requests as one would.
func TestShared_manyProcesses(t *testing.T) {
	meter := store.NewMemory()
	limits := ratelimit.Limits{PerMinute: 100, PerDay: 150}
	replicas := []*ratelimit.Shared{newShared(t, meter, limits), newShared(t, meter, limits), newShared(t, meter, limits)}
	now := time.Now()
	burst := func(now time.Time) int32 {
		var allowed atomic.Int32
		var wg sync.WaitGroup
		for i := range 300 {
			wg.Go(func() {
				d, err := replicas[i%len(replicas)].Allow(context.Background(), "key", 0, now)
				if assert.NoError(t, err) && d.Allowed {
					allowed.Add(1)
				}
			})
		}
		wg.Wait()
		return allowed.Load()
	}
	day := time.Date(now.Year(), now.Month(), now.Day(), 12, 0, 0, 0, time.UTC)
	assert.EqualValues(t, 100, burst(day), "the minute")
	assert.EqualValues(t, 50, burst(day.Add(time.Minute)), "the day")
	assert.EqualValues(t, 100, burst(day.Add(24*time.Hour)), "the next day")
}

// Shared and Local make the same decisions.
func TestShared_agreesWithLocal(t *testing.T) {
	limits := ratelimit.Limits{PerMinute: 5, PerDay: 12}
	shared, local := newShared(t, store.NewMemory(), limits), newLocal(limits)
	now := time.Date(time.Now().Year(), 6, 1, 12, 0, 0, 0, time.UTC)
	for i := range 60 {
		now = now.Add(time.Duration(i%7) * 3 * time.Second)
		assert.Equal(t, allow(t, local, now), allow(t, shared, now), i)
	}
}

// out is a meter that can be unavailable.
type out struct {
	store.Backend
	gone atomic.Bool
}

func (o *out) Take(ctx context.Context, key string, now time.Time, limits store.Limits) (store.Usage, error) {
	if o.gone.Load() {
		return store.Usage{}, store.ErrUnavailable
	}
	return o.Backend.Take(ctx, key, now, limits)
}

func TestShared_limitsAloneWithoutTheStore(t *testing.T) {
	var log bytes.Buffer
	meter := &out{Backend: store.NewMemory()}
	s, err := ratelimit.NewShared(meter, newLocal(ratelimit.Limits{PerMinute: 2}), slog.New(slog.NewTextHandler(&log, nil)))
	require.NoError(t, err)
	now := time.Now()
	assert.True(t, allow(t, s, now).Allowed)
	meter.gone.Store(true)
	assert.True(t, allow(t, s, now).Allowed)
	assert.True(t, allow(t, s, now).Allowed)
	assert.False(t, allow(t, s, now).Allowed)
	assert.Equal(t, 1, bytes.Count(log.Bytes(), []byte("cannot be reached")), "told once")
	meter.gone.Store(false)
	assert.True(t, allow(t, s, now).Allowed)
	assert.False(t, allow(t, s, now).Allowed)
	assert.Contains(t, log.String(), "can be reached again")
}

func TestShared_withoutLimits(t *testing.T) {
	meter := &out{}
	s := newShared(t, meter, ratelimit.Limits{})
	assert.Equal(t, ratelimit.Decision{Allowed: true}, allow(t, s, time.Now()))
}

func TestShared_limitsBeyondAMeter(t *testing.T) {
	_, err := ratelimit.NewShared(store.NewMemory(), newLocal(ratelimit.Limits{PerMinute: store.MaxPerWindow + 1}), nil)
	assert.ErrorContains(t, err, "PerWindow")
}
