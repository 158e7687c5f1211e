package postgres

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/devkiln/devkiln/store"
)

// Without a breaker, a database that hangs, such as a frozen machine or one
// behind a network that drops packets, lets every call wait for its timeout. So
// if a call takes longer than suspectAfter, the breaker probes the database over a
// connection of its own. While no response comes, all calls fail at once,
// including those that wait. A slow call to a database that responds is left
// alone.

const (
	// suspectAfter is how long a call may wait before the database is probed.
	suspectAfter = 250 * time.Millisecond
	// probeTimeout is how long a host may take to respond. Even a busy machine
	// accepts a connection faster.
	probeTimeout = 2 * time.Second
	// probeAgain is the pause between probes.
	probeAgain = 250 * time.Millisecond
)

var errHangs = fmt.Errorf("postgres: the database does not respond: %w", store.ErrUnavailable)

// breaker fails calls while the database hangs. close ends its goroutine.
type breaker struct {
	stop   func()         // ends the probing, for good
	start  func()         // starts probing in a goroutine, unless stopped; mu is held
	probes sync.WaitGroup // the probing goroutine

	mu      sync.Mutex
	hangs   bool
	probing bool
	waiting map[*call]struct{} // calls that have taken longer than suspectAfter
}

// call is a call in progress.
type call struct {
	cancel context.CancelFunc
	ended  bool
	cut    bool // canceled because the database hangs
}

// newBreaker returns a breaker that checks the database with probe.
func newBreaker(probe func(context.Context) error) *breaker {
	ctx, stop := context.WithCancel(context.Background())
	b := &breaker{stop: stop, waiting: make(map[*call]struct{})}
	b.start = func() {
		if ctx.Err() == nil {
			b.probes.Go(func() { b.ask(ctx, probe) })
		}
	}
	return b
}

// do runs work, and cancels its context if the database hangs.
func (b *breaker) do(ctx context.Context, work func(ctx context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b.mu.Lock()
	hangs := b.hangs
	b.mu.Unlock()
	if hangs {
		return errHangs
	}
	c := &call{cancel: cancel}
	timer := time.AfterFunc(suspectAfter, func() { b.suspect(c) })
	defer timer.Stop()
	err := work(ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	c.ended = true
	delete(b.waiting, c)
	if err != nil && c.cut {
		return errHangs
	}
	return err
}

// suspect starts probing, because a call has taken longer than suspectAfter.
func (b *breaker) suspect(c *call) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case c.ended:
		return
	case b.hangs:
		c.cut = true
		c.cancel()
		return
	}
	b.waiting[c] = struct{}{}
	if !b.probing {
		b.probing = true
		b.start()
	}
}

// ask probes the database until it responds and no call waits, or ctx is done.
func (b *breaker) ask(ctx context.Context, probe func(context.Context) error) {
	for {
		err := probe(ctx)
		if b.judge(err != nil && ctx.Err() == nil) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(probeAgain):
		}
	}
}

// judge records whether the database hangs and reports whether probing ends.
func (b *breaker) judge(hangs bool) (last bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hangs = hangs
	if !hangs {
		b.probing = len(b.waiting) > 0
		return !b.probing
	}
	for c := range b.waiting {
		c.cut = true
		c.cancel()
	}
	clear(b.waiting)
	return false
}

// close ends the probing.
func (b *breaker) close() {
	b.mu.Lock()
	b.stop()
	b.mu.Unlock()
	b.probes.Wait()
}
