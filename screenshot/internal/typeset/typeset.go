// Package typeset sets text on a grid of cells. A letter takes one cell, a
// Chinese character or an emoji two, and a mark on a letter none. It shapes
// letters that join as words, and finds ligatures of operators by shaping them.
package typeset

import (
	"cmp"
	"image/color"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/segmenter"

	"github.com/devkiln/devkiln/screenshot/internal/fonts"
)

// An Ink is the colour and style of text.
type Ink struct {
	Color     color.NRGBA
	Behind    color.NRGBA // the background of the text; transparent for none
	Style     fonts.Style
	Underline bool
	Strike    bool
}

// A Piece is text in one ink.
type Piece struct {
	Text string
	Ink  Ink
}

// A SpanKind is the way in which a span is drawn.
type SpanKind uint8

// The kinds of spans.
const (
	Plain      SpanKind = iota // one glyph of the main face for each cell
	Ligature                   // glyphs of the main face for the text as a whole
	Shaped                     // glyphs of any face
	BoxDrawing                 // a box-drawing or block character of the embedded font, to stretch to its cell
	Missing                    // an empty frame: no face has the text
)

// A Span is a part of a row in one ink.
type Span struct {
	Kind   SpanKind
	Ink    Ink
	Text   string
	Column int // of its first cell
	Cells  int
	Glyphs []Glyph

	order int // offset of its text in a bidirectional line, in runes
}

// maxMarks is the most marks drawn on one character: as many as follow the first
// character of the longest emoji, a kiss of two people with skin tones.
const maxMarks = 9

// Options configures a [Typesetter]. The zero Options does not wrap rows.
type Options struct {
	Columns          int // maximum width of a row; 0: unlimited
	TabWidth         int // columns between tab stops; 0: 4
	DisableLigatures bool
}

// A Typesetter turns text into spans on rows of cells.
type Typesetter struct {
	Rows    [][]Span
	Column  int // at which the next span begins
	Longest int // columns of the longest row

	faces    *Faces
	cell     float32 // width in CSS pixels
	options  Options
	order    int // of the next span
	known    map[operators][]Glyph
	clusters segmenter.Segmenter
	joined   strings.Builder // the text of the growing span
}

// operators is a run of operator characters in a style.
type operators struct {
	text  string
	style fonts.Style
}

// New returns a Typesetter without rows. [Typesetter.NewRow] and
// [Typesetter.Line] begin one.
func New(f *Faces, o Options) *Typesetter {
	main := f.Of(0)
	id, _ := main.NominalGlyph('0')
	return &Typesetter{
		faces: f, cell: main.HorizontalAdvance(id) * main.Scale, options: o,
		known: make(map[operators][]Glyph),
	}
}

// Line begins a row and sets pieces on it, and on further rows if it wraps.
func (t *Typesetter) Line(pieces []Piece) {
	t.NewRow()
	pieces = moveMarks(pieces)
	longest := t.Longest
	if slices.ContainsFunc(pieces, func(p Piece) bool { return strings.ContainsFunc(p.Text, rightToLeft) }) {
		l := newLine(pieces)
		t.setRow(l, 0, len(l.runes))
	} else {
		for _, p := range pieces {
			t.text(p.Text, p.Ink)
		}
	}
	if t.options.Columns > 0 && t.Column > t.options.Columns {
		t.Rows, t.Longest = t.Rows[:len(t.Rows)-1], longest
		t.NewRow()
		t.wrap(newLine(pieces))
	}
}

// NewRow begins a row.
func (t *Typesetter) NewRow() {
	t.Rows = append(t.Rows, nil)
	t.Column = 0
}

func (t *Typesetter) text(text string, k Ink) {
	main := t.faces.Of(k.Style)
	for text != "" {
		n := simplePrefix(text, main)
		switch {
		case n > 0:
			t.simple(text[:n], k, main)
		case text[0] == '\t':
			n = len(text) - len(strings.TrimLeft(text, "\t"))
			stop := cmp.Or(t.options.TabWidth, tabStop)
			t.Plain(strings.Repeat(" ", n*stop-t.Column%stop), k, main)
		default:
			if n = runPrefix(text); n > 0 {
				t.run([]rune(text[:n]), k)
			} else {
				n = clusterPrefix(text)
				t.clustersOf(text[:n], k, main)
			}
		}
		text = text[n:]
	}
}

// simplePrefix returns the length in bytes of the prefix of text whose
// characters the face has and that take one cell each.
func simplePrefix(text string, main *Face) int {
	last := 0 // offset of the last character
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if IsControl(rune(c)) {
				return i
			}
			last = i
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if extends(r) {
			return last
		}
		if IsControl(r) || isBox(r) || invisible(r) || ChangesDirection(r) || shapesAsRun(r) || clusterCells([]rune{r}) != 1 {
			return i
		}
		if _, ok := main.NominalGlyph(r); !ok {
			return i
		}
		last = i
		i += size
	}
	return len(text)
}

// runPrefix returns the length in bytes of the prefix of text to set as one run
// because its letters join. The run is of one script, ends with such a letter,
// and may contain blanks, digits and punctuation.
func runPrefix(text string) int {
	end := 0
	var script language.Script
	for i, r := range text {
		switch {
		case end > 0 && extends(r):
			end = i + utf8.RuneLen(r)
		case shapesAsRun(r):
			if end > 0 && language.LookupScript(r) != script {
				return end
			}
			script = language.LookupScript(r)
			end = i + utf8.RuneLen(r)
		case end == 0, r >= 0x80, r < ' ', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', i > end+32:
			return end
		}
	}
	return end
}

// clusterPrefix returns the length in bytes of the prefix of text, at least one
// character, to set cluster by cluster.
func clusterPrefix(text string) int {
	for i, r := range text {
		if i > 0 && (r < utf8.RuneSelf || shapesAsRun(r)) {
			if next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):]); r >= utf8.RuneSelf || !extends(next) {
				return i
			}
		}
	}
	return len(text)
}

// simple sets characters of one cell each, with ligatures.
func (t *Typesetter) simple(text string, k Ink, main *Face) {
	start := 0
	for i := 0; i < len(text); {
		n := 0
		for i+n < len(text) && n < 64 && isOperator(text[i+n]) {
			n++
		}
		if n < 2 || t.options.DisableLigatures {
			i += max(n, 1)
			continue
		}
		t.Plain(text[start:i], k, main)
		t.operators(text[i:i+n], k, main)
		i += n
		start = i
	}
	t.Plain(text[start:], k, main)
}

// operators sets a run of operator characters. Glyphs that differ from those of
// the single characters form a ligature.
func (t *Typesetter) operators(text string, k Ink, main *Face) {
	key := operators{text, k.Style}
	glyphs, ok := t.known[key]
	if !ok {
		glyphs, _ = main.shape([]rune(text), harfbuzz.LeftToRight)
		t.known[key] = glyphs
	}
	if len(glyphs) != len(text) {
		t.Plain(text, k, main)
		return
	}
	ligated := func(i int) bool {
		id, _ := main.NominalGlyph(rune(text[i]))
		return id != glyphs[i].ID
	}
	for i := 0; i < len(text); {
		end := i + 1
		for end < len(text) && ligated(end) == ligated(i) {
			end++
		}
		if ligated(i) {
			t.ligature(text[i:end], k, glyphs[i:end])
		} else {
			t.Plain(text[i:end], k, main)
		}
		i = end
	}
}

func (t *Typesetter) ligature(text string, k Ink, glyphs []Glyph) {
	own := make([]Glyph, len(glyphs))
	for i, g := range glyphs {
		g.X -= glyphs[0].X
		own[i] = g
	}
	t.put(Span{Kind: Ligature, Ink: k, Text: text, Cells: len(text), Glyphs: own})
}

// Plain sets characters of the main face, one cell each.
func (t *Typesetter) Plain(text string, k Ink, main *Face) {
	if text == "" {
		return
	}
	s := t.extend(k)
	for _, r := range text {
		if r != ' ' {
			id, _ := main.NominalGlyph(r)
			s.Glyphs = append(s.Glyphs, Glyph{Face: main, ID: id, X: float32(s.Cells) * t.cell, Size: 1})
		}
		s.Cells++
		t.Column++
	}
	t.join(s, text)
	t.Longest = max(t.Longest, t.Column)
}

// join appends text to that of a span, without copying it each time for a span
// that grows step by step.
func (t *Typesetter) join(s *Span, text string) {
	if s.Text == "" {
		s.Text = text
		return
	}
	if s.Text != t.joined.String() {
		t.joined.Reset()
		t.joined.WriteString(s.Text)
	}
	t.joined.WriteString(text)
	s.Text = t.joined.String()
}

// extend returns the plain span in ink k that ends at the current column, or
// begins one.
func (t *Typesetter) extend(k Ink) *Span {
	row := &t.Rows[len(t.Rows)-1]
	if n := len(*row); n == 0 || (*row)[n-1].Kind != Plain || (*row)[n-1].Ink != k || (*row)[n-1].order != t.order {
		*row = append(*row, Span{Kind: Plain, Ink: k, Column: t.Column, order: t.order})
	}
	return &(*row)[len(*row)-1]
}

// put sets a span that cannot be divided.
func (t *Typesetter) put(s Span) {
	s.Column, s.order = t.Column, t.order
	row := &t.Rows[len(t.Rows)-1]
	*row = append(*row, s)
	t.Column += s.Cells
	t.Longest = max(t.Longest, t.Column)
}

// clustersOf sets text one grapheme cluster at a time. The segmenter splits a
// joined emoji that follows another emoji after its joiner; clustersOf joins
// the parts again.
func (t *Typesetter) clustersOf(text string, k Ink, main *Face) {
	t.clusters.Init([]rune(text))
	var joined []rune
	for it := t.clusters.GraphemeIterator(); it.Next(); {
		cluster := it.Grapheme().Text
		if len(joined) > 0 && !isEmoji(cluster) {
			t.cluster(joined, k, main)
			joined = nil
		}
		if joined = append(joined, cluster...); len(joined) > 1 && joined[len(joined)-1] == zeroWidthJoiner && isEmoji(joined) {
			continue
		}
		t.cluster(joined, k, main)
		joined = nil
	}
	if len(joined) > 0 {
		t.cluster(joined, k, main)
	}
}

func (t *Typesetter) cluster(cluster []rune, k Ink, main *Face) {
	cells := clusterCells(cluster)
	frame := Glyph{Face: t.faces.open(Embedded(fonts.Family, k.Style)), Size: 1}
	s := Span{Kind: Missing, Ink: k, Text: string(cluster), Cells: cells, Glyphs: fit([]Glyph{frame}, t.cell, float32(cells)*t.cell, false)}
	switch r := cluster[0]; {
	case cells == 0:
		return
	case IsControl(r), ChangesDirection(r):
	case isBox(r) && len(cluster) == 1:
		s.Kind = BoxDrawing
		s.Glyphs[0].ID, _ = frame.Face.NominalGlyph(cmp.Or(boxAlike[r], r))
	default:
		if glyphs, advance := t.shapeCluster(cluster, k.Style, main); glyphs != nil {
			s.Kind, s.Glyphs = Shaped, fit(glyphs, advance, float32(cells)*t.cell, cells == 2)
		} else {
			t.faces.missing[r] = true
		}
	}
	t.put(s)
}
