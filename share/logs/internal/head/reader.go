package head

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/pattern"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// Reader reads the heads of the lines of a log, in order. The zero Reader is
// ready to use.
type Reader struct {
	// Output is the last line without what a service or a container runtime put
	// before it.
	Output           []byte
	head             Head
	entry            *Entry // that the line may continue
	formats          matcher
	json             jsonScan
	inJSON           bool // the JSON value continues
	plain, unescaped []byte
}

// Read reads the head of a line. The line may add to e, the entry so far. The
// result is valid until the next call.
func (r *Reader) Read(line []byte, e *Entry) *Head {
	b := trimEnd(r.withoutEscapes(line))
	r.Output, r.entry = b, e
	if r.inJSON && r.continueJSON(b) {
		return &r.head
	}
	r.head = Head{At: ascii.SkipSpace(b, 0)}
	h := &r.head
	b, h.Indented = b[h.At:], h.At > 0
	switch {
	case len(b) == 0:
		h.Blank = true
	case h.Indented && e.Strong && !e.Indented && b[0] != '{': // whatever it says
		h.joins(b)
	default:
		r.inner(r.unwrap(h, b), h)
	}
	return h
}

// withoutEscapes returns the line without the escape sequences of terminals.
func (r *Reader) withoutEscapes(b []byte) []byte {
	if bytes.IndexByte(b[:min(len(b), 2*MaxLen)], 0x1b) < 0 {
		return b
	}
	r.plain = terminal.AppendText(r.plain[:0], b)
	return r.plain
}

// trimEnd removes the line end and the blanks before it.
func trimEnd(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] <= ' ' {
		b = b[:len(b)-1]
	}
	return b
}

// inner reads the line inside the wrappers, if there are any. Its level, and its
// timestamp if theirs has no date, take precedence over theirs.
func (r *Reader) inner(b []byte, h *Head) {
	switch {
	case len(b) == 0:
		h.Blank = h.Wrapped
		return
	case isContinuation(b):
		h.joins(b)
		return
	}
	stated, outer := h.Level, h.Stamp
	h.Level, h.Stamp = level.None, stamp.Stamp{}
	r.line(b, h)
	if h.Level == level.None || h.Diagnosed && stated != level.None {
		h.Level = stated
	}
	h.named = h.named || h.Stamp.Named
	if outer.HasDate() || outer.OK && !h.Stamp.HasDate() {
		h.Stamp = outer
	}
}

// Unwrap returns what follows the prefixes that other programs put before a
// program's own line.
func (r *Reader) Unwrap(line []byte) []byte { return r.unwrap(&Head{}, line) }

// maxWrappers is the number of wrappers around a line that are removed.
const maxWrappers = 4

// unwrap is Unwrap, and notes the rule for the head of the rest if there is one.
func (r *Reader) unwrap(h *Head, b []byte) []byte {
	r.Output = b
	for i := range maxWrappers {
		if h.Wrapped || i > 0 {
			n := ascii.SkipSpace(b, 0)
			h.Indented = h.Wrapped && n > 0
			b, h.At = b[n:], h.At+n
		}
		h.rule = nil
		if len(b) == 0 || b[0] == '{' {
			return b
		}
		rule := r.formats.find(b)
		if rule == nil {
			return b
		}
		if end := rule.pattern.End; end != "line" && end != "entry" { // what follows is not read again
			h.rule = rule
			return b
		}
		h.takeMatch(rule, &r.formats.match)
		h.At += r.formats.match.Rest
		if b = b[r.formats.match.Rest:]; h.Wrapped {
			r.Output = b
		}
	}
	return b
}

// line reads a line without a wrapper, by the first reader of heads that knows
// its form.
func (r *Reader) line(b []byte, h *Head) {
	if h.Blank = string(b) == "["; h.Blank || r.readJSON(b, h) || r.readSecondLine(b, h) {
		return
	}
	switch p := level.Head.Find(b[:min(len(b), MaxLen)]); {
	case h.rule != nil: // the pattern of a format matches
		h.takeMatch(h.rule, &r.formats.match)
		if rest := r.formats.match.Rest; h.Level != level.None && !h.FromStatus && rest < len(b) {
			h.Message = h.At + rest
		}
	case p != nil: // the first line of a trace or of a tool's message
		h.Level, h.Trace = p.Level, p.Trace
	default:
		readText(b, h)
	}
	if !h.Continues {
		h.diagnose(b, &r.formats.match)
	}
	r.relate(b, h)
	r.resume(b, h)
	if h.Format == formatPlain && (h.Strong || h.Level != level.None) {
		h.Format = formatText
	}
}

// resume determines whether a line with a level continues the entry before it,
// as where each line of a message has the same head: the text after the head is
// a frame of a stack trace or an excerpt of source or, after a level in brackets
// without a timestamp, is indented further than the entry's.
func (r *Reader) resume(b []byte, h *Head) {
	if h.Level < level.Warning || h.Continues {
		return
	}
	e := r.entry
	text := b[max(h.Message-h.At, 0):]
	text = text[:min(len(text), MaxLen)]
	margin := ascii.SkipSpace(text, 0)
	h.margin, text = uint8(margin), text[margin:]
	named := bytes.TrimLeft(text[bytes.Index(text, []byte(": "))+1:], " \t")
	if p := cmp.Or(level.Head.Find(text), level.Head.Find(named)); p != nil && p.Trace == Traceback {
		h.Trace = Traceback
	}
	frame := isMarkedFrame(text) || isMarkedFrame(named)
	announced := e.Trace == Traceback && h.Trace != Traceback && h.Strong
	deeper := b[0] == '[' && !h.Stamp.OK && h.margin > e.margin
	if h.Level == e.Level && (frame || announced || deeper || isExcerpt(text) || level.Continuing.Find(text) != nil) {
		h.Continues, h.Frame = true, frame
	}
}

// relate determines whether a line of text continues the entry before it.
func (r *Reader) relate(b []byte, h *Head) {
	crashed := r.entry.Trace == Crash
	switch {
	case crashed && ascii.HasPrefix(b, "exit status "):
		h.Continues = true
	case h.Level == level.Info && !h.Strong && bytes.Contains(b, []byte(": note: ")):
		h.Continues, h.Level = true, level.None
	}
	if !h.Strong && h.Level == level.None {
		h.Frame = isFrame(b) || crashed && isCrashFrame(b)
		h.Continues = h.Continues || h.Frame && !crashed
	}
}

// readJSON reads a line that begins a JSON value.
func (r *Reader) readJSON(b []byte, h *Head) bool {
	if b[0] != '{' && !ascii.HasPrefix(b, "[{") {
		return false
	}
	r.json = jsonScan{}
	if b[0] == '[' {
		b, h.At = b[1:], h.At+1
	}
	r.inJSON = !r.json.scan(b)
	h.Strong, h.json = true, true
	switch {
	case r.inJSON:
		h.Format = formatJSON
	case h.Format == formatPlain:
		h.Format = r.json.format()
	}
	h.takeFuller(r.json.stamp, 0)
	if r.json.textEnd > 0 {
		h.Message, h.MessageEnd = h.At+r.json.textAt, h.At+r.json.textEnd
	}
	if l := r.json.outcome(); l != level.None {
		h.Level = l
	} else if r.json.log != nil && r.json.seen&keyStream != 0 {
		r.unescaped = unescape(r.unescaped[:0], r.json.log)
		h.Strong, h.json, h.Wrapped = false, false, true
		outer, at := h.Stamp, h.At+r.json.textAt
		h.At, h.Message = at, 0
		r.inner(r.unwrap(h, trimEnd(r.withoutEscapes(r.unescaped))), h)
		if h.Stamp != outer {
			h.Stamp.Start, h.Stamp.End = 0, 0
		}
		h.Message, r.inJSON = cmp.Or(h.Message, at), false
	}
	return true
}

// continueJSON reads a continuation line of a JSON value. It returns false if
// the line does not continue the value.
func (r *Reader) continueJSON(b []byte) bool {
	r.head = Head{}
	h := &r.head
	b = r.unwrap(h, b)
	if len(b) > 0 && !h.Indented && !ascii.IsSpace(b[0]) && strings.IndexByte(`}],"`, b[0]) < 0 {
		r.inJSON = false
		return false
	}
	r.inJSON = !r.json.scan(b)
	h.Stamp, h.Continues = stamp.Stamp{}, true
	r.entry.Level, r.entry.Stamp = r.json.outcome(), r.json.stamp
	return true
}

// readSecondLine reads the second line of an entry of java.util.logging, which
// states the level of the entry.
func (r *Reader) readSecondLine(b []byte, h *Head) bool {
	e := r.entry
	if e.Lines != 1 || e.Level != level.None || !e.named || !e.Strong || h.Strong || h.Stamp.OK {
		return false
	}
	if word, _, ok := bytes.Cut(b, []byte(": ")); ok && ascii.IsCapitals(word) {
		e.Level = level.Of(word).Level
	}
	h.Continues = e.Level != level.None
	return h.Continues
}

// takeMatch takes what a rule states about the line. The outermost wrapper
// determines the format.
func (h *Head) takeMatch(rule *formatRule, m *pattern.Match) {
	if h.Format == formatPlain {
		h.Format = rule.format
	}
	h.takeFuller(m.Time, 0)
	if m.Level != level.None {
		h.Level, h.FromStatus = m.Level, m.FromStatus
	}
	switch rule.pattern.End {
	case "line":
		h.Wrapped = true
	case "entry", "message":
		h.Strong = true
	default:
		h.Diagnosed = h.Level != level.None
	}
}
