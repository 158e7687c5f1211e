package store_test

import (
	"testing"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/storetest"
)

func TestMemory(t *testing.T) {
	storetest.RunBackend(t, func(*testing.T) store.Backend { return store.NewMemory() })
}

func TestMemory_capped(t *testing.T) {
	storetest.RunCapped(t, func(_ *testing.T, maxBytes int64) store.Backend {
		m := store.NewMemory()
		m.MaxBytes = maxBytes
		return m
	})
}
