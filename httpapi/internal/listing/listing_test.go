package listing_test

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/httpapi/internal/listing"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

// cases reads a table in testdata. A key that is not in T is an error.
func cases[T any](t *testing.T, file string) []T {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var table []T
	require.NoError(t, d.Decode(&table))
	require.NotEmpty(t, table)
	return table
}

// written returns the HTML of a listing.
func written(t *testing.T, l listing.Listing) string {
	t.Helper()
	text, err := l.HTML()
	require.NoError(t, err)
	return string(text)
}

// lineOf returns the HTML of a log's lines without ids and blocks.
func lineOf(t *testing.T, log string) string {
	t.Helper()
	return strings.TrimSuffix(strings.TrimPrefix(written(t, listing.Log(log, listing.Options{NoAnchors: true})), "<section>"), "</section>")
}

// textOf returns the displayed text, with a line feed before each line.
func textOf(page string) string {
	return html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllStringFunc(page, func(s string) string {
		if strings.HasPrefix(s, "<p") {
			return "\n"
		}
		return ""
	}))
}

// Every token class in the viewer's table exists.
func TestCode_classesOfTokens(t *testing.T) {
	file, err := os.ReadFile("code.tsv")
	require.NoError(t, err)
	var known []string
	for _, class := range highlight.Classes() {
		known = append(known, class.String())
	}
	for line := range strings.Lines(string(file)) {
		assert.Subset(t, known, strings.Fields(line)[1:])
	}
}

// Times are dimmed, terminal escape sequences are colours, and URLs are links.
func TestLog_marksInALine(t *testing.T) {
	for _, c := range cases[struct{ Line, Time string }](t, "stamps.json") {
		_, rest, found := strings.Cut(lineOf(t, c.Line), "<i>")
		got, _, _ := strings.Cut(rest, "</i>")
		assert.Equal(t, c.Time != "", found, c.Line)
		assert.Equal(t, c.Time, strings.TrimSuffix(got, " "), c.Line)
	}
	for _, c := range cases[struct{ Log, HTML string }](t, "ansi.json") {
		assert.Equal(t, c.HTML, lineOf(t, c.Log), "%q", c.Log)
	}
	for _, c := range cases[struct{ Line, HTML string }](t, "addresses.json") {
		assert.Equal(t, "<p>"+c.HTML, lineOf(t, c.Line))
	}
}

// Terminal colours are legible in both colour schemes.
func TestANSIStyles_areReadable(t *testing.T) {
	colors := regexp.MustCompile(`\.f\d+\{color:light-dark\((#[0-9a-f]{6}),(#[0-9a-f]{6})\)\}`).FindAllStringSubmatch(string(listing.ANSIStyles()), -1)
	require.Len(t, colors, 256)
	for i, surface := range []string{"#ffffff", "#1e1b18"} {
		ground, err := gradient.New([]string{surface, surface}, gradient.Options{})
		require.NoError(t, err)
		for _, c := range colors {
			color, err := gradient.ParseColor(c[1+i])
			require.NoError(t, err)
			assert.GreaterOrEqual(t, ground.Contrast(color.NRGBA()), 4.5, "%s on %s", c[1+i], surface)
		}
	}
}

func TestLog_blocksOfLines(t *testing.T) {
	l := listing.Log(strings.Repeat("x\n", 201), listing.Options{})
	assert.Equal(t, 201, l.Lines)
	assert.Equal(t, 3, l.Digits())
	blocks := strings.Split(strings.TrimSuffix(written(t, l), "</section>"), "</section>")
	require.Len(t, blocks, 3)
	assert.Equal(t, 99, strings.Count(blocks[0], "<p "))
	assert.True(t, strings.HasPrefix(blocks[1], "<section><p id=L100>"))
	assert.True(t, strings.HasPrefix(blocks[2], "<section><p id=L200>"))
}

// What passed, empty lines, times and the code around a failure have no colour
// of an error, and a trace below the only timestamp keeps it.
func TestLog_colourOfFailures(t *testing.T) {
	for log, want := range map[string]string{
		" ❯ bowl.test.ts (3 tests | 1 failed)\n     × a\n     ✓ b\n     × c\n\n FAIL  bowl\nError: no rim\n ❯ bowl.test.ts:7:11\n      5|   });\n":                    "E e ee e ee E E ee ee",
		" Test Files  1 failed (1)\n      Tests  2 failed | 1 passed (3)\n   Start at  03:06:07\n   Duration  1.27s\n":                                                "E e ee ee",
		"2026-11-26 08:00:00 ERROR refused\njava.io.IOException: no route\n\n\tat kiln.Gateway.open(Gateway.java:88)\n":                                               "E e e e",
		"2026-11-26T09:00:00.1234567Z  FAIL  bowl\n2026-11-26T09:00:00.1234567Z AssertionError: cold\n2026-11-26T09:00:00.1234567Z \n2026-11-26T09:00:00.1234567Z \n": "E e ee ee",
		"error[E0308]: mismatched types\n --> src/main.rs:7:18\n  |\n7 |     let n: u32 = 1;\n\n":                                                                     "E e e e ee",
	} {
		var classes []string
		for _, class := range regexp.MustCompile(`<p id=L\d+ class=(\w+)>`).FindAllStringSubmatch(written(t, listing.Log(log, listing.Options{})), -1) {
			classes = append(classes, class[1])
		}
		assert.Equal(t, want, strings.Join(classes, " "), log)
	}
}

// Ampersands that cannot start a reference are not escaped. Every line of four
// of these characters parses back to itself.
func TestLog_ampersandsAreText(t *testing.T) {
	content := allOf("&<;#1lt ", 4)
	assert.Equal(t, "\n"+content, textOf(lineOf(t, content)))
}

// allOf returns all strings of n characters of an alphabet, one per line.
func allOf(alphabet string, n int) string {
	lines := []string{""}
	for range n {
		var longer []string
		for _, line := range lines {
			for _, c := range alphabet {
				longer = append(longer, line+string(c))
			}
		}
		lines = longer
	}
	return strings.Join(lines, "\n")
}

// Long lines are split between words or, failing that, between characters.
func TestListing_longLines(t *testing.T) {
	for _, content := range []string{strings.Repeat("lorem ipsum ", 2_000), strings.Repeat("日本", 4_000), strings.Repeat("<", 9_000), "\x1b[1m" + strings.Repeat("x", 9_000)} {
		for _, l := range []listing.Listing{listing.Log(content, listing.Options{}), listing.Code(content, "text", listing.Options{})} {
			page := written(t, l)
			assert.GreaterOrEqual(t, strings.Count(page, "<span>"), 2)
			text := strings.TrimPrefix(textOf(page), "\n")
			assert.Equal(t, strings.TrimPrefix(content, "\x1b[1m"), strings.TrimPrefix(text, "\u241b[1m"))
		}
	}
}

const filtered = "INFO disk is full\nERROR Disk failed: /dev/sda1\n\tat a.b(C.java:1)\n\x1b[31mWARN\x1b[0m is the disk full?\nINFO timed out\nother\n"

func TestFilter_hits(t *testing.T) {
	for _, c := range cases[struct {
		Query, Levels, Within, Error string
		Lines                        []int
		Found                        []string
	}](t, "filters.json") {
		f, err := listing.NewFilter(c.Query, c.Levels, c.Within)
		if c.Error != "" {
			assert.EqualError(t, err, c.Error, c.Query)
			continue
		}
		require.NoError(t, err, c.Query)
		assert.Equal(t, c.Query+c.Levels+c.Within != "", f.Active(), c.Query)
		found := f.Select(t.Context(), filtered)
		assert.Equal(t, listing.Selection{Lines: c.Lines, Texts: c.Found, Searched: 6}, found, c.Query)
	}
	_, err := listing.NewFilter(strings.Repeat("x", listing.MaxQuery+1), "", "")
	require.EqualError(t, err, "the query has more than 1000 bytes")
}

// A search that must end says how far it came.
func TestFilter_searchThatEnds(t *testing.T) {
	f, err := listing.NewFilter("/is/ -x", "", "")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.Equal(t, listing.Selection{Lines: []int{}}, f.Select(ctx, filtered))
	hits := listing.NewHits(f, func(int) string { return "" })
	require.NoError(t, hits.Add(t.Context(), filtered, 1))
	require.ErrorIs(t, hits.Add(ctx, filtered, 7), context.Canceled)
	assert.Equal(t, []int{3, 3, 6}, []int{hits.Count, hits.Shown, hits.Searched})
	f, err = listing.NewFilter("x", "", "")
	require.NoError(t, err)
	most := f.Select(t.Context(), strings.Repeat("x\n", 500_000))
	assert.Equal(t, []int{60_000, 60_000}, []int{len(most.Lines), most.Searched}, "more lines than a page numbers")
}

// Parts without a word of the query are not read line by line, which shows
// nothing else.
func TestHits_partsWithoutTheWord(t *testing.T) {
	parts := []string{"one\ntwo\n", "three\nNEEDLE 1\nfour\n", "five\n", "\x1b[1mnee\x1b[0mdle\nsix\n", "seven"}
	page := func(query string) string {
		f, err := listing.NewFilter(query, "", "")
		require.NoError(t, err)
		hits, first := listing.NewHits(f, strconv.Itoa), 1
		for _, part := range parts {
			require.NoError(t, hits.Add(t.Context(), part, first))
			first += strings.Count(part, "\n")
		}
		assert.Equal(t, []int{2, 9}, []int{hits.Count, hits.Searched})
		return written(t, hits.Listing())
	}
	assert.Equal(t, page("/needle/i"), page("needle"))
}

// All expressions of a query together may have 1,000 instructions.
func TestNewFilter_complexExpressions(t *testing.T) {
	for query, want := range map[string]string{
		"/(a?){1000}/":                            "this expression is too complex",
		strings.Repeat("/(a?){90}/ ", 3):          "this expression is too complex",
		strings.Repeat("/(a?){90}/ ", 2) + "word": "",
	} {
		_, err := listing.NewFilter(query, strings.Repeat("e", 10_000), "")
		if want == "" {
			assert.NoError(t, err, query)
			continue
		}
		assert.EqualError(t, err, want, query)
	}
}

// The style sheet can select a word that is too long for a phone.
func TestLog_longWords(t *testing.T) {
	fits, long := strings.Repeat("a", 40), strings.Repeat("b<", 21)
	escaped := "<i class=r>" + strings.Repeat("b&lt;", 21) + "</i>"
	for log, want := range map[string]string{
		fits + " " + fits:            fits + " " + fits,
		long:                         escaped,
		"at " + long + "\tx " + long: "at " + escaped + "\tx " + escaped,
		"x " + fits + "c y":          "x <i class=r>" + fits + "c</i> y",
	} {
		assert.Equal(t, "<p>"+want, lineOf(t, log))
	}
}
