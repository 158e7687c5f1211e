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
		if err == nil && !slices.ContainsFunc(values, func(value []byte) bool { return bytes.Equal(got, value) }) {
			err = fmt.Errorf("a Get beside Put returned %d bytes that nobody put", len(got))
		}
		return err
	}
	during(t, func() {
		for i := range 100 {
			mustPut(t, s, "key", string(values[i%len(values)]), never)
		}
	}, reader, reader)
}

func addRace(t *testing.T, s store.Backend) {
	const each = 25
	mustRace(t, func(int) (err error) {
		for i := 0; i < each && err == nil; i++ {
			_, err = store.Add(t.Context(), s, "counter", 1, future())
		}
		return err
	})
	steps(t, s, fmt.Sprintf("add counter 0 future -> %d", racers*each))
}

func closedStore(t *testing.T, s store.Backend) {
	steps(t, s, "put key value never", "ready")
	for range 2 {
		done(t, s.Close(), "Close")
	}
	newPlayer(t, s).all(append(storeCalls, backendCalls...), "key", "ErrUnavailable")
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
