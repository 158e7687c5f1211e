// Package stamp reads the timestamps of logs in the forms in use: dates in all
// orders, with or without a year, clocks, zones and seconds since 1970.
//
// [Parse] reads the timestamp at the start of a text, and [Stamp.Time] fills in
// what it does not state.
package stamp

import (
	"cmp"
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
// The fullest one counts, but for one after a date.
func (s *Stamp) Fullness() int {
	return ascii.If(s.OK, 1+ascii.If(s.HasDate(), 1)+ascii.If(s.Year != 0 || s.Epoch, 1))
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
	if loc = cmp.Or(loc, time.UTC); s.zoned {
		loc = time.FixedZone("", int(s.offset))
	}
	month, day := int(max(s.Month, 1)), int(max(s.day, 1))
	year := int(s.Year)
	t := s.in(year, month, day, loc)
	if year == 0 && s.Month != 0 && !now.IsZero() {
		for year = now.In(loc).Year() + 1; year > now.Year()-8; year-- {
			if t = s.in(year, month, day, loc); t.Day() == day && !t.After(now.AddDate(0, 0, 1)) {
				break
			}
		}
	}
	if s.reversible && !now.IsZero() && t.After(now.AddDate(0, 0, 1)) {
		t = s.in(2000+day, month, year-2000, loc)
	}
	return t.UTC()
}

// Inherit gives a stamp without a date the date of the last one that has one, or
// the day after if the clock has wrapped around. It sets dated to s.
func (s *Stamp) Inherit(dated *Stamp) {
	if s.Fullness() == 1 && dated.OK {
		s.Year, s.Month, s.day = dated.Year, dated.Month, dated.day
		s.day += ascii.If[int8](s.hour+12 < dated.hour, 1)
		if !s.zoned {
			s.zoned, s.offset = dated.zoned, dated.offset
		}
	}
	if s.Month != 0 {
		*dated = *s
	}
}

func (s *Stamp) in(year, month, day int, loc *time.Location) time.Time {
	return time.Date(year, time.Month(month), day, int(s.hour), int(s.minute), int(s.sec), int(s.nsec), loc)
}

func setDate(s *Stamp, year, month, day int) bool {
	s.Year, s.Month, s.day = int16(year), int8(month), int8(day)
	return month > 0 && month < 13 && day > 0 && day < 32 && (year == 0 || year > 1969 && year < 2100)
}

func setClock(s *Stamp, hour, minute, sec int) bool {
	s.hour, s.minute, s.sec = int8(hour), int8(minute), int8(sec)
	return hour < 25 && minute < 60 && sec < 61
}

// Starts has the bytes that a timestamp may start with: digits, and the initials
// of months and weekdays.
var Starts = ascii.SetOf("0123456789jfmasondtwJFMASONDTW")

// Parse reads the timestamp at the start of b and returns its length, or 0 if
// there is none.
func Parse(b []byte, s *Stamp) int {
	*s = Stamp{}
	if len(b) < 7 || !ascii.IsDigit(b[0]) && !mayBeNamed(b) {
		return 0
	}
	n := 0
	switch digits := ascii.Digits(b); {
	case digits > 8 || digits == len(b):
		n = parseEpoch(b, digits, s)
	case digits == 4 && b[4] == '/' && ascii.Digits(b[5:]) == 6: // MMDD/HHMMSS.ffffff of Chromium
		ok := setDate(s, 0, ascii.Number(b[:2]), ascii.Number(b[2:4]))
		n = ascii.If(ok, parsePackedClock(b, 5, s))
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
	year := ascii.Number(b[:n-4]) + ascii.If(n == 6, 2000)
	ok := setDate(s, year, ascii.Number(b[n-4:n-2]), ascii.Number(b[n-2:n]))
	end := ascii.If(ok, parseClock(b, n+1, s))
	s.OK, s.End = end > 0, int32(end)
	return end
}
