package highlight_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot/highlight"
)

// highlightCase is a case of testdata/highlight.json: some code and the classes
// of some of its tokens, in order.
type highlightCase struct {
	Name, Language, Code string
	Tokens               []string // "text class"
}

func cases(t *testing.T) (list []highlightCase) {
	t.Helper()
	data, err := os.ReadFile("testdata/highlight.json")
	require.NoError(t, err)
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&list))
	require.NotEmpty(t, list)
	return list
}

func TestCode_classes(t *testing.T) {
	for _, c := range cases(t) {
		t.Run(c.Name, func(t *testing.T) {
			var all []string
			for _, line := range highlight.Code(c.Code, c.Language).Lines {
				for _, token := range line {
					all = append(all, strings.TrimSpace(token.Text)+" "+token.Class.String())
				}
			}
			at := 0
			for _, want := range c.Tokens {
				found := -1
				for i := at; i < len(all); i++ {
					if all[i] == want {
						found = i
						break
					}
				}
				require.NotEqual(t, -1, found, "%q among %q", want, all[at:])
				at = found + 1
			}
		})
	}
}

// textOf joins the tokens of lines.
func textOf(lines [][]highlight.Token) string {
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, token := range line {
			b.WriteString(token.Text)
		}
	}
	return b.String()
}

func TestCode_keepsTheText(t *testing.T) {
	for code, want := range map[string]string{
		"":                                    "",
		"\n":                                  "",
		"a":                                   "a",
		"a\n":                                 "a",
		"a\n\n":                               "a\n",
		"a\r\nb\rc":                           "a\nb\nc",
		strings.Repeat("\n", 500):             strings.Repeat("\n", 499),
		"x" + strings.Repeat("\t", 999) + "y": "x" + strings.Repeat("\t", 999) + "y",
		strings.Repeat("é", 700) + "\n\n\n\n\nz": strings.Repeat("é", 700) + "\n\n\n\n\nz",
		"/*" + strings.Repeat("-", 300) + "*/ x": "/*" + strings.Repeat("-", 300) + "*/ x",
		"\x00\x1b[31m":                           "\x00\x1b[31m",
	} {
		for _, lang := range []string{"go", "java", "python", "html", "text", "no such language"} {
			assert.Equal(t, want, textOf(highlight.Code(code, lang).Lines), "%.20q in %s", code, lang)
		}
	}
}

func TestCode_joinsNeighbours(t *testing.T) {
	for _, line := range highlight.Code("if (a && b) { return [1, 2, 3]; }", "javascript").Lines {
		for i := 1; i < len(line); i++ {
			assert.NotEqual(t, line[i-1].Class, line[i].Class)
		}
	}
}

// TestCode_everyLexer feeds every lexer unsuitable text.
func TestCode_everyLexer(t *testing.T) {
	if testing.Short() {
		t.Skip("draws large pictures, or starts every lexer")
	}
	rng := rand.New(rand.NewPCG(7, 7))
	noise := make([]byte, 400)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	printable := make([]byte, 400)
	for i := range printable {
		printable[i] = byte(' ' + rng.IntN(95))
		if rng.IntN(40) == 0 {
			printable[i] = '\n'
		}
	}
	inputs := []string{
		strings.Repeat("a b\ufffd", 100), // endless tokens in the lexers JSONata and Jungle of chroma 2.27
		strings.ToValidUTF8(string(noise), "\ufffd"), string(printable), strings.Repeat("\n\t", 40) + strings.Repeat("\"\\", 40),
	}
	for _, lexer := range lexers.GlobalLexerRegistry.Lexers {
		name := lexer.Config().Name
		for i, input := range inputs {
			want := strings.TrimSuffix(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(input), "\n")
			assert.Equal(t, want, textOf(highlight.Code(input, name).Lines), "%s on input %d", name, i)
		}
	}
}

// TestCode_allLanguages reads the rows of every language, which panics on an
// error in them.
func TestCode_allLanguages(t *testing.T) {
	data, err := os.ReadFile("languages.json")
	require.NoError(t, err)
	var list []struct{ Names map[string]string }
	require.NoError(t, json.Unmarshal(data, &list))
	for _, languages := range list {
		for name := range languages.Names {
			assert.Equal(t, "a = 1", textOf(highlight.Code("a = 1", name).Lines), name)
		}
	}
}

func TestCode_costlyCodeIsPlainAndSaysSo(t *testing.T) {
	code := strings.Repeat("ab c", 3_000) // at each token, the lexer scans all following text
	result := highlight.Code(code, "ballerina")
	assert.True(t, result.Plain)
	assert.True(t, len(result.Lines[0]) == 1 && result.Lines[0][0].Text == code)
}

// TestCode_sameUnderLoad highlights long code many times at once. Once more, if
// other processes have kept a match waiting for so long that chroma abandoned it.
func TestCode_sameUnderLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("under the race detector lexing takes ten times the work that it may")
	}
	data, err := os.ReadFile("../testdata/sample.go.txt")
	require.NoError(t, err)
	code := strings.Repeat(string(data), 4)[:20_000]
	same := func() bool {
		results := make([]highlight.Result, 8)
		var all sync.WaitGroup
		for i := range results {
			all.Go(func() { results[i] = highlight.Code(code, "go") })
		}
		all.Wait()
		return !slices.ContainsFunc(results, func(r highlight.Result) bool { return r.Plain || !reflect.DeepEqual(r, results[0]) })
	}
	if !same() {
		assert.True(t, same())
	}
}

func FuzzCode(f *testing.F) {
	f.Add("package main\n\nfunc main() {\r\n\tx := \"\\n\" // é\n}\n", "go")
	f.Add("<a href='x'>\n\n\n\n\n\n</a><script>let x = `${1}`</script>", "html")
	f.Add(strings.Repeat("-", 200)+"\xff", "yaml")
	f.Add("\xff: [a]", "yaml")
	f.Fuzz(func(t *testing.T, code, lang string) {
		want := strings.ReplaceAll(strings.ReplaceAll(code, "\r\n", "\n"), "\r", "\n")
		assert.Equal(t, strings.TrimSuffix(want, "\n"), textOf(highlight.Code(code, lang).Lines))
	})
}

// payloads are texts that some lexers split into a token per character.
var payloads = map[string]string{
	"emoji": "😀🎉", "quotes": "\"'`", "brackets": "([{", "letters": "a", "blanks": " \t", "backslashes": `\`, "tags": "<a ", "operators": "=>-<",
}

// allocated returns how many bytes Code allocates for n characters of a payload.
func allocated(payload, lang string, n int) uint64 {
	code := string([]rune(strings.Repeat(payload, n))[:n])
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	highlight.Code(code, lang)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestCode_joinsWithoutCopying(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	for name, payload := range payloads {
		for _, lang := range []string{"properties", "ini", "diff"} {
			highlight.Code(payload, lang) // compiles the lexer
			small, large := allocated(payload, lang, 5_000), allocated(payload, lang, 20_000)
			assert.Less(t, large, 8*small+1<<20, "%s in %s: 4 times the code", name, lang)
		}
	}
}

// BenchmarkCode_growth measures the cost per character for pairs of payload and
// language, which must not grow with the length of the text.
func BenchmarkCode_growth(b *testing.B) {
	for name, payload := range payloads {
		for _, lang := range []string{"properties", "ini", "diff", "go", "html"} {
			for _, n := range []int{10_000, 50_000} {
				code := string([]rune(strings.Repeat(payload, n))[:n])
				b.Run(fmt.Sprintf("%s/%s/%d", name, lang, n), func(b *testing.B) {
					for b.Loop() {
						highlight.Code(code, lang)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/char")
				})
			}
		}
	}
}

// What follows each of many brackets is looked at for a bounded number of bytes.
func TestCode_manyBrackets(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	highlight.Code(strings.Repeat("{", 100_000), "php")
	runtime.ReadMemStats(&after)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(200<<20))
}
