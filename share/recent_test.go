package share_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

func listing(backend store.Backend) *share.Service {
	return must(share.New(backend, share.Options{List: true}))
}

func keysOf(t *testing.T, backend store.Backend) []string {
	t.Helper()
	entries, err := backend.List(t.Context(), "", "", 1000)
	require.NoError(t, err)
	var keys []string
	for _, e := range entries {
		keys = append(keys, e.Key)
	}
	return keys
}

func TestRecent_newestFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := listing(store.NewMemory())
		var made []string
		for i := range 5 {
			if i%2 == 0 {
				log, err := s.CreateLog(t.Context(), `{"a":1}`, share.LogOptions{Title: strings.Repeat("é", 300), Expiry: share.Expiry1h, Owner: "k1"})
				require.NoError(t, err)
				made = append([]string{log.ID}, made...)
			} else {
				snippet, err := s.CreateSnippet(t.Context(), "package a", share.SnippetOptions{Language: "go", Expiry: share.ExpiryNever})
				require.NoError(t, err)
				made = append([]string{snippet.ID}, made...)
			}
			<-time.After(time.Millisecond)
		}
		first, err := s.Recent(t.Context(), "", 2)
		require.NoError(t, err)
		rest, err := s.Recent(t.Context(), first[1].Cursor(), 100)
		require.NoError(t, err)
		var listed []string
		for _, item := range append(first, rest...) {
			listed = append(listed, item.ID)
		}
		assert.Equal(t, made, listed)

		log, err := s.Log(t.Context(), first[0].ID)
		require.NoError(t, err)
		assert.Equal(t, share.Summary{
			Kind: share.KindLog, ID: log.ID, Title: strings.Repeat("é", 200), Format: share.FormatJSON, Bytes: 7, Owner: "k1",
			Created: log.Created, Expires: log.Expires,
		}, first[0])
		assert.Equal(t, "go", first[1].Language)
		assert.True(t, first[1].Expires.IsZero())

		<-time.After(time.Hour)
		live, err := s.Recent(t.Context(), "", 100)
		require.NoError(t, err)
		assert.Len(t, live, 2, "what has expired is not listed")
	})
}

func TestDelete_leavesNothing(t *testing.T) {
	backend := store.NewMemory()
	s := listing(backend)
	log, err := s.CreateLog(t.Context(), "x", share.LogOptions{Owner: "k1"})
	require.NoError(t, err)
	require.Len(t, keysOf(t, backend), 2)
	require.ErrorIs(t, s.DeleteLog(t.Context(), log.ID, "k2"), share.ErrNotFound)
	require.Len(t, keysOf(t, backend), 2)
	require.NoError(t, s.DeleteLog(t.Context(), log.ID, "k1"))
	assert.Empty(t, keysOf(t, backend))
}

func TestDiscard(t *testing.T) {
	backend := store.NewMemory()
	s := listing(backend)
	one := func() share.Summary {
		_, err := s.CreateSnippet(t.Context(), "x", share.SnippetOptions{Owner: "k1"})
		require.NoError(t, err)
		list, err := s.Recent(t.Context(), "", 1)
		require.NoError(t, err)
		require.Len(t, list, 1)
		return list[0]
	}
	item := one()
	listed, err := s.Listed(t.Context(), item.Cursor())
	require.NoError(t, err)
	assert.Equal(t, item, listed)
	require.NoError(t, s.Discard(t.Context(), item.Cursor()))
	assert.Empty(t, keysOf(t, backend))
	_, err = s.Listed(t.Context(), item.Cursor())
	require.ErrorIs(t, err, share.ErrNotFound)
	require.ErrorIs(t, s.Discard(t.Context(), item.Cursor()), share.ErrNotFound)

	lost := one()
	require.NoError(t, backend.Delete(t.Context(), "snippet/"+lost.ID))
	require.NoError(t, s.Discard(t.Context(), lost.Cursor()), "a place that leads nowhere can be cleared")
	assert.Empty(t, keysOf(t, backend))

	require.NoError(t, backend.Put(t.Context(), "key/x", nil, time.Time{}))
	for _, cursor := range []string{"", "x", "../key/x", item.Cursor() + "/x", strings.Replace(item.Cursor(), "snippet", "key", 1), "-" + item.Cursor()[1:]} {
		assert.ErrorIs(t, s.Discard(t.Context(), cursor), share.ErrNotFound, cursor)
		if cursor != "" {
			_, err := s.Recent(t.Context(), cursor, 1)
			assert.ErrorContains(t, err, "cursor: must be one that the list gave", cursor)
		}
	}
	assert.Len(t, keysOf(t, backend), 1)
}

func TestRecent_withoutAList(t *testing.T) {
	backend := store.NewMemory()
	s := must(share.New(backend, share.Options{}))
	_, err := s.CreateLog(t.Context(), "x", share.LogOptions{})
	require.NoError(t, err)
	assert.Len(t, keysOf(t, backend), 1)
	_, err = s.Recent(t.Context(), "", 1)
	assert.ErrorIs(t, err, share.ErrNoList)
	_, err = s.Listed(t.Context(), "")
	assert.ErrorIs(t, err, share.ErrNoList)
}

func TestService_fullStore(t *testing.T) {
	backend := store.NewMemory()
	s := listing(backend)
	_, err := s.CreateLog(t.Context(), "x", share.LogOptions{})
	require.NoError(t, err)
	size, err := backend.Size(t.Context())
	require.NoError(t, err)
	backend.MaxBytes = 2*size - 100 // room for the share alone
	_, err = s.CreateLog(t.Context(), "x", share.LogOptions{})
	require.ErrorIs(t, err, store.ErrUnavailable)
	assert.Len(t, keysOf(t, backend), 2)
	backend.MaxBytes = 2*size + 100
	_, err = s.CreateLog(t.Context(), "x", share.LogOptions{})
	require.NoError(t, err)
}
