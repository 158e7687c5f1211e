package logs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share/logs"
)

// A reportCase is a file of testdata/reports: what is labelled, a line of JSON
// each (the report, and the first failures), then a log that failed, and one
// of the same tool that did not.
type reportCase struct {
	name           string
	counts         *struct{ Passed, Failed, Skipped int }
	failures       []logs.Failure
	failed, passed string
}

func reportCases(tb testing.TB, pattern string) []reportCase {
	tb.Helper()
	files, err := filepath.Glob(pattern)
	require.NoError(tb, err)
	require.NotEmpty(tb, files)
	cases := make([]reportCase, 0, len(files))
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(tb, err)
		labels, rest, ok := strings.Cut(string(data), "-- failed --\n")
		require.True(tb, ok, file)
		c := reportCase{name: strings.TrimSuffix(filepath.Base(file), ".txt")}
		c.failed, c.passed, _ = strings.Cut(rest, "-- passed --\n")
		for line := range strings.Lines(labels) {
			decoder := json.NewDecoder(strings.NewReader(line))
			decoder.DisallowUnknownFields()
			if strings.HasPrefix(line, `{"report"`) {
				var wire struct {
					Report struct{ Passed, Failed, Skipped int }
				}
				require.NoError(tb, decoder.Decode(&wire), file)
				c.counts = &wire.Report
				continue
			}
			var f logs.Failure
			require.NoError(tb, decoder.Decode(&f), file)
			c.failures = append(c.failures, f)
		}
		cases = append(cases, c)
	}
	return cases
}

// labelled returns the fields of f that its label states, so that they compare
// equal if f is right. A message must hold that of the label.
func labelled(f, label logs.Failure) logs.Failure {
	want := logs.Failure{Name: f.Name, Kind: f.Kind, File: f.File, Line: f.Line, Column: f.Column, Message: label.Message, Expected: f.Expected, Actual: f.Actual, Tool: f.Tool}
	if label.Kind == "" {
		want.Kind = ""
	}
	if label.Name == "" {
		want.Name = ""
	}
	if label.File == "" {
		want.File = ""
	}
	if label.Line == 0 {
		want.Line = 0
	}
	if label.Column == 0 {
		want.Column = 0
	}
	if label.Expected == "" {
		want.Expected = ""
	}
	if label.Actual == "" {
		want.Actual = ""
	}
	if label.Tool == "" {
		want.Tool = ""
	}
	if !strings.Contains(f.Message, label.Message) {
		want.Message = f.Message
	}
	return want
}

func TestFailures(t *testing.T) {
	for _, c := range reportCases(t, "testdata/reports/*.txt") {
		r := logs.Summarize(c.failed, logs.Options{}).Report
		for i, label := range c.failures {
			if assert.Less(t, i, len(r.Failures), "%s: %d failures", c.name, len(r.Failures)) {
				assert.Equal(t, label, labelled(r.Failures[i], label), c.name)
			}
		}
		if c.counts != nil {
			assert.Equal(t, *c.counts, struct{ Passed, Failed, Skipped int }{r.Passed, r.Failed, r.Skipped}, c.name)
		}
		assert.Empty(t, logs.Failures(c.passed), "%s: the log of a success", c.name)
	}
}

// The name of a test, which testify states below the values, is no part of its message.
func TestFailures_testify(t *testing.T) {
	text, err := os.ReadFile("testdata/reports/go-testify.txt")
	require.NoError(t, err)
	assert.Equal(t, "Not equal:", logs.Failures(string(text))[0].Message)
}

// Logs of daemons and programs that did not fail report nothing, and get no advice.
func TestFailures_none(t *testing.T) {
	files, err := filepath.Glob("testdata/cases/*.log")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		s := logs.Summarize(string(data), logs.Options{})
		if s.Verdict.Level < logs.LevelError {
			assert.Empty(t, s.Report.Failures, file)
		}
		assert.Empty(t, s.Report.Advice, file)
	}
}

func TestFailures_many(t *testing.T) {
	r := logs.Summarize(strings.Repeat("--- FAIL: TestOne (0.00s)\n", 3), logs.Options{}).Report
	assert.Len(t, r.Failures, 1, "a test that is named again")
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "a.go:%d:1: undefined: x\n", i+1)
	}
	r = logs.Summarize(b.String(), logs.Options{}).Report
	assert.Len(t, r.Failures, 200)
	assert.Equal(t, 100, r.Omitted)
	assert.Equal(t, "300 compile errors · a.go:1:1 · undefined: x", r.Sentence())
}

func TestFailures_advice(t *testing.T) {
	for log, want := range map[string]string{
		"npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree\n":                                "Two packages need different versions of a peer dependency: update the package that asks for the older one.",
		"Error: listen EADDRINUSE: address already in use :::8080\n    at Server.setupListenHandle (node:net:1817:16)\n": "Port 8080 is in use: stop the process that listens on it, or choose another port.",
		"main.go:4:2: missing go.sum entry for module providing package example.com/a (imported by b); to add:\n":        "go.sum lacks a module: run go mod tidy and commit go.sum.",
	} {
		assert.Equal(t, []string{want}, logs.Summarize(log, logs.Options{}).Report.Advice, log)
	}
}

// The sentence counts what failed by its kind.
func TestReport_sentence(t *testing.T) {
	cases := reportCases(t, "testdata/reports/go-mixed.txt")
	assert.Equal(t, "1 of 2 tests failed: TestCart · cart_test.go:10 · expected 200, actual 500", logs.Summarize(cases[0].failed, logs.Options{}).Report.Sentence())
	for log, want := range map[string]string{
		"a.go:1:2: undefined: x\n--- FAIL: TestCart (0.00s)\n    cart_test.go:3: no total\nFAIL\n":          "1 test failed (TestCart), 1 compile error · a.go:1:2 · undefined: x",
		"# shop\na.go:1:2: undefined: x\n--- PASS: TestCart (0.00s)\nFAIL\tshop [build failed]\n":           "1 compile error · a.go:1:2 · undefined: x",
		"a.go:1:2: no required module provides package example.com/x; to add it:\n\tgo get example.com/x\n": "go failed · a.go:1:2 · no required module provides package example.com/x; to add it: go get example.com/x",
	} {
		assert.Equal(t, want, logs.Summarize(log, logs.Options{}).Report.Sentence())
	}
}

func ExampleFailures() {
	log := `=== RUN   TestCheckout
    checkout_test.go:41: expected 200, actual 500
--- FAIL: TestCheckout (0.02s)
--- PASS: TestCart (0.00s)
FAIL	example.com/shop/checkout	0.024s
`
	for _, f := range logs.Failures(log) {
		fmt.Println(f.Kind, f.Name, f.Place(), f.Expected, f.Actual)
	}
	fmt.Println(logs.Summarize(log, logs.Options{}).Report.Sentence())
	// Output:
	// test TestCheckout checkout_test.go:41 200 500
	// 1 of 2 tests failed: TestCheckout · checkout_test.go:41 · expected 200, actual 500
}

// A log of many tests that start and never end takes no more memory than one of
// a few.
func TestFailures_bounded(t *testing.T) {
	var b strings.Builder
	for i := range 5_000 {
		fmt.Fprintf(&b, "=== RUN   Test%d\n--- FAIL: Test%d (0.00s)\n", i, i)
	}
	report := logs.Summarize(b.String(), logs.Options{}).Report
	assert.Len(t, report.Failures, 200)
	assert.Equal(t, 4_800, report.Omitted)
	assert.LessOrEqual(t, logs.Remembered(b.String()), 1_000)
}

// The logs of testdata/everyday state what a person wants to read of them: what
// the sentence of the report begins with.
func TestSummarize_everyday(t *testing.T) {
	files, err := filepath.Glob("testdata/everyday/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		labels, log, ok := strings.Cut(string(data), "-- log --\n")
		require.True(t, ok, file)
		s := logs.Summarize(log, logs.Options{})
		for line := range strings.Lines(labels) {
			what, want, _ := strings.Cut(strings.TrimSpace(line), ": ")
			switch what {
			case "says":
				assert.True(t, strings.HasPrefix(s.Report.Sentence(), want), "%s: %s", file, s.Report.Sentence())
			default:
				assert.Fail(t, "no such label", "%s: %s", file, what)
			}
		}
	}
}
