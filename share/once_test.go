package share_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// persist retries while the share is being made.
func persist(ctx context.Context, s *share.Service, content string, o share.LogOptions) (share.Log, error) {
	for {
		log, err := s.CreateLog(ctx, content, o)
		if !errors.Is(err, share.ErrInFlight) {
			return log, err
		}
	}
}

func TestIdempotencyKey_oneShareWhoeverAsks(t *testing.T) {
	for name, o := range map[string]share.Options{"without a list": {}, "with a list": {List: true}, "masking": {List: true, MaskSecrets: true}} {
		t.Run(name, func(t *testing.T) {
			backend := store.NewMemory()
			services := []*share.Service{must(share.New(backend, o)), must(share.New(backend, o))}
			made := make([]share.Log, 64)
			var wg sync.WaitGroup
			for i := range made {
				wg.Go(func() {
					log, err := persist(t.Context(), services[i%2], "password=hunter22\n", share.LogOptions{Title: "t", Owner: "alice", IdempotencyKey: "k", Stats: []byte(`{"a":1}`)})
					assert.NoError(t, err)
					made[i] = log
				})
			}
			wg.Wait()
			fresh := 0
			for _, log := range made {
				if !log.Replayed {
					fresh++
				}
				log.Replayed = made[0].Replayed
				assert.Equal(t, made[0], log)
			}
			assert.Equal(t, 1, fresh)
			found, err := services[0].Log(t.Context(), made[0].ID)
			require.NoError(t, err)
			found.Replayed = made[0].Replayed
			assert.Equal(t, made[0], found)
			keys := keysOf(t, backend)
			want := []string{"log/" + found.ID, "once/"}
			if o.List {
				want = append(want, "recent/")
			}
			require.Len(t, keys, len(want))
			for i, key := range keys {
				assert.True(t, strings.HasPrefix(key, want[i]), key)
			}
		})
	}
}

func TestIdempotencyKey_replayTellsWhatWasMade(t *testing.T) {
	backend := store.NewMemory()
	s, clock := newService(backend)
	o := share.SnippetOptions{Language: "nobody knows", Owner: "alice", IdempotencyKey: "k", Expiry: share.Expiry1h}
	first, err := s.CreateSnippet(t.Context(), "package main\n", o)
	require.NoError(t, err)
	require.NoError(t, s.Delete(t.Context(), share.KindSnippet, first.ID, "alice"))
	clock.now = clock.now.Add(24*time.Hour - time.Second)
	again, err := s.CreateSnippet(t.Context(), "package main\n", o)
	require.NoError(t, err)
	assert.True(t, again.Replayed)
	first.Replayed = true
	assert.Equal(t, first, again)
	_, err = s.Snippet(t.Context(), again.ID)
	assert.ErrorIs(t, err, share.ErrNotFound, "deleted is deleted")
}

func TestIdempotencyKey_anotherShareIsRefused(t *testing.T) {
	s, _ := newService(store.NewMemory())
	first := share.LogOptions{Title: "a", Owner: "alice", IdempotencyKey: "k"}
	_, err := s.CreateLog(t.Context(), "x", first)
	require.NoError(t, err)
	for name, change := range map[string]func(*share.LogOptions) string{
		"content":                    func(*share.LogOptions) string { return "y" },
		"title":                      func(o *share.LogOptions) string { o.Title = "b"; return "x" },
		"expiry":                     func(o *share.LogOptions) string { o.Expiry = share.Expiry7d; return "x" },
		"format":                     func(o *share.LogOptions) string { o.Format = share.FormatText; return "x" },
		"statistics":                 func(o *share.LogOptions) string { o.Stats = []byte("{}"); return "x" },
		"what moves between the two": func(o *share.LogOptions) string { o.Title = ""; return "xa" },
	} {
		o := first
		_, err := s.CreateLog(t.Context(), change(&o), o)
		assert.ErrorIs(t, err, share.ErrKeyReused, name)
	}
	_, err = s.CreateSnippet(t.Context(), "x", share.SnippetOptions{Title: "a", Owner: "alice", IdempotencyKey: "k"})
	require.ErrorIs(t, err, share.ErrKeyReused, "a snippet is no log")
	for _, o := range []share.LogOptions{{Owner: "bob", IdempotencyKey: "k"}, {Owner: "alic", IdempotencyKey: "ek"}, {Owner: "alice", IdempotencyKey: "K"}} {
		log, err := s.CreateLog(t.Context(), "y", o)
		require.NoError(t, err)
		assert.False(t, log.Replayed, "%+v", o)
	}
}

// losing is a store whose responses get lost: with before set, it does nothing,
// else it does what was requested.
type losing struct {
	store.Backend
	before, after int
}

// CreateAll implements store.Backend.
func (l *losing) CreateAll(ctx context.Context, entries ...store.Entry) error {
	if l.before--; l.before >= 0 {
		return fmt.Errorf("%w: gone before", store.ErrUnavailable)
	}
	err := l.Backend.CreateAll(ctx, entries...)
	if l.after--; l.after >= 0 {
		return fmt.Errorf("%w: gone after", store.ErrUnavailable)
	}
	return err
}

func TestIdempotencyKey_lostResponses(t *testing.T) {
	for name, c := range map[string]struct {
		backend  losing
		replayed bool
	}{
		"nothing was done": {losing{before: 1}, false},
		"all was done":     {losing{after: 1}, true},
	} {
		t.Run(name, func(t *testing.T) {
			c.backend.Backend = store.NewMemory()
			s := listing(&c.backend)
			o := share.LogOptions{Owner: "alice", IdempotencyKey: "k"}
			_, err := s.CreateLog(t.Context(), "x", o)
			require.ErrorIs(t, err, store.ErrUnavailable)
			log, err := s.CreateLog(t.Context(), "x", o)
			require.NoError(t, err)
			assert.Equal(t, c.replayed, log.Replayed)
			_, err = s.Log(t.Context(), log.ID)
			require.NoError(t, err)
			assert.Len(t, keysOf(t, &c.backend), 3)
		})
	}
}

func TestIdempotencyKey_needsABackend(t *testing.T) {
	s := must(share.New(struct{ store.Store }{store.NewMemory()}, share.Options{}))
	_, err := s.CreateLog(t.Context(), "x", share.LogOptions{IdempotencyKey: "k"})
	require.ErrorContains(t, err, "needs a store.Backend")
	_, err = s.CreateLog(t.Context(), "x", share.LogOptions{})
	require.NoError(t, err)
}

func TestIdempotencyKey_damagedReceipt(t *testing.T) {
	backend := store.NewMemory()
	s, _ := newService(backend)
	o := share.LogOptions{Owner: "alice", IdempotencyKey: "k"}
	_, err := s.CreateLog(t.Context(), "x", o)
	require.NoError(t, err)
	receipt := keysOf(t, backend)[1]
	require.NoError(t, backend.Put(t.Context(), receipt, []byte("{"), time.Time{}))
	_, err = s.CreateLog(t.Context(), "x", o)
	assert.ErrorContains(t, err, receipt)
}
