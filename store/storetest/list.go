package storetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/devkiln/devkiln/store"
)

// mustList fails unless exactly want entries have the prefix.
func mustList(t *testing.T, s store.Backend, prefix string, want int) []store.Entry {
	t.Helper()
	entries, err := s.List(t.Context(), prefix, "", want+1)
	if err != nil || len(entries) != want {
		t.Fatalf("List(%q) has %d entries, %v; want %d", prefix, len(entries), err, want)
	}
	return entries
}

func keysOf(t *testing.T, s store.Backend, prefix, after string, limit int) []string {
	t.Helper()
	entries, err := s.List(t.Context(), prefix, after, limit)
	done(t, err, fmt.Sprintf("List(%q, %q, %d)", prefix, after, limit))
	keys := make([]string, len(entries))
	for i, e := range entries {
		keys[i] = e.Key
	}
	return keys
}

// pagesOf returns the keys with a prefix, read in pages of limit.
func pagesOf(t *testing.T, s store.Backend, prefix string, limit int) (keys []string) {
	t.Helper()
	after := ""
	for {
		page := keysOf(t, s, prefix, after, limit)
		if len(page) > limit || len(page) > 0 && page[0] <= after {
			t.Fatalf("List(%q, %q, %d) has the keys %q", prefix, after, limit, page)
		}
		if len(page) == 0 {
			return keys
		}
		keys = append(keys, page...)
		after = page[len(page)-1]
	}
}

func wantKeys(t *testing.T, s store.Backend, prefix, after string, limit int, want ...string) {
	t.Helper()
	if got := keysOf(t, s, prefix, after, limit); !slices.Equal(got, want) {
		t.Fatalf("List(%q, %q, %d) has the keys %q, want %q", prefix, after, limit, got, want)
	}
}

func listPages(t *testing.T, s store.Backend) {
	const count = 25
	var want []string
	for i := range count {
		mustPut(t, s, "p/"+keyOf(i), "", never)
		want = append(want, "p/"+keyOf(i))
	}
	mustPut(t, s, "o", "", never)
	mustPut(t, s, "q", "", never)
	for _, limit := range []int{1, 7, count - 1, count, count + 1} {
		got := pagesOf(t, s, "p/", limit)
		if !slices.Equal(got, want) {
			t.Fatalf("pages of %d hold %q, want %q", limit, got, want)
		}
	}
	wantKeys(t, s, "p/", "a", 1, want[0])
	wantKeys(t, s, "p/", "p/"+keyOf(3)+"!", 1, want[4])
	wantKeys(t, s, "p/", "p/", 1, want[0])
	wantKeys(t, s, "p/", "q", 10)
	wantKeys(t, s, "", want[count-1], 10, "q")
}

func listEntries(t *testing.T, s store.Backend) {
	expires := time.Now().Add(time.Hour).In(time.FixedZone("east", 3600))
	mustPut(t, s, "a", "one\x00", expires)
	mustPut(t, s, "b", "", never)
	entries := mustList(t, s, "", 2)
	if got := entries[0]; string(got.Value) != "one\x00" || got.Expires != expires.UTC().Truncate(time.Millisecond) {
		t.Fatalf("List has %q until %v, want %q until %v", got.Value, got.Expires, "one\x00", expires.UTC().Truncate(time.Millisecond))
	}
	if got := entries[1]; len(got.Value) != 0 || !got.Expires.IsZero() {
		t.Fatalf("List has %q until %v, want an empty value for ever", got.Value, got.Expires)
	}
	scribble(entries[0].Value)
	wantValue(t, s, "a", "one\x00")
}

func listBesideWriters(t *testing.T, s store.Backend) {
	const count = 30
	for i := range count {
		mustPut(t, s, "stay/"+keyOf(i), "", never)
	}
	writer := func() error {
		if err := s.Put(t.Context(), "stay/key-0010/comes", nil, never); err != nil {
			return fmt.Errorf("a Put beside List: %w", err)
		}
		err := s.Delete(t.Context(), "stay/key-0010/comes")
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("a Delete beside List: %w", err)
		}
		return nil
	}
	during(t, func() {
		for range 20 {
			keys := pagesOf(t, s, "stay/", 7)
			keys = slices.DeleteFunc(keys, func(key string) bool { return key == "stay/key-0010/comes" })
			if len(keys) != count {
				t.Fatalf("pages hold %d of %d entries that were there all the time", len(keys), count)
			}
		}
	}, writer, writer)
}
