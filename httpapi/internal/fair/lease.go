package fair

import (
	"context"
	"io"
	"time"
)

const (
	// ownerPart is the divisor for the part of the memory that one owner may hold
	// with several requests.
	ownerPart = 3
	// reservePart is the divisor for the part reserved for small leases.
	reservePart = 8
	// small is the maximum size of a small lease in bytes.
	small = 256 << 10
)

// A Lease is what one request takes of a [Queue]: turns, and memory until it
// ends. It is used by one goroutine at a time. A nil Lease has no bounds.
type Lease struct {
	queue *Queue
	owner []string
	held  int64
}

// Lease returns a lease for a request of an owner. No owner may be a group of
// others.
func (q *Queue) Lease(owner ...string) *Lease { return &Lease{queue: q, owner: owner} }

// As returns an empty lease of the same queue for another owner.
func (l *Lease) As(owner ...string) *Lease {
	if l == nil {
		return nil
	}
	return l.queue.Lease(owner...)
}

// Grow adds bytes to the lease. If that exceeds what is free, or the part of an
// owner with several requests, it adds nothing and returns [ErrBusy].
func (l *Lease) Grow(bytes int64) error {
	if l == nil || bytes <= 0 {
		return nil
	}
	q := l.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	free := q.memory - q.all.held
	if l.held+bytes > small {
		free -= q.memory / reservePart
	}
	owner := q.all.find(l.owner)
	defer owner.change(0, 0, 0) // removes it if it holds nothing
	if bytes > free || owner.held > l.held && owner.held+bytes > q.memory/ownerPart {
		return ErrBusy
	}
	l.add(owner, bytes)
	return nil
}

// Resize sets the size of the lease. The error is [ErrBusy] if it grows beyond
// what is free.
func (l *Lease) Resize(bytes int64) error {
	if l == nil || bytes == l.held {
		return nil
	}
	if bytes > l.held {
		return l.Grow(bytes - l.held)
	}
	l.queue.mu.Lock()
	defer l.queue.mu.Unlock()
	l.add(l.queue.all.find(l.owner), bytes-l.held)
	return nil
}

// add changes the size of the lease. The caller has locked the queue.
func (l *Lease) add(owner *node, bytes int64) {
	l.held += bytes
	owner.change(0, 0, bytes)
}

// Release empties the lease, which may grow again.
func (l *Lease) Release() { _ = l.Resize(0) } // shrinking never fails

// A Holder is a writer that reports how many bytes it holds.
type Holder interface {
	io.Writer
	Held() int64
}

// Copy copies r to w, and keeps the lease at what it held before plus what w
// holds. It passes each write to wait, which calls it. The error is [ErrBusy], or
// that of r, w or wait.
func (l *Lease) Copy(w Holder, r io.Reader, wait func(write func() error) error) error {
	before := int64(32 << 10)
	if l != nil {
		before += l.held
	}
	_, err := io.Copy(leased(func(p []byte) error {
		if err := wait(func() error { _, err := w.Write(p); return err }); err != nil {
			return err
		}
		return l.Resize(before + w.Held())
	}), r)
	return err
}

// leased is a writer that calls a function with the bytes.
type leased func([]byte) error

// Write implements [io.Writer].
func (f leased) Write(p []byte) (int, error) { return len(p), f(p) }

type contextKey struct{}

// NewContext returns a context that carries a lease.
func NewContext(ctx context.Context, l *Lease) context.Context {
	return context.WithValue(ctx, contextKey{}, l)
}

// FromContext returns the lease of ctx or, if it has none, nil, which has no
// bounds.
func FromContext(ctx context.Context) *Lease {
	l, _ := ctx.Value(contextKey{}).(*Lease)
	return l
}

// Do calls do in a turn of the lease of ctx: see [Lease.Do].
func Do(ctx context.Context, work time.Duration, do func() error) error {
	return FromContext(ctx).Do(ctx, work, do)
}
