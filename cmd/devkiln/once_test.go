package main

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/internal/pgtest"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store/sqlite"
)

// killed is a process that is killed repeatedly, and the waiters for its
// successor.
type killed struct {
	mu      sync.Mutex
	started *sync.Cond
	round   int // number of processes started
	acks    int // responses of the current process
	killAt  int
	full    chan struct{}
}

// acknowledged counts a response and signals when to kill the process.
func (k *killed) acknowledged() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.acks++; k.acks == k.killAt {
		close(k.full)
	}
}

// await waits for the process after that of a round.
func (k *killed) await(round int) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	for k.round == round {
		k.started.Wait()
	}
	return k.round
}

// begin announces a new process and returns a channel that closes when it is to
// be killed.
func (k *killed) begin() <-chan struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.round++
	k.acks, k.killAt, k.full = 0, 1+rand.IntN(60), make(chan struct{})
	k.started.Broadcast()
	return k.full
}

// A server is killed in twenty rounds while clients share logs, retrying each
// until it is acknowledged. Every log is stored exactly once.
func TestIdempotencyKey_killsDoubleAndLoseNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector sees nothing in a process that is killed")
	}
	t.Parallel()
	const rounds, clients = 20, 12
	db, address := storeIn(t), freePort(t)
	server := &killed{}
	server.started = sync.NewCond(&server.mu)
	api, err := client.New("http://"+address, proxyKey, client.Options{Tries: 1})
	require.NoError(t, err)

	made := make([]map[string]string, clients)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for i := range made {
		made[i] = make(map[string]string)
		wg.Go(func() {
			for n, round := 0, 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				content := fmt.Sprintf("client %d, log %d", i, n)
				log, err := api.ShareLog(t.Context(), client.LogRequest{Content: content, IdempotencyKey: content})
				for ; err != nil; log, err = api.ShareLog(t.Context(), client.LogRequest{Content: content, IdempotencyKey: content}) {
					round = server.await(round)
				}
				made[i][content] = log.ID
				server.acknowledged()
			}
		})
	}
	for range rounds {
		kill := killable(t, address, db)
		<-server.begin()
		kill()
	}
	close(stop)
	end := replica(t, address, db)
	server.begin()
	wg.Wait()
	require.NoError(t, end())

	path := db[len("--store=sqlite:"):]
	assertMadeOnce(t, path, made)
}

// killable runs devkiln in a process and returns a function that kills it.
func killable(t *testing.T, listen, db string) (kill func()) {
	t.Helper()
	process := exec.CommandContext(t.Context(), executable(t), db, "--listen="+listen, "--no-access-log", "--rate-minute=0", "--rate-day=0")
	process.Env = append(outside(), "TEST_AS_DEVKILN=1", "DEVKILN_API_KEYS="+proxyKey)
	require.NoError(t, process.Start())
	kill = func() {
		_ = process.Process.Kill()
		_ = process.Wait()
	}
	t.Cleanup(kill)
	require.Eventually(t, func() bool { return answers(t, "http://"+listen) }, time.Minute, 20*time.Millisecond)
	return kill
}

// assertMadeOnce checks that a store has each acknowledged log exactly once.
func assertMadeOnce(t *testing.T, path string, made []map[string]string) {
	t.Helper()
	backend, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	defer backend.Close()
	shares, err := share.New(backend, share.Options{List: true})
	require.NoError(t, err)
	wanted := make(map[string]string)
	for _, logs := range made {
		for content, id := range logs {
			wanted[id] = content
		}
	}
	for next := (share.Query{Limit: share.MaxFound}); ; {
		page, err := shares.Find(t.Context(), next)
		require.NoError(t, err)
		for _, item := range page.Shares {
			log, err := shares.Log(t.Context(), item.ID)
			require.NoError(t, err)
			assert.Equal(t, wanted[item.ID], log.Content, "a log that nobody knows of")
			delete(wanted, item.ID)
		}
		if next.After = page.Next; page.Next == "" {
			break
		}
	}
	assert.Empty(t, wanted)
}

// Three servers on one PostgreSQL concurrently receive requests for the same
// logs.
func TestIdempotencyKey_replicasMakeOneShare(t *testing.T) {
	t.Parallel()
	db := "--store=" + pgtest.Shared(t).NewSchema()
	first := start(t, none, db, "--rate-minute=0")
	replicas := []*instance{first, start(t, none, db, "--rate-minute=0"), start(t, none, db, "--rate-minute=0")}
	var kilns []*client.Client
	for _, r := range replicas {
		api, err := client.New(r.base, first.key, client.Options{})
		require.NoError(t, err)
		kilns = append(kilns, api)
	}
	ids := make([][3]string, 40)
	var wg sync.WaitGroup
	for i := range ids {
		for j, api := range kilns {
			wg.Go(func() {
				content := fmt.Sprintf("log %d", i)
				log, err := api.ShareLog(t.Context(), client.LogRequest{Content: content, IdempotencyKey: content})
				assert.NoError(t, err)
				ids[i][j] = log.ID
			})
		}
	}
	wg.Wait()
	for _, each := range ids {
		assert.NotEmpty(t, each[0])
		assert.Equal(t, [3]string{each[0], each[0], each[0]}, each)
	}
	_, err := kilns[2].ShareLog(t.Context(), client.LogRequest{Content: "another", IdempotencyKey: "log 0"})
	require.ErrorContains(t, err, "was used for another request")
}

func TestLog_tooLongToBeReadOnce(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"--once", "--encrypt"} {
		_, _, err := piped(t, none, strings.Repeat("x", 500_001), "log", flag, "--url=http://127.0.0.1:1", "--key=dk_a")
		require.EqualError(t, err, "--once and --encrypt support a log of at most 500000 characters, and this has 500001")
	}
}
