package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share/logs"
)

// BenchmarkLogAnalysis reads a file of 32 MiB and counts its entries by level;
// a summary also reports what went wrong. It runs lnav, which must be
// installed, without a terminal.
func BenchmarkLogAnalysis(b *testing.B) {
	data, err := os.ReadFile(filepath.Join("..", "..", "share", "logs", "testdata", "cases", "log4j.log"))
	require.NoError(b, err)
	var log strings.Builder
	for log.Len() < 32<<20 {
		for line := range strings.Lines(string(data)) {
			if _, text, labelled := strings.Cut(line, "\t"); labelled && !strings.HasPrefix(line, "# ") {
				log.WriteString(text)
			}
		}
	}
	file := filepath.Join(b.TempDir(), "app.log")
	require.NoError(b, os.WriteFile(file, []byte(log.String()), 0o600))
	b.Run("devkiln", func(b *testing.B) {
		b.SetBytes(int64(log.Len()))
		for b.Loop() {
			f, err := os.Open(file)
			require.NoError(b, err)
			counted, err := logs.Analyze(f, logs.Options{})
			require.NoError(b, err)
			require.NotZero(b, counted.Errors)
			require.NoError(b, f.Close())
		}
	})
	b.Run("devkiln-summary", func(b *testing.B) {
		b.SetBytes(int64(log.Len()))
		for b.Loop() {
			require.NotZero(b, logs.Summarize(log.String(), logs.Options{}).Analysis.Errors)
		}
	})
	b.Run("lnav", func(b *testing.B) {
		lnav, err := exec.LookPath("lnav")
		if err != nil {
			b.Skip("lnav is not installed")
		}
		b.SetBytes(int64(log.Len()))
		for b.Loop() {
			count := exec.CommandContext(b.Context(), lnav, "-n", "-c", ";SELECT log_level, count(*) FROM all_logs GROUP BY log_level", "-c", ":write-csv-to -", file)
			count.Env = append(os.Environ(), "HOME="+b.TempDir())
			out, err := count.Output()
			require.NoError(b, err)
			require.Contains(b, string(out), "error,")
		}
	})
}
