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
