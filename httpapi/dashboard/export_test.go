package dashboard

import (
	"context"
	"maps"
	"slices"
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

// Routes returns the method and pattern of every page.
func (h *Handler) Routes() []string {
	open, closed := h.site.pages()
	return slices.AppendSeq(slices.Collect(maps.Keys(open)), maps.Keys(closed))
}

// NewHashing returns a queue of passwords to check, and a function that waits in
// it for an address with so many tries.
func NewHashing() func(ctx context.Context, tries int, check func() bool) (bool, error) {
	return newHashing().do
}

// ErrCrowded is what a queue returns to those for whom it has no place.
var ErrCrowded = errCrowded
