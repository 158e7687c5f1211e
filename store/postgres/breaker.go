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
// while a call takes longer than slowAfter, the breaker probes the database over
// a connection of its own. If no response comes, all calls fail at once,
// including those that wait, until one comes. A slow call to a database that
// responds is left alone.

const (
	// slowAfter is how long a call may wait before the database is probed, and
	// the pause between probes.
	slowAfter = 250 * time.Millisecond
	// probeTimeout is how long a host may take to respond. Even a busy machine
	// accepts a connection faster.
	probeTimeout = 2 * time.Second
)

var errHangs = fmt.Errorf("postgres: the database does not respond: %w", store.ErrUnavailable)

// breaker fails calls while the database hangs. stop ends its goroutine.
type breaker struct {
	stop context.CancelFunc

	mu    sync.Mutex
	open  bool               // calls fail
	calls map[*call]struct{} // in progress
}

type call struct {
	started time.Time
	cancel  context.CancelCauseFunc
}

// newBreaker returns a breaker that checks the database with probe.
func newBreaker(probe func(context.Context) error) *breaker {
	ctx, stop := context.WithCancel(context.Background())
	b := &breaker{stop: stop, calls: make(map[*call]struct{})}
	go b.watch(ctx, probe)
	return b
}

// do runs work, and cancels its context if the database hangs.
func (b *breaker) do(ctx context.Context, work func(ctx context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c := &call{time.Now(), cancel}
	b.mu.Lock()
	open := b.open
	b.calls[c] = struct{}{}
	b.mu.Unlock()
	err := errHangs
	if !open {
		err = work(ctx)
	}
	b.mu.Lock()
	delete(b.calls, c)
	b.mu.Unlock()
	if err != nil && errors.Is(context.Cause(ctx), errHangs) {
		return errHangs
	}
	return err
}

// watch probes the database while the breaker is open or a call is slow, until
// ctx is done.
func (b *breaker) watch(ctx context.Context, probe func(context.Context) error) {
	ticker := time.NewTicker(slowAfter)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if b.needsProbe() {
			err := probe(ctx)
			b.set(err != nil && ctx.Err() == nil)
		}
	}
}

// needsProbe reports whether the breaker is open or a call is slow.
func (b *breaker) needsProbe() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c := range b.calls {
		if time.Since(c.started) > slowAfter {
			return true
		}
	}
	return b.open
}

// set opens the breaker, which fails the calls in progress, or closes it.
func (b *breaker) set(open bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open = open
	for c := range b.calls {
		if open {
			c.cancel(errHangs)
		}
	}
}
