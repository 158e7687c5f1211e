package screenshot

import (
	"image/color"
	"strings"
	"unicode/utf8"

	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/segmenter"

	"github.com/devkiln/devkiln/screenshot/internal/fonts"
)

// An ink is how text is drawn.
type ink struct {
	color     color.NRGBA
	style     fonts.Style
	underline bool
}

// A spanKind says how a span is drawn.
type spanKind uint8

const (
	plainSpan    spanKind = iota // one glyph of the main face for each cell
	ligatureSpan                 // glyphs of the main face that stand for the text as a whole
	shapedSpan                   // glyphs of any face
	boxSpan                      // box-drawing and block characters
	missingSpan                  // no face has the text: an empty frame
)

// A span is a piece of a row in one ink.
type span struct {
	kind   spanKind
	ink    ink
	text   string
	column int // of its first cell
	cells  int
	glyphs []glyph
}

// maxMarks bounds the marks that are drawn on one character.
const maxMarks = 8

// A typesetter turns text into spans on rows of cells.
type typesetter struct {
	faces     *faces
	cell      float32 // width in CSS pixels
	columns   int     // where rows are wrapped; 0: nowhere
	ligatures bool

	rows     [][]span
	column   int // where the next span begins
	longest  int // columns of the longest row
	known    map[operators][]glyph
	clusters segmenter.Segmenter
}

// operators is a run of operator characters in a style.
type operators struct {
	text  string
	style fonts.Style
}

func newTypesetter(f *faces, e Extras) *typesetter {
	main := f.of(0)
	id, _ := main.NominalGlyph('0')
	return &typesetter{
		faces: f, cell: main.HorizontalAdvance(id) * main.scale, columns: e.Columns, ligatures: !e.DisableLigatures,
		known: make(map[operators][]glyph),
	}
}

// line begins a row and sets tokens on it, and on rows below where it wraps.
func (t *typesetter) line(tokens []Token, inks func(Class) ink) {
	t.newRow()
	for _, token := range moveMarks(tokens) {
		t.text(token.Text, inks(token.Class))
	}
}

func (t *typesetter) newRow() {
	t.rows = append(t.rows, nil)
	t.column = 0
}

func (t *typesetter) text(text string, k ink) {
	main := t.faces.of(k.style)
	for text != "" {
		n := simplePrefix(text, main)
		switch {
		case n > 0:
			t.simple(text[:n], k, main)
		case text[0] == '\t':
			n = len(text) - len(strings.TrimLeft(text, "\t"))
			t.plain(strings.Repeat(" ", n*tabStop-t.column%tabStop), k, main)
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

// simplePrefix returns how many bytes of text are characters that the face has
// on one cell each.
func simplePrefix(text string, main *face) int {
	last := 0 // where the last character begins
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if isControl(rune(c)) {
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
		if isControl(r) || isBox(r) || invisible(r) || changesDirection(r) || shapesAsRun(r) || clusterCells([]rune{r}) != 1 {
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

// runPrefix returns how many bytes of text are to be set as one run, because
// its letters join: the run ends with such a letter, and may have blanks,
// digits and punctuation inside.
func runPrefix(text string) int {
	end := 0
	for i, r := range text {
		switch {
		case shapesAsRun(r) || end > 0 && extends(r):
			end = i + utf8.RuneLen(r)
		case end == 0, r >= 0x80, r < ' ', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', i > end+32:
			return end
		}
	}
	return end
}

// clusterPrefix returns how many bytes of text, at least one character, are to
// be taken cluster by cluster.
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
func (t *typesetter) simple(text string, k ink, main *face) {
	start := 0
	for i := 0; i < len(text); {
		n := 0
		for i+n < len(text) && n < 64 && isOperator(text[i+n]) {
			n++
		}
		if n < 2 || !t.ligatures {
			i += max(n, 1)
			continue
		}
		t.plain(text[start:i], k, main)
		t.operators(text[i:i+n], k, main)
		i += n
		start = i
	}
	t.plain(text[start:], k, main)
}

// operators sets a run of operator characters. Where shaping gives other
// glyphs than the characters have by themselves, these are a ligature.
func (t *typesetter) operators(text string, k ink, main *face) {
	key := operators{text, k.style}
	glyphs, ok := t.known[key]
	if !ok {
		glyphs, _ = main.shape([]rune(text), harfbuzz.LeftToRight)
		t.known[key] = glyphs
	}
	if len(glyphs) != len(text) {
		t.plain(text, k, main)
		return
	}
	ligated := func(i int) bool {
		id, _ := main.NominalGlyph(rune(text[i]))
		return id != glyphs[i].id
	}
	for i := 0; i < len(text); {
		end := i + 1
		for end < len(text) && ligated(end) == ligated(i) {
			end++
		}
		if ligated(i) {
			t.ligature(text[i:end], k, glyphs[i:end])
		} else {
			t.plain(text[i:end], k, main)
		}
		i = end
	}
}

func (t *typesetter) ligature(text string, k ink, glyphs []glyph) {
	own := make([]glyph, len(glyphs))
	for i, g := range glyphs {
		g.x -= glyphs[0].x
		own[i] = g
	}
	t.put(span{kind: ligatureSpan, ink: k, text: text, cells: len(text), glyphs: own})
}

// plain sets characters that the main face has on one cell each.
func (t *typesetter) plain(text string, k ink, main *face) {
	for text != "" {
		n, count := len(text), utf8.RuneCountInString(text)
		if t.columns > 0 && t.column+count > t.columns {
			if t.column >= t.columns {
				t.newRow()
			}
			count = min(count, t.columns-t.column)
			n = byteLength(text, count)
		}
		s := t.extend(k)
		for _, r := range text[:n] {
			if r != ' ' {
				id, _ := main.NominalGlyph(r)
				s.glyphs = append(s.glyphs, glyph{face: main, id: id, x: float32(s.cells) * t.cell, size: 1})
			}
			s.cells++
		}
		s.text += text[:n]
		t.column += count
		t.longest = max(t.longest, t.column)
		text = text[n:]
	}
}

// byteLength returns how many bytes the first count characters have.
func byteLength(text string, count int) int {
	for i := range text {
		if count == 0 {
			return i
		}
		count--
	}
	return len(text)
}

// extend returns the plain span in an ink that ends where the next begins, a
// new one if there is none.
func (t *typesetter) extend(k ink) *span {
	row := &t.rows[len(t.rows)-1]
	if n := len(*row); n == 0 || (*row)[n-1].kind != plainSpan || (*row)[n-1].ink != k {
		*row = append(*row, span{kind: plainSpan, ink: k, column: t.column})
	}
	return &(*row)[len(*row)-1]
}

// put sets a span that is not to be divided.
func (t *typesetter) put(s span) {
	if t.columns > 0 && t.column > 0 && t.column+s.cells > t.columns {
		t.newRow()
	}
	s.column = t.column
	row := &t.rows[len(t.rows)-1]
	*row = append(*row, s)
	t.column += s.cells
	t.longest = max(t.longest, t.column)
}

// clustersOf sets text grapheme cluster by grapheme cluster. The segmenter
// parts a joined emoji that follows another emoji after its joiner; such parts
// are put together again.
func (t *typesetter) clustersOf(text string, k ink, main *face) {
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

func (t *typesetter) cluster(cluster []rune, k ink, main *face) {
	cells := clusterCells(cluster)
	s := span{kind: missingSpan, ink: k, text: string(cluster), cells: cells}
	switch r := cluster[0]; {
	case cells == 0:
		return
	case isControl(r), changesDirection(r):
	case isBox(r) && len(cluster) == 1:
		s.kind = boxSpan
	default:
		if glyphs, advance := t.shapeCluster(cluster, k.style, main); glyphs != nil {
			s.kind, s.glyphs = shapedSpan, fit(glyphs, advance, float32(cells)*t.cell, cells == 2)
		}
	}
	t.put(s)
}
