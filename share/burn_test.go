package share_test

import (
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/pgtest"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/seal"
	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/postgres"
	"github.com/devkiln/devkiln/store/sqlite"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Run(m)) }

// Of a hundred readers, one gets a share that burns: on one store, and with
// three replicas on one database.
func TestTake_onceOfManyReaders(t *testing.T) {
	for name, open := range map[string]func(*testing.T) []store.Backend{
		"memory": func(*testing.T) []store.Backend { return []store.Backend{store.NewMemory()} },
		"sqlite": func(t *testing.T) []store.Backend {
			s, err := sqlite.Open(t.Context(), t.TempDir()+"/kiln.db", sqlite.Options{})
			require.NoError(t, err)
			return []store.Backend{s}
		},
		"postgres": func(t *testing.T) (all []store.Backend) {
			address := pgtest.Shared(t).NewSchema()
			for range 3 {
				s, err := postgres.Open(t.Context(), address, postgres.Options{})
				require.NoError(t, err)
				all = append(all, s)
			}
			return all
		},
	} {
		t.Run(name, func(t *testing.T) {
			var replicas []*share.Service
			for _, s := range open(t) {
				t.Cleanup(func() { assert.NoError(t, s.Close()) })
				service, err := share.New(s, share.Options{List: true})
				require.NoError(t, err)
				replicas = append(replicas, service)
			}
			for range 5 {
				readAtOnce(t, replicas)
			}
		})
	}
}

func readAtOnce(t *testing.T, replicas []*share.Service) {
	made, err := replicas[0].CreateLog(t.Context(), "secret", share.LogOptions{Burn: true, Title: "t", Owner: "o"})
	require.NoError(t, err)
	var read, gone atomic.Int32
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			log, err := replicas[i%len(replicas)].TakeLog(t.Context(), made.ID)
			switch {
			case err == nil && log.Content == "secret":
				read.Add(1)
			case errors.Is(err, share.ErrNotFound) && log.Content == "":
				gone.Add(1)
			}
		})
	}
	wg.Wait()
	assert.EqualValues(t, 1, read.Load())
	assert.EqualValues(t, 99, gone.Load())
	page, err := replicas[0].Find(t.Context(), share.Query{})
	require.NoError(t, err)
	assert.Empty(t, page.Shares)
}

func TestLog_readOnceTellsNothing(t *testing.T) {
	s, clock := newService(store.NewMemory())
	log, err := s.CreateLog(t.Context(), "secret", share.LogOptions{Burn: true, Title: "hidden", Stats: []byte(`{"a":1}`), Owner: "o"})
	require.NoError(t, err)
	assert.Equal(t, "secret", log.Content, "to whoever makes it")
	got, err := s.Log(t.Context(), log.ID)
	assert.ErrorIs(t, err, share.ErrReadOnce)
	assert.Equal(t, share.Log{Info: share.Info{ID: log.ID, Created: log.Created, Expires: log.Expires, Owner: "o", Burn: true}, Format: share.FormatText, Parts: []share.LogPart{{Line: 1}}}, got)
	assert.ErrorIs(t, s.Delete(t.Context(), share.KindLog, log.ID, "another"), share.ErrNotFound)
	assert.NoError(t, s.Delete(t.Context(), share.KindLog, log.ID, "o"), "unread")
	_, err = s.TakeLog(t.Context(), log.ID)
	assert.ErrorIs(t, err, share.ErrNotFound)

	snippet, err := s.CreateSnippet(t.Context(), "x", share.SnippetOptions{Burn: true, Title: "hidden", Expiry: share.Expiry1h})
	require.NoError(t, err)
	seen, err := s.Snippet(t.Context(), snippet.ID)
	assert.ErrorIs(t, err, share.ErrReadOnce)
	assert.Empty(t, seen.Code+seen.Title)
	clock.now = clock.now.Add(time.Hour)
	_, err = s.TakeSnippet(t.Context(), snippet.ID)
	assert.ErrorIs(t, err, share.ErrNotFound, "expired before it was read")

	plain, err := s.CreateSnippet(t.Context(), "x", share.SnippetOptions{})
	require.NoError(t, err)
	for range 2 {
		taken, err := s.TakeSnippet(t.Context(), plain.ID)
		assert.NoError(t, err)
		assert.Equal(t, "x", taken.Code)
	}
}

func TestCreate_encrypted(t *testing.T) {
	s := masking()
	sealed, key, err := seal.Seal(seal.Share{Kind: "log", Title: "t", Content: strings.Repeat("🎉", share.MaxLogContent)})
	require.NoError(t, err)
	log, err := s.CreateLog(t.Context(), sealed, share.LogOptions{Encrypted: true})
	require.NoError(t, err)
	log, err = s.Log(t.Context(), log.ID)
	require.NoError(t, err)
	assert.True(t, log.Encrypted)
	assert.JSONEq(t, "{}", string(log.Statistics()))
	opened, err := seal.Open("log", log.Content, key)
	require.NoError(t, err)
	assert.Equal(t, "t", opened.Title)

	snippet, err := s.CreateSnippet(t.Context(), sealed[:105], share.SnippetOptions{Encrypted: true, Language: "go"})
	require.NoError(t, err)
	assert.Equal(t, "text", snippet.Language)

	_, err = s.CreateLog(t.Context(), "plain", share.LogOptions{Encrypted: true, Title: "t", Stats: []byte("{}")})
	assert.EqualError(t, err, "content: is not encrypted as Devkiln does it\ntitle: has 1 characters, must have at most 0\nstats: must be left out where the content is encrypted")
}

func TestCreate_burnIsPartOfWhatIsAskedFor(t *testing.T) {
	s, _ := newService(store.NewMemory())
	_, err := s.CreateLog(t.Context(), "x", share.LogOptions{IdempotencyKey: "k"})
	require.NoError(t, err)
	_, err = s.CreateLog(t.Context(), "x", share.LogOptions{IdempotencyKey: "k", Burn: true})
	assert.ErrorIs(t, err, share.ErrKeyReused)
}

func TestCreateLogFrom_tooLongToBurn(t *testing.T) {
	s, _ := newService(store.NewMemory())
	for _, o := range []share.LogOptions{{Burn: true}, {Encrypted: true}} {
		_, err := s.CreateLogFrom(t.Context(), strings.NewReader(strings.Repeat("a", 3_000_000)), o)
		assert.EqualError(t, err, "content: has more than 500000 characters, which a log that is read once or encrypted must not have")
	}
	log, err := s.CreateLogFrom(t.Context(), strings.NewReader("secret"), share.LogOptions{Burn: true})
	require.NoError(t, err)
	_, err = s.Log(t.Context(), log.ID)
	assert.ErrorIs(t, err, share.ErrReadOnce)
}
