package driver

import (
	"sync/atomic"
	"time"
)

// A Clock tells the time and does not go back while expired entries are left:
// while the system's clock is behind the latest time that was seen, that is the
// time, until [Clock.Swept]. So an entry that has expired stays so after the
// system's clock was set back. The zero value is ready to use, by several
// goroutines at once.
type Clock struct{ latest atomic.Int64 }

// Now returns the time in milliseconds precision, for [Expired].
func (c *Clock) Now() time.Time { return c.See(time.Now()) }

// See tells the Clock what time it is, and returns the latest it has seen.
func (c *Clock) See(now time.Time) time.Time {
	at := now.UnixMilli()
	for {
		latest := c.latest.Load()
		if latest >= at {
			return time.UnixMilli(latest)
		}
		if c.latest.CompareAndSwap(latest, at) {
			return time.UnixMilli(at)
		}
	}
}

// Swept tells the Clock that no entry is left that expired by that time. If it
// is the latest that was seen, the system's clock is believed again.
func (c *Clock) Swept(by time.Time) { c.latest.CompareAndSwap(by.UnixMilli(), time.Now().UnixMilli()) }
