package logs

import (
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// The position of a level or a timestamp in a line identifies it, not the
// product that wrote the line. A head is a sequence of timestamps, numbers,
// names, separators and groups in brackets, and ends where the words of a
// sentence begin. A word is a level only inside the head, and only if nothing
// but the head's own punctuation touches it.

// head is what a line states about itself.
type head struct {
	level  Level
	format format
	stamp  stamp.Stamp // its offsets are those in the line
	at     int         // offset in the line of the text being read
	// rule is the pattern that the text being read matches.
	rule *formatRule
	// trace is the part of a bare stack trace that the line is.
	trace string
	// message and messageEnd are the offsets in the line of the text after
	// the level. A message of 0 is unknown; a messageEnd of 0 is the end of
	// the line.
	message, messageEnd int
	// continues: the line belongs to the entry before it, whatever else it
	// looks like.
	continues bool
	// trailing: the line adds its level or timestamp to the entry before
	// it.
	trailing bool
	// emphatic: the level is in capitals or in brackets.
	emphatic bool
	// wrapped: a container runtime or a service put a prefix before the
	// line, as it does before every line.
	wrapped bool
	// frame: the line is a frame of a stack trace.
	frame bool
	// diagnosed: the level follows from the message.
	diagnosed bool
	blank     bool
	// status: level was taken from the status of an access log.
	status bool
	// strong: the line starts an entry whatever precedes it, and lines
	// without a head that follow belong to it.
	strong bool
	// json: the line begins a JSON value.
	json bool
	// named: the timestamp of the wrapped line writes the month as a name.
	named bool
	// indented: blanks precede the text.
	indented bool
	// margin is the number of blanks between a level from LevelWarning on and
	// the message.
	margin uint8
}

// takeFuller sets the stamp of the head to s if s is fuller.
func (h *head) takeFuller(s *stamp.Stamp) {
	if s.Fullness() > h.stamp.Fullness() {
		h.setStamp(*s)
	}
}

// setStamp sets the stamp of the head to one from the text being read.
func (h *head) setStamp(s stamp.Stamp) {
	h.stamp = s
	h.stamp.Shift(h.at)
}

// maxHead is the number of bytes of a line that are searched for a level and a
// timestamp.
const maxHead = 220
