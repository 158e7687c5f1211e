// Package drawing schedules the drawing of pictures fairly: one at a time for
// each caller, callers in turn, and one slot kept free of large ones.
package drawing

import (
	"container/list"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"
)

// ErrBusy is returned if too many pictures are waiting already.
var ErrBusy = errors.New("drawing: too many pictures are waiting")

const (
	maxWaiting   = 256 // waiting pictures of all callers
	maxPerCaller = 32  // waiting pictures of one caller
	// largeWork is the minimum work of a large picture.
	largeWork = 200 * time.Millisecond
)

// A Queue makes pictures wait for their turn. It is safe for concurrent use.
type Queue struct {
	slots int

	mu      sync.Mutex
	running int
	large   int             // large pictures being drawn
	busy    map[string]bool // callers with a picture being drawn
	waiting int
	order   list.List // of *line: callers with waiting pictures, next first
	lines   map[string]*list.Element
}

// line holds the waiting pictures of one caller, in order of arrival.
type line struct {
	caller  string
	waiters []*waiter
}

type waiter struct {
	large bool
	ready chan struct{} // closed when its turn comes
}

// New returns a Queue that draws as many pictures at a time as there are
// processors, but at least two: one slot is reserved for small ones.
func New() *Queue {
	return &Queue{
		slots: max(2, runtime.GOMAXPROCS(0)),
		busy:  make(map[string]bool),
		lines: make(map[string]*list.Element),
	}
}

// Do waits for the turn of a caller's picture, which takes about work of
// processor time, and draws it. The error is [ErrBusy], the context's, or that
// of draw.
func (q *Queue) Do(ctx context.Context, caller string, work time.Duration, draw func() error) error {
	w := &waiter{large: work >= largeWork, ready: make(chan struct{})}
	if err := q.enter(caller, w); err != nil {
		return err
	}
	select {
	case <-w.ready:
	case <-ctx.Done():
		if q.withdraw(caller, w) {
			return ctx.Err()
		}
	}
	defer q.leave(caller, w)
	if err := ctx.Err(); err != nil {
		return err
	}
	return draw()
}

// workers returns how many goroutines may draw the picture whose turn it is:
// two for a large one that is drawn alone, if other processors remain for later
// ones, else one. So no two pictures have two at the same time.
func (q *Queue) workers(work time.Duration) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if work >= largeWork && q.running == 1 && q.slots > 2 {
		return 2
	}
	return 1
}

// enter appends a waiter to its caller's line.
func (q *Queue) enter(caller string, w *waiter) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.lines[caller]
	if e == nil {
		e = q.order.PushBack(&line{caller: caller})
		q.lines[caller] = e
	}
	l := lineOf(e)
	if q.waiting >= maxWaiting || len(l.waiters) >= maxPerCaller {
		q.drop(e)
		return ErrBusy
	}
	l.waiters = append(l.waiters, w)
	q.waiting++
	q.start()
	return nil
}

// withdraw removes a waiter from its line. It returns false if its turn has
// already come.
func (q *Queue) withdraw(caller string, w *waiter) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.lines[caller]
	if e == nil {
		return false
	}
	l := lineOf(e)
	i := slices.Index(l.waiters, w)
	if i < 0 {
		return false
	}
	l.waiters = slices.Delete(l.waiters, i, i+1)
	q.waiting--
	q.drop(e)
	q.start()
	return true
}

// leave releases the slot of a picture.
func (q *Queue) leave(caller string, w *waiter) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running--
	if w.large {
		q.large--
	}
	delete(q.busy, caller)
	q.start()
}

// start starts the pictures whose turn it is.
func (q *Queue) start() {
	for e := q.order.Front(); e != nil && q.running < q.slots; {
		l, next := lineOf(e), e.Next()
		if w := l.waiters[0]; !q.busy[l.caller] && (!w.large || q.large < q.slots-1) {
			l.waiters = l.waiters[1:]
			q.waiting--
			q.running++
			if w.large {
				q.large++
			}
			q.busy[l.caller] = true
			q.order.MoveToBack(e)
			q.drop(e)
			close(w.ready)
		}
		e = next
	}
}

// drop removes a line if it is empty.
func (q *Queue) drop(e *list.Element) {
	if l := lineOf(e); len(l.waiters) == 0 {
		q.order.Remove(e)
		delete(q.lines, l.caller)
	}
}

func lineOf(e *list.Element) *line { return e.Value.(*line) }

type contextKey struct{}

// queueOfCaller is the queue and the caller of a request.
type queueOfCaller struct {
	queue  *Queue
	caller string
}

// NewContext returns a context in which [Do] uses q on behalf of caller.
func NewContext(ctx context.Context, q *Queue, caller string) context.Context {
	return context.WithValue(ctx, contextKey{}, queueOfCaller{q, caller})
}

// Do draws a picture in the queue of ctx, or immediately if it has none. The
// errors are those of [Queue.Do].
func Do(ctx context.Context, work time.Duration, draw func() error) error {
	if p, ok := ctx.Value(contextKey{}).(queueOfCaller); ok {
		return p.queue.Do(ctx, p.caller, work, draw)
	}
	return draw()
}

// Workers returns how many goroutines may draw a picture of about this much
// work, 1 or 2. Call it from the function that [Do] calls.
func Workers(ctx context.Context, work time.Duration) int {
	if p, ok := ctx.Value(contextKey{}).(queueOfCaller); ok {
		return p.queue.workers(work)
	}
	return 1
}
