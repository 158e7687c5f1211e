// Package pgtest starts private PostgreSQL servers for tests.
//
// Start with [Shared], the one server of all the tests of a package, each of
// which works in a schema of its own: a server takes a second to set up. What a
// test stops, freezes or configures is a server of its own, by [Start]. A server
// has a folder of its own and listens on a loopback port; both are gone when the
// test ends, or the package's tests do. PostgreSQL's programs are looked for in the folder that the environment variable DEVKILN_POSTGRES_BIN
// names, on the PATH and where packages put them. Without them a test is
// skipped, unless DEVKILN_REQUIRE_POSTGRES=1 says that it has to fail.
//
// The servers are for tests: they trust every connection and do not sync to
// the disk, which the end of a process does not show, and a power cut would.
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

// Server is a PostgreSQL server that runs, or did until [Server.Kill].
type Server struct {
	t       testing.TB
	bin     string
	folder  string
	port    int
	name    string
	process *process
}

// process is a server's process. It ends when life is closed, which happens at
// the latest when the process of the test ends.
type process struct {
	command *exec.Cmd
	life    io.Closer
	log     *os.File
}

// startTimeout is how long a server has to come up.
const startTimeout = 60 * time.Second

// shared is the server of [Shared], nil until it is asked for.
var (
	sharedMu sync.Mutex
	shared   *Server
)

// schemas counts those of [Server.NewSchema].
var schemas atomic.Int64

// Run runs the tests of a package that uses [Shared], and ends its server. A
// TestMain hands what it returns to os.Exit.
func Run(m *testing.M) (code int) {
	defer func() {
		if shared != nil {
			shared.remove()
		}
	}()
	return m.Run()
}

// Shared returns the server that all tests of a package share, of which the
// first starts it. Its TestMain must call [Run].
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
// lines of a postgresql.conf that come on top.
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	s := &Server{t: t, bin: programs(t), name: "primary"}
	t.Cleanup(s.remove)
	s.start(settings)
	return s
}

// start makes the server's folder and starts it.
func (s *Server) start(settings []string) {
	s.t.Helper()
	s.makeFolder()
	s.run("initdb", "--pgdata="+s.data(), "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
	s.configure(append([]string{"wal_level = replica", "max_wal_senders = 10"}, settings...))
	s.launch()
}

// remove ends the server, unless it has ended, and removes its folder.
func (s *Server) remove() {
	if s.process != nil {
		s.process.wait()
	}
	_ = os.RemoveAll(s.folder) // a folder of the system's for temporary files
}

// Standby starts a server that follows s from a copy of it. Its
// application_name, which synchronous_standby_names of s can name, is name.
func (s *Server) Standby(name string) *Server {
	s.t.Helper()
	standby := &Server{t: s.t, bin: s.bin, name: name}
	s.t.Cleanup(standby.remove)
	standby.makeFolder()
	standby.run("pg_basebackup", "--pgdata="+standby.data(), "--dbname="+s.dsn("postgres"), "--checkpoint=fast", "--no-sync")
	require.NoError(s.t, os.WriteFile(filepath.Join(standby.data(), "standby.signal"), nil, 0o600))
	standby.own()
	standby.configure([]string{fmt.Sprintf("primary_conninfo = '%s application_name=%s'", s.dsn("postgres"), name), "hot_standby = on"})
	standby.launch()
	return standby
}

// Address is the host and port that s listens on.
func (s *Server) Address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// URL is the URL of the server's database postgres.
func (s *Server) URL() string {
	return "postgres://postgres@" + s.Address() + "/postgres?sslmode=disable"
}

// NewSchema makes an empty schema and returns the URL of it.
func (s *Server) NewSchema() string {
	s.t.Helper()
	name := fmt.Sprintf("test_%d", schemas.Add(1))
	s.Query("CREATE SCHEMA " + name)
	return s.URL() + "&search_path=" + name
}

// RequirePassword has the server ask a role for its password from now on.
func (s *Server) RequirePassword(role string) {
	s.t.Helper()
	rules := "host all " + role + " all scram-sha-256\nhost all all all trust\n"
	require.NoError(s.t, os.WriteFile(filepath.Join(s.data(), "pg_hba.conf"), []byte(rules), 0o600))
	s.Query("SELECT pg_reload_conf()")
}

// Query runs a statement as the superuser and returns the first column of its
// first row as text, "" when there is none.
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

// Promote makes a standby take writes, and waits until it does.
func (s *Server) Promote() {
	s.t.Helper()
	require.Equal(s.t, "t", s.Query("SELECT pg_promote()"), s.name)
}

// Kill ends the server and all its processes without a last write, as the loss of
// its machine does, and waits until they are gone.
func (s *Server) Kill() {
	s.t.Helper()
	s.run("pg_ctl", "stop", "--mode=immediate", "--pgdata="+s.data())
	s.process.wait()
}

// Freeze stops all processes of the server, as a machine that hangs does, until
// thaw is called, at the latest when the test ends. Connections stay open.
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

// Restart starts a server that was killed or stopped once more, at the same
// address.
func (s *Server) Restart() {
	s.t.Helper()
	s.launch()
}

// Stop ends the server in order, as a restart of its machine does.
func (s *Server) Stop() {
	s.t.Helper()
	s.process.wait()
}

// postmaster is the first of the server's processes.
func (s *Server) postmaster() int {
	s.t.Helper()
	content, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
	require.NoError(s.t, err)
	first, _, _ := strings.Cut(string(content), "\n")
	pid, err := strconv.Atoi(first)
	require.NoError(s.t, err)
	return pid
}

// children are the processes whose parent is pid, as ps tells.
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

func (s *Server) dsn(database string) string {
	return fmt.Sprintf("host=127.0.0.1 port=%d user=postgres dbname=%s sslmode=disable", s.port, database)
}

// makeFolder makes the server's folder, which t.TempDir would hide from the
// user that the server runs as.
func (s *Server) makeFolder() {
	s.t.Helper()
	folder, err := os.MkdirTemp("", "pgtest-")
	require.NoError(s.t, err)
	s.folder = folder
	s.own()
}

// configure writes the settings of a server that has not been started.
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

// launch starts the server and waits until it responds. A shell stands between
// the test and the server and ends the server when the test's end of the pipe
// closes, which the system does for a test that is killed.
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

// wait ends the process, unless it has ended, and waits for it.
func (p *process) wait() {
	if p.command.ProcessState != nil {
		return
	}
	_ = p.life.Close()
	_ = p.command.Wait() // a server that was killed has not succeeded
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
			_ = connection.Close(ctx) // it has responded
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

// run runs a program of PostgreSQL to its end.
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

// programs is the folder of PostgreSQL's programs.
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
			path = target // beside its sisters
		}
		list = append(list, filepath.Dir(path))
	}
	for _, pattern := range []string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/local/opt/postgresql*/bin"} {
		found, _ := filepath.Glob(pattern)
		slices.Reverse(found) // the newest first
		list = append(list, found...)
	}
	return list
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
