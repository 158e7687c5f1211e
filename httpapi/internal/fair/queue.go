// Package fair shares the processors and the memory of a server fairly among
// those who send requests.
//
// An owner is a path, such as a key, or the visitors, among them a network, and
// in that an address. Members of a group take turns by the work that each has
// caused: start-time fair queueing (Goyal, Vin and Cheng, 1996) at each level.
// So a thousand addresses together delay a key no more than another key does.
// An owner has one turn at a time, and one processor is kept free of long work.
//
// Memory does not queue, because a request that waits for more would keep what
// it holds: see [Lease.Grow].
package fair

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"
)

// ErrBusy is returned for work that others leave no place in the queue, and for
// memory that is not free at present.
var ErrBusy = errors.New("fair: too much is waiting or held in memory")

const (
	// maxWaiting is the maximum length of the queue. What exceeds it displaces
	// the newest work of those who wait for most.
	maxWaiting = 256
	// longWork is the minimum duration of long work.
	longWork = 200 * time.Millisecond
	// minWork is what a turn counts at least.
	minWork = 5 * time.Millisecond
)

// A Queue shares processors and memory. It is safe for concurrent use.
type Queue struct {
	slots  int
	memory int64

	mu      sync.Mutex
	all     node
	long    int       // turns of long work
	waiting []*ticket // in order of arrival
}

// A ticket is work that waits.
type ticket struct {
	owner *node
	work  time.Duration
	ready chan error // receives nil when its turn comes, or ErrBusy
}

func (t *ticket) isLong() bool { return t.work >= longWork }

// NewQueue returns a Queue with that many bytes of memory. It does as much at a
// time as there are processors, but at least two things.
func NewQueue(memory int64) *Queue {
	return &Queue{slots: max(2, runtime.GOMAXPROCS(0)), memory: memory}
}

// Do waits for a turn of the lease's owner and calls do, which takes about work
// of processor time. The error is [ErrBusy], the context's, or that of do. A nil
// Lease calls do immediately.
func (l *Lease) Do(ctx context.Context, work time.Duration, do func() error) error {
	if l == nil {
		return do()
	}
	t := l.queue.enter(l.owner, work)
	var err error
	select {
	case err = <-t.ready:
	case <-ctx.Done():
		if l.queue.withdraw(t) {
			return ctx.Err()
		}
		err = <-t.ready
	}
	if err != nil {
		return err
	}
	defer l.queue.leave(t)
	if err := ctx.Err(); err != nil {
		return err
	}
	return do()
}

// Workers returns how many goroutines may do the work whose turn it is: two for
// long work that is done alone, if other processors remain for later work, else
// one. So no two have two at the same time.
func (l *Lease) Workers(work time.Duration) int {
	if l == nil {
		return 1
	}
	l.queue.mu.Lock()
	defer l.queue.mu.Unlock()
	if work >= longWork && l.queue.all.running == 1 && l.queue.slots > 2 {
		return 2
	}
	return 1
}

func (q *Queue) enter(owner []string, work time.Duration) *ticket {
	q.mu.Lock()
	defer q.mu.Unlock()
	t := &ticket{q.all.find(owner), work, make(chan error, 1)}
	t.owner.change(1, 0, 0)
	q.waiting = append(q.waiting, t)
	if q.start(); len(q.waiting) > maxWaiting {
		last := q.last()
		q.remove(last)
		last.ready <- ErrBusy
	}
	return t
}

// withdraw removes a ticket. It returns false if it no longer waits.
func (q *Queue) withdraw(t *ticket) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.remove(t)
}

func (q *Queue) remove(t *ticket) bool {
	i := slices.Index(q.waiting, t)
	if i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
		t.owner.change(-1, 0, 0)
	}
	return i >= 0
}

// leave ends a turn.
func (q *Queue) leave(t *ticket) {
	q.mu.Lock()
	defer q.mu.Unlock()
	t.owner.change(0, -1, 0)
	if t.isLong() {
		q.long--
	}
	q.start()
}

// start begins the turns for which there are slots.
func (q *Queue) start() {
	for q.all.running < q.slots {
		t := q.next()
		if t == nil {
			return
		}
		t.owner.charge(max(minWork, t.work))
		t.owner.change(0, 1, 0)
		q.remove(t)
		if t.isLong() {
			q.long++
		}
		t.ready <- nil
	}
}

// next returns the ticket whose turn it is, or nil.
func (q *Queue) next() *ticket {
	return q.best(func(t *ticket, best, owner *node) bool {
		return t.owner.running == 0 && (!t.isLong() || q.long < q.slots-1) && (best == nil || owner.done < best.done)
	})
}

// last returns the newest ticket of those who wait for most.
func (q *Queue) last() *ticket {
	return q.best(func(_ *ticket, best, owner *node) bool { return best == nil || owner.waiting >= best.waiting })
}

// best returns the last ticket that is better than the best before it. Their
// owners are compared in the smallest group that has both; best is nil for the
// first.
func (q *Queue) best(better func(t *ticket, best, owner *node) bool) (best *ticket) {
	for _, t := range q.waiting {
		var a, b *node
		if best != nil {
			a, b = siblings(best.owner, t.owner)
		}
		if better(t, a, b) {
			best = t
		}
	}
	return best
}
