package logs_test

import (
	"bytes"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share/logs"
)

// repeat is a reader of n copies of a text, which are never all in memory.
type repeat struct {
	text string
	n    int
	rest string
}

func (r *repeat) Read(p []byte) (int, error) {
	if r.rest == "" {
		if r.n == 0 {
			return 0, io.EOF
		}
		r.n--
		r.rest = r.text
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// TestAnalyze_boundedMemory reads 50 MB of each single-line text and 5 MB of
// each text with line feeds, and checks how much memory that takes.
func TestAnalyze_boundedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	texts := map[string]string{
		"one line":           strings.Repeat("a", 1024),
		"one line of NULs":   strings.Repeat("\x00", 1024),
		"one line of quotes": strings.Repeat(`"`, 1024),
		"one escaped string": `{"level":"` + strings.Repeat(`\`, 1014),
		"invalid UTF-8":      strings.Repeat("\xff\xfe\xc0\n", 256),
		"deep objects":       strings.Repeat(`{"a":`, 205),
		"deep lists":         strings.Repeat("[{\n", 341),
		"open brackets":      strings.Repeat("[<(", 341) + "\n",
		"escapes":            strings.Repeat("\x1b[1m", 256),
		"open escapes":       strings.Repeat("\x1b[", 512) + "\n",
		"pairs":              strings.Repeat("a=b ", 256),
		"digits":             strings.Repeat("1234567890", 102),
		"line feeds":         strings.Repeat("\n", 1024),
		"conditions":         strings.Repeat("if x failed ", 85) + "\n",
		"open quotes":        strings.Repeat(`" failed `, 113) + "\n",
		"labels":             strings.Repeat("x: cannot say ", 73) + "\n",
		"traces":             strings.Repeat("Traceback (most recent call last)\n", 30),
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			n := 50 << 10
			if strings.Contains(text, "\n") {
				n = 5 << 10
			}
			a, err := logs.Analyze(&repeat{text: text, n: n}, logs.Options{})
			runtime.ReadMemStats(&after)
			require.NoError(t, err)
			assert.Equal(t, int64(n*len(text)), a.Bytes)
			assert.LessOrEqual(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20), "bytes allocated")
		})
	}
}

func TestAnalyze_longLines(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	a := logs.AnalyzeString("ERROR "+long+"\n{\"level\":\"warn\",\"msg\":\""+long+"\"}\n"+long+" ERROR\nINFO x", logs.Options{})
	assert.Equal(t, 4, a.Lines)
	assert.Equal(t, 4, a.Entries)
	assert.Equal(t, [...]int{1, 1, 1, 1}, [...]int{a.Errors, a.Warnings, a.Info, a.Other})
}

// TestLines_allocations compares logs of one and of a hundred repetitions.
func TestLines_allocations(t *testing.T) {
	if testing.Short() {
		t.Skip("pools of regular expressions allocate at random under the race detector")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which empties pools
	for _, path := range logPaths(t) {
		log := readLogCase(t, path).log
		count := func(log string) float64 {
			return testing.AllocsPerRun(1, func() {
				for line := range logs.Lines(log) {
					_ = line.Level
				}
			})
		}
		assert.InDelta(t, count(log), count(strings.Repeat(log, 100)), 4, path)
	}
}

func TestLines_stopsEarly(t *testing.T) {
	var lines []logs.Line
	for line := range logs.Lines("ERROR a\r\n\r\nDEBUG b") {
		lines = append(lines, line)
		if line.Number == 2 {
			break
		}
	}
	assert.Equal(t, []logs.Line{
		{Number: 1, Text: "ERROR a", Level: logs.LevelError, Head: true},
		{Number: 2, Text: "", Level: logs.LevelError},
	}, lines)
}

func TestAnalyze_emptyLog(t *testing.T) {
	a, err := logs.Analyze(bytes.NewReader(nil), logs.Options{})
	require.NoError(t, err)
	assert.Equal(t, logs.Analysis{Format: "plain"}, a)
	assert.Nil(t, a.Stats().FirstTimestamp)
}
