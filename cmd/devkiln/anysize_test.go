package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/internal/pgtest"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// longLog returns a log of lines that compress badly.
func longLog(lines int) string {
	var b strings.Builder
	for i := 1; i <= lines; i++ {
		fmt.Fprintf(&b, "2026-11-22T10:%02d:%02dZ INFO request %d has token=%s\n", i/60%60, i%60, i, rand.Text())
	}
	return b.String()
}

// TestServe_killLeavesNoPart kills servers that receive large logs.
// Acknowledged logs are complete; of the others nothing remains.
func TestServe_killLeavesNoPart(t *testing.T) {
	t.Parallel()
	for name, db := range map[string]string{"SQLite": storeIn(t), "PostgreSQL": "--store=" + pgtest.Shared(t).NewSchema()} {
		text := longLog(8_000)
		base, key, kill := launch(t, db)
		api, err := client.New(base, key, client.Options{Tries: 1})
		require.NoError(t, err)
		var mu sync.Mutex
		made := []string{}
		some := make(chan struct{})
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for {
					log, err := api.ShareLog(t.Context(), client.LogRequest{Content: text})
					if err != nil {
						return // the server is gone
					}
					mu.Lock()
					if made = append(made, log.ID); len(made) == 6 {
						close(some)
					}
					mu.Unlock()
				}
			})
		}
		<-some
		kill()
		wg.Wait()

		backend, err := openBackend(t.Context(), strings.TrimPrefix(db, "--store="), backendOptions{})
		require.NoError(t, err)
		heads, parts := map[string]bool{}, map[string]bool{}
		for e, err := range store.All(t.Context(), backend, "") {
			require.NoError(t, err)
			switch folder, rest, _ := strings.Cut(e.Key, "/"); folder {
			case "log":
				heads[rest] = true
			case "part":
				parts[path.Dir(rest)] = true
			}
		}
		assert.Equal(t, heads, parts, "%s: no part without its head", name)
		require.NoError(t, share.Check(t.Context(), backend, func(f share.Finding) { assert.NoError(t, f.Fault, f.Key) }))
		shares, err := share.New(backend, share.Options{})
		require.NoError(t, err)
		for _, id := range made {
			log, err := shares.Log(t.Context(), id)
			require.NoError(t, err, name)
			assert.Equal(t, len(text), log.Bytes)
		}
		require.NoError(t, backend.Close())
	}
}

// TestLog_ofAnySize shares a log in parts, reads it in every way, backs it up
// and deletes it.
func TestLog_ofAnySize(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	t.Parallel()
	s := start(t, none, storeIn(t), "--max-log-bytes=2000000")
	variables := []string{"DEVKILN_URL=" + s.base, "DEVKILN_KEY=" + s.key}
	text := longLog(20_000)
	file := filepath.Join(t.TempDir(), "build.log")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	link, _, err := piped(t, variables, "", "log", file)
	require.NoError(t, err)
	link = strings.TrimSpace(link)

	shown, _, err := piped(t, variables, "", "shares", "show", link)
	require.NoError(t, err)
	require.True(t, shown == text, "byte for byte")
	for _, address := range []string{link, link + "/raw", link + "/download"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		got, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		assert.True(t, string(got) == text, "%s: %.200s", address, got)
	}
	table, _, err := piped(t, variables, "", "shares", "list")
	require.NoError(t, err)
	assert.Regexp(t, fmt.Sprintf(`\nbuild\.log +log +%d `, len(text)), table)

	_, _, err = piped(t, variables, text+text, "log")
	assert.ErrorContains(t, err, "the log is too long for the server: the body must have at most 2000000 bytes; --fit ends leaves out its middle")
	ends, _, err := piped(t, variables, text+text, "log", "--fit=ends", "--mask")
	require.NoError(t, err)
	shown, _, err = piped(t, variables, "", "shares", "show", strings.TrimSpace(ends))
	require.NoError(t, err)
	assert.Regexp(t, `\n\[\d+ lines are left out here, errors among them: 0\]\n2026`, shown)
	assert.Greater(t, strings.Count(shown, "token=[masked: token]"), 20_000, "masked before it was sent")

	deleted, _, err := piped(t, variables, "", "shares", "delete", link, strings.TrimSpace(ends))
	require.NoError(t, err)
	assert.Equal(t, "2 deleted\n", deleted)
}
