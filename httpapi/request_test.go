package httpapi_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/internal/contract"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

func TestFault_detailGoesToTheLogOnly(t *testing.T) {
	for fault, c := range map[string]struct {
		status int
		detail string
	}{
		"store":      {http.StatusServiceUnavailable, "the disk of this test is full"},
		"unforeseen": {http.StatusInternalServerError, http.ErrBodyNotAllowed.Error()},
		"panic":      {http.StatusInternalServerError, "a store that panics"},
	} {
		t.Run(fault, func(t *testing.T) {
			backend := &contract.Faulty{Backend: store.NewMemory()}
			o := options(t, backend)
			var err error
			o.Shares, err = share.New(backend, share.Options{List: true})
			require.NoError(t, err)
			backend.Fault = fault
			var log bytes.Buffer
			o.Log = slog.New(slog.NewTextHandler(&log, nil))
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/v1/log-share", strings.NewReader(`{"content":"a secret text"}`))
			r.Header.Set("X-Api-Key", staticKey)
			r.Header.Set("X-Request-Id", "trace-7")
			w := httptest.NewRecorder()
			handlerOf(t, o).ServeHTTP(w, r)
			assert.Equal(t, c.status, w.Code)
			assert.NotContains(t, w.Body.String(), c.detail)
			assert.Contains(t, log.String(), c.detail)
			assert.Contains(t, log.String(), "request_id=trace-7")
			assert.NotContains(t, log.String(), staticKey)
			assert.NotContains(t, log.String(), "a secret text")
		})
	}
}

func TestAccessLog_oneRecordPerRequest(t *testing.T) {
	records := make(recorder, 1)
	o := options(t, store.NewMemory())
	o.AccessLog = slog.New(records)
	o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.51.100.7/32")}
	handler := handlerOf(t, o)
	for name, c := range map[string]struct {
		path, key, forwarded string
		status               int64
		keyed                bool
		remote, cause        string
	}{
		"an operation":             {"/api/v1/slug-generator", staticKey, "", http.StatusOK, true, "192.0.2.1", ""},
		"a wrong key":              {"/api/v1/slug-generator", "x", "", http.StatusUnauthorized, false, "192.0.2.1", "invalid_api_key"},
		"a page":                   {"/nowhere", "", "", http.StatusNotFound, false, "192.0.2.1", "not_found"},
		"a client behind proxies":  {"/healthz", "", "203.0.113.9, 198.51.100.7", http.StatusMethodNotAllowed, false, "203.0.113.9", "method_not_allowed"},
		"a client who makes it up": {"/healthz", "", "10.0.0.1, 203.0.113.9", http.StatusMethodNotAllowed, false, "203.0.113.9", "method_not_allowed"},
		"a proxy that says unfit":  {"/healthz", "", "unknown", http.StatusMethodNotAllowed, false, "192.0.2.1", "method_not_allowed"},
		"an IPv4 address as IPv6":  {"/healthz", "", "::ffff:203.0.113.9", http.StatusMethodNotAllowed, false, "203.0.113.9", "method_not_allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, c.path, strings.NewReader(`{"text":"a"}`))
			r.Header.Set("X-Api-Key", c.key)
			r.Header.Set("X-Forwarded-For", c.forwarded)
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			record := <-records
			fields := make(map[string]slog.Value)
			record.Attrs(func(a slog.Attr) bool {
				fields[a.Key] = a.Value
				return true
			})
			if c.cause == "" {
				require.Len(t, fields, 8)
			} else {
				require.Len(t, fields, 9)
				assert.Equal(t, c.cause, fields["cause"].String())
			}
			assert.Equal(t, w.Header().Get("X-Request-Id"), fields["request_id"].String())
			assert.Equal(t, http.MethodPost, fields["method"].String())
			assert.Equal(t, c.path, fields["path"].String())
			assert.Equal(t, c.status, fields["status"].Int64())
			assert.Equal(t, int64(w.Body.Len()), fields["bytes"].Int64())
			assert.Equal(t, c.keyed, fields["key_id"].String() != "")
			assert.Equal(t, c.remote, fields["remote"].String())
		})
	}
}

// failingReads is a store of which no share can be read.
type failingReads struct {
	store.Backend
	read func() ([]byte, error)
}

// Get implements store.Store.
func (f failingReads) Get(context.Context, string) ([]byte, error) { return f.read() }

// Every way in which reading a log fails has its cause in the access log and in
// what the metrics count.
func TestReadLog_causeOfEveryFailure(t *testing.T) {
	type test struct {
		o      httpapi.Options
		r      *http.Request
		shares *share.Service
		sooner time.Duration // how much the service's clock is ahead
		why    string        // matches the error in the access log
	}
	failing := func(read func() ([]byte, error)) func(*testing.T, *test) {
		return func(t *testing.T, c *test) {
			var err error
			c.o.Shares, err = share.New(failingReads{store.NewMemory(), read}, share.Options{})
			require.NoError(t, err)
		}
	}
	made := func(content string, o share.LogOptions) func(*testing.T, *test) {
		return func(t *testing.T, c *test) {
			log, err := c.shares.CreateLog(t.Context(), content, o)
			require.NoError(t, err)
			c.r.URL.Path += log.ID
		}
	}
	for want, prepare := range map[string]func(*testing.T, *test){
		"200 ":                    made("INFO up", share.LogOptions{}),
		"401 missing_api_key":     func(_ *testing.T, c *test) { c.r.Header.Del("X-Api-Key") },
		"401 invalid_api_key":     func(_ *testing.T, c *test) { c.r.Header.Set("X-Api-Key", "wrong") },
		"404 not_found":           func(*testing.T, *test) {},
		"409 read_once":           made("INFO up", share.LogOptions{Burn: true}),
		"405 method_not_allowed":  func(_ *testing.T, c *test) { c.r.Method = http.MethodPut },
		"500 internal":            failing(func() ([]byte, error) { return []byte("damaged"), nil }),
		"500 internal by a panic": failing(func() ([]byte, error) { panic("a store that panics") }),
		"503 store":               failing(func() ([]byte, error) { return nil, fmt.Errorf("%w: the disk fails", store.ErrUnavailable) }),
		"503 timeout":             failing(func() ([]byte, error) { return nil, context.DeadlineExceeded }),
		"503 canceled":            failing(func() ([]byte, error) { return nil, context.Canceled }),
		"503 busy":                failing(func() ([]byte, error) { return nil, fair.ErrBusy }),
		"503 draining":            func(_ *testing.T, c *test) { c.o.State = func() httpapi.State { return httpapi.Draining } },
		"404 not_found by the clock": func(t *testing.T, c *test) {
			made("INFO up", share.LogOptions{})(t, c)
			c.sooner = 25 * time.Hour
			c.why = `^share: not found: expired at 2\S+Z, and it is 2\S+Z$`
		},
		"404 not_found by the clock of the store": func(t *testing.T, c *test) {
			failing(func() ([]byte, error) { return nil, fmt.Errorf("%w: expired an hour ago", store.ErrNotFound) })(t, c)
			c.why = `^share: not found: store: not found: expired an hour ago$`
		},
		"429 rate_limited": func(t *testing.T, c *test) {
			var err error
			c.o.Limiter, err = ratelimit.New(store.NewMemory(), ratelimit.Limits{PerDay: 1}, nil)
			require.NoError(t, err)
			key, err := c.o.Keys.Authenticate(t.Context(), staticKey, time.Now())
			require.NoError(t, err)
			_, err = c.o.Limiter.Allow(t.Context(), key.ID, 0, time.Now())
			require.NoError(t, err)
		},
	} {
		t.Run(want, func(t *testing.T) {
			backend := store.NewMemory()
			c := &test{o: options(t, backend), r: httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/v1/log-share/", http.NoBody)}
			c.r.Header.Set("X-Api-Key", staticKey)
			var err error
			c.shares, err = share.New(backend, share.Options{Now: func() time.Time { return time.Now().Add(c.sooner) }})
			require.NoError(t, err)
			c.o.Shares = c.shares
			records := make(recorder, 1)
			c.o.AccessLog = slog.New(records)
			var counted httpapi.Observation
			c.o.Observe = func(o httpapi.Observation) { counted = o }
			prepare(t, c)
			if strings.HasSuffix(c.r.URL.Path, "/") {
				c.r.URL.Path += "0123456789abcdef"
			}
			handlerOf(t, c.o).ServeHTTP(httptest.NewRecorder(), c.r)
			logged := map[string]string{}
			(<-records).Attrs(func(a slog.Attr) bool {
				logged[a.Key] = a.Value.String()
				return true
			})
			want, _, _ := strings.Cut(want, " by ")
			assert.Equal(t, want, fmt.Sprint(counted.Status, " ", counted.Cause))
			assert.Equal(t, counted.Cause, logged["cause"])
			assert.Regexp(t, c.why, logged["error"])
		})
	}
}

// TestPanic_afterTheFirstByteEndsTheConnection verifies that a truncated
// response does not look complete.
func TestPanic_afterTheFirstByteEndsTheConnection(t *testing.T) {
	for name, c := range map[string]struct {
		fault any
		begun bool
	}{
		"after it began":         {"a fault", true},
		"ErrAbortHandler at all": {http.ErrAbortHandler, false},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t, store.NewMemory())
			o.Pages = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if c.begun {
					_, _ = w.Write([]byte("half"))
				}
				panic(c.fault)
			})
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
			assert.PanicsWithError(t, http.ErrAbortHandler.Error(), func() {
				handlerOf(t, o).ServeHTTP(httptest.NewRecorder(), r)
			})
		})
	}
}

// A service may have no list of shares.
func TestShares_withoutAList(t *testing.T) {
	backend := store.NewMemory()
	o := options(t, backend)
	var err error
	o.Shares, err = share.New(backend, share.Options{})
	require.NoError(t, err)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/v1/shares", http.NoBody)
	r.Header.Set("X-API-Key", staticKey)
	w := httptest.NewRecorder()
	handlerOf(t, o).ServeHTTP(w, r)
	assert.Equal(t, http.StatusNotFound, w.Code)
	assert.Contains(t, w.Body.String(), "this server keeps no list of its shares")
}

func TestAnalyze_boundsTheLines(t *testing.T) {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/analyze", strings.NewReader(strings.Repeat("\n", 1_500_001)))
	r.Header.Set("X-API-Key", staticKey)
	w := httptest.NewRecorder()
	handlerOf(t, options(t, store.NewMemory())).ServeHTTP(w, r)
	assert.Equal(t, http.StatusBadRequest, w.Code)
	assert.Equal(t, "content: has 1500001 lines, must have at most 1500000\n", w.Body.String())
}
