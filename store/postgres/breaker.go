package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/devkiln/devkiln/store"
)

// Without a breaker, a database that hangs, such as a frozen machine or one
// behind a network that drops packets, lets every call wait for its timeout. So
// if a call takes longer than slowAfter, the breaker probes the database over a
// connection of its own. While no response comes, all calls fail at once,
// including those that wait. A slow call to a database that responds is left
// alone.

const (
	// slowAfter is how long a call may wait before the database is probed.
	slowAfter = 250 * time.Millisecond
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
	open    bool // calls fail
	probing bool
	slow    map[*call]struct{} // calls in progress that have taken longer than slowAfter
}

// call is a call in progress.
type call struct {
	cancel context.CancelCauseFunc
	ended  bool
}

// newBreaker returns a breaker that checks the database with probe.
func newBreaker(probe func(context.Context) error) *breaker {
	ctx, stop := context.WithCancel(context.Background())
	b := &breaker{stop: stop, slow: make(map[*call]struct{})}
	b.start = func() {
		if ctx.Err() == nil {
			b.probes.Go(func() { b.probe(ctx, probe) })
		}
	}
	return b
}

// do runs work, and cancels its context if the database hangs.
func (b *breaker) do(ctx context.Context, work func(ctx context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	b.mu.Lock()
	open := b.open
	b.mu.Unlock()
	if open {
		return errHangs
	}
	c := &call{cancel: cancel}
	timer := time.AfterFunc(slowAfter, func() { b.halfOpen(c) })
	defer timer.Stop()
	err := work(ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	c.ended = true
	delete(b.slow, c)
	if err != nil && errors.Is(context.Cause(ctx), errHangs) {
		return errHangs
	}
	return err
}

// halfOpen starts probing because of a slow call, or cancels it if the breaker
// is open.
func (b *breaker) halfOpen(c *call) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case c.ended:
		return
	case b.open:
		c.cancel(errHangs)
		return
	}
	b.slow[c] = struct{}{}
	if !b.probing {
		b.probing = true
		b.start()
	}
}

// probe probes the database until it responds and no call is slow, or ctx is
// done.
func (b *breaker) probe(ctx context.Context, probe func(context.Context) error) {
	for {
		err := probe(ctx)
		if b.record(err != nil && ctx.Err() == nil) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(probeAgain):
		}
	}
}

// record opens or closes the breaker after a probe, and reports whether probing
// ends.
func (b *breaker) record(hangs bool) (last bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open = hangs
	if !hangs {
		b.probing = len(b.slow) > 0
		return !b.probing
	}
	for c := range b.slow {
		c.cancel(errHangs)
	}
	clear(b.slow)
	return false
}

// close ends the probing.
func (b *breaker) close() {
	b.mu.Lock()
	b.stop()
	b.mu.Unlock()
	b.probes.Wait()
}
