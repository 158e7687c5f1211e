package screenshot_test

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot"
)

// bidiCase is a case of testdata/bidi.json: a line, and its characters from
// left to right as Chromium shows them in a pre element. Brackets are as
// written, not mirrored.
type bidiCase struct{ Line, Seen string }

// gutterClass is the class of what an SVG has beside the code.
const gutterClass = "n"

// A seenRow is the text of a row in an SVG, by position and in document order.
type seenRow struct{ placed, read string }

func seen(t *testing.T, document string) []seenRow {
	t.Helper()
	type span struct {
		X    float64 `xml:"x,attr"`
		Text string  `xml:",chardata"`
	}
	var svg struct {
		Text []struct {
			Class string `xml:"class,attr"`
			Spans []span `xml:"tspan"`
		} `xml:"text"`
	}
	require.NoError(t, xml.Unmarshal([]byte(document), &svg))
	var rows []seenRow
	for _, text := range svg.Text {
		if text.Class == gutterClass {
			continue
		}
		var row seenRow
		for _, s := range text.Spans {
			row.read += s.Text
		}
		slices.SortFunc(text.Spans, func(a, b span) int { return cmp.Compare(a.X, b.X) })
		for _, s := range text.Spans {
			runes := []rune(s.Text)
			if strings.ContainsFunc(s.Text, func(r rune) bool { return unicode.In(r, unicode.Hebrew, unicode.Arabic) }) {
				slices.Reverse(runes)
			}
			row.placed += string(runes)
		}
		rows = append(rows, row)
	}
	return rows
}

func TestBidi_asChromium(t *testing.T) {
	fonts, err := screenshot.LoadFonts("testdata/fonts/arabic.ttf")
	require.NoError(t, err)
	for _, c := range readCases[bidiCase](t, "testdata/bidi.json") {
		config := mustNew(t, c.Line, screenshot.Options{Language: "text", HideLineNumbers: true, Extras: screenshot.Extras{Fonts: fonts, DisableLigatures: true}})
		document, _ := drawSVG(t, config)
		assert.Equal(t, []seenRow{{c.Seen, c.Line}}, seen(t, document), "the text is copied as it was written")
	}
}

// A bracket between right-to-left letters is drawn as its mirror image, which is
// the other bracket between Latin letters in the row below.
func TestPicture_mirrorsBrackets(t *testing.T) {
	fonts, err := screenshot.LoadFonts("testdata/fonts/arabic.ttf")
	require.NoError(t, err)
	for code, alike := range map[string]bool{"ا(ا\nx)x": true, "ا(ا\nx(x": false, "ا]ا\nx[x": true, "ا«ا\nx»x": true, "ا-ا\nx-x": true} {
		m := pixelsOf(drawPNG(t, mustNew(t, code, screenshot.Options{
			Language: "text", Padding: new(0.0), HideLineNumbers: true, HideWindowControls: true, Extras: screenshot.Extras{Fonts: fonts},
		}), 1))
		const top, line, left, right = 18, 21, 29, 36 // of the second cell, at 14 pixels
		same := true
		for y := top; y < top+line; y++ {
			same = same && bytes.Equal(m.Pix[m.PixOffset(left, y):m.PixOffset(right, y)], m.Pix[m.PixOffset(left, y+line):m.PixOffset(right, y+line)])
		}
		assert.Equal(t, alike, same, code)
	}
}

// wrapCase is a case of testdata/wrap.json: code and the text of its rows, each
// after as many blanks as it is indented, in logical order in Rows and, if set,
// in visual order in Seen.
type wrapCase struct {
	Name, Code string
	Columns    int
	Rows, Seen []string
}

func TestPicture_wrapsBetweenWords(t *testing.T) {
	fonts, err := screenshot.LoadFonts("testdata/fonts/arabic.ttf", "testdata/fonts/cjk.ttf", "testdata/fonts/emoji.ttf")
	require.NoError(t, err)
	for _, c := range readCases[wrapCase](t, "testdata/wrap.json") {
		config := mustNew(t, c.Code, screenshot.Options{
			Language: "text", HideLineNumbers: true, HideWindowControls: true, Padding: new(0.0),
			Extras: screenshot.Extras{Fonts: fonts, Columns: c.Columns, DisableLigatures: true},
		})
		document, _ := drawSVG(t, config)
		rows := seen(t, document)
		var read, placed []string
		for i, at := range starts(t, document) {
			read = append(read, strings.Repeat(" ", at)+rows[i].read)
			placed = append(placed, strings.Repeat(" ", at)+rows[i].placed)
		}
		assert.Equal(t, c.Rows, read, c.Name)
		if c.Seen != nil {
			assert.Equal(t, c.Seen, placed, c.Name)
		}
	}
}

// starts returns the column at which each row of an SVG begins.
func starts(t *testing.T, document string) []int {
	t.Helper()
	const cell, inset = 8.4, 20 // at 14 pixels
	var svg struct {
		Text []struct {
			Class string `xml:"class,attr"`
			Spans []struct {
				X float64 `xml:"x,attr"`
			} `xml:"tspan"`
		} `xml:"text"`
	}
	require.NoError(t, xml.Unmarshal([]byte(document), &svg))
	var columns []int
	for _, text := range svg.Text {
		if text.Class == gutterClass {
			continue
		}
		least := float64(inset)
		for i, s := range text.Spans {
			if least = min(least, s.X); i == 0 {
				least = s.X
			}
		}
		columns = append(columns, int(math.Round((least-inset)/cell)))
	}
	return columns
}
