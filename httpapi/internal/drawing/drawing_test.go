package drawing_test

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/internal/drawing"
)

const (
	small = time.Millisecond
	large = time.Second
)

// run draws pictures that take a second each, in their order of arrival, and
// returns when each was finished.
func run(t *testing.T, pictures ...string) map[string][]time.Duration {
	t.Helper()
	done := make(map[string][]time.Duration)
	synctest.Test(t, func(t *testing.T) {
		q := drawing.New()
		start := time.Now()
		var all sync.WaitGroup
		var mu sync.Mutex
		for _, picture := range pictures {
			caller, size, _ := strings.Cut(picture, " ")
			work := map[string]time.Duration{"small": small, "large": large}[size]
			all.Go(func() {
				assert.NoError(t, q.Do(t.Context(), caller, work, func() error {
					time.Sleep(time.Second)
					return nil
				}))
				mu.Lock()
				defer mu.Unlock()
				done[caller] = append(done[caller], time.Since(start))
			})
			synctest.Wait()
		}
		all.Wait()
	})
	return done
}

func twoProcessors(t *testing.T) {
	before := runtime.GOMAXPROCS(2)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

func TestQueue_drawsOnePictureOfACallerAtATime(t *testing.T) {
	twoProcessors(t)
	done := run(t, "a small", "a small", "a small", "b small")
	assert.Equal(t, []time.Duration{time.Second, 2 * time.Second, 3 * time.Second}, done["a"])
	assert.Equal(t, []time.Duration{time.Second}, done["b"], "nobody waits for the many of another")
}

func TestQueue_takesCallersByTurns(t *testing.T) {
	twoProcessors(t)
	done := run(t, "a small", "b small", "a small", "b small", "a small", "b small", "a small", "b small", "c small")
	assert.Equal(t, []time.Duration{3 * time.Second}, done["c"], "it comes before the third pictures of a and b")
}

func TestQueue_leavesAPlaceToSmallPictures(t *testing.T) {
	twoProcessors(t)
	done := run(t, "a large", "b large", "c large", "d small")
	assert.Equal(t, []time.Duration{time.Second}, done["d"])
	assert.Equal(t, []time.Duration{3 * time.Second}, done["c"])
}

func TestQueue_forgetsWhoGoesAway(t *testing.T) {
	twoProcessors(t)
	synctest.Test(t, func(t *testing.T) {
		q := drawing.New()
		release := make(chan struct{})
		go func() { _ = q.Do(t.Context(), "a", small, func() error { <-release; return nil }) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, q.Do(ctx, "a", small, func() error { panic("it is not its turn") }), context.DeadlineExceeded)
		close(release)
		require.NoError(t, q.Do(t.Context(), "a", small, func() error { return nil }))
	})
}

func TestQueue_isBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := drawing.New()
		release := make(chan struct{})
		for range 1 + 32 {
			go func() { _ = q.Do(t.Context(), "a", small, func() error { <-release; return nil }) }()
		}
		synctest.Wait()
		require.ErrorIs(t, q.Do(t.Context(), "a", small, nil), drawing.ErrBusy)
		require.NoError(t, q.Do(t.Context(), "b", small, func() error { return nil }))
		close(release)
	})
}

func TestDo_drawsAtOnceWithoutAQueue(t *testing.T) {
	drawn := false
	require.NoError(t, drawing.Do(t.Context(), large, func() error { drawn = true; return nil }))
	assert.True(t, drawn)
}

func TestWorkers_twoForALargePictureAlone(t *testing.T) {
	before := runtime.GOMAXPROCS(4)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	for processors, alone := range map[int]int{2: 1, 4: 2} {
		runtime.GOMAXPROCS(processors)
		q := drawing.New()
		first, second := drawing.NewContext(t.Context(), q, "a"), drawing.NewContext(t.Context(), q, "b")
		require.NoError(t, drawing.Do(first, large, func() error {
			assert.Equal(t, 1, drawing.Workers(first, small), "%d processors", processors)
			assert.Equal(t, alone, drawing.Workers(first, large), "%d processors", processors)
			return drawing.Do(second, small, func() error {
				assert.Equal(t, 1, drawing.Workers(second, large), "%d processors", processors)
				return nil
			})
		}))
	}
	assert.Equal(t, 1, drawing.Workers(t.Context(), large), "without a queue")
}
