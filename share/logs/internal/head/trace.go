package head

import (
	"bytes"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
)

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
	if ascii.At(b, 0) == '#' {
		n := 1 + ascii.Digits(b[1:])
		return n > 1 && ascii.At(b, n) == ' ' && (strings.IndexByte(" /{", ascii.At(b, n+1)) >= 0 || ascii.HasPrefix(b[n+1:], "0x"))
	}
	return level.Frame.Find(b) != nil
}

// isCrashFrame reports whether a line below a panic is a frame: a call as Go
// prints it, or a numbered one as Rust does.
func isCrashFrame(b []byte) bool {
	if n := ascii.Digits(b); n > 0 {
		return ascii.HasPrefix(b[n:], ": ")
	}
	call, _, ok := bytes.Cut(b, []byte("("))
	return ok && b[len(b)-1] == ')' && bytes.IndexByte(call, ' ') < 0
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
	source := b[ascii.SkipSpace(b, n):]
	return n > 0 && n < 7 && ascii.At(b, n) == ' ' && (ascii.HasPrefix(source, "|") || ascii.HasPrefix(source, "│"))
}
