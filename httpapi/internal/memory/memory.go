// Package memory bounds what requests in flight hold in memory: bodies,
// responses that are being sent, and intermediate data.
//
// A [Budget] is a number of bytes. Each request has a [Lease] on it, which
// grows before the request allocates memory and ends with the request. No
// caller, that is no key and no address, holds more than a part of the budget
// with several requests, so that it cannot starve the others. A lease that
// cannot grow is refused at once, because a request that waits would keep what
// it holds.
//
// golang.org/x/sync/semaphore also weighs bytes, but its strength is waiting,
// and the parts of callers need a table and a lock anyway.
package memory

import (
	"context"
	"errors"
	"io"
	"sync"
)

// ErrFull is returned if a lease cannot grow at present.
var ErrFull = errors.New("memory: the requests in flight hold too much")

const (
	// callerPart is the divisor for the part of a budget that one caller may
	// hold with several requests.
	callerPart = 3
	// reservePart is the divisor for the part reserved for small leases.
	reservePart = 8
	// small is the maximum size of a small lease in bytes.
	small = 256 << 10
)

// A Budget bounds the bytes that all leases hold together. It is safe for
// concurrent use.
type Budget struct {
	total int64

	mu      sync.Mutex
	held    int64
	callers map[string]int64 // bytes; only callers that hold some
}

// New returns a Budget of total bytes.
func New(total int64) *Budget {
	return &Budget{total: total, callers: make(map[string]int64)}
}

// Lease returns an empty lease for a request of a caller.
func (b *Budget) Lease(caller string) *Lease { return &Lease{budget: b, caller: caller} }

// A Lease is the memory that one request holds. It is used by one goroutine at
// a time. A nil Lease has no bound.
type Lease struct {
	budget *Budget
	caller string
	held   int64
}

// Grow adds bytes to the lease. If that exceeds the caller's part or the
// budget, it adds nothing and returns [ErrFull].
func (l *Lease) Grow(bytes int64) error {
	if l == nil || bytes <= 0 {
		return nil
	}
	b := l.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	room := b.total
	if l.held+bytes > small {
		room -= b.total / reservePart
	}
	all := b.callers[l.caller]
	if b.held+bytes > room || all > l.held && all+bytes > b.total/callerPart {
		return ErrFull
	}
	l.add(bytes)
	return nil
}

// Resize sets the size of the lease. The error is [ErrFull] if it grows and
// there is no room.
func (l *Lease) Resize(bytes int64) error {
	if l == nil {
		return nil
	}
	if bytes >= l.held {
		return l.Grow(bytes - l.held)
	}
	l.budget.mu.Lock()
	defer l.budget.mu.Unlock()
	l.add(bytes - l.held)
	return nil
}

// A Holder is a writer that reports how many bytes it holds.
type Holder interface {
	io.Writer
	Held() int64
}

// copyStep is how many bytes Copy reads at once.
const copyStep = 32 << 10

// Copy copies r to w, and keeps the lease at what it held before plus what w
// holds. The error is [ErrFull], or that of r or w.
func (l *Lease) Copy(w Holder, r io.Reader) error {
	before := int64(copyStep)
	if l != nil {
		before += l.held
	}
	step := make([]byte, copyStep)
	for {
		n, err := r.Read(step)
		if n > 0 {
			if _, err := w.Write(step[:n]); err != nil {
				return err
			}
			if err := l.Resize(before + w.Held()); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// Release empties the lease, which may grow again.
func (l *Lease) Release() { _ = l.Resize(0) } // shrinking never fails

// add changes the size of the lease. The caller has locked the budget.
func (l *Lease) add(bytes int64) {
	b := l.budget
	l.held += bytes
	b.held += bytes
	if b.callers[l.caller] += bytes; b.callers[l.caller] == 0 {
		delete(b.callers, l.caller)
	}
}

type contextKey struct{}

// NewContext returns a context that carries a lease.
func NewContext(ctx context.Context, l *Lease) context.Context {
	return context.WithValue(ctx, contextKey{}, l)
}

// FromContext returns the lease of ctx or, if it has none, nil, which has no
// bound.
func FromContext(ctx context.Context) *Lease {
	l, _ := ctx.Value(contextKey{}).(*Lease)
	return l
}
