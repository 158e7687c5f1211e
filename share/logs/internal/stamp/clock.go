package stamp

import (
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
)

// parseClockAfter reads the clock after a date that ends at i, and returns the
// end of the stamp, or 0.
func parseClockAfter(b []byte, i int, s *Stamp) int {
	if i >= len(b) {
		return 0
	}
	switch b[i] {
	case 'T', 't', '_', ':', '-', '|':
		i++
		if b[i-1] == ':' && ascii.At(b, i) == ':' {
			i++
		}
	case ' ', '\t', ',':
		for range 4 {
			if c := ascii.At(b, i); c == ' ' || c == '\t' || c == ',' || c == '-' {
				i++
			}
		}
	}
	if i+5 > len(b) {
		return 0
	}
	if n := ascii.Digits(b[i:]); n == 6 || n == 9 {
		return parsePackedClock(b, i, s)
	}
	return parseClock(b, i, s)
}

// parsePackedClock reads hours, minutes and seconds without separators.
func parsePackedClock(b []byte, i int, s *Stamp) int {
	if !setClock(s, ascii.Number(b[i:i+2]), ascii.Number(b[i+2:i+4]), ascii.Number(b[i+4:i+6])) {
		return 0
	}
	i += 6
	if n := ascii.Digits(b[i:]); n == 3 {
		s.nsec = fraction(b[i : i+3])
		i += 3
	}
	return parseZone(b, parseFraction(b, i, s), s)
}

// parseClock reads 15:04:05 with an optional fraction, AM or PM, and zone.
// After a date it also reads 15:04.
func parseClock(b []byte, i int, s *Stamp) int {
	n := ascii.Digits(b[i:min(len(b), i+3)])
	if n == 0 || n > 2 || i+n+3 > len(b) {
		return 0
	}
	sep := b[i+n]
	if sep != ':' && (sep != '.' || s.Month == 0) {
		return 0
	}
	hour := ascii.Number(b[i : i+n])
	i += n + 1
	if ascii.Digits(b[i:min(len(b), i+3)]) != 2 {
		return 0
	}
	minute, sec := ascii.Number(b[i:i+2]), 0
	i += 2
	switch {
	case i+2 < len(b) && b[i] == sep && ascii.Digits(b[i+1:min(len(b), i+4)]) == 2:
		sec = ascii.Number(b[i+1 : i+3])
		i = parseFraction(b, i+3, s)
	case s.Month == 0:
		return 0
	}
	if !setClock(s, hour, minute, sec) {
		return 0
	}
	return parseZone(b, parseHalf(b, i, s), s)
}

// parseFraction reads the fraction of a second after a point, a comma or, if it
// has three or six digits, a colon.
func parseFraction(b []byte, i int, s *Stamp) int {
	if i+1 >= len(b) || b[i] != '.' && b[i] != ',' && b[i] != ':' {
		return i
	}
	n := ascii.Digits(b[i+1:])
	if n == 0 || b[i] == ':' && n != 3 && n != 6 {
		return i
	}
	s.nsec = fraction(b[i+1 : i+1+n])
	return i + 1 + n
}

// parseHalf reads AM or PM.
func parseHalf(b []byte, i int, s *Stamp) int {
	j := i
	if j < len(b) && b[j] == ' ' {
		j++
	}
	if j+1 >= len(b) || b[j+1]|0x20 != 'm' || j+2 < len(b) && ascii.IsLetter(b[j+2]) {
		return i
	}
	switch b[j] | 0x20 {
	case 'a':
		s.hour %= 12
	case 'p':
		s.hour = s.hour%12 + 12
	default:
		return i
	}
	return j + 2
}

// parseZone reads Z, an offset or the name of a zone. If the date had no year,
// it also reads a year after that, as ctime writes it.
func parseZone(b []byte, i int, s *Stamp) int {
	if i < len(b) && (b[i] == 'Z' || b[i] == 'z') && (i+1 == len(b) || !ascii.IsLetter(b[i+1])) {
		s.zoned = true
		return i + 1
	}
	j := i
	if j < len(b) && b[j] == ' ' {
		j++
	}
	if j < len(b) && (b[j] == '+' || b[j] == '-') {
		if n := parseOffset(b[j:], j > i, s); n > 0 {
			i = j + n
		}
	} else if n := zoneName(b[j:], s); n > 0 {
		i = j + n
	}
	if s.Year == 0 && s.Month != 0 {
		return parseLastYear(b, i, s)
	}
	return i
}

// parseLastYear reads a year after the clock.
func parseLastYear(b []byte, i int, s *Stamp) int {
	if i+5 > len(b) || b[i] != ' ' || ascii.Digits(b[i+1:min(len(b), i+6)]) != 4 {
		return i
	}
	if y := ascii.Number(b[i+1 : i+5]); y >= 1970 && y < 2100 {
		s.Year = int16(y)
		return i + 5
	}
	return i
}

// parseOffset reads +02:00, +0200, +02, and Db2's +120 in minutes.
func parseOffset(b []byte, spaced bool, s *Stamp) int {
	n := ascii.Digits(b[1:min(len(b), 6)])
	hours, minutes, end := 0, 0, 0
	switch {
	case n == 4:
		hours, minutes, end = ascii.Number(b[1:3]), ascii.Number(b[3:5]), 5
	case n == 2 && len(b) >= 6 && b[3] == ':' && ascii.Digits(b[4:6]) == 2:
		hours, minutes, end = ascii.Number(b[1:3]), ascii.Number(b[4:6]), 6
	case n == 2 && !spaced:
		hours, end = ascii.Number(b[1:3]), 3
	case n == 3 && !spaced:
		minutes, end = ascii.Number(b[1:4]), 4
	default:
		return 0
	}
	if hours > 14 || minutes > 840 || end < len(b) && ascii.IsLetter(b[end]) {
		return 0
	}
	s.zoned = true
	s.offset = int32(hours*3600 + minutes*60)
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
	if n < 3 || n < len(b) && (ascii.IsLetter(b[n]) || ascii.IsDigit(b[n]) || b[n] == '_') {
		return 0
	}
	hours, ok := zoneHours[string(b[:n])]
	if !ok {
		return 0
	}
	s.zoned = true
	s.offset = hours * 3600
	return n
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

func setDate(s *Stamp, year, month, day int) bool {
	if month < 1 || month > 12 || day < 1 || day > 31 || year != 0 && (year < 1970 || year > 2099) {
		return false
	}
	s.Year, s.Month, s.day = int16(year), int8(month), int8(day)
	return true
}

func setClock(s *Stamp, hour, minute, sec int) bool {
	if hour > 24 || minute > 59 || sec > 60 {
		return false
	}
	s.hour, s.minute, s.sec = int8(hour), int8(minute), int8(sec)
	return true
}

// Month returns the month whose English name starts with the first three
// letters of b, or 0.
func Month(b []byte) int {
	if len(b) < 3 {
		return 0
	}
	const names = "janfebmaraprmayjunjulaugsepoctnovdec"
	for m := range 12 {
		if b[0]|0x20 == names[3*m] && b[1]|0x20 == names[3*m+1] && b[2]|0x20 == names[3*m+2] {
			return m + 1
		}
	}
	return 0
}

// Weekday returns the length of the name of a weekday at the start of b, in
// full or as three letters, or 0.
func Weekday(b []byte) int {
	n := ascii.Letters(b[:min(len(b), 10)])
	for _, name := range [...]string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
		if (n == 3 || n == len(name)) && b[0]|0x20 == name[0] && strings.EqualFold(string(b[:n]), name[:n]) {
			return n
		}
	}
	return 0
}
