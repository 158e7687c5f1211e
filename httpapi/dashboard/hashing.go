package dashboard

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
)

// Hashing a password keeps a processor busy for a quarter of a second, and
// anybody can ask for it. So half of the processors do it, few wait, and those
// go first whose address has tried least: whoever comes with the right password
// passes by those that guess.

// maxWaiting is how many sign-ins wait until a password can be hashed.
const maxWaiting = 10

// errCrowded means that too many sign-ins wait already.
var errCrowded = errors.New("dashboard: too many passwords wait to be checked")

// hashing is the queue of passwords to check. It is safe for concurrent use.
type hashing struct {
	mu      sync.Mutex
	free    int           // processors that it may still use
	waiting []*signInTurn // by tries, then by arrival
}

// signInTurn is a sign-in that waits. Its channel gets nil when its turn has
// come, or errCrowded when others took its place.
type signInTurn struct {
	tries int
	turn  chan error
}

func newHashing() *hashing { return &hashing{free: max(1, runtime.GOMAXPROCS(0)/2)} }

// do calls check when it is its turn, that of an address with so many tries.
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
		h.waiting[maxWaiting].turn <- errCrowded
		h.waiting = h.waiting[:maxWaiting]
	}
	return own
}

// withdraw takes a sign-in out, and reports false if it waits no more.
func (h *hashing) withdraw(own *signInTurn) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.Index(h.waiting, own)
	if i >= 0 {
		h.waiting = slices.Delete(h.waiting, i, i+1)
	}
	return i >= 0
}

// leave passes the processor on.
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
