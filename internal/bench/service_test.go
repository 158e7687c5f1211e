package bench

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/devkiln/devkiln/internal/pgtest"
)

// These benchmarks load the service in a separate process, and for comparison a
// bare net/http server with the same timeouts, whose handler hashes the key,
// decodes and encodes the same JSON and does nothing else:
//
//	go test -run '^$' -bench Service -benchtime 1x
//
// The clients are plain connections that send the same bytes repeatedly,
// because an http.Client would use more processor time than the server.

const (
	connections = 32
	pairs       = 5
	round       = 2 * time.Second
	turns       = 8 // turns of a pair per round, because a machine's speed varies
	serviceKey  = "a-key-for-the-benchmark-of-the-service"
)

// TestMain makes the test binary run as the bare server if asked to.
func TestMain(m *testing.M) {
	if os.Getenv("BARE_SERVER") != "" {
		bare()
		return
	}
	os.Exit(pgtest.Run(m))
}

// bare serves the JSON of the slug operation with only the timeouts of the
// service.
func bare() {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("listens on http://%s\n", listener.Addr())
	server := &http.Server{ReadTimeout: 5 * time.Second, WriteTimeout: 3 * time.Minute, IdleTimeout: 2 * time.Minute}
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if sha256.Sum256([]byte(r.Header.Get("X-Api-Key"))) != sha256.Sum256([]byte(serviceKey)) {
			http.Error(w, "unknown key", http.StatusUnauthorized)
			return
		}
		var in struct {
			Text string `json:"text"`
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_ = json.NewEncoder(w).Encode(struct {
			Success bool   `json:"success"`
			Result  string `json:"result"`
		}{true, in.Text})
	})
	panic(server.Serve(listener))
}

var listening = regexp.MustCompile(`listens on http://(\S+)`)

// process is a running server.
type process struct {
	address string
	cmd     *exec.Cmd
}

// launch runs a server, on one processor if pinned, and waits until it listens.
func launch(b *testing.B, pinned bool, variable, log string, args ...string) process {
	b.Helper()
	if pinned {
		args = append([]string{"taskset", "-c", "0"}, args...)
	}
	cmd := exec.CommandContext(b.Context(), args[0], args[1:]...)
	cmd.Env = append(os.Environ(), variable, "DEVKILN_API_KEYS="+serviceKey)
	if pinned {
		cmd.Env = append(cmd.Env, "GOMAXPROCS=1")
	}
	if log != "" {
		file, err := os.Create(log)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = file.Close() })
		cmd.Stderr = file
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if found := listening.FindStringSubmatch(lines.Text()); found != nil {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return process{found[1], cmd}
		}
	}
	b.Fatal("the server does not start")
	return process{}
}

// devkiln builds the server.
func devkiln(b *testing.B) string {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "devkiln")
	build := exec.CommandContext(b.Context(), "go", "build", "-trimpath", "-o", binary, "./cmd/devkiln")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatal(err, string(out))
	}
	return binary
}

var unlimited = []string{"--listen=127.0.0.1:0", "--rate-minute=0", "--rate-day=0"}

// message is a request as bytes.
func message(method, path, body string) []byte {
	return fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: kiln.test\r\nX-API-Key: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		method, path, serviceKey, len(body), body)
}

// outcome is the result of load.
type outcome struct {
	latencies []time.Duration // latency of each request
	took      time.Duration
	processor time.Duration // processor time of the server
}

func (o *outcome) add(other outcome) {
	o.latencies = append(o.latencies, other.latencies...)
	o.took += other.took
	o.processor += other.processor
}

func (o *outcome) perSecond() float64 { return float64(len(o.latencies)) / o.took.Seconds() }

func (o *outcome) p99() float64 {
	slices.Sort(o.latencies)
	return float64(o.latencies[len(o.latencies)*99/100])
}

// effort returns the processor time per request.
func (o *outcome) effort() float64 { return float64(o.processor) / float64(len(o.latencies)) }

// load sends requests over all connections for a while. next returns the i-th
// request of a connection.
func load(b *testing.B, p process, while time.Duration, next func(connection, i int) []byte) outcome {
	b.Helper()
	before := processor(b, p)
	var mu sync.Mutex
	var all []time.Duration
	var faults []error
	var wg sync.WaitGroup
	start := time.Now()
	for c := range connections {
		wg.Go(func() {
			took, err := converse(b.Context(), p.address, start.Add(while), func(i int) []byte { return next(c, i) })
			mu.Lock()
			defer mu.Unlock()
			all = append(all, took...)
			faults = append(faults, err)
		})
	}
	wg.Wait()
	if err := errors.Join(faults...); err != nil {
		b.Fatal(err)
	}
	return outcome{all, time.Since(start), processor(b, p) - before}
}

// converse sends requests over one connection, one after another.
func converse(ctx context.Context, address string, end time.Time, next func(i int) []byte) ([]time.Duration, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	reader := bufio.NewReader(conn)
	var took []time.Duration
	for i := 0; ; i++ {
		start := time.Now()
		if start.After(end) {
			return took, nil
		}
		if _, err := conn.Write(next(i)); err != nil {
			return took, err
		}
		if err := skipResponse(reader); err != nil {
			return took, err
		}
		took = append(took, time.Since(start))
	}
}

// skipResponse reads a 200 response with a Content-Length.
func skipResponse(r *bufio.Reader) error {
	line, err := r.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")) {
		return fmt.Errorf("response: %s", line)
	}
	length := 0
	for len(bytes.TrimSpace(line)) > 0 {
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
		if line, err = r.ReadSlice('\n'); err != nil {
			return err
		}
	}
	_, err = r.Discard(length)
	return err
}

// rss returns the resident memory of a process in MB.
func rss(b *testing.B, p process) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "VmRSS:")
	kilobytes, err := strconv.ParseFloat(strings.Fields(after)[0], 64)
	if err != nil {
		b.Fatal(err)
	}
	return kilobytes / 1000
}

// processor returns the processor time that a process has used, from its stat
// in /proc: fields 14 and 15, in hundredths of a second.
func processor(b *testing.B, p process) time.Duration {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(after)
	user, err := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	if err := errors.Join(err, err2); err != nil {
		b.Fatal(err)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}

func median[T cmp.Ordered](values []T) T {
	slices.Sort(values)
	return values[len(values)/2]
}

// BenchmarkServiceSlug compares the slug operation with the bare handler, each
// server on one processor. It reports medians of pairs, whose servers
// alternate.
func BenchmarkServiceSlug(b *testing.B) {
	binary := devkiln(b)
	for name, flags := range map[string][]string{"without access log": {"--no-access-log"}, "with access log to a file": nil} {
		b.Run(name, func(b *testing.B) {
			reference := launch(b, true, "BARE_SERVER=1", "", os.Args[0])
			args := append([]string{binary, "--store=memory:"}, append(unlimited, flags...)...)
			service := launch(b, true, "BARE_SERVER=", filepath.Join(b.TempDir(), "log"), args...)
			request := message("POST", "/api/v1/slug-generator", `{"text": "Crème brûlée & cafés"}`)
			next := func(int, int) []byte { return request }
			for b.Loop() {
				var speed, tail, absolute, effort []float64
				for range pairs {
					var r, s outcome
					for range turns {
						r.add(load(b, reference, round/turns, next))
						s.add(load(b, service, round/turns, next))
					}
					speed = append(speed, s.perSecond()/r.perSecond())
					tail = append(tail, s.p99()/r.p99())
					absolute = append(absolute, s.perSecond())
					effort = append(effort, r.effort()/s.effort())
				}
				b.ReportMetric(median(speed), "of-bare")
				b.ReportMetric(median(effort), "of-bare-by-CPU-time")
				b.ReportMetric(median(tail), "p99-of-bare")
				b.ReportMetric(median(absolute), "req/s")
			}
		})
	}
}

// BenchmarkServiceLogs creates logs of 1 KB durably, and reads a thousand of
// them in turn.
func BenchmarkServiceLogs(b *testing.B) {
	binary := devkiln(b)
	service := launch(b, false, "BARE_SERVER=", filepath.Join(b.TempDir(), "log"),
		append([]string{binary, "--store=sqlite:" + filepath.Join(b.TempDir(), "bench.db"), "--no-access-log"}, unlimited...)...)
	lines := strings.Repeat("2026-11-20 03:00:01 INFO request served in 12 ms by worker 7 for /api/v1/items\\n", 12)
	create := message("POST", "/api/v1/log-share", `{"content":"`+lines+`"}`)
	reads := make([][]byte, 1000)
	for i := range reads {
		reads[i] = message("GET", "/api/v1/log-share/"+create1(b, service.address, create), "")
	}
	for b.Loop() {
		var made, read outcome
		for range pairs {
			made.add(load(b, service, round, func(int, int) []byte { return create }))
			read.add(load(b, service, round, func(connection, i int) []byte { return reads[(i*connections+connection)%len(reads)] }))
		}
		b.ReportMetric(made.perSecond(), "creates/s")
		b.ReportMetric(made.effort()/1000, "µs-processor/create")
		b.ReportMetric(read.perSecond(), "reads/s")
		b.ReportMetric(read.effort()/1000, "µs-processor/read")
		b.ReportMetric(rss(b, service), "MB-RSS")
	}
}

// create1 creates one share and returns its id.
func create1(b *testing.B, address string, request []byte) string {
	b.Helper()
	conn, err := (&net.Dialer{}).DialContext(b.Context(), "tcp", address)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write(request); err != nil {
		b.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var made struct{ ID string }
	if err := json.NewDecoder(response.Body).Decode(&made); err != nil || made.ID == "" {
		b.Fatal("no id", err)
	}
	return made.ID
}
