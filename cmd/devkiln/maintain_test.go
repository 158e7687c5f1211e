package main

import (
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/pgtest"
	"github.com/devkiln/devkiln/store/sqlite"
)

// logWith creates a log and returns its id.
func logWith(t *testing.T, s *instance, content string) string {
	t.Helper()
	status, made := call(t, http.MethodPost, s.base+"/api/v1/log-share", s.key, `{"content":"`+content+`"}`)
	require.Equal(t, http.StatusOK, status, made)
	return made["id"].(string)
}

func TestBackup_whileServing(t *testing.T) {
	t.Parallel()
	db := storeIn(t)
	backup := filepath.Join(t.TempDir(), "backup.db")
	s := start(t, none, db)
	before := logWith(t, s, "before the backup")
	stdout, _, err := command(t, none, db, "backup", backup)
	require.NoError(t, err)
	assert.Contains(t, stdout, "run: devkiln restore "+backup+" "+strings.Replace(db, "=", " ", 1)+"\n")
	after := logWith(t, s, "after the backup")
	_, _, err = command(t, none, db, "backup", backup)
	assert.ErrorContains(t, err, "exist", "a backup is never overwritten")
	_, _, err = command(t, none, db, "restore", backup)
	assert.ErrorContains(t, err, "another server", "not under a running server")
	require.NoError(t, s.stop())

	path := strings.TrimPrefix(db, "--store=sqlite:")
	require.NoError(t, os.Truncate(path, 100), "nobody could open this store")
	stdout, _, err = command(t, none, db, "restore", backup)
	require.NoError(t, err)
	assert.Contains(t, stdout, "The previous store is now "+path+".before-restore.\n")
	restored := start(t, none, db)
	status, _ := call(t, http.MethodGet, restored.base+"/api/v1/log-share/"+before, s.key, "")
	assert.Equal(t, http.StatusOK, status)
	status, _ = call(t, http.MethodGet, restored.base+"/api/v1/log-share/"+after, s.key, "")
	assert.Equal(t, http.StatusNotFound, status)
}

func TestExport_andImport(t *testing.T) {
	t.Parallel()
	from, to := storeIn(t), storeIn(t)
	s := start(t, none, from)
	id := logWith(t, s, "moves house")
	file := filepath.Join(t.TempDir(), "export.jsonl")
	_, _, err := command(t, none, from, "export", file)
	require.NoError(t, err)
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "it holds what people shared")
	_, _, err = command(t, none, from, "export", file)
	assert.Error(t, err, "an export is never overwritten")
	written, _, err := command(t, none, from, "export", "-")
	require.NoError(t, err)
	assert.Contains(t, written, id)

	_, said, err := command(t, none, to, "import", file)
	require.NoError(t, err)
	assert.Regexp(t, `^\d+ entries imported\.\n$`, said)
	_, said, err = command(t, none, to, "import", file)
	require.NoError(t, err)
	assert.Regexp(t, `^\d+ entries imported\.\n$`, said, "again")
	moved := start(t, none, to)
	status, found := call(t, http.MethodGet, moved.base+"/api/v1/log-share/"+id, s.key, "")
	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, "moves house", found["content"])

	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	const other = `{"key":"other","value":"YQ=="}` + "\n" + `{"entries":1}` + "\n"
	for name, c := range map[string]struct{ export, fault string }{
		"cut off":   {string(whole[:len(whole)-20]), "the export is truncated"},
		"no export": {"package main\n", ": line 1 is not an entry of an export"},
		"empty":     {"", ": line 1: the export is truncated"},
	} {
		require.NoError(t, os.WriteFile(file, []byte(c.export), 0o600))
		for _, args := range [][]string{{"import", file}, {"import"}, {"import", "-"}} {
			fresh := storeIn(t)
			_, _, err = piped(t, none, c.export, append([]string{fresh}, args...)...)
			require.ErrorContains(t, err, c.fault, name)
			left, err := filepath.Glob(strings.TrimPrefix(fresh, "--store=sqlite:") + "*")
			require.NoError(t, err)
			assert.Empty(t, left, "%s: a failed import leaves nothing", name)

			_, _, err = piped(t, none, other, fresh, "import")
			require.NoError(t, err)
			_, _, err = piped(t, none, c.export, append([]string{fresh}, args...)...)
			require.ErrorContains(t, err, c.fault, name)
			still, _, err := command(t, none, fresh, "export")
			require.NoError(t, err)
			assert.Equal(t, other, still, "%s: a failed import changes nothing", name)
		}
	}
	_, _, err = command(t, none, storeIn(t), "import", file+".none")
	assert.Error(t, err)
}

func TestCheck_damagedShare(t *testing.T) {
	t.Parallel()
	db := storeIn(t)
	s := start(t, none, db)
	id := logWith(t, s, "whole")
	stdout, _, err := command(t, none, db, "check")
	require.NoError(t, err)
	assert.Contains(t, stdout, "1 of them shares")
	require.NoError(t, s.stop())

	backend, err := sqlite.Open(t.Context(), strings.TrimPrefix(db, "--store=sqlite:"), sqlite.Options{})
	require.NoError(t, err)
	require.NoError(t, backend.Put(t.Context(), "log/"+id, []byte("\x01damaged"), time.Time{}))
	require.NoError(t, backend.Close())
	_, stderr, err := command(t, none, db, "check")
	assert.ErrorContains(t, err, "1 of 1 shares are damaged")
	assert.Contains(t, stderr, "log/"+id)
}

func TestServe_maxExpiry(t *testing.T) {
	t.Parallel()
	s := start(t, none, storeIn(t), "--max-expiry=2d")
	status, made := call(t, http.MethodPost, s.base+"/api/v1/log-share", s.key, `{"content":"x","expiry":"never"}`)
	require.Equal(t, http.StatusOK, status)
	assert.NotNil(t, made["expiresAt"])

	at := []string{"DEVKILN_URL=" + s.base, "DEVKILN_KEY=" + s.key}
	_, stderr, err := piped(t, at, "x", "log", "--expiry=never")
	require.NoError(t, err)
	assert.Regexp(t, `^It expires at 20\d\d-.*Z, earlier than requested: the server limits the expiry\.\n$`, stderr)
	_, stderr, err = piped(t, at, "x", "log", "--expiry=24h")
	require.NoError(t, err)
	assert.Empty(t, stderr)
}

// noise returns 60,000 characters that hardly compress.
func noise(seed uint64) string {
	random := rand.New(rand.NewPCG(seed, 0))
	text := make([]byte, 60_000)
	for i := range text {
		text[i] = 'A' + byte(random.IntN(26)) | byte(random.IntN(2))<<5
	}
	return string(text)
}

func TestServe_fullStoreIs503(t *testing.T) {
	t.Parallel()
	for name, storeFlag := range map[string]func(t *testing.T) string{
		"sqlite":   storeIn,
		"memory":   func(*testing.T) string { return "--store=memory:" },
		"postgres": func(t *testing.T) string { return "--store=" + pgtest.Shared(t).NewSchema() },
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, none, storeFlag(t), "--max-store-bytes=1000000", "--rate-minute=0")
			ids := fillWithLogs(t, s)
			require.Greater(t, len(ids), 5)
			status, _ := call(t, http.MethodPost, s.base+"/api/v1/slug-generator", s.key, `{"text":"x"}`)
			assert.Equal(t, http.StatusOK, status, "what needs no room goes on")
			for _, id := range ids[:5] {
				status, _ = call(t, http.MethodDelete, s.base+"/api/v1/log-share/"+id, s.key, "")
				require.Equal(t, http.StatusOK, status)
			}
			assert.Eventually(t, func() bool {
				status, _ := call(t, http.MethodPost, s.base+"/api/v1/log-share", s.key, `{"content":"`+noise(1000)+`"}`)
				return status == http.StatusOK
			}, time.Minute, 10*time.Millisecond, "there is room again")
		})
	}
}

// fillWithLogs shares logs until it gets a 503, and returns their ids.
func fillWithLogs(t *testing.T, s *instance) []string {
	t.Helper()
	var ids []string
	for i := range 100 {
		status, made := call(t, http.MethodPost, s.base+"/api/v1/log-share", s.key, `{"content":"`+noise(uint64(i))+`"}`)
		if status != http.StatusOK {
			require.Equal(t, http.StatusServiceUnavailable, status)
			require.Equal(t, "unavailable", made["error"].(map[string]any)["code"])
			return ids
		}
		ids = append(ids, made["id"].(string))
	}
	t.Fatal("the store is never full")
	return nil
}
