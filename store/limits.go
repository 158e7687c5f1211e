package store

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// MaxPerWindow is the maximum of [Limits].PerWindow.
const MaxPerWindow = 10_000

// Limits are the limits that [Backend].Take enforces. The zero value limits
// nothing.
type Limits struct {
	// Window is the length of a sliding window, and PerWindow the maximum
	// number of uses in any interval of that length, counted to the
	// microsecond. PerWindow is at most [MaxPerWindow]; 0 means no limit.
	Window    time.Duration
	PerWindow int

	// Period is the length of a fixed period, and PerPeriod the maximum number
	// of uses in one. Periods begin at multiples of their length since 1970 in
	// UTC: 24 hours are a UTC day. 0 for PerPeriod means no limit; uses are
	// counted for a positive Period all the same.
	Period    time.Duration
	PerPeriod int64
}

// Usage is the result of [Backend].Take.
type Usage struct {
	// Taken reports whether the use was counted. If not, a limit has been
	// reached.
	Taken bool
	// InWindow is the number of uses in the window that ends now, including
	// this one, at most PerWindow.
	InWindow int
	// Oldest is the time of the first use in the window: after Window has
	// passed since then there is room for one more. It is zero if there are
	// none.
	Oldest time.Time
	// InPeriod is the number of uses in the period, including this one. It is
	// zero without a Period.
	InPeriod int64
}

// Check returns nil if the limits are valid for Take, and otherwise an error
// that says what is wrong.
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

// Take implements [Backend].Take except for the storage, for authors of a
// Backend. It is given the value of the entry, live or expired, or nil if there
// is none, and returns the value and expiry to store instead, unless the Usage
// has Taken false. It returns an error for invalid limits, and for a value that
// it has not returned; an expired entry with such a value counts as absent.
//
// A value is a list of decimal numbers separated by spaces: the start of the
// period, the number of uses in it, and the times of the uses in the window in
// ascending order. All times are in microseconds since 1970. Since the clocks
// of machines differ and may be set back, a use is never counted before the
// last one, and times more than a window or period ahead of now are dropped.
func (l Limits) Take(value []byte, now time.Time) (next []byte, expires time.Time, u Usage, err error) {
	start, count, uses, err := parseMeter(value)
	if err = errors.Join(l.Check(), err); err != nil {
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

// Expires returns when the entry of a use at now no longer counts towards a
// limit. It changes only once per window or period, which saves updates of a
// store's index.
func (l Limits) Expires(now time.Time) time.Time {
	window := Limits{Period: l.Window}.PeriodStart(now).Add(3 * l.Window)
	if period := l.PeriodStart(now).Add(l.Period); l.Period > 0 && period.After(window) {
		return period
	}
	return window
}

// Usage returns the usage in a value that Take has stored, as of that Take.
func (l Limits) Usage(value []byte) (Usage, error) {
	_, count, uses, err := parseMeter(value)
	return usage(true, count, uses), err
}

// PeriodStart returns the start of the period that contains now.
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
