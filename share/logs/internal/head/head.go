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
	"bytes"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/pattern"
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

// The parts of a trace that a line without a head may be, as phrases.tsv names
// them.
const (
	Traceback = "traceback" // Python's announcement; the exception comes last
	Exception = "exception" // the name of an exception; frames may follow
	Crash     = "crash"     // a panic; everything up to the next head belongs to it
	Heading   = "heading"   // the message is on the next line
)

// isContinuation reports whether the wording of a line makes it part of the
// entry before it.
func isContinuation(b []byte) bool {
	return strings.IndexByte("}])", b[0]) >= 0 || level.Continuing.Find(b) != nil || isExcerpt(b)
}

// isFrame reports whether a line is a frame of a stack trace.
func isFrame(b []byte) bool {
	b = b[:min(len(b), MaxLen)]
	n := bytes.Index(b, []byte(":in ")) // Ruby
	return n > 2 && ascii.IsDigit(b[n-1]) || isMarkedFrame(b)
}

// isMarkedFrame reports whether a line starts like a frame: with "at", as Java,
// JavaScript and .NET print it, or with a number, as Dart, PHP and sanitizers
// do.
func isMarkedFrame(b []byte) bool {
	if !ascii.HasPrefix(b, "#") {
		return level.Frame.Find(b) != nil
	}
	n := 1 + ascii.Digits(b[1:])
	return n > 1 && ascii.At(b, n) == ' ' && (strings.IndexByte(" /{", ascii.At(b, n+1)) >= 0 || ascii.HasPrefix(b[n+1:], "0x"))
}

// isCrashFrame reports whether a line below a panic is a frame: a call as Go
// prints it, or a numbered one as Rust does.
func isCrashFrame(b []byte) bool {
	n := ascii.Digits(b)
	call, _, ok := bytes.Cut(b, []byte("("))
	return n > 0 && ascii.HasPrefix(b[n:], ": ") || ok && b[len(b)-1] == ')' && bytes.IndexByte(call, ' ') < 0
}

// joins makes the line part of the entry before it.
func (h *Head) joins(b []byte) {
	h.Continues = true
	if p := level.Continuing.Find(b); p != nil {
		h.Level, h.Trace = p.Level, p.Trace
	}
	h.Frame = isFrame(b)
}

// isExcerpt reports whether a line shows the source that a compiler's message
// refers to, after its number and a bar.
func isExcerpt(b []byte) bool {
	n := ascii.Digits(b)
	if n == 0 || n > 6 || ascii.At(b, n) != ' ' {
		return false
	}
	source := b[ascii.SkipSpace(b, n):]
	return ascii.HasPrefix(source, "|") || ascii.HasPrefix(source, "│")
}

// place is what compilers that do not write the word error start a message with.
var place = pattern.MustCompile("{file}:{row:number}:{column:number}: {message}")

// diagnose determines the level of a line whose head states none by its message.
// The messages of daemons in syslog have many failures that are none of the
// daemon's own, so that one counts only if it says both what was not possible and
// why.
func (h *Head) diagnose(b []byte, m *pattern.Match) {
	b = b[:min(len(b), MaxLen)]
	switch {
	case h.Level != level.None || h.Format == formatAccess || h.Format == formatLogfmt:
		if h.Level == level.Info && b[0] == '[' && ascii.ContainsAny(b, "] BUILD FAILURE", " FAILURE [", " FAILED ***") {
			h.Level = level.Error // the verdicts of Maven and ScalaTest
		}
		return
	case !h.Strong:
		m.Reset()
		if h.Level = level.OfMessage(b, h.Indented); h.Level == level.None && bytes.IndexByte(b, ':') > 0 && place.Match(b, m) {
			h.Level = level.Error
		}
	default:
		message := bytes.TrimLeft(b[max(0, min(int(h.Stamp.End)-h.At, len(b))):], " ]:-")
		syslog := strings.HasPrefix(h.Format.String(), "syslog-") || h.Stamp.Named && h.Stamp.Year == 0
		if syslog || !h.Stamp.OK || int(h.Stamp.Start)-h.At > 1 || ascii.At(message, 0) == '<' {
			h.Level = level.OfReport(message)
		} else {
			h.Level = level.OfMessage(message, h.Indented)
		}
	}
	h.Diagnosed = h.Level != level.None
}
