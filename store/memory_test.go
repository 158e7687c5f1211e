package store_test

import (
	"testing"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/storetest"
)

func TestMemory(t *testing.T) {
	storetest.RunBackend(t, func(*testing.T) store.Backend { return store.NewMemory() })
}
