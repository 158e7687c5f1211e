package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/devkiln/devkiln/store"
)

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
