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
	mustDelete(t, s, "a/1")
	wantSwept(t, s, 10, 1)
	mustCount(t, s, "a/", 1)
}

func countArguments(t *testing.T, s store.Backend) {
	_, err := s.Count(t.Context(), "a b")
	wantPlainError(t, err, "Count of a prefix with a blank")
}
