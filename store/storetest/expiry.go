package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/devkiln/devkiln/store"
)

func expiryClauses() []clause[store.Store] {
	return []clause[store.Store]{
		{"an expired entry is absent", expiredIsAbsent},
		{"an entry lives until the instant of its expiry", expiryInstant},
		{"an expiry of any distance", distantExpiry},
		{"an expiry in any time zone", zonedExpiry},
	}
}

func expiredIsAbsent(t *testing.T, s store.Store) {
	for i, expires := range []time.Time{past(), time.Now(), time.Unix(0, 0), time.Unix(-1, 0), time.Unix(1, 0)} {
		key := keyOf(i)
		mustCreate(t, s, key, "expired", expires)
		wantAbsent(t, s, key)
		wantError(t, s.Delete(t.Context(), key), store.ErrNotFound, "Delete of an expired entry")
		mustCreate(t, s, key, "expired again", expires)
		mustCreate(t, s, key, "live", future())
		wantValue(t, s, key, "live")
	}
}

// expiryInstant watches an entry over its expiry: a clock that is read before a
// call must not be past the expiry when the entry is missing after the call,
// and the other way around.
func expiryInstant(t *testing.T, s store.Store) {
	expires := time.Now().Add(50 * time.Millisecond).Truncate(time.Millisecond)
	mustCreate(t, s, "key", "value", expires)
	for {
		before := time.Now()
		_, err := s.Get(t.Context(), "key")
		after := time.Now()
		switch {
		case err == nil && !before.Before(expires):
			t.Fatalf("Get found an entry %v after its expiry", before.Sub(expires))
		case errors.Is(err, store.ErrNotFound) && after.Before(expires):
			t.Fatalf("Get missed an entry %v before its expiry", expires.Sub(after))
		case errors.Is(err, store.ErrNotFound):
			mustCreate(t, s, "key", "next", never)
			wantValue(t, s, "key", "next")
			return
		case err != nil:
			t.Fatalf("Get: %v", err)
		}
	}
}

func distantExpiry(t *testing.T, s store.Store) {
	for i, expires := range []time.Time{
		never,
		time.Now().Add(2 * time.Minute),
		time.Now().AddDate(100, 0, 0),
		time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC),
	} {
		mustCreate(t, s, keyOf(i), "value", expires)
		wantValue(t, s, keyOf(i), "value")
	}
}

func zonedExpiry(t *testing.T, s store.Store) {
	east, west := time.FixedZone("east", 14*3600), time.FixedZone("west", -12*3600)
	mustCreate(t, s, "live", "value", time.Now().Add(time.Minute).In(west))
	wantValue(t, s, "live", "value")
	mustCreate(t, s, "expired", "value", time.Now().Add(-time.Minute).In(east))
	wantAbsent(t, s, "expired")
}
