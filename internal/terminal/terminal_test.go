package terminal_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/terminal"
)

// spanCase is a line and its runs of text, each after its style and a bar.
type spanCase struct {
	Line  string
	Spans []string
}

func spanCases(tb testing.TB) []spanCase {
	tb.Helper()
	f, err := os.Open("testdata/spans.json")
	require.NoError(tb, err)
	defer f.Close()
	dec := json.NewDecoder(f)
	dec.DisallowUnknownFields()
	var cases []spanCase
	require.NoError(tb, dec.Decode(&cases))
	return cases
}

func TestSpans_labelledLines(t *testing.T) {
	for _, c := range spanCases(t) {
		got := []string{}
		var style terminal.Style
		for look, text := range style.Spans(c.Line) {
			if look != (terminal.Style{}) {
				text = describe(look) + "|" + text
			}
			got = append(got, text)
		}
		assert.Equal(t, c.Spans, got, "%q", c.Line)
	}
}

// describe writes a style as testdata/spans.json does.
func describe(s terminal.Style) string {
	var words []string
	for _, c := range []struct {
		name  string
		color terminal.Color
	}{{"fg", s.Foreground}, {"bg", s.Background}} {
		if r, g, b, ok := c.color.RGB(); ok {
			words = append(words, fmt.Sprintf("%s=#%02x%02x%02x", c.name, r, g, b))
		} else if i, ok := c.color.Index(); ok {
			words = append(words, fmt.Sprintf("%s=%d", c.name, i))
		}
	}
	for _, a := range []struct {
		name string
		is   bool
	}{
		{"bold", s.Bold},
		{"faint", s.Faint},
		{"italic", s.Italic},
		{"underline", s.Underline},
		{"inverse", s.Inverse},
		{"strikethrough", s.Strikethrough},
	} {
		if a.is {
			words = append(words, a.name)
		}
	}
	return strings.Join(words, " ")
}

func TestSpans_styleCarriesOver(t *testing.T) {
	var style terminal.Style
	for range style.Spans("\x1b[1;31mfirst line") {
	}
	assert.Equal(t, terminal.Style{Foreground: terminal.Indexed(1), Bold: true}, style)
	for look := range style.Spans("second line") {
		assert.True(t, look.Bold)
	}
}

func TestColorIndex_nearest(t *testing.T) {
	for color, want := range map[terminal.Color]uint8{
		terminal.RGB(255, 0, 0): 196, terminal.RGB(128, 128, 128): 244, terminal.RGB(1, 1, 1): 16,
		terminal.RGB(95, 135, 175): 67, terminal.Indexed(208): 208, terminal.Indexed(0): 0,
	} {
		got, ok := color.Index()
		assert.True(t, ok)
		assert.Equal(t, want, got)
	}
	_, ok := terminal.Color(0).Index()
	assert.False(t, ok)
}

func TestText_equalsSpans(t *testing.T) {
	for _, c := range spanCases(t) {
		assertTextAndSpansAgree(t, c.Line)
	}
}

// assertTextAndSpansAgree compares the two ways to read a line, and checks that
// Offset finds every byte of the text in the line.
func assertTextAndSpansAgree(t *testing.T, line string) {
	t.Helper()
	var style terminal.Style
	var spans strings.Builder
	for _, text := range style.Spans(line) {
		spans.WriteString(text)
	}
	text := terminal.Text(line)
	require.Equal(t, spans.String(), text)
	require.NotContains(t, text, "\x1b")
	for i := range min(len(text), 50) {
		require.Equal(t, text[i], line[terminal.Offset([]byte(line), i)])
	}
}

func FuzzText(f *testing.F) {
	for _, c := range spanCases(f) {
		f.Add(c.Line)
	}
	f.Fuzz(assertTextAndSpansAgree)
}

func TestInvisible_runes(t *testing.T) {
	invisible := []rune{
		0x80, 0x85, 0x9f, 0x61c, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0xfeff, 0xe0041,
	}
	for _, r := range invisible {
		assert.True(t, terminal.Invisible(r), "%U", r)
	}
	for _, r := range []rune{0, '\t', 0x7f, ' ', 'a', 0xa0, 0x200c, 0x200d, 0x3000, 0x1f600, 0xfe0f} {
		assert.False(t, terminal.Invisible(r), "%U", r)
	}
}

func BenchmarkAppendText(b *testing.B) {
	line := []byte("\x1b[36mweb-1  | \x1b[0m2026-01-02 10:00:00 \x1b[31mERROR\x1b[0m could not reach \x1b[1mdb.example.org\x1b[0m in 30 s")
	var buf []byte
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		buf = terminal.AppendText(buf[:0], line)
	}
}

// Even if sequences are open or cut, every step advances by at least a byte,
// and none reads again what an earlier step has read.
func TestSequenceLen_openSequences(t *testing.T) {
	for _, text := range []string{"\x1b]", "\x1b[", "\x1b]\x1b[1", "\x1bP\x1b_", "\x1b"} {
		steps := 0
		for rest := strings.Repeat(text, 1000); rest != ""; steps++ {
			n := terminal.SequenceLen(rest)
			require.Positive(t, n)
			rest = rest[n:]
		}
		assert.LessOrEqual(t, steps, 2000, "%q", text)
	}
}

func TestIsBinary(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "plain": false, "a\x00b": false, "caf\xe9\x00": false, "caf\xe9 caf\xe9": false,
		"\x7fELF\x00\xff\xfe a \xff": true, strings.Repeat("a", 8000) + "\x00\xff \xff": false,
	} {
		assert.Equal(t, want, terminal.IsBinary(text), "%.20q", text)
	}
}
