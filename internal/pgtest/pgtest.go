// Package pgtest starts private PostgreSQL servers for tests.
//
// Begin with [Shared], one server for all the tests of a package, each of which
// uses its own schema: setting up a server takes a second. A test that stops,
// freezes or configures a server starts its own with [Start]. A server has its
// own folder and listens on a loopback port; both are removed when the test, or
// the package's tests, end. The programs of PostgreSQL are looked for in the
// folder named by the environment variable DEVKILN_POSTGRES_BIN, or else on the
// PATH and where Debian installs them. Without them a test is skipped, or fails
// if DEVKILN_REQUIRE_POSTGRES=1.
//
// The servers trust every connection and do not sync to disk. They lose nothing
// when a process ends, but would in a power cut. PostgreSQL refuses to run as
// root: tests of root run it as the user postgres.
package pgtest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
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
	t        testing.TB
	folder   string
	port     int
	settings []string
	*process
}

// process is a server's process. It ends when life is closed, at the latest
// when the test's process ends.
type process struct {
	command *exec.Cmd
	life    io.Closer
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
// TestMain passes the result to os.Exit. Three parallel tests share a processor
// unless -parallel says otherwise, as they mostly wait for servers.
func Run(m *testing.M) (code int) {
	_ = flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0)))
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
	sharedMu.Lock()
	defer sharedMu.Unlock()
	if shared == nil {
		shared = create(t, initialize)
	}
	own := *shared
	own.t = t
	return &own
}

// Start starts an empty server that runs until the test ends, with settings
// such as fsync=on. The package's TestMain must call [Run].
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	s := create(t, Shared(t).copyUnused, settings...)
	t.Cleanup(s.remove)
	return s
}

// makeFolder makes a folder for the user that the server runs as, who could not
// read one of t.TempDir. A shared server outlives its first test, too.
func makeFolder(ctx context.Context) (string, error) {
	folder, err := os.MkdirTemp("", "pgtest-")
	if err == nil && os.Getuid() == 0 {
		err = exec.CommandContext(ctx, "chown", "postgres", folder).Run()
	}
	return folder, err
}

// create creates a server's folder, whose data fill writes, and starts the
// server.
func create(t testing.TB, fill func(*Server), settings ...string) *Server {
	t.Helper()
	programs(t)
	folder, err := makeFolder(t.Context())
	require.NoError(t, err)
	s := &Server{t: t, folder: folder, settings: settings, process: new(process)}
	fill(s)
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s.port = listener.Addr().(*net.TCPAddr).Port
	require.NoError(t, listener.Close())
	s.Restart()
	return s
}

// initialize fills the folder of an empty server, and keeps a copy that is never
// started, because initdb takes four times as long as copying.
func initialize(s *Server) {
	s.run("initdb", "--pgdata="+s.data(), "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
	s.run("cp", "-a", s.data(), s.unused())
}

// copyUnused fills the folder of another empty server.
func (s *Server) copyUnused(to *Server) { to.run("cp", "-a", s.unused(), to.data()) }

// remove ends the server, if it still runs, and removes its folder.
func (s *Server) remove() {
	s.Stop()
	_ = os.RemoveAll(s.folder) // in the system's temporary folder
}

// Standby starts a server that follows s, from a copy of it. name is its
// application_name, for synchronous_standby_names of s.
func (s *Server) Standby(name string) *Server {
	s.t.Helper()
	copied := func(standby *Server) {
		standby.run("pg_basebackup", "--pgdata="+standby.data(), "--dbname="+s.URL()+"&application_name="+name, "--write-recovery-conf", "--checkpoint=fast", "--no-sync")
	}
	standby := create(s.t, copied)
	s.t.Cleanup(standby.remove)
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

// Kill ends the server and all its processes without a final write, as a
// failure of its machine does, and waits until they are gone.
func (s *Server) Kill() {
	s.t.Helper()
	s.run("pg_ctl", "stop", "--mode=immediate", "--pgdata="+s.data())
	s.Stop()
}

// Freeze stops all processes of the server, as on a machine that hangs, until
// thaw is called or the test ends. Connections stay open.
func (s *Server) Freeze() (thaw func()) {
	s.t.Helper()
	content, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
	require.NoError(s.t, err)
	postmaster, _, _ := strings.Cut(string(content), "\n")
	signal := func(name string, pids ...string) {
		_ = s.program(context.Background(), "kill", append([]string{name}, pids...)...).Run() // one may have ended
	}
	signal("-STOP", postmaster)
	pids := append(strings.Fields(s.run("pgrep", "-P", postmaster)), postmaster)
	signal("-STOP", pids...)
	thaw = sync.OnceFunc(func() { signal("-CONT", pids...) })
	s.t.Cleanup(thaw)
	return thaw
}

// Stop shuts the server down, as a restart of its machine does.
func (s *Server) Stop() {
	if s.life != nil {
		_ = s.life.Close()
		_ = s.command.Wait() // a killed server returns an error
		s.life = nil
	}
}

// Restart starts a killed or stopped server again, at the same address, and
// waits until it responds. A shell between test and server ends the server when
// the test's end of the pipe closes, which the system does even if the test is
// killed.
func (s *Server) Restart() {
	s.t.Helper()
	log, err := os.OpenFile(filepath.Join(s.folder, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	require.NoError(s.t, err)
	defer func() { _ = log.Close() }() // the server has its own
	const keeper = `"$@" </dev/null & pid=$!; read -r _; kill -INT $pid 2>/dev/null; wait $pid`
	arguments := []string{"-c", keeper, "pgtest", filepath.Join(programs(s.t), "postgres"), "-D", s.data(), "-h", "127.0.0.1", "-p", strconv.Itoa(s.port), "-k", ""}
	for _, setting := range append([]string{"max_connections=200", "fsync=off", "shared_buffers=32MB"}, s.settings...) {
		arguments = append(arguments, "-c", setting)
	}
	s.command = s.program(context.Background(), "sh", arguments...)
	s.command.Stdout, s.command.Stderr = log, log
	s.life, err = s.command.StdinPipe()
	require.NoError(s.t, errors.Join(err, s.command.Start()))
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	for {
		connection, err := pgx.Connect(ctx, s.URL()+"&connect_timeout=2")
		if err == nil {
			_ = connection.Close(ctx) // it has responded, that is enough
			return
		}
		if ctx.Err() != nil {
			text, _ := os.ReadFile(log.Name())
			s.t.Fatalf("pgtest: the server does not respond: %v\n%s", err, text)
		}
		<-time.After(20 * time.Millisecond)
	}
}

func (s *Server) data() string   { return filepath.Join(s.folder, "data") }
func (s *Server) unused() string { return filepath.Join(s.folder, "unused") }

// program returns a command that runs as a user that PostgreSQL accepts.
func (s *Server) program(ctx context.Context, name string, arguments ...string) *exec.Cmd {
	if os.Getuid() == 0 {
		name, arguments = "setpriv", append([]string{"--reuid=postgres", "--regid=postgres", "--clear-groups", name}, arguments...)
	}
	command := exec.CommandContext(ctx, name, arguments...)
	command.Dir = s.folder
	return command
}

// run runs a program of PostgreSQL or of the system, and returns its output.
func (s *Server) run(program string, arguments ...string) string {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	if path := filepath.Join(programs(s.t), program); isProgram(path) {
		program = path
	}
	output, err := s.program(ctx, program, arguments...).CombinedOutput()
	require.NoError(s.t, err, "%s: %s", program, output)
	return string(output)
}

// programs returns the folder of PostgreSQL's programs.
func programs(t testing.TB) string {
	t.Helper()
	folder := os.Getenv("DEVKILN_POSTGRES_BIN")
	if initdb, err := exec.LookPath("initdb"); folder == "" && err == nil {
		folder = filepath.Dir(initdb)
	} else if folder == "" {
		packages, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // Debian's
		folder = slices.Max(append(packages, ""))
	}
	if isProgram(filepath.Join(folder, "initdb")) && isProgram(filepath.Join(folder, "postgres")) {
		return folder
	}
	const reason = "pgtest: PostgreSQL's initdb and postgres are neither in $DEVKILN_POSTGRES_BIN, on the PATH nor in /usr/lib/postgresql"
	if os.Getenv("DEVKILN_REQUIRE_POSTGRES") == "1" {
		t.Fatal(reason)
	}
	t.Skip(reason)
	return ""
}

func isProgram(path string) bool {
	_, err := exec.LookPath(path)
	return err == nil && strings.Contains(path, string(filepath.Separator))
}
