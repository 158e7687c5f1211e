package stamp

import (
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
)

// field is a number in a date or, with a width of 0, the name of a month.
type field struct{ value, width int }

// readField reads the field at i and returns its end, or 0 if there is none.
func readField(b []byte, i int) (f field, end int) {
	if f.width = ascii.Digits(b[i:min(len(b), i+9)]); f.width > 0 {
		f.value = ascii.Number(b[i : i+f.width])
		return f, i + f.width
	}
	if f.value = Month(b[i:]); f.value == 0 {
		return f, 0
	}
	for i < len(b) && (ascii.IsLetter(b[i]) || b[i] == '.' || b[i] == ',') {
		i++
	}
	return f, i
}

// parseDate reads a date in any of the orders in use, after the name of a
// weekday or not, and returns its end, or 0.
func parseDate(b []byte, s *Stamp) int {
	n := Weekday(b)
	first, i := readField(b, ascii.If(n > 0, ascii.SkipAny(b, n, " ,")))
	if i == 0 || i >= len(b) {
		return 0
	}
	switch first.width {
	case 0:
		return parseMonthFirst(b, i, first.value, s)
	case 6, 8: // 060102, 20060102
		day := first.value + ascii.If(first.width == 6, 20_000_000)
		return ascii.If(setDate(s, day/10000, day/100%100, day%100), i)
	}
	return parseNumberFirst(b, i, first, s)
}

// parseNumberFirst reads the rest of a date whose first number ends at i.
func parseNumberFirst(b []byte, i int, first field, s *Stamp) int {
	sep := b[i]
	second, i := readField(b, i+ascii.If(strings.IndexByte("-/. :", sep) >= 0, 1))
	if i == 0 || i >= len(b) || second.width > 2 || first.width > 4 {
		return 0
	}
	if second.width == 0 && first.width < 4 {
		return parseDayMonth(b, i, first.value, second.value, s)
	}
	third, end := readField(b, i+1)
	if sameSep := b[i] == sep && end > 0 && third.width > 0; !sameSep {
		ok := first.width == 2 && second.width == 2 && (sep == '-' || sep == '/') && b[i] != sep
		return ascii.If(ok && setDate(s, 0, first.value, second.value), i)
	}
	if first.width == 4 {
		if third.width > 2 { // 2006-01-0215:04:05
			third.value, end = ascii.Number(b[i+1:i+3]), i+3
		}
		ok := sep != ':' || ascii.At(b, end) == '-'
		return ascii.If(ok && setDate(s, first.value, second.value, third.value), end)
	}
	return ascii.If(orderDate(s, first.value, second.value, third, sep, b[end:]), end)
}

// parseMonthFirst reads Jan 2 and Jan 2, 2006; the name ends at i.
func parseMonthFirst(b []byte, i, month int, s *Stamp) int {
	day, i := readField(b, ascii.SkipAny(b, i, " -./"))
	if i == 0 || day.width == 0 || day.width > 2 {
		return 0
	}
	year, end := readField(b, ascii.SkipAny(b, i, " ,-/"))
	if year.width != 4 || end >= len(b) {
		year.value, end = 0, i
	}
	s.Named = true
	return ascii.If(setDate(s, year.value, month, day.value), end)
}

// parseDayMonth reads 02/Jan/2006, 02-Jan-06, 02Jan2006 and 2 Jan; the name ends
// at i.
func parseDayMonth(b []byte, i, day, month int, s *Stamp) int {
	at := i + ascii.If(strings.IndexByte("/- ", b[i]) >= 0, 1)
	year, end := readField(b, at)
	switch {
	case end == 0 || end >= len(b) || year.width != 4 && (year.width != 2 || b[at] == ' ' || b[i] == ' ' || b[end] == ':'):
		year.value, end = 0, i
	case year.width == 2:
		year.value += 2000
	}
	return ascii.If(setDate(s, year.value, month, day), end)
}

// orderDate determines which of three numbers are the day, the month and the
// year, where the year is the first or the last. 13.2.2020 and 13/2/2020 have
// only one reading. If more are possible, dots mean day first, a slash after a
// possible month means month first, and a dash before a year of four digits
// means day first. Otherwise a year of two digits may be the first or the
// last. Hadoop and Spark write yy/MM/dd HH:mm:ss and a level in capitals by
// default. Any other date has the later of the two years that is not after
// [Options].Now, since layouts in use have either order and logs are recent.
func orderDate(s *Stamp, a, b int, third field, sep byte, rest []byte) bool {
	c, year := third.value, third.value+ascii.If(third.width == 2, 2000)
	switch {
	case sep == ' ' || sep == ':' || ascii.IsLetter(sep) || third.width != 2 && third.width != 4:
		return false
	case a <= 12 && (sep == '/' || b > 12):
		return setDate(s, year, a, b)
	case third.width == 4 || sep == '.':
		return setDate(s, year, b, a)
	case sep == '/' && len(rest) > 11 && rest[9] == ' ' && ascii.IsUpper(rest[10]) && ascii.IsUpper(rest[11]):
		return setDate(s, 2000+a, b, c)
	}
	s.reversible = max(a, c) <= 31
	if c > a {
		return setDate(s, 2000+c, b, a)
	}
	return setDate(s, 2000+a, b, c)
}

// parseEpoch reads seconds, milliseconds, microseconds or nanoseconds since
// 1970; seconds may have a fraction. Only times from 2001 to 2033 count, since
// any other number is probably not a time.
func parseEpoch(b []byte, n int, s *Stamp) int {
	if n < 10 || n > 19 || n%3 != 1 || b[0] != '1' || n == 10 && string(b[1:4]) == "000" {
		return 0
	}
	s.Epoch = true
	s.unix = int64(ascii.Number(b[:10]))
	s.nsec = fraction(b[10:n])
	i := n
	if n == 10 && ascii.At(b, i) == '.' {
		i = parseFraction(b, i, s)
	}
	next := ascii.At(b, i)
	return ascii.If(!ascii.IsLetter(next) && next != '-' && next != '_', i)
}
