package driver

import (
	"sync/atomic"
	"time"
)

// A Clock tells the time and never goes back: while the system's clock is
// behind the latest time that was seen, that is the time. So an entry that has
// expired stays so after the system's clock was set back. The zero value is
// ready to use, by several goroutines at once.
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
