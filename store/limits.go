package store

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// MaxPerWindow is the largest [Limits].PerWindow.
const MaxPerWindow = 10_000

// Limits are the limits that [Backend].Take enforces. The zero value limits nothing.
type Limits struct {
	// Window is the length of a sliding window and PerWindow the most uses in
	// any stretch of time of that length, counted to the microsecond. Zero
	// PerWindow is no such limit; its largest value is [MaxPerWindow].
	Window    time.Duration
	PerWindow int

	// Period is the length of a fixed period and PerPeriod the most uses in
	// one. Periods begin at multiples of their length since 1970 in UTC: 24
	// hours are a day in UTC. Zero PerPeriod is no limit; uses are counted for
	// a positive Period all the same.
	Period    time.Duration
	PerPeriod int64
}

// Usage is what [Backend].Take has counted.
type Usage struct {
	// Taken reports whether the use was counted. If not, a limit is reached.
	Taken bool
	// InWindow is how many uses lie in the window that ends now, this one
	// included, at most PerWindow.
	InWindow int
	// Oldest is the first of them: Window later there is room for one more. It
	// is zero when there are none.
	Oldest time.Time
	// InPeriod is how many uses lie in the period, this one included. Without a
	// Period it is zero.
	InPeriod int64
}

// Check returns nil for limits that every Take takes, and an error that says
// what is wrong with any others.
func (l Limits) Check() error {
	switch {
	case l.PerWindow < 0 || l.PerWindow > MaxPerWindow:
		return fmt.Errorf("store: PerWindow is %d, must be 0 to %d", l.PerWindow, MaxPerWindow)
	case l.PerWindow > 0 && l.Window < time.Microsecond:
		return fmt.Errorf("store: Window is %v, must be at least 1µs", l.Window)
	case l.PerPeriod < 0:
		return fmt.Errorf("store: PerPeriod is %d, must not be negative", l.PerPeriod)
	case l.Period < 0 || l.Period > 0 && l.Period < time.Microsecond || l.PerPeriod > 0 && l.Period == 0:
		return fmt.Errorf("store: Period is %v, must be at least 1µs", l.Period)
	}
	return nil
}

// Take is for authors of a [Backend]: it does all of Take but the storing. It
// reads the value of an entry, nil for one that is absent, and returns the value
// to store instead and its expiry, unless the Usage is not Taken. A value that is
// an error when live counts as absent when it has expired.
//
// A value is a list of decimal numbers with a blank between them: the start of
// the period, how many uses it has seen, and the times of the uses in the
// window in ascending order, all times in microseconds since 1970. Clocks of
// different machines differ and may be set back: a use is never counted before
// the last one, and what lies further ahead of now than a whole window or
// period is left out.
func (l Limits) Take(value []byte, now time.Time) (next []byte, expires time.Time, u Usage, err error) {
	start, count, uses, err := parseMeter(value)
	if err != nil {
		return nil, time.Time{}, Usage{}, err
	}
	at, window, period := now.UnixMicro(), l.Window.Microseconds(), l.Period.Microseconds()
	if begins := l.PeriodStart(now).UnixMicro(); period == 0 || start < begins || start > begins+period {
		start, count = begins, 0
	}
	uses = slices.DeleteFunc(uses, func(use int64) bool { return use <= at-window || use > at+window })
	uses = uses[max(0, len(uses)-l.PerWindow):]
	if l.PerWindow > 0 && len(uses) == l.PerWindow || l.PerPeriod > 0 && count >= l.PerPeriod {
		return nil, time.Time{}, usage(false, count, uses), nil
	}
	if l.PerWindow > 0 {
		if len(uses) > 0 {
			at = max(at, uses[len(uses)-1])
		}
		uses = append(uses, at)
	}
	if period > 0 {
		count++
	}
	return formatMeter(start, count, uses), l.Expires(now), usage(true, count, uses), nil
}

// Expires is when the entry of a use at now no longer counts for a limit. It moves
// once in a window or a period only, which spares the index of a store.
func (l Limits) Expires(now time.Time) time.Time {
	window := Limits{Period: l.Window}.PeriodStart(now).Add(3 * l.Window)
	if period := l.PeriodStart(now).Add(l.Period); l.Period > 0 && period.After(window) {
		return period
	}
	return window
}

// Usage returns the usage in a value that Take has stored, as it was then.
func (l Limits) Usage(value []byte) (Usage, error) {
	_, count, uses, err := parseMeter(value)
	return usage(true, count, uses), err
}

// PeriodStart is when the period began that now lies in.
func (l Limits) PeriodStart(now time.Time) time.Time {
	at, period := now.UnixMicro(), l.Period.Microseconds()
	if period == 0 {
		return time.UnixMicro(0).UTC()
	}
	since := at % period
	if since < 0 {
		since += period
	}
	return time.UnixMicro(at - since).UTC()
}

func usage(taken bool, count int64, uses []int64) Usage {
	u := Usage{Taken: taken, InWindow: len(uses), InPeriod: count}
	if len(uses) > 0 {
		u.Oldest = time.UnixMicro(uses[0]).UTC()
	}
	return u
}

var errNoMeter = errors.New("store: cannot take from an entry that does not count uses")

func parseMeter(value []byte) (start, count int64, uses []int64, err error) {
	if value == nil {
		return 0, 0, nil, nil
	}
	numbers := make([]int64, 0, 2+len(value)/16)
	for field := range strings.SplitSeq(string(value), " ") {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, 0, nil, errNoMeter
		}
		numbers = append(numbers, n)
	}
	if len(numbers) < 2 || !slices.IsSorted(numbers[2:]) {
		return 0, 0, nil, errNoMeter
	}
	return numbers[0], numbers[1], numbers[2:], nil
}

func formatMeter(start, count int64, uses []int64) []byte {
	value := make([]byte, 0, 32+17*len(uses))
	value = strconv.AppendInt(value, start, 10)
	value = append(value, ' ')
	value = strconv.AppendInt(value, count, 10)
	for _, use := range uses {
		value = append(value, ' ')
		value = strconv.AppendInt(value, use, 10)
	}
	return value
}
