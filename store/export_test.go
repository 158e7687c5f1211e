package store

import "time"

// See tells the clock of the store what time it is.
func (m *Memory) See(now time.Time) { m.clock.See(now) }

// Take returns the value and the expiry of an entry after a use.
func (l Limits) Take(value []byte, now time.Time) (next []byte, expires time.Time, u Usage, err error) {
	return l.take(value, true, now)
}
