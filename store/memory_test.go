package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/storetest"
)

func TestMemory(t *testing.T) {
	storetest.RunBackend(t, func(*testing.T) store.Backend { return store.NewMemory() })
}

// An expired entry does not come back when the clock is set back.
func TestMemory_clockSetBack(t *testing.T) {
	ctx, m := t.Context(), store.NewMemory()
	require.NoError(t, m.Create(ctx, "hour", []byte("value"), time.Now().Add(time.Hour)))
	require.NoError(t, m.Create(ctx, "day", []byte("value"), time.Now().Add(24*time.Hour)))
	m.See(time.Now().Add(2 * time.Hour))
	_, err := m.Get(ctx, "hour")
	require.ErrorIs(t, err, store.ErrNotFound)
	_, err = m.Get(ctx, "day")
	require.NoError(t, err)
}

func TestMemory_capped(t *testing.T) {
	storetest.RunCapped(t, func(_ *testing.T, maxBytes int64) store.Backend {
		m := store.NewMemory()
		m.MaxBytes = maxBytes
		return m
	})
}
