package listing

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/share/logs"
)

// A Filter selects lines of a log by text, level and number. The zero Filter
// selects all.
type Filter struct {
	terms  []term
	levels string // letters of the levels
	lines  Ranges
}

// A term is text that a line must contain, or must not.
type term struct {
	without bool
	text    string // in lower case
	pattern *regexp.Regexp
}

// MaxQuery is the maximum length of a query in bytes.
const MaxQuery = 1000

// Levels are the letters of the levels, most severe first: fatal, error,
// warning, info, debug, trace, and other for lines without a level.
const Levels = "fewidto"

// NewFilter parses a query, the letters of levels and the ranges of lines. A
// line must match the query and, if these are not empty, one of the levels and
// one of the ranges.
//
// A query is a list of terms, all of which must occur in a line: a word, a
// "phrase in quotes", or a regular expression in RE2's syntax between slashes,
// as in /time(d out|out)/, with the suffix i to ignore case. Words and phrases
// ignore case. A hyphen before a term excludes lines that contain it.
//
// The error describes what is wrong with the query, for its author to read.
func NewFilter(query, levels, lines string) (Filter, error) {
	f := Filter{lines: ParseRanges(lines)}
	for _, letter := range levels {
		if strings.ContainsRune(Levels, letter) {
			f.levels += string(letter)
		}
	}
	if len(query) > MaxQuery {
		return f, fmt.Errorf("the query has more than %d bytes", MaxQuery)
	}
	for rest := strings.TrimSpace(query); rest != ""; rest = strings.TrimLeft(rest, " \t") {
		var t term
		if len(rest) > 1 && rest[0] == '-' && rest[1] != ' ' {
			t.without, rest = true, rest[1:]
		}
		var err error
		if rest, err = t.read(rest); err != nil {
			return f, err
		}
		if t.text != "" || t.pattern != nil {
			f.terms = append(f.terms, t)
		}
	}
	return f, nil
}

// expression matches a regular expression at the start of a query.
var expression = regexp.MustCompile(`^/((?:[^/\\]|\\.)+)/(i?)(?:[ \t]|$)`)

// read parses a term at the start of a query and returns the rest.
func (t *term) read(query string) (rest string, err error) {
	if m := expression.FindStringSubmatch(query); m != nil {
		source := strings.ReplaceAll(m[1], `\/`, "/")
		if m[2] != "" {
			source = "(?i:" + source + ")"
		}
		t.pattern, err = regexp.Compile(source)
		if fault := (*syntax.Error)(nil); errors.As(err, &fault) {
			err = fmt.Errorf("%s: %s", fault.Code, fault.Expr)
		}
		return query[len(m[0]):], err
	}
	if phrase, ok := strings.CutPrefix(query, `"`); ok {
		if phrase, after, closed := strings.Cut(phrase, `"`); closed {
			t.text = strings.ToLower(phrase)
			return after, nil
		}
	}
	end := strings.IndexAny(query, " \t")
	if end < 0 {
		end = len(query)
	}
	t.text = strings.ToLower(query[:end])
	return query[end:], nil
}

// Active reports whether the filter can exclude lines.
func (f Filter) Active() bool { return len(f.terms) > 0 || f.levels != "" || f.lines != nil }

// Matches reports whether the filter selects a line. It ignores escape
// sequences.
func (f Filter) Matches(line logs.Line) bool {
	if f.levels != "" && !strings.Contains(f.levels, levelLetter(line.Level)) {
		return false
	}
	if f.lines != nil && !f.lines.Has(line.Number) {
		return false
	}
	if len(f.terms) == 0 {
		return true
	}
	text := terminal.Text(line.Text)
	lower := strings.ToLower(text)
	for _, t := range f.terms {
		if t.found(text, lower) == t.without {
			return false
		}
	}
	return true
}

func (t term) found(text, lower string) bool {
	if t.pattern != nil {
		return t.pattern.MatchString(text)
	}
	return strings.Contains(lower, t.text)
}

// levelLetter returns the letter of a level in [Levels].
func levelLetter(level logs.Level) string {
	return cmp.Or(levelClass[level][0], "o")
}

// Hits returns the numbers of the selected lines of a log and up to a hundred
// distinct texts that the filter's regular expressions matched.
func (f Filter) Hits(content string) (lines []int, found []string) {
	lines = []int{}
	seen := make(map[string]bool)
	for line := range logs.Lines(content) {
		if !f.Matches(line) {
			continue
		}
		lines = append(lines, line.Number)
		for _, t := range f.terms {
			if t.pattern == nil || t.without || len(seen) >= 100 {
				continue
			}
			if text := t.pattern.FindString(terminal.Text(line.Text)); text != "" && !seen[text] {
				seen[text] = true
				found = append(found, text)
			}
		}
	}
	return lines, found
}
