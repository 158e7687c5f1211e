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
