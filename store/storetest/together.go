package storetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/devkiln/devkiln/store"
)

func togetherClauses() []clause[store.Backend] {
	return []clause[store.Backend]{
		{"CreateAll adds all entries", createAllAdds},
		{"CreateAll adds nothing when a key exists", createAllRefuses},
		{"CreateAll refuses bad arguments", createAllArguments},
		{"racing CreateAlls leave no part behind", createAllRace},
		{"List sees all that CreateAll adds or nothing", createAllWhole},
		{"DeleteAll deletes all entries", deleteAllDeletes},
		{"DeleteAll refuses bad arguments", deleteAllArguments},
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
	if err := s.CreateAll(t.Context(), entries...); err != nil {
		t.Fatalf("CreateAll: %v", err)
	}
	scribble(entries[0].Value)
	wantValue(t, s, "a", "first")
	wantValue(t, s, "b", "second")
	wantValue(t, s, "c", "")
	wantAbsent(t, s, "d")
	list, err := s.List(t.Context(), "", "", 10)
	if err != nil || len(list) != 3 || list[0].Expires.IsZero() || !list[2].Expires.IsZero() {
		t.Fatalf("List after CreateAll = %v, %v; want a and b, which expire, and c, which does not", list, err)
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

func createAllArguments(t *testing.T, s store.Backend) {
	for _, entries := range [][]store.Entry{
		{},
		{entry("", "")},
		{entry("a", ""), entry("with blank", "")},
		{entry("a", ""), entry(strings.Repeat("k", store.MaxKeyBytes+1), "")},
	} {
		wantPlainError(t, s.CreateAll(t.Context(), entries...), fmt.Sprintf("CreateAll of %d bad entries", len(entries)))
		wantAbsent(t, s, "a")
	}
	ctx := canceled(t)
	wantError(t, s.CreateAll(ctx, entry("a", "")), ctx.Err(), "CreateAll")
	wantAbsent(t, s, "a")
	if err := s.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	wantError(t, s.CreateAll(t.Context(), entry("a", "")), store.ErrUnavailable, "CreateAll after Close")
}

func createAllRace(t *testing.T, s store.Backend) {
	for round := range 20 {
		prefix := fmt.Sprintf("round-%d/", round)
		errs := race(func(i int) error {
			return s.CreateAll(t.Context(), entry(fmt.Sprintf("%sown-%d", prefix, i), ""), entry(prefix+"shared", ""))
		})
		winner := wantOneWinner(t, errs, store.ErrExists)
		list, err := s.List(t.Context(), prefix, "", 2*racers)
		if err != nil || len(list) != 2 || list[0].Key != fmt.Sprintf("%sown-%d", prefix, winner) {
			t.Fatalf("List after a race of CreateAlls = %v, %v; want the winner's two entries", list, err)
		}
	}
}

func createAllWhole(t *testing.T, s store.Backend) {
	during(t, func() {
		for i := range 100 {
			if err := s.CreateAll(t.Context(), entry("a"+keyOf(i), ""), entry("b"+keyOf(i), ""), entry("c"+keyOf(i), "")); err != nil {
				t.Errorf("CreateAll: %v", err)
				return
			}
		}
	}, func() error {
		list, err := s.List(t.Context(), "", "", 1000)
		if err == nil && len(list)%3 != 0 {
			err = fmt.Errorf("a List beside CreateAll shows %d entries, want all three of each or none", len(list))
		}
		return err
	})
}

func deleteAllDeletes(t *testing.T, s store.Backend) {
	for _, key := range []string{"a", "b", "c", "stays"} {
		mustCreate(t, s, key, "value", future())
	}
	mustCreate(t, s, "expired", "value", past())
	if err := s.DeleteAll(t.Context(), "c", "absent", "a", "expired"); err != nil {
		t.Fatalf("DeleteAll of two live entries and two that are absent: %v", err)
	}
	for _, key := range []string{"a", "c"} {
		wantAbsent(t, s, key)
		mustCreate(t, s, key, "again", never)
	}
	wantValue(t, s, "b", "value")
	wantValue(t, s, "stays", "value")
	wantError(t, s.DeleteAll(t.Context(), "absent", "expired"), store.ErrNotFound, "DeleteAll of nothing")
	if err := s.DeleteAll(t.Context(), "b", "b"); err != nil {
		t.Fatalf("DeleteAll of one key twice: %v", err)
	}
	wantAbsent(t, s, "b")
}

func deleteAllArguments(t *testing.T, s store.Backend) {
	mustCreate(t, s, "a", "stays", never)
	for _, keys := range [][]string{{}, {""}, {"a", "with blank"}, {"a", strings.Repeat("k", store.MaxKeyBytes+1)}} {
		wantPlainError(t, s.DeleteAll(t.Context(), keys...), fmt.Sprintf("DeleteAll of %d bad keys", len(keys)))
		wantValue(t, s, "a", "stays")
	}
	ctx := canceled(t)
	wantError(t, s.DeleteAll(ctx, "a"), ctx.Err(), "DeleteAll")
	wantValue(t, s, "a", "stays")
	if err := s.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	wantError(t, s.DeleteAll(t.Context(), "a"), store.ErrUnavailable, "DeleteAll after Close")
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
		if err := s.CreateAll(t.Context(), entry("a"+keyOf(i), ""), entry("b"+keyOf(i), ""), entry("c"+keyOf(i), "")); err != nil {
			t.Fatalf("CreateAll: %v", err)
		}
	}
	during(t, func() {
		for i := range 100 {
			if err := s.DeleteAll(t.Context(), "a"+keyOf(i), "b"+keyOf(i), "c"+keyOf(i)); err != nil {
				t.Errorf("DeleteAll: %v", err)
				return
			}
		}
	}, func() error {
		list, err := s.List(t.Context(), "", "", 1000)
		if err == nil && len(list)%3 != 0 {
			err = fmt.Errorf("a List beside DeleteAll shows %d entries, want all three of each or none", len(list))
		}
		return err
	})
}
