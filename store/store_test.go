package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/store"
)

var never time.Time

func TestMemory_zeroValue(t *testing.T) {
	var m store.Memory
	_, err := m.Get(t.Context(), "key")
	require.ErrorIs(t, err, store.ErrNotFound)
	require.ErrorIs(t, m.Delete(t.Context(), "key"), store.ErrNotFound)
	sum, err := store.Add(t.Context(), &m, "counter", 2, never)
	require.NoError(t, err)
	require.EqualValues(t, 2, sum)
	require.NoError(t, m.Create(t.Context(), "key", []byte("value"), never))
	got, err := m.Get(t.Context(), "key")
	require.NoError(t, err)
	require.Equal(t, "value", string(got))
}

func TestMemory_expiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := store.NewMemory()
		require.NoError(t, m.Create(t.Context(), "key", []byte("value"), time.Now().Add(time.Hour)))
		time.Sleep(time.Hour - time.Millisecond)
		_, err := m.Get(t.Context(), "key")
		require.NoError(t, err)
		time.Sleep(time.Millisecond)
		_, err = m.Get(t.Context(), "key")
		require.ErrorIs(t, err, store.ErrNotFound)
	})
}

func TestMemory_maxBytes(t *testing.T) {
	m := store.NewMemory()
	m.MaxBytes = 10_000
	ctx := t.Context()
	value := make([]byte, 1000)
	past := time.Now().Add(-time.Minute)
	require.NoError(t, m.Put(ctx, "exact", value, never))
	exact, err := m.Size(ctx)
	require.NoError(t, err)
	require.NoError(t, (&store.Memory{MaxBytes: exact}).Put(ctx, "exact", value, never), "there is room to the last byte")
	require.NoError(t, m.Delete(ctx, "exact"))
	require.NoError(t, m.Put(ctx, "older", value, past.Add(-time.Minute)))
	require.NoError(t, m.Put(ctx, "newer", value, past))
	large := m.Put(ctx, "large", make([]byte, 20_000), never)
	require.ErrorIs(t, large, store.ErrUnavailable)
	require.ErrorContains(t, large, "its limit of 10000 bytes")
	created := 0
	for ; err == nil; created++ {
		err = m.Create(ctx, fmt.Sprintf("live-%d", created), value, never)
	}
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.Equal(t, 9, created)
	require.NoError(t, m.Put(ctx, "live-0", value[1:], never), "a replacement that takes no more room")
	require.ErrorIs(t, m.Put(ctx, "live-0", make([]byte, 3000), never), store.ErrUnavailable)
	got, err := m.Get(ctx, "live-0")
	require.NoError(t, err)
	require.Len(t, got, 999)
	_, err = store.Add(ctx, m, "counter", 1, never)
	require.NoError(t, err, "counting goes on")
	require.NoError(t, m.Delete(ctx, "live-1"))
	require.NoError(t, m.Create(ctx, "again", value[:700], never))
	require.NoError(t, m.Close())
	_, err = m.Size(ctx)
	require.ErrorIs(t, err, store.ErrUnavailable)
}

// TestLimits_exact takes at random times and compares with the definition: no
// window contains more than PerWindow uses, and a use is refused only if it
// would exceed a limit.
func TestLimits_exact(t *testing.T) {
	limits := store.Limits{Window: time.Minute, PerWindow: 10, Period: time.Hour, PerPeriod: 200}
	source := rand.New(rand.NewPCG(1, 2))
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	var value []byte
	var taken []time.Time
	refusedByPeriod := false
	for range 5000 {
		now = now.Add(time.Duration(source.IntN(4_000_000)) * time.Microsecond)
		inWindow, inPeriod := 0, int64(0)
		for _, use := range taken {
			if now.Sub(use) < limits.Window {
				inWindow++
			}
			if !use.Before(now.Truncate(time.Hour)) {
				inPeriod++
			}
		}
		next, expires, usage, err := limits.Take(value, now)
		require.NoError(t, err)
		want := inWindow < limits.PerWindow && inPeriod < limits.PerPeriod
		require.Equal(t, want, usage.Taken, "%d in the window, %d in the period", inWindow, inPeriod)
		if want {
			value, taken = next, append(taken, now)
			inWindow, inPeriod = inWindow+1, inPeriod+1
			require.False(t, expires.Before(now.Add(limits.Window)))
			require.False(t, expires.Before(now.Truncate(time.Hour).Add(time.Hour)))
		}
		require.Equal(t, inWindow, usage.InWindow)
		require.Equal(t, inPeriod, usage.InPeriod)
		refusedByPeriod = refusedByPeriod || inPeriod == limits.PerPeriod && !want
		if n := len(taken); n > 300 {
			taken = slices.Clone(taken[n-300:])
		}
	}
	require.True(t, refusedByPeriod)
}

func FuzzLimitsTake(f *testing.F) {
	for _, value := range []string{"", "0 0", "1 2 3 4", "-1 -1 -1", "9223372036854775807 9223372036854775807 9223372036854775807", "1  2", "a"} {
		f.Add([]byte(value), int64(1_795_000_000_000_000))
	}
	limits := store.Limits{Window: time.Minute, PerWindow: 3, Period: time.Hour, PerPeriod: 5}
	f.Fuzz(func(t *testing.T, value []byte, now int64) {
		at := time.UnixMicro(now % (1 << 52))
		for range 10 {
			next, _, usage, err := limits.Take(value, at)
			if err != nil {
				return
			}
			require.LessOrEqual(t, usage.InWindow, limits.PerWindow)
			if !usage.Taken {
				return
			}
			value = next
		}
		t.Fatal("ten uses were taken, the limits are 3 and 5")
	})
}

// filled returns a store of count entries, some of which have expired.
func filled(t *testing.T, count int) *store.Memory {
	t.Helper()
	m := store.NewMemory()
	for i := range count {
		expires := []time.Time{never, time.Now().Add(time.Hour), time.Now().Add(-time.Hour)}[i%3]
		require.NoError(t, m.Put(t.Context(), fmt.Sprintf("key-%04d", i), []byte{byte(i), 0, 0xff}, expires))
	}
	require.NoError(t, m.Put(t.Context(), "empty", nil, never))
	return m
}

func everything(t *testing.T, s store.Backend) []store.Entry {
	t.Helper()
	entries, err := s.List(t.Context(), "", "", 1_000_000)
	require.NoError(t, err)
	return entries
}

func TestImport_keepsOtherEntries(t *testing.T) {
	src, dst := filled(t, 300), store.NewMemory()
	require.NoError(t, dst.Put(t.Context(), "key-0000", []byte("is replaced"), never))
	require.NoError(t, dst.Put(t.Context(), "other", []byte("stays"), never))
	imported, err := store.Import(t.Context(), dst, export(t, src))
	require.NoError(t, err)
	require.Equal(t, 201, imported)
	require.NoError(t, dst.Delete(t.Context(), "other"))
	require.Equal(t, everything(t, src), everything(t, dst))
}

// An import into a store that fills up returns how many entries it put.
func TestImport_intoFullStore(t *testing.T) {
	dst := &store.Memory{MaxBytes: 20_000}
	imported, err := store.Import(t.Context(), dst, export(t, filled(t, 300)))
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.Equal(t, len(everything(t, dst)), imported)
	require.Positive(t, imported)
}

func export(t *testing.T, src store.Backend) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	_, err := store.Export(t.Context(), &b, src)
	require.NoError(t, err)
	return &b
}

func TestExport_andImport(t *testing.T) {
	for _, count := range []int{0, 1, 64, 300} {
		src, dst := filled(t, count), store.NewMemory()
		var export bytes.Buffer
		exported, err := store.Export(t.Context(), &export, src)
		require.NoError(t, err)
		for line := range strings.Lines(export.String()) {
			require.True(t, json.Valid([]byte(line)), line)
		}
		imported, err := store.Import(t.Context(), dst, &export)
		require.NoError(t, err)
		require.Equal(t, exported, imported)
		require.Equal(t, everything(t, src), everything(t, dst))
	}
}

func TestImport_refuses(t *testing.T) {
	const good = `{"key":"a","value":"AA=="}` + "\n"
	for name, test := range map[string]struct {
		export   string
		want     string
		imported int
	}{
		"nothing":          {"", "line 1: the export is truncated", 0},
		"no end":           {good, "line 2: the export is truncated", 1},
		"cut in a line":    {good + `{"key":"b","val`, "line 2: the export is truncated", 1},
		"an entry missing": {good + `{"entries":2}`, "the export had 2 entries, this one has 1", 1},
		"not JSON":         {good + "key: b\n", "line 2 is not an entry of an export", 1},
		"a number":         {"10:00:00 INFO up\n", "store: line 1 is not an entry of an export", 0},
		"no key":           {good + "{}\n", "line 2: store: key has 0 bytes", 1},
		"illegal key":      {good + `{"key":"a b"}`, `line 2: store: key "a b"`, 1},
		"no base64":        {good + `{"key":"b","value":"%"}`, "line 2: illegal base64", 1},
		"no time":          {good + `{"key":"b","expires":"tomorrow"}`, "line 2: parsing time", 1},
		"unknown field":    {good + `{"key":"b","expiry":1}`, `line 2: json: unknown field "expiry"`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			dst := store.NewMemory()
			imported, err := store.Import(t.Context(), dst, strings.NewReader(test.export))
			require.ErrorContains(t, err, test.want)
			require.Equal(t, test.imported, imported)
			require.Len(t, everything(t, dst), test.imported, "what came before is there")
		})
	}
}

func TestExport_errors(t *testing.T) {
	src, closed := filled(t, 10), store.NewMemory()
	require.NoError(t, closed.Close())
	_, err := store.Import(t.Context(), closed, export(t, src))
	require.ErrorIs(t, err, store.ErrUnavailable)
	_, err = store.Export(t.Context(), io.Discard, closed)
	require.ErrorIs(t, err, store.ErrUnavailable)
	broken := errors.New("broken pipe")
	_, err = store.Export(t.Context(), failingWriter{broken}, src)
	require.ErrorIs(t, err, broken)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = store.Import(ctx, store.NewMemory(), export(t, src))
	require.ErrorIs(t, err, context.Canceled)
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func FuzzImport(f *testing.F) {
	f.Add(`{"key":"a","value":"AA==","expires":"2026-11-20T12:00:00Z"}` + "\n" + `{"entries":1}`)
	f.Add(`{"entries":0}`)
	f.Add(`{"key":"a"}{"key":"b"}{"entries":2}`)
	f.Fuzz(func(t *testing.T, export string) {
		dst := store.NewMemory()
		imported, err := store.Import(t.Context(), dst, strings.NewReader(export))
		if err == nil {
			require.LessOrEqual(t, len(everything(t, dst)), imported)
		}
	})
}

// TestMemory_concurrently gives the race detector something to look at.
func TestMemory_concurrently(t *testing.T) {
	m := store.NewMemory()
	m.MaxBytes = 20_000
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 200 {
				key := fmt.Sprintf("key-%d", (i+j)%50)
				err := m.Put(t.Context(), key, make([]byte, j), time.Now().Add(time.Duration(j%3-1)*time.Hour))
				if err != nil && !errors.Is(err, store.ErrUnavailable) {
					t.Error(err)
				}
				if _, err := m.Size(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for _, e := range everything(t, m) {
		require.NoError(t, m.Delete(t.Context(), e.Key))
	}
	_, err := m.Sweep(t.Context(), 1000)
	require.NoError(t, err)
	size, err := m.Size(t.Context())
	require.NoError(t, err)
	require.Zero(t, size, "what is gone takes no room")
}

func Example() {
	ctx := context.Background()
	s := store.NewMemory()
	expires := time.Now().Add(24 * time.Hour)

	fmt.Println(s.Create(ctx, "share/abc", []byte("hello"), expires))
	fmt.Println(errors.Is(s.Create(ctx, "share/abc", []byte("again"), expires), store.ErrExists))
	value, err := s.Get(ctx, "share/abc")
	fmt.Printf("%s %v\n", value, err)
	// Output:
	// <nil>
	// true
	// hello <nil>
}

func ExampleLimits() {
	ctx := context.Background()
	var backend store.Backend = store.NewMemory()
	limits := store.Limits{Window: time.Minute, PerWindow: 2}
	now := time.Now()
	for range 3 {
		usage, err := store.Take(ctx, backend, "uses/alice", now, limits)
		fmt.Println(usage.Taken, usage.InWindow, err)
	}
	// Output:
	// true 1 <nil>
	// true 2 <nil>
	// false 2 <nil>
}

func ExampleExport() {
	ctx := context.Background()
	s := store.NewMemory()
	_ = s.Put(ctx, "greeting", []byte("hello"), time.Time{})
	_, _ = store.Export(ctx, os.Stdout, s)
	// Output:
	// {"key":"greeting","value":"aGVsbG8="}
	// {"entries":1}
}
