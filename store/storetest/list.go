package storetest

import (
	"errors"
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
		t.Fatalf("List(%q) returned %d entries and the error %v, want %d entries and none", prefix, len(entries), err, want)
	}
	return entries
}

// pagesOf returns the keys with a prefix, read in pages of limit.
func pagesOf(t *testing.T, s store.Backend, prefix string, limit int) (keys []string) {
	t.Helper()
	for after := ""; ; after = keys[len(keys)-1] {
		page, err := s.List(t.Context(), prefix, after, limit)
		if err != nil || len(page) > 0 && page[0].Key <= after {
			t.Fatalf("List(%q, %q, %d) returned %v and the error %v, want keys after %[2]q and none", prefix, after, limit, page, err)
		}
		if len(page) == 0 {
			return keys
		}
		for _, e := range page {
			keys = append(keys, e.Key)
		}
	}
}

func listEntries(t *testing.T, s store.Backend) {
	expires := time.Now().Add(time.Hour).In(time.FixedZone("east", 3600))
	mustPut(t, s, "a", "one\x00", expires)
	mustPut(t, s, "b", "", never)
	entries := mustList(t, s, "", 2)
	if got := entries[0]; string(got.Value) != "one\x00" || got.Expires != expires.UTC().Truncate(time.Millisecond) {
		t.Fatalf("List returned the value %q until %v, want %q until %v", got.Value, got.Expires, "one\x00", expires.UTC().Truncate(time.Millisecond))
	}
	if got := entries[1]; len(got.Value) != 0 || !got.Expires.IsZero() {
		t.Fatalf("List returned the value %q until %v, want an empty one for ever", got.Value, got.Expires)
	}
	overwrite(entries[0].Value)
	wantValue(t, s, "a", "one\x00")
}

func listBesideWriters(t *testing.T, s store.Backend) {
	const count = 30
	for i := range count {
		mustPut(t, s, "stay/"+keyOf(i), "", never)
	}
	writer := func() error {
		err := s.Put(t.Context(), "stay/key-0010/comes", nil, never)
		return errors.Join(err, unless(store.ErrNotFound, s.Delete(t.Context(), "stay/key-0010/comes")))
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
