package logs

import (
	"bytes"
	"strconv"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/pattern"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// classify reads one line. The result is valid until the next call.
func (t *tracker) classify(b []byte) *head {
	t.head = head{at: ascii.SkipSpace(b, 0)}
	h := &t.head
	b = b[h.at:]
	h.indented = h.at > 0
	switch {
	case len(b) == 0:
		h.blank = true
	case h.indented && t.entry.takes(b[0]):
		h.joins(b)
	default:
		t.inner(t.formats.unwrap(h, b), h)
	}
	return h
}

// inner reads the line inside the wrappers, if there are any. Its level, and its
// timestamp if that is fuller, take precedence over theirs.
func (t *tracker) inner(b []byte, h *head) {
	switch {
	case len(b) == 0:
		h.blank = h.wrapped
		return
	case isContinuation(b):
		h.joins(b)
		return
	}
	stated, outer := h.level, h.stamp
	h.level, h.stamp = LevelNone, stamp.Stamp{}
	t.message(b, h)
	if h.level == LevelNone || h.diagnosed && stated != LevelNone {
		h.level = stated
	}
	h.named = h.named || h.stamp.Named
	if outer.Fullness() >= h.stamp.Fullness() {
		h.stamp = outer
	}
}

// maxWrappers is the number of wrappers around a line that are removed.
const maxWrappers = 4

// unwrap removes what other programs put before a program's own line, and
// returns that line. It notes the rule for its head if there is one.
func (r *formatReader) unwrap(h *head, b []byte) []byte {
	r.output = b
	for i := range maxWrappers {
		if h.wrapped || i > 0 {
			n := ascii.SkipSpace(b, 0)
			h.indented = h.wrapped && n > 0
			h.at += n
			b = b[n:]
		}
		h.rule = nil
		if len(b) == 0 || b[0] == '{' {
			return b
		}
		rule := r.find(b)
		if rule == nil {
			return b
		}
		if !rule.wraps() {
			h.rule = rule
			return b
		}
		h.takeMatch(rule, &r.match)
		h.at += r.match.Rest
		if b = b[r.match.Rest:]; h.wrapped {
			r.output = b
		}
	}
	return b
}

// wraps reports whether what follows a match is read again.
func (f *formatRule) wraps() bool { return f.pattern.End == "line" || f.pattern.End == "entry" }

// takeMatch takes what a rule states about the line. The outermost wrapper
// determines the format.
func (h *head) takeMatch(rule *formatRule, m *pattern.Match) {
	if h.format == formatPlain {
		h.format = rule.format
	}
	if m.Time.OK {
		h.takeFuller(&m.Time)
	}
	if m.Level != LevelNone {
		h.level, h.status = m.Level, m.FromStatus
	}
	switch rule.pattern.End {
	case "line":
		h.wrapped = true
	case "entry", "message":
		h.strong = true
	default:
		h.diagnosed = h.level != LevelNone
	}
}

// maxUnescaped is the maximum number of bytes of a wrapped line that are
// examined.
const maxUnescaped = 8 << 10

// unescape appends the start of the JSON string v to dst, with its escapes
// resolved and line ends replaced by blanks.
func unescape(dst, v []byte) []byte {
	for i := 0; i < len(v) && len(dst) < maxUnescaped; i++ {
		if v[i] != '\\' || i+1 >= len(v) {
			dst = append(dst, v[i])
			continue
		}
		i++
		switch c := v[i]; c {
		case 't':
			dst = append(dst, '\t')
		case 'n', 'r':
			dst = append(dst, ' ')
		case 'u':
			code, err := strconv.ParseUint(string(v[min(i+1, len(v)):min(i+5, len(v))]), 16, 16)
			if i += 4; err == nil && code < 0x100 {
				dst = append(dst, byte(code))
			}
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// message reads a line without a wrapper, by the first reader of heads that knows
// its form.
func (t *tracker) message(b []byte, h *head) {
	if string(b) == "[" {
		h.blank = true
		return
	}
	if t.readJSON(b, h) || t.readTrailing(b, h) {
		return
	}
	if !t.readFormat(b, h) && !t.readPhrase(b, h) {
		t.readText(b, h)
	}
	if !h.continues {
		t.diagnose(b, h)
	}
	t.relate(b, h)
	t.resume(b, h)
	if h.format == formatPlain && (h.strong || h.level != LevelNone) {
		h.format = formatText
	}
}

// readFormat reads a line that the pattern of a format matches.
func (t *tracker) readFormat(b []byte, h *head) bool {
	if h.rule == nil {
		return false
	}
	h.takeMatch(h.rule, &t.formats.match)
	if rest := t.formats.match.Rest; h.level != LevelNone && !h.status && rest < len(b) {
		h.message = h.at + rest
	}
	return true
}

// maxAnnounced is the number of lines from the announcement of an exception to
// its name, where each line has a head.
const maxAnnounced = 3

// resume determines whether a line with a level continues the entry before it,
// as where each line of a message has the same head: the text after the head is
// a frame of a stack trace or an excerpt of source or, after a level in brackets
// without a timestamp, is indented further than the entry's.
func (t *tracker) resume(b []byte, h *head) {
	if h.level < LevelWarning || h.continues {
		return
	}
	e := &t.entry
	text := b[max(h.message-h.at, 0):]
	text = text[:min(len(text), maxHead)]
	margin := ascii.SkipSpace(text, 0)
	h.margin, text = uint8(margin), text[margin:]
	named := bytes.TrimLeft(text[bytes.Index(text, []byte(": "))+1:], " \t")
	for _, text := range [...][]byte{text, named} {
		if p := level.Head.Find(text); p != nil && p.Trace == traceback {
			h.trace = traceback
		}
	}
	frame := isMarkedFrame(text) || isMarkedFrame(named)
	announced := e.trace == traceback && h.trace != traceback && h.strong && e.lines <= maxAnnounced
	deeper := b[0] == '[' && !h.stamp.OK && h.margin > e.margin
	if h.level == e.level && (frame || announced || deeper || isExcerpt(text) || level.Continuing.Find(text) != nil) {
		h.continues, h.frame = true, frame
	}
}

// relate determines whether a line of text continues the entry before it.
func (t *tracker) relate(b []byte, h *head) {
	switch {
	case t.entry.trace == crash && ascii.HasPrefix(b, "exit status "):
		h.continues = true
	case h.level == LevelInfo && !h.strong && bytes.Contains(b, []byte(": note: ")):
		h.continues, h.level = true, LevelNone
	}
	if !h.strong && h.level == LevelNone {
		h.frame = isFrame(b) || t.entry.trace == crash && isCrashFrame(b)
		h.continues = h.continues || h.frame && t.entry.trace != crash
	}
}
