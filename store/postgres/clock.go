package postgres

import (
	"context"
	"fmt"
	"time"
)

// clock is the database's time in milliseconds since 1970. It alone says what
// has expired, so that no server with a wrong clock can miss an entry, or sweep
// what is alive. now() is the start of the statement and, unlike the clock that
// goes on, something that an index can be searched for.
const clock = "floor(extract(epoch FROM now()) * 1000)::bigint"

// maxSkew is how far a server's clock may be from the database's when it opens
// the store. An expiry is made on the server: an hour of skew would be an hour
// of life, and a share of an hour would be gone when it is made.
const maxSkew = time.Minute

// checkClock refuses a server whose clock is wrong.
func (db *DB) checkClock(ctx context.Context) error {
	var ms int64
	before := time.Now()
	err := db.durable.QueryRow(ctx, "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint").Scan(&ms)
	if err != nil {
		return err
	}
	there, after := time.UnixMilli(ms), time.Now()
	switch {
	case there.Add(maxSkew).Before(before):
		return &plainError{fmt.Sprintf("the clock of this machine is %v ahead of the database's, may be %v", before.Sub(there).Round(time.Second), maxSkew)}
	case there.Add(-maxSkew).After(after):
		return &plainError{fmt.Sprintf("the clock of this machine is %v behind the database's, may be %v", there.Sub(after).Round(time.Second), maxSkew)}
	}
	return nil
}
