package fair_test

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/internal/fair"
)

const (
	short  = time.Millisecond
	medium = 150 * time.Millisecond
	long   = time.Second
	mb     = 1 << 20
)

func twoProcessors(t *testing.T) {
	before := runtime.GOMAXPROCS(2)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// run does work that takes a second each, in the order of arrival, and returns
// when each was finished. An owner with a slash is a member of a group.
func run(t *testing.T, works ...string) map[string][]time.Duration {
	t.Helper()
	twoProcessors(t)
	done := make(map[string][]time.Duration)
	synctest.Test(t, func(t *testing.T) {
		q := fair.NewQueue(mb)
		start := time.Now()
		var all sync.WaitGroup
		var mu sync.Mutex
		for _, one := range works {
			owner, size, _ := strings.Cut(one, " ")
			work := map[string]time.Duration{"short": short, "medium": medium, "long": long}[size]
			all.Go(func() {
				assert.NoError(t, q.Lease(strings.Split(owner, "/")...).Do(t.Context(), work, func() error {
					time.Sleep(time.Second)
					return nil
				}))
				mu.Lock()
				defer mu.Unlock()
				done[owner] = append(done[owner], time.Since(start))
			})
			synctest.Wait()
		}
		all.Wait()
	})
	return done
}

func TestQueue_oneTurnOfAnOwnerAtATime(t *testing.T) {
	done := run(t, "a short", "a short", "a short", "b short")
	assert.Equal(t, []time.Duration{time.Second, 2 * time.Second, 3 * time.Second}, done["a"])
	assert.Equal(t, []time.Duration{time.Second}, done["b"], "nobody waits for the many of another")
}

func TestQueue_ownersTakeTurns(t *testing.T) {
	done := run(t, "a short", "b short", "a short", "b short", "a short", "b short", "a short", "b short", "c short")
	assert.Equal(t, []time.Duration{2 * time.Second}, done["c"], "it comes before the second of b")
}

// Many addresses together delay a key no more than another key does.
func TestQueue_groupsTakeTurns(t *testing.T) {
	var works []string
	for i := range 20 {
		works = append(works, fmt.Sprintf("visitors/192.0.2.%d short", i))
	}
	done := run(t, append(works, "key short", "visitors/late short", "key short")...)
	assert.Equal(t, []time.Duration{2 * time.Second, 3 * time.Second}, done["key"])
	assert.Equal(t, []time.Duration{12 * time.Second}, done["visitors/late"], "after those that came before, and the key's two")
}

// A network whose addresses have had many turns waits for one that had none.
func TestQueue_networksTakeTurns(t *testing.T) {
	done := run(t, "v/n/1 short", "v/n/2 short", "v/n/3 short", "v/n/4 short", "v/n/5 short", "v/n/6 short", "v/m/1 short", "v/9 short")
	assert.Equal(t, []time.Duration{2 * time.Second}, done["v/m/1"])
	assert.Equal(t, []time.Duration{2 * time.Second}, done["v/9"])
}

// Groups take turns by the work they have caused, not by its number.
func TestQueue_workCounts(t *testing.T) {
	done := run(t, "g/1 medium", "g/2 medium", "g/3 medium", "h/1 short", "h/2 short", "h/3 short", "h/4 short", "h/5 short", "h/6 short")
	assert.Equal(t, []time.Duration{4 * time.Second}, done["h/6"])
	assert.Equal(t, []time.Duration{5 * time.Second}, done["g/3"])
}

func TestQueue_leavesAProcessorToShortWork(t *testing.T) {
	done := run(t, "a long", "b long", "c long", "d short")
	assert.Equal(t, []time.Duration{time.Second}, done["d"])
	assert.Equal(t, []time.Duration{3 * time.Second}, done["c"])
}

func TestQueue_forgetsWhoGoesAway(t *testing.T) {
	twoProcessors(t)
	synctest.Test(t, func(t *testing.T) {
		q := fair.NewQueue(mb)
		release := make(chan struct{})
		go func() { _ = q.Lease("a").Do(t.Context(), short, func() error { <-release; return nil }) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, q.Lease("a").Do(ctx, short, func() error { panic("it is not its turn") }), context.DeadlineExceeded)
		close(release)
		require.NoError(t, q.Lease("a").Do(t.Context(), short, func() error { return nil }))
		assert.Zero(t, q.Owners())
	})
}

// A full queue drops the newest work of those who wait for most.
func TestQueue_isBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := fair.NewQueue(mb)
		release := make(chan struct{})
		var refused []string
		var all sync.WaitGroup
		come := func(owner ...string) {
			all.Go(func() {
				if err := q.Lease(owner...).Do(t.Context(), long, func() error { <-release; return nil }); err != nil {
					assert.ErrorIs(t, err, fair.ErrBusy)
					refused = append(refused, strings.Join(owner, "/"))
				}
			})
			synctest.Wait()
		}
		for range runtime.GOMAXPROCS(0) {
			come("key", "running")
		}
		for i := range 256 - runtime.GOMAXPROCS(0) + 1 {
			come("visitors", strconv.Itoa(i%250))
		}
		require.Empty(t, refused)
		come("b")
		come("visitors", "late")
		require.Len(t, refused, 2)
		assert.True(t, strings.HasPrefix(refused[0], "visitors/"))
		assert.True(t, strings.HasPrefix(refused[1], "visitors/"))
		assert.NotContains(t, refused, "visitors/late", "another address waits for two")
		close(release)
		all.Wait()
		assert.Zero(t, q.Owners())
	})
}

func TestDo_atOnceWithoutALease(t *testing.T) {
	done := false
	require.NoError(t, fair.Do(t.Context(), long, func() error { done = true; return nil }))
	require.NoError(t, fair.FromContext(t.Context()).As("a").Do(t.Context(), long, func() error { return nil }))
	assert.True(t, done)
}

func TestWorkers_twoForLongWorkAlone(t *testing.T) {
	before := runtime.GOMAXPROCS(4)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	for processors, alone := range map[int]int{2: 1, 4: 2} {
		runtime.GOMAXPROCS(processors)
		q := fair.NewQueue(mb)
		first, second := q.Lease("a"), q.Lease("b")
		require.NoError(t, first.Do(t.Context(), long, func() error {
			assert.Equal(t, 1, first.Workers(short), "%d processors", processors)
			assert.Equal(t, alone, first.Workers(long), "%d processors", processors)
			return second.Do(t.Context(), short, func() error {
				assert.Equal(t, 1, second.Workers(long), "%d processors", processors)
				return nil
			})
		}))
	}
	assert.Equal(t, 1, fair.FromContext(t.Context()).Workers(long), "without a queue")
}

func TestLease_isRefusedBeyondItsOwnersPart(t *testing.T) {
	q := fair.NewQueue(300 * mb)
	first, second := q.Lease("a"), q.Lease("a")
	require.NoError(t, first.Grow(60*mb))
	require.NoError(t, second.Grow(40*mb))
	require.ErrorIs(t, second.Grow(1), fair.ErrBusy)
	other := q.Lease("b")
	require.NoError(t, other.Grow(100*mb), "another owner has a part of its own")
	require.NoError(t, first.Resize(50*mb))
	require.NoError(t, second.Grow(10*mb))
	first.Release()
	second.Release()
	other.Release()
	assert.Zero(t, q.Owners())
}

func TestLease_leavesTheReserveToSmallOnes(t *testing.T) {
	q := fair.NewQueue(240 * mb)
	for _, owner := range []string{"a", "b", "c"} {
		require.NoError(t, q.Lease(owner).Grow(70*mb))
	}
	require.ErrorIs(t, q.Lease("d").Grow(mb), fair.ErrBusy)
	small := q.Lease("d")
	require.NoError(t, small.Grow(256<<10))
	require.ErrorIs(t, small.Grow(1), fair.ErrBusy, "it is small no longer")
}

func TestLease_ofTheOnlyRequestOfAnOwnerMayBeLarge(t *testing.T) {
	q := fair.NewQueue(300 * mb)
	l := q.Lease("a")
	require.NoError(t, l.Grow(200*mb))
	require.ErrorIs(t, q.Lease("a").Grow(1), fair.ErrBusy)
	require.NoError(t, l.Resize(250*mb))
	require.ErrorIs(t, l.Resize(280*mb), fair.ErrBusy)
	require.NoError(t, l.Resize(mb))
	require.NoError(t, q.Lease("a").Grow(99*mb))
}

// text is a Holder of all that it was given.
type text struct{ strings.Builder }

func (w *text) Held() int64 { return int64(w.Len()) }

func TestLease_copiesWithinItsBounds(t *testing.T) {
	q := fair.NewQueue(mb)
	var w text
	require.NoError(t, q.Lease("a").Copy(&w, strings.NewReader(strings.Repeat("x", 100_000)), atOnce))
	assert.Equal(t, 100_000, w.Len())
	require.ErrorIs(t, q.Lease("a").Copy(&w, io.LimitReader(endless{}, mb), atOnce), fair.ErrBusy)
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestFromContext_withoutALeaseBoundsNothing(t *testing.T) {
	l := fair.FromContext(t.Context())
	require.NoError(t, l.Grow(1<<60))
	require.NoError(t, l.Resize(1))
	l.Release()
	q := fair.NewQueue(3)
	require.ErrorIs(t, fair.FromContext(fair.NewContext(t.Context(), q.Lease("a"))).Grow(4), fair.ErrBusy)
}

func atOnce(write func() error) error { return write() }
