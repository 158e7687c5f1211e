package postgres

import (
	"context"
	"fmt"
	"time"
)

// clock is the database's time in milliseconds since 1970. It alone determines
// what has expired, so that a server with a wrong clock neither misses an entry
// nor sweeps a live one. now() is the start of the transaction; unlike
// clock_timestamp(), an index scan can use it.
const clock = "floor(extract(epoch FROM now()) * 1000)::bigint"

// maxSkew is the maximum difference between the clocks of server and database
// when the store is opened. The server computes expiry times: with an hour of
// skew, a share that lasts an hour could expire as it is created.
const maxSkew = time.Minute

// checkClock refuses a server whose clock is wrong.
func (db *DB) checkClock(ctx context.Context) error {
	var ms int64
	before := time.Now()
	err := db.durable.QueryRow(ctx, "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint").Scan(&ms)
	if err != nil {
		return err
	}
	there := time.UnixMilli(ms)
	for direction, skew := range map[string]time.Duration{"ahead of": before.Sub(there), "behind": time.Until(there)} {
		if skew > maxSkew {
			return plainError{fmt.Errorf("postgres: the clock of this machine is %v %s the database's, may be %v", skew.Round(time.Second), direction, maxSkew)}
		}
	}
	return nil
}
