package screenshot_test

import (
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/screenshot/internal/rgb"
)

// bare returns options for a picture of only the rows of cells.
func bare(input string) screenshot.Options {
	return screenshot.Options{HideLineNumbers: true, Padding: new(0.0), Extras: screenshot.Extras{Input: input, Window: "none"}}
}

// The background of every cell is the colour of its escape sequence, in each
// theme and in one from a file.
func TestInput_terminalColors(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	themes := highlight.AllThemes()
	for _, name := range themes {
		theme, ok := highlight.LookupTheme(name)
		require.True(t, ok)
		o := bare("ansi")
		o.Theme = name
		want := map[string]string{
			"40": theme.Terminal[0], "41": theme.Terminal[1], "47": theme.Terminal[7], "100": theme.Terminal[8], "107": theme.Terminal[15],
			"48;5;3": theme.Terminal[3], "48;5;16": "#000000", "48;5;208": "#ff8700", "48;5;255": "#eeeeee", "48;2;1;2;3": "#010203", "7": theme.Foreground,
			"31;7": theme.Terminal[1], "1;31;7": theme.Terminal[9],
		}
		for sequence, hex := range want {
			picture := drawPNG(t, mustNew(t, "\x1b["+sequence+"m  ", o), 1)
			r, g, b, _ := picture.At(8, 10).RGBA()
			assert.Equal(t, hex, rgb.Hex(color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}), "%s in %s", sequence, name)
		}
	}
}

func TestInput_terminalText(t *testing.T) {
	o := bare("ansi")
	document, lines := drawSVG(t, mustNew(t, "\x1b[1;3;4;9mall\x1b[m 10 %\r\x1b[4Cmore\n\x1b[2mfaint\x1b[m\n", o))
	assert.Equal(t, []string{"all more", "faint"}, lines)
	for _, rule := range []string{"font-weight:bold", "font-style:italic"} {
		assert.Contains(t, document, rule)
	}
	assert.Equal(t, 2, strings.Count(document, `width="25.2" height="1"`), "a line below and one through three letters")
	assert.Contains(t, document, "<title>Terminal</title>\n<desc>all more\nfaint</desc>")
	assert.NotContains(t, document, "\u241b", "no symbol of an escape")
}

// The cost estimate interprets terminal output, so that it includes the effect
// of cursor movements.
func TestInput_terminalCost(t *testing.T) {
	o := bare("ansi")
	for _, text := range []string{strings.Repeat("\x1b[999Cx\n", 4_000), strings.Repeat("\x1b[99999;99999Hx\x1b[99999B\n", 1_500), strings.Repeat("a\r", 25_000)} {
		config := mustNew(t, text, o)
		picture, err := config.Picture()
		require.NoError(t, err)
		width, height := picture.Size()
		assert.GreaterOrEqual(t, config.Cost(1).Pixels, width*height)
	}
}

const manyFiles = `From 0123456789 Mon Sep 17 00:00:00 2001
Subject: [PATCH] kiln: burns

---
diff --git a/old.py b/new.py
similarity index 90%
rename from old.py
rename to new.py
index 1111111..2222222 100644
--- a/old.py
+++ b/new.py
@@ -1,2 +1,2 @@ def f():
 # first
-a = 1
+a = 2
diff --git a/a.png b/a.png
index 1111111..2222222 100644
Binary files a/a.png and b/a.png differ
diff --git a/gone.sh b/gone.sh
deleted file mode 100755
index 1111111..0000000
--- a/gone.sh
+++ /dev/null
@@ -1 +0,0 @@
-exit 0
\ No newline at end of file
--- x.unknown
+++ x.unknown
@@ -9 +9,2 @@
-int main(void) { return 1; }
+#include <stdio.h>
+int main(void) { return 0; }
`

func TestFromPatch_files(t *testing.T) {
	configs, err := screenshot.FromPatch(manyFiles, bare(""))
	require.NoError(t, err)
	type file struct {
		title, language string
		lines           []string
	}
	var got []file
	for _, c := range configs {
		c.HideLineNumbers = false
		_, lines := drawSVG(t, c)
		got = append(got, file{c.WindowTitle, c.Language, lines})
		o := c.Options()
		require.NoError(t, option.Of[screenshot.Options]().InQuery().SetStrict(&o, queryOf(t, c)))
		assert.Equal(t, c, mustNew(t, c.Code, o), "the config of a config")
	}
	assert.Equal(t, []file{
		{"old.py → new.py", "python", []string{"1   1", "2-", "2+", "@@ -1,2 +1,2 @@ def f():", "# first", "a = 1", "a = 2"}},
		{"gone.sh", "bash", []string{"1-", "@@ -1,1 +0,0 @@", "exit 0"}},
		{"x.unknown", "diff", []string{"9-", "9+", "10+", "@@ -9,1 +9,2 @@", "int main(void) { return 1; }", "#include <stdio.h>", "int main(void) { return 0; }"}},
	}, got)
}

// The lines of a patch have the same colours as in the file.
func TestFromPatch_colors(t *testing.T) {
	configs, err := screenshot.FromPatch(manyFiles, bare(""))
	require.NoError(t, err)
	for i, want := range []struct{ language, text string }{{"python", "# first"}, {"bash", "exit 0"}, {"c", "#include <stdio.h>"}} {
		document, _ := drawSVG(t, configs[i])
		code, _ := drawSVG(t, mustNew(t, want.text, screenshot.Options{Language: want.language, Extras: screenshot.Extras{Window: "none"}}))
		assert.Equal(t, colorOf(t, code, want.text[:1]), colorOf(t, document, want.text[:1]), want.text)
	}
}

// colorOf returns the colour of the first text that begins with start.
func colorOf(t *testing.T, document, start string) string {
	t.Helper()
	_, rest, ok := strings.Cut(document, "<text")
	require.True(t, ok)
	before, _, ok := strings.Cut(rest, `">`+start)
	require.True(t, ok, start)
	class := before[strings.LastIndex(before, `class="`)+len(`class="`):]
	_, color, ok := strings.Cut(document, "."+strings.Fields(class)[0]+"{fill:")
	require.True(t, ok)
	return color[:len("#rrggbb")]
}

func TestInput_refuses(t *testing.T) {
	one, _, _ := strings.Cut(manyFiles, "diff --git a/a.png")
	for _, c := range []struct {
		code, input string
		change      func(*screenshot.Options)
		faults      []string
	}{
		{"package main", "patch", nil, []string{"code invalid_format"}},
		{"@@ -1 +1 @@\n-a\n+b\n", "patch", nil, []string{"code invalid_format"}},
		{strings.Replace(one, "+a = 2\n", "", 1), "patch", nil, []string{"code invalid_format"}},
		{manyFiles, "patch", nil, []string{"code too_many"}},
		{strings.Replace(one, "@@ -1", "@@ -10000000", 1), "patch", nil, []string{"code out_of_range"}},
		{one, "patch", func(o *screenshot.Options) { o.Lines = screenshot.LineRange{From: 9} }, []string{"lines out_of_range"}},
		{one, "patch", func(o *screenshot.Options) {
			o.FirstLine, o.Inserted, o.Deleted = 2, []screenshot.LineRange{{From: 1}}, []screenshot.LineRange{{From: 1}}
		}, []string{"firstLine not_one_of", "inserted not_one_of", "deleted not_one_of"}},
		{"a", "html", nil, []string{"input not_one_of"}},
	} {
		o := bare(c.input)
		if c.change != nil {
			c.change(&o)
		}
		config, err := screenshot.New(c.code, o)
		if err == nil {
			_, err = config.Picture()
		}
		require.Error(t, err, c.code)
		assert.Equal(t, c.faults, faultsOf(t, err), c.code)
	}
	for _, patch := range []string{"", "package main", strings.Repeat("x", screenshot.MaxPatch+1), strings.Repeat("--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n", 1_000+1)} {
		_, err := screenshot.FromPatch(patch, screenshot.Options{})
		require.Error(t, err)
		assert.Equal(t, "patch", strings.Fields(faultsOf(t, err)[0])[0])
	}
	long := "--- a\n+++ long.txt\n@@ -1 +1 @@\n-a\n+" + strings.Repeat("b", screenshot.MaxCode) + "\n"
	_, err := screenshot.FromPatch(long, screenshot.Options{})
	assert.ErrorContains(t, err, "long.txt: code: has 50")
}

// FuzzInput draws any text as a patch and as terminal output.
func FuzzInput(f *testing.F) {
	f.Add(manyFiles)
	f.Add("--- a.go\n+++ a.go\n@@ -1,0 +1 @@\n+x\n")
	f.Add(" ")
	patches, err := filepath.Glob("testdata/*.patch")
	require.NoError(f, err)
	for _, name := range patches {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(string(text))
	}
	f.Add("\x1b[1;38;5;208mx\r\x1b[3C\x1b[Ky\n\x1b[2;2Hz\x1b[7m \x1b[J")
	f.Fuzz(func(t *testing.T, text string) {
		o := bare("")
		o.FontSize = new(8.0)
		configs, err := screenshot.FromPatch(text, o)
		if err == nil {
			require.NotEmpty(t, configs)
		}
		for _, input := range []string{"ansi", "patch"} {
			o.Input = input
			if config, err := screenshot.New(text, o); err == nil {
				configs = append(configs, config)
			}
		}
		for _, config := range configs[:min(len(configs), 4)] {
			picture, err := config.Picture()
			if err != nil {
				faultsOf(t, err)
				continue
			}
			readSVG(t, picture)
			width, height := picture.Size()
			require.GreaterOrEqual(t, config.Cost(1).Pixels, width*height)
		}
	})
}
