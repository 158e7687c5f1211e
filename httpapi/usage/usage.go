// Package usage counts the requests of API keys by operation and outcome, for
// each UTC day. Start with [New]:
//
//	counter := usage.New(backend)
//	…
//	handler, err := httpapi.New(httpapi.Options{Usage: counter, …})
//
// [Counter.Count] counts in memory. [Counter.Flush] adds the new counts to
// counters in the store, which survive a restart and are totals over all
// processes on the store; a crash loses what was counted since the last Flush.
// Days are kept for [Retention]. The caller passes the time to every function.
package usage

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/devkiln/devkiln/store"
)

// Retention is how long the counts of a day are stored, from the start of the day.
const Retention = 32 * 24 * time.Hour

// Outcome is the outcome of a request.
type Outcome string

// The outcomes.
const (
	OK      Outcome = "ok"      // status below 400
	Limited Outcome = "limited" // 429: too many requests
	Refused Outcome = "refused" // any other 4xx: the request was invalid
	Failed  Outcome = "failed"  // 5xx: the service failed
)

// OutcomeOf returns the outcome of an HTTP status.
func OutcomeOf(status int) Outcome {
	switch {
	case status == 429:
		return Limited
	case status >= 500:
		return Failed
	case status >= 400:
		return Refused
	default:
		return OK
	}
}

// Count is the number of requests of a key with one operation and outcome on
// one day.
type Count struct {
	Day       string  `json:"day"`                 // UTC day, such as 2026-11-20
	Key       string  `json:"key,omitempty"`       // id of the API key
	Operation string  `json:"operation,omitempty"` // such as log-share
	Outcome   Outcome `json:"outcome"`
	N         int64   `json:"n"`
}

// counterKey is the key of a counter: a Count without its number.
type counterKey struct {
	day            int64 // its start, in seconds since 1970
	key, operation string
	outcome        Outcome
}

// Counter counts requests. It is safe for concurrent use.
type Counter struct {
	backend store.Backend

	mu       sync.Mutex
	pending  map[counterKey]int64 // not yet in the store
	failures map[Outcome][]Failure
}

// Failure is a request that was refused or failed.
type Failure struct {
	At        time.Time
	RequestID string
	Key       string // id of the API key
	Operation string
	Status    int
	Code      string // error code, such as validation_failed
}

// maxFailures is how many failures of each outcome are kept.
const maxFailures = 100

// Fail records a failure in the memory of this process. It keeps the last 100
// that were refused and the last 100 that failed.
func (c *Counter) Fail(f Failure) {
	c.mu.Lock()
	defer c.mu.Unlock()
	outcome := OutcomeOf(f.Status)
	c.failures[outcome] = append(c.failures[outcome], f)
	if all := c.failures[outcome]; len(all) > maxFailures {
		c.failures[outcome] = all[1:]
	}
}

// Failures returns the failures that [Counter.Fail] has recorded, newest first.
func (c *Counter) Failures() []Failure {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := slices.Concat(c.failures[Refused], c.failures[Failed])
	slices.SortStableFunc(all, func(a, b Failure) int { return b.At.Compare(a.At) })
	return all
}

const (
	// prefix precedes day/key/operation/outcome in the store key of a counter.
	prefix = "usage/"
	// summaryPrefix precedes the day in the store key of its summary.
	summaryPrefix = "usageday/"
)

// New returns a Counter on a backend, with keys that start with "usage/" and
// "usageday/".
func New(backend store.Backend) *Counter {
	return &Counter{backend: backend, pending: make(map[counterKey]int64), failures: make(map[Outcome][]Failure)}
}

// Count counts a request of a key. Key and operation must be printable ASCII
// without a slash.
func (c *Counter) Count(key, operation string, status int, now time.Time) {
	w := counterKey{now.Truncate(24 * time.Hour).Unix(), key, operation, OutcomeOf(status)}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pending[w]++
}

// Flush writes the counts since the last Flush to the store. Counts that cannot
// be written remain for the next Flush. The owner of the Counter should call it
// regularly, and once before the store is closed.
func (c *Counter) Flush(ctx context.Context) error {
	c.mu.Lock()
	pending := c.pending
	c.pending = make(map[counterKey]int64)
	c.mu.Unlock()
	var errs []error
	for w, n := range pending {
		if err := c.add(ctx, w, n); err != nil {
			errs = append(errs, err)
			c.mu.Lock()
			c.pending[w] += n
			c.mu.Unlock()
		}
	}
	return errors.Join(errs...)
}

func (c *Counter) add(ctx context.Context, w counterKey, n int64) error {
	start := time.Unix(w.day, 0)
	key := prefix + strings.Join([]string{Day(start), w.key, w.operation, string(w.outcome)}, "/")
	_, err := c.backend.Add(ctx, key, n, start.Add(Retention))
	return err
}

// OfDay returns the counts of all keys on a day, ordered by key, operation and
// outcome. It does not include counts that have not been flushed.
func (c *Counter) OfDay(ctx context.Context, day string) ([]Count, error) {
	return c.list(ctx, prefix+day+"/")
}

const (
	// settlingTime is how long after the end of a day its counts no longer change.
	settlingTime = time.Hour
	// busyKeys is how many keys the summary of a day names.
	busyKeys = 100
)

// OfDays returns the counts of all keys on the given number of days up to last,
// oldest first. Since thousands of keys give hundreds of thousands of counts in
// a month, a day that ended more than an hour ago is summarized: its counts are
// sums over all operations, under the operation "", for the 100 keys with the
// most requests, and for all other keys together under the key "".
func (c *Counter) OfDays(ctx context.Context, last time.Time, days int) ([]Count, error) {
	return ofDays(last, days, func(day time.Time) ([]Count, error) {
		if last.Sub(day) < 24*time.Hour+settlingTime {
			return c.OfDay(ctx, Day(day))
		}
		return c.summary(ctx, day)
	})
}

// Summarize stores the summaries of [Counter.OfDays] for the days before now
// that have none yet. The owner of the Counter should call it once a day, so
// that OfDays need not read all counts of a day.
func (c *Counter) Summarize(ctx context.Context, now time.Time) error {
	_, err := ofDays(now.Add(-24*time.Hour-settlingTime), int(Retention/(24*time.Hour))-1, func(day time.Time) ([]Count, error) { return c.summary(ctx, day) })
	return err
}

// summary returns the summarized counts of a past day. It stores them unless
// there are none.
func (c *Counter) summary(ctx context.Context, day time.Time) (counts []Count, err error) {
	key := summaryPrefix + Day(day)
	stored, err := c.backend.Get(ctx, key)
	if err == nil {
		return counts, json.Unmarshal(stored, &counts)
	}
	if !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	all, err := c.OfDay(ctx, Day(day))
	if err != nil || len(all) == 0 {
		return nil, err
	}
	names := make(map[string]string) // "" for all but the busiest keys
	busiest := Busiest(SumBy(all, func(c Count) string { return c.Key }))
	for _, name := range busiest[:min(busyKeys, len(busiest))] {
		names[name] = name
	}
	sums := make(map[Count]int64)
	for _, count := range all {
		sums[Count{Day: count.Day, Key: names[count.Key], Outcome: count.Outcome}] += count.N
	}
	for count, n := range sums {
		count.N = n
		counts = append(counts, count)
	}
	value, err := json.Marshal(counts)
	if err != nil {
		return nil, err
	}
	return counts, c.backend.Put(ctx, key, value, day.Add(Retention))
}

// OfKey returns the counts of a key on the given number of days up to last,
// oldest first, and within a day ordered by operation and outcome.
func (c *Counter) OfKey(ctx context.Context, key string, last time.Time, days int) ([]Count, error) {
	return ofDays(last, days, func(day time.Time) ([]Count, error) {
		return c.list(ctx, prefix+Day(day)+"/"+key+"/")
	})
}

// ofDays calls of for each of the days up to last, and concatenates the
// results.
func ofDays(last time.Time, days int, of func(day time.Time) ([]Count, error)) ([]Count, error) {
	var all []Count
	for back := days - 1; back >= 0; back-- {
		counts, err := of(last.UTC().Truncate(24*time.Hour).AddDate(0, 0, -back))
		if err != nil {
			return nil, err
		}
		all = append(all, counts...)
	}
	return all, nil
}

func (c *Counter) list(ctx context.Context, within string) ([]Count, error) {
	var all []Count
	for e, err := range store.All(ctx, c.backend, within) {
		if err != nil {
			return nil, err
		}
		count, err := parse(e)
		if err != nil {
			return nil, err
		}
		all = append(all, count)
	}
	return all, nil
}

func parse(e store.Entry) (Count, error) {
	parts := strings.Split(strings.TrimPrefix(e.Key, prefix), "/")
	n, err := strconv.ParseInt(string(e.Value), 10, 64)
	if err != nil || len(parts) != 4 {
		return Count{}, fmt.Errorf("usage: entry %q does not count", e.Key)
	}
	return Count{parts[0], parts[1], parts[2], Outcome(parts[3]), n}, nil
}

// Day returns the UTC day of t in the form of [Count].Day.
func Day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// Sum is the number of requests by outcome.
type Sum struct{ OK, Limited, Refused, Failed int64 }

// Add adds a count to the sum.
func (s *Sum) Add(c Count) {
	switch c.Outcome {
	case Limited:
		s.Limited += c.N
	case Refused:
		s.Refused += c.N
	case Failed:
		s.Failed += c.N
	default:
		s.OK += c.N
	}
}

// All returns the number of requests.
func (s Sum) All() int64 { return s.OK + s.Limited + s.Refused + s.Failed }

// Errors returns the number of requests that were refused or failed, without
// those that were limited.
func (s Sum) Errors() int64 { return s.Refused + s.Failed }

// Taken returns the number of requests that count towards the limits, that is
// all but those that were limited.
func (s Sum) Taken() int64 { return s.All() - s.Limited }

// SumBy returns the sums of counts by the name that name returns for each.
func SumBy(counts []Count, name func(Count) string) map[string]Sum {
	sums := make(map[string]Sum)
	for _, c := range counts {
		s := sums[name(c)]
		s.Add(c)
		sums[name(c)] = s
	}
	return sums
}

// Busiest returns the names of sums in descending order of requests.
func Busiest(sums map[string]Sum) []string {
	return slices.SortedFunc(maps.Keys(sums), func(a, b string) int {
		return cmp.Or(cmp.Compare(sums[b].All(), sums[a].All()), cmp.Compare(a, b))
	})
}
