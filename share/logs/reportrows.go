package logs

import (
	_ "embed" // of the tables
	"iter"
	"math/bits"
	"regexp"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/pattern"
)

// reportTable holds a row for each line that a tool prints about failures, and
// adviceTable what to do about failures whose cause is certain.
//
//go:embed reports.tsv
var reportTable string

//go:embed advice.tsv
var adviceTable string

const maxAdvice = 3

// reportRow is a row of reports.tsv, which describes the columns, or one of
// advice.tsv, whose role is advice.
type reportRow struct {
	tool, kind, role string
	inSection        bool
	whole            bool // the line is the message
	suffixes         []string
	pattern          *pattern.Pattern
	cause            *regexp.Regexp // of advice
	sentence         string
}

// reportRows are the rows of both tables, and rowIndex finds them. Almost all
// lines of almost all logs match no row: to find the texts first, in one pass
// over the line, makes reading a log ten times as fast as to try the patterns.
// rowsOf are the rows that apply to any line, those that apply to the lines of a
// failure or a section of a tool, under its name, and those of roles that apply to
// no line.
var reportRows, rowIndex, rowsOf = readReportRows()

// The keys of rowsOf that are no tools, and the rows of two.
const anyLine, anyTool = "", "*"

var anyRows, anyToolRows = rowsOf[anyLine], rowsOf[anyTool]

// The rows of the words that state an outcome, and of the files of libraries.
var (
	outcomeRow = slices.IndexFunc(reportRows, func(r reportRow) bool { return r.role == "outcome" })
	libraryRow = reportRows[slices.IndexFunc(reportRows, func(r reportRow) bool { return r.role == "library" })]
)

func readReportRows() (rows []reportRow, index *textIndex, of map[string]*rowSet) {
	index, of = new(textIndex), make(map[string]*rowSet)
	for columns := range ascii.Rows(reportTable) {
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
		key := ascii.If(r.inSection, r.tool)
		switch r.role {
		case "value", "above", "outcome", "library":
			key = r.role
		case "detail", "frame", "last", "drop", "name":
			key = r.tool
		}
		if of[key] == nil {
			of[key] = new(rowSet)
		}
		of[key].add(len(rows))
		rows = append(rows, r)
	}
	of["advice"] = new(rowSet)
	for columns := range ascii.Rows(adviceTable) {
		index.add(len(rows), columns[0])
		of["advice"].add(len(rows))
		rows = append(rows, reportRow{role: "advice", cause: regexp.MustCompile(columns[1]), sentence: columns[2]})
	}
	return rows, index, of
}

// textIndex finds the rows of a table of which a line holds a text.
type textIndex struct {
	always [256]rowSet // rows without a text, by the bytes that a line may start with
	texts  []rowText
	heads  [1 << 13]uint16 // one more than the index of the first text of a hash: 16 KB stay in the processor's cache
}

// rowText is a text, three bytes of it that are rare and their offset, the rows
// that need it, and one more than the index of the next text with their hash.
type rowText struct {
	text   string
	window uint32
	at     int
	rows   rowSet
	next   uint16
}

// rowSet is a set of rows of reports.tsv and advice.tsv, which have at most 1,024.
type rowSet struct {
	words [16]uint64
	used  uint16 // the words that are not 0
}

func (s *rowSet) add(row int) {
	s.words[row/64] |= 1 << (row % 64)
	s.used |= 1 << (row / 64)
}

func (s *rowSet) has(row int) bool { return s.words[row/64]>>(row%64)&1 != 0 }

// addAll adds the rows of another set, if there is one.
func (s *rowSet) addAll(other *rowSet) {
	if other == nil {
		return
	}
	for used := other.used; used != 0; used &= used - 1 {
		k := bits.TrailingZeros16(used) & 15
		s.words[k] |= other.words[k]
	}
	s.used |= other.used
}

// in yields the rows of a set that are in another, in order.
func (s *rowSet) in(other *rowSet) iter.Seq[int] {
	return func(yield func(int) bool) {
		for used := s.used & other.used; used != 0; used &= used - 1 {
			k := bits.TrailingZeros16(used) & 15
			for word := s.words[k] & other.words[k]; word != 0; word &= word - 1 {
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
func hashText(window uint32) uint32 { return window * 0x9E3779B1 >> 19 }

// add adds a row that needs one of texts.
func (x *textIndex) add(row int, texts ...string) {
	for _, text := range texts {
		other := strings.IndexFunc(text, func(c rune) bool { return c < 'a' || c > 'z' })
		at := max(min(other-1, len(text)-minText), 0)
		window := uint32(text[at]) | uint32(text[at+1])<<8 | uint32(text[at+2])<<16
		head := &x.heads[hashText(window)]
		n := *head
		for n > 0 && x.texts[n-1].text != text {
			n = x.texts[n-1].next
		}
		if n == 0 {
			x.texts = append(x.texts, rowText{text: text, window: window, at: at, next: *head})
			n, *head = uint16(len(x.texts)), uint16(len(x.texts))
		}
		x.texts[n-1].rows.add(row)
	}
}

// find finds the rows that may match a line.
func (x *textIndex) find(line []byte, found *rowSet) {
	*found = x.always[line[0]]
	window, heads := uint32(0), &x.heads
	for i, c := range line {
		window = window>>8 | uint32(c)<<16
		for n := heads[hashText(window)]; n > 0; n = x.texts[n-1].next {
			text := &x.texts[n-1]
			if start := i + 1 - minText - text.at; window == text.window && start >= 0 && ascii.HasPrefix(line[start:], text.text) {
				found.addAll(&text.rows)
			}
		}
	}
}

// advise adds the advice for a line of a failure, in which rows were found.
func (r *Report) advise(line []byte, rows *rowSet) {
	for i := range rows.in(rowsOf["advice"]) {
		row := &reportRows[i]
		if m := row.cause.FindSubmatchIndex(line); m != nil && len(r.Advice) < maxAdvice {
			sentence := string(row.cause.Expand(nil, []byte(row.sentence), line, m))
			if !slices.Contains(r.Advice, sentence) {
				r.Advice = append(r.Advice, sentence)
			}
			return
		}
	}
}
