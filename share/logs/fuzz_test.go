package logs_test

import (
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share/logs"
)

// FuzzAnalyze checks what the documentation promises for any log: nothing
// panics, the counts add up, the sizes of reads make no difference, and Lines
// finds the same entries and loses no byte.
func FuzzAnalyze(f *testing.F) {
	for _, c := range seedLogs(f) {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, log string) {
		a := logs.AnalyzeString(log, logs.Options{})
		require.Equal(t, a.Entries, a.Fatal+a.Errors+a.Warnings+a.Info+a.Debug+a.Trace+a.Other)
		require.LessOrEqual(t, a.MultiLine, a.Entries)
		require.LessOrEqual(t, a.Entries, a.Lines)
		require.Equal(t, int64(len(log)), a.Bytes)
		require.Equal(t, (a.Errors+a.Fatal) > 0, a.FirstErrorLine > 0)

		half, err := logs.Analyze(iotest.HalfReader(strings.NewReader(log)), logs.Options{})
		require.NoError(t, err)
		require.Equal(t, a, half)

		var heads, size int
		for line := range logs.Lines(log) {
			if line.Head {
				heads++
			}
			require.LessOrEqual(t, 0, line.TimeStart)
			require.LessOrEqual(t, line.TimeStart, line.TimeEnd)
			require.LessOrEqual(t, line.TimeEnd, len(line.Text))
			size += len(line.Text) + 1
			require.NotContains(t, line.Text, "\n")
		}
		require.Equal(t, a.Entries, heads)
		require.LessOrEqual(t, size, len(log)+1)
	})
}

// seedLogs returns the labelled logs, and texts that have broken log readers.
func seedLogs(tb testing.TB) []string {
	seeds := []string{
		"", "\n", "\r\n", "\x00", "\xff\xfe", "{", "[", "[{", "{\"", "{\"level\":", "\x1b[", "\x1b]0;", "<", "<14>", "<14>1 ", "####<",
		"E, [", "I0501 10:00:00.0", "1:M 1 May", "99:M ", "level=", "=\"", "2024-05-01T", "May  1 10:00:00 a", "%A-1-", "##[", "##[error]", "\x1b[0m\n", "\x1b[31mERROR\x1b[0m", strings.Repeat(" ", 70000) + "ERROR b", "Traceback (most recent call last):\n  File \"a\"\n\x1b[0m", "@40000000",
		strings.Repeat("[", 5000), strings.Repeat("{\"a\":", 5000), strings.Repeat("a", 70000) + "\nERROR b",
	}
	for _, path := range logPaths(tb) {
		seeds = append(seeds, readLogCase(tb, path).log)
	}
	return seeds
}
