package share_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/mask"
	"github.com/devkiln/devkiln/store"
)

// A share that was read before is what the store has now.
func TestWhatWasReadBeforeIsWhatTheStoreHas(t *testing.T) {
	backend := store.NewMemory()
	s := share.New(backend, share.Options{})
	log, err := s.CreateLog(t.Context(), "first", share.LogOptions{})
	require.NoError(t, err)
	other, err := s.CreateLog(t.Context(), "second", share.LogOptions{Title: "other"})
	require.NoError(t, err)
	for range 2 {
		got, err := s.Log(t.Context(), log.ID)
		require.NoError(t, err)
		require.Equal(t, "first", got.Content)
	}
	value, err := backend.Get(t.Context(), "log/"+other.ID)
	require.NoError(t, err)
	require.NoError(t, backend.Put(t.Context(), "log/"+log.ID, value, time.Time{}))
	got, err := s.Log(t.Context(), log.ID)
	require.NoError(t, err)
	assert.Equal(t, "second", got.Content)
	assert.Equal(t, "other", got.Title)

	require.NoError(t, backend.Put(t.Context(), "log/"+log.ID, value[:len(value)-1], time.Time{}))
	_, err = s.Log(t.Context(), log.ID)
	require.Error(t, err)
	require.NoError(t, backend.Delete(t.Context(), "log/"+log.ID))
	_, err = s.Log(t.Context(), log.ID)
	require.ErrorIs(t, err, share.ErrNotFound)
}

func TestASharesExpiryIsNotRemembered(t *testing.T) {
	now := time.Now()
	s := share.New(store.NewMemory(), share.Options{Now: func() time.Time { return now }})
	log, err := s.CreateLog(t.Context(), "content", share.LogOptions{Expiry: share.Expiry1h})
	require.NoError(t, err)
	_, err = s.Log(t.Context(), log.ID)
	require.NoError(t, err)
	now = now.Add(time.Hour)
	_, err = s.Log(t.Context(), log.ID)
	require.ErrorIs(t, err, share.ErrNotFound)
}

// What one reader does to a share does not show to the next.
func TestASharesPartsAreTheReadersOwn(t *testing.T) {
	s := masking()
	snippet, err := s.CreateSnippet(t.Context(), `password = "hunter2"`, share.SnippetOptions{})
	require.NoError(t, err)
	for range 3 {
		got, err := s.Snippet(t.Context(), snippet.ID)
		require.NoError(t, err)
		require.Equal(t, mask.Found{mask.Password: 1}, got.Masked)
		got.Masked[mask.Password] = 7
	}
}

func TestManyReadTheSameShares(t *testing.T) {
	s := share.New(store.NewMemory(), share.Options{})
	var ids, contents []string
	for i := range 100 {
		contents = append(contents, strings.Repeat("x", 1+i*700)) // 3.5 MB, some of them too long to be remembered
		log, err := s.CreateLog(t.Context(), contents[i], share.LogOptions{Stats: []byte(`{"n":1}`)})
		require.NoError(t, err)
		ids = append(ids, log.ID)
	}
	var wg sync.WaitGroup
	for reader := range 4 {
		wg.Go(func() {
			for i := range 400 {
				n := (i*7 + reader) % len(ids)
				log, err := s.Log(t.Context(), ids[n])
				if !assert.NoError(t, err) || !assert.Equal(t, contents[n], log.Content) {
					return
				}
			}
		})
	}
	wg.Wait()
}

// BenchmarkRead reads a log of 1 KB that was read before, and logs that were not.
func BenchmarkRead(b *testing.B) {
	s := share.New(store.NewMemory(), share.Options{})
	var ids []string
	for range 20_000 {
		log, err := s.CreateLog(b.Context(), strings.Repeat("2026-11-20 03:00:01 INFO request served in 12 ms\n", 20), share.LogOptions{})
		require.NoError(b, err)
		ids = append(ids, log.ID)
	}
	for name, among := range map[string]int{"again": 1, "another": len(ids)} {
		b.Run(name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				if _, err := s.Log(b.Context(), ids[i%among]); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}
