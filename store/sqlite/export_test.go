package sqlite

import "time"

// See tells the clock of the store what time it is.
func (db *DB) See(now time.Time) { db.clock.See(now) }
