package contract

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// states are the lifecycle states that a case can ask for.
var states = map[string]httpapi.State{"draining": httpapi.Draining, "stopping": httpapi.Stopping}

// StaticKey is a key that servers accept besides those in their store.
const StaticKey = "a-key-out-of-the-environment"

// Start returns a player for a server with the settings of a case.
func Start(tb testing.TB, s Server) *Player {
	tb.Helper()
	backend := &Faulty{Backend: store.NewMemory()}
	p := StartOn(tb, s, backend)
	backend.Fault = s.Broken
	return p
}

// StartOn is Start with a store, for which Broken means nothing.
func StartOn(tb testing.TB, s Server, backend store.Backend) *Player {
	tb.Helper()
	tb.Cleanup(func() { _ = backend.Close() })
	ring, keys := keyring(tb, backend)
	limits := ratelimit.Limits{PerMinute: *cmp.Or(s.PerMinute, new(100)), PerDay: *cmp.Or(s.PerDay, new(10_000))}
	limiter, err := ratelimit.New(backend, limits, nil)
	require.NoError(tb, err)
	shares, err := share.New(backend, share.Options{List: true})
	require.NoError(tb, err)
	options := httpapi.Options{
		Shares:      shares,
		Keys:        ring,
		Limiter:     limiter,
		CORSOrigins: s.CORSOrigins,
		State:       func() httpapi.State { return states[s.State] },
	}
	if s.BaseURL != "" {
		options.BaseURL, err = url.Parse(s.BaseURL)
		require.NoError(tb, err)
	}
	for _, proxy := range s.TrustedProxies {
		options.TrustedProxies = append(options.TrustedProxies, netip.MustParsePrefix(proxy))
	}
	handler, err := httpapi.New(options)
	require.NoError(tb, err)
	return &Player{Handler: handler, Keys: keys}
}

// keyring returns the keys that cases refer to by name.
func keyring(tb testing.TB, backend store.Backend) (*apikey.Keyring, map[string]string) {
	ring, err := apikey.New(backend, StaticKey)
	require.NoError(tb, err)
	elsewhere, err := apikey.New(store.NewMemory())
	require.NoError(tb, err)
	now, keys := time.Now(), map[string]string{"static": StaticKey}
	keys["unknown"], _, err = elsewhere.Issue(tb.Context(), "elsewhere", now, apikey.Options{})
	require.NoError(tb, err)
	for name, options := range map[string]apikey.Options{
		"alice": {}, "bob": {}, "revoked": {}, "expired": {Expires: now.Add(time.Millisecond)},
		"carol": {Owner: "user:carol"}, "carol's laptop": {Owner: "user:carol"}, "dave": {Owner: "user:dave"},
		"sharing": {Scopes: []apikey.Scope{apikey.ScopeShare}}, "reading": {Scopes: []apikey.Scope{apikey.ScopeRead}},
		"tools": {Scopes: []apikey.Scope{apikey.ScopeTools}}, "narrow": {PerMinute: 2, MaxExpiry: 2 * time.Hour},
	} {
		secret, key, err := ring.Issue(tb.Context(), name, now, options)
		require.NoError(tb, err)
		keys[name] = secret
		if name == "revoked" {
			require.NoError(tb, ring.Revoke(tb.Context(), key.ID, now))
		}
		if name == "alice" || name == "bob" {
			_, err = ring.Authenticate(tb.Context(), secret, now)
			require.NoError(tb, err)
		}
	}
	time.Sleep(time.Millisecond)
	return ring, keys
}

// Faulty is a Memory whose shares can be made to fail.
type Faulty struct {
	store.Backend
	Fault string // "store", "unforeseen" or "panic", as in Server
}

func (f *Faulty) fail() error {
	switch f.Fault {
	case "store":
		return fmt.Errorf("%w: the disk of this test is full", store.ErrUnavailable)
	case "unforeseen":
		return http.ErrBodyNotAllowed
	case "panic":
		panic("a store that panics")
	}
	return nil
}

// CreateAll implements store.Backend.
func (f *Faulty) CreateAll(ctx context.Context, entries ...store.Entry) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.Backend.CreateAll(ctx, entries...)
}

// List implements store.Backend.
func (f *Faulty) List(ctx context.Context, prefix, after string, limit int) ([]store.Entry, error) {
	if err := f.fail(); err != nil {
		return nil, err
	}
	return f.Backend.List(ctx, prefix, after, limit)
}

// Get implements store.Store.
func (f *Faulty) Get(ctx context.Context, key string) ([]byte, error) {
	if err := f.fail(); err != nil {
		return nil, err
	}
	return f.Backend.Get(ctx, key)
}

// Update implements store.Backend. It does not panic, so that the operation does.
func (f *Faulty) Update(ctx context.Context, key string, change func(old store.Entry, live bool) (store.Entry, error)) error {
	if f.Fault != "panic" {
		if err := f.fail(); err != nil {
			return err
		}
	}
	return f.Backend.Update(ctx, key, change)
}
