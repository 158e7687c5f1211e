// Package pgtest starts private PostgreSQL servers for tests.
//
// Begin with [Shared], one server for all the tests of a package, each of which
// uses its own schema: setting up a server takes a second. A test that stops,
// freezes or configures a server starts its own with [Start]. A server has its
// own folder and listens on a loopback port; both are removed when the test, or
// the package's tests, end. The programs of PostgreSQL are looked for in the
// folder named by the environment variable DEVKILN_POSTGRES_BIN, on the PATH
// and where packages install them. Without them a test is skipped, or fails if
// DEVKILN_REQUIRE_POSTGRES=1.
//
// The servers trust every connection and do not sync to disk. They lose nothing
// when a process ends, but would in a power cut.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// Server is a PostgreSQL server that runs until [Server.Kill] or [Server.Stop].
type Server struct {
	t       testing.TB
	bin     string
	folder  string
	port    int
	name    string
	process *process
}

// process is a server's process. It ends when life is closed, at the latest
// when the test's process ends.
type process struct {
	command *exec.Cmd
	life    io.Closer
	log     *os.File
}

// startTimeout is how long a server may take to start.
const startTimeout = 60 * time.Second

// shared is the server of [Shared], nil before the first call.
var (
	sharedMu sync.Mutex
	shared   *Server
)

// schemas counts the schemas of [Server.NewSchema].
var schemas atomic.Int64

// Run runs the tests of a package that uses [Shared], and ends its server. A
// TestMain passes the result to os.Exit.
func Run(m *testing.M) (code int) {
	defer func() {
		if shared != nil {
			shared.remove()
		}
	}()
	return m.Run()
}

// Shared returns the server shared by all tests of a package, and starts it on
// the first call. The package's TestMain must call [Run].
func Shared(t testing.TB) *Server {
	t.Helper()
	bin := programs(t)
	sharedMu.Lock()
	defer sharedMu.Unlock()
	if shared == nil {
		s := &Server{t: t, bin: bin, name: "primary"}
		s.start(nil)
		shared = s
	}
	own := *shared
	own.t = t
	return &own
}

// Start starts an empty server that runs until the test ends. settings are
// additional lines of postgresql.conf.
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	s := &Server{t: t, bin: programs(t), name: "primary"}
	t.Cleanup(s.remove)
	s.start(settings)
	return s
}

// start creates the server's folder and starts the server.
func (s *Server) start(settings []string) {
	s.t.Helper()
	s.makeFolder()
	s.run("initdb", "--pgdata="+s.data(), "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
	s.configure(append([]string{"wal_level = replica", "max_wal_senders = 10"}, settings...))
	s.launch()
}

// remove ends the server, if it still runs, and removes its folder.
func (s *Server) remove() {
	if s.process != nil {
		s.process.wait()
	}
	_ = os.RemoveAll(s.folder) // in the system's temporary folder
}

// Standby starts a server that follows s, from a copy of it. name is its
// application_name, for synchronous_standby_names of s.
func (s *Server) Standby(name string) *Server {
	s.t.Helper()
	standby := &Server{t: s.t, bin: s.bin, name: name}
	s.t.Cleanup(standby.remove)
	standby.makeFolder()
	standby.run("pg_basebackup", "--pgdata="+standby.data(), "--dbname="+s.URL(), "--checkpoint=fast", "--no-sync")
	require.NoError(s.t, os.WriteFile(filepath.Join(standby.data(), "standby.signal"), nil, 0o600))
	standby.own()
	standby.configure([]string{fmt.Sprintf("primary_conninfo = '%s&application_name=%s'", s.URL(), name), "hot_standby = on"})
	standby.launch()
	return standby
}

// Address returns the host and port that s listens on.
func (s *Server) Address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// URL returns the URL of the server's database postgres.
func (s *Server) URL() string {
	return "postgres://postgres@" + s.Address() + "/postgres?sslmode=disable"
}

// NewSchema creates an empty schema and returns its URL.
func (s *Server) NewSchema() string {
	s.t.Helper()
	name := fmt.Sprintf("test_%d", schemas.Add(1))
	s.Query("CREATE SCHEMA " + name)
	return s.URL() + "&search_path=" + name
}

// RequirePassword makes the server require the role's password from now on.
func (s *Server) RequirePassword(role string) {
	s.t.Helper()
	rules := "host all " + role + " all scram-sha-256\nhost all all all trust\n"
	require.NoError(s.t, os.WriteFile(filepath.Join(s.data(), "pg_hba.conf"), []byte(rules), 0o600))
	s.Query("SELECT pg_reload_conf()")
}

// Query runs a statement as the superuser and returns the first column of its
// first row as text, or "" if there is no row.
func (s *Server) Query(statement string) string {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	connection, err := pgx.Connect(ctx, s.URL())
	require.NoError(s.t, err)
	results, err := connection.PgConn().Exec(ctx, statement).ReadAll()
	require.NoError(s.t, errors.Join(err, connection.Close(ctx)), statement)
	if len(results) == 0 || len(results[0].Rows) == 0 {
		return ""
	}
	return string(results[0].Rows[0][0])
}

// Promote makes a standby accept writes, and waits until it does.
func (s *Server) Promote() {
	s.t.Helper()
	require.Equal(s.t, "t", s.Query("SELECT pg_promote()"), s.name)
}

// Kill ends the server and all its processes without a final write, as a
// failure of its machine does, and waits until they are gone.
func (s *Server) Kill() {
	s.t.Helper()
	s.run("pg_ctl", "stop", "--mode=immediate", "--pgdata="+s.data())
	s.process.wait()
}

// Freeze stops all processes of the server, as on a machine that hangs, until
// thaw is called or the test ends. Connections stay open.
func (s *Server) Freeze() (thaw func()) {
	s.t.Helper()
	postmaster := s.postmaster()
	pause(postmaster)
	pids := append([]int{postmaster}, children(postmaster)...)
	for _, pid := range pids {
		pause(pid)
	}
	thaw = sync.OnceFunc(func() {
		for _, pid := range pids {
			resume(pid)
		}
	})
	s.t.Cleanup(thaw)
	return thaw
}

// Restart starts a killed or stopped server again, at the same address.
func (s *Server) Restart() {
	s.t.Helper()
	s.launch()
}

// Stop shuts the server down, as a restart of its machine does.
func (s *Server) Stop() {
	s.t.Helper()
	s.process.wait()
}

// postmaster returns the id of the server's main process.
func (s *Server) postmaster() int {
	s.t.Helper()
	content, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
	require.NoError(s.t, err)
	first, _, _ := strings.Cut(string(content), "\n")
	pid, err := strconv.Atoi(first)
	require.NoError(s.t, err)
	return pid
}

// children returns the ids of the child processes of pid, according to ps.
func children(pid int) []int {
	output, err := exec.CommandContext(context.Background(), "ps", "-A", "-o", "pid=,ppid=").Output()
	if err != nil {
		return nil
	}
	var pids []int
	for line := range strings.Lines(string(output)) {
		fields := strings.Fields(line)
		if len(fields) == 2 && fields[1] == strconv.Itoa(pid) {
			if child, err := strconv.Atoi(fields[0]); err == nil {
				pids = append(pids, child)
			}
		}
	}
	return pids
}

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

// makeFolder creates the server's folder. The user that the server runs as
// could not read one of t.TempDir.
func (s *Server) makeFolder() {
	s.t.Helper()
	folder, err := os.MkdirTemp("", "pgtest-")
	require.NoError(s.t, err)
	s.folder = folder
	s.own()
}

// configure writes the settings of a server before its first start.
func (s *Server) configure(settings []string) {
	s.t.Helper()
	listener, err := new(net.ListenConfig).Listen(s.t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(s.t, err)
	s.port = listener.Addr().(*net.TCPAddr).Port
	require.NoError(s.t, listener.Close())
	settings = append([]string{
		"listen_addresses = '127.0.0.1'",
		fmt.Sprintf("port = %d", s.port),
		"unix_socket_directories = ''",
		"fsync = off",
		"shared_buffers = 32MB",
		"max_connections = 200",
		"logging_collector = off",
	}, settings...)
	f, err := os.OpenFile(filepath.Join(s.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(s.t, err)
	_, err = f.WriteString("\n" + strings.Join(settings, "\n") + "\n")
	require.NoError(s.t, errors.Join(err, f.Close()))
}

// launch starts the server and waits until it responds. A shell between test
// and server ends the server when the test's end of the pipe closes, which the
// system does even if the test is killed.
func (s *Server) launch() {
	s.t.Helper()
	log, err := os.OpenFile(filepath.Join(s.folder, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	require.NoError(s.t, err)
	const keeper = `"$@" </dev/null & pid=$!; read -r _; kill -INT $pid 2>/dev/null; wait $pid`
	command := exec.CommandContext(context.Background(), "sh", "-c", keeper, "pgtest", filepath.Join(s.bin, "postgres"), "-D", s.data())
	command.Stdout, command.Stderr = log, log
	command.Dir = s.folder
	dropRoot(command)
	life, err := command.StdinPipe()
	require.NoError(s.t, err)
	require.NoError(s.t, command.Start())
	s.process = &process{command: command, life: life, log: log}
	s.await()
}

// wait ends the process, if it still runs, and waits for it.
func (p *process) wait() {
	if p.command.ProcessState != nil {
		return
	}
	_ = p.life.Close()
	_ = p.command.Wait() // a killed server returns an error
	_ = p.log.Close()
}

// await waits until the server responds.
func (s *Server) await() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	for {
		connection, err := pgx.Connect(ctx, s.URL()+"&connect_timeout=2")
		if err == nil {
			_ = connection.Close(ctx) // it has responded, that is enough
			return
		}
		select {
		case <-ctx.Done():
			log, _ := os.ReadFile(filepath.Join(s.folder, "log"))
			s.t.Fatalf("pgtest: %s does not respond: %v\n%s", s.name, err, log)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// run runs a program of PostgreSQL and waits for it.
func (s *Server) run(program string, arguments ...string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, filepath.Join(s.bin, program), arguments...)
	command.Dir = s.folder
	dropRoot(command)
	output, err := command.CombinedOutput()
	require.NoError(s.t, err, "%s: %s", program, output)
}

// programs returns the folder of PostgreSQL's programs.
func programs(t testing.TB) string {
	t.Helper()
	reason := "pgtest: PostgreSQL's initdb and postgres are neither in $DEVKILN_POSTGRES_BIN, on the PATH nor where packages put them"
	for _, folder := range folders() {
		if isProgram(filepath.Join(folder, "initdb")) && isProgram(filepath.Join(folder, "postgres")) {
			err := mayDropRoot()
			if err == nil {
				return folder
			}
			reason = "pgtest: " + err.Error()
		}
	}
	if os.Getenv("DEVKILN_REQUIRE_POSTGRES") == "1" {
		t.Fatal(reason)
	}
	t.Skip(reason)
	return ""
}

func folders() []string {
	var list []string
	if folder := os.Getenv("DEVKILN_POSTGRES_BIN"); folder != "" {
		return []string{folder}
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		if target, err := filepath.EvalSymlinks(path); err == nil {
			path = target // the folder with the other programs
		}
		list = append(list, filepath.Dir(path))
	}
	for _, pattern := range []string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/local/opt/postgresql*/bin"} {
		found, _ := filepath.Glob(pattern)
		slices.Reverse(found) // newest first
		list = append(list, found...)
	}
	return list
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
