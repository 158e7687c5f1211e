package dashboard

import (
	"context"
	"time"

	"github.com/devkiln/devkiln/store"
)

// SetQuickPassword is SetPassword without the effort that makes guessing slow,
// and tests under the race detector slower.
func SetQuickPassword(ctx context.Context, backend store.Backend, password string, now time.Time) error {
	record, err := newCredential(password, 1000, now, false)
	if err != nil {
		return err
	}
	return backend.Put(ctx, passwordKey, record, time.Time{})
}

// NewHashing returns a queue of passwords to check, and a function that waits in
// it for an address with so many tries.
func NewHashing() func(ctx context.Context, tries int, check func() bool) (bool, error) {
	return newHashing().do
}

// ErrCrowded is what a queue returns to those for whom it has no place.
var ErrCrowded = errCrowded
