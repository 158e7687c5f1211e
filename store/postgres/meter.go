package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/driver"
)

// takeUse is store.Limits.Take as a single statement, so that no two replicas
// interleave. It parses the text that store.Limits.Take describes into the
// array m: m[1] is the start of the period, m[2] the uses in it, and the rest
// are the times of the uses in the window.
//
// Its parameters are the key $1, the value $2 and expiry $3 of a first use; in
// microseconds the time $4, the window $5, and the start $7 and length $8 of
// the period; the limits per window $6 and per period $9. It returns no row if
// a limit is reached or the entry is not one that Take has written.
const takeUse = `INSERT INTO devkiln_entries AS e (key, value, expires)
	SELECT $1::text, $2::bytea, $3::bigint WHERE ` + lazily + `
	ON CONFLICT (key) DO UPDATE SET
		value = (
			SELECT decode(concat_ws(' ',
				CASE WHEN s.stale THEN $7::bigint ELSE s.m[1] END,
				CASE WHEN $8::bigint = 0 THEN 0 WHEN s.stale THEN 1 ELSE s.m[2] + 1 END,
				(SELECT string_agg(u.t::text, ' ' ORDER BY u.t) FROM (` + usesInWindow + `) AS u),
				CASE WHEN $6::bigint > 0 THEN greatest($4::bigint, (SELECT max(u.t) FROM (` + usesInWindow + `) AS u)) END
			), 'escape') FROM (` + meterOfEntry + `) AS s),
		expires = EXCLUDED.expires
	WHERE (
		SELECT s.m IS NOT NULL AND ($9::bigint = 0 OR s.stale OR s.m[2] < $9) AND
			($6::bigint = 0 OR (SELECT count(*) FROM (` + usesInWindow + `) AS u) < $6)
		FROM (` + meterOfEntry + `) AS s)
	RETURNING value`

const usesInWindow = `SELECT k.t FROM unnest(s.m) WITH ORDINALITY AS k(t, i)
	WHERE k.i > 2 AND k.t > $4::bigint - $5::bigint AND k.t <= $4 + $5 ORDER BY k.t DESC LIMIT $6::bigint`

const meterOfEntry = `SELECT x.m, ($8::bigint = 0 OR x.m[1] < $7::bigint OR x.m[1] > $7 + $8) AS stale FROM (
	SELECT string_to_array(CASE
		WHEN encode(e.value, 'escape') ~ '^-?[0-9]{1,18}( -?[0-9]{1,18})+$' THEN encode(e.value, 'escape')
		WHEN e.expires <= ` + clock + ` THEN '0 0' END, ' ')::bigint[] AS m) AS x`

const findEntry = "SELECT value FROM devkiln_entries WHERE key = $1"

// Take implements [store.Backend]. It does not wait for the disk.
func (db *DB) Take(ctx context.Context, key string, at time.Time, limits store.Limits) (store.Usage, error) {
	if err := driver.CheckKey(key); err != nil {
		return store.Usage{}, err
	}
	first, expires, _, err := limits.Take(nil, at)
	if err != nil {
		return store.Usage{}, err
	}
	var usage store.Usage
	err = db.run(ctx, db.timeout, func(ctx context.Context) error {
		settled := false
		for range attempts {
			usage, err = db.take(ctx, key, at, limits, first, driver.Milliseconds(expires))
			if errors.Is(err, pgx.ErrNoRows) {
				usage, settled, err = db.refusal(ctx, key, at, limits)
			}
			if err != nil || settled || usage.Taken {
				break
			}
		}
		return err
	})
	return usage, err
}

func (db *DB) take(ctx context.Context, key string, at time.Time, limits store.Limits, first []byte, expires int64) (store.Usage, error) {
	var value []byte
	err := db.lazy.QueryRow(ctx, takeUse, key, first, expires,
		at.UnixMicro(), limits.Window.Microseconds(), limits.PerWindow,
		limits.PeriodStart(at).UnixMicro(), limits.Period.Microseconds(), limits.PerPeriod).Scan(&value)
	if err != nil {
		return store.Usage{}, err
	}
	return limits.Usage(value)
}

// refusal returns the usage of a key from which nothing could be taken. It is
// not settled if a use has become available in the meantime.
func (db *DB) refusal(ctx context.Context, key string, at time.Time, limits store.Limits) (usage store.Usage, settled bool, err error) {
	var value []byte
	err = db.lazy.QueryRow(ctx, findEntry, key).Scan(&value)
	if errors.Is(err, pgx.ErrNoRows) {
		return store.Usage{}, false, nil
	}
	if err != nil {
		return store.Usage{}, false, err
	}
	next, _, usage, err := limits.Take(value, at)
	if err != nil {
		return store.Usage{}, false, &plainError{err.Error()}
	}
	usage.Taken = false
	return usage, next == nil, nil
}
