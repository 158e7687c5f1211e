package share_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// clock is a time that a test advances.
type clock struct{ now time.Time }

func (c *clock) time() time.Time { return c.now }

func must(s *share.Service, err error) *share.Service {
	if err != nil {
		panic(err)
	}
	return s
}

// newService returns a service whose clock starts now, with a fraction of a
// millisecond.
func newService(backend store.Store) (*share.Service, *clock) {
	c := &clock{time.Now().Truncate(time.Second).Add(123_456_789)}
	return must(share.New(backend, share.Options{Now: c.time})), c
}

func TestService_contentByteForByte(t *testing.T) {
	s, _ := newService(store.NewMemory())
	for name, content := range map[string]string{
		"one character": "x",
		"line ends":     "a\r\nb\nc\rd\n\n",
		"NUL":           "a\x00b\x00",
		"blanks":        "  a  \t \n ",
		"astral":        strings.Repeat("🪵", share.MaxLogContent),
		"separators":    "a\u2028b\u2029c\ufeff",
		"markup":        `<script>alert("&amp;")</script>`,
		"repetition":    strings.Repeat("a", share.MaxLogContent),
	} {
		t.Run(name, func(t *testing.T) {
			made, err := s.CreateLog(t.Context(), content, share.LogOptions{})
			require.NoError(t, err)
			found, err := s.Log(t.Context(), made.ID)
			require.NoError(t, err)
			assert.True(t, found.Content == content)
			assert.Equal(t, made, found)

			if len(content) > share.MaxSnippetCode {
				return
			}
			snippet, err := s.CreateSnippet(t.Context(), content, share.SnippetOptions{})
			require.NoError(t, err)
			foundSnippet, err := s.Snippet(t.Context(), snippet.ID)
			require.NoError(t, err)
			assert.Equal(t, content, foundSnippet.Code)
			assert.Equal(t, snippet, foundSnippet)
		})
	}
}

func TestExpiry(t *testing.T) {
	for expiry, lives := range map[share.Expiry]time.Duration{
		"": 24 * time.Hour, "1h": time.Hour, "24h": 24 * time.Hour, "7d": 168 * time.Hour, "30d": 720 * time.Hour, "never": 0,
	} {
		s, clock := newService(store.NewMemory())
		created := clock.now.Truncate(time.Millisecond).UTC()
		log, err := s.CreateLog(t.Context(), "x", share.LogOptions{Expiry: expiry})
		require.NoError(t, err)
		snippet, err := s.CreateSnippet(t.Context(), "x", share.SnippetOptions{Expiry: expiry})
		require.NoError(t, err)
		assert.Equal(t, created, log.Created)
		assert.Equal(t, log.Expires, snippet.Expires)
		if lives == 0 {
			assert.True(t, log.Expires.IsZero())
			clock.now = clock.now.AddDate(50, 0, 0)
			_, err = s.Log(t.Context(), log.ID)
			assert.NoError(t, err)
			continue
		}
		require.Equal(t, created.Add(lives), log.Expires)
		clock.now = log.Expires.Add(-time.Nanosecond)
		_, err = s.Log(t.Context(), log.ID)
		assert.NoError(t, err, expiry)
		clock.now = log.Expires
		_, err = s.Log(t.Context(), log.ID)
		assert.ErrorIs(t, err, share.ErrNotFound, expiry)
		_, err = s.Snippet(t.Context(), snippet.ID)
		assert.ErrorIs(t, err, share.ErrNotFound, expiry)
		assert.ErrorIs(t, s.Delete(t.Context(), share.KindLog, log.ID, ""), share.ErrNotFound, expiry)
	}
	s, _ := newService(store.NewMemory())
	log, err := s.CreateLog(t.Context(), "x", share.LogOptions{Expiry: share.Expiry6h})
	require.NoError(t, err)
	assert.Equal(t, 6*time.Hour, log.Expires.Sub(log.Created))
	_, err = s.CreateSnippet(t.Context(), "x", share.SnippetOptions{Expiry: share.Expiry6h})
	assert.Equal(t, []string{"expiry not_one_of"}, faults(err))
}

func TestOptions_maxExpiryShortens(t *testing.T) {
	for asked, want := range map[share.Expiry]time.Duration{
		share.Expiry1h: time.Hour, share.Expiry7d: 48 * time.Hour, share.ExpiryNever: 48 * time.Hour,
	} {
		s := must(share.New(store.NewMemory(), share.Options{MaxExpiry: 48 * time.Hour}))
		log, err := s.CreateLog(t.Context(), "x", share.LogOptions{Expiry: asked})
		require.NoError(t, err)
		assert.Equal(t, want, log.Expires.Sub(log.Created), asked)
	}
}

// faults returns the field and reason of each input error in err.
func faults(err error) []string {
	var all []string
	if joined, ok := errors.AsType[interface {
		error
		Unwrap() []error
	}](err); ok {
		for _, e := range joined.Unwrap() {
			if bad, ok := errors.AsType[interface {
				error
				Invalid() (field, reason string)
			}](e); ok {
				field, reason := bad.Invalid()
				all = append(all, field+" "+reason)
			}
		}
	}
	return all
}

func TestLogOptions_refused(t *testing.T) {
	long := func(n int) string { return strings.Repeat("é", n) }
	for name, c := range map[string]struct {
		content string
		options share.LogOptions
		want    []string
	}{
		"empty":               {"", share.LogOptions{}, []string{"content too_short"}},
		"as long as may be":   {long(share.MaxLogContent), share.LogOptions{Title: long(share.MaxLogTitle)}, nil},
		"too long":            {long(share.MaxLogContent + 1), share.LogOptions{}, []string{"content too_long"}},
		"title too long":      {"x", share.LogOptions{Title: long(share.MaxLogTitle + 1)}, []string{"title too_long"}},
		"not UTF-8":           {"a\xff", share.LogOptions{Title: "\xc3"}, []string{"content invalid_format", "title invalid_format"}},
		"expiry":              {"x", share.LogOptions{Expiry: "2h"}, []string{"expiry not_one_of"}},
		"format":              {"x", share.LogOptions{Format: "xml"}, []string{"format not_one_of"}},
		"not JSON":            {"x", share.LogOptions{Format: share.FormatJSON}, []string{"format invalid_format"}},
		"JSON":                {"{}", share.LogOptions{Format: share.FormatJSON}, nil},
		"stats are no object": {"x", share.LogOptions{Stats: json.RawMessage(`[1]`)}, []string{"stats invalid_type"}},
		"stats are no JSON":   {"x", share.LogOptions{Stats: json.RawMessage(`{"a"`)}, []string{"stats invalid_type"}},
		"stats as large as may be": {"x", share.LogOptions{
			Stats: json.RawMessage(`{"a":"` + strings.Repeat("x", share.MaxStatsBytes-8) + `"}`),
		}, nil},
		"stats too large": {"x", share.LogOptions{
			Stats: json.RawMessage(`{"a":"` + strings.Repeat("x", share.MaxStatsBytes-7) + `"}`),
		}, []string{"stats too_long"}},
		"all at once": {"", share.LogOptions{
			Title: long(1001), Expiry: "x", Format: "x", Stats: json.RawMessage(`1`),
		}, []string{"content too_short", "title too_long", "expiry not_one_of", "format not_one_of", "stats invalid_type"}},
	} {
		t.Run(name, func(t *testing.T) {
			backend := store.NewMemory()
			s, _ := newService(backend)
			_, err := s.CreateLog(t.Context(), c.content, c.options)
			assert.Equal(t, c.want, faults(err))
			entries, listErr := backend.List(t.Context(), "", "", 10)
			require.NoError(t, listErr)
			assert.Equal(t, err == nil, len(entries) == 1, "nothing is kept of what is refused")
		})
	}
}

func TestSnippetOptions_refused(t *testing.T) {
	s, _ := newService(store.NewMemory())
	_, err := s.CreateSnippet(t.Context(), strings.Repeat("🪵", share.MaxSnippetCode+1), share.SnippetOptions{
		Title: strings.Repeat("🪵", share.MaxSnippetTitle+1), Expiry: "1d",
	})
	assert.Equal(t, []string{"code too_long", "title too_long", "expiry not_one_of"}, faults(err))
	_, err = s.CreateSnippet(t.Context(), strings.Repeat("🪵", share.MaxSnippetCode), share.SnippetOptions{
		Title: strings.Repeat("🪵", share.MaxSnippetTitle), Expiry: share.Expiry30d,
	})
	assert.NoError(t, err)
}

func TestFormat_auto(t *testing.T) {
	s, _ := newService(store.NewMemory())
	for content, want := range map[string]share.Format{
		`{"a":1}`:                    share.FormatJSON,
		" [1,\n 2]\n":                share.FormatJSON,
		"{\"a\":1}\n{\"a\":2}\n":     share.FormatJSON,
		"{\"a\":1}\r\n\r\n{\"a\":2}": share.FormatJSON,
		"{\"a\":1}\nplain\n":         share.FormatText,
		"{\"a\":1":                   share.FormatText,
		"12:00 INFO up":              share.FormatText,
		" \n\t\n":                    share.FormatText,
	} {
		log, err := s.CreateLog(t.Context(), content, share.LogOptions{})
		require.NoError(t, err)
		assert.Equal(t, want, log.Format, "%q", content)
		log, err = s.CreateLog(t.Context(), content, share.LogOptions{Format: share.FormatText})
		require.NoError(t, err)
		assert.Equal(t, share.FormatText, log.Format)
	}
}

func TestStats_storedOrComputed(t *testing.T) {
	s, _ := newService(store.NewMemory())
	given := json.RawMessage(`{"errors": 7, "tiny":1e-400, "big":12345678901234567890}`)
	log, err := s.CreateLog(t.Context(), "x", share.LogOptions{Stats: given})
	require.NoError(t, err)
	log, err = s.Log(t.Context(), log.ID)
	require.NoError(t, err)
	assert.JSONEq(t, string(given), string(log.Statistics()))
	assert.Contains(t, string(log.Statistics()), "12345678901234567890")

	log, err = s.CreateLog(t.Context(), "INFO a\nERROR b\n", share.LogOptions{})
	require.NoError(t, err)
	var computed map[string]any
	require.NoError(t, json.Unmarshal(log.Statistics(), &computed))
	assert.EqualValues(t, 2, computed["lines"])
	assert.EqualValues(t, 1, computed["errors"])
	assert.EqualValues(t, 1, computed["info"])
}

// TestStats_doNotChange reads a log whose lines have no year years after it was
// made, with another service.
func TestStats_doNotChange(t *testing.T) {
	backend := store.NewMemory()
	s, c := newService(backend)
	c.now = time.Date(2026, time.January, 2, 0, 0, 0, 0, time.UTC)
	made, err := s.CreateLog(t.Context(), "Dec 31 23:59:58 host cron[1]: up\nDec 31 23:59:59 host cron[1]: down\n", share.LogOptions{Expiry: share.ExpiryNever})
	require.NoError(t, err)
	later, c := newService(backend)
	c.now = time.Date(2029, time.January, 2, 0, 0, 0, 0, time.UTC)
	found, err := later.Log(t.Context(), made.ID)
	require.NoError(t, err)
	assert.JSONEq(t, `{"lines":2,"errors":0,"warnings":0,"info":0,"debug":0,"other":2,
		"firstTimestamp":"2025-12-31T23:59:58.000Z","lastTimestamp":"2025-12-31T23:59:59.000Z"}`, string(found.Statistics()))
	assert.Equal(t, made.Statistics(), found.Statistics())
}

func TestSnippetOptions_languages(t *testing.T) {
	s, _ := newService(store.NewMemory())
	for given, want := range map[string]string{
		"Python": "python", "\tC++\n": "c++", "node": "node", "auto": "go", "": "go", "klingon": "go",
	} {
		snippet, err := s.CreateSnippet(t.Context(), "package main\n\nfunc main() {}\n", share.SnippetOptions{Language: given})
		require.NoError(t, err)
		assert.Equal(t, want, snippet.Language, "%q", given)
	}
}

func TestDelete_onlyByTheMaker(t *testing.T) {
	s, _ := newService(store.NewMemory())
	log, err := s.CreateLog(t.Context(), "x", share.LogOptions{Owner: "alice"})
	require.NoError(t, err)
	assert.ErrorIs(t, s.Delete(t.Context(), share.KindLog, log.ID, "bob"), share.ErrNotFound)
	assert.ErrorIs(t, s.Delete(t.Context(), share.KindLog, log.ID, ""), share.ErrNotFound)
	assert.ErrorIs(t, s.Delete(t.Context(), share.KindSnippet, log.ID, "alice"), share.ErrNotFound, "a log is not a snippet")
	assert.NoError(t, s.Delete(t.Context(), share.KindLog, log.ID, "alice"))
	assert.ErrorIs(t, s.Delete(t.Context(), share.KindLog, log.ID, "alice"), share.ErrNotFound)

	snippet, err := s.CreateSnippet(t.Context(), "x", share.SnippetOptions{Owner: "alice"})
	require.NoError(t, err)
	assert.ErrorIs(t, s.Delete(t.Context(), share.KindSnippet, snippet.ID, "bob"), share.ErrNotFound)
	assert.NoError(t, s.Delete(t.Context(), share.KindSnippet, snippet.ID, "alice"))
}

func TestValidID(t *testing.T) {
	s, _ := newService(store.NewMemory())
	seen := make(map[string]bool)
	for range 1000 {
		log, err := s.CreateLog(t.Context(), "x", share.LogOptions{})
		require.NoError(t, err)
		assert.Regexp(t, `^[0-9a-hjkmnp-tv-z]{16}$`, log.ID)
		assert.True(t, share.ValidID(log.ID))
		assert.False(t, seen[log.ID])
		seen[log.ID] = true
	}
	for _, id := range []string{"", "x", "0123456789abcdei", "0123456789ABCDEF", "0123456789abcde", "0123456789abcdefg", "0123456789abcde/", "0123456789abcd\r\n", "../../etc/passwd"} {
		assert.False(t, share.ValidID(id), "%q", id)
		_, err := s.Log(t.Context(), id)
		assert.ErrorIs(t, err, share.ErrNotFound, "%q", id)
	}
}

// crowded is a store in which every id already exists.
type crowded struct{ store.Store }

func (crowded) Create(context.Context, string, []byte, time.Time) error { return store.ErrExists }

func TestService_takenID(t *testing.T) {
	s, _ := newService(crowded{store.NewMemory()})
	_, err := s.CreateLog(t.Context(), "x", share.LogOptions{})
	assert.ErrorIs(t, err, store.ErrExists)
}

// faultsOf returns the damage of each share in a store.
func faultsOf(t *testing.T, backend store.Backend) map[string]error {
	t.Helper()
	found := make(map[string]error)
	require.NoError(t, share.Check(t.Context(), backend, func(f share.Finding) {
		if f.Share {
			found[f.Key] = f.Fault
		}
	}))
	return found
}

// The service does not trust what a store returns.
func TestService_damagedEnvelopes(t *testing.T) {
	backend := store.NewMemory()
	s, _ := newService(backend)
	log, err := s.CreateLog(t.Context(), "some content", share.LogOptions{})
	require.NoError(t, err)
	key := "log/" + log.ID
	whole, err := backend.Get(t.Context(), key)
	require.NoError(t, err)
	require.NoError(t, backend.Put(t.Context(), key+"x", nil, time.Time{}))
	require.NoError(t, backend.Put(t.Context(), "key/"+log.ID, nil, time.Time{}))
	require.Equal(t, map[string]error{key: nil}, faultsOf(t, backend))
	for name, damaged := range map[string][]byte{
		"empty":       {},
		"version":     append([]byte{99}, whole[1:]...),
		"cut":         whole[:len(whole)/2],
		"not a frame": []byte("\x01plain text"),
	} {
		require.NoError(t, backend.Put(t.Context(), key, damaged, time.Time{}))
		assert.Error(t, faultsOf(t, backend)[key], name)
		_, err := s.Log(t.Context(), log.ID)
		require.Error(t, err, name)
		assert.NotErrorIs(t, err, share.ErrNotFound, name)
		assert.Contains(t, err.Error(), key, name)
	}
}

// A damaged file may have the entry of one share under the key of another.
func TestService_anotherSharesEnvelope(t *testing.T) {
	backend := store.NewMemory()
	s, _ := newService(backend)
	log, err := s.CreateLog(t.Context(), "one", share.LogOptions{Owner: "alice"})
	require.NoError(t, err)
	other, err := s.CreateLog(t.Context(), "a secret of somebody else", share.LogOptions{Owner: "alice"})
	require.NoError(t, err)
	value, err := backend.Get(t.Context(), "log/"+other.ID)
	require.NoError(t, err)
	require.NoError(t, backend.Put(t.Context(), "log/"+log.ID, value, time.Time{}))
	require.NoError(t, backend.Put(t.Context(), "snippet/"+other.ID, value, time.Time{}))

	found, err := s.Log(t.Context(), log.ID)
	require.ErrorContains(t, err, "share: log/"+log.ID+": envelope of another share")
	require.NotErrorIs(t, err, share.ErrNotFound)
	require.Empty(t, found.Content)
	_, err = s.Snippet(t.Context(), other.ID)
	require.ErrorContains(t, err, "envelope of another share")
	require.ErrorContains(t, s.Delete(t.Context(), share.KindLog, log.ID, "alice"), "envelope of another share")
	faults := faultsOf(t, backend)
	assert.Error(t, faults["log/"+log.ID])
	assert.Error(t, faults["snippet/"+other.ID])
	assert.NoError(t, faults["log/"+other.ID])
}

func TestNew_refusesWhatCannotWork(t *testing.T) {
	_, err := share.New(nil, share.Options{})
	require.EqualError(t, err, "share: New needs a store")
	_, err = share.New(struct{ store.Store }{store.NewMemory()}, share.Options{List: true})
	require.EqualError(t, err, "share: Options.List needs a store.Backend")
	_, err = share.New(struct{ store.Store }{store.NewMemory()}, share.Options{List: true, MaxExpiry: -time.Second, MaxLogBytes: share.LogBytesLimit + 1})
	require.EqualError(t, err, `share: Options.MaxExpiry is -1s, must not be negative
share: Options.MaxLogBytes is 1073741825, must be 0 to 1073741824
share: Options.List needs a store.Backend`)
}

func TestExpiry_duration(t *testing.T) {
	for expiry, want := range map[share.Expiry]time.Duration{"": 24 * time.Hour, "6h": 6 * time.Hour, "30d": 720 * time.Hour, "never": 0} {
		got, err := expiry.Duration()
		assert.NoError(t, err, expiry)
		assert.Equal(t, want, got, expiry)
	}
	_, err := share.Expiry("2h").Duration()
	assert.EqualError(t, err, "expiry: must be one of 1h, 6h, 24h, 7d, 30d, never")
}

func TestService_storeIsAway(t *testing.T) {
	backend := store.NewMemory()
	s, _ := newService(backend)
	log, err := s.CreateLog(t.Context(), "x", share.LogOptions{})
	require.NoError(t, err)
	require.NoError(t, backend.Close())
	_, err = s.CreateLog(t.Context(), "x", share.LogOptions{})
	assert.ErrorIs(t, err, store.ErrUnavailable)
	_, err = s.Log(t.Context(), log.ID)
	assert.ErrorIs(t, err, store.ErrUnavailable)
}

func FuzzLog(f *testing.F) {
	f.Add("x", "title")
	f.Add("{\"level\":\"error\"}\n{\"level\":\"info\"}\n", "")
	f.Add("\x00\xff", "\u202e")
	s, _ := newService(store.NewMemory())
	f.Fuzz(func(t *testing.T, content, title string) {
		made, err := s.CreateLog(t.Context(), content, share.LogOptions{Title: title})
		if err != nil {
			if len(faults(err)) == 0 {
				t.Fatalf("an error without a field: %v", err)
			}
			return
		}
		found, err := s.Log(t.Context(), made.ID)
		if err != nil || found.Content != content || found.Title != title {
			t.Fatalf("read back %q, %q, %v", found.Content, found.Title, err)
		}
		if err := s.Delete(t.Context(), share.KindLog, made.ID, ""); err != nil {
			t.Fatal(err)
		}
	})
}
