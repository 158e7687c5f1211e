package logs

import (
	"bytes"
	_ "embed"
	"strings"

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
	literals         []int // indexes of texts of which a line must hold one; none if empty
}

// reportRows are the rows by the bytes that a line may start with, and the
// texts that lines must hold. Almost all lines of almost all logs match no row:
// to find the texts first, in one pass over the line, makes reading a log ten
// times as fast as to try the patterns.
var reportRows, reportLiterals = readReportRows(reportTable)

func readReportRows(table string) (rows [256][]*reportRow, literals literalIndex) {
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		r := &reportRow{tool: columns[0], kind: columns[1], pattern: pattern.MustCompile(columns[3])}
		r.role, r.whole = strings.CutSuffix(columns[2], "=")
		r.role, r.inSection = strings.CutSuffix(r.role, "§")
		if len(columns) > 4 {
			r.suffixes = strings.Split(columns[4], ",")
		}
		if text := longestLiteral(columns[3]); text != "" {
			r.literals = append(r.literals, literals.add(text))
		}
		for c, first := range r.pattern.First {
			if first {
				rows[c] = append(rows[c], r)
			}
		}
	}
	return rows, literals
}

// longestLiteral returns the longest text without blanks that each line which
// matches a pattern holds, if it has at least three bytes.
func longestLiteral(source string) string {
	longest, text, depth := "", "", 0
	for i := 0; i < len(source); i++ {
		switch c := source[i]; {
		case c == '{' || c == '(':
			depth++
			text = ""
		case c == '}' || c == ')':
			depth--
		case c == ' ' || depth > 0 && c != '\\' || c == '?' && source[i-1] == ')':
			text = ""
		case c == '\\' && depth == 0 && source[i+1] == 't':
			text = ""
			i++
		case c == '\\':
			i++
			if depth == 0 {
				text += source[i : i+1]
			}
		default:
			text += source[i : i+1]
		}
		if len(text) > max(2, len(longest)) {
			longest = text
		}
	}
	return longest
}

// literalIndex finds texts by a hash of their first three bytes.
type literalIndex struct {
	texts   [][]byte
	buckets [1 << 12][]int
}

func (x *literalIndex) add(text string) int {
	for i, known := range x.texts {
		if string(known) == text {
			return i
		}
	}
	n := len(x.texts)
	x.texts = append(x.texts, []byte(text))
	h := hash3(x.texts[n])
	x.buckets[h] = append(x.buckets[h], n)
	return n
}

func hash3(b []byte) uint32 {
	return (uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16) * 0x9E3779B1 >> 20
}

// find sets the line number of each text that the line holds.
func (x *literalIndex) find(line []byte, number int, found []int) {
	for i := 0; i+3 <= len(line); i++ {
		for _, n := range x.buckets[hash3(line[i:])] {
			if bytes.HasPrefix(line[i:], x.texts[n]) {
				found[n] = number
			}
		}
	}
}
