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
// Days are kept for 32 days. The caller passes the time to every function.
package usage

import (
	"cmp"
	"context"
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

// The outcomes of a request.
const (
	ok      = "ok"      // status below 400
	limited = "limited" // 429: too many requests
	refused = "refused" // any other 4xx: the request was invalid
	failed  = "failed"  // 5xx: the service failed
)

// outcomeOf returns the outcome of an HTTP status.
func outcomeOf(status int) string {
	switch {
	case status == 429:
		return limited
	case status >= 500:
		return failed
	case status >= 400:
		return refused
	default:
		return ok
	}
}

// Count is the number of requests of a key with one operation and outcome on
// one day.
type Count struct {
	Day       string // UTC day, such as 2026-11-20
	Key       string // id of the API key
	Operation string // such as log-share
	Outcome   string // ok, limited, refused or failed
	N         int64
}

// Counter counts requests. It is safe for concurrent use.
type Counter struct {
	backend store.Backend

	mu       sync.Mutex
	pending  map[Count]int64      // not yet in the store; N is zero
	failures map[string][]Failure // by outcome
}

// Failure is a request that was refused or failed.
type Failure struct {
	At        time.Time
	RequestID string
	Key       string // id of the API key
	Operation string
	Status    int
	Code      string // error code, such as validation_failed
	Field     string // first invalid field of the request; may be empty
}

// Fail records a failure in the memory of this process, if its Status is one. It
// keeps the last 100 that were refused and the last 100 that failed.
func (c *Counter) Fail(f Failure) {
	c.mu.Lock()
	defer c.mu.Unlock()
	outcome := outcomeOf(f.Status)
	if outcome == ok || outcome == limited {
		return
	}
	c.failures[outcome] = append(c.failures[outcome], f)
	if all := c.failures[outcome]; len(all) > 100 {
		c.failures[outcome] = all[1:]
	}
}

// Failures returns the failures that [Counter.Fail] has recorded, newest first.
func (c *Counter) Failures() []Failure {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := slices.Concat(c.failures[refused], c.failures[failed])
	slices.SortStableFunc(all, func(a, b Failure) int { return b.At.Compare(a.At) })
	return all
}

// prefix precedes day/key/operation/outcome in the store key of a counter.
const prefix = "usage/"

// New returns a Counter on a backend, with keys that start with "usage/".
func New(backend store.Backend) *Counter {
	return &Counter{backend: backend, pending: make(map[Count]int64), failures: make(map[string][]Failure)}
}

// Count counts a request of a key. Key and operation must be printable ASCII
// without a slash.
func (c *Counter) Count(key, operation string, status int, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pending[Count{Day: Day(now), Key: key, Operation: operation, Outcome: outcomeOf(status)}]++
}

// Flush writes the counts since the last Flush to the store. Counts that cannot
// be written remain for the next Flush. The owner of the Counter should call it
// regularly, and once before the store is closed.
func (c *Counter) Flush(ctx context.Context) error {
	c.mu.Lock()
	pending := c.pending
	c.pending = make(map[Count]int64)
	c.mu.Unlock()
	var errs []error
	for counter, n := range pending {
		if err := c.add(ctx, counter, n); err != nil {
			errs = append(errs, err)
			c.mu.Lock()
			c.pending[counter] += n
			c.mu.Unlock()
		}
	}
	return errors.Join(errs...)
}

func (c *Counter) add(ctx context.Context, counter Count, n int64) error {
	start, err := time.Parse(time.DateOnly, counter.Day)
	if err == nil {
		key := prefix + strings.Join([]string{counter.Day, counter.Key, counter.Operation, counter.Outcome}, "/")
		_, err = store.Add(ctx, c.backend, key, n, start.Add(32*24*time.Hour))
	}
	return err
}

// OfDays returns the counts of a key, or of all keys if it is empty, on the
// given number of days up to last, ordered by day, key, operation and outcome.
// It does not include counts that have not been flushed.
func (c *Counter) OfDays(ctx context.Context, key string, last time.Time, days int) ([]Count, error) {
	var all []Count
	for back := days - 1; back >= 0; back-- {
		within := prefix + Day(last.UTC().AddDate(0, 0, -back)) + "/"
		if key != "" {
			within += key + "/"
		}
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
	}
	return all, nil
}

func parse(e store.Entry) (Count, error) {
	parts := strings.Split(strings.TrimPrefix(e.Key, prefix), "/")
	n, err := strconv.ParseInt(string(e.Value), 10, 64)
	if err != nil || len(parts) != 4 {
		return Count{}, fmt.Errorf("usage: entry %q does not count", e.Key)
	}
	return Count{parts[0], parts[1], parts[2], parts[3], n}, nil
}

// Day returns the UTC day of t in the form of [Count].Day.
func Day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// Sum is the number of requests by outcome.
type Sum struct{ OK, Limited, Refused, Failed int64 }

func (s *Sum) add(c Count) {
	switch c.Outcome {
	case limited:
		s.Limited += c.N
	case refused:
		s.Refused += c.N
	case failed:
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
		s.add(c)
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
