package listing

import (
	"slices"
	"strings"
)

// timestamp returns where the time stands at the beginning of a line, so that it can
// be set back: 2026-11-20T10:00:00.123Z, 2026/11/20 10:00:00, 10:00:00,123,
// Nov 20 10:00:00, each also in brackets. Without one, from and to are 0.
func timestamp(line string) (from, to int) {
	if line != "" && (line[0] == '[' || line[0] == '(') {
		from = 1
	}
	rest := line[from:]
	n := month(rest)
	word := digits(rest[n:])
	if n == 0 && word >= 6 && !strings.Contains(rest[:word], ":") {
		n = word
		if n == len(rest) || rest[n] != ' ' {
			return 0, 0
		}
		n++
		word = digits(rest[n:])
	}
	if word < 5 || !strings.Contains(rest[n:n+word], ":") {
		return 0, 0
	}
	return from, from + zoned(rest, n+word)
}

// digits returns the length of what is made of digits and the signs between
// them in dates and times. A T stands only between digits, a Z only at the end.
func digits(s string) int {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9', i > 0 && strings.IndexByte("-/:.,+", c) >= 0:
		case c == 'T' && i > 0 && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9':
		case c == 'Z' && i > 0:
			return i + 1
		default:
			return len(strings.TrimRight(s[:i], "-/:.,+"))
		}
	}
	return len(s)
}

// zoned returns end, or where a zone ends that follows there.
func zoned(s string, end int) int {
	for _, z := range [...]string{" UTC", " GMT", " +0000", " -0000"} {
		if strings.HasPrefix(s[end:], z) {
			return end + len(z)
		}
	}
	return end
}

var months = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}

// month returns the length of "Nov 20 " or "Nov  2 " at the start of s.
func month(s string) int {
	if len(s) < 7 || !slices.Contains(months[:], s[:3]) || s[3] != ' ' {
		return 0
	}
	n := 4
	for n < len(s) && n < 7 && (s[n] == ' ' || s[n] >= '0' && s[n] <= '9') {
		n++
	}
	if s[n-1] != ' ' {
		return 0
	}
	return n
}
