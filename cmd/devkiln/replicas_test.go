package main

import (
	"context"
	"net/http"
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
		var wg sync.WaitGroup
		for i := range 300 {
			wg.Go(func() {
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
			})
		}
		wg.Wait()
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
			}, 20*time.Second, 50*time.Millisecond)
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
	}, 20*time.Second, 100*time.Millisecond, "it recovers without a restart of its own")
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
	}, 20*time.Second, 10*time.Millisecond)
	assert.Empty(t, stdout.String())
	server.Restart()
	require.Eventually(t, func() bool { return addressPattern.MatchString(stdout.String()) }, 40*time.Second, 50*time.Millisecond)
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
