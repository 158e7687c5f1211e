package bench

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/go-enry/go-enry/v2"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/language"
)

var pieces = flag.String("languages", "", "directory whose files LANGUAGE/* are pieces of code, as internal/tools/train writes them")

// piece is code whose language is known.
type piece struct{ language, code string }

// readPieces reads the directory given by -languages, or the snippets of the
// tests of package language.
func readPieces(tb testing.TB) []piece {
	tb.Helper()
	pattern := filepath.Join("..", "language", "testdata", "snippets", "*.txt")
	if *pieces != "" {
		pattern = filepath.Join(*pieces, "*", "*")
	}
	paths, err := filepath.Glob(pattern)
	require.NoError(tb, err)
	require.NotEmpty(tb, paths)
	var all []piece
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(tb, err)
		if *pieces != "" {
			all = append(all, piece{filepath.Base(filepath.Dir(path)), string(data)})
			continue
		}
		for snippet := range strings.SplitSeq("\n"+string(data), "\n=== ") {
			if _, code, found := strings.Cut(snippet, "\n"); found && code != "" {
				all = append(all, piece{strings.TrimSuffix(filepath.Base(path), ".txt"), code})
			}
		}
	}
	return all
}

// detectors returns Devkiln and its peers, which detect a language from the
// code alone. enry's classifier is given the candidate languages.
func detectors(all []piece) map[string]func(code string) string {
	var candidates []string
	for _, p := range all {
		if name, ok := enry.GetLanguageByAlias(p.language); ok && !slices.Contains(candidates, name) {
			candidates = append(candidates, name)
		}
	}
	return map[string]func(string) string{
		"devkiln": func(code string) string {
			name, _ := language.Guess(code)
			return name
		},
		"enry": func(code string) string {
			name, _ := enry.GetLanguageByClassifier([]byte(code), candidates)
			return name
		},
		"chroma": func(code string) string {
			if lexer := lexers.Analyse(code); lexer != nil {
				return lexer.Config().Name
			}
			return language.Text
		},
	}
}

// accuracy returns the percentage of correct results, averaged over the
// languages, and the number of wrong ones by language.
func accuracy(all []piece, detect func(string) string) (right float64, wrong map[string]int) {
	hits, total := map[string]int{}, map[string]int{}
	wrong = map[string]int{}
	for _, p := range all {
		total[p.language]++
		if name, _ := language.Lookup(detect(p.code)); name == p.language {
			hits[p.language]++
		} else {
			wrong[p.language]++
		}
	}
	for name, n := range total {
		right += 100 * float64(hits[name]) / float64(n) / float64(len(total))
	}
	return right, wrong
}

// TestLanguage_accuracy prints the accuracy of each detector. Its pieces can be
// recreated from public packages, see the program internal/tools/train.
func TestLanguage_accuracy(t *testing.T) {
	all := readPieces(t)
	for name, detect := range detectors(all) {
		right, wrong := accuracy(all, detect)
		t.Logf("%-8s %5.1f %% of %d, wrong: %v", name, right, len(all), wrong)
		if name == "devkiln" && *pieces == "" {
			require.GreaterOrEqual(t, right, 97.0)
		}
	}
}

// BenchmarkLanguage detects the language of every piece. The metric right is
// the percentage of correct results.
func BenchmarkLanguage(b *testing.B) {
	all := readPieces(b)
	for name, detect := range detectors(all) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for _, p := range all {
					detect(p.code)
				}
			}
			right, _ := accuracy(all, detect)
			b.ReportMetric(right, "right")
		})
	}
}
