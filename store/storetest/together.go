package storetest

import (
	"fmt"
	"testing"

	"github.com/devkiln/devkiln/store"
)

func togetherClauses() []clause[store.Backend] {
	return []clause[store.Backend]{
		{"CreateAll adds all entries", createAllAdds},
		{"CreateAll adds nothing when a key exists", createAllRefuses},
		{"CreateAll and DeleteAll refuse to do nothing", nothingAtAll},
		{"racing CreateAlls leave no part behind", createAllRace},
		{"List sees all that CreateAll adds or nothing", createAllWhole},
		{"DeleteAll deletes all entries", deleteAllDeletes},
		{"of racing DeleteAlls one wins", deleteAllRace},
		{"List sees all that DeleteAll deletes or nothing", deleteAllWhole},
	}
}

func entry(key, value string) store.Entry {
	return store.Entry{Key: key, Value: []byte(value), Expires: future()}
}

func createAllAdds(t *testing.T, s store.Backend) {
	mustCreate(t, s, "b", "expired", past())
	entries := []store.Entry{entry("a", "first"), entry("b", "second"), {Key: "c"}, {Key: "d", Value: []byte("expired"), Expires: past()}}
	done(t, s.CreateAll(t.Context(), entries...), "CreateAll")
	scribble(entries[0].Value)
	wantValue(t, s, "a", "first")
	wantValue(t, s, "b", "second")
	wantValue(t, s, "c", "")
	wantAbsent(t, s, "d")
	if list := mustList(t, s, "", 3); list[0].Expires.IsZero() || !list[2].Expires.IsZero() {
		t.Fatalf("List after CreateAll = %v; want a and b, which expire, and c, which does not", list)
	}
}

func createAllRefuses(t *testing.T, s store.Backend) {
	mustCreate(t, s, "there", "stays", never)
	for at := range 3 {
		entries := []store.Entry{entry("a", ""), entry("b", "")}
		entries = append(entries[:at:at], append([]store.Entry{entry("there", "new")}, entries[at:]...)...)
		wantError(t, s.CreateAll(t.Context(), entries...), store.ErrExists, fmt.Sprintf("CreateAll with entry %d there", at))
		wantValue(t, s, "there", "stays")
		wantAbsent(t, s, "a")
		wantAbsent(t, s, "b")
	}
	wantError(t, s.CreateAll(t.Context(), entry("twice", "1"), entry("twice", "2")), store.ErrExists, "CreateAll of one key twice")
	wantAbsent(t, s, "twice")
}

func nothingAtAll(t *testing.T, s store.Backend) {
	wantPlainError(t, s.CreateAll(t.Context()), "CreateAll of nothing")
	wantPlainError(t, s.DeleteAll(t.Context()), "DeleteAll of nothing")
}

func createAllRace(t *testing.T, s store.Backend) {
	for round := range 20 {
		prefix := fmt.Sprintf("round-%d/", round)
		errs := race(func(i int) error {
			return s.CreateAll(t.Context(), entry(fmt.Sprintf("%sown-%d", prefix, i), ""), entry(prefix+"shared", ""))
		})
		winner := wantOneWinner(t, errs, store.ErrExists)
		if list := mustList(t, s, prefix, 2); list[0].Key != fmt.Sprintf("%sown-%d", prefix, winner) {
			t.Fatalf("List after a race of CreateAlls = %v; want the winner's two entries", list)
		}
	}
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
	done(t, s.CreateAll(t.Context(), entry("a"+keyOf(i), ""), entry("b"+keyOf(i), ""), entry("c"+keyOf(i), "")), "CreateAll")
}

// listThrees checks that there are all three entries of each call, or none.
func listThrees(t *testing.T, s store.Backend) func() error {
	return func() error {
		list, err := s.List(t.Context(), "", "", 1000)
		if err == nil && len(list)%3 != 0 {
			err = fmt.Errorf("a List beside changes of three entries shows %d", len(list))
		}
		return err
	}
}

func deleteAllDeletes(t *testing.T, s store.Backend) {
	for _, key := range []string{"a", "b", "c", "stays"} {
		mustCreate(t, s, key, "value", future())
	}
	mustCreate(t, s, "expired", "value", past())
	done(t, s.DeleteAll(t.Context(), "c", "absent", "a", "expired"), "DeleteAll of two live entries and two that are absent")
	for _, key := range []string{"a", "c"} {
		wantAbsent(t, s, key)
		mustCreate(t, s, key, "again", never)
	}
	wantValue(t, s, "b", "value")
	wantValue(t, s, "stays", "value")
	wantError(t, s.DeleteAll(t.Context(), "absent", "expired"), store.ErrNotFound, "DeleteAll of nothing")
	done(t, s.DeleteAll(t.Context(), "b", "b"), "DeleteAll of one key twice")
	wantAbsent(t, s, "b")
}

func deleteAllRace(t *testing.T, s store.Backend) {
	for range 20 {
		for _, key := range []string{"a", "b", "c"} {
			mustPut(t, s, key, "", never)
		}
		wantOneWinner(t, race(func(int) error { return s.DeleteAll(t.Context(), "c", "a", "b") }), store.ErrNotFound)
	}
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
