// Package linearizability_test records the calls of concurrent clients while a
// store is stopped, frozen, disconnected and killed. It uses porcupine to check
// that the history is linearizable.
package linearizability_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/pgtest"
	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/postgres"
	"github.com/devkiln/devkiln/store/sqlite"
)

const (
	clients = 8
	calls   = 250 // per client
	keys    = 6   // values at even keys, counters at odd ones
	patient = 2 * time.Minute
)

type method int

const (
	get method = iota
	create
	put
	remove
	add
)

func (m method) String() string { return [...]string{"Get", "Create", "Put", "Delete", "Add"}[m] }

// input is a call and output its result. The outcome is unknown if the store
// was unavailable: the call may have taken effect, or may do so later.
type input struct {
	method method
	key    string
	value  string
}

type output struct {
	value   string // of Get and Add
	err     error  // nil, store.ErrExists or store.ErrNotFound
	unknown bool
}

// entry is the state of a key in the model.
type entry struct {
	there bool
	value string
}

// model specifies a store, partitioned by key.
func model() porcupine.Model {
	m := porcupine.NondeterministicModel{
		Partition: partition,
		Init:      func() []any { return []any{entry{}} },
		Step: func(state, in, out any) []any {
			return step(state.(entry), in.(input), out.(output))
		},
		DescribeOperation: func(in, out any) string { return fmt.Sprintf("%v: %v", in, out) },
	}
	return m.ToModel()
}

func partition(history []porcupine.Operation) [][]porcupine.Operation {
	byKey := make(map[string][]porcupine.Operation)
	for _, o := range history {
		key := o.Input.(input).key
		byKey[key] = append(byKey[key], o)
	}
	var parts [][]porcupine.Operation
	for _, part := range byKey {
		parts = append(parts, part)
	}
	return parts
}

// step returns the possible states of a key after a call, or none if the output
// is impossible.
func step(before entry, in input, out output) []any {
	after, want := apply(before, in)
	switch {
	case out.unknown:
		return []any{before, after}
	case out == want:
		return []any{after}
	}
	return nil
}

// apply returns the state and output of a correct store.
func apply(before entry, in input) (after entry, want output) {
	switch in.method {
	case create:
		if before.there {
			return before, output{err: store.ErrExists}
		}
		return entry{true, in.value}, output{}
	case put:
		return entry{true, in.value}, output{}
	case remove:
		if !before.there {
			return before, output{err: store.ErrNotFound}
		}
		return entry{}, output{}
	case add:
		sum, _ := strconv.Atoi(cmp.Or(before.value, "0")) // only Add changes it
		delta, _ := strconv.Atoi(in.value)
		after = entry{true, strconv.Itoa(sum + delta)}
		return after, output{value: after.value}
	default:
		if !before.there {
			return before, output{err: store.ErrNotFound}
		}
		return before, output{value: before.value}
	}
}

// target is the store that clients call, in this process or in another.
type target interface {
	call(ctx context.Context, in input) output
	ready(ctx context.Context) bool
}

// local is a store in this process.
type local struct{ store.Backend }

func (s local) ready(ctx context.Context) bool { return s.Ready(ctx) == nil }

func (s local) call(ctx context.Context, in input) output {
	var value string
	var err error
	switch in.method {
	case get:
		var b []byte
		b, err = s.Get(ctx, in.key)
		value = string(b)
	case create:
		err = s.Create(ctx, in.key, []byte(in.value), time.Time{})
	case put:
		err = s.Put(ctx, in.key, []byte(in.value), time.Time{})
	case remove:
		err = s.Delete(ctx, in.key)
	case add:
		delta, _ := strconv.ParseInt(in.value, 10, 64)
		var sum int64
		sum, err = store.Add(ctx, s, in.key, delta, time.Time{})
		value = strconv.FormatInt(sum, 10)
	}
	for _, known := range []error{store.ErrExists, store.ErrNotFound} {
		if errors.Is(err, known) {
			return output{err: known}
		}
	}
	return output{value: value, unknown: err != nil}
}

// isCounter reports whether a key holds a counter.
func isCounter(key string) bool { return (key[len(key)-1]-'0')%2 == 1 }

// anyCall returns a random call, the nth of a client.
func anyCall(random *rand.Rand, client, n int) input {
	in := input{key: fmt.Sprintf("key-%d", random.IntN(keys)), value: strconv.Itoa(client*calls + n)}
	if isCounter(in.key) {
		in.method = []method{get, add, add, remove}[random.IntN(4)]
		in.value = strconv.Itoa(1 + random.IntN(9))
		return in
	}
	in.method = []method{get, get, create, put, remove}[random.IntN(5)]
	return in
}

// recorder records the history of the clients.
type recorder struct {
	begin time.Time
	open  func(client int) target // returns the target that a client calls now
	due   chan struct{}           // signals that a fault is due

	mu      sync.Mutex
	history []porcupine.Operation
}

// record runs all clients and returns their history. Meanwhile it calls fault
// for each fault.
func record(t *testing.T, open func(client int) target, faults int, fault func(n int)) []porcupine.Operation {
	t.Helper()
	r := &recorder{begin: time.Now(), open: open, due: make(chan struct{}, faults)}
	var running sync.WaitGroup
	for client := range clients {
		running.Go(func() { r.run(t.Context(), client, faults) })
	}
	for n := range faults {
		<-r.due
		fault(n)
	}
	running.Wait()
	end := r.now()
	for i := range r.history {
		if r.history[i].Output.(output).unknown {
			r.history[i].Return = end // it may still take effect
		}
	}
	return r.history
}

func (r *recorder) now() int64 { return int64(time.Since(r.begin)) }

// run runs a client.
func (r *recorder) run(ctx context.Context, client, faults int) {
	random := rand.New(rand.NewPCG(uint64(client), 7))
	for n := range calls {
		s := r.open(client)
		for !s.ready(ctx) && ctx.Err() == nil { // otherwise all calls would end before the store is back
			s = r.open(client)
		}
		o := porcupine.Operation{ClientId: client, Input: anyCall(random, client, n), Call: r.now()}
		o.Output = s.call(ctx, o.Input.(input))
		o.Return = r.now()
		r.take(o, faults)
	}
}

// take records a call and signals when the next fault is due.
func (r *recorder) take(o porcupine.Operation, faults int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.history = append(r.history, o)
	if n := len(r.history); n%(clients*calls/(faults+1)) == 0 && n < clients*calls {
		r.due <- struct{}{}
	}
}

func requireLinearizable(t *testing.T, history []porcupine.Operation) {
	t.Helper()
	unknown := 0
	for _, o := range history {
		if o.Output.(output).unknown {
			unknown++
		}
	}
	t.Logf("%d calls, %d of unknown outcome", len(history), unknown)
	require.Less(t, unknown, len(history)/2, "there is something to check")
	require.Equal(t, porcupine.Ok, porcupine.CheckOperationsTimeout(model(), history, patient))
}

func TestMain(m *testing.M) { os.Exit(pgtest.Run(m)) }

func TestMemory(t *testing.T) {
	memory := store.NewMemory()
	requireLinearizable(t, record(t, func(int) target { return local{memory} }, 0, nil))
}

// TestSQLite stops and restarts the server while clients call it.
func TestSQLite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	var current atomic.Pointer[sqlite.DB]
	open := func() {
		db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		require.NoError(t, err)
		current.Store(db)
	}
	open()
	history := record(t, func(int) target { return local{current.Load()} }, 3, func(int) {
		require.NoError(t, current.Load().Close())
		open()
	})
	require.NoError(t, current.Load().Close())
	requireLinearizable(t, history)
}

// TestPostgreSQL freezes, stops and restarts the database under two servers,
// and closes all its connections.
func TestPostgreSQL(t *testing.T) {
	server := pgtest.Start(t)
	open, first := servers(t, server)
	requireLinearizable(t, record(t, open, 6, func(n int) {
		switch n % 3 {
		case 0:
			thaw := server.Freeze()
			for first.Ready(t.Context()) == nil {
				continue // until the servers notice
			}
			thaw()
		case 1:
			server.Stop()
			server.Restart()
		case 2:
			server.Query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'devkiln'")
		}
	}))
}

// TestPostgreSQL_killed kills the database. It excludes counters, because the
// contract of Add permits the last additions to be lost.
func TestPostgreSQL_killed(t *testing.T) {
	server := pgtest.Start(t)
	open, _ := servers(t, server)
	history := record(t, open, 3, func(int) {
		server.Kill()
		server.Restart()
	})
	requireLinearizable(t, slices.DeleteFunc(history, func(o porcupine.Operation) bool {
		return isCounter(o.Input.(input).key)
	}))
}

// servers opens two servers on one database, which clients call alternately.
func servers(t *testing.T, server *pgtest.Server) (open func(client int) target, first *postgres.DB) {
	t.Helper()
	url := server.NewSchema()
	all := make([]*postgres.DB, 2)
	for i := range all {
		db, err := postgres.Open(t.Context(), url, postgres.Options{})
		require.NoError(t, err)
		t.Cleanup(func() { _ = db.Close() })
		all[i] = db
	}
	return func(client int) target { return local{all[client%len(all)]} }, all[0]
}

// broken is a Memory with a fault that no test of single calls detects.
type broken struct {
	*store.Memory

	fault string
	mu    sync.Mutex
	seen  map[string][]byte // results of stale Gets
	calls int
}

func (b *broken) Get(ctx context.Context, key string) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls++
	if old, ok := b.seen[key]; ok && b.fault == "reads stale values" && b.calls%10 == 0 {
		return old, nil
	}
	value, err := b.Memory.Get(ctx, key)
	if err == nil {
		b.seen[key] = value
	}
	return value, err
}

func (b *broken) Put(ctx context.Context, key string, value []byte, expires time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls++
	if b.fault == "forgets what it has acknowledged" && b.calls%10 == 0 {
		return nil
	}
	return b.Memory.Put(ctx, key, value, expires)
}

func (b *broken) Update(ctx context.Context, key string, change func(old store.Entry, live bool) (store.Entry, error)) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls++
	if b.fault == "updates twice" && b.calls%10 == 0 {
		_ = b.Memory.Update(ctx, key, change)
	}
	return b.Memory.Update(ctx, key, change)
}

// TestCheck_brokenStores validates the checker: it detects each of the faults.
func TestCheck_brokenStores(t *testing.T) {
	for _, fault := range []string{"reads stale values", "forgets what it has acknowledged", "updates twice"} {
		t.Run(fault, func(t *testing.T) {
			b := &broken{Memory: store.NewMemory(), fault: fault, seen: make(map[string][]byte)}
			history := record(t, func(int) target { return local{b} }, 0, nil)
			assert.Equal(t, porcupine.Illegal, porcupine.CheckOperationsTimeout(model(), history, patient))
		})
	}
}
