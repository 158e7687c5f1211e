package head

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
		case ascii.IsLetter(c) || c == '_' || c == '@' || i > 0 && (ascii.IsDigit(c) || c == '.' || c == '-'):
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
func logfmt(b []byte, at int, h *Head) int {
	pairs := 0
	for i := 0; i < len(b); {
		n := pairKey(b[i:])
		if n == 0 {
			i = ascii.SkipAny(b, valueEnd(b, i), fieldSpace)
			continue
		}
		pairs++
		end := valueEnd(b, i+n+1)
		h.pair(b[i:i+n], b[i+n+1:], end-(i+n+1), at+i+n+1)
		if h.Level != level.None && h.Stamp.OK {
			return pairs
		}
		i = ascii.SkipAny(b, end, fieldSpace)
	}
	return pairs
}

// pair reads one pair. The value is the first n bytes of rest, which is at
// offset at of the line.
func (h *Head) pair(key, rest []byte, n, at int) {
	v := rest[:n]
	if n > 0 && v[0] == '"' {
		at += n - len(bytes.TrimLeft(v, `"`))
		v = bytes.Trim(v, `"`)
		rest = v
	}
	k := KeyOf(key)
	switch {
	case h.Level == level.None && (k&(keyLevel|keyLogLevel|keyPriority) != 0 || string(key) == "at"):
		h.Level = level.Value(v)
	case k&keyTime != 0, string(key) == "date":
		// beyond the value too: a blank ends a value, but not a timestamp
		var s stamp.Stamp
		stamp.Parse(rest, &s)
		h.takeFuller(s, at)
	}
}

// fieldSpace are the bytes between two pairs.
const fieldSpace = " \t,"

// valueEnd returns the end of the value that starts at i.
func valueEnd(b []byte, i int) int {
	if i < len(b) && b[i] == '"' {
		return min(stringEnd(b, i+1)+1, len(b))
	}
	if n := bytes.IndexAny(b[i:], fieldSpace); n >= 0 {
		return i + n
	}
	return len(b)
}
