package terminal_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/terminal"
)

// screenCase is a written text and the lines that are seen, with runs as in
// testdata/spans.json.
type screenCase struct {
	Name, Text string
	Lines      [][]string
}

func screenCases(tb testing.TB) []screenCase {
	tb.Helper()
	f, err := os.Open("testdata/screen.json")
	require.NoError(tb, err)
	defer f.Close()
	dec := json.NewDecoder(f)
	dec.DisallowUnknownFields()
	var cases []screenCase
	require.NoError(tb, dec.Decode(&cases))
	return cases
}

// runeCells returns how many columns a character takes, exactly enough for the
// cases.
func runeCells(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf), r >= 0x1f3fb && r <= 0x1f3ff:
		return 0
	case unicode.Is(unicode.Han, r), r >= 0x1f300:
		return 2
	default:
		return 1
	}
}

func TestScreen_labelledTexts(t *testing.T) {
	for _, c := range screenCases(t) {
		got := [][]string{}
		for _, runs := range terminal.Screen(c.Text, runeCells) {
			line := []string{}
			for _, r := range runs {
				if r.Style != (terminal.Style{}) {
					r.Text = describe(r.Style) + "|" + r.Text
				}
				line = append(line, r.Text)
			}
			got = append(got, line)
		}
		assert.Equal(t, c.Lines, got, c.Name)
	}
}

// cells counts the characters that a text produces.
func cells(text string) int {
	n := 0
	for _, runs := range terminal.Screen(text, runeCells) {
		for _, r := range runs {
			n += utf8.RuneCountInString(r.Text)
		}
	}
	return n
}

// Movements add a bounded number of cells: the rest of 256 columns for each
// row.
func TestScreen_movesAddLittle(t *testing.T) {
	for _, part := range []string{"\x1b[999999999Cx\n", "\x1b[99999;99999Hx", "\x1b[Bx\x1b[9999C", "\t\tx\n", "\x1b[9999Bx"} {
		text := strings.Repeat(part, 1_000)
		assert.LessOrEqual(t, cells(text), 300*1_000, "%q", part)
	}
	assert.LessOrEqual(t, cells("x"+strings.Repeat("\u0301", 50_000)), 65)
}

func FuzzScreen(f *testing.F) {
	for _, c := range screenCases(f) {
		f.Add(c.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := terminal.Screen(text, runeCells)
		require.NotEmpty(t, lines)
		require.LessOrEqual(t, len(lines), strings.Count(text, "\n")+strings.Count(text, "\v")+strings.Count(text, "\f")+256)
		for _, runs := range lines {
			for i, r := range runs {
				require.NotEmpty(t, r.Text)
				require.NotContains(t, r.Text, "\x1b")
				require.True(t, i == 0 || runs[i-1].Style != r.Style)
			}
		}
		if !strings.ContainsFunc(text, unicode.IsControl) && len(text) < 64 && utf8.ValidString(text) {
			var shown strings.Builder
			for _, r := range lines[0] {
				shown.WriteString(r.Text)
			}
			require.Equal(t, strings.TrimRight(text, " "), shown.String())
		}
	})
}

// BenchmarkScreen draws the costliest text for its length: a line of 10,000
// columns that is repeatedly erased and written at its end.
func BenchmarkScreen(b *testing.B) {
	text := strings.Repeat("x", 10_000) + strings.Repeat("\x1b[2Kx", 8_000)
	b.ReportAllocs()
	for b.Loop() {
		terminal.Screen(text, runeCells)
	}
}
