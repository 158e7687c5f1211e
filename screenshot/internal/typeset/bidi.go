package typeset

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/harfbuzz"
	unicodebidi "golang.org/x/text/unicode/bidi"
)

// A line whose text runs in both directions is ordered by the Unicode
// Bidirectional Algorithm (UAX #9), as a paragraph from left to right. Spans are
// placed in the order in which they are seen, and listed in the order in which
// they are read, so that the text of an SVG is copied as it was written.
// Characters that change the direction have no effect: they are shown instead.

// setRow sets pieces on the row that has begun.
func (t *Typesetter) setRow(pieces []Piece) {
	if !slices.ContainsFunc(pieces, func(p Piece) bool { return strings.ContainsFunc(p.Text, rightToLeft) }) {
		for _, p := range pieces {
			t.text(p.Text, p.Ink)
		}
		return
	}
	first := len(t.Rows) - 1
	for _, run := range visualRuns(pieces) {
		parts := cut(pieces, run.Start, run.End)
		if run.IsLeftToRight() {
			for _, p := range parts {
				t.order = p.start
				t.text(p.Text, p.Ink)
			}
			continue
		}
		for _, p := range slices.Backward(parts) {
			t.reversed([]rune(p.Text), p.start, p.Ink)
		}
	}
	t.order = 0
	for _, row := range t.Rows[first:] {
		slices.SortStableFunc(row, func(a, b Span) int { return cmp.Compare(a.order, b.order) })
	}
}

// visualRuns returns the runs of one direction from left to right. Start and End
// count runes.
func visualRuns(pieces []Piece) []bidi.Run {
	var line []rune
	for _, p := range pieces {
		for _, r := range p.Text {
			if ChangesDirection(r) {
				r = utf8.RuneError
			}
			line = append(line, r)
		}
	}
	var paragraph bidi.Paragraph
	segmented := paragraph.Segment(line, bidi.LeftToRight)
	var runs []bidi.Run
	highest := bidi.Level(0)
	for i := range segmented.NumRuns() {
		run := segmented.Run(i)
		highest = max(highest, run.Level)
		if n := number(line, run); run.Level == 2 && n < run.End-run.Start {
			runs = append(runs, bidi.Run{Start: run.Start, End: run.Start + n, Level: 2})
			run.Start, run.Level = run.Start+n, 0
		}
		runs = append(runs, run)
	}
	for level := highest; level > 0; level-- { // rule L2
		for i := 0; i < len(runs); {
			end := i
			for end < len(runs) && runs[end].Level >= level {
				end++
			}
			slices.Reverse(runs[i:end])
			i = max(end, i+1)
		}
	}
	return runs
}

// number returns how many characters at the start of a run are a number. One
// that follows text from right to left belongs to that, at level 2; what comes
// after it does not, but package bidi has both in one run (rules W2, W4 and W5).
func number(line []rune, run bidi.Run) int {
	arabic := false
	for i := run.Start - 1; i >= 0; i-- {
		if c := classOf(line[i]); c == unicodebidi.L || c == unicodebidi.R || c == unicodebidi.AL {
			arabic = c == unicodebidi.AL
			break
		}
	}
	n := 0
	for i := run.Start; i < run.End; i++ {
		switch c := classOf(line[i]); {
		case c == unicodebidi.EN || c == unicodebidi.AN, c == unicodebidi.ET && !arabic && i == run.Start+n:
			n = i + 1 - run.Start
		case (c == unicodebidi.CS || c == unicodebidi.ES && !arabic) && i == run.Start+n && i > run.Start:
		default:
			return n
		}
	}
	return n
}

func classOf(r rune) unicodebidi.Class {
	p, _ := unicodebidi.LookupRune(r)
	return p.Class()
}

// A part is what a run has of a piece.
type part struct {
	Piece
	start int // runes before it in the line
}

// cut returns the parts of pieces from one rune of the line to before another.
func cut(pieces []Piece, start, end int) []part {
	var parts []part
	at := 0
	for _, p := range pieces {
		runes := []rune(p.Text)
		from, to := max(start-at, 0), min(end-at, len(runes))
		if from < to {
			parts = append(parts, part{Piece{string(runes[from:to]), p.Ink}, at + from})
		}
		at += len(runes)
	}
	return parts
}

// reversed sets text from right to left: words as a whole, in their script, and
// what stands between them character by character.
func (t *Typesetter) reversed(text []rune, start int, k Ink) {
	for end := len(text); end > 0; {
		from := end - 1
		for from > 0 && joins(text[from]) && joins(text[from-1]) {
			from--
		}
		t.order = start + from
		t.reversedWord(text[from:end], k)
		end = from
	}
}

func joins(r rune) bool { return shapesAsRun(r) || extends(r) }

// reversedWord sets letters that join, or one other character.
func (t *Typesetter) reversedWord(word []rune, k Ink) {
	main := t.faces.Of(k.Style)
	switch {
	case word[0] == ' ' || word[0] == '\t':
		t.put(Span{Kind: Shaped, Ink: k, Text: " ", Cells: 1})
		return
	case !shapesAsRun(word[0]):
		if glyphs, advance := t.shapeCluster([]rune{mirrored(word[0])}, k.Style, main); glyphs != nil && len(word) == 1 && !IsControl(word[0]) {
			cells := clusterCells(word)
			t.put(Span{Kind: Shaped, Ink: k, Text: string(word), Cells: cells, Glyphs: fit(glyphs, advance, float32(cells)*t.cell, cells == 2)})
			return
		}
		t.clustersOf(string(word), k, main)
		return
	}
	f := main
	if _, ok := main.NominalGlyph(word[0]); !ok {
		f = t.faces.fallback(word[0], k.Style, false)
	}
	if f != nil {
		t.shaped(f, word, harfbuzz.RightToLeft, k)
		return
	}
	first := t.order
	for end := len(word); end > 0; {
		from := end - 1
		for from > 0 && extends(word[from]) {
			from--
		}
		t.order = first + from
		t.cluster(word[from:end], k, main)
		end = from
	}
}

// shaped sets text whose letters join in the cells that it needs.
func (t *Typesetter) shaped(f *Face, text []rune, direction harfbuzz.Direction, k Ink) {
	glyphs, advance := f.shape(text, direction)
	cells := max(1, int(math.Ceil(float64(advance/t.cell)-0.15)))
	if t.options.Columns > 0 && cells > t.options.Columns && len(text) > 1 {
		t.shaped(f, text[:len(text)/2], direction, k)
		t.shaped(f, text[len(text)/2:], direction, k)
		return
	}
	t.put(Span{Kind: Shaped, Ink: k, Text: string(text), Cells: cells, Glyphs: fit(glyphs, advance, float32(cells)*t.cell, false)})
}

// mirrored returns what a character looks like from right to left (rule L4).
func mirrored(r rune) rune {
	const pairs = "()[]{}<>«»‹›≤≥"
	before := rune(0)
	for i, c := range []rune(pairs) {
		switch {
		case i%2 == 1 && before == r:
			return c
		case i%2 == 1 && c == r:
			return before
		}
		before = c
	}
	return r
}
