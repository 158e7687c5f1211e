package share_test

import (
	"encoding/base64"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/mask"
	"github.com/devkiln/devkiln/store"
)

func masking() *share.Service {
	return must(share.New(store.NewMemory(), share.Options{MaskSecrets: true}))
}

func TestMask_beforeStoring(t *testing.T) {
	backend := store.NewMemory()
	s := must(share.New(backend, share.Options{MaskSecrets: true, List: true}))
	log, err := s.CreateLog(t.Context(), `{"level":"error","password":"hunter2"}`, share.LogOptions{Title: "password=hunter2 db"})
	require.NoError(t, err)
	assert.Equal(t, `{"level":"error","password":"[masked: password]"}`, log.Content)
	assert.Equal(t, "password=[masked: password] db", log.Title)
	assert.Equal(t, share.FormatJSON, log.Format)
	assert.Equal(t, mask.Found{"password": 2}, log.Masked)
	assert.Contains(t, string(log.Statistics()), `"errors":1`)
	found, err := s.Log(t.Context(), log.ID)
	require.NoError(t, err)
	assert.Equal(t, log, found)

	snippet, err := s.CreateSnippet(t.Context(), "package main\n\nconst password = \"hunter2\"\n\nfunc main() {}\n", share.SnippetOptions{Title: "token of password=hunter2"})
	require.NoError(t, err)
	assert.Equal(t, "package main\n\nconst password = \"[masked: password]\"\n\nfunc main() {}\n", snippet.Code)
	assert.Equal(t, "go", snippet.Language)
	assert.Equal(t, mask.Found{"password": 2}, snippet.Masked)
	foundSnippet, err := s.Snippet(t.Context(), snippet.ID)
	require.NoError(t, err)
	assert.Equal(t, snippet, foundSnippet)

	listed, err := s.Find(t.Context(), share.Query{})
	require.NoError(t, err)
	for _, item := range listed.Shares {
		assert.NotContains(t, item.Title, "hunter2")
	}
}

func TestMask_onlyIfWanted(t *testing.T) {
	s, _ := newService(store.NewMemory())
	log, err := s.CreateLog(t.Context(), "password=hunter2", share.LogOptions{Title: "password=hunter2"})
	require.NoError(t, err)
	assert.Equal(t, "password=hunter2", log.Content)
	assert.Equal(t, "password=hunter2", log.Title)
	assert.Nil(t, log.Masked)

	log, err = masking().CreateLog(t.Context(), "password changed", share.LogOptions{})
	require.NoError(t, err)
	assert.Equal(t, "password changed", log.Content)
	assert.Nil(t, log.Masked)
}

// Limits apply to the text as sent, and marks never make it exceed them.
func TestMask_keepsToTheLimits(t *testing.T) {
	s := masking()
	for _, unit := range []string{"pwd=abc ", "é pwd=abc ", `{"password":"abc"} `} {
		n := share.MaxLogContent / utf8.RuneCountInString(unit)
		content := strings.Repeat(unit, n)
		content += strings.Repeat(" ", share.MaxLogContent-utf8.RuneCountInString(content))
		log, err := s.CreateLog(t.Context(), content, share.LogOptions{})
		require.NoError(t, err, unit)
		assert.LessOrEqual(t, utf8.RuneCountInString(log.Content), share.MaxLogContent, unit)
		assert.NotContains(t, log.Content, "abc")
		assert.Equal(t, mask.Found{"password": n}, log.Masked)

		_, err = s.CreateLog(t.Context(), content+" ", share.LogOptions{})
		assert.Equal(t, []string{"content too_long"}, faults(err))
	}
	title := strings.Repeat("x", share.MaxSnippetTitle-len(" pwd=abc")) + " pwd=abc"
	snippet, err := s.CreateSnippet(t.Context(), "x", share.SnippetOptions{Title: title})
	require.NoError(t, err)
	assert.Equal(t, strings.Replace(title, "abc", "***", 1), snippet.Title)
}

// An envelope from before masking existed can still be read.
func TestService_oldEnvelopes(t *testing.T) {
	text, err := os.ReadFile("testdata/envelopes/v1-log.base64")
	require.NoError(t, err)
	old, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	backend := store.NewMemory()
	const id = "0123456789abcdef"
	require.NoError(t, backend.Create(t.Context(), "log/"+id, old, time.Time{}))
	s := must(share.New(backend, share.Options{MaskSecrets: true}))
	log, err := s.Log(t.Context(), id)
	require.NoError(t, err)
	assert.Equal(t, "03:00:01 INFO up\r\n03:00:02 ERROR password=hunter2\n", log.Content)
	assert.Equal(t, "nightly", log.Title)
	assert.Equal(t, share.FormatText, log.Format)
	assert.Equal(t, time.Date(2026, 11, 21, 10, 0, 0, 123e6, time.UTC), log.Created)
	assert.Equal(t, "k1", log.Owner)
	assert.Empty(t, log.Masked)
	assert.JSONEq(t, `{"lines":2}`, string(log.Statistics()))
}
