package logs

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/head"
	"github.com/devkiln/devkiln/share/logs/internal/shape"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// Group is the set of entries of a log that have the same level and whose
// messages have the same shape, or whose stack traces have the same frames.
type Group struct {
	Level Level `json:"level"`
	// Shape is the message with * for its variable parts: numbers, ids,
	// paths, addresses, durations, quoted text, and words in which messages
	// differ.
	Shape string `json:"shape"`
	// Text is the first message of this shape, at most 1,024 bytes.
	Text string `json:"text"`
	// Count is the number of entries.
	Count int `json:"count"`
	// First and Last are the lines, from 1, at which the first and the last of
	// the entries start.
	First int `json:"first"`
	Last  int `json:"last"`
}

// entryText is an entry and its message.
type entryText struct {
	level   Level
	line    int         // line of its head
	last    int         // its last line
	text    string      // its head, without colours
	message string      // its head, without the timestamp and the level
	dated   int         // offset in text of the end of the timestamp
	outcome bool        // its head may state an outcome
	stamp   stamp.Stamp // with the date of an earlier one if it has none
	thrown  int         // line that names the exception, or 0
	frames  int         // number of frames of its stack trace
	trace   uint64      // hash of the frames
}

// maxGroups is the number of groups that a collector keeps. It counts further
// entries in one group per level, of shape "*".
const maxGroups = 2 * shape.Max

// eachEntry calls f for each entry of a log in order.
func (t *tracker) eachEntry(lines iter.Seq[string], f func(e *entryText)) {
	var e entryText
	var dated stamp.Stamp // the last time with a date
	end := func() {
		if e.line > 0 {
			e.stamp.Inherit(&dated)
			f(&e)
		}
	}
	for line := range t.read(lines) {
		switch {
		case line.Head:
			end()
			e = t.entryText(line.Text)
		case line.Frame:
			e.addFrame(line.Text)
		case t.head.Trace == head.Exception:
			e.thrown = line.Number
			if strings.HasPrefix(e.message, "Traceback ") { // the exception is the message
				e.message = plainText(line.Text[line.TimeEnd:])
			}
		case strings.HasSuffix(e.message, ":") && e.level >= LevelError && !t.head.Blank:
			text := plainText(line.Text)
			e.message += " " + strings.TrimLeft(text[min(t.head.At, len(text)):], " ")
		}
		e.level, e.stamp, e.last = Level(t.entry.Level), t.entry.Stamp, line.Number
	}
	end()
}

var beforeMessage = ascii.SetOf(" \t:|-])>,")

// entryText returns the entry that the line just read starts.
func (t *tracker) entryText(line string) entryText {
	h := t.head
	line = line[:min(len(line), maxAnalyzed)]
	text := plainText(strings.TrimPrefix(line, byteOrderMark))
	start, end := max(h.Message, int(h.Stamp.End)), len(text)
	if h.MessageEnd > 0 {
		start, end = cmp.Or(h.Message, start), min(h.MessageEnd, end)
	}
	if strings.Contains(text[:min(start, end)], "FAIL") {
		start = int(h.Stamp.End) // a verdict is part of the message
	}
	for start < end && beforeMessage.Has(text[start]) {
		start++
	}
	message := strings.TrimPrefix(text[min(start, end):end], "##[error]")
	if message == "" {
		message = strings.TrimLeft(text, " \t")
	}
	return entryText{line: t.counts.Lines, text: text, message: message, dated: min(int(h.Stamp.End), len(text)), outcome: t.outcome}
}

// maxFrames is the number of frames that distinguish stack traces: those further
// down are the ways to the same place.
const maxFrames = 8

// addFrame adds a frame to the entry's stack trace, ignoring digits and blanks.
func (e *entryText) addFrame(line string) {
	if e.frames++; e.frames > maxFrames {
		return
	}
	for i := range len(line) {
		if c := line[i]; !ascii.IsDigit(c) && !ascii.IsSpace(c) {
			e.trace = shape.Mix(e.trace, uint64(c))
		}
	}
}

// collector groups entries.
type collector struct {
	shapes *shape.Grouper
	groups map[uint64]*countedGroup // by their level, and their shape or a hash of the frames
}

// countedGroup is a group with its counts.
type countedGroup struct {
	Group
	shape int
}

// add counts an entry in its group.
func (c *collector) add(e *entryText) {
	id := c.shapes.Add(e.message)
	key := uint64(id)<<8 | uint64(e.level)
	if e.frames > 1 {
		key = e.trace<<8 | uint64(e.level)
	}
	g := c.groups[key]
	if g == nil && len(c.groups) >= maxGroups {
		key, id = uint64(e.level), 0
		g = c.groups[key]
	}
	if g == nil {
		g = &countedGroup{Group{Level: e.level, First: e.line}, id}
		c.groups[key] = g
	}
	g.Count++
	g.Last = e.line
}

// described returns a group with its shape and text.
func (c *collector) described(g *countedGroup) Group {
	g.Shape, g.Text = c.shapes.Shape(g.shape)
	return g.Group
}

// compareGroups orders by level and count, largest first, and then by line.
func compareGroups(a, b Group) int {
	return cmp.Or(cmp.Compare(b.Level, a.Level), cmp.Compare(b.Count, a.Count), cmp.Compare(a.First, b.First))
}

// Comparison is the difference between an earlier and a later log. Line numbers
// refer to the log that the group is in.
type Comparison struct {
	// Added are the groups that occur only in the later log, and Gone those
	// that occur only in the earlier one.
	Added []Group `json:"added"`
	Gone  []Group `json:"gone"`
	// Changed are the groups of both logs whose numbers of entries differ.
	Changed []Change `json:"changed"`
	// Same is the number of groups with as many entries in both logs.
	Same int `json:"same"`
}

// Change is a group that occurs in both logs, as it is in the later one.
type Change struct {
	Group
	Before int `json:"before"` // entries in the earlier log
}

// Compare returns the difference between two logs. Entries match if their
// messages have the same shape, that is apart from times, ids and numbers. All
// lists are ordered by level, worst first. Memory is bounded as in [Summarize].
func Compare(earlier, later string) Comparison { return CompareParts(whole(earlier), whole(later)) }

// CompareParts is [Compare] for logs that are not wholly in memory. Each
// sequence is iterated once; a line may continue from one part to the next.
func CompareParts(earlier, later iter.Seq[string]) Comparison {
	var shapes shape.Grouper
	before, after := collector{&shapes, map[uint64]*countedGroup{}}, collector{&shapes, map[uint64]*countedGroup{}}
	new(tracker).eachEntry(cutLines(earlier), before.add)
	new(tracker).eachEntry(cutLines(later), after.add)
	var result Comparison
	for key, g := range after.groups {
		switch old := before.groups[key]; {
		case old == nil:
			result.Added = append(result.Added, after.described(g))
		case g.Count != old.Count:
			result.Changed = append(result.Changed, Change{after.described(g), old.Count})
		default:
			result.Same++
		}
	}
	for key, g := range before.groups {
		if after.groups[key] == nil {
			result.Gone = append(result.Gone, before.described(g))
		}
	}
	slices.SortFunc(result.Added, compareGroups)
	slices.SortFunc(result.Gone, compareGroups)
	slices.SortFunc(result.Changed, func(a, b Change) int { return compareGroups(a.Group, b.Group) })
	return result
}
