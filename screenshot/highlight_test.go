package screenshot_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot"
)

// highlightCase is a case of testdata/highlight.json: some code and the
// classes of some of its tokens, in their order.
type highlightCase struct {
	Name, Language, Code string
	Tokens               []string // "text class"
}

func TestHighlight(t *testing.T) {
	for _, c := range readCases[highlightCase](t, "testdata/highlight.json") {
		t.Run(c.Name, func(t *testing.T) {
			var all []string
			for _, line := range screenshot.Highlight(t.Context(), c.Code, c.Language) {
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
func textOf(lines [][]screenshot.Token) string {
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

func TestHighlightKeepsTheCode(t *testing.T) {
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
			assert.Equal(t, want, textOf(screenshot.Highlight(t.Context(), code, lang)), "%.20q in %s", code, lang)
		}
	}
}

func TestHighlightJoinsNeighbours(t *testing.T) {
	for _, line := range screenshot.Highlight(t.Context(), "if (a && b) { return [1, 2, 3]; }", "javascript") {
		for i := 1; i < len(line); i++ {
			assert.NotEqual(t, line[i-1].Class, line[i].Class)
		}
	}
}

func TestHighlightAfterItsContextIsPlain(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	lines := screenshot.Highlight(ctx, "package main\nvar x = 1", "go")
	assert.Equal(t, [][]screenshot.Token{
		{{Text: "package main", Class: screenshot.ClassText}}, {{Text: "var x = 1", Class: screenshot.ClassText}},
	}, lines)
}

func FuzzHighlight(f *testing.F) {
	f.Add("package main\n\nfunc main() {\r\n\tx := \"\\n\" // é\n}\n", "go")
	f.Add("<a href='x'>\n\n\n\n\n\n</a><script>let x = `${1}`</script>", "html")
	f.Add(strings.Repeat("-", 200)+"\xff", "yaml")
	f.Fuzz(func(t *testing.T, code, lang string) {
		want := strings.ReplaceAll(strings.ReplaceAll(code, "\r\n", "\n"), "\r", "\n")
		assert.Equal(t, strings.TrimSuffix(want, "\n"), textOf(screenshot.Highlight(t.Context(), code, lang)))
	})
}
