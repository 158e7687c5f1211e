package postgres

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/devkiln/devkiln/store"
)

// A database that hangs, as a frozen machine or a network that swallows packets
// does, would have every call wait for its timeout: seconds for each request of
// a server. So when a call waits for long, the breaker asks the database, over a
// connection of its own, for any response at all. While there is none, all calls
// fail at once, those that wait included. A call that takes long while the
// database responds is left alone.

const (
	// patience is how long a call may wait before the database is asked.
	patience = 250 * time.Millisecond
	// probeTimeout is how long a host has to respond at most: longer than one on a
	// busy machine takes to accept a connection.
	probeTimeout = 2 * time.Second
	// probeAgain is when it is asked again while it hangs, or while calls wait.
	probeAgain = 250 * time.Millisecond
)

var errHangs = fmt.Errorf("postgres: the database does not respond: %w", store.ErrUnavailable)

// breaker fails calls while the database hangs. Close ends its goroutine.
type breaker struct {
	stop   func()         // ends the probes
	start  func()         // starts them in a goroutine
	probes sync.WaitGroup // waits for it

	mu      sync.Mutex
	hangs   bool
	probing bool
	waiting map[*call]struct{} // longer than patience
}

// call is a call under way.
type call struct {
	cancel context.CancelFunc
	ended  bool
	cut    bool // canceled, because the database hangs
}

// newBreaker returns a breaker that asks the database with probe.
func newBreaker(probe func(context.Context) error) *breaker {
	ctx, stop := context.WithCancel(context.Background())
	b := &breaker{stop: stop, waiting: make(map[*call]struct{})}
	b.start = func() { b.probes.Go(func() { b.ask(ctx, probe) }) }
	return b
}

// do runs work, which ends when its context does, unless the database hangs.
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
	timer := time.AfterFunc(patience, func() { b.suspect(c) })
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

// suspect sees to it that the database is asked, since a call waits for long.
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

// ask asks the database again and again, until it responds and nobody waits.
func (b *breaker) ask(ctx context.Context, probe func(context.Context) error) {
	for {
		err := probe(ctx)
		if b.judge(err != nil && ctx.Err() == nil) {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(probeAgain):
		}
	}
}

// judge takes note of whether the database hangs, and reports whether that was
// the last probe.
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

// close ends the probes.
func (b *breaker) close() {
	b.stop()
	b.probes.Wait()
}
