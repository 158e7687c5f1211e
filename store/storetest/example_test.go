package storetest_test

import (
	"testing"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/storetest"
)

// A store is tested in its own test function.
func ExampleRun() {
	testMyStore := func(t *testing.T) {
		storetest.Run(t, func(*testing.T) store.Store { return store.NewMemory() })
	}
	_ = testMyStore // go test calls it
}

func ExampleRunBackend() {
	testMyBackend := func(t *testing.T) {
		storetest.RunBackend(t, func(*testing.T) store.Backend { return store.NewMemory() })
	}
	_ = testMyBackend // go test calls it
}
