// Package head reads what a line of a log states about itself: its level, its
// timestamp and its format.
//
// The position of a level or a timestamp in a line identifies it, not the
// product that wrote the line. A head is a sequence of timestamps, numbers,
// names, separators and groups in brackets, and ends where the words of a
// sentence begin. A word is a level only inside the head, and only if nothing
// but the head's own punctuation touches it. Formats with a layout of their own
// are rows of formats.tsv. If the head states no level, the message may.
//
// Start with [Reader].
package head

import (
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// MaxLen is the number of bytes of a line that are searched for a level and a
// timestamp.
const MaxLen = 220

// Head is what a line states about itself.
type Head struct {
	Level  level.Level
	Format Format
	Stamp  stamp.Stamp // its offsets are those in the line
	At     int         // offset in the line of the program's own text
	// Trace is the part of a stack trace that the line is, see [Traceback].
	Trace string
	// Message and MessageEnd are the offsets in the line of the text after
	// the level. A Message of 0 is unknown; a MessageEnd of 0 is the end of
	// the line.
	Message, MessageEnd int
	Blank               bool
	// Continues: the line belongs to the entry before it, whatever else it
	// looks like.
	Continues bool
	// Strong: the line starts an entry whatever precedes it, and lines
	// without a head that follow belong to it.
	Strong bool
	// Emphatic: the level is in capitals or in brackets.
	Emphatic bool
	// Wrapped: a container runtime or a service put a prefix before the
	// line, as it does before every line.
	Wrapped bool
	// Frame: the line is a frame of a stack trace.
	Frame bool
	// Diagnosed: the level follows from the message.
	Diagnosed bool
	// FromStatus: the level was taken from the status of an access log.
	FromStatus bool
	// Indented: blanks precede the text.
	Indented bool

	rule   *formatRule // the pattern that the text being read matches
	json   bool        // the line begins a JSON value
	named  bool        // the timestamp of the wrapped line writes the month as a name
	margin uint8       // the number of blanks between a level from level.Warning on and the message
}

// Single reports whether entries in the line's format take up one line, so that
// a line without a head does not belong to them.
func (h *Head) Single() bool {
	return h.json || h.Format == formatLogfmt || h.Format == formatAccess
}

// takeFuller sets the stamp of the head to s, which is at an offset of the text
// being read, if s is fuller.
func (h *Head) takeFuller(s stamp.Stamp, at int) {
	if s.Fullness() > h.Stamp.Fullness() {
		s.Shift(h.At + at)
		h.Stamp = s
	}
}

// Entry is the entry that a line may continue: its head, and the number of its
// lines that are not blank.
type Entry struct {
	Head
	Lines int
}

// takes reports whether an indented line belongs to the entry whatever it says,
// because the entry's own head is not indented. The line's text starts with
// first.
func (e *Entry) takes(first byte) bool {
	return e.Strong && !e.Indented && first != '{'
}
