package storetest

import (
	"bytes"
	"errors"
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
		{"illegal keys", func(t *testing.T, s store.Store) { illegalKeys(t, s, storeMethods()) }},
		{"a context that is done", canceledContext},
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
	if err := s.Create(t.Context(), "nil", nil, never); err != nil {
		t.Fatalf("Create with a nil value: %v", err)
	}
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
	if err := s.Delete(t.Context(), "key"); err != nil {
		t.Fatalf("Delete: %v", err)
	}
	wantAbsent(t, s, "key")
	wantError(t, s.Delete(t.Context(), "key"), store.ErrNotFound, "second Delete")
	wantValue(t, s, "other", "stays")
	mustCreate(t, s, "key", "second", never)
	wantValue(t, s, "key", "second")
}

func aliasing(t *testing.T, s store.Store) {
	value := []byte("original")
	if err := s.Create(t.Context(), "key", value, never); err != nil {
		t.Fatalf("Create: %v", err)
	}
	scribble(value)
	got, err := s.Get(t.Context(), "key")
	if err != nil {
		t.Fatalf("Get: %v", err)
	}
	if !bytes.Equal(got, []byte("original")) {
		t.Fatalf("a value changed with the slice that was passed to Create: %q", got)
	}
	for range 100 { // a store may begin to keep what is read again and again
		scribble(got[:cap(got)])
		if got, err = s.Get(t.Context(), "key"); err != nil || !bytes.Equal(got, []byte("original")) {
			t.Fatalf("a value changed with a slice that Get returned: %q, %v", got, err)
		}
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
		if err := s.Delete(t.Context(), string(c)); err != nil {
			t.Fatalf("Delete(%q): %v", c, err)
		}
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

// method is a call that takes a key.
type method[S any] struct {
	name string
	call func(t *testing.T, s S, key string) error
}

func storeMethods() []method[store.Store] {
	return []method[store.Store]{
		{"Create", func(t *testing.T, s store.Store, key string) error { return s.Create(t.Context(), key, nil, never) }},
		{"Get", func(t *testing.T, s store.Store, key string) error { _, err := s.Get(t.Context(), key); return err }},
		{"Delete", func(t *testing.T, s store.Store, key string) error { return s.Delete(t.Context(), key) }},
	}
}

func illegalKeys[S any](t *testing.T, s S, methods []method[S]) {
	keys := []string{
		"", " ", "a b", " a", "a ", "a\n", "\x00", "a\x00b", "\x7f", "\x1f", "ä", "日本", "a\xffb",
		strings.Repeat("k", store.MaxKeyBytes+1), strings.Repeat("k", 1<<16),
	}
	for _, m := range methods {
		for _, key := range keys {
			err := m.call(t, s, key)
			if err == nil {
				t.Errorf("%s takes the illegal key %.40q", m.name, key)
			}
			for _, sentinel := range []error{store.ErrExists, store.ErrNotFound, store.ErrUnavailable} {
				if errors.Is(err, sentinel) {
					t.Errorf("%s of the illegal key %.40q: %v, want an error about the key", m.name, key, err)
				}
			}
		}
	}
}

func canceledContext(t *testing.T, s store.Store) {
	mustCreate(t, s, "there", "stays", never)
	ctx := canceled(t)
	wantError(t, s.Create(ctx, "new", nil, never), ctx.Err(), "Create")
	_, err := s.Get(ctx, "there")
	wantError(t, err, ctx.Err(), "Get")
	wantError(t, s.Delete(ctx, "there"), ctx.Err(), "Delete")
	wantAbsent(t, s, "new")
	wantValue(t, s, "there", "stays")
}

func keyOf(i int) string { return fmt.Sprintf("key-%04d", i) }
