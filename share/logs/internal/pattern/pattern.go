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
	"cmp"
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
	maxParts = 16
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
	Signs Signs
	start *step
}

// Signs is a set of signs, each of which stands for any digit or for a few bytes.
type Signs uint64

// SignsOf returns the signs that a text contains.
func SignsOf[T []byte | string](text T) (signs Signs) {
	for i := range len(text) {
		signs |= signOf[text[i]]
	}
	return signs
}

var signOf = func() (signs [256]Signs) {
	for c := range signs {
		if signs[c] = 1 << (c % 32); c < 64 { // no line has control characters
			signs[c] = 1 << c
		}
		if ascii.IsDigit(byte(c)) {
			signs[c] = 1 << '0'
		}
	}
	return signs
}()

// Match is the result of matching a line. It may be used again.
type Match struct {
	// Time is the timestamp, with its offsets in the line.
	Time stamp.Stamp
	found
	line  []byte
	steps int
	spans [maxParts]span

	lead    stamp.Stamp // the timestamp at the start of the line, if it has been read
	leadLen int         // one more than its length, or 0
}

// found is what an attempt has found, which the next one replaces.
type found struct {
	// Level is the level that the parts state, and FromStatus tells that it is
	// that of an HTTP status.
	Level      level.Level
	FromStatus bool
	// Rest is the offset of the part message, entry or line, or the length of
	// the line.
	Rest  int
	parts int // the number of spans
}

// span is the text of a part.
type span struct {
	name       string
	start, end int
}

// Reset must be called before a new line is matched.
func (m *Match) Reset() { m.leadLen = 0 }

// readLead reads the timestamp at the start of the line, which many patterns
// share.
func (m *Match) readLead() int {
	if m.leadLen == 0 {
		m.leadLen = stamp.Parse(m.line, &m.lead) + 1
	}
	return m.leadLen - 1
}

// Text returns the text of a part, or nil if the line has none.
func (m *Match) Text(part string) []byte {
	for _, s := range m.spans[:m.parts] {
		if s.name == part {
			return m.line[s.start:s.end]
		}
	}
	return nil
}

// Match reports whether the line matches. It sets all of m but what Reset resets.
func (p *Pattern) Match(line []byte, m *Match) bool {
	if len(line) == 0 || !p.First.Has(line[0]) {
		return false
	}
	m.line, m.steps, m.Time = line, maxSteps, stamp.Stamp{}
	m.found = found{Rest: len(line)}
	return m.match(p.start, 0)
}

// step matches a literal, blanks, a part or one of several choices, before next.
type step struct {
	text    string      // a literal
	level   level.Level // that it means
	blanks  int
	choices []*step                      // they lead to next
	name    string                       // of a part, or of a literal that is one
	read    func(m *Match, b []byte) int // returns the length of a part, or 0; nil for text of any length
	rest    bool                         // the part is the rest of the line
	next    *step
	first   ascii.Set // the bytes that it may start with; none at the end of the line
	signs   Signs     // those that it and what follows contain
}

var end = &step{}

// match reports whether the line from i on matches.
func (m *Match) match(s *step, i int) bool {
	for ; s != end; s = s.next {
		n := len(s.text)
		switch {
		case n > 0:
			if !ascii.HasPrefix(m.line[i:], s.text) {
				return false
			}
			m.Level = cmp.Or(s.level, m.Level)
		case s.blanks > 0:
			if n = s.blanksIn(m.line[i:]); n < 0 {
				return false
			}
		case s.choices != nil:
			return m.choose(s, i)
		case s.rest:
			n, m.Rest = len(m.line)-i, min(m.Rest, i)
		case s.read == nil:
			return m.search(s, i)
		default:
			if n = s.read(m, m.line[i:]); n == 0 {
				return false
			}
		}
		if s.name != "" {
			m.capture(s.name, i, i+n)
		}
		i += n
	}
	return i == len(m.line)
}

// blanksIn returns the length of the blanks at the start of b, or -1 if they are too
// few. Before the rest of the line they are as many as stated, or the line ends.
func (s *step) blanksIn(b []byte) int {
	n := len(b) - len(bytes.TrimLeft(b, " "))
	if s.next.rest {
		n = min(n, s.blanks)
	}
	return ascii.If(n >= s.blanks || s.next.rest && n == len(b), n+1) - 1
}

func (m *Match) capture(part string, start, end int) {
	m.spans[m.parts], m.parts = span{part, start, end}, m.parts+1
}

// choose matches one of the choices, and what follows.
func (m *Match) choose(s *step, i int) bool {
	before := m.found
	return slices.ContainsFunc(s.choices, func(choice *step) bool {
		m.found = before
		m.steps--
		return m.steps >= 0 && m.match(choice, i)
	})
}

// search matches as little text as possible, and what follows.
func (m *Match) search(s *step, i int) bool {
	if s.next == end {
		m.capture(s.name, i, len(m.line))
		return i < len(m.line)
	}
	line, before := m.line[:min(len(m.line), i+maxHead)], m.found
	for end := i + 1; end < len(line) && m.steps > 0; end++ {
		if !s.next.first.Has(line[end]) {
			continue
		}
		m.steps--
		m.found = before
		if m.capture(s.name, i, end); s.name == "message" {
			m.Rest = i
		}
		if m.match(s.next, end) {
			return true
		}
	}
	return false
}
