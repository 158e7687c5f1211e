package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"strconv"
	"time"
)

// allPage is how many entries All lists at once. It is low because values can
// be large.
const allPage = 100

// All yields the live entries of a store whose keys start with prefix, in
// ascending byte order of the keys. It reads them page by page. If the store
// returns an error, All yields it with an empty entry and stops. Entries
// created or deleted during the iteration may be missed.
func All(ctx context.Context, backend Backend, prefix string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		after := ""
		for {
			page, err := backend.List(ctx, prefix, after, allPage)
			if err != nil {
				yield(Entry{}, err)
				return
			}
			for _, e := range page {
				if !yield(e, nil) {
					return
				}
			}
			if len(page) < allPage {
				return
			}
			after = page[len(page)-1].Key
		}
	}
}

// Add adds delta to a counter and returns the sum. An absent or expired counter
// starts at zero with the given expiry; a live one keeps its expiry. A counter is
// an entry with a decimal number. As with every [Backend].Update, a power cut may
// lose the last few additions, but no more. Adding to an entry that is not a
// decimal number, or beyond 64 bits, is an error that changes nothing.
func Add(ctx context.Context, b Backend, key string, delta int64, expires time.Time) (int64, error) {
	var sum int64
	err := b.Update(ctx, key, func(old Entry, live bool) (Entry, error) {
		var count int64
		next := Entry{Expires: expires}
		if live {
			n, err := strconv.ParseInt(string(old.Value), 10, 64)
			if err != nil {
				return next, errors.New("store: cannot add to an entry that is not a decimal number")
			}
			count, next.Expires = n, old.Expires
		}
		if delta > 0 && count > math.MaxInt64-delta || delta < 0 && count < math.MinInt64-delta {
			return next, fmt.Errorf("store: counter %d plus %d does not fit into 64 bits", count, delta)
		}
		sum = count + delta
		next.Value = strconv.AppendInt(nil, sum, 10)
		return next, nil
	})
	if err != nil { // the function may still be called
		return 0, err
	}
	return sum, nil
}
