package screenshot_test

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/screenshot"
)

// everything returns non-default values of all options that a PNG contains.
func everything(t *testing.T) screenshot.Options {
	t.Helper()
	return screenshot.Options{
		Language: "go", Theme: "nord", Background: "red", Padding: new(3.5), FontSize: new(9.0), BorderRadius: new(1.0),
		HideLineNumbers: true, HideWindowControls: true, HideShadow: true, WindowTitle: "ä <b>\n漢.go",
		Extras: screenshot.Extras{
			FirstLine: 3, Lines: screenshot.LineRange{From: 3, To: 4}, Highlight: []screenshot.LineRange{{From: 3, To: 3}},
			Columns: 40, TabWidth: 8, LineHeight: 1.25, Watermark: "a&b", Window: "windows", Ratio: "1:1", DisableLigatures: true,
			Embed: "config",
		},
	}
}

func fileOf(t *testing.T, c screenshot.Config) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, c.WritePNG(t.Context(), &b, 1))
	return b.Bytes()
}

// embeddedConfig returns the Config that a PNG carries, as the studio reads it.
func embeddedConfig(t *testing.T, file []byte) screenshot.Config {
	t.Helper()
	const head = "iTXtdevkiln\x00\x00\x00\x00\x00"
	at := bytes.Index(file, []byte(head))
	require.Positive(t, at)
	size := int(binary.BigEndian.Uint32(file[at-4:]))
	query, fragment, found := strings.Cut(string(file[at+len(head):at+4+size]), "#")
	require.True(t, found)
	c, err := screenshot.ParseFragment(fragment)
	require.NoError(t, err)
	values, err := url.ParseQuery(strings.TrimPrefix(query, "?"))
	require.NoError(t, err)
	o := c.Options()
	require.NoError(t, option.Of[screenshot.Options]().InQuery().SetStrict(&o, values))
	return o.Fill(c.Code)
}

func TestPicture_embedsItsConfig(t *testing.T) {
	const code = "package a // \u2028 <>&\x00\n\n\tx := \"漢\"\r\n"
	embedded := func(e screenshot.Extras) screenshot.Options {
		e.Embed = "config"
		return screenshot.Options{Extras: e}
	}
	marks := screenshot.Extras{Focus: []screenshot.LineRange{{From: 1, To: 2}}, Inserted: []screenshot.LineRange{{From: 1, To: 1}}, Deleted: []screenshot.LineRange{{From: 2, To: 2}, {From: 3, To: 4}}}
	for _, c := range []struct {
		code    string
		options screenshot.Options
	}{
		{code, everything(t)},
		{code, embedded(screenshot.Extras{})},
		{code, embedded(marks)},
		{"\x1b[4mred\x1b[m\rR\n", embedded(screenshot.Extras{Input: "ansi"})},
		{"--- a.go\n+++ a.go\n@@ -1 +1 @@\n-package a\n+package b\n", embedded(screenshot.Extras{Input: "patch"})},
	} {
		want := mustNew(t, c.code, c.options)
		file := fileOf(t, want)
		got := embeddedConfig(t, file)
		assert.Equal(t, want, got)
		assert.Equal(t, file, fileOf(t, got), "it draws the same picture")
	}
}

// svgHead is what a screen reader announces of an SVG.
type svgHead struct {
	Role  string `xml:"role,attr"`
	Title string `xml:"title"`
	Desc  string `xml:"desc"`
}

func TestPicture_saysWhatItShows(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	for _, c := range []struct {
		name, code, title, wantTitle, wantDescription string
		lines                                         screenshot.LineRange
	}{
		{"the title of the window", "if a < b && c {\n\tx\n}", "a & b.go", "a & b.go", "if a < b && c {\n    x\n}", screenshot.LineRange{}},
		{"the language", "func main() {}", "", "Code in Go", "func main() {}", screenshot.LineRange{}},
		{"the chosen lines", "a\nb\nc\nd", "x", "x", "b\nc", screenshot.LineRange{From: 2, To: 3}},
		{"the beginning", strings.Repeat("abcdefghi\n", 500), "x", "x", strings.Repeat("abcdefghi\n", 100) + "…", screenshot.LineRange{}},
	} {
		config := mustNew(t, c.code, screenshot.Options{Language: "go", WindowTitle: c.title, Extras: screenshot.Extras{Lines: c.lines}})
		var b bytes.Buffer
		require.NoError(t, config.WriteSVG(t.Context(), &b))
		var head svgHead
		require.NoError(t, xml.Unmarshal(b.Bytes(), &head), c.name)
		assert.Equal(t, svgHead{"img", c.wantTitle, c.wantDescription}, head, c.name)
		assert.Contains(t, string(fileOf(t, config)), "iTXtTitle\x00\x00\x00\x00\x00"+c.wantTitle, c.name)
	}
}
