package logs

import (
	"bytes"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// pairKey returns the length of the key of a logfmt pair at the start of b,
// the equals sign excluded, or 0.
func pairKey(b []byte) int {
	for i, c := range b {
		switch {
		case ascii.IsLetter(c) || c == '_' || c == '@':
		case ascii.IsDigit(c) || c == '.' || c == '-':
			if i == 0 {
				return 0
			}
		case c == '=':
			return i
		default:
			return 0
		}
	}
	return 0
}

// logfmt reads key=value pairs, whose text is at offset at of the line, until
// it has a level and a timestamp. It returns the number of pairs. It skips
// words that are not pairs, and never looks inside quotes.
func logfmt(b []byte, at int, h *head) int {
	pairs := 0
	for i := 0; i < len(b); {
		n := pairKey(b[i:])
		if n == 0 {
			i = skipFieldSpace(b, valueEnd(b, i))
			continue
		}
		pairs++
		end := valueEnd(b, i+n+1)
		h.pair(b[i:i+n], b[i+n+1:], end-(i+n+1), at+i+n+1)
		if h.level != LevelNone && h.stamp.OK {
			return pairs
		}
		i = skipFieldSpace(b, end)
	}
	return pairs
}

// pair reads one pair. The value is the first n bytes of rest, which is at
// offset at of the line.
func (h *head) pair(key, rest []byte, n, at int) {
	v := rest[:n]
	if n > 0 && v[0] == '"' {
		at += n - len(bytes.TrimLeft(v, `"`))
		v = bytes.Trim(v, `"`)
		rest = v
	}
	k := jsonKeyOf(key)
	switch {
	case h.level == LevelNone && (k&(keyLevel|keyLogLevel) != 0 || string(key) == "at"):
		h.level = level.Value(v)
	case k&keyTime != 0:
		h.fullerStamp(rest, at)
	case string(key) == "date" && n == 10:
		h.splitStamp(rest, at)
	}
}

// fullerStamp takes the timestamp at the start of v if it is fuller. v extends
// beyond the value, because a blank ends a value of logfmt but not a timestamp.
func (h *head) fullerStamp(v []byte, at int) {
	var s stamp.Stamp
	if stamp.Parse(v, &s) > 0 {
		s.Shift(at)
		h.takeFuller(&s)
	}
}

// splitStamp reads "2024-05-01 time=10:00:00", as firewalls write it.
func (h *head) splitStamp(rest []byte, at int) {
	var buf [32]byte
	const clock = len("2024-05-01 time=")
	if len(rest) < clock+8 || string(rest[10:clock]) != " time=" {
		return
	}
	text := append(append(append(buf[:0], rest[:10]...), ' '), rest[clock:clock+8]...)
	var s stamp.Stamp
	if stamp.Parse(text, &s) == len(text) {
		s.Start, s.End = int32(at), int32(at+clock+8)
		h.takeFuller(&s)
	}
}

// valueEnd returns the end of the value that starts at i.
func valueEnd(b []byte, i int) int {
	if i < len(b) && b[i] == '"' {
		return min(stringEnd(b, i+1)+1, len(b))
	}
	for i < len(b) && b[i] != ' ' && b[i] != '\t' && b[i] != ',' {
		i++
	}
	return i
}

func skipFieldSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == ',') {
		i++
	}
	return i
}

// An access log states a status instead of a level. A status counts only within
// the grammar of an access log: after or before a request in quotes, between
// the bars of gin, or in the columns of Squid and IIS.

// isMethod reports whether b starts with an HTTP method and a space.
func isMethod(b []byte) bool {
	n := 0
	for n < len(b) && n < 10 && ascii.IsUpper(b[n]) {
		n++
	}
	return n >= 3 && n <= 9 && n+1 < len(b) && b[n] == ' '
}

// isRequest reports whether the text is an HTTP request line. In a dated line,
// the version may be missing, and a dash stands for a missing request.
func isRequest(in []byte, dated bool) bool {
	if !dated {
		return isMethod(in) && bytes.Contains(in, []byte(" HTTP/"))
	}
	if !isMethod(in) {
		return string(in) == "-"
	}
	target := in[bytes.IndexByte(in, ' ')+1]
	return target == '/' || target == '*' || bytes.Contains(in, []byte(" HTTP/"))
}

// access derives the level from the status of a request, which is in quotes
// from start to end, unless the line states a level.
func (w *walk) access(start, end int) {
	if w.h.format == formatNone {
		w.h.format = formatAccess
	}
	w.h.strong = w.h.strong || w.dated
	if w.h.level != LevelNone {
		return
	}
	if end+5 < len(w.line) && w.line[end] == ' ' && isStatus(w.line[end+1:]) {
		w.setStatus(w.line[end+1])
		return
	}
	if n := statusBefore(w.line[:start]); n > 0 {
		w.setStatus(w.line[n])
	}
}

// isStatus reports whether b starts with three digits and a space.
func isStatus(b []byte) bool {
	return len(b) > 3 && ascii.Digits(b[:4]) == 3 && b[3] == ' ' && b[0] >= '1' && b[0] <= '5'
}

// statusBefore returns the index of the status that load balancers write before
// the request and after the durations, or 0.
func statusBefore(b []byte) int {
	timed := false
	for i := 0; i < len(b); {
		n := bytes.IndexByte(b[i:], ' ')
		if n < 0 {
			return 0
		}
		if timed && isStatus(b[i:]) {
			return i
		}
		timed = isTiming(b[i : i+n])
		i += n + 1
	}
	return 0
}

// isTiming reports whether a field holds durations: 0.000073 or 0/0/0/1/1.
func isTiming(f []byte) bool {
	marks := 0
	for _, c := range f {
		switch {
		case c == '/':
			marks++
		case c == '.':
			marks += 3
		case !ascii.IsDigit(c) && c != '-' && c != '+':
			return false
		}
	}
	return marks == 3 || marks == 4 || marks == 12
}

func (w *walk) setStatus(class byte) {
	w.h.format = formatAccess
	switch class {
	case '5':
		w.h.level, w.h.status = LevelError, true
	case '4':
		w.h.level, w.h.status = LevelWarning, true
	}
}

// barredStatus reads the status at w.i in "| 200 | 1.2ms | 192.0.2.7 | GET …"
// of gin.
func (w *walk) barredStatus() bool {
	if !w.dated || w.i < 2 || w.b[w.i-2] != '|' || !isStatus(w.b[w.i:]) || w.next(w.i+4) != '|' {
		return false
	}
	if n := bytes.LastIndexByte(w.line, '|'); !isMethod(w.line[min(n+2, len(w.line)):]) {
		return false
	}
	w.setStatus(w.b[w.i])
	return true
}

// columnStatus reads access logs without quotes: Squid's TCP_MISS/200, the
// columns of IIS and the short form of morgan. The token is at w.i.
func (w *walk) columnStatus(tok []byte) bool {
	i := 0
	switch {
	case w.h.stamp.Epoch && isSquid(tok):
		i = w.i + len(tok) - 3
	case !isMethod(w.line[w.i:]) || w.next(w.i+len(tok)+1) != '/':
		return false
	case w.dated && w.prev == prevName:
		i = statusColumn(w.line)
	case w.prev == prevNothing:
		i = morganStatus(w.line, len(tok)+1)
	}
	if i == 0 {
		return false
	}
	w.setStatus(w.line[i])
	w.stop = true
	return true
}

// isSquid reports whether a token is a result code of Squid, such as
// TCP_MISS/200.
func isSquid(tok []byte) bool {
	n := bytes.IndexByte(tok, '/')
	return n > 3 && n+4 == len(tok) && ascii.IsUpper(tok[0]) && ascii.Digits(tok[n+1:]) == 3 && bytes.IndexByte(tok[:n], '_') > 0
}

// statusColumn returns the index of the status that IIS writes in the fourth
// column from the end, before three more numbers, or 0.
func statusColumn(line []byte) int {
	end := len(line)
	for range 4 {
		start := bytes.LastIndexByte(line[:end], ' ')
		if n := ascii.Digits(line[start+1 : end]); start < 0 || n == 0 || start+1+n < end {
			return 0
		}
		end = start
	}
	if !isStatus(line[end+1:]) {
		return 0
	}
	return end + 1
}

// morganStatus returns the index of the status after the path that starts at i,
// if a duration follows the status, or 0.
func morganStatus(line []byte, i int) int {
	n := bytes.IndexByte(line[i:], ' ')
	if n < 0 || !isStatus(line[i+n+1:]) {
		return 0
	}
	i += n + 1
	if !bytes.Contains(line[i:min(len(line), i+24)], []byte(" ms")) {
		return 0
	}
	return i
}
