package logs

import (
	"bytes"
	"slices"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/head"
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// entry is the entry that is being read: its head, with the trace that it is at.
type entry struct {
	head.Entry
	gap     bool // a blank line follows its last line
	start   int  // line of its head; 0 once it is counted
	frameAt int  // one more than the column of the last frame; 0 if no frame came last
}

// maxSniffed is the number of entries that determine the format of the log.
const maxSniffed = 32

// tracker assembles lines into entries and counts them.
type tracker struct {
	counts             Analysis            // but for what analysis adds
	levels             [LevelFatal + 1]int // entries by level
	formats            [64]int             // the first entries by format
	strong             int                 // entries with an unambiguous head
	first, last, dated stamp.Stamp         // dated is the last one with a date
	reader             head.Reader
	head               *head.Head // of the current line
	entry              entry
	output             func(text []byte, indented bool) bool // reads what programs wrote in the lines too, and reports whether that may state an outcome; or nil
	outcome            bool                                  // of the current line
}

const byteOrderMark = "\ufeff"

// line reads the next line, which may be cut at maxAnalyzed, and reports
// whether it starts an entry.
func (t *tracker) line(b []byte) bool {
	t.counts.Lines++
	if t.counts.Lines == 1 {
		b = bytes.TrimPrefix(b, []byte(byteOrderMark))
	}
	h := t.reader.Read(b, &t.entry.Entry)
	if t.head = h; !t.starts(h) {
		t.join(h)
		return false
	}
	t.flush()
	t.counts.Entries++
	t.strong += ascii.If(h.Strong, 1)
	t.entry = entry{Entry: head.Entry{Head: *h, Lines: 1}, start: t.counts.Lines}
	t.entry.Strong = h.Strong && !h.Single()
	if t.counts.Entries <= maxSniffed {
		t.formats[h.Format]++
	}
	return true
}

// starts reports whether a line starts an entry.
func (t *tracker) starts(h *head.Head) bool {
	e := &t.entry
	switch {
	case h.Blank, h.Continues && e.Lines > 0:
		return false
	case e.Lines == 0:
		return true
	case e.Trace == head.Heading && !h.Strong:
		return false
	case h.Strong:
		return !h.Indented || e.Indented || !e.Strong
	case h.Indented: // a file of tests that passed follows one that failed, both indented
		beside := e.Level >= level.Error && e.Indented && h.At == e.At && e.Trace == "" && !h.Frame
		return !e.Strong && (h.Level > e.Level || beside)
	}
	return e.endsBefore(h)
}

// endsBefore reports whether a line that is not clearly a head starts another
// entry.
func (e *entry) endsBefore(h *head.Head) bool {
	switch {
	case h.Level == level.None:
		return !e.Strong && e.Trace != head.Crash && e.Trace != head.Traceback
	case h.Trace != "":
		return !e.explains(h.Trace)
	case e.Strong && !h.Emphatic:
		return e.Level < level.Warning || e.Diagnosed
	}
	return true
}

// explains reports whether a part of a trace explains the entry rather than
// starting another.
func (e *entry) explains(part string) bool {
	return e.Trace == head.Traceback || e.Level >= level.Error && (e.Strong || e.Lines == 1 && !e.gap) ||
		part == head.Exception && e.Strong && e.Level != level.Info && e.Level != level.None
}

// join adds a line to the current entry.
func (t *tracker) join(h *head.Head) {
	e := &t.entry
	if e.gap = h.Blank; h.Blank {
		return
	}
	e.Lines++
	switch {
	case h.Frame:
		e.frameAt = h.At + 1
	case h.At < e.frameAt:
		e.frameAt = 0
	default:
		h.Frame = e.frameAt > 0 // the source of the frame above
	}
	switch {
	case e.Strong && e.Lines > maxLoose+1 && t.strong*16 < t.counts.Lines && (e.Wrapped || e.Format.String() == "text" || 2*t.formats[e.Format] <= min(t.counts.Entries, maxSniffed)):
		e.Strong, e.Trace = false, ""
	case h.Trace == head.Traceback:
		e.Trace = head.Traceback
	case e.Trace == head.Heading, e.Trace == head.Traceback && !h.Indented && !h.Continues:
		e.Trace = ""
	}
}

// maxLoose is the number of lines without a head that an entry may take in a
// log with few heads, unless most of its entries have a format of their own;
// later ones do not belong to it. Without this limit, a message that looks like
// a head within the output of a build would take all lines after it.
const maxLoose = 32

// flush counts the current entry.
func (t *tracker) flush() {
	e := &t.entry
	if e.start == 0 {
		return
	}
	t.levels[e.Level]++
	t.counts.FromStatus += ascii.If(e.FromStatus, 1)
	t.counts.MultiLine += ascii.If(e.Lines > 1, 1)
	if e.Level >= level.Error && t.counts.FirstErrorLine == 0 {
		t.counts.FirstErrorLine = e.start
	}
	if e.Stamp.OK {
		e.Stamp.Inherit(&t.dated)
		if !t.first.OK {
			t.first = e.Stamp
		}
		t.last = e.Stamp
	}
	e.start = 0
}

// analysis counts the last entry and returns the totals.
func (t *tracker) analysis(opts Options) Analysis {
	t.flush()
	a, n := t.counts, t.levels
	a.Format = head.Format(slices.Index(t.formats[:], slices.Max(t.formats[:]))).String() // the most frequent
	a.Fatal, a.Errors, a.Warnings = n[LevelFatal], n[LevelError], n[LevelWarning]
	a.Info, a.Debug, a.Trace, a.Other = n[LevelInfo], n[LevelDebug], n[LevelTrace], n[LevelNone]
	a.FirstTimestamp, a.LastTimestamp = opts.time(&t.first), opts.time(&t.last)
	return a
}
