package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/internal/contract"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

const staticKey = "a-key-out-of-the-environment"

// TestContract plays every case under testdata/contract, each against a server
// of its own in a bubble whose clock starts on 2000-01-01.
func TestContract(t *testing.T) {
	cases, err := contract.Load("testdata/contract")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(cases), 300)
	for _, c := range cases {
		t.Run(c.File+"/"+c.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				assert.NoError(t, player(t, c.Server).Play(t.Context(), c))
			})
		})
	}
}

// player starts the server that a case asks for.
func player(t *testing.T, s contract.Server) *contract.Player {
	backend := &faulty{Backend: store.NewMemory()}
	t.Cleanup(func() { _ = backend.Close() })
	ring, keys := ring(t, backend)
	limits := ratelimit.Limits{PerMinute: 100, PerDay: 10_000}
	if s.PerMinute != nil {
		limits.PerMinute = *s.PerMinute
	}
	if s.PerDay != nil {
		limits.PerDay = *s.PerDay
	}
	options := httpapi.Options{
		Shares:   share.New(backend, share.Options{}),
		Keys:     ring,
		Limiter:  ratelimit.NewLocal(backend, limits),
		Draining: func() bool { return s.Draining },
	}
	if s.BaseURL != "" {
		base, err := url.Parse(s.BaseURL)
		require.NoError(t, err)
		options.BaseURL = base
	}
	for _, proxy := range s.TrustedProxies {
		options.TrustedProxies = append(options.TrustedProxies, netip.MustParsePrefix(proxy))
	}
	backend.fault = s.Broken
	return &contract.Player{Handler: httpapi.New(options), Keys: keys, Observe: promises}
}

// promises checks what every answer of the API holds, whatever a case says.
func promises(r *http.Request, _ []byte, response *http.Response, answer []byte) error {
	clean := path.Clean(r.URL.Path)
	if clean != "/api" && !strings.HasPrefix(clean, "/api/") {
		return nil
	}
	for name, want := range map[string]string{
		"Content-Type":           "application/json; charset=utf-8",
		"Cache-Control":          "no-store",
		"X-Content-Type-Options": "nosniff",
		"Content-Length":         strconv.Itoa(len(answer)),
	} {
		if got := response.Header.Get(name); got != want {
			return fmt.Errorf("%s is %q, must be %q", name, got, want)
		}
	}
	var a struct {
		Success   *bool
		Error     *struct{ Code, Message string }
		RequestID string
		Config    json.RawMessage
		WebURL    string
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return err
	}
	id := response.Header.Get("X-Request-Id")
	switch good := response.StatusCode == http.StatusOK; {
	case id == "":
		return errors.New("no X-Request-Id")
	case a.Success == nil || *a.Success != good || (a.Error == nil) != good:
		return errors.New("success, error and status do not agree")
	case !good && (a.RequestID != id || a.Error.Code == "" || a.Error.Message == ""):
		return errors.New("a failure without its id, code or message")
	case a.WebURL != "":
		return opens(a.WebURL, a.Config)
	}
	return nil
}

// opens checks that a link to the web tool carries the config.
func opens(link string, config json.RawMessage) error {
	_, fragment, _ := strings.Cut(link, "#")
	carried, err := screenshot.ParseFragment(fragment)
	if err != nil {
		return err
	}
	var answered screenshot.Config
	if err := json.Unmarshal(config, &answered); err != nil {
		return err
	}
	if !reflect.DeepEqual(carried, answered) {
		return errors.New("the link carries another config")
	}
	return nil
}

// ring makes the keys that cases know by name.
func ring(t *testing.T, backend store.Backend) (*apikey.Ring, map[string]string) {
	ring, err := apikey.New(backend, staticKey)
	require.NoError(t, err)
	keys := map[string]string{"static": staticKey, "unknown": unknownKey(t)}
	for _, name := range []string{"alice", "bob", "revoked", "expired"} {
		now := time.Now()
		expires := time.Time{}
		if name == "expired" {
			expires = now.Add(time.Millisecond)
		}
		secret, key, err := ring.Issue(t.Context(), name, now, expires)
		require.NoError(t, err)
		keys[name] = secret
		if name == "revoked" {
			require.NoError(t, ring.Revoke(t.Context(), key.ID, now))
		}
		if name == "alice" || name == "bob" {
			_, err = ring.Check(t.Context(), secret, now)
			require.NoError(t, err)
		}
	}
	time.Sleep(time.Millisecond)
	return ring, keys
}

// unknownKey is a well-formed key of another service.
func unknownKey(t *testing.T) string {
	other, err := apikey.New(store.NewMemory())
	require.NoError(t, err)
	secret, _, err := other.Issue(t.Context(), "elsewhere", time.Now(), time.Time{})
	require.NoError(t, err)
	return secret
}

// faulty is a Memory whose shares can be made to fail.
type faulty struct {
	store.Backend
	fault string
}

func (f *faulty) fail() error {
	switch f.fault {
	case "store":
		return fmt.Errorf("%w: the disk of this test is full", store.ErrUnavailable)
	case "unforeseen":
		return http.ErrBodyNotAllowed
	case "panic":
		panic("a store that panics")
	}
	return nil
}

func (f *faulty) Create(ctx context.Context, key string, value []byte, expires time.Time) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.Backend.Create(ctx, key, value, expires)
}

func (f *faulty) Get(ctx context.Context, key string) ([]byte, error) {
	if err := f.fail(); err != nil {
		return nil, err
	}
	return f.Backend.Get(ctx, key)
}
