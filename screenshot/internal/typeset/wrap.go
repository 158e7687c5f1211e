package typeset

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"github.com/go-text/typesetting/bidi"
)

// A line that is too long is wrapped between words, and its bidirectional text
// is reordered row by row (UAX #9, rule L2). Words end at blanks, which are
// dropped at the end of a row, and beside wide characters, which are written
// without blanks. The rows after the first are indented more than the first, as
// far as a word still fits. Only a word longer than a row is divided, after a
// character that is not a letter or digit if possible.

// hang is the additional indentation of the rows after the first, in columns.
const hang = 2

// A line is a sequence of pieces that can be cut between any two runes.
type line struct {
	runes  []rune
	inks   []Ink
	starts []int      // of the pieces, in runes
	runs   []bidi.Run // in logical order; nil if all text is left to right
}

func newLine(pieces []Piece) *line {
	l := new(line)
	for _, p := range pieces {
		l.starts = append(l.starts, len(l.runes))
		l.inks = append(l.inks, p.Ink)
		l.runes = append(l.runes, []rune(p.Text)...)
	}
	if slices.ContainsFunc(l.runes, rightToLeft) {
		l.runs = directions(l.runes)
	}
	return l
}

// A part is the intersection of a piece and a range of a line.
type part struct {
	Piece
	start int // in the line, in runes
}

// cut returns the parts of a line from rune start to before rune end.
func (l *line) cut(start, end int) []part {
	i, found := slices.BinarySearch(l.starts, start)
	if !found {
		i--
	}
	var parts []part
	for ; i < len(l.starts) && l.starts[i] < end; i++ {
		to := end
		if i+1 < len(l.starts) {
			to = min(to, l.starts[i+1])
		}
		if from := max(start, l.starts[i]); from < to {
			parts = append(parts, part{Piece{string(l.runes[from:to]), l.inks[i]}, from})
		}
	}
	return parts
}

// wrap sets a line on the current row and on new ones.
func (t *Typesetter) wrap(l *line) {
	measure := New(t.faces, t.options)
	start, indent := l.blanks(0, 0, cmp.Or(t.options.TabWidth, tabStop))
	for first := true; start < len(l.runes); first = false {
		from, room := start, t.options.Columns
		end := l.wordEnd(start, room)
		switch w := measure.cells(l, start, end); {
		case w > room:
			end = measure.divide(l, start, end)
		case first && indent+w <= room:
			from = 0
			end = t.fill(measure, l, end, indent+w)
		default:
			t.Column = min(indent, room-w)
			end = t.fill(measure, l, end, t.Column+w)
		}
		t.setRow(l, from, end)
		if first {
			indent = min(indent+hang, room/2)
		}
		if start, _ = l.blanks(end, 0, 1); start < len(l.runes) {
			t.NewRow()
		}
	}
}

// fill returns the end of the last word that fits on a row; the text up to end
// fills the row up to column.
func (t *Typesetter) fill(measure *Typesetter, l *line, end, column int) int {
	for {
		next, at := l.blanks(end, column, cmp.Or(t.options.TabWidth, tabStop))
		if next == len(l.runes) {
			return end
		}
		word := l.wordEnd(next, t.options.Columns)
		if column = at + measure.cells(l, next, word); column > t.options.Columns {
			return end
		}
		end = word
	}
}

// cells returns the number of cells of a range of a line without blanks.
func (t *Typesetter) cells(l *line, start, end int) int {
	t.Rows = t.Rows[:0]
	t.NewRow()
	for _, p := range l.cut(start, end) {
		t.text(p.Text, p.Ink)
	}
	return t.Column
}

// divide returns where to divide a word that is longer than a row: after its
// first character or later, and after a character that is not a letter or digit
// if there is one.
func (t *Typesetter) divide(l *line, start, end int) int {
	t.clusters.Init(l.runes[start:end])
	ends, room := []int{start}, t.options.Columns
	for it := t.clusters.GraphemeIterator(); it.Next(); {
		cluster := it.Grapheme().Text
		if room -= clusterCells(cluster); room < 0 && len(ends) > 1 {
			break
		}
		ends = append(ends, ends[len(ends)-1]+len(cluster))
	}
	last := len(ends) - 1
	for last > 1 { // letters that join may be wider than the sum of their cells
		cells := t.cells(l, start, ends[last])
		if cells <= t.options.Columns {
			break
		}
		last = max(1, min(last-1, last*t.options.Columns/cells))
	}
	for _, at := range slices.Backward(ends[1 : last+1]) {
		if before := l.runes[at-1]; !unicode.In(before, unicode.L, unicode.M, unicode.N) && before != '_' {
			return at
		}
	}
	return ends[last]
}

// blanks returns the end of the blanks at an offset in the line, and the column
// reached there.
func (l *line) blanks(at, column, tabWidth int) (end, reached int) {
	for ; at < len(l.runes); at++ {
		switch r := l.runes[at]; {
		case r == '\t':
			column += tabWidth - column%tabWidth
		case isBlank(r):
			column += clusterCells([]rune{r})
		default:
			return at, column
		}
	}
	return at, column
}

// maxCluster is the most characters per cell in a word that stays whole. A
// longer word is divided, so that it is not measured again for each row.
const maxCluster = 4

// wordEnd returns the end of the word at an offset in the line, or of a prefix
// of it that is certainly longer than the given cells.
func (l *line) wordEnd(at, cells int) int {
	last := min(len(l.runes), at+cells*maxCluster)
	for i := at + 1; i < last; i++ {
		if before, r := l.runes[i-1], l.runes[i]; isBlank(r) || (isWide(before) || isWide(r)) && mayPart(before, r) {
			return i
		}
	}
	return last
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' || r == 0x3000 }

func isWide(r rune) bool {
	k := width.LookupRune(r).Kind()
	return k == width.EastAsianWide || k == width.EastAsianFullwidth
}

// mayPart reports whether a row may end between two characters, one of which is
// wide: not within an emoji, after an opening or before a closing punctuation
// mark.
func mayPart(before, r rune) bool {
	return !extends(r) && before != zeroWidthJoiner && !unicode.In(before, unicode.Ps, unicode.Pi) &&
		!unicode.In(r, unicode.Pe, unicode.Pf, unicode.Po, unicode.Lm) && !strings.ContainsRune("\"'`", before)
}
