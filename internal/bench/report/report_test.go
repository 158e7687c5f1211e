package main

import (
	"bytes"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every benchmark in expected.json exists in the module.
func TestLoad_knownBenchmarks(t *testing.T) {
	comparisons, err := load("../" + expectedFile)
	require.NoError(t, err)
	require.NotEmpty(t, onlyShort(comparisons))
	files, err := filepath.Glob("../*_test.go")
	require.NoError(t, err)
	var source strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		source.Write(text)
	}
	for _, c := range comparisons {
		for _, name := range []string{c.Ours, c.Theirs} {
			if top, _, _ := strings.Cut(name, "/"); top != "" {
				assert.Contains(t, source.String(), "func Benchmark"+top+"(")
			}
		}
	}
}

func TestLoad_unknownField(t *testing.T) {
	file := filepath.Join(t.TempDir(), expectedFile)
	require.NoError(t, os.WriteFile(file, []byte(`[{"subjekt": "Slugs"}]`), 0o600))
	_, err := load(file)
	require.ErrorContains(t, err, `unknown field "subjekt"`)
}

func TestPatterns(t *testing.T) {
	assert.Equal(t, []string{`^BenchmarkAt$/^(srgb|ok\.lab)$/^(ours|theirs)$`, `^BenchmarkRatio$/^(a)$`}, patterns([]comparison{
		{Ours: "At/srgb/ours", Theirs: "At/srgb/theirs"}, {Ours: "Ratio/a"}, {Ours: "At/ok.lab/ours", Theirs: "At/ok.lab/theirs"},
	}))
}

var (
	timed  = comparison{Subject: "Slugs", What: "Latin", Peer: "example.com/slug", Ours: "A/ours", Theirs: "A/theirs", Unit: "sec/op", Short: true}
	rated  = comparison{Subject: "Stores", What: "put", Peer: "bbolt", Ours: "B/ours", Theirs: "B/theirs", Unit: "calls/s"}
	itself = comparison{Subject: "HTTP", What: "a slug", Peer: "net/http", Ours: "C", Unit: "of-bare"}
)

// measuredRounds returns rounds in which ours takes 2 µs, puts half as much,
// and is 0.9, 0.8 and 1 of a bare handler.
func measuredRounds() []values {
	var rounds []values
	for i, theirs := range []float64{8e-6, 4e-6, 6e-6} {
		rounds = append(rounds, values{
			"A/ours": {"sec/op": 2e-6}, "A/theirs": {"sec/op": theirs}, "B/ours": {"calls/s": 500}, "B/theirs": {"calls/s": 1000},
			"C": {"of-bare": []float64{0.9, 0.8, 1}[i]},
		})
	}
	return rounds
}

func TestCompare(t *testing.T) {
	rows, err := compare([]comparison{timed, rated, itself}, measuredRounds())
	require.NoError(t, err)
	assert.Equal(t, []row{{timed, 3, 2, 4, 2e-6, 6e-6}, {rated, 0.5, 0.5, 0.5, 500, 1000}, {itself, 0.9, 0.8, 1, 0.9, 0}}, rows)
}

func TestCompare_skippedBenchmark(t *testing.T) {
	rounds := measuredRounds()
	delete(rounds[1], "A/theirs")
	rows, err := compare([]comparison{timed, itself}, rounds)
	require.ErrorContains(t, err, `Slugs: Latin: "A/ours" or "A/theirs" did not run`)
	assert.Len(t, rows, 1)
}

func TestCheck_belowNineTenths(t *testing.T) {
	for expected, want := range map[float64]string{4.4: "", 4.5: "Slugs: Latin: at most 4 times as good as example.com/slug, expected 4.5"} {
		c := timed
		c.Ratio = expected
		rows, err := compare([]comparison{c}, measuredRounds())
		require.NoError(t, err)
		var printed bytes.Buffer
		err = check(log.New(&printed, "", 0), rows)
		assert.Contains(t, printed.String(), "Latin")
		if want == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, want)
		}
	}
}

func TestWriteDocument(t *testing.T) {
	rows, err := compare([]comparison{timed, rated, itself}, measuredRounds())
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "benchmarks.md")
	m := machine{
		CPU: "A processor", Processors: 2, System: "linux/amd64", Go: "go1.26.8", Load: "0.10", Day: "2026-11-22", Rounds: 3, Each: time.Second,
		Versions: map[string]string{"example.com/slug": "v1.2.3"},
	}
	require.NoError(t, writeDocument(file, m, rows))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(text), "Measured on 2026-11-22 by `go run ./report -write` in `internal/bench`: A processor, 2 processors, linux/amd64, go1.26.8")
	assert.Contains(t, string(text), "The peers: bbolt, example.com/slug v1.2.3, net/http.")
	_, tables, _ := strings.Cut(string(text), "\n## Slugs\n")
	assert.Equal(t, `
| | peer | ratio | minimum to maximum | Devkiln | the peer |
|---|---|---|---|---|---|
| Latin ✓ | example.com/slug | 3 | 2–4 | 2.000 µs | 6.000 µs |

## Stores

| | peer | ratio | minimum to maximum | Devkiln | the peer |
|---|---|---|---|---|---|
| put | bbolt | 0.5, **the peer is better** | 0.5–0.5 | 500.0 calls/s | 1.000 kcalls/s |

## HTTP

| | peer | ratio | minimum to maximum | Devkiln | the peer |
|---|---|---|---|---|---|
| a slug | net/http | 0.9, **the peer is better** | 0.8–1 | – | – |
`, tables)
}

func TestRounded(t *testing.T) {
	assert.Equal(t, []float64{172, 12.3, 0.988, 0.01}, []float64{rounded(172.4), rounded(12.345), rounded(0.98765), rounded(0.01)})
}
