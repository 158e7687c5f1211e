package screenshot_test

import (
	"cmp"
	"encoding/xml"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot"
)

// bidiCase is a case of testdata/bidi.json: a line, and what stands in it from
// left to right where Chromium shows it in a pre element, character by
// character. Brackets are those that were written.
type bidiCase struct{ Line, Seen string }

// seen returns the text of the code in an SVG by its places, and by its order.
func seen(t *testing.T, document string) (placed, read string) {
	t.Helper()
	var svg struct {
		Text []struct {
			Class string `xml:"class,attr"`
			Spans []struct {
				X    float64 `xml:"x,attr"`
				Text string  `xml:",chardata"`
			} `xml:"tspan"`
		} `xml:"text"`
	}
	require.NoError(t, xml.Unmarshal([]byte(document), &svg))
	require.Len(t, svg.Text, 1)
	spans := svg.Text[0].Spans
	var logical, visual strings.Builder
	for _, s := range spans {
		logical.WriteString(s.Text)
	}
	slices.SortFunc(spans, func(a, b struct {
		X    float64 `xml:"x,attr"`
		Text string  `xml:",chardata"`
	},
	) int {
		return cmp.Compare(a.X, b.X)
	})
	for _, s := range spans {
		text := []rune(s.Text)
		if strings.ContainsFunc(s.Text, func(r rune) bool { return unicode.In(r, unicode.Hebrew, unicode.Arabic) }) {
			slices.Reverse(text)
		}
		visual.WriteString(string(text))
	}
	return visual.String(), logical.String()
}

func TestBidi_asChromium(t *testing.T) {
	fonts, err := screenshot.LoadFonts("testdata/fonts/arabic.ttf")
	require.NoError(t, err)
	for _, c := range readCases[bidiCase](t, "testdata/bidi.json") {
		config := mustNew(t, c.Line, screenshot.Options{Language: "text", HideLineNumbers: true, Extras: screenshot.Extras{Fonts: fonts, DisableLigatures: true}})
		document, _ := drawSVG(t, config)
		placed, read := seen(t, document)
		assert.Equal(t, c.Seen, placed, c.Line)
		assert.Equal(t, c.Line, read, "the text is copied as it was written")
	}
}
