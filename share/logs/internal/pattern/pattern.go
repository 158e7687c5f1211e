// Package pattern matches lines against patterns that look like the lines:
//
//	{time} {level} [{thread}] {logger}: {message}
//	{pid:number}:{role:word} {time} {sign:.=debug,*=info,-=debug,#=warning} {message}
//	--- FAIL: {name} \({seconds:decimal}s\)
//
// A pattern consists of literal text and of parts in braces. A part has a name,
// under which [Match.Text] returns its text, and a type after a colon; a part
// that is named like a type has that type, any other is text. The types are:
//
//	time       a timestamp with a date; time:clock has none, time:any may have
//	           one, time:bsd starts with the name of a month and has no year,
//	           time:compact is that of glog, time:utc7 has seven digits of a
//	           second and a Z; time:8 and time:24 have so many bytes
//	level      the name of a level; LEVEL is one that starts with a capital
//	letter     the letter of a level
//	a=info     signs, separated by commas, with the level that each means; the
//	           first that fits counts
//	priority   a number of RFC 5424, whose severity is the level
//	status     an HTTP status, of which 5xx is an error and 4xx a warning
//	number     digits
//	decimal    digits with a point between them
//	capitals   capitals and underscores
//	word       anything but blanks and [](){}<>|"=,;
//	letters    letters; lowers only lower-case ones
//	column     anything but blanks
//	ident      letters, digits, hyphens, underscores, points and $, but no level
//	           and no number
//	program    anything but blanks, colons and [, but no level and no number
//	file       a path, which has a point or a slash, and no blanks or colons
//	           but that of a drive
//	text       as few bytes as possible, at least one
//	message    the rest of the line
//	entry      the rest of the line, which is the message of an entry and may have
//	           a head of its own
//	line       the rest of the line, which another program has written
//
// (a|b) is one of two or more texts with parts, and (a)? may be missing. A
// backslash precedes a literal ( ) | { } or \; \t is a tab. A blank in a pattern
// stands for one or more, two blanks for two or more; before message, entry and
// line there are exactly as many, or the line ends.
//
// A pattern matches from the start of a line and, if it does not end in
// message, entry or line, to the end of it. To match a line takes linear time:
// at most maxSteps attempts, whatever the pattern.
package pattern

import (
	"bytes"
	"slices"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

const (
	// maxHead is the number of bytes of a line in which all parts but the last
	// must end.
	maxHead  = 1 << 10
	maxSteps = 64 // choices and ends of texts that a match may try
)

// Pattern is a compiled pattern. It may be used by several goroutines.
type Pattern struct {
	// First has the bytes that a line that matches may start with.
	First ascii.Set
	// End is the type of the last part if that is message, entry or line.
	End string
	// Needs is the longest text without blanks that every matching line contains.
	Needs string
	// Signs are those that every matching line contains.
	Signs    Signs
	start    *node
	names    []string
	dated    bool // it starts with a timestamp
	searches bool // it has text of any length, so that Needs is looked for first
}

// Signs is a set of signs, each of which stands for any digit or for a few bytes.
type Signs uint64

// SignsOf returns the signs that a text contains.
func SignsOf(text []byte) (signs Signs) {
	for _, c := range text {
		signs |= signOf[c]
	}
	return signs
}

var signOf = func() (signs [256]Signs) {
	for c := range signs {
		switch {
		case ascii.IsDigit(byte(c)):
			signs[c] = 1 << '0'
		case c < 64:
			signs[c] = 1 << c
		default:
			signs[c] = 1 << (c % 32) // no line has control characters
		}
	}
	return signs
}()

// Match is the result of matching a line. It may be used again.
type Match struct {
	// Time is the timestamp, with its offsets in the line.
	Time stamp.Stamp
	// Level is the level that the parts state, and FromStatus tells that it is
	// that of an HTTP status.
	Level      level.Level
	FromStatus bool
	// Rest is the offset of the part message, entry or line, or the length of
	// the line.
	Rest int

	line  []byte
	spans []span // of the parts
	names []string
	steps int

	lead             stamp.Stamp // the timestamp at the start of the line, if it has been read
	leadLen, fileLen int         // one more than its length and that of a path there, or 0
}

// Reset must be called before a new line is matched.
func (m *Match) Reset() { m.leadLen, m.fileLen = 0, 0 }

// readLead reads the timestamp at the start of the line, which many patterns
// share.
func (m *Match) readLead(line []byte) int {
	if m.leadLen == 0 {
		m.leadLen = stamp.Parse(line, &m.lead) + 1
	}
	return m.leadLen - 1
}

// Text returns the text of a part, or nil if the line has none.
func (m *Match) Text(part string) []byte {
	for i, name := range slices.Backward(m.names) { // compiled from the end
		if name == part && m.spans[i].end > 0 {
			return m.line[m.spans[i].start:m.spans[i].end]
		}
	}
	return nil
}

// Match reports whether the line matches. It sets all of m but what Reset resets.
func (p *Pattern) Match(line []byte, m *Match) bool {
	switch {
	case len(line) == 0 || !p.First.Has(line[0]), p.dated && m.readLead(line) == 0,
		p.searches && !bytes.Contains(line[:min(len(line), maxHead)], []byte(p.Needs)):
		return false
	}
	m.line, m.names, m.steps, m.Rest = line, p.names, maxSteps, len(line)
	m.Time, m.Level, m.FromStatus = stamp.Stamp{}, level.None, false
	m.spans = append(m.spans[:0], make([]span, len(p.names))...)
	return p.start.match(m, 0)
}

// node matches a literal, a part or a choice, and what follows it. A part is
// captured when what follows it has matched, so that an attempt that fails
// leaves none behind.
type node struct {
	match func(m *Match, i int) bool // the line from i on
	first ascii.Set                  // the bytes that a match may start with; empty at the end of the line
	needs string                     // the longest text that a match contains
	signs Signs                      // those that a match contains
	rest  bool                       // it is the last part
}

type span struct{ start, end int }

func (m *Match) capture(part, start, end int) { m.spans[part] = span{start, end} }

// end is what follows the last node.
var end = &node{match: func(m *Match, i int) bool { return i == len(m.line) }}

// matchLiteral returns a function that matches literal text, and then next.
func matchLiteral(text string, next *node) func(m *Match, i int) bool {
	return func(m *Match, i int) bool {
		for k := range len(text) {
			blank := text[k] == ' '
			if i == len(m.line) && blank && next.rest {
				continue
			}
			if i >= len(m.line) || m.line[i] != text[k] {
				return false
			}
			i++
			last := k+1 == len(text)
			for blank && (last && !next.rest || !last && text[k+1] != ' ') && i < len(m.line) && m.line[i] == ' ' {
				i++
			}
		}
		return next.match(m, i)
	}
}

// matchPart returns a function that matches a part of a kind, and then next.
func matchPart(k kind, part int, next *node) func(m *Match, i int) bool {
	return func(m *Match, i int) bool {
		stated, fromStatus := m.Level, m.FromStatus
		if n := k.read(m, i); n > 0 && next.match(m, i+n) {
			m.capture(part, i, i+n)
			return true
		}
		m.Level, m.FromStatus = stated, fromStatus
		return false
	}
}

// matchText returns a function that matches as little text as possible before
// next.
func matchText(part int, message bool, next *node) func(m *Match, i int) bool {
	return func(m *Match, i int) bool {
		line := m.line[:min(len(m.line), i+maxHead)]
		for end := i + 1; end < len(line) && m.steps > 0; end++ {
			if !next.first.Has(line[end]) {
				continue
			}
			if m.steps--; next.match(m, end) {
				if m.capture(part, i, end); message {
					m.Rest = i
				}
				return true
			}
		}
		return false
	}
}

// matchRest returns a function that matches the rest of the line.
func matchRest(part int) func(m *Match, i int) bool {
	return func(m *Match, i int) bool {
		m.capture(part, i, len(m.line))
		m.Rest = i
		return true
	}
}
