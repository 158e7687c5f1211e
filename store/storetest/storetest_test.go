package storetest_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/storetest"
)

// subjectName is the environment variable that names the store on which
// TestSubject runs the suite.
const subjectName = "DEVKILN_TEST_SUBJECT"

// subject is a store for the suite and the clause that it must fail, or "" for
// a correct store.
type subject struct {
	open  func() store.Backend
	fails string
}

func subjects() map[string]subject {
	with := func(change func(b *broken)) func() store.Backend {
		return func() store.Backend {
			b := &broken{Memory: store.NewMemory()}
			change(b)
			return b
		}
	}
	return map[string]subject{
		"right":                    {open: func() store.Backend { return store.NewMemory() }},
		"right when wrapped":       {open: with(func(*broken) {})},
		"Get deletes":              {with(func(b *broken) { b.getDeletes = true }), "Get deletes nothing"},
		"Create looks, then puts":  {with(func(b *broken) { b.createInTwoSteps = true }), "of racing Creates one wins"},
		"CreateAll stops midway":   {with(func(b *broken) { b.createAllStops = true }), "CreateAll adds nothing when a key exists"},
		"CreateAll goes in steps":  {with(func(b *broken) { b.createAllInSteps = true }), "List sees all that CreateAll adds or nothing"},
		"DeleteAll goes in steps":  {with(func(b *broken) { b.deleteAllInSteps = true }), "List sees all that DeleteAll deletes or nothing"},
		"Create overwrites":        {with(func(b *broken) { b.createOverwrites = true }), "Create refuses a key that exists"},
		"Create sees what expired": {with(func(b *broken) { b.createSeesExpired = true }), "an expired entry is absent"},
		"Delete never misses":      {with(func(b *broken) { b.deleteNeverMisses = true }), "Delete"},
		"keeps the caller's slice": {with(func(b *broken) { b.keepsSlice = true }), "values are the caller's own"},
		"hands out what it keeps":  {with(func(b *broken) { b.keepsRead = true }), "values are the caller's own"},
		"folds case":               {with(func(b *broken) { b.key = strings.ToLower }), "keys are compared byte by byte"},
		"trims keys":               {with(func(b *broken) { b.key = strings.TrimSpace }), "illegal keys"},
		"cuts keys":                {with(func(b *broken) { b.key = func(k string) string { return k[:min(len(k), 255)] } }), "keys of every legal form"},
		"expires early":            {with(func(b *broken) { b.expiry = func(e time.Time) time.Time { return e.Add(-time.Second) } }), "an entry lives until the instant of its expiry"},
		"expires late":             {with(func(b *broken) { b.expiry = func(e time.Time) time.Time { return e.Add(time.Second) } }), "an entry lives until the instant of its expiry"},
		"whole seconds":            {with(func(b *broken) { b.expiry = func(e time.Time) time.Time { return e.Truncate(time.Second) } }), "List shows values and expiries"},
		"ignores contexts":         {with(func(b *broken) { b.ignoresContext = true }), "a context that is done"},
		"lists out of order":       {with(func(b *broken) { b.list = slices.Reverse[[]store.Entry] }), "List is in the order of bytes"},
		"lists as SQL LIKE":        {with(func(b *broken) { b.listFoldsPrefix = true }), "List takes a prefix for what it is"},
		"repeats a page's end":     {with(func(b *broken) { b.listRepeats = true }), "List reads on after a key"},
		"Update reads, puts":       {with(func(b *broken) { b.updateInTwoSteps = true }), "racing Adds lose nothing"},
		"Update hides the expiry":  {with(func(b *broken) { b.hidesExpiry = true }), "a live counter keeps its expiry"},
		"Sweep takes all":          {with(func(b *broken) { b.sweepsAll = true }), "Sweep keeps to its limit"},
		"Sweep takes the living":   {with(func(b *broken) { b.sweepsLiving = true }), "Sweep frees what has expired"},
		"Update in two steps":      {with(func(b *broken) { b.updateInTwoSteps = true }), "racing Takes keep to the limits"},
		"Size never changes":       {with(func(b *broken) { b.sizeStays = true }), "Size grows with what is stored"},
		"is never full":            {with(func(b *broken) { b.neverFull = true }), "a full store refuses and loses nothing"},
		"stays full":               {with(func(b *broken) { b.staysFull = true }), "what is deleted makes room"},
		"Count counts everything":  {with(func(b *broken) { b.countsAll = true }), "Count counts the keys of a prefix"},
		"Ready when closed":        {with(func(b *broken) { b.alwaysReady = true }), "a closed store is unavailable"},
		"Close does nothing":       {with(func(b *broken) { b.staysOpen = true }), "a closed store is unavailable"},
	}
}

// TestRun_findsFaults tests the suite: each broken store must fail the clause
// that it violates, in its own process, and a correct store must pass.
func TestRun_findsFaults(t *testing.T) {
	executable, err := os.Executable()
	require.NoError(t, err)
	for _, name := range slices.Sorted(maps.Keys(subjects())) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fails := subjects()[name].fails
			pattern := "^TestSubject$"
			if fails != "" {
				pattern += "/^" + strings.ReplaceAll(fails, " ", "_") + "$"
			}
			child := exec.CommandContext(t.Context(), executable, "-test.v", "-test.run="+pattern)
			child.Env = append(os.Environ(), subjectName+"="+name)
			output, err := child.CombinedOutput()
			if fails == "" {
				require.NoError(t, err, "%s", output)
				return
			}
			_, failed := errors.AsType[*exec.ExitError](err)
			assert.True(t, failed, "the suite passes a broken store")
			assert.Contains(t, string(output), "--- FAIL: TestSubject/"+strings.ReplaceAll(fails, " ", "_"))
			assert.NotContains(t, string(output), "panic:")
			assert.NotContains(t, string(output), "%!")
		})
	}
}

// TestSubject runs the suite on one subject, as a child of TestRun_findsFaults.
func TestSubject(t *testing.T) {
	name := os.Getenv(subjectName)
	if name == "" {
		t.Skip("runs as a child of TestRun_findsFaults only")
	}
	s, ok := subjects()[name]
	require.True(t, ok, "there is no subject %q", name)
	storetest.RunBackend(t, func(*testing.T) store.Backend { return s.open() })
	storetest.RunCapped(t, func(_ *testing.T, maxBytes int64) store.Backend {
		opened := s.open()
		if m, ok := opened.(*store.Memory); ok {
			m.MaxBytes = maxBytes
		} else if b := opened.(*broken); !b.neverFull {
			b.MaxBytes = maxBytes
		}
		return opened
	})
}

// broken is a Memory with faults, each enabled by a field.
type broken struct {
	*store.Memory

	mu      sync.Mutex
	written map[string]time.Time // recorded for createSeesExpired and getDeletes

	getDeletes        bool
	createInTwoSteps  bool
	createOverwrites  bool
	createAllStops    bool
	createAllInSteps  bool
	deleteAllInSteps  bool
	alwaysReady       bool
	createSeesExpired bool
	deleteNeverMisses bool
	keepsSlice        bool
	keepsRead         bool
	ignoresContext    bool
	listFoldsPrefix   bool
	listRepeats       bool
	updateInTwoSteps  bool
	hidesExpiry       bool
	sweepsAll         bool
	sweepsLiving      bool
	staysOpen         bool
	sizeStays         bool
	neverFull         bool
	staysFull         bool
	full              atomic.Bool
	countsAll         bool
	lists             atomic.Int64 // completed calls of List

	key    func(string) string
	expiry func(time.Time) time.Time
	list   func([]store.Entry)
	slices sync.Map
}

func (b *broken) change(ctx context.Context, key string, expires time.Time) (context.Context, string, time.Time) {
	if b.ignoresContext {
		ctx = context.WithoutCancel(ctx)
	}
	if b.key != nil {
		key = b.key(key)
	}
	if b.expiry != nil && !expires.IsZero() {
		expires = b.expiry(expires)
	}
	return ctx, key, expires
}

func (b *broken) Create(ctx context.Context, key string, value []byte, expires time.Time) error {
	ctx, key, expires = b.change(ctx, key, expires)
	switch {
	case b.createOverwrites:
		return b.Memory.Put(ctx, key, value, expires)
	case b.createInTwoSteps:
		if _, err := b.Memory.Get(ctx, key); err == nil {
			return store.ErrExists
		}
		runtime.Gosched()
		return b.Memory.Put(ctx, key, value, expires)
	case b.createSeesExpired || b.getDeletes:
		b.mu.Lock()
		_, seen := b.written[key]
		if b.written == nil {
			b.written = make(map[string]time.Time)
		}
		b.written[key] = expires
		b.mu.Unlock()
		if seen && b.createSeesExpired {
			return store.ErrExists
		}
	}
	if b.staysFull && b.full.Load() {
		return store.ErrUnavailable
	}
	err := b.Memory.Create(ctx, key, value, expires)
	if err == nil && b.keepsSlice {
		b.slices.Store(key, value)
	}
	if errors.Is(err, store.ErrUnavailable) {
		b.full.Store(true)
	}
	return err
}

func (b *broken) CreateAll(ctx context.Context, entries ...store.Entry) error {
	if !b.createAllStops && !b.createAllInSteps {
		return b.Memory.CreateAll(ctx, entries...)
	}
	for i, e := range entries {
		if err := b.Memory.Create(ctx, e.Key, e.Value, e.Expires); err != nil {
			for _, made := range entries[:i] {
				if b.createAllInSteps {
					_ = b.Memory.Delete(ctx, made.Key)
				}
			}
			return err
		}
		b.awaitList()
	}
	return nil
}

// awaitList waits for a List that began after it, if there are any: for two to
// end, because the first may have begun before.
func (b *broken) awaitList() {
	const patience = 5 * time.Millisecond
	seen := b.lists.Load()
	for end := time.Now().Add(patience); b.lists.Load() < seen+2 && time.Now().Before(end); {
		runtime.Gosched()
	}
}

func (b *broken) Get(ctx context.Context, key string) ([]byte, error) {
	ctx, key, _ = b.change(ctx, key, time.Time{})
	if value, ok := b.slices.Load(key); ok {
		return value.([]byte), nil
	}
	value, err := b.Memory.Get(ctx, key)
	if err == nil && b.keepsRead {
		b.slices.Store(key, value)
	}
	if b.getDeletes && errors.Is(err, store.ErrNotFound) {
		b.mu.Lock()
		_, expired := b.written[key]
		b.mu.Unlock()
		runtime.Gosched()
		if expired {
			_ = b.Memory.Delete(ctx, key)
		}
	}
	return value, err
}

func (b *broken) Delete(ctx context.Context, key string) error {
	ctx, key, _ = b.change(ctx, key, time.Time{})
	err := b.Memory.Delete(ctx, key)
	if b.deleteNeverMisses && errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

func (b *broken) DeleteAll(ctx context.Context, keys ...string) error {
	if !b.deleteAllInSteps {
		return b.Memory.DeleteAll(ctx, keys...)
	}
	for _, key := range keys {
		if err := b.Memory.Delete(ctx, key); err != nil {
			return err
		}
		b.awaitList()
	}
	return nil
}

func (b *broken) Ready(ctx context.Context) error {
	if b.alwaysReady {
		return ctx.Err()
	}
	return b.Memory.Ready(ctx)
}

func (b *broken) Put(ctx context.Context, key string, value []byte, expires time.Time) error {
	ctx, key, expires = b.change(ctx, key, expires)
	return b.Memory.Put(ctx, key, value, expires)
}

func (b *broken) List(ctx context.Context, prefix, after string, limit int) ([]store.Entry, error) {
	defer b.lists.Add(1)
	if b.listRepeats && len(after) > 1 {
		after = after[:len(after)-1]
	}
	entries, err := b.Memory.List(ctx, prefix, after, limit)
	if b.listFoldsPrefix && err == nil {
		upper, err := b.Memory.List(ctx, strings.ToUpper(prefix), after, limit)
		return slices.CompactFunc(append(upper, entries...), func(a, b store.Entry) bool { return a.Key == b.Key }), err
	}
	if b.list != nil {
		b.list(entries)
	}
	return entries, err
}

func (b *broken) Update(ctx context.Context, key string, change func(old store.Entry, live bool) (store.Entry, error)) error {
	ctx, key, _ = b.change(ctx, key, time.Time{})
	if b.updateInTwoSteps {
		value, err := b.Memory.Get(ctx, key)
		runtime.Gosched()
		next, err := change(store.Entry{Key: key, Value: value}, err == nil)
		if err != nil || next.Value == nil {
			return err
		}
		return b.Memory.Put(ctx, key, next.Value, next.Expires)
	}
	return b.Memory.Update(ctx, key, func(old store.Entry, live bool) (store.Entry, error) {
		if b.hidesExpiry {
			old.Expires = time.Time{}
		}
		return change(old, live)
	})
}

func (b *broken) Sweep(ctx context.Context, limit int) (int, error) {
	if b.sweepsLiving {
		entries, err := b.Memory.List(ctx, "", "", limit)
		for _, e := range entries {
			err = errors.Join(err, b.Memory.Delete(ctx, e.Key))
		}
		return len(entries), err
	}
	if b.sweepsAll && limit > 0 {
		limit = 1 << 20
	}
	return b.Memory.Sweep(ctx, limit)
}

func (b *broken) Close() error {
	if b.staysOpen {
		return nil
	}
	return b.Memory.Close()
}

func (b *broken) Count(ctx context.Context, prefix string) (int64, error) {
	if b.countsAll {
		prefix = ""
	}
	return b.Memory.Count(ctx, prefix)
}

func (b *broken) Size(ctx context.Context) (int64, error) {
	if b.sizeStays {
		return 0, nil
	}
	return b.Memory.Size(ctx)
}
