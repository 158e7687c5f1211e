package dashboard

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
)

// Hashing a password takes about 250 ms of CPU time, and anyone can request it.
// So at most half of the processors hash, and the queue is short. It is sorted
// by the tries of each address, so that a user with the right password
// overtakes guessers.

// maxWaiting is the capacity of the queue.
const maxWaiting = 10

// errTooManyWaiting means that the queue is full.
var errTooManyWaiting = errors.New("dashboard: too many passwords are waiting to be checked")

// hashing is the queue of passwords to check. It is safe for concurrent use.
type hashing struct {
	mu      sync.Mutex
	free    int           // processors not in use
	waiting []*signInTurn // by tries, then by arrival
}

// signInTurn is a waiting sign-in. Its channel receives nil when it may
// proceed, or errTooManyWaiting when others displaced it.
type signInTurn struct {
	tries int
	turn  chan error
}

func newHashing() *hashing { return &hashing{free: max(1, runtime.GOMAXPROCS(0)/2)} }

// do calls check when a processor is free. Addresses with fewer tries go first.
func (h *hashing) do(ctx context.Context, tries int, check func() bool) (bool, error) {
	own := h.enter(tries)
	select {
	case err := <-own.turn:
		if err != nil {
			return false, err
		}
	case <-ctx.Done():
		if h.withdraw(own) {
			return false, ctx.Err()
		}
		if err := <-own.turn; err != nil {
			return false, err
		}
	}
	defer h.leave()
	return check(), nil
}

func (h *hashing) enter(tries int) *signInTurn {
	h.mu.Lock()
	defer h.mu.Unlock()
	own := &signInTurn{tries, make(chan error, 1)}
	if h.free > 0 {
		h.free--
		own.turn <- nil
		return own
	}
	at := slices.IndexFunc(h.waiting, func(other *signInTurn) bool { return other.tries > tries })
	if at < 0 {
		at = len(h.waiting)
	}
	h.waiting = slices.Insert(h.waiting, at, own)
	if len(h.waiting) > maxWaiting {
		h.waiting[maxWaiting].turn <- errTooManyWaiting
		h.waiting = h.waiting[:maxWaiting]
	}
	return own
}

// withdraw removes a sign-in from the queue. It reports false if it was no
// longer waiting.
func (h *hashing) withdraw(own *signInTurn) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.Index(h.waiting, own)
	if i >= 0 {
		h.waiting = slices.Delete(h.waiting, i, i+1)
	}
	return i >= 0
}

// leave passes the processor to the next sign-in or frees it.
func (h *hashing) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.waiting) == 0 {
		h.free++
		return
	}
	h.waiting[0].turn <- nil
	h.waiting = slices.Delete(h.waiting, 0, 1)
}
