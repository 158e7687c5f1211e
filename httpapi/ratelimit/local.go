package ratelimit

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/devkiln/devkiln/store"
)

// Local is a [Limiter] for one process. It reads the day's count of a key from
// a backend when it first sees the key on a day, and [Local.Flush] writes it
// back: a crash loses what was counted since the last Flush.
type Local struct {
	backend store.Backend
	limits  Limits

	mu   sync.Mutex
	keys map[string]*counter
}

// quotaPrefix precedes the day and the key in the store key of a daily count.
const quotaPrefix = "quota/"

// dayRetention is how long the store keeps the count of a day.
const dayRetention = 48 * time.Hour

// counter holds the counts of one key.
type counter struct {
	mu      sync.Mutex
	removed bool        // removed from Local.keys; look the key up again
	recent  []time.Time // times of the requests allowed in the last minute, ascending
	day     time.Time   // start of the day of the counts; zero until loaded
	today   int         // requests allowed on that day
	unsaved int         // how many of them are not in the store
}

// NewLocal returns a Local that stores the counts of days in a backend, under
// keys that start with "quota/".
func NewLocal(backend store.Backend, limits Limits) *Local {
	return &Local{backend: backend, limits: limits, keys: make(map[string]*counter)}
}

// Allow implements [Limiter]. If the backend is unavailable, it counts from
// zero, and Flush corrects the count later. It returns other errors of the
// backend, which can occur only at the first request of a key on a day.
func (l *Local) Allow(ctx context.Context, key string, perMinute int, now time.Time) (Decision, error) {
	limits := l.limits.forKey(perMinute)
	if limits.PerMinute <= 0 && limits.PerDay <= 0 {
		return Decision{Allowed: true}, nil
	}
	c := l.lock(key)
	defer c.mu.Unlock()
	if today := dayOf(now); limits.PerDay > 0 && !c.day.Equal(today) {
		if err := l.rollOver(ctx, c, key, today); err != nil {
			return Decision{}, err
		}
	}
	c.prune(now)
	u := store.Usage{Taken: c.fits(limits)}
	if u.Taken {
		c.count(limits, now)
	}
	u.InWindow, u.InPeriod = len(c.recent), int64(c.today)
	if u.InWindow > 0 {
		u.Oldest = c.recent[0]
	}
	return limits.decision(u, now), nil
}

// lock returns the locked counter of a key.
func (l *Local) lock(key string) *counter {
	for {
		l.mu.Lock()
		c := l.keys[key]
		if c == nil {
			c = &counter{}
			l.keys[key] = c
		}
		l.mu.Unlock()
		c.mu.Lock()
		if !c.removed {
			return c
		}
		c.mu.Unlock()
	}
}

// rollOver saves the rest of the old day's count and loads the new one's.
func (l *Local) rollOver(ctx context.Context, c *counter, key string, today time.Time) error {
	if err := l.save(ctx, c, key); err != nil && !errors.Is(err, store.ErrUnavailable) {
		return err
	}
	n, err := l.load(ctx, quotaKey(today, key))
	if err != nil && !errors.Is(err, store.ErrUnavailable) {
		return err
	}
	c.day, c.today, c.unsaved = today, n, 0
	return nil
}

// load returns a count from the backend, or zero if there is none.
func (l *Local) load(ctx context.Context, quota string) (int, error) {
	value, err := l.backend.Get(ctx, quota)
	if errors.Is(err, store.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(value))
}

// prune removes the requests that are outside the window at now.
func (c *counter) prune(now time.Time) {
	cutoff := now.Add(-Window)
	old := slices.IndexFunc(c.recent, func(at time.Time) bool { return at.After(cutoff) })
	if old < 0 {
		old = len(c.recent)
	}
	c.recent = c.recent[old:]
}

func (c *counter) fits(limits Limits) bool {
	return (limits.PerMinute <= 0 || len(c.recent) < limits.PerMinute) && (limits.PerDay <= 0 || c.today < limits.PerDay)
}

func (c *counter) count(limits Limits, now time.Time) {
	if limits.PerMinute > 0 {
		if n := len(c.recent); n > 0 && now.Before(c.recent[n-1]) {
			now = c.recent[n-1] // the clock was set back
		}
		c.recent = append(c.recent, now)
	}
	if limits.PerDay > 0 {
		c.today++
		c.unsaved++
	}
}

// Flush writes the counts to the backend and drops keys without requests in the
// last minute. The owner of the Local should call it regularly, and once before
// the backend is closed.
func (l *Local) Flush(ctx context.Context, now time.Time) error {
	l.mu.Lock()
	counters := maps.Clone(l.keys)
	l.mu.Unlock()
	var errs []error
	for key, c := range counters {
		c.mu.Lock()
		errs = append(errs, l.save(ctx, c, key))
		c.prune(now)
		if len(c.recent) == 0 && c.unsaved == 0 {
			c.removed = true
			l.mu.Lock()
			delete(l.keys, key)
			l.mu.Unlock()
		}
		c.mu.Unlock()
	}
	return errors.Join(errs...)
}

// save adds the unsaved count of a locked counter to the store and adopts the
// sum, which includes counts that could not be loaded before.
func (l *Local) save(ctx context.Context, c *counter, key string) error {
	if c.unsaved == 0 {
		return nil
	}
	sum, err := l.backend.Add(ctx, quotaKey(c.day, key), int64(c.unsaved), c.day.Add(dayRetention))
	if err != nil {
		return err
	}
	c.today, c.unsaved = int(sum), 0
	return nil
}

func quotaKey(day time.Time, key string) string {
	return quotaPrefix + day.Format(time.DateOnly) + "/" + key
}
