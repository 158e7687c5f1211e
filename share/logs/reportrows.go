package logs

import (
	_ "embed" // of reports.tsv
	"iter"
	"math/bits"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/pattern"
)

// reportTable holds a row for each line that a tool prints about failures.
//
//go:embed reports.tsv
var reportTable string

// reportRow is a row of reports.tsv, which describes the columns.
type reportRow struct {
	tool, kind, role string
	inSection        bool
	whole            bool // the line is the message
	suffixes         []string
	pattern          *pattern.Pattern
}

// reportRows are the rows of reports.tsv, and reportIndex finds them. Almost all
// lines of almost all logs match no row: to find the texts first, in one pass
// over the line, makes reading a log ten times as fast as to try the patterns.
// openingRows are those that apply if nothing has failed so far.
var reportRows, reportIndex, openingRows = readReportRows(reportTable)

// The rows of the words that state an outcome, and of the files of libraries.
var outcomeRow, libraryRow = rowOf("outcome"), reportRows[rowOf("library")]

func rowOf(role string) int {
	return slices.IndexFunc(reportRows, func(r reportRow) bool { return r.role == role })
}

func readReportRows(table string) (rows []reportRow, index textIndex, opening rowSet) {
	for columns := range ascii.Rows(table) {
		r := reportRow{tool: columns[0], kind: columns[1], pattern: pattern.MustCompile(columns[3]), suffixes: strings.Split(columns[4], ",")}
		r.role, r.whole = strings.CutSuffix(columns[2], "=")
		r.role, r.inSection = strings.CutSuffix(r.role, "§")
		needs := r.suffixes
		if len(r.pattern.Needs) >= minText {
			needs = []string{r.pattern.Needs}
		}
		if !slices.ContainsFunc(needs, func(text string) bool { return len(text) < minText }) {
			index.add(len(rows), needs...)
		} else {
			for c := range index.always {
				if r.pattern.First.Has(byte(c)) {
					index.always[c].add(len(rows))
				}
			}
		}
		if !r.inSection && !slices.Contains([]string{"detail", "frame", "last", "drop", "name", "value", "above", "outcome", "library"}, r.role) {
			opening.add(len(rows))
		}
		rows = append(rows, r)
	}
	return rows, index, opening
}

// textIndex finds the rows of a table of which a line holds a text.
type textIndex struct {
	always [256]rowSet // rows without a text, by the bytes that a line may start with
	texts  []rowText
	heads  [1 << 12]uint16 // one more than the index of the first text of a hash: 8 KB stay in the processor's cache
}

// rowText is a text, the rows that need it, and one more than the index of the
// next text whose first three bytes have its hash.
type rowText struct {
	text string
	rows rowSet
	next uint16
}

// rowSet is a set of the rows of a table, which has at most 320.
type rowSet [5]uint64

func (s *rowSet) add(row int) { s[row/64] |= 1 << (row % 64) }

func (s *rowSet) has(row int) bool { return s[row/64]>>(row%64)&1 != 0 }

// and returns the rows of both sets.
func (s rowSet) and(other *rowSet) rowSet {
	for k := range s {
		s[k] &= other[k]
	}
	return s
}

// all yields the rows of a set in the order of the table.
func (s rowSet) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for k, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(k*64 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

// minText is the number of bytes that the hash of a text covers.
const minText = 3

// hashText returns the hash of three bytes, the first of which is the lowest of
// a number.
func hashText(window uint32) uint32 { return window * 0x9E3779B1 >> 20 }

// add adds a row that needs one of texts.
func (x *textIndex) add(row int, texts ...string) {
	for _, text := range texts {
		i := slices.IndexFunc(x.texts, func(known rowText) bool { return known.text == text })
		if i < 0 {
			i = len(x.texts)
			head := &x.heads[hashText(uint32(text[0])|uint32(text[1])<<8|uint32(text[2])<<16)]
			x.texts = append(x.texts, rowText{text: text, next: *head})
			*head = uint16(i + 1)
		}
		x.texts[i].rows.add(row)
	}
}

// find returns the rows that may match a line.
func (x *textIndex) find(line []byte) rowSet {
	found := x.always[line[0]]
	window := uint32(0)
	for i, c := range line {
		window = window>>8 | uint32(c)<<16
		for n := x.heads[hashText(window)]; n > 0; n = x.texts[n-1].next {
			if text := &x.texts[n-1]; ascii.HasPrefix(line[max(i+1-minText, 0):], text.text) {
				for k := range found {
					found[k] |= text.rows[k]
				}
			}
		}
	}
	return found
}
