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
//	           second and a Z; with a number, it has so many bytes
//	level      the name of a level; LEVEL is one in capitals
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
//	text       as few bytes as possible, at least one, and no tab
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

	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

const (
	// maxHead is the number of bytes of a line in which all parts but the last
	// must end.
	maxHead  = 1 << 10
	maxSteps = 64 // nodes with a choice that a match may visit
)

// Pattern is a compiled pattern. It may be used by several goroutines.
type Pattern struct {
	// First reports which bytes a line that matches may start with.
	First [256]bool
	// End is the type of the last part if that is message, entry or line.
	End string
	// Needs is the longest text without blanks that every matching line contains.
	Needs    string
	source   string
	start    *node
	names    []string
	dated    bool // it starts with a timestamp
	searches bool // it has text of any length, so that Needs is looked for first
}

// node is a literal, a part or a choice, and what follows it.
type node struct {
	literal string
	kind    *kind // of a part
	capture int   // index of a part
	signs   []sign
	length  int       // of a time, if it must have one
	lists   [][]*node // of a choice
	choice  []*node   // the starts of lists, each of which leads to next
	next    *node
	first   [256]bool // what a match from here on may start with
}

// sign is a text that means a level.
type sign struct {
	text  string
	level level.Level
}

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
	spans [16]struct{ start, end int32 }
	names []string
	steps int

	lead    stamp.Stamp // the timestamp at the start of the line, if it has been read
	leadLen int
	hasLead bool
}

// Reset must be called before a new line is matched.
func (m *Match) Reset() { m.hasLead = false }

// readLead reads the timestamp at the start of the line, which many patterns
// share.
func (m *Match) readLead(line []byte) int {
	if !m.hasLead {
		m.leadLen, m.hasLead = stamp.Parse(line, &m.lead), true
	}
	return m.leadLen
}

// Text returns the text of a part, or nil if the line has none.
func (m *Match) Text(part string) []byte {
	for i, name := range m.names {
		if name == part && m.spans[i].end > 0 {
			return m.line[m.spans[i].start:m.spans[i].end]
		}
	}
	return nil
}

// Match reports whether the line matches. It sets all of m but what Reset resets.
func (p *Pattern) Match(line []byte, m *Match) bool {
	switch {
	case len(line) == 0 || !p.First[line[0]], p.dated && m.readLead(line) == 0:
		return false
	case p.searches && !bytes.Contains(line[:min(len(line), maxHead)], []byte(p.Needs)):
		return false
	}
	m.line, m.names, m.steps, m.Rest = line, p.names, maxSteps, len(line)
	m.Time, m.Level, m.FromStatus = stamp.Stamp{}, level.None, false
	clear(m.spans[:len(p.names)])
	return m.match(p.start, 0)
}

// match matches the nodes from n on against the line from i on.
func (m *Match) match(n *node, i int) bool {
	for ; n != nil; n = n.next {
		switch {
		case n.choice != nil:
			before := m.spans
			for _, choice := range n.choice {
				if m.try(choice, i) {
					return true
				}
				m.spans = before // what the choice has read is no part
			}
			return false
		case n.literal != "":
			if i = m.literal(n, i); i < 0 {
				return false
			}
		case n.kind.read == nil:
			return m.text(n, i)
		default:
			length := n.kind.read(m, n, i)
			if length < 0 {
				return false
			}
			m.spans[n.capture].start, m.spans[n.capture].end = int32(i), int32(i+length)
			i += length
		}
	}
	return i == len(m.line)
}

// try is match for one of several attempts, which are counted. One that does
// not match leaves no level behind.
func (m *Match) try(n *node, i int) bool {
	if m.steps--; m.steps < 0 {
		return false
	}
	stated, fromStatus := m.Level, m.FromStatus
	if m.match(n, i) {
		return true
	}
	m.Level, m.FromStatus = stated, fromStatus
	return false
}

// text matches as little text as possible before the next node.
func (m *Match) text(n *node, i int) bool {
	last := min(len(m.line), i+maxHead)
	if n.next == nil {
		m.spans[n.capture].start, m.spans[n.capture].end = int32(i), int32(len(m.line))
		return i < len(m.line)
	}
	for end := i + 1; end <= last && m.steps > 0 && m.line[end-1] != '\t'; end++ {
		if end == len(m.line) || !n.next.first[m.line[end]] {
			continue
		}
		m.spans[n.capture].start, m.spans[n.capture].end = int32(i), int32(end)
		if m.try(n.next, end) {
			if m.names[n.capture] == "message" {
				m.Rest = i
			}
			return true
		}
	}
	return false
}

// literal matches a literal at i, and returns its end or -1.
func (m *Match) literal(n *node, i int) int {
	rest := n.next != nil && n.next.kind == &restKind
	for k := range len(n.literal) {
		c := n.literal[k]
		if i >= len(m.line) && c == ' ' && rest {
			continue
		}
		if i >= len(m.line) || m.line[i] != c {
			return -1
		}
		i++
		if c != ' ' || k+1 < len(n.literal) && n.literal[k+1] == ' ' || k+1 == len(n.literal) && rest {
			continue
		}
		for i < len(m.line) && m.line[i] == ' ' {
			i++
		}
	}
	return i
}

// kind is the type of a part.
type kind struct {
	// read returns the length of the part at i of the line, or -1.
	read func(m *Match, n *node, i int) int
	// first reports whether a part may start with a byte. If it is nil, it may
	// start with any.
	first func(c byte) bool
}

// restKind is the type of the parts message, entry and line.
var restKind = kind{read: func(m *Match, _ *node, i int) int {
	m.Rest = i
	return len(m.line) - i
}}
