package storetest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/devkiln/devkiln/store"
)

func entry(key string) store.Entry {
	return store.Entry{Key: key, Expires: future()}
}

func createAllWhole(t *testing.T, s store.Backend) {
	during(t, func() {
		for i := range 100 {
			createThree(t, s, i)
		}
	}, listThrees(t, s))
}

// createThree creates three entries together.
func createThree(t *testing.T, s store.Backend, i int) {
	t.Helper()
	done(t, s.CreateAll(t.Context(), entry("a"+keyOf(i)), entry("b"+keyOf(i)), entry("c"+keyOf(i))), "CreateAll")
}

// listThrees checks that a list has all three entries of each call, or none.
func listThrees(t *testing.T, s store.Backend) func() error {
	return func() error {
		list, err := s.List(t.Context(), "", "", 1000)
		if err == nil && len(list)%3 != 0 {
			err = fmt.Errorf("a List beside changes of three entries shows %d", len(list))
		}
		return err
	}
}

// togetherRace creates and deletes the same entries in many orders at once: no
// call may fail because of another, as in a deadlock.
func togetherRace(t *testing.T, s store.Backend) {
	const keys, each, rounds = 12, 6, 60
	mustRace(t, func(i int) error {
		for round := range rounds {
			var entries []store.Entry
			var names []string
			for j := range each {
				e := entry(keyOf((i + round + j*[]int{1, 5, 7, 11}[round%4]) % keys))
				entries, names = append(entries, e), append(names, e.Key)
			}
			var err error
			if (i+round)%2 == 0 {
				err = s.CreateAll(t.Context(), entries...)
			} else {
				err = s.DeleteAll(t.Context(), names...)
			}
			if err != nil && !errors.Is(err, store.ErrExists) && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		return nil
	})
}

func deleteAllWhole(t *testing.T, s store.Backend) {
	for i := range 100 {
		createThree(t, s, i)
	}
	during(t, func() {
		for i := range 100 {
			done(t, s.DeleteAll(t.Context(), "a"+keyOf(i), "b"+keyOf(i), "c"+keyOf(i)), "DeleteAll")
		}
	}, listThrees(t, s))
}
