package metrics

import (
	"context"
	"time"

	"github.com/devkiln/devkiln/store"
)

// Store returns a backend that measures every call. Of the abilities beside
// those of a Backend it has store.AllCreator if b has; ask b for the others, and
// Meter for one.
func (m *Metrics) Store(b store.Backend) store.Backend {
	if all, ok := b.(store.AllCreator); ok {
		return allCreator{backend{b, m}, all}
	}
	return backend{b, m}
}

type backend struct {
	below store.Backend
	m     *Metrics
}

// Create implements store.Store.
func (b backend) Create(ctx context.Context, key string, value []byte, expires time.Time) (err error) {
	defer func(start time.Time) { b.m.call("create", start, err) }(time.Now())
	return b.below.Create(ctx, key, value, expires)
}

// Get implements store.Store.
func (b backend) Get(ctx context.Context, key string) (value []byte, err error) {
	defer func(start time.Time) { b.m.call("get", start, err) }(time.Now())
	return b.below.Get(ctx, key)
}

// Delete implements store.Store.
func (b backend) Delete(ctx context.Context, key string) (err error) {
	defer func(start time.Time) { b.m.call("delete", start, err) }(time.Now())
	return b.below.Delete(ctx, key)
}

// Put implements store.Backend.
func (b backend) Put(ctx context.Context, key string, value []byte, expires time.Time) (err error) {
	defer func(start time.Time) { b.m.call("put", start, err) }(time.Now())
	return b.below.Put(ctx, key, value, expires)
}

// List implements store.Backend.
func (b backend) List(ctx context.Context, prefix, after string, limit int) (entries []store.Entry, err error) {
	defer func(start time.Time) { b.m.call("list", start, err) }(time.Now())
	return b.below.List(ctx, prefix, after, limit)
}

// Add implements store.Backend.
func (b backend) Add(ctx context.Context, key string, delta int64, expires time.Time) (sum int64, err error) {
	defer func(start time.Time) { b.m.call("add", start, err) }(time.Now())
	return b.below.Add(ctx, key, delta, expires)
}

// Sweep implements store.Backend.
func (b backend) Sweep(ctx context.Context, limit int) (freed int, err error) {
	defer func(start time.Time) {
		b.m.call("sweep", start, err)
		b.m.sweeps.Inc()
		b.m.swept.Add(float64(freed))
	}(time.Now())
	return b.below.Sweep(ctx, limit)
}

// Close implements store.Backend.
func (b backend) Close() error { return b.below.Close() }

// allCreator is a backend whose store can create several entries at once.
type allCreator struct {
	backend
	all store.AllCreator
}

// CreateAll implements store.AllCreator.
func (a allCreator) CreateAll(ctx context.Context, entries ...store.Entry) (err error) {
	defer func(start time.Time) { a.m.call("create_all", start, err) }(time.Now())
	return a.all.CreateAll(ctx, entries...)
}

// Meter returns a meter that measures every call.
func (m *Metrics) Meter(below store.Meter) store.Meter { return meter{below, m} }

type meter struct {
	below store.Meter
	m     *Metrics
}

// Take implements store.Meter.
func (t meter) Take(ctx context.Context, key string, now time.Time, limits store.Limits) (usage store.Usage, err error) {
	defer func(start time.Time) { t.m.call("take", start, err) }(time.Now())
	return t.below.Take(ctx, key, now, limits)
}
