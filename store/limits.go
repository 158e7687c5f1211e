package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// MaxPerWindow is the maximum of [Limits].PerWindow.
const MaxPerWindow = 10_000

// Limits are the limits that [Take] enforces. The zero value limits
// nothing.
type Limits struct {
	// Window is the length of a sliding window, and PerWindow the maximum
	// number of uses in any interval of that length, counted to the
	// microsecond. PerWindow is at most [MaxPerWindow]; 0 means no limit.
	Window    time.Duration
	PerWindow int

	// Period is the length of a fixed period, and PerPeriod the maximum number
	// of uses in one. Periods begin as [time.Time.Truncate] does: 24 hours are a
	// UTC day. 0 for PerPeriod means no limit; uses are counted for a positive
	// Period all the same.
	Period    time.Duration
	PerPeriod int64
}

// Usage is the result of [Take].
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

// Check returns nil if the limits are valid for [Take], and otherwise an error
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

// Take counts one use of key at now unless a limit has been reached. In that
// case it counts nothing and returns a Usage with Taken false and a nil error.
// Concurrent Takes never exceed the limits, in however many processes.
//
// now is the time of the use, which must be close to the clock's. The uses are
// stored in an entry, which expires when it no longer counts towards a limit. As
// with every [Backend].Update, a power cut may lose the last few uses, but no
// more. Take on a live entry that Take did not create is an error.
func Take(ctx context.Context, b Backend, key string, now time.Time, limits Limits) (Usage, error) {
	var u Usage
	err := b.Update(ctx, key, func(old Entry, live bool) (next Entry, err error) {
		next.Value, next.Expires, u, err = limits.take(old.Value, live, now)
		return next, err
	})
	if err != nil { // change may still be called
		return Usage{}, err
	}
	return u, nil
}

// take returns the value and the expiry of an entry after a use, unless the
// Usage has Taken false. It returns an error for a live value that it has not
// returned.
//
// A value is a list of decimal numbers separated by spaces: the start of the
// period, the number of uses in it, and the times of the uses in the window in
// ascending order. All times are in microseconds since 1970. Since the clocks
// of machines differ and may be set back, a use is never counted before the
// last one, and times more than a window or period ahead of now are dropped.
func (l Limits) take(value []byte, live bool, now time.Time) (next []byte, expires time.Time, u Usage, err error) {
	m, err := parseMeter(value)
	if !live && err != nil {
		m, err = meter{}, nil
	}
	if err := cmp.Or(l.Check(), err); err != nil {
		return nil, time.Time{}, Usage{}, err
	}
	at, window, period := now.UnixMicro(), l.Window.Microseconds(), l.Period.Microseconds()
	if begins := now.Truncate(l.Period).UnixMicro(); period == 0 || m.start < begins || m.start > begins+period {
		m.start, m.count = begins, 0
	}
	m.uses = slices.DeleteFunc(m.uses, func(use int64) bool { return use <= at-window || use > at+window })
	m.uses = m.uses[max(0, len(m.uses)-l.PerWindow):]
	if l.PerWindow > 0 && len(m.uses) == l.PerWindow || l.PerPeriod > 0 && m.count >= l.PerPeriod {
		return nil, time.Time{}, m.usage(false), nil
	}
	if l.PerWindow > 0 {
		if len(m.uses) > 0 {
			at = max(at, m.uses[len(m.uses)-1])
		}
		m.uses = append(m.uses, at)
	}
	if period > 0 {
		m.count++
	}
	return m.format(), l.expires(now), m.usage(true), nil
}

// expires returns when the entry of a use at now no longer counts towards a
// limit. It changes only once per window or period, which saves updates of a
// store's index.
func (l Limits) expires(now time.Time) time.Time {
	window, period := now.Truncate(l.Window).Add(3*l.Window), now.Truncate(l.Period).Add(l.Period)
	if l.Period > 0 && period.After(window) {
		return period
	}
	return window
}

// meter is the content of an entry that counts uses.
type meter struct {
	start, count int64   // of the period
	uses         []int64 // in the window
}

func (m meter) usage(taken bool) Usage {
	u := Usage{Taken: taken, InWindow: len(m.uses), InPeriod: m.count}
	if len(m.uses) > 0 {
		u.Oldest = time.UnixMicro(m.uses[0]).UTC()
	}
	return u
}

var errNoMeter = errors.New("store: cannot take from an entry that does not count uses")

func parseMeter(value []byte) (meter, error) {
	if value == nil {
		return meter{}, nil
	}
	numbers := make([]int64, 0, 2+len(value)/16)
	for field := range strings.SplitSeq(string(value), " ") {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return meter{}, errNoMeter
		}
		numbers = append(numbers, n)
	}
	if len(numbers) < 2 || !slices.IsSorted(numbers[2:]) {
		return meter{}, errNoMeter
	}
	return meter{numbers[0], numbers[1], numbers[2:]}, nil
}

func (m meter) format() []byte {
	value := fmt.Append(nil, m.start, " ", m.count)
	for _, use := range m.uses {
		value = strconv.AppendInt(append(value, ' '), use, 10)
	}
	return value
}
