package stamp

import (
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
)

// parseClockAfter reads the clock after a date that ends at i, and returns the
// end of the stamp, or 0.
func parseClockAfter(b []byte, i int, s *Stamp) int {
	switch c := ascii.At(b, i); {
	case ascii.HasPrefix(b[i:], " time="): // date=2024-05-01 time=10:00:00, as firewalls write it
		i += len(" time=")
	case strings.IndexByte(" \t,", c) >= 0:
		i += min(ascii.SkipAny(b, i, " \t,-")-i, 4)
	case ascii.HasPrefix(b[i:], "::"):
		i += 2
	case strings.IndexByte("Tt_:-|", c) >= 0:
		i++
	}
	if ascii.Digits(b[min(i, len(b)):]) == 6 {
		return parsePackedClock(b, i, s)
	}
	return parseClock(b, i, s)
}

// parsePackedClock reads hours, minutes and seconds without separators.
func parsePackedClock(b []byte, i int, s *Stamp) int {
	ok := setClock(s, ascii.Number(b[i:i+2]), ascii.Number(b[i+2:i+4]), ascii.Number(b[i+4:i+6]))
	return ascii.If(ok, parseZone(b, parseFraction(b, i+6, s), s))
}

// digitsAt returns the number of up to most digits at i, and its end.
func digitsAt(b []byte, i, most int) (value, end int) {
	for end = i; end < min(len(b), i+most) && ascii.IsDigit(b[end]); end++ {
		value = value*10 + int(b[end]-'0')
	}
	return value, end
}

// parseClock reads 15:04:05 with an optional fraction, AM or PM, and zone.
// After a date it also reads 15:04.
func parseClock(b []byte, start int, s *Stamp) int {
	hour, i := digitsAt(b, start, 2)
	minute, end := digitsAt(b, i+1, 3)
	sep := ascii.At(b, i)
	if i == start || end != i+3 || sep != ':' && (sep != '.' || s.Month == 0) {
		return 0
	}
	sec := 0
	if v, after := digitsAt(b, end+1, 3); ascii.At(b, end) == sep && after == end+3 {
		sec, end = v, parseFraction(b, after, s)
	} else if s.Month == 0 {
		return 0
	}
	ok := setClock(s, hour, minute, sec)
	return ascii.If(ok, parseZone(b, parseHalf(b, end, s), s))
}

// parseFraction reads the fraction of a second after a point, a comma or, if it
// has three or six digits, a colon.
func parseFraction(b []byte, i int, s *Stamp) int {
	sep := ascii.At(b, i)
	if sep != '.' && sep != ',' && sep != ':' {
		return i
	}
	n := ascii.Digits(b[i+1:])
	if n == 0 || sep == ':' && n != 3 && n != 6 {
		return i
	}
	s.nsec = fraction(b[i+1 : i+1+n])
	return i + 1 + n
}

// parseHalf reads AM or PM.
func parseHalf(b []byte, i int, s *Stamp) int {
	j := i + ascii.If(ascii.At(b, i) == ' ', 1)
	half := ascii.At(b, j) | 0x20
	if half != 'a' && half != 'p' || ascii.At(b, j+1)|0x20 != 'm' || ascii.IsLetter(ascii.At(b, j+2)) {
		return i
	}
	s.hour = s.hour%12 + ascii.If[int8](half == 'p', 12)
	return j + 2
}

// parseZone reads Z, an offset or the name of a zone. If the date had no year,
// it also reads a year after that, as ctime writes it.
func parseZone(b []byte, i int, s *Stamp) int {
	if ascii.At(b, i)|0x20 == 'z' && !ascii.IsLetter(ascii.At(b, i+1)) {
		s.zoned = true
		return i + 1
	}
	j := i + ascii.If(ascii.At(b, i) == ' ', 1)
	n := 0
	if c := ascii.At(b, j); c == '+' || c == '-' {
		n = parseOffset(b[j:], j > i, s)
	} else if ascii.IsUpper(c) {
		n = zoneName(b[j:], s)
	}
	if n > 0 {
		i = j + n
	}
	if s.Year == 0 && s.Month != 0 && ascii.At(b, i) == ' ' {
		if year, end := digitsAt(b, i+1, 5); end == i+5 && year >= 1970 && year < 2100 {
			s.Year, i = int16(year), end
		}
	}
	return i
}

// parseOffset reads +02:00, +0200 and, without a blank before it, +02.
func parseOffset(b []byte, spaced bool, s *Stamp) int {
	hours, end := digitsAt(b, 1, 2)
	minutes := 0
	switch n := ascii.Digits(b[1:]); {
	case hours > 14:
		return 0
	case n == 4:
		minutes, end = digitsAt(b, 3, 2)
	case n == 2 && ascii.At(b, 3) == ':' && ascii.Digits(b[4:]) == 2:
		minutes, end = digitsAt(b, 4, 2)
	case n != 2 || spaced:
		return 0
	}
	s.zoned, s.offset = true, int32(hours*3600+minutes*60)
	if b[0] == '-' {
		s.offset = -s.offset
	}
	return end
}

// zoneName reads the abbreviation of a zone with a single offset: those of RFC
// 5322, and of Europe, Japan, Korea and eastern Australia. IST, BST and others
// stand for several zones and are ignored.
func zoneName(b []byte, s *Stamp) int {
	n := ascii.Letters(b[:min(len(b), 6)])
	hours, ok := zoneHours[string(b[:n])]
	if ok {
		s.zoned, s.offset = true, hours*3600
	}
	return ascii.If(ok, n)
}

var zoneHours = map[string]int32{
	"UTC": 0, "GMT": 0, "WET": 0, "CET": 1, "WEST": 1, "CEST": 2, "EET": 2, "EEST": 3, "MSK": 3, "JST": 9, "KST": 9, "AEST": 10, "AEDT": 11,
	"EDT": -4, "EST": -5, "CDT": -5, "CST": -6, "MDT": -6, "MST": -7, "PDT": -7, "PST": -8,
}

// fraction returns the fractional digits of a second as nanoseconds.
func fraction(b []byte) int32 {
	v := ascii.Number(b[:min(len(b), 9)])
	for range 9 - len(b) {
		v *= 10
	}
	return int32(v)
}

const months = "janfebmaraprmayjunjulaugsepoctnovdec"

var weekdays = [...]string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

// thirds has, for each letter that starts the name of a month or weekday, a bit
// for each letter that may be the third.
var thirds = func() (bits [32]uint32) {
	for names := months + "montuewedthufrisatsun"; names != ""; names = names[3:] {
		bits[names[0]&31] |= 1 << (names[2] & 31)
	}
	return bits
}()

// mayBeNamed reports whether b may start with the name of a month or weekday,
// which almost no word does.
func mayBeNamed(b []byte) bool { return len(b) > 2 && thirds[b[0]&31]>>(b[2]&31)&1 != 0 }

// Month returns the month whose English name starts with the first three
// letters of b, or 0.
func Month(b []byte) int {
	if !mayBeNamed(b) {
		return 0
	}
	at := strings.Index(months, string([]byte{b[0] | 0x20, b[1] | 0x20, b[2] | 0x20}))
	return ascii.If(at%3 == 0, at/3+1)
}

// Weekday returns the length of the name of a weekday at the start of b, in
// full or as three letters, or 0.
func Weekday(b []byte) int {
	if !mayBeNamed(b) {
		return 0
	}
	n := ascii.Letters(b[:min(len(b), 10)])
	for _, name := range weekdays {
		if (n == 3 || n == len(name)) && strings.EqualFold(string(b[:n]), name[:n]) {
			return n
		}
	}
	return 0
}
