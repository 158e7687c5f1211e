// Package stamp reads the timestamps of logs in the forms in use: dates in all
// orders, with or without a year, clocks, zones and seconds since 1970.
//
// [Parse] reads the timestamp at the start of a text, and [Stamp.Time] fills in
// what it does not state.
package stamp

import (
	"strconv"
	"time"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
)

// Stamp is a timestamp as a log states it, before missing parts are filled in.
type Stamp struct {
	unix              int64 // seconds since 1970, if Epoch; else date and clock count
	nsec              int32
	offset            int32 // seconds east of UTC
	Year              int16 // 0 is not stated
	Month             int8  // 0 is not stated, and neither is the day
	day               int8
	hour, minute, sec int8
	zoned             bool // offset is stated
	reversible        bool // the date may also start with the year, or with the day if it now does
	Epoch             bool // it is a number of seconds since 1970
	Named             bool // it starts with the name of a month or weekday
	OK                bool // it is stated
	Start, End        int32
}

// Shift moves the offsets of a stamp that was parsed at offset n of a text.
func (s *Stamp) Shift(n int) {
	s.Start += int32(n)
	s.End += int32(n)
}

// HasDate reports whether the stamp states at least a month and a day.
func (s *Stamp) HasDate() bool { return s.Month != 0 || s.Epoch }

// Fullness ranks the stamps of a line, from 0 for none to 3 for a full date.
// The fullest one counts.
func (s *Stamp) Fullness() int {
	switch {
	case !s.OK:
		return 0
	case !s.HasDate():
		return 1
	case s.Year == 0 && !s.Epoch:
		return 2
	}
	return 3
}

// Time returns the time of the stamp, or the zero time if there is none. Stamps
// without a zone are in loc, and those without a year in the latest year in
// which they are at most a day after now, or in the year 0 if now is zero.
func (s *Stamp) Time(loc *time.Location, now time.Time) time.Time {
	if !s.OK {
		return time.Time{}
	}
	if s.Epoch {
		return time.Unix(s.unix, int64(s.nsec)).UTC()
	}
	if loc == nil {
		loc = time.UTC
	}
	if s.zoned {
		loc = time.FixedZone("", int(s.offset))
	}
	month, day := int(max(s.Month, 1)), int(max(s.day, 1))
	year := int(s.Year)
	if year == 0 && s.Month != 0 && !now.IsZero() {
		year = now.In(loc).Year() + 1
		for range 9 {
			t := s.in(year, month, day, loc)
			if t.Day() == day && !t.After(now.AddDate(0, 0, 1)) {
				break
			}
			year--
		}
	}
	t := s.in(year, month, day, loc)
	if s.reversible && !now.IsZero() && t.After(now.AddDate(0, 0, 1)) {
		t = s.in(2000+day, month, year-2000, loc)
	}
	return t.UTC()
}

// Inherit gives a stamp without a date the date of the earlier one, or the day
// after if the clock has wrapped around.
func (s *Stamp) Inherit(earlier *Stamp) {
	if s.Fullness() != 1 || !earlier.OK {
		return
	}
	s.Year, s.Month, s.day = earlier.Year, earlier.Month, earlier.day
	if s.hour+12 < earlier.hour {
		s.day++
	}
	if !s.zoned {
		s.zoned, s.offset = earlier.zoned, earlier.offset
	}
}

// SetNanoseconds sets the fraction of a second.
func (s *Stamp) SetNanoseconds(n int) { s.nsec = int32(n) }

func (s *Stamp) in(year, month, day int, loc *time.Location) time.Time {
	return time.Date(year, time.Month(month), day, int(s.hour), int(s.minute), int(s.sec), int(s.nsec), loc)
}

// Parse reads the timestamp at the start of b and returns its length, or 0 if
// there is none.
func Parse(b []byte, s *Stamp) int {
	*s = Stamp{}
	if len(b) < 7 {
		return 0
	}
	n := 0
	switch {
	case ascii.IsDigit(b[0]):
		n = parseNumericStamp(b, s)
	case ascii.IsLetter(b[0]):
		n = parseNamedStamp(b, s)
	case b[0] == '@':
		n = parseTAI(b, s)
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

// parseNumericStamp reads stamps that start with a digit.
func parseNumericStamp(b []byte, s *Stamp) int {
	n := ascii.Digits(b)
	switch {
	case n == len(b):
		return parseEpoch(b, n, s)
	case n == 4 && b[4] == '/' && ascii.Digits(b[5:]) == 6:
		return parseChromium(b, s)
	case n == 4:
		return parseYearFirst(b, s)
	case n <= 2:
		return parseShortFirst(b, n, s)
	case n == 8 && setDate(s, ascii.Number(b[:4]), ascii.Number(b[4:6]), ascii.Number(b[6:8])):
		return parseClockAfter(b, 8, s)
	case n == 6 && setDate(s, 2000+ascii.Number(b[:2]), ascii.Number(b[2:4]), ascii.Number(b[4:6])):
		return parseClockAfter(b, 6, s)
	case n == 14 && setDate(s, ascii.Number(b[:4]), ascii.Number(b[4:6]), ascii.Number(b[6:8])):
		return parsePackedClock(b, 8, s)
	}
	return parseEpoch(b, n, s)
}

// parseChromium reads MMDD/HHMMSS.ffffff.
func parseChromium(b []byte, s *Stamp) int {
	if !setDate(s, 0, ascii.Number(b[:2]), ascii.Number(b[2:4])) || len(b) < 11 {
		return 0
	}
	return parsePackedClock(b, 5, s)
}

// parseYearFirst reads 2006-01-02 with any separator, 2006-Jan-02 and
// 2006 Jan 2, each followed by a clock.
func parseYearFirst(b []byte, s *Stamp) int {
	if len(b) < 14 {
		return 0
	}
	sep := b[4]
	if sep != '-' && sep != '/' && sep != '.' && sep != ' ' && sep != ':' {
		return 0
	}
	year, i, month := ascii.Number(b[:4]), 5, 0
	if ascii.IsLetter(b[5]) {
		month = Month(b[5:])
		i += 3
	} else {
		n := ascii.Digits(b[5:min(len(b), 7)])
		month = ascii.Number(b[5 : 5+n])
		i += n
	}
	if i+2 >= len(b) || b[i] != sep {
		return 0
	}
	n := ascii.Digits(b[i+1 : min(len(b), i+3)])
	if n == 0 || !setDate(s, year, month, ascii.Number(b[i+1:i+1+n])) || sep == ':' && ascii.At(b, i+1+n) != '-' {
		return 0
	}
	return parseClockAfter(b, i+1+n, s)
}

// parseShortFirst reads stamps that start with one or two digits: a clock, a
// day before a month's name, or a date in one of the orders in use.
func parseShortFirst(b []byte, n int, s *Stamp) int {
	first, sep := ascii.Number(b[:n]), b[n]
	if sep == ':' {
		return parseClock(b, 0, s)
	}
	i := n
	if !ascii.IsLetter(sep) {
		i++
	}
	if i+3 < len(b) && ascii.IsLetter(b[i]) {
		return parseDayMonth(b, i, first, s)
	}
	if sep != '/' && sep != '-' && sep != '.' {
		return 0
	}
	m := ascii.Digits(b[i:min(len(b), i+3)])
	if m == 0 || m > 2 || i+m >= len(b) {
		return 0
	}
	second := ascii.Number(b[i : i+m])
	i += m
	if b[i] != sep {
		if sep == '.' || m != 2 || n != 2 || !setDate(s, 0, first, second) {
			return 0
		}
		return parseClockAfter(b, i, s)
	}
	y := ascii.Digits(b[i+1 : min(len(b), i+6)])
	if y != 2 && y != 4 {
		return 0
	}
	third := ascii.Number(b[i+1 : i+1+y])
	if y == 4 && !orderDate(s, first, second, third, sep) || y == 2 && !orderShortDate(s, first, second, third, sep, b[i+1+y:]) {
		return 0
	}
	return parseClockAfter(b, i+1+y, s)
}

// orderDate determines which of two numbers before a year of four digits is the
// day. 13.2.2020 and 13/2/2020 have only one reading. If both are possible, dots
// and dashes mean day first, and a slash month first.
func orderDate(s *Stamp, a, b, year int, sep byte) bool {
	if a <= 12 && (sep == '/' || b > 12) {
		return setDate(s, year, a, b)
	}
	return setDate(s, year, b, a)
}

// orderShortDate determines which of three numbers of two digits are the day,
// the month and the year. Dots mean day first, and a slash after a possible
// month, month first. Otherwise the date is yy-MM-dd or dd-MM-yy. Hadoop and
// Spark write yy/MM/dd HH:mm:ss and a level in capitals by default. Any other
// date has the later of the two years that is not after [Options].Now, since
// layouts in use have either order and logs are recent.
func orderShortDate(s *Stamp, a, b, c int, sep byte, rest []byte) bool {
	switch {
	case sep == '.':
		return setDate(s, 2000+c, b, a)
	case a <= 12 && (b > 12 || sep == '/'):
		return setDate(s, 2000+c, a, b)
	case sep == '/' && len(rest) > 11 && rest[9] == ' ' && ascii.IsUpper(rest[10]) && ascii.IsUpper(rest[11]):
		return setDate(s, 2000+a, b, c)
	}
	s.reversible = max(a, c) <= 31
	if c > a {
		return setDate(s, 2000+c, b, a)
	}
	return setDate(s, 2000+a, b, c)
}

// parseDayMonth reads 02/Jan/2006:15:04:05, 02-Jan-2006 15:04:05, 02Jan2006
// 15:04:05 and 2 Jan [2006] 15:04:05; the month's name is at i.
func parseDayMonth(b []byte, i, day int, s *Stamp) int {
	month := Month(b[i:])
	if month == 0 {
		return 0
	}
	i += 3
	for i < len(b) && (ascii.IsLetter(b[i]) || b[i] == '.' || b[i] == ',') {
		i++
	}
	j := i
	if j < len(b) && (b[j] == '/' || b[j] == '-' || b[j] == ' ') {
		j++
	}
	n := ascii.Digits(b[j:min(len(b), j+5)])
	if (n == 4 || n == 2) && j+n < len(b) && (n == 4 || b[j] != ' ' && b[j+n] != ':') {
		year := ascii.Number(b[j : j+n])
		if n == 2 {
			year += 2000
		}
		if !setDate(s, year, month, day) {
			return 0
		}
		return parseClockAfter(b, j+n, s)
	}
	if !setDate(s, 0, month, day) {
		return 0
	}
	return parseClockAfter(b, i, s)
}

// parseNamedStamp reads stamps that start with the name of a weekday or month.
func parseNamedStamp(b []byte, s *Stamp) int {
	i := skipWeekday(b)
	if i > 0 && i+7 >= len(b) {
		return 0
	}
	if i > 0 && ascii.IsDigit(b[i]) {
		n := parseNumericStamp(b[i:], s)
		if n == 0 || s.Month == 0 {
			return 0
		}
		return i + n
	}
	month := Month(b[i:])
	if month == 0 {
		return 0
	}
	i += 3
	for i < len(b) && ascii.IsLetter(b[i]) {
		i++
	}
	for i < len(b) && (b[i] == ' ' || b[i] == '-' || b[i] == '.' || b[i] == '/') {
		i++
	}
	n := ascii.Digits(b[i:min(len(b), i+3)])
	if n == 0 || n > 2 {
		return 0
	}
	day := ascii.Number(b[i : i+n])
	i += n
	year, j := 0, i
	for j < len(b) && (b[j] == ' ' || b[j] == ',' || b[j] == '-' || b[j] == '/') {
		j++
	}
	if m := ascii.Digits(b[j:min(len(b), j+5)]); m == 4 && j+4 < len(b) {
		year, i = ascii.Number(b[j:j+4]), j+4
	}
	if !setDate(s, year, month, day) {
		return 0
	}
	s.Named = true
	return parseClockAfter(b, i, s)
}

// skipWeekday returns the length of the name of a weekday at the start of b,
// with the blanks and commas after it, or 0.
func skipWeekday(b []byte) int {
	i := Weekday(b)
	for i > 0 && i < len(b) && (b[i] == ' ' || b[i] == ',') {
		i++
	}
	return i
}

// parseEpoch reads seconds, milliseconds, microseconds or nanoseconds since
// 1970; seconds may have a fraction. Only times from 2001 to 2033 count, since
// any other number is probably not a time.
func parseEpoch(b []byte, n int, s *Stamp) int {
	if n < 10 || n > 19 || (b[0] != '1' || b[1] == '0' && n == 10 && b[2] == '0' && b[3] == '0') {
		return 0
	}
	switch n {
	case 10, 13, 16, 19:
	default:
		return 0
	}
	s.Epoch = true
	s.unix = int64(ascii.Number(b[:10]))
	s.nsec = fraction(b[10:n])
	i := n
	if n == 10 && i+1 < len(b) && b[i] == '.' && ascii.IsDigit(b[i+1]) {
		m := ascii.Digits(b[i+1:])
		s.nsec = fraction(b[i+1 : i+1+m])
		i += 1 + m
	}
	if i < len(b) && (ascii.IsLetter(b[i]) || b[i] == '-' || b[i] == '_') {
		return 0
	}
	return i
}

// parseTAI reads a TAI64N label: @ and 24 hexadecimal digits.
func parseTAI(b []byte, s *Stamp) int {
	if len(b) < 25 || b[1] != '4' || len(b) > 25 && !ascii.IsSpace(b[25]) {
		return 0
	}
	seconds, err := strconv.ParseUint(string(b[1:17]), 16, 64)
	nanoseconds, badFraction := strconv.ParseUint(string(b[17:25]), 16, 32)
	if err != nil || badFraction != nil {
		return 0
	}
	const tai = 1<<62 + 10
	s.Epoch = true
	s.unix = int64(seconds - tai)
	s.nsec = int32(min(nanoseconds, 999_999_999))
	return 25
}
