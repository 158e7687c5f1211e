// Package driver holds what the author of a store calls and the user of one
// does not: the checks of arguments and the rule of expiry, which all stores
// have in common.
//
// A store calls [CheckKey] or its relatives first in each of its methods, and
// decides with [Expired] whether an entry is there. Package storetest tells
// whether it does.
package driver

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
)

// MaxKeyBytes is the length of the longest key.
const MaxKeyBytes = 256

// CheckKey returns nil for a key of 1 to [MaxKeyBytes] bytes of printable ASCII
// without spaces, and an error that says what is wrong with any other.
func CheckKey(key string) error {
	if key == "" || len(key) > MaxKeyBytes {
		return fmt.Errorf("store: key has %d bytes, must have 1 to %d", len(key), MaxKeyBytes)
	}
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return fmt.Errorf("store: key %.40q has byte %#x at %d, must be printable ASCII without spaces", key, key[i], i)
		}
	}
	return nil
}

// CheckKeys is [CheckKey] for the keys of one call, of which there must be at
// least one.
func CheckKeys(keys []string) error {
	if len(keys) == 0 {
		return errors.New("store: there are no entries, must be at least one")
	}
	for _, key := range keys {
		if err := CheckKey(key); err != nil {
			return err
		}
	}
	return nil
}

// CheckPrefix returns nil for a prefix of keys: the empty one, or one that
// [CheckKey] takes.
func CheckPrefix(prefix string) error {
	if prefix == "" {
		return nil
	}
	return CheckKey(prefix)
}

// CheckList returns nil for arguments that every List takes: prefix and after
// are as [CheckPrefix] wants them, limit is positive.
func CheckList(prefix, after string, limit int) error {
	if err := CheckLimit(limit); err != nil {
		return err
	}
	if err := CheckPrefix(prefix); err != nil {
		return err
	}
	return CheckPrefix(after)
}

// CheckLimit returns nil for a limit that every List and Sweep takes: a
// positive one.
func CheckLimit(limit int) error {
	if limit <= 0 {
		return fmt.Errorf("store: limit is %d, must be positive", limit)
	}
	return nil
}

// Expired reports whether an entry with this expiry, zero for never, is gone at
// now. Expiries count to the millisecond.
func Expired(expires, now time.Time) bool {
	return !expires.IsZero() && !now.Before(expires.Truncate(time.Millisecond))
}

// Never is the expiry of an entry that stays, for stores that keep expiries as
// numbers: the largest, so that one comparison tells what is live.
const Never = math.MaxInt64

// Milliseconds returns an expiry, zero for never, in milliseconds since 1970.
func Milliseconds(expires time.Time) int64 {
	if expires.IsZero() {
		return Never
	}
	return expires.UnixMilli()
}

// Expiry returns the expiry, in UTC, that [Milliseconds] is given.
func Expiry(milliseconds int64) time.Time {
	if milliseconds == Never {
		return time.Time{}
	}
	return time.UnixMilli(milliseconds).UTC()
}

// NotNil returns an empty value for a nil one, which a database would take for
// NULL.
func NotNil(value []byte) []byte {
	if value == nil {
		return []byte{}
	}
	return value
}

// Range returns the first key that a List of these arguments can return, and
// the first one behind: keys are of the bytes from ! to ~.
func Range(prefix, after string) (from, to string) {
	from = prefix
	if after >= prefix {
		from = after + "\x01" // between after and every greater key
	}
	return from, prefix + "\x7f"
}

// AddTo returns the sum of delta and a counter's value, "0" for one that is
// absent. It is an error when value is not a decimal number or the sum does not
// fit into 64 bits.
func AddTo(value []byte, delta int64) (int64, error) {
	count, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil {
		return 0, errors.New("store: cannot add to an entry that is not a decimal number")
	}
	if (delta > 0 && count > math.MaxInt64-delta) || (delta < 0 && count < math.MinInt64-delta) {
		return 0, fmt.Errorf("store: counter %d plus %d does not fit into 64 bits", count, delta)
	}
	return count + delta, nil
}
