package ratelimit_test

import (
	"bytes"
	"context"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/sqlite"
)

// Three processes on one store allow as many requests as one would.
func TestLimiter_manyProcesses(t *testing.T) {
	meter := store.NewMemory()
	limits := ratelimit.Limits{PerMinute: 100, PerDay: 150}
	replicas := []*ratelimit.Limiter{newLimiter(t, meter, limits), newLimiter(t, meter, limits), newLimiter(t, meter, limits)}
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

// out is a meter that can be unavailable.
type out struct {
	store.Backend
	gone atomic.Bool
}

func (o *out) Update(ctx context.Context, key string, change func(old store.Entry, live bool) (store.Entry, error)) error {
	if o.gone.Load() {
		return store.ErrUnavailable
	}
	return o.Backend.Update(ctx, key, change)
}

func TestLimiter_limitsAloneWithoutTheStore(t *testing.T) {
	var log bytes.Buffer
	meter := &out{Backend: store.NewMemory()}
	s, err := ratelimit.New(meter, ratelimit.Limits{PerMinute: 2}, slog.New(slog.NewTextHandler(&log, nil)))
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

func TestLimiter_withoutLimits(t *testing.T) {
	meter := &out{}
	s := newLimiter(t, meter, ratelimit.Limits{})
	assert.Equal(t, ratelimit.Decision{Allowed: true}, allow(t, s, time.Now()))
}

func TestLimiter_limitsBeyondAMeter(t *testing.T) {
	_, err := ratelimit.New(store.NewMemory(), ratelimit.Limits{PerMinute: store.MaxPerWindow + 1}, nil)
	assert.ErrorContains(t, err, "PerWindow")
}

// While the disk stalls, which holds SQLite's writer, the limits hold for this
// process.
func TestLimiter_decidesWhileTheDiskStalls(t *testing.T) {
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"), sqlite.Options{})
	require.NoError(t, err)
	l := newLimiter(t, db, ratelimit.Limits{PerMinute: 1})
	stalls, ends, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- db.Update(context.Background(), "stalls", func(store.Entry, bool) (store.Entry, error) {
			close(stalls)
			<-ends
			return store.Entry{}, nil
		})
	}()
	<-stalls
	assert.True(t, allow(t, l, start).Allowed)
	assert.False(t, allow(t, l, start).Allowed)
	close(ends)
	require.ErrorIs(t, <-ended, store.ErrUnavailable)
	require.NoError(t, db.Close())
}
