package storetest

import (
	"testing"
	"time"

	"github.com/devkiln/devkiln/store"
)

func countClauses() []clause[store.Backend] {
	return []clause[store.Backend]{
		{"Count counts the keys of a prefix", countPrefix},
		{"Count forgets what is deleted or swept", countGone},
		{"Count refuses bad arguments", countArguments},
	}
}

func mustCount(t *testing.T, s store.Backend, prefix string, want int64) {
	t.Helper()
	if got, err := s.Count(t.Context(), prefix); err != nil || got != want {
		t.Fatalf("Count of %q = %d, %v; want %d", prefix, got, err, want)
	}
}

func countPrefix(t *testing.T, s store.Backend) {
	mustCount(t, s, "", 0)
	for _, key := range []string{"a", "a/", "a/1", "a/2", "a/~", "a0", "b/1"} {
		mustPut(t, s, key, "x", time.Time{})
	}
	mustCount(t, s, "", 7)
	mustCount(t, s, "a", 6)
	mustCount(t, s, "a/", 4)
	mustCount(t, s, "a/~", 1)
	mustCount(t, s, "c", 0)
}

func countGone(t *testing.T, s store.Backend) {
	mustPut(t, s, "a/1", "x", time.Time{})
	mustPut(t, s, "a/2", "x", time.Now().Add(time.Hour))
	mustPut(t, s, "a/3", "x", time.Now().Add(-time.Hour))
	if err := s.Delete(t.Context(), "a/1"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Sweep(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	mustCount(t, s, "a/", 1)
}

func countArguments(t *testing.T, s store.Backend) {
	if _, err := s.Count(t.Context(), "a b"); err == nil {
		t.Error("Count took a prefix with a space")
	}
}
