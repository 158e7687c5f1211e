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

func TestFind_newestFirst(t *testing.T) {
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
		newest, err := s.Find(t.Context(), share.Query{Limit: 2})
		require.NoError(t, err)
		first := newest.Shares
		older, err := s.Find(t.Context(), share.Query{After: newest.Next})
		require.NoError(t, err)
		assert.Empty(t, older.Next)
		var listed []string
		for _, item := range append(first, older.Shares...) {
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
		live, err := s.Find(t.Context(), share.Query{})
		require.NoError(t, err)
		assert.Len(t, live.Shares, 2, "what has expired is not listed")
	})
}

func TestDelete_leavesNothing(t *testing.T) {
	backend := store.NewMemory()
	s := listing(backend)
	log, err := s.CreateLog(t.Context(), "x", share.LogOptions{Owner: "k1"})
	require.NoError(t, err)
	require.Len(t, keysOf(t, backend), 2)
	require.ErrorIs(t, s.Delete(t.Context(), share.KindLog, log.ID, "k2"), share.ErrNotFound)
	require.Len(t, keysOf(t, backend), 2)
	require.NoError(t, s.Delete(t.Context(), share.KindLog, log.ID, "k1"))
	assert.Empty(t, keysOf(t, backend))
}

func TestDiscard(t *testing.T) {
	backend := store.NewMemory()
	s := listing(backend)
	one := func() share.Summary {
		_, err := s.CreateSnippet(t.Context(), "x", share.SnippetOptions{Owner: "k1"})
		require.NoError(t, err)
		page, err := s.Find(t.Context(), share.Query{})
		require.NoError(t, err)
		require.Len(t, page.Shares, 1)
		return page.Shares[0]
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
			_, err := s.Find(t.Context(), share.Query{After: cursor})
			assert.ErrorContains(t, err, "after: must be the next of a page", cursor)
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
	_, err = s.Find(t.Context(), share.Query{})
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

// foundTitles returns the titles that a query finds, page by page.
func foundTitles(t *testing.T, s *share.Service, q share.Query) (titles []string) {
	t.Helper()
	for {
		page, err := s.Find(t.Context(), q)
		require.NoError(t, err)
		for _, item := range page.Shares {
			titles = append(titles, item.Title)
		}
		if q.After = page.Next; q.After == "" {
			return titles
		}
	}
}

func TestFind_onlyWhatMatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := listing(store.NewMemory())
		for _, made := range []struct{ kind, title, owner string }{
			{"log", "Build 1 of Ärger", "alice"}, {"snippet", "build.go", "bob"}, {"log", "deploy", "bob"}, {"log", "BUILD 2", "bob"}, {"snippet", "", "alice"},
		} {
			var err error
			if made.kind == "log" {
				_, err = s.CreateLog(t.Context(), "x", share.LogOptions{Title: made.title, Owner: made.owner})
			} else {
				_, err = s.CreateSnippet(t.Context(), "x", share.SnippetOptions{Title: made.title, Owner: made.owner, Language: "text"})
			}
			require.NoError(t, err)
			<-time.After(time.Millisecond)
		}
		for _, c := range []struct {
			query share.Query
			want  []string
		}{
			{share.Query{}, []string{"", "BUILD 2", "deploy", "build.go", "Build 1 of Ärger"}},
			{share.Query{Text: "build"}, []string{"BUILD 2", "build.go", "Build 1 of Ärger"}},
			{share.Query{Text: "äRGER"}, []string{"Build 1 of Ärger"}},
			{share.Query{Owner: "bob"}, []string{"BUILD 2", "deploy", "build.go"}},
			{share.Query{Owner: "bob", Kind: share.KindLog}, []string{"BUILD 2", "deploy"}},
			{share.Query{Owner: "bob", Kind: share.KindLog, Text: "2"}, []string{"BUILD 2"}},
			{share.Query{Owner: "alice", Kind: share.KindSnippet}, []string{""}},
			{share.Query{Owner: "nobody"}, nil},
		} {
			for limit := range 4 {
				c.query.Limit = limit
				assert.Equal(t, c.want, foundTitles(t, s, c.query), "%+v", c.query)
			}
		}
	})
}

// A search for one share among many others returns an empty page and a cursor
// before it has read too many list entries.
func TestFind_looksAtABoundedNumber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := store.NewMemory()
		s := listing(backend)
		log, err := s.CreateLog(t.Context(), "x", share.LogOptions{Owner: "alice"})
		require.NoError(t, err)
		for i := range 11_000 {
			place := share.Summary{Kind: share.KindLog, ID: log.ID, Created: log.Created.Add(time.Duration(i+1) * time.Millisecond)}
			require.NoError(t, backend.Put(t.Context(), "recent/"+place.Cursor(), []byte(`{"bytes":1,"owner":"bob"}`), time.Time{}))
		}
		first, err := s.Find(t.Context(), share.Query{Owner: "alice"})
		require.NoError(t, err)
		assert.Empty(t, first.Shares)
		require.NotEmpty(t, first.Next)
		second, err := s.Find(t.Context(), share.Query{Owner: "alice", After: first.Next})
		require.NoError(t, err)
		require.Len(t, second.Shares, 1)
		assert.Empty(t, second.Next)
	})
}

func TestQuery_namesAllFaults(t *testing.T) {
	err := share.Query{Kind: "key", After: "x", Limit: 1001}.Validate()
	assert.EqualError(t, err, "kind: must be log or snippet\nafter: must be the next of a page\nlimit: must be from 1 to 1000")
	assert.Error(t, share.Query{Limit: -1}.Validate())
}
