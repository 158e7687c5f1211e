package screenshot_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot"
)

// hostileCode returns code that exceeds the limits of a picture.
func hostileCode() map[string]string {
	all := func(from, to rune) string {
		var b strings.Builder
		for r := from; r < to; r++ {
			if utf8.ValidRune(r) {
				b.WriteRune(r)
				if r%64 == 63 {
					b.WriteByte('\n')
				}
			}
		}
		return b.String()
	}
	const n = screenshot.MaxCode
	return map[string]string{
		"newlines":           strings.Repeat("\n", n),
		"tabs":               strings.Repeat("\t", n),
		"blanks":             strings.Repeat(" ", n),
		"tabs on lines":      strings.Repeat("\t\n", n/2),
		"one line":           strings.Repeat("x", n),
		"lines of operators": strings.Repeat(strings.Repeat("=>-<", 20)+"\n", n/81/4),
		"brackets":           strings.Repeat("(", n),
		"quotes":             strings.Repeat("\"'`", n/3),
		"backslashes":        strings.Repeat("\\", n),
		"comments":           strings.Repeat("/*", n/2),
		"tags":               strings.Repeat("<a ", n/3),
		"dollars":            strings.Repeat("${", n/2),
		"combining marks":    strings.Repeat("\u0301", n),
		"one piled letter":   "x" + strings.Repeat("\u0301\u0323", n/2-1),
		"joiners":            strings.Repeat("\u200d", n),
		"NULs":               strings.Repeat("\x00", n),
		"ANSI escapes":       strings.Repeat("\x1b[31mx\x1b[0m", n/10),
		"changed direction":  strings.Repeat("\u202e\u2066", n/2),
		"family emoji":       strings.Repeat("👩‍👩‍👧‍👦", n/7),
		"flags":              strings.Repeat("🇩", n),
		"Arabic":             strings.Repeat("مرحبا ", n/6),
		"Devanagari":         strings.Repeat("नमस्ते", n/6),
		"Unicode 0":          all(0, 45_000),
		"Unicode 1":          all(45_000, 110_000)[:100_000],
		"Unicode 1f000":      all(0x1f000, 0x1fb00),
		"private use":        all(0xe000, 0xf000),
		"noncharacters":      all(0xfdd0, 0xfdf0) + "\ufffe\uffff\U0001ffff",
		"boxes":              strings.Repeat(all(0x2500, 0x25a0)+"\n", 60),
	}
}

// clip truncates code to the limit of a Config.
func clip(code string) string {
	runes := []rune(strings.ToValidUTF8(code, ""))
	return string(runes[:min(len(runes), screenshot.MaxCode)])
}

// drawOrRefuse draws code in every format and requires a valid picture or an
// option error each time.
func drawOrRefuse(t *testing.T, code string, o screenshot.Options) {
	t.Helper()
	config, err := screenshot.New(code, o)
	require.NoError(t, err)
	drawBoth(t, config)
}

// drawBoth lays out a config once and draws it in both formats.
func drawBoth(t *testing.T, config screenshot.Config) {
	t.Helper()
	picture, err := config.Picture()
	if refused(t, err) {
		return
	}
	var file bytes.Buffer
	if err := picture.WritePNG(t.Context(), &file, 1); refused(t, err) {
		return
	}
	_, err = png.Decode(&file)
	require.NoError(t, err)
	readSVG(t, picture)
}

func refused(t *testing.T, err error) bool {
	t.Helper()
	if err == nil {
		return false
	}
	for _, fault := range faultsOf(t, err) {
		assert.Contains(t, []string{"code out_of_range", "lines out_of_range"}, fault)
	}
	return true
}

func TestPicture_hostileCode(t *testing.T) {
	if testing.Short() {
		t.Skip("draws large pictures, or starts every lexer")
	}
	for name, code := range hostileCode() {
		whole := "text" // package highlight tests its lexers
		if name == "lines of operators" {
			whole = "go"
		}
		t.Run(name, func(t *testing.T) {
			drawOrRefuse(t, clip(code), screenshot.Options{Language: whole})
		})
		t.Run(name+" wrapped", func(t *testing.T) {
			code := strings.ToValidUTF8(code[:min(len(code), 1500)], "")
			drawOrRefuse(t, code, screenshot.Options{Language: "go", Extras: screenshot.Extras{Columns: 20}})
		})
	}
}

func FuzzPicture(f *testing.F) {
	f.Add("func main() {}\n", "go", "title", 0)
	f.Add("a\x00\x1b]]><b>&amp;\u202e\ufffe\U0001f600e\u0301\t|", "html", "<&>\x01", 12)
	f.Add("┌─┐\n│漢│\n└─┘ مرحبا 123 שלום", "text", "…", 10)
	f.Fuzz(func(t *testing.T, code, lang, title string, columns int) {
		o := screenshot.Options{Language: lang, WindowTitle: title, FontSize: new(8.0), Padding: new(4.0)}
		o.Columns = columns
		config, err := screenshot.New(code, o)
		if err != nil {
			faultsOf(t, err)
			return
		}
		written, err := json.Marshal(config)
		require.NoError(t, err)
		require.True(t, json.Valid(written))
		drawBoth(t, config)
	})
}

// Memory grows linearly with the text, even if a line is set in many small
// steps; quadratic growth would take 1.3 GB.
func TestConfig_tabsInOneLine(t *testing.T) {
	taken := func(n int) uint64 {
		config := mustNew(t, strings.Repeat("\ta", n/2), screenshot.Options{Language: "text", Extras: screenshot.Extras{Columns: 80, TabWidth: 1}})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := config.Picture()
		require.NoError(t, err)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	taken(100) // loads the fonts
	require.Less(t, taken(screenshot.MaxCode), 7*taken(screenshot.MaxCode/5))
}
