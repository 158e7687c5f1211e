package logs

import (
	"strconv"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/pattern"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// classify reads one line. The result is valid until the next call.
func (t *tracker) classify(b []byte) *head {
	t.head = head{}
	h := &t.head
	n := ascii.SkipSpace(b, 0)
	if n == len(b) {
		h.blank = true
		return h
	}
	h.indented = n > 0
	h.at = n
	b = b[n:]
	if h.indented && t.entry.takes(b[0]) || isContinuation(b) {
		h.continues, h.announces = true, announcesTrace(b)
		h.level = continuingPhrase.level(b)
		h.frame = isFrame(b)
		h.framed = h.frame || isContinuation(b) || isExcerpt(b)
		return h
	}
	rest := t.formats.unwrap(h, b)
	if len(rest) < len(b) {
		t.inner(rest, h)
	} else {
		t.message(b, h)
	}
	return h
}

// inner reads the line inside a wrapper. Its level, and its timestamp if that
// is fuller, take precedence over the wrapper's.
func (t *tracker) inner(b []byte, h *head) {
	n := ascii.SkipSpace(b, 0)
	if n == len(b) {
		h.blank = h.wrapped
		return
	}
	h.at += n
	if isContinuation(b[n:]) {
		h.continues, h.announces = true, announcesTrace(b[n:])
		h.level = continuingPhrase.level(b[n:])
		h.frame = isFrame(b[n:])
		return
	}
	h.indented = h.wrapped && n > 0
	if n > 0 {
		h.rule = t.formats.headRule(b[n:])
	}
	level, outer := h.level, h.stamp
	h.level, h.stamp = LevelNone, stamp.Stamp{}
	t.message(b[n:], h)
	if h.level == LevelNone {
		h.level = level
	}
	h.named = h.stamp.Named
	if outer.Fullness() >= h.stamp.Fullness() {
		h.stamp = outer
	}
}

// maxWrappers is the number of wrappers around a line that are removed.
const maxWrappers = 4

// unwrap removes what other programs put before a program's own line, and
// returns that line. It notes what the line contains, and the rule for its head
// if there is one.
func (r *formatReader) unwrap(h *head, b []byte) []byte {
	for range maxWrappers {
		h.leadLen, h.holds, h.rule = 0, anything, nil
		if len(b) == 0 || b[0] == '{' {
			return b
		}
		if ascii.IsDigit(b[0]) || maybeNamedStamp(b) {
			h.leadLen = stamp.Parse(b, &h.lead)
		}
		if h.leadLen == 0 && len(b) <= maxGlance {
			h.holds = contentsOf(b)
		}
		r.match.Lead, r.match.LeadLen, r.match.HasLead = h.lead, h.leadLen, true
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
		b = b[r.match.Rest:]
	}
	return b
}

// headRule returns the rule for the head of an indented line, or nil.
func (r *formatReader) headRule(b []byte) *formatRule {
	r.match.HasLead = false
	if rule := r.find(b); rule != nil && !rule.wraps() {
		return rule
	}
	return nil
}

// wraps reports whether what follows a match is read again.
func (f *formatRule) wraps() bool { return f.pattern.End == "line" || f.pattern.End == "entry" }

// takeMatch takes what a rule states about the line. The outermost wrapper
// determines the format.
func (h *head) takeMatch(rule *formatRule, m *pattern.Match) {
	if h.format == formatNone {
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
