package metrics

import (
	"context"
	"time"

	"github.com/devkiln/devkiln/store"
)

// Store returns a backend that measures every call to b except Size and Ready.
func (m *Metrics) Store(b store.Backend) store.Backend { return backend{b, m} }

type backend struct {
	store.Backend
	m *Metrics
}

// Create implements store.Store.
func (b backend) Create(ctx context.Context, key string, value []byte, expires time.Time) (err error) {
	defer func(start time.Time) { b.m.call("create", start, err) }(time.Now())
	return b.Backend.Create(ctx, key, value, expires)
}

// Get implements store.Store.
func (b backend) Get(ctx context.Context, key string) (value []byte, err error) {
	defer func(start time.Time) { b.m.call("get", start, err) }(time.Now())
	return b.Backend.Get(ctx, key)
}

// Delete implements store.Store.
func (b backend) Delete(ctx context.Context, key string) (err error) {
	defer func(start time.Time) { b.m.call("delete", start, err) }(time.Now())
	return b.Backend.Delete(ctx, key)
}

// Put implements store.Backend.
func (b backend) Put(ctx context.Context, key string, value []byte, expires time.Time) (err error) {
	defer func(start time.Time) { b.m.call("put", start, err) }(time.Now())
	return b.Backend.Put(ctx, key, value, expires)
}

// List implements store.Backend.
func (b backend) List(ctx context.Context, prefix, after string, limit int) (entries []store.Entry, err error) {
	defer func(start time.Time) { b.m.call("list", start, err) }(time.Now())
	return b.Backend.List(ctx, prefix, after, limit)
}

// Update implements store.Backend.
func (b backend) Update(ctx context.Context, key string, change func(old store.Entry, live bool) (store.Entry, error)) (err error) {
	defer func(start time.Time) { b.m.call("update", start, err) }(time.Now())
	return b.Backend.Update(ctx, key, change)
}

// Sweep implements store.Backend.
func (b backend) Sweep(ctx context.Context, limit int) (freed int, err error) {
	defer func(start time.Time) {
		b.m.call("sweep", start, err)
		b.m.sweeps.Inc()
		b.m.swept.Add(float64(freed))
	}(time.Now())
	return b.Backend.Sweep(ctx, limit)
}

// CreateAll implements store.Backend.
func (b backend) CreateAll(ctx context.Context, entries ...store.Entry) (err error) {
	defer func(start time.Time) { b.m.call("create_all", start, err) }(time.Now())
	return b.Backend.CreateAll(ctx, entries...)
}

// DeleteAll implements store.Backend.
func (b backend) DeleteAll(ctx context.Context, keys ...string) (err error) {
	defer func(start time.Time) { b.m.call("delete_all", start, err) }(time.Now())
	return b.Backend.DeleteAll(ctx, keys...)
}

// Count implements store.Backend.
func (b backend) Count(ctx context.Context, prefix string) (n int64, err error) {
	defer func(start time.Time) { b.m.call("count", start, err) }(time.Now())
	return b.Backend.Count(ctx, prefix)
}
