package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/devkiln/devkiln/store"
)

func putClauses() []clause[store.Backend] {
	return []clause[store.Backend]{
		{"Put adds and replaces", putReplaces},
		{"Put replaces the expiry", putExpiry},
		{"Put and Get beside each other", putWhole},
		{"illegal keys of a Backend", func(t *testing.T, s store.Backend) { illegalKeys(t, s, keyedCalls()) }},
		{"a context that is done, for a Backend", func(t *testing.T, s store.Backend) {
			canceledContext(t, s, append(keyedCalls(), otherCalls()...))
			wantSwept(t, s, 10, 1)
		}},
	}
}

func putReplaces(t *testing.T, s store.Backend) {
	value := []byte("first")
	done(t, s.Put(t.Context(), "key", value, never), "Put")
	scribble(value)
	wantValue(t, s, "key", "first")
	mustPut(t, s, "key", "second, longer", future())
	wantValue(t, s, "key", "second, longer")
	mustPut(t, s, "key", "", never)
	wantValue(t, s, "key", "")
	wantError(t, s.Create(t.Context(), "key", nil, never), store.ErrExists, "Create after Put")
	mustCreate(t, s, "created", "value", never)
	mustPut(t, s, "created", "replaced", never)
	wantValue(t, s, "created", "replaced")
}

func putExpiry(t *testing.T, s store.Backend) {
	mustPut(t, s, "key", "value", never)
	mustPut(t, s, "key", "value", past())
	wantAbsent(t, s, "key")
	mustPut(t, s, "key", "again", future())
	wantValue(t, s, "key", "again")
	mustCreate(t, s, "created", "value", past())
	mustPut(t, s, "created", "value", never)
	wantValue(t, s, "created", "value")
}

func putWhole(t *testing.T, s store.Backend) {
	values := [][]byte{bytes.Repeat([]byte{'a'}, 9000), bytes.Repeat([]byte{'b'}, 300), bytes.Repeat([]byte{'c'}, 20000)}
	mustPut(t, s, "key", string(values[0]), never)
	reader := func() error {
		got, err := s.Get(t.Context(), "key")
		if err != nil {
			return fmt.Errorf("a Get beside Put: %w", err)
		}
		if !slices.ContainsFunc(values, func(value []byte) bool { return bytes.Equal(got, value) }) {
			return fmt.Errorf("a Get beside Put returned %d bytes that nobody put", len(got))
		}
		return nil
	}
	during(t, func() {
		for i := range 100 {
			mustPut(t, s, "key", string(values[i%len(values)]), never)
		}
	}, reader, reader)
}

func addClauses() []clause[store.Backend] {
	return []clause[store.Backend]{
		{"Add counts", addCounts},
		{"a counter is an entry", counterIsEntry},
		{"a live counter keeps its expiry", counterExpiry},
		{"Add refuses what is not a number", addToText},
		{"Add refuses a sum beyond 64 bits", addOverflow},
		{"racing Adds lose nothing", addRace},
	}
}

func addCounts(t *testing.T, s store.Backend) {
	mustAdd(t, s, "a", 1, never, 1)
	mustAdd(t, s, "a", 41, never, 42)
	mustAdd(t, s, "b", -7, never, -7)
	mustAdd(t, s, "a", -43, never, -1)
	mustAdd(t, s, "a", 0, never, -1)
	mustAdd(t, s, "zero", 0, never, 0)
	wantValue(t, s, "zero", "0")
}

func counterIsEntry(t *testing.T, s store.Backend) {
	mustAdd(t, s, "counter", 42, never, 42)
	wantValue(t, s, "counter", "42")
	if entries := mustList(t, s, "counter", 1); string(entries[0].Value) != "42" {
		t.Fatalf("List shows a counter of 42 as %v", entries)
	}
	wantError(t, s.Create(t.Context(), "counter", nil, never), store.ErrExists, "Create over a counter")
	mustPut(t, s, "counter", "-100", never)
	mustAdd(t, s, "counter", 1, never, -99)
	mustDelete(t, s, "counter")
	wantAbsent(t, s, "counter")
	mustAdd(t, s, "counter", 1, never, 1)
}

func counterExpiry(t *testing.T, s store.Backend) {
	first := future()
	mustAdd(t, s, "counter", 1, first, 1)
	mustAdd(t, s, "counter", 1, past(), 2)
	mustAdd(t, s, "counter", 1, never, 3)
	if entries := mustList(t, s, "counter", 1); !entries[0].Expires.Equal(first.Truncate(time.Millisecond)) {
		t.Fatalf("List after three Adds = %v; want an entry that expires at %v", entries, first)
	}
	mustAdd(t, s, "expired", 5, past(), 5)
	wantAbsent(t, s, "expired")
	mustAdd(t, s, "expired", 1, never, 1)
	mustAdd(t, s, "expired", 1, past(), 2)
	mustPut(t, s, "text", "not a number", past())
	mustAdd(t, s, "text", 3, never, 3)
}

func addToText(t *testing.T, s store.Backend) {
	for i, value := range []string{"text", "", "1.5", "0x10", "1 2", " 1", "9223372036854775808", "1e3", "\x00\xff"} {
		mustPut(t, s, keyOf(i), value, never)
		_, err := s.Add(t.Context(), keyOf(i), 1, never)
		wantPlainError(t, err, fmt.Sprintf("Add to %q", value))
		wantValue(t, s, keyOf(i), value)
	}
}

func addOverflow(t *testing.T, s store.Backend) {
	for value, delta := range map[string]int64{"9223372036854775807": 1, "-9223372036854775808": -1} {
		mustPut(t, s, "counter", value, never)
		_, err := s.Add(t.Context(), "counter", delta, never)
		wantPlainError(t, err, fmt.Sprintf("Add of %d to %s", delta, value))
		wantValue(t, s, "counter", value)
	}
}

func addRace(t *testing.T, s store.Backend) {
	const each = 25
	done(t, errors.Join(race(func(int) error {
		for range each {
			if _, err := s.Add(t.Context(), "counter", 1, future()); err != nil {
				return fmt.Errorf("an Add: %w", err)
			}
		}
		return nil
	})...), "a race")
	mustAdd(t, s, "counter", 0, future(), racers*each)
}

func closeClauses() []clause[store.Backend] {
	return []clause[store.Backend]{
		{"a closed store is unavailable", closedStore},
		{"Close beside other calls", closeRace},
	}
}

func closedStore(t *testing.T, s store.Backend) {
	mustPut(t, s, "key", "value", never)
	done(t, s.Ready(t.Context()), "Ready of an open store")
	for range 2 {
		done(t, s.Close(), "Close")
	}
	for _, c := range storeCalls() {
		wantError(t, c.do(t.Context(), s, "key"), store.ErrUnavailable, c.name+" after Close")
	}
	for _, c := range append(keyedCalls(), otherCalls()...) {
		wantError(t, c.do(t.Context(), s, "key"), store.ErrUnavailable, c.name+" after Close")
	}
}

func closeRace(t *testing.T, s store.Backend) {
	errs := race(func(i int) error {
		if i == 0 {
			return s.Close()
		}
		for j := range 100 {
			if err := s.Put(t.Context(), keyOf(i*100+j), []byte("value"), never); err != nil {
				return err
			}
			if _, err := s.Get(t.Context(), keyOf(i*100+j)); err != nil {
				return err
			}
		}
		return nil
	})
	for _, err := range errs {
		if err != nil && !errors.Is(err, store.ErrUnavailable) {
			t.Fatalf("a call beside Close: %v, want nil or one that wraps ErrUnavailable", err)
		}
	}
}
