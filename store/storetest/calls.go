package storetest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/devkiln/devkiln/store"
)

// call is a method of a store. Behavior common to all methods, such as their
// result after Close, is checked for each call of a list.
type call[S any] struct {
	name string
	do   func(ctx context.Context, s S, key string) error // key is ignored if the method takes none
}

// storeCalls are the methods of a [store.Store]; all of them take a key.
func storeCalls() []call[store.Store] {
	return []call[store.Store]{
		{"Create", func(ctx context.Context, s store.Store, key string) error { return s.Create(ctx, key, nil, never) }},
		{"Get", func(ctx context.Context, s store.Store, key string) error { _, err := s.Get(ctx, key); return err }},
		{"Delete", func(ctx context.Context, s store.Store, key string) error { return s.Delete(ctx, key) }},
	}
}

// keyedCalls are the methods that take a key, besides those of store.Store.
func keyedCalls() []call[store.Backend] {
	limits := store.Limits{Window: time.Minute, PerWindow: 2}
	return []call[store.Backend]{
		{"Put", func(ctx context.Context, s store.Backend, key string) error { return s.Put(ctx, key, nil, never) }},
		{"Add", func(ctx context.Context, s store.Backend, key string) error {
			_, err := s.Add(ctx, key, 1, never)
			return err
		}},
		{"Take", func(ctx context.Context, s store.Backend, key string) error {
			_, err := s.Take(ctx, key, time.Now(), limits)
			return err
		}},
		{"CreateAll", func(ctx context.Context, s store.Backend, key string) error {
			return s.CreateAll(ctx, entry("first"), entry(key))
		}},
		{"DeleteAll", func(ctx context.Context, s store.Backend, key string) error { return s.DeleteAll(ctx, "there", key) }},
	}
}

// otherCalls are the methods that take no key.
func otherCalls() []call[store.Backend] {
	return []call[store.Backend]{
		{"List", func(ctx context.Context, s store.Backend, _ string) error {
			_, err := s.List(ctx, "", "", 1)
			return err
		}},
		{"Count", func(ctx context.Context, s store.Backend, _ string) error { _, err := s.Count(ctx, ""); return err }},
		{"Sweep", func(ctx context.Context, s store.Backend, _ string) error { _, err := s.Sweep(ctx, 1); return err }},
		{"Size", func(ctx context.Context, s store.Backend, _ string) error { _, err := s.Size(ctx); return err }},
		{"Ready", func(ctx context.Context, s store.Backend, _ string) error { return s.Ready(ctx) }},
	}
}

// illegalKeys checks that calls refuse keys and change nothing.
func illegalKeys[S store.Store](t *testing.T, s S, calls []call[S]) {
	mustCreate(t, s, "there", "stays", never)
	for _, key := range []string{
		"", " ", "a b", " a", "a ", "a\n", "\x00", "a\x00b", "\x7f", "\x1f", "ä", "日本", "a\xffb",
		strings.Repeat("k", store.MaxKeyBytes+1), strings.Repeat("k", 1<<16),
	} {
		for _, c := range calls {
			wantPlainError(t, c.do(t.Context(), s, key), c.name+" of an illegal key")
		}
	}
	wantAbsent(t, s, "first")
	wantValue(t, s, "there", "stays")
}

// canceledContext checks that calls do nothing once their context is done.
func canceledContext[S store.Store](t *testing.T, s S, calls []call[S]) {
	mustCreate(t, s, "there", "stays", never)
	mustCreate(t, s, "expired", "", past())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range calls {
		for _, key := range []string{"new", "there"} {
			wantError(t, c.do(ctx, s, key), context.Canceled, c.name+" with a context that is done")
		}
	}
	wantValue(t, s, "there", "stays")
	wantAbsent(t, s, "new")
	wantAbsent(t, s, "first")
}

// wantPlainError fails unless err is non-nil and wraps no sentinel.
func wantPlainError(t *testing.T, err error, what string) {
	t.Helper()
	if err == nil || errors.Is(err, store.ErrExists) || errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrUnavailable) {
		t.Fatalf("%s: error %v, want one that wraps no sentinel", what, err)
	}
}
