package logs_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share/logs"
)

// logCase is a file of testdata/cases: a log in which every line is labelled.
//
// The file starts with lines "# key: value"; an unknown key fails the test.
// Every other line is a label, a tab, and a line of the log. The label of the
// head of an entry is a level, followed by "*" if the level comes from the
// status of an access log, or by "<" if a later line of the entry states it.
// "+" continues the entry above; "." belongs to no entry or adds nothing to
// one. In the log, ␛ stands for the escape character.
type logCase struct {
	log         string
	labels      []string
	format      string
	first, last string
	opts        logs.Options
}

func logPaths(tb testing.TB) []string {
	tb.Helper()
	paths, err := filepath.Glob("testdata/cases/*.log")
	require.NoError(tb, err)
	require.NotEmpty(tb, paths)
	return paths
}

func readLogCase(t testing.TB, path string) logCase {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	c := logCase{format: "plain"}
	end := "\n"
	var log strings.Builder
	sc := bufio.NewScanner(bytes.NewReader(data))
	for sc.Scan() {
		if header, ok := strings.CutPrefix(sc.Text(), "# "); ok && len(c.labels) == 0 {
			key, value, _ := strings.Cut(header, ": ")
			switch key {
			case "format":
				c.format = value
			case "first":
				c.first = value
			case "last":
				c.last = value
			case "now":
				c.opts.Now, err = time.Parse(time.RFC3339, value)
				require.NoError(t, err)
			case "zone":
				offset, err := time.ParseDuration(value)
				require.NoError(t, err)
				c.opts.Location = time.FixedZone("", int(offset.Seconds()))
			case "crlf":
				end = "\r\n"
			default:
				require.Failf(t, "unknown key", "%s: %q", path, key)
			}
			continue
		}
		label, line, ok := strings.Cut(sc.Text(), "\t")
		require.Truef(t, ok, "%s: no label: %q", path, sc.Text())
		c.labels = append(c.labels, label)
		log.WriteString(strings.ReplaceAll(line, "␛", "\x1b") + end)
	}
	require.NoError(t, sc.Err())
	c.log = log.String()
	return c
}

// labelOf returns the label of a line, as the files write it.
func labelOf(l logs.Line) string {
	switch {
	case l.Head && l.FromStatus:
		return l.Level.String() + "*"
	case l.Head:
		return l.Level.String()
	}
	return "+"
}

func TestAnalyze_labelledLogs(t *testing.T) {
	for _, path := range logPaths(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".log"), func(t *testing.T) {
			c := readLogCase(t, path)
			want := logs.Analysis{Format: c.format, Lines: len(c.labels), Bytes: int64(len(c.log))}
			var level logs.Level
			for line := range logs.Lines(c.log) {
				label := c.labels[line.Number-1]
				if late, ok := strings.CutSuffix(label, "<"); ok {
					assert.Truef(t, line.Head, "line %d: %s", line.Number, line.Text)
					assert.Contains(t, []string{late, "none"}, line.Level.String())
				} else {
					assert.Equalf(t, strings.Replace(label, ".", "+", 1), labelOf(line), "line %d: %s", line.Number, line.Text)
				}
				if line.Head {
					level = line.Level
				} else if label == "+" && level != logs.LevelNone {
					assert.Equalf(t, level, line.Level, "line %d: %s", line.Number, line.Text)
				}
			}
			count(t, &want, c.labels)
			got := logs.AnalyzeString(c.log, c.opts)
			assert.Equal(t, c.first, stampText(got.FirstTimestamp), "first timestamp")
			assert.Equal(t, c.last, stampText(got.LastTimestamp), "last timestamp")
			want.FirstTimestamp, want.LastTimestamp = got.FirstTimestamp, got.LastTimestamp
			assert.Equal(t, want, got)

			bytewise, err := logs.Analyze(iotest.OneByteReader(strings.NewReader(c.log)), c.opts)
			require.NoError(t, err)
			assert.Equal(t, got, bytewise, "read byte by byte")
		})
	}
}

// count adds up the labels.
func count(t *testing.T, a *logs.Analysis, labels []string) {
	t.Helper()
	counters := map[string]*int{
		"fatal": &a.Fatal, "error": &a.Errors, "warning": &a.Warnings, "info": &a.Info,
		"debug": &a.Debug, "trace": &a.Trace, "none": &a.Other,
	}
	lines := 0
	for i, label := range labels {
		level, status := strings.CutSuffix(strings.TrimSuffix(label, "<"), "*")
		switch level {
		case ".":
			continue
		case "+":
			lines++
			if lines == 2 {
				a.MultiLine++
			}
			continue
		}
		require.Containsf(t, counters, level, "label of line %d", i+1)
		*counters[level]++
		a.Entries++
		lines = 1
		if status {
			a.FromStatus++
		}
		if a.FirstErrorLine == 0 && (level == "error" || level == "fatal") {
			a.FirstErrorLine = i + 1
		}
	}
}

func stampText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

func TestLevel_string(t *testing.T) {
	var names []string
	for l := logs.LevelNone; l <= logs.LevelFatal; l++ {
		names = append(names, l.String())
	}
	assert.Equal(t, []string{"none", "trace", "debug", "info", "warning", "error", "fatal"}, names)
	assert.Equal(t, "Level(9)", logs.Level(9).String())
}

func TestAnalysis_stats(t *testing.T) {
	stats := logs.Analysis{
		Lines: 40, Entries: 28, Fatal: 1, Errors: 2, Warnings: 3, Info: 4, Debug: 5, Trace: 6, Other: 7,
		FirstTimestamp: time.Date(2024, 5, 1, 10, 0, 0, 123456789, time.UTC),
		LastTimestamp:  time.Date(0, 5, 1, 10, 0, 0, 0, time.UTC),
	}.Stats()
	assert.Equal(t, logs.Stats{
		Lines: 40, Errors: 3, Warnings: 3, Info: 4, Debug: 11, Other: 7,
		FirstTimestamp: new("2024-05-01T10:00:00.123Z"),
	}, stats)
}

func TestAnalyze_readerError(t *testing.T) {
	r := iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("ERROR a\n")))
	a, err := logs.Analyze(r, logs.Options{})
	require.ErrorIs(t, err, iotest.ErrTimeout)
	assert.Equal(t, int64(1), a.Bytes)
}

func ExampleAnalyzeString() {
	a := logs.AnalyzeString(`2024-05-01T10:00:00Z INFO listening on :8080
2024-05-01T10:00:07Z ERROR request failed
java.lang.IllegalStateException: closed
	at org.example.Pool.take(Pool.java:41)
2024-05-01T10:00:09Z WARN retrying
`, logs.Options{})
	fmt.Println(a.Lines, "lines,", a.Entries, "entries")
	fmt.Println(a.Errors, "error on line", a.FirstErrorLine, "and", a.Warnings, "warning")
	fmt.Println(a.FirstTimestamp, "to", a.LastTimestamp)
	// Output:
	// 5 lines, 3 entries
	// 1 error on line 2 and 1 warning
	// 2024-05-01 10:00:00 +0000 UTC to 2024-05-01 10:00:09 +0000 UTC
}

func ExampleLines() {
	log := "level=info msg=\"no errors\"\nlevel=error msg=lost\n"
	for line := range logs.Lines(log) {
		fmt.Println(line.Number, line.Level, line.Text)
	}
	// Output:
	// 1 info level=info msg="no errors"
	// 2 error level=error msg=lost
}

// TestLines_heads reads testdata/heads.tsv, in which every line is a log of its
// own.
func TestLines_heads(t *testing.T) {
	data, err := os.ReadFile("testdata/heads.tsv")
	require.NoError(t, err)
	replace := strings.NewReplacer("␛", "\x1b", "⇥", "\t")
	for row := range strings.Lines(string(data)) {
		if strings.HasPrefix(row, "# ") {
			continue
		}
		cells := strings.SplitN(strings.TrimSuffix(row, "\n"), "\t", 3)
		require.Lenf(t, cells, 3, "%q", row)
		log := replace.Replace(cells[2])
		for line := range logs.Lines(log) {
			assert.Equal(t, cells[0], labelOf(line), log)
		}
		first := logs.AnalyzeString(log, logs.Options{}).FirstTimestamp
		assert.Equal(t, strings.TrimPrefix(cells[1], "-"), stampText(first), log)
	}
}

// TestLines_messages reads testdata/messages.tsv.
func TestLines_messages(t *testing.T) {
	data, err := os.ReadFile("testdata/messages.tsv")
	require.NoError(t, err)
	for row := range strings.Lines(string(data)) {
		if strings.HasPrefix(row, "# ") {
			continue
		}
		level, log, ok := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		require.True(t, ok, row)
		log = strings.ReplaceAll(log, "⇥", "\t")
		for line := range logs.Lines(log) {
			assert.Equal(t, level, line.Level.String(), log)
		}
	}
}

// TestLines_timeSpan reads testdata/times.txt.
func TestLines_timeSpan(t *testing.T) {
	data, err := os.ReadFile("testdata/times.txt")
	require.NoError(t, err)
	decode := strings.NewReplacer("␛", "\x1b", "⇥", "\t")
	for row := range strings.Lines(string(data)) {
		if strings.HasPrefix(row, "# ") {
			continue
		}
		row = decode.Replace(strings.TrimSuffix(row, "\n"))
		text := strings.NewReplacer("«", "", "»", "").Replace(row)
		for line := range logs.Lines(text) {
			got := text
			if line.TimeEnd > 0 {
				got = text[:line.TimeStart] + "«" + text[line.TimeStart:line.TimeEnd] + "»" + text[line.TimeEnd:]
			}
			assert.Equal(t, row, got)
		}
		for line := range logs.Lines("\ufeff" + text) {
			assert.Equal(t, strings.Contains(row, "«"), line.TimeEnd > 0, row)
		}
	}
}

// A page of HTML in a log whose entries have a format of their own stays within
// its entry, however long it is.
func TestAnalyze_markupInAnEntry(t *testing.T) {
	page := "<html>\n<style>\n" + strings.Repeat(".error { margin: 0 }\n", 60) + "</style>\n" + strings.Repeat("<p>Error: no total</p>\n", 60) + "</html>\n"
	a := logs.AnalyzeString("[2024-05-01 10:00:00] production.INFO: up\n[2024-05-01 10:00:07] production.ERROR: <!DOCTYPE html>\n"+page+
		"[2024-05-01 10:00:09] production.WARNING: cart is empty\n", logs.Options{})
	assert.Equal(t, [...]int{3, 1, 1, 1}, [...]int{a.Entries, a.Errors, a.Warnings, a.Info})
}

// TestAnalyze_lineEndsAndColours adds what terminals and other systems add to
// the labelled logs, which changes nothing but their size.
func TestAnalyze_lineEndsAndColours(t *testing.T) {
	for _, path := range logPaths(t) {
		c := readLogCase(t, path)
		plain := strings.ReplaceAll(c.log, "\r\n", "\n")
		want := logs.AnalyzeString(plain, c.opts)
		for name, log := range map[string]string{
			"byte order mark":   "\ufeff" + plain,
			"CRLF":              strings.ReplaceAll(plain, "\n", "\r\n"),
			"no last line feed": strings.TrimSuffix(plain, "\n"),
			"colours":           "\x1b[1;32m" + strings.ReplaceAll(strings.TrimSuffix(plain, "\n"), "\n", "\x1b[0m\r\n\x1b[38;5;9m") + "\x1b[m\n",
		} {
			got := logs.AnalyzeString(log, c.opts)
			assert.Equal(t, int64(len(log)), got.Bytes)
			got.Bytes = want.Bytes
			assert.Equal(t, want, got, "%s: %s", path, name)
		}
	}
}

// TestAnalyze_wrappedLogs puts the prefix of a container runtime or a service
// before each line of the labelled logs. The entries and their levels stay.
func TestAnalyze_wrappedLogs(t *testing.T) {
	wrappers := map[string]func(line string) string{
		"CRI":            func(line string) string { return "2024-05-01T10:00:00.123456789Z stdout F " + line },
		"Compose":        func(line string) string { return "web-1  | " + line },
		"Compose colour": func(line string) string { return "\x1b[36mweb-1  | \x1b[0m" + line },
		"GitHub":         func(line string) string { return "2024-05-01T10:00:00.1234567Z " + line },
		"kubectl":        func(line string) string { return "[pod/shop/web] " + line },
		"json-file": func(line string) string {
			text, err := json.Marshal(line + "\n")
			require.NoError(t, err)
			return `{"log":` + string(text) + `,"stream":"stderr","time":"2024-05-01T10:00:00.123456789Z"}`
		},
	}
	for _, path := range logPaths(t) {
		c := readLogCase(t, path)
		lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(c.log, "\r\n", "\n"), "\n"), "\n")
		want := logs.AnalyzeString(c.log, c.opts)
		for name, wrap := range wrappers {
			if name == "json-file" && c.format == "json" {
				continue // a value that spans lines is not reassembled
			}
			var wrapped strings.Builder
			for _, line := range lines {
				wrapped.WriteString(wrap(line) + "\n")
			}
			got := logs.AnalyzeString(wrapped.String(), c.opts)
			got.Bytes, got.Format = want.Bytes, want.Format
			got.FirstTimestamp, got.LastTimestamp = want.FirstTimestamp, want.LastTimestamp
			assert.Equal(t, want, got, "%s: %s", path, name)
		}
	}
}

// A format that begins late in a log is read from its first line.
func TestAnalyze_formatOfAStepAtTheEnd(t *testing.T) {
	const stamp = "2026-11-27T09:12:34.9461280Z "
	for before := range 100 {
		log := strings.Repeat(stamp+"added 1284 packages\n", before) + stamp + "  41:22  warning  Unexpected any  no-explicit-any\n"
		assert.Equal(t, 1, logs.AnalyzeString(log, logs.Options{}).Warnings, "after %d lines", before)
	}
}
