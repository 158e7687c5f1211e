package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/devkiln/devkiln/store"
)

func putClauses() []clause[store.Backend] {
	return []clause[store.Backend]{
		{"Put adds and replaces", putReplaces},
		{"Put replaces the expiry", putExpiry},
		{"Put and Get beside each other", putWhole},
		{"illegal keys of Put and Add", func(t *testing.T, s store.Backend) { illegalKeys(t, s, backendMethods()) }},
		{"a context that is done, for a Backend", canceledBackend},
	}
}

func backendMethods() []method[store.Backend] {
	return []method[store.Backend]{
		{"Put", func(t *testing.T, s store.Backend, key string) error { return s.Put(t.Context(), key, nil, never) }},
		{"Add", func(t *testing.T, s store.Backend, key string) error {
			_, err := s.Add(t.Context(), key, 1, never)
			return err
		}},
	}
}

func putReplaces(t *testing.T, s store.Backend) {
	value := []byte("first")
	if err := s.Put(t.Context(), "key", value, never); err != nil {
		t.Fatalf("Put: %v", err)
	}
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
		for _, value := range values {
			if bytes.Equal(got, value) {
				return nil
			}
		}
		return fmt.Errorf("a Get beside Put returned %d bytes that nobody put", len(got))
	}
	during(t, func() {
		for i := range 100 {
			mustPut(t, s, "key", string(values[i%len(values)]), never)
		}
	}, reader, reader)
}

func canceledBackend(t *testing.T, s store.Backend) {
	mustPut(t, s, "there", "stays", never)
	mustCreate(t, s, "expired", "", past())
	ctx := canceled(t)
	wantError(t, s.Put(ctx, "there", nil, never), ctx.Err(), "Put")
	_, err := s.Add(ctx, "counter", 1, never)
	wantError(t, err, ctx.Err(), "Add")
	_, err = s.List(ctx, "", "", 1)
	wantError(t, err, ctx.Err(), "List")
	_, err = s.Sweep(ctx, 1)
	wantError(t, err, ctx.Err(), "Sweep")
	wantError(t, s.Ready(ctx), ctx.Err(), "Ready")
	wantValue(t, s, "there", "stays")
	wantAbsent(t, s, "counter")
	wantSwept(t, s, 10, 1)
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
	entries, err := s.List(t.Context(), "counter", "", 10)
	if err != nil || len(entries) != 1 || string(entries[0].Value) != "42" {
		t.Fatalf("List shows a counter of 42 as %v, %v", entries, err)
	}
	wantError(t, s.Create(t.Context(), "counter", nil, never), store.ErrExists, "Create over a counter")
	mustPut(t, s, "counter", "-100", never)
	mustAdd(t, s, "counter", 1, never, -99)
	if err := s.Delete(t.Context(), "counter"); err != nil {
		t.Fatalf("Delete of a counter: %v", err)
	}
	wantAbsent(t, s, "counter")
	mustAdd(t, s, "counter", 1, never, 1)
}

func counterExpiry(t *testing.T, s store.Backend) {
	first := future()
	mustAdd(t, s, "counter", 1, first, 1)
	mustAdd(t, s, "counter", 1, past(), 2)
	mustAdd(t, s, "counter", 1, never, 3)
	entries, err := s.List(t.Context(), "counter", "", 1)
	if err != nil || len(entries) != 1 || !entries[0].Expires.Equal(first.Truncate(time.Millisecond)) {
		t.Fatalf("List after three Adds = %v, %v; want one entry that expires at %v", entries, err, first)
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

// wantPlainError fails unless err is an error that is none of the sentinels.
func wantPlainError(t *testing.T, err error, what string) {
	t.Helper()
	if err == nil || errors.Is(err, store.ErrExists) || errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrUnavailable) {
		t.Fatalf("%s: error %v, want one that wraps no sentinel", what, err)
	}
}

func addRace(t *testing.T, s store.Backend) {
	const each = 25
	errs := race(func(int) error {
		for range each {
			if _, err := s.Add(t.Context(), "counter", 1, future()); err != nil {
				return fmt.Errorf("an Add: %w", err)
			}
		}
		return nil
	})
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
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
	if err := s.Ready(t.Context()); err != nil {
		t.Fatalf("Ready of an open store: %v", err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatalf("Close: %v", err)
		}
	}
	ctx := t.Context()
	_, get := s.Get(ctx, "key")
	_, list := s.List(ctx, "", "", 1)
	_, add := s.Add(ctx, "counter", 1, never)
	_, sweep := s.Sweep(ctx, 1)
	_, take := s.Take(ctx, "uses", time.Now(), store.Limits{})
	_, count := s.Count(ctx, "")
	_, size := s.Size(ctx)
	for name, err := range map[string]error{
		"Create": s.Create(ctx, "new", nil, never),
		"Get":    get,
		"Delete": s.Delete(ctx, "key"),
		"Put":    s.Put(ctx, "key", nil, never),
		"List":   list,
		"Add":    add,
		"Sweep":  sweep,
		"Take":   take,
		"Count":  count,
		"Size":   size,
		"Ready":  s.Ready(ctx),
	} {
		wantError(t, err, store.ErrUnavailable, name+" after Close")
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
