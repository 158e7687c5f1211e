package store

import "time"

// See tells the clock of the store what time it is.
func (m *Memory) See(now time.Time) { m.clock.See(now) }
