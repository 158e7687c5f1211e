package dashboard

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/devkiln/devkiln/store"
)

// SetQuickPassword is like SetPassword with a cheap hash, which keeps tests
// fast under the race detector.
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
