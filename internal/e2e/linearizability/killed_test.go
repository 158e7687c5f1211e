package linearizability_test

import (
	"context"
	"fmt"
	"net"
	"net/rpc"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/sqlite"
)

// servedFile is the environment variable that makes the test binary the child
// of TestSQLite_killed. It holds the file to serve.
const servedFile = "DEVKILN_TEST_SERVED_FILE"

// TestSQLite_killed kills the process that has the file open and starts
// another.
func TestSQLite_killed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	var current atomic.Pointer[remote]
	current.Store(serve(t, path))
	history := record(t, func(int) target { return current.Load() }, 4, func(int) {
		current.Load().kill(t)
		current.Store(serve(t, path))
	})
	current.Load().kill(t)
	requireLinearizable(t, history)
}

// remote is a store in another process.
type remote struct {
	process *exec.Cmd
	client  *rpc.Client
}

// serve starts a process that serves a file.
func serve(t *testing.T, path string) *remote {
	t.Helper()
	executable, err := os.Executable()
	require.NoError(t, err)
	child := exec.CommandContext(t.Context(), executable, "-test.run=^TestSQLite_killedChild$")
	child.Env = append(os.Environ(), servedFile+"="+path)
	child.Stderr = os.Stderr
	output, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	var address string
	_, err = fmt.Fscanln(output, &address)
	require.NoError(t, err)
	client, err := rpc.Dial("tcp", address)
	require.NoError(t, err)
	return &remote{child, client}
}

func (r *remote) kill(t *testing.T) {
	t.Helper()
	require.NoError(t, r.process.Process.Kill())
	require.Error(t, r.process.Wait(), "it is killed")
	_ = r.client.Close() // the connection may already be closed
}

func (r *remote) ready(context.Context) bool {
	var ready bool
	return r.client.Call("Served.Ready", 0, &ready) == nil && ready
}

func (r *remote) call(_ context.Context, in input) output {
	var got Reply
	if err := r.client.Call("Served.Call", Request{int(in.method), in.key, in.value}, &got); err != nil {
		return output{unknown: true}
	}
	out := output{value: got.Value, unknown: got.Unknown}
	for _, known := range []error{store.ErrExists, store.ErrNotFound} {
		if got.Fault == known.Error() {
			out.err = known
		}
	}
	return out
}

// Served is the child's store as a receiver for package rpc.
type Served struct{ db *sqlite.DB }

// Request is the encoded form of an input.
type Request struct {
	Method     int
	Key, Value string
}

// Reply is the encoded form of an output.
type Reply struct {
	Value, Fault string
	Unknown      bool
}

// Call calls the store.
func (s Served) Call(in Request, out *Reply) error {
	got := local{s.db}.call(context.Background(), input{method(in.Method), in.Key, in.Value})
	*out = Reply{Value: got.value, Unknown: got.unknown}
	if got.err != nil {
		out.Fault = got.err.Error()
	}
	return nil
}

// Ready reports whether the store is ready.
func (s Served) Ready(_ int, ready *bool) error {
	*ready = s.db.Ready(context.Background()) == nil
	return nil
}

// TestSQLite_killedChild is the child of TestSQLite_killed. It serves until it
// is killed.
func TestSQLite_killedChild(t *testing.T) {
	path := os.Getenv(servedFile)
	if path == "" {
		t.Skip("runs as a child of TestSQLite_killed only")
	}
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	server := rpc.NewServer()
	require.NoError(t, server.Register(Served{db}))
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	fmt.Fprintln(os.Stdout, listener.Addr())
	server.Accept(listener)
}
