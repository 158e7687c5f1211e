package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
)

// machine describes how the measurements were made.
type machine struct {
	CPU        string
	Processors int
	System     string
	Go         string
	Load       string // load average of the minute before the start
	Day        string
	Rounds     int
	Each       time.Duration
	Versions   map[string]string // versions of the peers
}

// measure builds the benchmarks and runs those of the comparisons, round by
// round, so that compared benchmarks run within seconds of each other.
func measure(ctx context.Context, comparisons []comparison, rounds int, each time.Duration, logger *log.Logger) (all []values, m machine, err error) {
	m = machine{
		Processors: runtime.NumCPU(), System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(),
		Load: loadAverage(), Day: time.Now().UTC().Format(time.DateOnly), Rounds: rounds, Each: each,
	}
	folder, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return nil, m, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	binary := filepath.Join(folder, "bench.test")
	if output, err := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, ".").CombinedOutput(); err != nil {
		return nil, m, fmt.Errorf("go test -c: %w\n%s", err, output)
	}
	if m.Versions, err = versions(ctx, comparisons); err != nil {
		return nil, m, err
	}
	for n := range rounds {
		logger.Printf("round %d of %d", n+1, rounds)
		round := make(values)
		for _, pattern := range patterns(comparisons) {
			if m.CPU, err = runBenchmarks(ctx, binary, pattern, each, round); err != nil {
				return nil, m, err
			}
		}
		all = append(all, round)
	}
	return all, m, nil
}

// patterns returns the arguments of -test.bench for the benchmarks of the
// comparisons, one for each function.
func patterns(comparisons []comparison) []string {
	levels := make(map[string][][]string)
	var order []string
	for _, c := range comparisons {
		for _, name := range []string{c.Ours, c.Theirs} {
			top, rest, _ := strings.Cut(name, "/")
			if top == "" {
				continue
			}
			if !slices.Contains(order, top) {
				order = append(order, top)
			}
			for i, part := range strings.Split(rest, "/") {
				if i == len(levels[top]) {
					levels[top] = append(levels[top], nil)
				}
				if quoted := regexp.QuoteMeta(part); !slices.Contains(levels[top][i], quoted) {
					levels[top][i] = append(levels[top][i], quoted)
				}
			}
		}
	}
	var all []string
	for _, top := range order {
		pattern := []string{"^Benchmark" + top + "$"}
		for _, names := range levels[top] {
			pattern = append(pattern, "^("+strings.Join(names, "|")+")$")
		}
		all = append(all, strings.Join(pattern, "/"))
	}
	return all
}

// runBenchmarks adds the results of the benchmarks that match a pattern to a
// round, and returns the name of the processor.
func runBenchmarks(ctx context.Context, binary, pattern string, each time.Duration, round values) (cpu string, err error) {
	command := exec.CommandContext(ctx, binary, "-test.run", "^$", "-test.bench", pattern, "-test.benchtime", each.String())
	var output, faults bytes.Buffer
	command.Stdout, command.Stderr = &output, &faults
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", pattern, err, &output, &faults)
	}
	reader := benchfmt.NewReader(&output, pattern)
	for reader.Scan() {
		result, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		cpu = result.GetConfig("cpu")
		name := processors.ReplaceAllString(result.Name.String(), "")
		round[name] = make(map[string]float64)
		for _, v := range result.Values {
			round[name][v.Unit] = v.Value
		}
	}
	return cpu, reader.Err()
}

// processors matches the suffix of benchmark names on more than one processor.
var processors = regexp.MustCompile(`-\d+$`)

// versions returns the versions of the modules that the benchmarks require, of
// Go and, if a comparison needs them, of Chromium and lnav.
func versions(ctx context.Context, comparisons []comparison) (map[string]string, error) {
	list, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Path}} {{.Version}}", "all").Output()
	if err != nil {
		return nil, fmt.Errorf("go list -m: %w", err)
	}
	found := map[string]string{"net/http": runtime.Version()}
	for line := range strings.Lines(string(list)) {
		path, version, _ := strings.Cut(strings.TrimSpace(line), " ")
		found[path] = version
	}
	if slices.ContainsFunc(comparisons, func(c comparison) bool { return c.Peer == "chromium" }) {
		output, err := exec.CommandContext(ctx, "chromium", "--version").Output()
		if words := strings.Fields(string(output)); err == nil && len(words) > 1 {
			found["chromium"] = words[1] // Chromium 156.0.8078.79 built on …
		}
	}
	if slices.ContainsFunc(comparisons, func(c comparison) bool { return c.Peer == "lnav" }) {
		output, err := exec.CommandContext(ctx, "lnav", "-V").Output()
		if words := strings.Fields(string(output)); err == nil && len(words) > 1 {
			found["lnav"] = words[1] // lnav 0.11.1
		}
	}
	return found, nil
}

// loadAverage returns the load average on Linux, else "unknown".
func loadAverage() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	load, _, _ := strings.Cut(string(data), " ")
	return load
}
