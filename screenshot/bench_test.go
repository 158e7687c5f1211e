package screenshot_test

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

// benchCode returns Go code of three sizes: 30 lines, 200 lines, and the limit
// of a Config.
func benchCode(b *testing.B) map[string]string {
	b.Helper()
	data, err := os.ReadFile("testdata/sample.go.txt")
	require.NoError(b, err)
	lines := strings.SplitAfter(string(data), "\n")
	return map[string]string{
		"small":  strings.Join(lines[:30], ""),
		"medium": strings.Join(lines[:200], ""),
		"large":  strings.Repeat(string(data), 20)[:screenshot.MaxCode],
	}
}

func benchmarkEach(b *testing.B, draw func(*testing.B, screenshot.Config)) {
	code := benchCode(b)
	for _, size := range []string{"small", "medium", "large"} {
		config := mustNew(b, code[size], screenshot.Options{Language: "go", WindowTitle: "sample.go"})
		b.Run(size, func(b *testing.B) {
			b.ReportAllocs()
			draw(b, config)
		})
	}
}

func BenchmarkPNG(b *testing.B) {
	benchmarkEach(b, func(b *testing.B, config screenshot.Config) {
		var written counter
		for b.Loop() {
			written = 0
			require.NoError(b, config.WritePNG(b.Context(), &written, 2))
		}
		b.ReportMetric(float64(written)/1000, "kB/file")
	})
}

func BenchmarkSVG(b *testing.B) {
	benchmarkEach(b, func(b *testing.B, config screenshot.Config) {
		var written counter
		for b.Loop() {
			written = 0
			require.NoError(b, config.WriteSVG(b.Context(), &written))
		}
		b.ReportMetric(float64(written)/1000, "kB/file")
	})
}

func BenchmarkHighlight(b *testing.B) {
	benchmarkEach(b, func(b *testing.B, config screenshot.Config) {
		for b.Loop() {
			highlight.Code(config.Code, config.Language)
		}
	})
}

func BenchmarkConfig_Picture(b *testing.B) {
	benchmarkEach(b, func(b *testing.B, config screenshot.Config) {
		for b.Loop() {
			_, err := config.Picture()
			require.NoError(b, err)
		}
	})
}

func BenchmarkNew(b *testing.B) {
	code := benchCode(b)["small"]
	for b.Loop() {
		_, err := screenshot.New(code, screenshot.Options{Language: "go"})
		require.NoError(b, err)
	}
}

func BenchmarkFragment(b *testing.B) {
	config := mustNew(b, benchCode(b)["medium"], screenshot.Options{Language: "go"})
	for b.Loop() {
		_, err := config.Fragment()
		require.NoError(b, err)
	}
}

type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

var _ io.Writer = new(counter)
