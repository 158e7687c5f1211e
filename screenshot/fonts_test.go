package screenshot_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot"
)

func readFont(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "fonts", name))
	require.NoError(t, err)
	return data
}

func pngOf(t *testing.T, o screenshot.Options, code string) []byte {
	t.Helper()
	o.Language = "text"
	var b bytes.Buffer
	require.NoError(t, mustNew(t, code, o).WritePNG(t.Context(), &b, 1))
	return b.Bytes()
}

func TestLoadFonts_waysToAddThem(t *testing.T) {
	var byFS screenshot.Fonts
	require.NoError(t, byFS.AddFS(fstest.MapFS{
		"a/cjk.TTF": {Data: readFont(t, "cjk.ttf")}, "a/readme.txt": {Data: []byte("no font")}, "b.otf": {Data: []byte("no font")},
	}))
	byPath, err := screenshot.LoadFonts("testdata/fonts/cjk.ttf")
	require.NoError(t, err)
	want := pngOf(t, screenshot.Options{Extras: screenshot.Extras{Fonts: byPath}}, "漢字")
	assert.NotEqual(t, pngOf(t, screenshot.Options{}, "漢字"), want)
	assert.Equal(t, byPath.Families(), byFS.Families())
	assert.True(t, bytes.Equal(want, pngOf(t, screenshot.Options{Extras: screenshot.Extras{Fonts: &byFS}}, "漢字")))
	_, err = screenshot.LoadFonts("testdata/fonts/README.md")
	require.ErrorContains(t, err, "README.md")
}

func TestLoadFonts_truncated(t *testing.T) {
	for _, name := range []string{"JetBrainsMono-Regular.ttf", "FiraCode-Regular.woff"} {
		data, err := os.ReadFile("internal/fonts/" + name)
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), name)
		for part := range 15 { // without its last tables, a font may still be one
			require.NoError(t, os.WriteFile(file, data[:len(data)*part/20], 0o600))
			_, err := screenshot.LoadFonts(file)
			require.ErrorContains(t, err, name+": not a TrueType or OpenType font", "%d twentieths", part)
		}
	}
}

// A font with tables that are inconsistent is an error that names it, wherever
// the shaper or the rasterizer would panic.
func TestLoadFonts_damaged(t *testing.T) {
	if testing.Short() {
		t.Skip("draws 57 pictures, in one goroutine")
	}
	whole := readFont(t, "arabic.ttf")
	draw := func(data []byte, family string) error {
		var set screenshot.Fonts
		require.NoError(t, set.AddFS(fstest.MapFS{"a.ttf": {Data: data}}))
		config, err := screenshot.New("مرحبا 123 => x", screenshot.Options{Language: "text", Extras: screenshot.Extras{Fonts: &set, FontFamily: family}})
		require.NoError(t, err)
		return config.WritePNG(t.Context(), io.Discard, 1)
	}
	tableOf := func(tag string) (from, size int) {
		at := bytes.Index(whole[:300], []byte(tag))
		return int(binary.BigEndian.Uint32(whole[at+8:])), int(binary.BigEndian.Uint32(whole[at+12:]))
	}
	require.NoError(t, draw(whole, "DejaVu Sans Mono"))
	from, size := tableOf("hmtx")
	narrow := bytes.Clone(whole)
	copy(narrow[from:], bytes.Repeat([]byte{255}, size))
	require.ErrorContains(t, draw(narrow, "DejaVu Sans Mono"), "the font DejaVu Sans Mono is damaged: its digits have no width")
	refused := 0
	from, _ = tableOf("GSUB")
	for i := from + 10; i < from+120; i += 2 {
		bad := bytes.Clone(whole)
		bad[i], bad[i+1] = 0, 99
		if err := draw(bad, ""); err != nil {
			refused++
			require.ErrorContains(t, err, "the font DejaVu Sans Mono is damaged: ")
		}
	}
	assert.Positive(t, refused)
}

func TestLoadFonts_earlierFontsWin(t *testing.T) {
	draw := func(letters string) []byte {
		var set screenshot.Fonts
		for _, letter := range letters { // U+0F00 is the only character of each, with the glyph of the letter
			require.NoError(t, set.AddFS(fstest.MapFS{"a.ttf": {Data: readFont(t, "tibetan-"+string(letter)+".ttf")}}))
		}
		return pngOf(t, screenshot.Options{Extras: screenshot.Extras{Fonts: &set}}, "x\u0f00x")
	}
	require.False(t, bytes.Equal(draw("a"), draw("b")))
	assert.True(t, bytes.Equal(draw("a"), draw("ab")))
	assert.True(t, bytes.Equal(draw("b"), draw("baa")))
}

func TestPicture_Missing(t *testing.T) {
	set, err := screenshot.LoadFonts("testdata/fonts/cjk.ttf")
	require.NoError(t, err)
	for code, want := range map[string]struct {
		missing  []rune
		warnings []string
	}{
		"plain é ─ \x00\u202e":       {},
		"漢 \u0e04 \U0001f600 \u0e04": {[]rune{0xe04, 0x1f600}, []string{"No font has U+0E04, U+1F600."}},
		"\u0e01\u0e02\u0e03\u0e04\u0e05\u0e06\u0e07\u0e08\u0e09": {
			[]rune("\u0e01\u0e02\u0e03\u0e04\u0e05\u0e06\u0e07\u0e08\u0e09"),
			[]string{"No font has U+0E01, U+0E02, U+0E03, U+0E04, U+0E05, U+0E06, U+0E07, U+0E08 and 1 more."},
		},
	} {
		picture, err := mustNew(t, code, screenshot.Options{Language: "text", Extras: screenshot.Extras{Fonts: set}}).Picture()
		require.NoError(t, err)
		assert.Equal(t, want.missing, picture.Missing(), "%q", code)
		assert.Equal(t, want.warnings, picture.Warnings(), "%q", code)
	}
	titled, err := mustNew(t, "x", screenshot.Options{WindowTitle: "\u0e04", Extras: screenshot.Extras{Watermark: "\u0e05"}}).Picture()
	require.NoError(t, err)
	assert.Equal(t, []rune{0xe04, 0xe05}, titled.Missing(), "the title and the watermark too")
}

func TestConfig_Cost(t *testing.T) {
	for name, c := range map[string]struct {
		code    string
		options screenshot.Options
	}{
		"small":   {"x", screenshot.Options{}},
		"titled":  {"x", screenshot.Options{WindowTitle: "a title of a file"}},
		"lines":   {"a\nb\n\tc := d\n", screenshot.Options{FontSize: new(30.0), Padding: new(0.0)}},
		"wrapped": {"abc abc abc abc abc abc abc abc\nx", screenshot.Options{Extras: screenshot.Extras{Columns: 10}}},
	} {
		config := mustNew(t, c.code, c.options)
		for _, scale := range []float64{1, 2, 4} {
			width, height := sizeOf(t, config)
			pixels := float64(width) * float64(height) * scale * scale
			cost := config.Cost(scale)
			assert.GreaterOrEqual(t, float64(cost.Pixels), pixels, "%s at %v", name, scale)
			assert.LessOrEqual(t, float64(cost.Pixels), 5*pixels, "%s at %v", name, scale)
			assert.Less(t, cost.Memory, int64(130<<20))
		}
	}
	plain, smooth := mustNew(t, "x", screenshot.Options{}), mustNew(t, "x", screenshot.Options{Background: "conic-gradient(red,blue,red,blue,red,blue,red)"})
	assert.Equal(t, plain.Cost(2).Work, smooth.Cost(2).Work)
	for _, kind := range []string{"conic-gradient(", "linear-gradient(in oklch longer hue,", "radial-gradient("} {
		steep := mustNew(t, "x", screenshot.Options{Background: kind + strings.Repeat("red,blue,", 50) + "red)"})
		assert.Greater(t, steep.Cost(2).Work, 100*plain.Cost(2).Work, kind)
	}
}
