package logs

import (
	"bytes"
	"slices"

	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// entry is the entry that is being read: its head, with the trace that it is at.
type entry struct {
	head
	gap     bool // a blank line follows its last line
	start   int  // line of its head; 0 once it is counted
	lines   int  // number of lines that are not blank
	frameAt int  // one more than the column of the last frame; 0 if no frame came last
}

// maxSniffed is the number of entries that determine the format of the log.
const maxSniffed = 32

// tracker assembles lines into entries and counts them.
type tracker struct {
	lines, entries, multi int
	bytes                 int64
	strong                int // entries with an unambiguous head
	levels                [LevelFatal + 1]int
	fromStatus            int
	firstError            int
	first, last, dated    stamp.Stamp // dated is the last one with a date
	seen                  [64]int     // entries by format
	formats               formatReader
	entry                 entry
	head                  head // of the current line
	json                  jsonScan
	inJSON                bool
	scratch, unescaped    []byte
	report                *reportReader // what reads the lines too, or nil
}

const byteOrderMark = "\ufeff"

// line reads the next line, which may be cut at maxAnalyzed, and reports
// whether it starts an entry.
func (t *tracker) line(b []byte) bool {
	t.lines++
	if t.lines == 1 {
		b = bytes.TrimPrefix(b, []byte(byteOrderMark))
	}
	b = trimEnd(t.plain(b))
	t.formats.output = b
	if t.inJSON && t.continueJSON(b) {
		t.entry.lines++
		return false
	}
	h := t.classify(b)
	if !t.starts(h) {
		t.join(h)
		return false
	}
	t.flush()
	t.entries++
	if h.strong {
		t.strong++
	}
	t.entry = entry{head: *h, start: t.lines, lines: 1}
	t.entry.strong = h.strong && !h.single()
	if t.entries <= maxSniffed {
		t.seen[h.format]++
	}
	return true
}

// starts reports whether a line starts an entry.
func (t *tracker) starts(h *head) bool {
	e := &t.entry
	switch {
	case h.blank || h.trailing:
		return false
	case h.continues:
		return e.lines == 0
	case e.lines == 0:
		return true
	case e.trace == heading && !h.strong:
		return false
	case h.strong:
		return !h.indented || e.indented || !e.strong
	case h.indented:
		return h.level > e.level && !e.strong
	}
	return e.endsBefore(h)
}

// endsBefore reports whether a line that is not clearly a head starts another
// entry.
func (e *entry) endsBefore(h *head) bool {
	switch {
	case h.level == LevelNone:
		return !e.strong && e.trace != crash && e.trace != traceback
	case h.trace != "":
		return !e.explains(h.trace)
	case e.strong && !h.emphatic:
		return e.level < LevelWarning || e.diagnosed
	}
	return true
}

// takes reports whether an indented line belongs to the entry whatever it says,
// because the entry's own head is not indented. The line's text starts with
// first.
func (e *entry) takes(first byte) bool {
	return e.strong && !e.indented && first != '{'
}

// explains reports whether a part of a trace explains the entry rather than
// starting another.
func (e *entry) explains(part string) bool {
	switch {
	case e.trace == traceback:
		return true
	case part == exception && e.strong:
		return e.level >= LevelWarning || e.level == LevelDebug || e.level == LevelTrace
	}
	return e.level >= LevelError && (e.strong || e.lines == 1 && !e.gap)
}

// single reports whether entries in the line's format take up one line, so that
// a line without a head does not belong to them.
func (h *head) single() bool {
	return h.json || h.format == formatLogfmt || h.format == formatAccess
}

// join adds a line to the current entry.
func (t *tracker) join(h *head) {
	e := &t.entry
	e.gap = h.blank
	if h.blank {
		return
	}
	e.lines++
	switch {
	case h.frame:
		e.frameAt = h.at + 1
	case h.at < e.frameAt:
		e.frameAt = 0
	default:
		h.frame = e.frameAt > 0 // the source of the frame above
	}
	switch {
	case e.strong && e.lines > maxLoose+1 && t.strong*16 < t.lines:
		e.strong, e.trace = false, ""
	case h.trace == traceback:
		e.trace = traceback
	case e.trace == heading, e.trace == traceback && !h.indented && !h.continues:
		e.trace = ""
	}
	if h.trailing {
		e.level = h.level
	}
}

// maxLoose is the number of lines without a head that an entry may take in a
// log with few heads; later ones do not belong to it. Without this limit, a
// message that looks like a head within the output of a build would take all
// lines after it.
const maxLoose = 32

// inherit gives a stamp without a date the date of the entry before it.
func (t *tracker) inherit(s *stamp.Stamp) {
	s.Inherit(&t.dated)
	if s.Month != 0 {
		t.dated = *s
	}
}

// flush counts the current entry.
func (t *tracker) flush() {
	e := &t.entry
	if e.start == 0 {
		return
	}
	t.levels[e.level]++
	if e.status {
		t.fromStatus++
	}
	if e.lines > 1 {
		t.multi++
	}
	if e.level >= LevelError && t.firstError == 0 {
		t.firstError = e.start
	}
	if e.stamp.OK {
		t.inherit(&e.stamp)
		if !t.first.OK {
			t.first = e.stamp
		}
		t.last = e.stamp
	}
	e.start = 0
}

// analysis counts the last entry and returns the totals.
func (t *tracker) analysis(opts Options) Analysis {
	t.flush()
	return Analysis{
		Format:         t.format().String(),
		Lines:          t.lines,
		Bytes:          t.bytes,
		Entries:        t.entries,
		MultiLine:      t.multi,
		Fatal:          t.levels[LevelFatal],
		Errors:         t.levels[LevelError],
		Warnings:       t.levels[LevelWarning],
		Info:           t.levels[LevelInfo],
		Debug:          t.levels[LevelDebug],
		Trace:          t.levels[LevelTrace],
		Other:          t.levels[LevelNone],
		FromStatus:     t.fromStatus,
		FirstTimestamp: opts.time(&t.first),
		LastTimestamp:  opts.time(&t.last),
		FirstErrorLine: t.firstError,
	}
}

// format returns the most frequent format.
func (t *tracker) format() format {
	return format(slices.Index(t.seen[:], slices.Max(t.seen[:])))
}
