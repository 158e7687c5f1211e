package abuse_test

import (
	"bufio"
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Resources of a server in deploy/kubernetes.yaml and compose.yaml.
const (
	containerBytes = 512 << 20
	goMemoryLimit  = "GOMEMLIMIT=350MiB"
)

const (
	attackerKey   = "a-key-of-somebody-who-attacks"
	adminPassword = "the right password of the dashboard"
	victims       = 40 // keys; one alone would exceed its 100 requests a minute
)

func victimKey(i int) string { return fmt.Sprintf("a-key-of-victim-number-%03d", i%victims) }

// binaries is the folder of the binary; TestMain removes it.
var binaries string

// build builds the binary once for all tests.
var build = sync.OnceValues(func() (string, error) {
	binary := filepath.Join(binaries, "devkiln")
	command := exec.CommandContext(context.Background(), "go", "build", "-o", binary, "./cmd/devkiln")
	command.Dir = "../.."
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return binary, nil
})

func TestMain(m *testing.M) {
	if client := os.Getenv("DEVKILN_RESETS"); client != "" {
		resetStreams(client)
		return
	}
	var err error
	if binaries, err = os.MkdirTemp("", "devkiln-abuse"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(binaries)
	os.Exit(code)
}

// kiln is a server that runs as a separate process.
type serverProcess struct {
	address string
	trusted *x509.CertPool // of HTTPS; nil for HTTP
	pid     int
	killed  atomic.Bool // it exceeded the memory of its container
	ended   chan struct{}
}

var listening = regexp.MustCompile(`listens on https?://(\S+)`)

// start runs a server with the memory of a container, and kills it if it
// exceeds that, as the container's kernel would.
func start(t *testing.T, flags ...string) *serverProcess {
	t.Helper()
	binary, err := build()
	require.NoError(t, err)
	keys := []string{attackerKey}
	for i := range victims {
		keys = append(keys, victimKey(i))
	}
	command := exec.CommandContext(context.Background(), binary, "serve", "--listen=127.0.0.1:0", "--trusted-proxies=127.0.0.1", "--no-access-log", "--mcp",
		"--store=sqlite:"+filepath.Join(t.TempDir(), "abuse.db"))
	command.Args = append(command.Args, flags...)
	command.Env = []string{"DEVKILN_API_KEYS=" + strings.Join(keys, ","), "DEVKILN_ADMIN_PASSWORD=" + adminPassword, goMemoryLimit, "PATH=" + os.Getenv("PATH")}
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	k := &serverProcess{pid: command.Process.Pid, ended: make(chan struct{})}
	lines := bufio.NewScanner(out)
	for k.address == "" && lines.Scan() {
		if found := listening.FindStringSubmatch(lines.Text()); found != nil {
			k.address = found[1]
		}
	}
	require.NotEmpty(t, k.address, "the server does not start")
	go func() {
		_, _ = io.Copy(io.Discard, out)
		_ = command.Wait()
		close(k.ended)
	}()
	go k.guard()
	t.Cleanup(func() {
		_ = command.Process.Signal(syscall.SIGKILL)
		<-k.ended
	})
	return k
}

// guard kills the server when it exceeds the memory of its container.
func (k *serverProcess) guard() {
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-k.ended:
			return
		case <-ticker.C:
			if k.memory("VmRSS") > containerBytes {
				k.killed.Store(true)
				_ = syscall.Kill(k.pid, syscall.SIGKILL)
				return
			}
		}
	}
}

func (k *serverProcess) alive() bool {
	select {
	case <-k.ended:
		return false
	default:
		return true
	}
}

// memory returns a line of the process's status in bytes: VmRSS is its current
// memory, VmHWM the peak since resetPeak. It returns 0 if the process is gone.
func (k *serverProcess) memory(line string) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", k.pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), line+":")
	fields := strings.Fields(after)
	if len(fields) == 0 {
		return 0
	}
	kilobytes, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return 0
	}
	return kilobytes << 10
}

func (k *serverProcess) resetPeak(t *testing.T) {
	t.Helper()
	require.NoError(t, os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", k.pid), []byte("5"), 0))
}

// request is a request to send to a server.
type request struct {
	method, path, key, accept, contentType, body string
	from                                         string // address of the client, as a proxy reports it
	origin                                       string
}

// bytes returns the request as sent over a connection.
func (r request) bytes() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: kiln.test\r\n", r.method, r.path)
	for name, value := range map[string]string{
		"X-API-Key": r.key, "Accept": r.accept, "Content-Type": r.contentType, "X-Forwarded-For": r.from, "Origin": r.origin,
	} {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\r\n", name, value)
		}
	}
	if r.method == http.MethodPost {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(r.body))
	}
	return []byte(b.String() + "\r\n" + r.body)
}

// send sends a request over a new connection and returns the status and the
// body of the response.
func (k *serverProcess) send(ctx context.Context, r request) (status int, body []byte, err error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", k.address)
	if err != nil {
		return 0, nil, err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	if _, err := conn.Write(r.bytes()); err != nil {
		return 0, nil, err
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	body, err = io.ReadAll(response.Body)
	return response.StatusCode, body, err
}

// leave sends a request and reads none of the response until the server closes
// the connection or ctx is done.
func leave(ctx context.Context, k *serverProcess, r request) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", k.address)
	if err != nil {
		return
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	_ = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
	_, _ = conn.Write(r.bytes())
	<-ctx.Done()
}

// trickle sends a request, with its last 4 KB byte by byte.
func trickle(ctx context.Context, k *serverProcess, r request) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", k.address)
	if err != nil {
		return
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	text := r.bytes()
	if _, err := conn.Write(text[:len(text)-4096]); err != nil {
		return
	}
	ticker := time.NewTicker(500 * time.Millisecond)
	defer ticker.Stop()
	for i := len(text) - 4096; i < len(text); i++ {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if _, err := conn.Write(text[i : i+1]); err != nil {
			return
		}
	}
}
