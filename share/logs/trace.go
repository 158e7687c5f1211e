package logs

import (
	"bytes"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
)

// tracePart is the role in a trace of a line without a head.
type tracePart uint8

// traceParts are the names of the parts in phrases.tsv.
var traceParts = [...]string{"", "traceback", "exception", "crash", "heading"}

const (
	noTrace   tracePart = iota
	traceback           // Python's announcement; the exception comes last
	exception           // the name of an exception; frames may follow
	crash               // a panic; everything up to the next head belongs to it
	heading             // the message is on the next line
)

// bareHead reads the first lines of traces and of tools' messages, which only
// their wording identifies.
func (h *head) bareHead(b []byte) bool {
	b = b[:min(len(b), maxHead)]
	switch p := headPhrase.find(b); {
	case p != nil && p.level == LevelNone: // the level follows
		h.level = levelAt(b[len(p.text):])
	case p != nil && !namesLevels(b[len(p.text)-1:]):
		h.level, h.trace = p.level, p.trace
	}
	return h.level != LevelNone
}

// levelAt returns the level that the word at the start of b names.
func levelAt(b []byte) Level {
	n := ascii.Letters(b)
	if n < len(b) && b[n] != ' ' && b[n] != ':' && b[n] != '!' {
		return LevelNone
	}
	return level.Of(b[:n]).Level
}

// isContinuation reports whether the wording of a line makes it part of the
// entry before it.
func isContinuation(b []byte) bool {
	switch c := b[0]; {
	case c == '}' || c == ']' || c == ')':
		return true
	case ascii.IsDigit(c):
		return isNumbered(b, "│")
	}
	return isMarkedFrame(b) || continuingPhrase.find(b) != nil
}

// isFrame reports whether a line is a frame of a stack trace.
func isFrame(b []byte) bool {
	b = b[:min(len(b), maxHead)]
	if isMarkedFrame(b) || hasPrefix(b, `File "`) && containsAny(b, `", line `) {
		return true
	}
	n := bytes.Index(b, []byte(":in ")) // Ruby
	return n > 2 && ascii.IsDigit(b[n-1])
}

// isMarkedFrame reports whether a line starts like a frame: with "at", as Java,
// JavaScript and .NET print it, or with a number, as Dart, PHP and sanitizers
// do.
func isMarkedFrame(b []byte) bool {
	switch {
	case hasPrefix(b, "at "):
		return bytes.ContainsAny(b[:min(len(b), maxHead)], "(:")
	case hasPrefix(b, "... "):
		return ascii.IsDigit(ascii.At(b, 4))
	case ascii.At(b, 0) == '#':
		n := 1 + ascii.Digits(b[1:])
		return n > 1 && (hasPrefix(b[n:], "  ") || hasPrefix(b[n:], " /") || hasPrefix(b[n:], " {") || hasPrefix(b[n:], " 0x"))
	}
	return false
}

// isCrashFrame reports whether a line below a panic is a frame: a call as Go
// prints it, or a numbered one as Rust does.
func isCrashFrame(b []byte) bool {
	if n := ascii.Digits(b); n > 0 {
		return hasPrefix(b[n:], ": ")
	}
	call, _, ok := bytes.Cut(b, []byte("("))
	return ok && b[len(b)-1] == ')' && bytes.IndexByte(call, ' ') < 0 || hasPrefix(b, "created by ")
}

// isThrown reports whether a line may be the last of a traceback: a capitalized
// name, which modules may precede, alone or before a colon.
func isThrown(b []byte) bool {
	name, _, _ := bytes.Cut(b, []byte(":"))
	class := name[bytes.LastIndexByte(name, '.')+1:]
	return len(class) > 3 && ascii.IsUpper(class[0]) && bytes.IndexByte(name, ' ') < 0
}

// announcesTrace reports whether a line is one that Python prints between the
// tracebacks of one failure.
func announcesTrace(b []byte) bool {
	p := continuingPhrase.find(b)
	return p != nil && p.trace == traceback
}

// isExcerpt reports whether a line shows the source that a compiler's message
// refers to.
func isExcerpt(b []byte) bool {
	return isNumbered(b, "|") || hasPrefix(b, "│") || hasPrefix(b, "╵")
}

// isNumbered reports whether a line shows source after its number and a bar.
func isNumbered(b []byte, bar string) bool {
	n := ascii.Digits(b)
	if n == 0 || n > 6 || ascii.At(b, n) != ' ' {
		return false
	}
	return hasPrefix(b[ascii.SkipSpace(b, n):], bar)
}

// isSanitizer reports whether a line starts the report of a sanitizer or of
// Valgrind: "==123==ERROR: …".
func isSanitizer(b []byte) bool {
	return hasPrefix(b, "==") && ascii.Digits(b[2:]) > 0
}

// isDump reports whether a message is part of what a kernel prints on a fault:
// registers, a call trace, modules.
func isDump(b []byte) bool {
	if dumpPhrase.find(b) != nil {
		return true
	}
	if n := bytes.IndexByte(b, ':'); n > 1 && n < 7 && ascii.At(b, n+1) == ' ' && ascii.IsUpper(b[0]) && isHex(ascii.At(b, n+2)) {
		return caseOf(b[:ascii.Letters(b)]) == upperCase // R12: 0000…
	}
	return bytes.Contains(b[:min(len(b), 80)], []byte("+0x"))
}

// qualified returns the level of Module::SomeError as Ruby prints it, before a
// colon or the message in parentheses.
func (w *walk) qualified(tok []byte) Level {
	name := bytes.TrimSuffix(tok, []byte(":"))
	if len(name) == len(tok) && (w.next(w.i+len(tok)) != ' ' || w.next(w.i+len(tok)+1) != '(') {
		return LevelNone
	}
	return w.exception(name)
}

// exception returns the level of a line that starts with the name of an
// exception or of a Python warning.
func (w *walk) exception(name []byte) Level {
	switch {
	case hasSuffix(name, "Warning") && len(name) > 7 && (w.prev == prevNothing || w.prev == prevColon):
		return LevelWarning
	case w.prev != prevNothing || w.h.strong:
		return LevelNone
	case len(name) > 5 && hasSuffix(name, "Error") || hasSuffix(name, "Exception") || bytes.Contains(name, []byte(".exceptions.")):
		w.h.trace = exception
		return LevelError
	}
	return LevelNone
}

// Some formats state the level of an entry on a line below its head: the
// second line of java.util.logging, and the fields of a journal export.

// trailing reads a line that completes the current entry.
func (t *tracker) trailing(b []byte, h *head) bool {
	e := &t.entry
	switch {
	case hasPrefix(b, "__CURSOR="):
		h.strong, h.format = true, formatJournalExport
		return true
	case !e.open:
		return false
	case e.format == formatJournalExport:
		return h.journalField(b)
	case e.lines == 1 && e.level == LevelNone && e.named && e.strong && !h.strong && !h.stamp.OK:
		h.level = julLevel(b)
		h.trailing = h.level != LevelNone
		return h.trailing
	}
	return false
}

// julLevel returns the level at the start of the second line of an entry of
// java.util.logging.
func julLevel(b []byte) Level {
	n := ascii.Letters(b[:min(len(b), level.MaxWord)])
	if n+1 >= len(b) || b[n] != ':' || b[n+1] != ' ' || caseOf(b[:n]) != upperCase {
		return LevelNone
	}
	return level.Of(b[:n]).Level
}

// journalField reads one field of a journal export.
func (h *head) journalField(b []byte) bool {
	n := bytes.IndexByte(b, '=')
	if n <= 0 || !ascii.IsUpper(b[0]) && b[0] != '_' {
		return false
	}
	h.trailing = true
	switch v := b[n+1:]; string(b[:n]) {
	case "PRIORITY":
		if ascii.Digits(v) == 1 && len(v) == 1 {
			h.level = level.Syslog(ascii.Number(v))
		}
	case "__REALTIME_TIMESTAMP":
		h.readStamp(b, n+1)
	}
	return true
}
