package main

import (
	"testing"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/storetest"
)

func TestFolder(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store { return &folder{dir: t.TempDir()} })
}
