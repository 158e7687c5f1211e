package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/internal/pgtest"
)

// readAtOnce has a hundred readers request a read-once log from several
// servers. It returns how many read it and how many got a not-found error.
func readAtOnce(t *testing.T, servers []string, key, id string) (read, gone int32) {
	t.Helper()
	var got, missed atomic.Int32
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			api, err := client.New(servers[i%len(servers)], key, client.Options{})
			if !assert.NoError(t, err) {
				return
			}
			log, err := api.TakeLog(t.Context(), id)
			for isStatus(err, http.StatusServiceUnavailable) { // the database is slower than the readers
				log, err = api.TakeLog(t.Context(), id)
			}
			switch {
			case err == nil && log.Content == "secret":
				got.Add(1)
			case isStatus(err, http.StatusNotFound):
				missed.Add(1)
			}
		})
	}
	wg.Wait()
	return got.Load(), missed.Load()
}

func TestBurn_onceOfManyReadersOfReplicas(t *testing.T) {
	t.Parallel()
	for name, db := range map[string]func(t *testing.T) (string, int){
		"sqlite":   func(t *testing.T) (string, int) { return storeIn(t), 1 },
		"postgres": func(t *testing.T) (string, int) { return "--store=" + pgtest.Shared(t).NewSchema(), 3 },
	} {
		t.Run(name, func(t *testing.T) {
			store, replicas := db(t)
			var servers []string
			var key string
			for range replicas {
				s := start(t, none, store, "--rate-minute=0")
				servers, key = append(servers, s.base), key+s.key
			}
			api, err := client.New(servers[0], key, client.Options{})
			require.NoError(t, err)
			log, err := api.ShareLog(t.Context(), client.LogRequest{Content: "secret", Burn: true})
			require.NoError(t, err)
			read, gone := readAtOnce(t, servers, key, log.ID)
			assert.EqualValues(t, 1, read)
			assert.EqualValues(t, 99, gone)
		})
	}
}

func isStatus(err error, status int) bool {
	refused, ok := errors.AsType[*client.Error](err)
	return ok && refused.Status == status
}

// A server is killed while read-once logs are read, and restarted on the same
// store. No log is read twice.
func TestBurn_killReadsNoneTwice(t *testing.T) {
	t.Parallel()
	const clients, each = 8, 100
	db := storeIn(t)
	base, key, kill := launch(t, db)
	api, err := client.New(base, key, client.Options{Tries: 1})
	require.NoError(t, err)
	var reads sync.Map // number of reads by log
	ids := make([][]string, clients)
	for i := range clients * each {
		log, err := api.ShareLog(t.Context(), client.LogRequest{Content: "secret", Burn: true})
		require.NoError(t, err)
		ids[i%clients] = append(ids[i%clients], log.ID)
		reads.Store(log.ID, new(atomic.Int32))
	}
	read := func(api *client.Client, id string) error {
		log, err := api.TakeLog(context.Background(), id)
		if count, ok := reads.Load(id); ok && err == nil && log.Content == "secret" {
			count.(*atomic.Int32).Add(1)
		}
		return err
	}
	var some atomic.Int32
	var wg sync.WaitGroup
	for _, mine := range ids {
		wg.Go(func() {
			for _, id := range mine {
				if read(api, id) == nil && some.Add(1) == clients*each/3 {
					kill()
				}
			}
		})
	}
	wg.Wait()

	s := start(t, none, db, "--rate-minute=0", "--rate-day=0")
	again, err := client.New(s.base, key, client.Options{Tries: 1})
	require.NoError(t, err)
	lost := 0
	for _, mine := range ids {
		for _, id := range mine {
			err := read(again, id)
			assert.True(t, err == nil || isStatus(err, http.StatusNotFound), "%v", err)
			count, _ := reads.Load(id)
			switch count.(*atomic.Int32).Load() {
			case 0:
				lost++
			case 1:
			default:
				assert.Fail(t, "read twice", id)
			}
		}
	}
	assert.LessOrEqual(t, lost, clients, "at most those whose responses were under way")
}

func TestUpload_encrypted(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a command for each row, in one goroutine")
	}
	t.Parallel()
	s := start(t, none, storeIn(t))
	env := []string{"DEVKILN_URL=" + s.base, "DEVKILN_KEY=" + s.key}
	text := "03:00:01 ERROR password=hunter2\r\n"
	file := filepath.Join(t.TempDir(), "build.log")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	for _, kind := range []string{"log", "snippet"} {
		stdout, _, err := command(t, env, kind, "--encrypt", "--once", file)
		require.NoError(t, err)
		link := strings.TrimSpace(stdout)
		page, fragment, found := strings.Cut(link, "#")
		require.True(t, found, link)
		assert.Len(t, fragment, 43)

		_, _, err = command(t, env, "shares", "show", link)
		assert.EqualError(t, err, "this share is read once, and reading deletes it: add --once")
		stdout, _, err = command(t, env, "shares", "show", "--once", link)
		require.NoError(t, err)
		assert.Equal(t, text, stdout)
		_, _, err = command(t, env, "shares", "show", "--once", link)
		assert.True(t, isStatus(err, http.StatusNotFound), "%v", err)
		stdout, _, err = command(t, env, kind, "--encrypt", "--once", file)
		require.NoError(t, err)
		link, _, _ = strings.Cut(stdout, "#")
		stdout, _, err = command(t, env, "shares", "show", "--once", link)
		require.EqualError(t, err, "this share is encrypted: give its whole link, including # and the key")
		assert.Regexp(t, `^devkiln1\.`, stdout, "it is deleted, and not lost")
		assert.NotContains(t, page, fragment)
	}

	stdout, _, err := command(t, env, "snippet", "--encrypt", "--language=python", "--title=t", file)
	require.NoError(t, err)
	stdout, _, err = command(t, env, "shares", "show", "--json", strings.TrimSpace(stdout))
	require.NoError(t, err)
	var shown client.Snippet
	require.NoError(t, json.Unmarshal([]byte(stdout), &shown))
	assert.Equal(t, []string{text, "t", "python"}, []string{shown.Code, shown.Title, shown.Language}, "all that was encrypted")

	stdout, _, err = command(t, env, "log", "--encrypt", file)
	require.NoError(t, err)
	link, fragment, _ := strings.Cut(strings.TrimSpace(stdout), "#")
	status, raw := get(t, http.DefaultClient, link+"/raw")
	require.Equal(t, http.StatusOK, status)
	assert.NotContains(t, raw, "hunter2")
	assert.NotContains(t, raw, "build.log")
	for behind, want := range map[string]string{
		"":                       "this share is encrypted: give its whole link, including # and the key",
		"#" + fragment[1:] + "A": "the key after # does not decrypt this share, or the share is damaged",
	} {
		_, _, err := command(t, env, "shares", "show", link+behind)
		assert.EqualError(t, err, want)
	}
}
