package listing

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/httpapi/internal/search"
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
	pattern *search.Expression
}

// MaxQuery is the maximum length of a query in bytes. One expression may take it
// all.
const MaxQuery = search.MaxLength

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
		if strings.ContainsRune(Levels, letter) && !strings.ContainsRune(f.levels, letter) {
			f.levels += string(letter)
		}
	}
	if len(query) > MaxQuery {
		return f, fmt.Errorf("the query has more than %d bytes", MaxQuery)
	}
	instructions := 0
	for rest := strings.TrimSpace(query); rest != ""; rest = strings.TrimLeft(rest, " \t") {
		var t term
		if len(rest) > 1 && rest[0] == '-' && rest[1] != ' ' {
			t.without, rest = true, rest[1:]
		}
		var err error
		if rest, err = t.read(rest); err != nil {
			return f, err
		}
		if t.pattern != nil {
			instructions += t.pattern.Instructions
		}
		if instructions > search.MaxInstructions {
			return f, search.ErrTooComplex
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
		t.pattern, err = search.Compile(source)
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

// matches reports whether the filter selects a line. It ignores escape
// sequences. The error is that of ctx, which may end during the call.
func (f Filter) matches(ctx context.Context, line logs.Line) (bool, error) {
	if f.levels != "" && !strings.Contains(f.levels, cmp.Or(levelClass[line.Level][0], "o")) || f.lines != nil && !f.lines.Has(line.Number) {
		return false, nil
	}
	if len(f.terms) == 0 {
		return true, nil
	}
	text := terminal.Text(line.Text)
	lower := strings.ToLower(text)
	for _, t := range f.terms {
		found, err := strings.Contains(lower, t.text), ctx.Err()
		if t.pattern != nil {
			found, err = t.pattern.Match(ctx, text)
		}
		if err != nil || found == t.without {
			return false, err
		}
	}
	return true, ctx.Err()
}

// mayMatch reports whether the filter may select a line of a text: not if the
// text lacks a word. That takes a tenth of the time of reading its lines, so
// that a search for a rare word reaches the end of the longest log in a second.
func (f Filter) mayMatch(text string) bool {
	if strings.IndexByte(text, 0x1b) >= 0 {
		return true // a sequence may divide the word
	}
	lower := strings.ToLower(text)
	return !slices.ContainsFunc(f.terms, func(t term) bool {
		return t.pattern == nil && !t.without && !strings.Contains(lower, t.text)
	})
}

// A Selection is what a filter selects of a log.
type Selection struct {
	Lines []int    // numbers of the lines, ascending
	Texts []string // distinct texts that the expressions of the filter matched
	// Searched is the number of lines that were searched: fewer than the log has
	// if the time was over or too many lines were found.
	Searched int
}

const (
	maxTexts     = 100   // in a Selection
	maxTextBytes = 1_000 // of one of them
)

// Select returns the lines of a log that the filter selects. It ends with ctx,
// or after as many lines as a page can number.
func (f Filter) Select(ctx context.Context, content string) Selection {
	s := Selection{Lines: []int{}}
	seen := make(map[string]bool)
	for line := range logs.Lines(content) {
		chosen, err := f.matches(ctx, line)
		if err != nil || len(s.Lines) == maxLines {
			break
		}
		s.Searched = line.Number
		if !chosen {
			continue
		}
		s.Lines = append(s.Lines, line.Number)
		for _, t := range f.terms {
			if t.pattern == nil || t.without || len(seen) >= maxTexts {
				continue
			}
			if text := t.pattern.Find(terminal.Text(line.Text)); text != "" && len(text) <= maxTextBytes {
				seen[text] = true
			}
		}
	}
	s.Texts = slices.Sorted(maps.Keys(seen))
	return s
}

// has reports whether a line is selected.
func (s *Selection) has(line int) bool {
	_, found := slices.BinarySearch(s.Lines, line)
	return found
}

// A Range is an inclusive range of line numbers.
type Range struct{ From, To int }

// Ranges is a list of ranges, written in URLs as 12-31,202-221.
type Ranges []Range

// ParseRanges parses ranges. It ignores invalid ones and those after the first
// hundred.
func ParseRanges(text string) Ranges {
	var all Ranges
	for part := range strings.SplitSeq(text, ",") {
		first, last, ok := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		to := from
		if ok && err == nil {
			to, err = strconv.Atoi(last)
		}
		if err == nil && 0 < from && from <= to && len(all) < 100 {
			all = append(all, Range{from, to})
		}
	}
	return all
}

// String formats the ranges for [ParseRanges].
func (r Ranges) String() string {
	parts := make([]string, len(r))
	for i, one := range r {
		parts[i] = fmt.Sprintf("%d-%d", one.From, one.To)
	}
	return strings.Join(parts, ",")
}

// Has reports whether any of the ranges contains a line.
func (r Ranges) Has(line int) bool {
	return slices.ContainsFunc(r, func(one Range) bool { return one.From <= line && line <= one.To })
}
