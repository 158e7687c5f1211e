package stamp

import (
	"github.com/devkiln/devkiln/share/logs/internal/ascii"
)

// Parse reads the timestamp at the start of b and returns its length, or 0 if
// there is none.
func Parse(b []byte, s *Stamp) int {
	*s = Stamp{}
	if len(b) < 7 {
		return 0
	}
	n := 0
	switch digits := ascii.Digits(b); {
	case digits > 8 || digits == len(b):
		n = parseEpoch(b, digits, s)
	case digits == 4 && b[4] == '/' && ascii.Digits(b[5:]) == 6: // MMDD/HHMMSS.ffffff of Chromium
		if setDate(s, 0, ascii.Number(b[:2]), ascii.Number(b[2:4])) {
			n = parsePackedClock(b, 5, s)
		}
	case (digits == 1 || digits == 2) && b[digits] == ':':
		n = parseClock(b, 0, s)
	default:
		if end := parseDate(b, s); end > 0 {
			n = parseClockAfter(b, end, s)
		}
	}
	s.OK, s.End = n > 0, int32(n)
	return n
}

// ParseCompact reads a date without separators and a clock: mmdd hh:mm:ss as
// glog writes it, yymmdd of CockroachDB and yyyymmdd of glog with a year. It
// returns the length, or 0 if there is none.
func ParseCompact(b []byte, s *Stamp) int {
	*s = Stamp{}
	n := ascii.Digits(b[:min(len(b), 10)])
	if n != 4 && n != 6 && n != 8 || n+8 > len(b) || b[n] != ' ' {
		return 0
	}
	year := ascii.Number(b[:n-4])
	if n == 6 {
		year += 2000
	}
	end := 0
	if setDate(s, year, ascii.Number(b[n-4:n-2]), ascii.Number(b[n-2:n])) {
		end = parseClock(b, n+1, s)
	}
	s.OK, s.End = end > 0, int32(end)
	return end
}
