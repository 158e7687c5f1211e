package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/pgtest"
)

// Three servers on one PostgreSQL act as one service.
func TestServe_replicas(t *testing.T) {
	t.Parallel()
	db := "--store=" + pgtest.Shared(t).NewSchema()
	first := start(t, none, db)
	require.NotEmpty(t, first.key)
	replicas := []*instance{first, start(t, none, db), start(t, none, db)}
	assert.Empty(t, replicas[1].key, "the first key is made once")

	t.Run("the minute's limit holds for all together", func(t *testing.T) {
		var allowed, denied atomic.Int32
		var clients sync.WaitGroup
		for i := range 6 { // so few that none waits too long for the database, even on a slow machine: then each server would count by itself
			clients.Go(func() {
				for range 50 {
					response, err := http.DefaultClient.Do(slugRequest(t, replicas[i%len(replicas)].base, first.key))
					if !assert.NoError(t, err) {
						return
					}
					response.Body.Close()
					switch response.StatusCode {
					case http.StatusOK:
						allowed.Add(1)
					case http.StatusTooManyRequests:
						denied.Add(1)
					}
				}
			})
		}
		clients.Wait()
		assert.EqualValues(t, 100, allowed.Load())
		assert.EqualValues(t, 200, denied.Load())
	})

	stdout, stderr, err := command(t, none, "keys", "create", "--name=ci", db)
	require.NoError(t, err)
	secret := strings.TrimSpace(stdout)
	t.Run("a share is everywhere", func(t *testing.T) {
		status, made := call(t, http.MethodPost, replicas[0].base+"/api/v1/log-share", secret, `{"content":"hello"}`)
		require.Equal(t, http.StatusOK, status)
		status, found := call(t, http.MethodGet, replicas[2].base+"/api/v1/log-share/"+made["id"].(string), secret, "")
		assert.Equal(t, http.StatusOK, status)
		assert.Equal(t, "hello", found["content"])
	})
	t.Run("a revoked key is refused everywhere", func(t *testing.T) {
		id, _, found := strings.Cut(strings.TrimPrefix(stderr, "Key "), " ")
		require.True(t, found, stderr)
		for _, r := range replicas {
			status, _ := call(t, http.MethodPost, r.base+"/api/v1/slug-generator", secret, `{"text":"x"}`)
			require.Equal(t, http.StatusOK, status)
		}
		_, _, err := command(t, none, "keys", "revoke", id, db)
		require.NoError(t, err)
		for _, r := range replicas {
			assert.Eventually(t, func() bool {
				status, _ := call(t, http.MethodPost, r.base+"/api/v1/slug-generator", secret, `{"text":"x"}`)
				return status == http.StatusUnauthorized
			}, time.Minute, 50*time.Millisecond)
		}
	})
}

// While the database is down, sharing fails temporarily and everything else
// works.
func TestServe_withoutTheDatabase(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	s := start(t, none, "--store="+server.NewSchema(), "--rate-minute=5")
	create := func() (int, map[string]any) {
		return call(t, http.MethodPost, s.base+"/api/v1/log-share", s.key, `{"content":"x"}`)
	}
	status, _ := create()
	require.Equal(t, http.StatusOK, status)

	server.Kill()
	status, answer := create()
	assert.Equal(t, http.StatusServiceUnavailable, status)
	assert.Equal(t, "unavailable", answer["error"].(map[string]any)["code"])
	slug := func() int {
		status, _ := call(t, http.MethodPost, s.base+"/api/v1/slug-generator", s.key, `{"text":"x"}`)
		return status
	}
	for range 4 { // the refused share was the first of five
		require.Equal(t, http.StatusOK, slug())
	}
	assert.Equal(t, http.StatusTooManyRequests, slug(), "limited by this server alone")

	server.Restart()
	assert.Eventually(t, func() bool {
		status, _ := create()
		return status == http.StatusOK
	}, time.Minute, 100*time.Millisecond, "it recovers without a restart of its own")
	assert.NoError(t, s.stop())
}

// A server that starts before its database, as at the boot of a machine, waits
// for it and says so.
func TestServe_beforeTheDatabase(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	db := "--store=" + server.NewSchema()
	server.Kill()
	ctx, cancel := context.WithCancel(t.Context())
	var stdout, stderr output
	done := make(chan error, 1)
	go func() {
		done <- run(ctx, []string{"serve", db, "--listen=127.0.0.1:0"}, none, strings.NewReader(""), &stdout, &stderr)
	}()
	require.Eventually(t, func() bool {
		return strings.Contains(stderr.String(), "the store cannot be reached, and is tried again")
	}, time.Minute, 10*time.Millisecond)
	assert.Empty(t, stdout.String())
	server.Restart()
	require.Eventually(t, func() bool { return addressPattern.MatchString(stdout.String()) }, time.Minute, 50*time.Millisecond)
	cancel()
	require.NoError(t, <-done)
}

func TestPassword_isNotShown(t *testing.T) {
	t.Parallel()
	_, _, err := command(t, none, "--store=postgres://kiln:secret@127.0.0.1:1/kiln?connect_timeout=1", "keys", "list")
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "secret")
	assert.Equal(t, "postgres://kiln:xxxxx@db/kiln", withoutPassword("postgres://kiln:secret@db/kiln"))
	assert.Equal(t, "sqlite:a b.db", withoutPassword("sqlite:a b.db"))
}

// PostgreSQL is killed three times while two members share logs through two
// replicas, each with an idempotency key of its own that they repeat until it is
// acknowledged, at either replica: every log is shared once, and none that was
// acknowledged is lost.
func TestServe_databaseKilledUnderLoad(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	db := "--store=" + server.NewSchema()
	replicas := []*instance{start(t, none, db, "--rate-minute=0", "--rate-day=0"), start(t, none, db, "--rate-minute=0", "--rate-day=0")}
	const writers, kills, between = 8, 2, 60
	var keys []string
	for _, member := range []string{"ada@example.com", "grace@example.com"} {
		stdout, _, err := command(t, none, "keys", "create", "--name=logs", "--user="+member, db)
		require.NoError(t, err)
		keys = append(keys, strings.TrimSpace(stdout))
	}
	var made, refused atomic.Int32
	var done atomic.Bool
	ids := make([]map[string]string, writers) // of every writer, by content
	var wg sync.WaitGroup
	for w := range writers {
		ids[w] = make(map[string]string)
		wg.Go(func() {
			for i := 0; !done.Load() && !t.Failed(); i++ {
				content := fmt.Sprintf("ERROR %d of writer %d", i, w)
				for try := 0; ids[w][content] == "" && !t.Failed(); try++ {
					status, answer := shareOnce(t, replicas[(w+try)%2].base, keys[w%2], content)
					switch status {
					case http.StatusOK:
						ids[w][content] = answer.ID
						made.Add(1)
					case http.StatusServiceUnavailable, http.StatusConflict:
						refused.Add(1)
						<-time.After(10 * time.Millisecond)
					default:
						assert.Fail(t, "unexpected response", "%d %+v", status, answer)
					}
				}
			}
		})
	}
	reached := func(n int32) {
		assert.Eventually(t, func() bool { return made.Load() >= n || t.Failed() }, time.Minute, time.Millisecond)
	}
	for range kills {
		reached(made.Load() + between)
		server.Kill()
		server.Restart()
	}
	reached(made.Load() + between)
	done.Store(true)
	wg.Wait()
	t.Logf("%d logs shared, %d requests refused meanwhile", made.Load(), refused.Load())
	assert.Positive(t, refused.Load())

	want := make(map[string]string)
	for w := range writers {
		for content, id := range ids[w] {
			want[id] = content
			status, answer := shareOnce(t, replicas[0].base, keys[w%2], content)
			require.Equal(t, http.StatusOK, status)
			require.Equal(t, id, answer.ID, "a repetition returns the same share")
			status, found := call(t, http.MethodGet, replicas[1].base+"/api/v1/log-share/"+id, keys[w%2], "")
			require.Equal(t, http.StatusOK, status)
			require.Equal(t, content, found["content"])
		}
	}
	assert.EqualValues(t, made.Load(), len(want), "no two logs have one id")
	_, schema, _ := strings.Cut(db, "search_path=")
	for _, prefix := range []string{"log/", "once/", "recent/"} {
		assert.Equal(t, strconv.Itoa(len(want)), server.Query("SELECT count(*) FROM "+schema+".devkiln_entries WHERE key LIKE '"+prefix+"%'"), prefix)
	}
}

// sharedOnce is what a test reads of the response to a share.
type sharedOnce struct {
	ID    string
	Error struct{ Code, Message string }
}

// shareOnce shares a log with an idempotency key made of its content.
func shareOnce(t *testing.T, base, key, content string) (status int, answer sharedOnce) {
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/api/v1/log-share", strings.NewReader(`{"content":"`+content+`"}`))
	if !assert.NoError(t, err) {
		return 0, answer
	}
	request.Header.Set("X-API-Key", key)
	request.Header.Set("Idempotency-Key", strconv.Quote(content))
	response, err := http.DefaultClient.Do(request)
	if !assert.NoError(t, err) {
		return 0, answer
	}
	defer response.Body.Close()
	assert.NoError(t, json.NewDecoder(response.Body).Decode(&answer))
	return response.StatusCode, answer
}
