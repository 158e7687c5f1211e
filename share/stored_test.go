package share_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/seal"
	"github.com/devkiln/devkiln/store"
)

// earlierStore returns a store with the shares that an earlier build wrote, as
// devkiln export printed them.
func earlierStore(t *testing.T) store.Backend {
	t.Helper()
	data, err := os.ReadFile("testdata/shares-0.1.jsonl")
	require.NoError(t, err)
	backend := store.NewMemory()
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data))
	for lines.Scan() {
		var e struct {
			Key   string
			Value []byte
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &e))
		require.NoError(t, backend.Create(t.Context(), e.Key, e.Value, time.Time{}))
	}
	return backend
}

// What an earlier build stored is read, found, read once and deleted.
func TestService_readsWhatAnEarlierBuildStored(t *testing.T) {
	backend := earlierStore(t)
	s := must(share.New(backend, share.Options{List: true}))
	const short = "2026-11-22T10:00:01Z INFO start\n2026-11-22T10:00:02Z ERROR disk is full\n"
	ctx := t.Context()

	log, err := s.Log(ctx, "erp349120ep0w4y6")
	require.NoError(t, err)
	assert.Equal(t, []string{short, "short", "text"}, []string{log.Content, log.Title, string(log.Format)})
	assert.JSONEq(t, `{"errors":1,"warnings":0,"lines":2}`, onlyCounts(t, log.Statistics()))

	long, err := s.Log(ctx, "54jj5yktysssymvw")
	require.NoError(t, err)
	text := textOf(t, s, long)
	assert.Len(t, text, 790_902)
	assert.Equal(t, 9000, strings.Count(text, "\n"))

	sealed, err := s.Log(ctx, "nrndc9t52s3bk0tz")
	require.NoError(t, err)
	opened, err := seal.Open("log", sealed.Content, "2isXZvn3D-Sly9hVdYU7FJDzWagNx7iRaEAIE0xXTCw")
	require.NoError(t, err)
	assert.Equal(t, seal.Share{Kind: "log", Title: "sealed", Content: short}, opened)

	for range 2 {
		_, err = s.Log(ctx, "cxvd76cna78mq003")
		require.ErrorIs(t, err, share.ErrReadOnce)
	}
	once, err := s.TakeLog(ctx, "cxvd76cna78mq003")
	require.NoError(t, err)
	assert.Equal(t, short, once.Content)
	snippet, err := s.TakeSnippet(ctx, "fqr4myx22q2ppngb")
	require.NoError(t, err)
	assert.Equal(t, "package main\n", snippet.Code)

	deleteAll(ctx, t, s)
	assert.Empty(t, everyEntry(t, backend))
}

// onlyCounts returns those statistics that no analysis will change.
func onlyCounts(t *testing.T, stats json.RawMessage) string {
	t.Helper()
	var counts struct {
		Errors   int `json:"errors"`
		Warnings int `json:"warnings"`
		Lines    int `json:"lines"`
	}
	require.NoError(t, json.Unmarshal(stats, &counts))
	text, err := json.Marshal(counts)
	require.NoError(t, err)
	return string(text)
}

// deleteAll deletes every share of the list.
func deleteAll(ctx context.Context, t *testing.T, s *share.Service) {
	t.Helper()
	page, err := s.Find(ctx, share.Query{})
	require.NoError(t, err)
	require.Len(t, page.Shares, 4, "those read once are gone")
	for _, item := range page.Shares {
		require.NoError(t, s.Discard(ctx, item.Cursor()))
	}
}
