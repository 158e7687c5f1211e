// Package driver has functions for authors of stores: the argument checks and
// the expiry rule that all stores have in common.
//
// Each method of a store first calls [CheckKey] or one of its relatives, and
// uses [Expired] at the time of a [Clock] to decide whether an entry is live.
// Package storetest tests whether it does.
package driver

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"time"
)

// MaxKeyBytes is the maximum length of a key in bytes.
const MaxKeyBytes = 256

// CheckKey returns nil if a call has at least one key, and each has 1 to
// [MaxKeyBytes] bytes of printable ASCII without spaces, and otherwise an error
// that says what is wrong.
func CheckKey(keys ...string) error {
	if len(keys) == 0 {
		return errors.New("store: there are no entries, must be at least one")
	}
	for _, key := range keys {
		if key == "" || len(key) > MaxKeyBytes {
			return fmt.Errorf("store: key has %d bytes, must have 1 to %d", len(key), MaxKeyBytes)
		}
		for i := range len(key) {
			if key[i] <= ' ' || key[i] > '~' {
				return fmt.Errorf("store: key %.40q has byte %#x at %d, must be printable ASCII without spaces", key, key[i], i)
			}
		}
	}
	return nil
}

// CheckList returns nil for arguments that are valid for List: prefix and after
// must be empty or pass [CheckKey], and limit must be positive. Count, which has
// the prefix alone, can pass "" and 1.
func CheckList(prefix, after string, limit int) error {
	return cmp.Or(CheckLimit(limit), checkPrefix(prefix), checkPrefix(after))
}

func checkPrefix(prefix string) error {
	if prefix == "" {
		return nil
	}
	return CheckKey(prefix)
}

// CheckLimit returns nil for a limit that is valid for List and Sweep: a
// positive one.
func CheckLimit(limit int) error {
	if limit <= 0 {
		return fmt.Errorf("store: limit is %d, must be positive", limit)
	}
	return nil
}

// Expired reports whether an entry with this expiry, zero for never, has
// expired at now. Expiries have millisecond precision.
func Expired(expires, now time.Time) bool {
	return !expires.IsZero() && !now.Before(expires.Truncate(time.Millisecond))
}

// never is the expiry, in milliseconds, of an entry that does not expire. It is
// the largest number, so that one comparison tells whether an entry is live.
const never = math.MaxInt64

// Milliseconds returns an expiry in milliseconds since 1970: 0 for any time
// before that, and the largest for the zero time and any after the year 9999.
func Milliseconds(expires time.Time) int64 {
	switch year := expires.UTC().Year(); {
	case expires.IsZero() || year > 9999:
		return never
	case year < 1970:
		return 0
	}
	return expires.UnixMilli()
}

// Expiry returns the time, in UTC, for which [Milliseconds] returns
// milliseconds.
func Expiry(milliseconds int64) time.Time {
	if milliseconds == never {
		return time.Time{}
	}
	return time.UnixMilli(milliseconds).UTC()
}

// NotNil returns value, or an empty slice if it is nil, which a database would
// store as NULL.
func NotNil(value []byte) []byte {
	if value == nil {
		return []byte{}
	}
	return value
}

// Range returns the range of keys that a List with these arguments can return,
// from inclusive and to exclusive. Keys consist of the bytes from ! to ~.
func Range(prefix, after string) (from, to string) {
	from = prefix
	if after >= prefix {
		from = after + "\x01" // greater than after, less than any greater key
	}
	return from, prefix + "\x7f"
}
