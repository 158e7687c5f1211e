package typeset

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/harfbuzz"
	unicodebidi "golang.org/x/text/unicode/bidi"
)

// Bidirectional text is ordered by the Unicode Bidirectional Algorithm (UAX
// #9), as a left-to-right paragraph. Spans are positioned in visual order but
// listed in logical order, so that the text of an SVG is copied as written.
// Characters that change the direction have no effect; they are drawn instead.

// setRow sets the runes of a line from start to before end on the current row.
func (t *Typesetter) setRow(l *line, start, end int) {
	if l.runs == nil {
		for _, p := range l.cut(start, end) {
			t.text(p.Text, p.Ink)
		}
		return
	}
	for _, run := range visual(l.runs, start, end) {
		parts := l.cut(run.Start, run.End)
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
	slices.SortStableFunc(t.Rows[len(t.Rows)-1], func(a, b Span) int { return cmp.Compare(a.order, b.order) })
}

// directions returns the directional runs of text in logical order. Start and
// End count runes.
func directions(text []rune) []bidi.Run {
	line := slices.Clone(text)
	for i, r := range line {
		if ChangesDirection(r) {
			line[i] = utf8.RuneError
		}
	}
	var paragraph bidi.Paragraph
	segmented := paragraph.Segment(line, bidi.LeftToRight)
	var runs []bidi.Run
	for i := range segmented.NumRuns() {
		run := segmented.Run(i)
		if n := number(line, run); run.Level == 2 && n < run.End-run.Start {
			runs = append(runs, bidi.Run{Start: run.Start, End: run.Start + n, Level: 2})
			run.Start, run.Level = run.Start+n, 0
		}
		runs = append(runs, run)
	}
	return runs
}

// visual returns the parts of the runs in a row from rune start to before rune
// end, from left to right (rule L2).
func visual(runs []bidi.Run, start, end int) []bidi.Run {
	i, _ := slices.BinarySearchFunc(runs, start, func(r bidi.Run, at int) int { return cmp.Compare(r.End, at+1) })
	var row []bidi.Run
	highest := bidi.Level(0)
	for ; i < len(runs) && runs[i].Start < end; i++ {
		run := runs[i]
		run.Start, run.End = max(run.Start, start), min(run.End, end)
		highest = max(highest, run.Level)
		row = append(row, run)
	}
	for level := highest; level > 0; level-- {
		for i := 0; i < len(row); {
			end := i
			for end < len(row) && row[end].Level >= level {
				end++
			}
			slices.Reverse(row[i:end])
			i = max(end, i+1)
		}
	}
	return row
}

// number returns the length of the number at the start of a run. A number that
// follows right-to-left text belongs to it, at level 2, but the text after it
// does not. Package bidi puts both into one run (rules W2, W4 and W5).
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

// reversed sets text from right to left: words as a whole, in their script, and
// other text character by character.
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

// reversedWord sets letters that join, or a single other character.
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

// shaped sets text whose letters join, in as many cells as it needs.
func (t *Typesetter) shaped(f *Face, text []rune, direction harfbuzz.Direction, k Ink) {
	glyphs, advance := f.shape(text, direction)
	cells := max(1, int(math.Ceil(float64(advance/t.cell)-0.15)))
	t.put(Span{Kind: Shaped, Ink: k, Text: string(text), Cells: cells, Glyphs: fit(glyphs, advance, float32(cells)*t.cell, false)})
}

// mirrored returns the mirror image of a character in right-to-left text (rule
// L4).
func mirrored(r rune) rune {
	pairs := []rune("()[]{}<>«»‹›≤≥")
	if i := slices.Index(pairs, r); i >= 0 {
		return pairs[i^1]
	}
	return r
}
