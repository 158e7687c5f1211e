package logs

import "bytes"

// pairKey returns the length of the key of a logfmt pair at the start of b,
// the equals sign excluded, or 0.
func pairKey(b []byte) int {
	for i, c := range b {
		switch {
		case isLetter(c) || c == '_' || c == '@':
		case isDigit(c) || c == '.' || c == '-':
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

// logfmt reads pairs of key and value, which start at a place of the text, and returns how many there are, with the
// level and the timestamp that they state. It reads on over words that are not
// pairs, and never into quotes.
func logfmt(b []byte, at int, h *head) int {
	pairs := 0
	for i := 0; i < len(b); {
		n := pairKey(b[i:])
		if n == 0 {
			i = nextField(b, i)
			continue
		}
		pairs++
		end := valueEnd(b, i+n+1)
		h.pair(b[i:i+n], b[i+n+1:], end-(i+n+1), at+i+n+1)
		if h.level != LevelNone && h.stamp.ok {
			return pairs
		}
		i = skipFieldSpace(b, end)
	}
	return pairs
}

// pair takes one pair whose value is the first n bytes of rest, which stands at
// a place of the text.
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
		h.level = valueLevel(v)
	case k&keyTime != 0 && isStampStart(v):
		h.fullerStamp(rest, at)
	case string(key) == "date" && n == 10:
		h.splitStamp(rest, at)
	}
}

// fullerStamp takes the timestamp that a value starts with. The value may hold
// a blank, which ends a value of logfmt but not a timestamp.
func (h *head) fullerStamp(v []byte, at int) {
	var s stamp
	if parseStamp(v, &s) > 0 {
		s.shift(at)
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
	n := copy(buf[:], rest[:10])
	n += copy(buf[n:], " ")
	n += copy(buf[n:n+8], rest[clock:])
	var s stamp
	if parseStamp(buf[:n], &s) == n {
		s.start, s.end = int32(at), int32(at+clock+8)
		h.takeFuller(&s)
	}
}

func isStampStart(b []byte) bool {
	return len(b) > 0 && (isDigit(b[0]) || isLetter(b[0]))
}

// valueEnd returns where the value that starts at i ends.
func valueEnd(b []byte, i int) int {
	if i < len(b) && b[i] == '"' {
		return min(stringEnd(b, i+1)+1, len(b))
	}
	for i < len(b) && b[i] != ' ' && b[i] != '\t' && b[i] != ',' {
		i++
	}
	return i
}

func nextField(b []byte, i int) int {
	if b[i] == '"' {
		return min(stringEnd(b, i+1)+1, len(b))
	}
	for i < len(b) && b[i] != ' ' && b[i] != '\t' && b[i] != ',' {
		i++
	}
	return skipFieldSpace(b, i)
}

func skipFieldSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == ',') {
		i++
	}
	return i
}
