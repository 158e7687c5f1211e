package storetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/devkiln/devkiln/store"
)

func entryClauses() []clause[store.Store] {
	return []clause[store.Store]{
		{"Create then Get", createThenGet},
		{"Create refuses a key that exists", createTwice},
		{"Get of an unknown key", func(t *testing.T, s store.Store) { wantAbsent(t, s, "unknown") }},
		{"Delete", deleteEntry},
		{"values are the caller's own", aliasing},
		{"keys of every legal form", legalKeys},
		{"keys are compared byte by byte", exactKeys},
		{"illegal keys", func(t *testing.T, s store.Store) { illegalKeys(t, s, storeCalls()) }},
		{"a context that is done", func(t *testing.T, s store.Store) { canceledContext(t, s, storeCalls()) }},
	}
}

func createThenGet(t *testing.T, s store.Store) {
	everyByte := make([]byte, 256)
	for i := range everyByte {
		everyByte[i] = byte(i)
	}
	for key, value := range map[string]string{
		"empty":  "",
		"text":   "one\r\ntwo\n",
		"binary": string(everyByte),
		"large":  strings.Repeat("0123456789abcdef", 1<<16),
	} {
		mustCreate(t, s, key, value, future())
		wantValue(t, s, key, value)
		wantValue(t, s, key, value)
	}
	done(t, s.Create(t.Context(), "nil", nil, never), "Create with a nil value")
	wantValue(t, s, "nil", "")
}

func createTwice(t *testing.T, s store.Store) {
	mustCreate(t, s, "key", "first", never)
	for _, value := range []string{"first", "second", ""} {
		err := s.Create(t.Context(), "key", []byte(value), future())
		wantError(t, err, store.ErrExists, "second Create")
		wantValue(t, s, "key", "first")
	}
	wantError(t, s.Create(t.Context(), "key", []byte("expired"), past()), store.ErrExists, "Create with an expiry in the past")
	wantValue(t, s, "key", "first")
}

func deleteEntry(t *testing.T, s store.Store) {
	wantError(t, s.Delete(t.Context(), "key"), store.ErrNotFound, "Delete of an unknown key")
	mustCreate(t, s, "key", "first", future())
	mustCreate(t, s, "other", "stays", never)
	mustDelete(t, s, "key")
	wantAbsent(t, s, "key")
	wantError(t, s.Delete(t.Context(), "key"), store.ErrNotFound, "second Delete")
	wantValue(t, s, "other", "stays")
	mustCreate(t, s, "key", "second", never)
	wantValue(t, s, "key", "second")
}

func aliasing(t *testing.T, s store.Store) {
	value := []byte("original")
	done(t, s.Create(t.Context(), "key", value, never), "Create")
	scribble(value)
	wantValue(t, s, "key", "original")
	for range 100 { // a store may begin to keep what is read again and again
		got, err := s.Get(t.Context(), "key")
		if err != nil || string(got) != "original" {
			t.Fatalf("a value changed with a slice that Get returned: %q, %v", got, err)
		}
		scribble(got[:cap(got)])
	}
}

func legalKeys(t *testing.T, s store.Store) {
	var printable strings.Builder
	for c := byte('!'); c <= '~'; c++ {
		printable.WriteByte(c)
		mustCreate(t, s, string(c), "single "+string(c), never)
	}
	long := strings.Repeat("k", store.MaxKeyBytes)
	for _, key := range []string{printable.String(), long, long[1:]} {
		mustCreate(t, s, key, "value of "+key, never)
		wantValue(t, s, key, "value of "+key)
	}
	for c := byte('!'); c <= '~'; c++ {
		wantValue(t, s, string(c), "single "+string(c))
		mustDelete(t, s, string(c))
	}
}

func exactKeys(t *testing.T, s store.Store) {
	keys := []string{"a", "A", "aa", "a/", "a/b", "a%", "a_", "a*", "ab", "1", "01", "1.0", "'a'", `a\`, "a;--"}
	for _, key := range keys {
		mustCreate(t, s, key, "value of "+key, never)
	}
	for _, key := range keys {
		wantValue(t, s, key, "value of "+key)
	}
	for _, key := range []string{"b", "B", "aA", "A/", "001", "1.00"} {
		wantAbsent(t, s, key)
	}
}

func keyOf(i int) string { return fmt.Sprintf("key-%04d", i) }
