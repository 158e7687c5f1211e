package availability_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	document = "../../../docs/internals/availability.md"
	binaries = "/usr/lib/postgresql/15/bin" // as in the document
	patience = 90 * time.Second             // longer than any step takes
	glance   = 50 * time.Millisecond
)

// cluster is the setup of the document. Its machines have loopback addresses of
// their own, so that they can use the document's ports.
type cluster struct {
	document string
	folder   string
	network  string // such as 127.83.17.
	machines []*machine
	client   *http.Client // for Patroni's REST API
}

// machine is one of the three machines.
type machine struct {
	name     string
	address  string
	folder   string
	programs []*exec.Cmd // etcd, patroni, pgbouncer
}

// newCluster starts three machines and waits until one is the leader and
// another its synchronous standby.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	requirePrograms(t)
	text, err := os.ReadFile(document)
	require.NoError(t, err)
	folder := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(folder), 0o755)) // PostgreSQL does not run as root
	c := &cluster{
		document: string(text),
		folder:   folder,
		network:  fmt.Sprintf("127.%d.%d.", 1+rand.IntN(254), rand.IntN(256)),
		client:   &http.Client{Timeout: time.Minute},
	}
	t.Cleanup(func() { c.remove(t) })
	for n := 1; n <= 3; n++ {
		c.add(t, strconv.Itoa(n))
	}
	for _, m := range c.machines {
		m.start(t)
	}
	leader, _ := c.settled(t)
	file := filepath.Join(folder, "kiln.sql")
	require.NoError(t, os.WriteFile(file, []byte(c.block(t, "sql", "")), 0o644))
	psql := exec.CommandContext(t.Context(), filepath.Join(binaries, "psql"), "-h", leader.address, "-U", "postgres", "-v", "ON_ERROR_STOP=1", "-f", file)
	psql.Env = append(os.Environ(), "PGPASSWORD=password-of-postgres")
	output, err := psql.CombinedOutput()
	require.NoError(t, err, "%s", output)
	return c
}

// requirePrograms skips the test unless it was requested, because its machines
// occupy the processors for minutes.
func requirePrograms(t *testing.T) {
	t.Helper()
	if os.Getenv("DEVKILN_REQUIRE_PATRONI") != "1" {
		t.Skip("runs three machines for minutes where DEVKILN_REQUIRE_PATRONI is 1")
	}
	require.FileExists(t, filepath.Join(binaries, "postgres"))
	if os.Getuid() == 0 {
		_, err := user.Lookup("postgres")
		require.NoError(t, err)
	}
	for _, program := range []string{"etcd", "patroni", "pgbouncer"} {
		_, err := exec.LookPath(program)
		require.NoError(t, err)
	}
}

// block returns the document's first code block in a language that starts with
// begins.
func (c *cluster) block(t *testing.T, language, begins string) string {
	t.Helper()
	m := regexp.MustCompile("(?ms)^```" + language + "\n(" + regexp.QuoteMeta(begins) + ".*?)^```$").FindStringSubmatch(c.document)
	require.NotNil(t, m, "%s has a block of %s that begins with %q", document, language, begins)
	return m[1]
}

// add creates the directory and configuration of a machine.
func (c *cluster) add(t *testing.T, number string) {
	t.Helper()
	m := &machine{name: "db" + number, address: c.network + number, folder: filepath.Join(c.folder, "db"+number)}
	require.NoError(t, os.Mkdir(m.folder, 0o700))
	own := strings.NewReplacer("db1", m.name, "10.0.0.1", "10.0.0."+number)
	here := strings.NewReplacer("10.0.0.0/24", "127.0.0.0/8", "10.0.0.", c.network,
		"/etc/pgbouncer", m.folder, "/var/lib/postgresql", m.folder, "/var/lib/etcd", m.folder+"/etcd")
	for file, text := range map[string]string{
		"etcd.yml":      c.block(t, "yaml", "# /etc/etcd.yml"),
		"patroni.yml":   c.block(t, "yaml", "# /etc/patroni.yml"),
		"pgbouncer.ini": c.block(t, "ini", ""),
		"userlist.txt":  c.block(t, "text", `"kiln"`),
	} {
		var lines strings.Builder
		for line := range strings.Lines(text) {
			if !strings.Contains(line, "10.0.0.3") { // lines that name all three machines stay unchanged
				line = own.Replace(line)
			}
			lines.WriteString(here.Replace(line))
		}
		require.NoError(t, os.WriteFile(filepath.Join(m.folder, file), []byte(lines.String()), 0o600))
	}
	require.NoError(t, filepath.WalkDir(m.folder, func(path string, _ os.DirEntry, err error) error {
		if credential := servant(); credential != nil && err == nil {
			err = os.Chown(path, int(credential.Uid), int(credential.Gid))
		}
		return err
	}))
	c.machines = append(c.machines, m)
}

// servant returns the user to run PostgreSQL as if the test runs as root, and
// nil otherwise.
func servant() *syscall.Credential {
	if os.Getuid() != 0 {
		return nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil
	}
	uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
	gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
	if errors.Join(uidErr, gidErr) != nil {
		return nil
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

// start starts the programs of a machine. They end with the test.
func (m *machine) start(t *testing.T) {
	t.Helper()
	m.run(t, "etcd", "--config-file", filepath.Join(m.folder, "etcd.yml"))
	m.run(t, "patroni", filepath.Join(m.folder, "patroni.yml"))
	m.run(t, "pgbouncer", filepath.Join(m.folder, "pgbouncer.ini"))
}

func (m *machine) run(t *testing.T, program string, arguments ...string) {
	t.Helper()
	log, err := os.OpenFile(filepath.Join(m.folder, program+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	require.NoError(t, err)
	defer log.Close()
	command := exec.CommandContext(t.Context(), program, arguments...)
	command.Stdout, command.Stderr, command.Dir = log, log, m.folder
	command.SysProcAttr = &syscall.SysProcAttr{Credential: servant(), Pdeathsig: syscall.SIGTERM}
	require.NoError(t, command.Start())
	m.programs = append(m.programs, command)
}

// signal sends a signal to all processes of a machine, or only to PostgreSQL's.
func (m *machine) signal(s syscall.Signal, everything bool) {
	if everything {
		for _, p := range m.programs {
			_ = p.Process.Signal(s) // the process may have exited
		}
	}
	for _, pid := range m.postgres() {
		_ = syscall.Kill(pid, s) // likewise
	}
}

// postgres returns the PIDs of PostgreSQL, that of the postmaster first.
func (m *machine) postgres() []int {
	file, err := os.ReadFile(filepath.Join(m.folder, "kiln", "postmaster.pid"))
	if err != nil {
		return nil
	}
	first, _, _ := strings.Cut(string(file), "\n")
	program, err := os.Readlink("/proc/" + first + "/exe")
	if err != nil || !strings.HasSuffix(program, "/postgres") { // the process has exited; its PID may have been reused
		return nil
	}
	children, err := os.ReadFile("/proc/" + first + "/task/" + first + "/children")
	if err != nil {
		return nil
	}
	var pids []int
	for _, field := range append([]string{first}, strings.Fields(string(children))...) {
		if pid, err := strconv.Atoi(field); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// kill kills all processes of a machine at once, as a power failure does.
func (m *machine) kill() {
	m.signal(syscall.SIGKILL, true)
	for _, p := range m.programs {
		_ = p.Wait() // it was killed
	}
	m.programs = nil
}

// remove kills all machines, and prints their logs and the servers' if the test
// has failed.
func (c *cluster) remove(t *testing.T) {
	for _, m := range c.machines {
		m.kill()
	}
	if !t.Failed() {
		return
	}
	servers, err := filepath.Glob(filepath.Join(c.folder, "*.log"))
	require.NoError(t, err)
	machines, err := filepath.Glob(filepath.Join(c.folder, "*", "p*.log")) // Patroni's and PgBouncer's
	require.NoError(t, err)
	for _, file := range append(servers, machines...) {
		log, err := os.ReadFile(file)
		require.NoError(t, err)
		t.Logf("%s:\n%s", file, log[max(0, len(log)-4000):])
	}
}

// member is a machine as reported by Patroni.
type member struct {
	Name, Role, State string
	Timeline          int
}

// members returns the machines as reported by the first one that responds.
func (c *cluster) members(ctx context.Context) []member {
	for _, m := range c.machines {
		var seen struct{ Members []member }
		if err := c.ask(ctx, http.MethodGet, m, "/cluster", "", &seen); err == nil {
			return seen.Members
		}
	}
	return nil
}

// ask sends a request to a machine's Patroni and decodes the response into
// result unless that is nil.
func (c *cluster) ask(ctx context.Context, method string, m *machine, path, body string, result any) error {
	if method == http.MethodGet { // a frozen machine still accepts connections
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Second)
		defer cancel()
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://"+net.JoinHostPort(m.address, "8008")+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	response, err := c.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", response.Status, text)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(text, result)
}

// leader returns the machine that leads, or nil.
func (c *cluster) leader(ctx context.Context) *machine { return c.named(c.members(ctx), "leader") }

// named returns the machine with a role, or nil.
func (c *cluster) named(members []member, role string) *machine {
	i := slices.IndexFunc(members, func(m member) bool { return m.Role == role })
	if i < 0 {
		return nil
	}
	at := slices.IndexFunc(c.machines, func(m *machine) bool { return m.name == members[i].Name })
	return c.machines[at]
}

// settled waits until one machine leads and the others follow it, one of them
// synchronously.
func (c *cluster) settled(t *testing.T) (leader, standby *machine) {
	t.Helper()
	require.Eventually(t, func() bool {
		members := c.members(t.Context())
		leader, standby = c.named(members, "leader"), c.named(members, "sync_standby")
		for _, m := range c.machines {
			if c.ask(t.Context(), http.MethodGet, m, "/health", "", nil) != nil {
				return false
			}
		}
		for _, m := range members {
			if m.Timeline != members[0].Timeline || (m.State != "running" && m.State != "streaming") {
				return false
			}
		}
		return len(members) == len(c.machines) && leader != nil && standby != nil
	}, patience, glance)
	return leader, standby
}
