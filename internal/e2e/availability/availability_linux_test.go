// Package availability_test sets up the cluster of docs/internals/availability.md, three
// machines with Patroni, etcd and PgBouncer, and repeatedly takes the leader
// down while clients write. No acknowledged write may be lost.
//
//	DEVKILN_REQUIRE_PATRONI=1 go test -v -timeout 45m -run TestCluster ./availability -rounds 10
//
// in the directory internal/e2e prints the table of that document. Without the
// variable the test is skipped.
package availability_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/client"
)

var (
	rounds = flag.Int("rounds", 2, "how often the leader fails in each way")
	ways   = flag.String("ways", ".*", "a regular expression for the ways in which the leader fails")
)

const (
	writers = 64
	pace    = 100 * time.Millisecond // between two writes of a writer
)

// fault takes the leader down. The function that take returns brings it back.
type fault struct {
	name string
	take func(t *testing.T, c *cluster, leader, standby *machine) (back func())
}

var faults = []fault{
	{"switchover", func(t *testing.T, c *cluster, leader, standby *machine) func() {
		body := fmt.Sprintf(`{"leader": %q, "candidate": %q}`, leader.name, standby.name)
		require.NoError(t, c.ask(t.Context(), http.MethodPost, leader, "/switchover", body, nil))
		return func() {}
	}},
	{"machine killed", func(t *testing.T, _ *cluster, leader, _ *machine) func() {
		leader.kill()
		return func() { leader.start(t) }
	}},
	{"PostgreSQL killed", func(_ *testing.T, _ *cluster, leader, _ *machine) func() {
		leader.signal(syscall.SIGKILL, false)
		return func() {}
	}},
	{"machine frozen", func(_ *testing.T, _ *cluster, leader, _ *machine) func() {
		leader.signal(syscall.SIGSTOP, true)
		return func() { leader.signal(syscall.SIGCONT, true) }
	}},
}

// TestCluster has writers share logs through two servers, one using PostgreSQL
// and one using PgBouncer. Neither is restarted.
func TestCluster(t *testing.T) {
	chosen, err := regexp.Compile("^(" + *ways + ")$")
	require.NoError(t, err)
	c := newCluster(t)
	program := c.build(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var writing sync.WaitGroup
	var services []*service
	databases := regexp.MustCompile(`--store '(postgres://[^']+)'`).FindAllStringSubmatch(c.document, -1)
	require.Len(t, databases, 2)
	for i, name := range []string{"directly", "through PgBouncer"} {
		s := c.serve(t, program, name, strings.ReplaceAll(databases[i][1], "10.0.0.", c.network))
		services = append(services, s)
		for n := range writers {
			writing.Go(func() { s.write(ctx, n) })
		}
	}
	for _, fault := range faults {
		if !chosen.MatchString(fault.name) {
			continue
		}
		outages := make(map[*service][]time.Duration)
		for range *rounds {
			c.outage(t, fault, services, outages)
		}
		for _, s := range services {
			slices.Sort(outages[s])
			t.Logf("| %s | %s | %.1f | %.1f |", fault.name, s.name, outages[s][*rounds/2].Seconds(), outages[s][*rounds-1].Seconds())
		}
	}
	stop()
	writing.Wait()
	for _, s := range services {
		s.requireEverything(t)
	}
}

// build builds the program.
func (c *cluster) build(t *testing.T) (program string) {
	t.Helper()
	program = filepath.Join(c.folder, "devkiln")
	command := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./cmd/devkiln")
	command.Dir = "../../.."
	output, err := command.CombinedOutput()
	require.NoError(t, err, "%s", output)
	return program
}

// outage takes the leader down while all writers of all services write, waits
// until they write again, and records the longest gap of each service.
func (c *cluster) outage(t *testing.T, f fault, services []*service, outages map[*service][]time.Duration) {
	t.Helper()
	leader, standby := c.settled(t)
	for _, s := range services {
		settled := time.Now()
		require.Eventually(t, func() bool { return s.allWroteSince(settled) }, patience, glance, s.name)
	}
	began := time.Now()
	back := f.take(t, c, leader, standby)
	require.Eventually(t, func() bool {
		next := c.leader(t.Context())
		return next != nil && next != leader
	}, patience, glance)
	replaced := time.Now()
	for _, s := range services {
		require.Eventually(t, func() bool { return s.allWroteSince(replaced) }, patience, glance, s.name)
		outages[s] = append(outages[s], s.longestGap(began))
	}
	t.Logf("%s: another leads after %.1f s, all write after %.1f s", f.name, replaced.Sub(began).Seconds(), time.Since(began).Seconds())
	back()
}

// service is a server and what its writers have observed.
type service struct {
	name   string
	client *client.Client

	mu           sync.Mutex
	acknowledged map[string]string  // contents by id
	times        []time.Time        // of the acknowledgements
	last         [writers]time.Time // start of each writer's last acknowledged write
	surprises    []error
}

// serve starts a server and waits until it listens.
func (c *cluster) serve(t *testing.T, program, name, database string) *service {
	t.Helper()
	const key = "a-key-for-the-writers-of-this-test"
	command := exec.CommandContext(t.Context(), program, "serve", "--listen", "127.0.0.1:0", "--store", database,
		"--rate-minute", "0", "--rate-day", "1000000000", "--no-access-log")
	command.Env = []string{"DEVKILN_API_KEYS=" + key} // it refuses unknown variables
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	log, err := os.Create(filepath.Join(c.folder, name+".log"))
	require.NoError(t, err)
	defer log.Close()
	command.Stderr = log
	output, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	t.Cleanup(func() { _ = command.Wait() }) // its context has ended
	greeting, err := bufio.NewReader(output).ReadString('\n')
	require.NoError(t, err)
	address := regexp.MustCompile(`http://\S+`).FindString(greeting)
	transport := &http.Transport{MaxIdleConnsPerHost: writers}
	t.Cleanup(transport.CloseIdleConnections)
	caller, err := client.New(address, key, client.Options{HTTP: &http.Client{Transport: transport}, Tries: 1})
	require.NoError(t, err)
	return &service{name: name, client: caller, acknowledged: make(map[string]string)}
}

// write shares logs one after the other until ctx ends. It retries each with
// the same Idempotency-Key until it is acknowledged.
func (s *service) write(ctx context.Context, writer int) {
	ticker := time.NewTicker(pace)
	defer ticker.Stop()
	for n := 0; ; {
		content := fmt.Sprintf("INFO %s: line %d of writer %d", s.name, n, writer)
		key := fmt.Sprintf("%s-%d-%d", strings.Fields(s.name)[0], writer, n)
		began := time.Now()
		log, err := s.client.ShareLog(ctx, client.LogRequest{Content: content, IdempotencyKey: key})
		if s.take(ctx, writer, began, content, log.ID, err) {
			n++
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// take records a response and reports whether it is an acknowledgement.
func (s *service) take(ctx context.Context, writer int, began time.Time, content, id string, err error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.acknowledged[id] = content
		s.times = append(s.times, time.Now())
		s.last[writer] = began
		return true
	}
	refused, ok := errors.AsType[*client.Error](err)
	passes := ok && (refused.Status == http.StatusServiceUnavailable || refused.Code == "request_in_flight")
	if !passes && ctx.Err() == nil {
		s.surprises = append(s.surprises, err)
	}
	return false
}

// allWroteSince reports whether each writer has an acknowledged write that
// started after then.
func (s *service) allWroteSince(then time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !slices.ContainsFunc(s.last[:], then.After)
}

// longestGap returns the longest time without an acknowledgement since then.
func (s *service) longestGap(then time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	var longest time.Duration
	for _, at := range s.times {
		if at.Before(then) {
			continue
		}
		longest = max(longest, at.Sub(then))
		then = at
	}
	return longest
}

// requireEverything reads all acknowledged logs.
func (s *service) requireEverything(t *testing.T) {
	t.Helper()
	assert.Empty(t, s.surprises, "%s: only 503 while there is no leader", s.name)
	ids := make(chan string)
	var reading sync.WaitGroup
	var mu sync.Mutex
	var lost []string
	for range writers {
		reading.Go(func() {
			for id := range ids {
				log, err := s.client.Log(t.Context(), id)
				if err != nil || log.Content != s.acknowledged[id] {
					mu.Lock()
					lost = append(lost, fmt.Sprintf("%s: %v", s.acknowledged[id], err))
					mu.Unlock()
				}
			}
		})
	}
	for id := range s.acknowledged {
		ids <- id
	}
	close(ids)
	reading.Wait()
	t.Logf("%s: %d logs acknowledged, %d lost", s.name, len(s.acknowledged), len(lost))
	require.Empty(t, lost)
}
