package logs

import "bytes"

// trimEnd cuts the line end and the blanks before it.
func trimEnd(b []byte) []byte {
	n := len(b)
	for n > 0 && (b[n-1] == '\n' || b[n-1] == '\r' || b[n-1] == ' ') {
		n--
	}
	return b[:n]
}

// plain returns the line without the escape sequences of terminals.
func (t *tracker) plain(b []byte) []byte {
	i := bytes.IndexByte(b[:min(len(b), 2*maxHead)], 0x1b)
	if i < 0 {
		return b
	}
	t.scratch = append(t.scratch[:0], b[:i]...)
	for i < len(b) {
		if b[i] == 0x1b {
			i += escapeLen(b[i:])
			continue
		}
		n := bytes.IndexByte(b[i:], 0x1b)
		if n < 0 {
			n = len(b) - i
		}
		t.scratch = append(t.scratch, b[i:i+n]...)
		i += n
	}
	return t.scratch
}

// escapeLen returns the length of the escape sequence at the start of b, as
// ECMA-48 has them: CSI with its parameters, OSC up to its end, or two bytes.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return len(b)
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				return i + 1
			}
			if b[i] < 0x20 {
				return i
			}
		}
		return len(b)
	case ']':
		for i := 2; i < len(b); i++ {
			if b[i] == 0x07 {
				return i + 1
			}
			if b[i] == 0x1b {
				return min(i+2, len(b))
			}
		}
		return len(b)
	}
	return 2
}
