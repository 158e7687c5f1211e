package storetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/devkiln/devkiln/store"
)

func listClauses() []clause[store.Backend] {
	return []clause[store.Backend]{
		{"List is in the order of bytes", listOrder},
		{"List takes a prefix for what it is", listPrefix},
		{"List reads on after a key", listPages},
		{"List shows values and expiries", listEntries},
		{"List hides what has expired", listExpired},
		{"List refuses bad arguments", listArguments},
		{"List beside writers", listBesideWriters},
	}
}

func keysOf(t *testing.T, s store.Backend, prefix, after string, limit int) []string {
	t.Helper()
	entries, err := s.List(t.Context(), prefix, after, limit)
	if err != nil {
		t.Fatalf("List(%q, %q, %d): %v", prefix, after, limit, err)
	}
	keys := make([]string, len(entries))
	for i, e := range entries {
		keys[i] = e.Key
	}
	return keys
}

func wantKeys(t *testing.T, s store.Backend, prefix, after string, limit int, want ...string) {
	t.Helper()
	if got := keysOf(t, s, prefix, after, limit); !slices.Equal(got, want) {
		t.Fatalf("List(%q, %q, %d) has the keys %q, want %q", prefix, after, limit, got, want)
	}
}

func listOrder(t *testing.T, s store.Backend) {
	wantKeys(t, s, "", "", 10)
	want := []string{"!", "-", "0", "10", "2", "A", "B", "Z", "_", "a", "a-b", "a/b", "aB", "a_b", "aa", "ab", "z", "~"}
	for i := range want {
		mustPut(t, s, want[(i*7)%len(want)], "", never)
	}
	wantKeys(t, s, "", "", 100, want...)
}

func listPrefix(t *testing.T, s store.Backend) {
	for _, key := range []string{"a", "a%", "a%b", "a_b", "axb", "a*b", "a?b", "a[b]", `a\b`, "A%b", "b", "a~", "a~~", "~", "~~", "~a"} {
		mustPut(t, s, key, "", never)
	}
	wantKeys(t, s, "a%", "", 100, "a%", "a%b")
	wantKeys(t, s, "a_", "", 100, "a_b")
	wantKeys(t, s, "a*", "", 100, "a*b")
	wantKeys(t, s, "a?", "", 100, "a?b")
	wantKeys(t, s, "a[b]", "", 100, "a[b]")
	wantKeys(t, s, `a\`, "", 100, `a\b`)
	wantKeys(t, s, "A", "", 100, "A%b")
	wantKeys(t, s, "b", "", 100, "b")
	wantKeys(t, s, "a~", "", 100, "a~", "a~~")
	wantKeys(t, s, "~", "", 100, "~", "~a", "~~")
	wantKeys(t, s, "c", "", 100)
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
		var got []string
		after := ""
		for range count + 1 {
			page := keysOf(t, s, "p/", after, limit)
			if len(page) > limit {
				t.Fatalf("List with limit %d has %d entries", limit, len(page))
			}
			if len(page) == 0 {
				break
			}
			got = append(got, page...)
			after = page[len(page)-1]
		}
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
	entries, err := s.List(t.Context(), "", "", 10)
	if err != nil || len(entries) != 2 {
		t.Fatalf("List = %v, %v; want two entries", entries, err)
	}
	if got := entries[0]; string(got.Value) != "one\x00" || got.Expires != expires.UTC().Truncate(time.Millisecond) {
		t.Fatalf("List has %q until %v, want %q until %v", got.Value, got.Expires, "one\x00", expires.UTC().Truncate(time.Millisecond))
	}
	if got := entries[1]; len(got.Value) != 0 || !got.Expires.IsZero() {
		t.Fatalf("List has %q until %v, want an empty value for ever", got.Value, got.Expires)
	}
	scribble(entries[0].Value)
	wantValue(t, s, "a", "one\x00")
}

func listExpired(t *testing.T, s store.Backend) {
	for i := range 10 {
		mustPut(t, s, keyOf(i), "", []time.Time{past(), future(), never}[i%3])
	}
	wantKeys(t, s, "", "", 2, keyOf(1), keyOf(2))
	wantKeys(t, s, "", "", 100, keyOf(1), keyOf(2), keyOf(4), keyOf(5), keyOf(7), keyOf(8))
	if err := s.Delete(t.Context(), keyOf(1)); err != nil {
		t.Fatalf("Delete: %v", err)
	}
	wantKeys(t, s, "", "", 1, keyOf(2))
}

func listArguments(t *testing.T, s store.Backend) {
	for _, limit := range []int{0, -1} {
		if _, err := s.List(t.Context(), "", "", limit); err == nil {
			t.Fatalf("List takes limit %d", limit)
		}
		if _, err := s.Sweep(t.Context(), limit); err == nil {
			t.Fatalf("Sweep takes limit %d", limit)
		}
	}
	for _, bad := range []string{"a b", "ä", "\x00", "a\xff"} {
		if _, err := s.List(t.Context(), bad, "", 1); err == nil {
			t.Fatalf("List takes the prefix %q", bad)
		}
		if _, err := s.List(t.Context(), "", bad, 1); err == nil {
			t.Fatalf("List takes %q to read on after", bad)
		}
	}
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
			seen := 0
			after := ""
			for page := keysOf(t, s, "stay/", after, 7); len(page) > 0; page = keysOf(t, s, "stay/", after, 7) {
				for _, key := range page {
					if key != "stay/key-0010/comes" {
						seen++
					}
				}
				after = page[len(page)-1]
			}
			if seen != count {
				t.Fatalf("pages hold %d of %d entries that were there all the time", seen, count)
			}
		}
	}, writer, writer)
}
