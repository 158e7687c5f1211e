package apikey_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/store"
)

func newRing(t *testing.T, backend store.Backend, static ...string) *apikey.Keyring {
	t.Helper()
	r, err := apikey.New(backend, static...)
	require.NoError(t, err)
	return r
}

func issue(t *testing.T, r *apikey.Keyring, name string, expires time.Time) (string, apikey.Key) {
	t.Helper()
	secret, key, err := r.Issue(t.Context(), name, time.Now(), apikey.Options{Expires: expires})
	require.NoError(t, err)
	return secret, key
}

func TestKeyring_acceptsOnlyTheKey(t *testing.T) {
	r := newRing(t, store.NewMemory())
	secret, key := issue(t, r, "ci", time.Time{})
	assert.Regexp(t, `^dk_[0-9A-Za-z]{36}$`, secret)
	got, err := r.Authenticate(t.Context(), secret, time.Now())
	require.NoError(t, err)
	assert.Equal(t, key.ID, got.ID)
	assert.Equal(t, secret[:7], got.Prefix)
	assert.Equal(t, secret[len(secret)-4:], got.LastFour)

	down := store.NewMemory()
	require.NoError(t, down.Close())
	unreachable := newRing(t, down)
	_, err = unreachable.Authenticate(t.Context(), secret, time.Now())
	require.ErrorIs(t, err, store.ErrUnavailable)
	for i := range len(secret) {
		mistyped := secret[:i] + string(rune('0'+(secret[i]+1)%10)) + secret[i+1:]
		if mistyped == secret {
			continue
		}
		_, err := unreachable.Authenticate(t.Context(), mistyped, time.Now())
		assert.ErrorIs(t, err, apikey.ErrInvalid, "%d: %s: the checksum is wrong, so that the store need not be asked", i, mistyped)
	}
	for _, other := range []string{"", "dk_", strings.ToLower(secret), secret + " ", strings.Repeat("x", 1<<20)} {
		_, err := r.Authenticate(t.Context(), other, time.Now())
		assert.ErrorIs(t, err, apikey.ErrInvalid)
	}
}

func TestKeyring_storesNoKey(t *testing.T) {
	backend := store.NewMemory()
	secret, _ := issue(t, newRing(t, backend), "ci", time.Time{})
	entries, err := backend.List(t.Context(), "", "", 100)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	assert.NotContains(t, entries[0].Key+string(entries[0].Value), secret[7:len(secret)-4])
}

func TestKeyring_expiredKey(t *testing.T) {
	r := newRing(t, store.NewMemory())
	now := time.Now()
	secret, _ := issue(t, r, "ci", now.Add(time.Hour))
	_, err := r.Authenticate(t.Context(), secret, now.Add(time.Hour-time.Millisecond))
	assert.NoError(t, err)
	_, err = r.Authenticate(t.Context(), secret, now.Add(time.Hour))
	assert.ErrorIs(t, err, apikey.ErrInvalid)
}

func TestKeyring_revokedKeyWithinASecond(t *testing.T) {
	backend := store.NewMemory()
	here, there := newRing(t, backend), newRing(t, backend)
	secret, key := issue(t, here, "ci", time.Time{})
	now := time.Now()
	_, err := there.Authenticate(t.Context(), secret, now)
	require.NoError(t, err)

	require.NoError(t, here.Revoke(t.Context(), key.ID, now))
	require.NoError(t, here.Revoke(t.Context(), key.ID, now.Add(time.Hour)), "again")
	_, err = here.Authenticate(t.Context(), secret, now)
	assert.ErrorIs(t, err, apikey.ErrInvalid, "at once where it was revoked")
	_, err = there.Authenticate(t.Context(), secret, now.Add(time.Second))
	assert.ErrorIs(t, err, apikey.ErrInvalid, "after a second elsewhere")

	keys, err := here.List(t.Context())
	require.NoError(t, err)
	require.Len(t, keys, 1)
	assert.WithinDuration(t, now, keys[0].Revoked, time.Second, "revoking again does not move the time")
}

func TestKeyring_deletesWhatWasRevokedLongAgo(t *testing.T) {
	backend := store.NewMemory()
	r := newRing(t, backend)
	now := time.Now()
	issue(t, r, "live", time.Time{})
	issue(t, r, "expired", now.Add(time.Minute))
	for name, at := range map[string]time.Time{"lately": now.Add(-apikey.RevokedRetention + time.Minute), "long ago": now.Add(-apikey.RevokedRetention)} {
		secret, key := issue(t, r, name, time.Time{})
		_, err := r.Authenticate(t.Context(), secret, now)
		require.NoError(t, err)
		require.NoError(t, r.Revoke(t.Context(), key.ID, at))
	}
	keys, err := r.List(t.Context())
	require.NoError(t, err)
	var names []string
	for _, k := range keys {
		names = append(names, k.Name)
	}
	assert.ElementsMatch(t, []string{"live", "expired", "lately"}, names)
	used, err := backend.List(t.Context(), "keyused/", "", 10)
	require.NoError(t, err)
	assert.Len(t, used, 1, "of the key that was revoked lately")
}

func TestKeyring_revokeRefuses(t *testing.T) {
	r := newRing(t, store.NewMemory())
	issue(t, r, "ci", time.Time{})
	for _, id := range []string{"", "0", "000000000000", "ABCDEFABCDEF", "../../../..", strings.Repeat("a", 64)} {
		assert.ErrorIs(t, r.Revoke(t.Context(), id, time.Now()), apikey.ErrNotFound, id)
	}
}

func TestKeyring_staticKeys(t *testing.T) {
	backend := store.NewMemory()
	r := newRing(t, backend, "only-letters-and-dashes")
	key, err := r.Authenticate(t.Context(), "only-letters-and-dashes", time.Now())
	require.NoError(t, err)
	assert.True(t, key.Static)
	entries, err := backend.List(t.Context(), "", "", 1)
	require.NoError(t, err)
	assert.Empty(t, entries, "it is in no store")
	empty, err := r.Empty(t.Context(), time.Now())
	require.NoError(t, err)
	assert.False(t, empty)

	var static, names []string
	for i := range 12 {
		static = append(static, fmt.Sprintf("a-static-key-numbered-%d", i+1))
		names = append(names, fmt.Sprintf("static key %d", i+1))
	}
	keys, err := newRing(t, backend, append(static, static[0])...).List(t.Context())
	require.NoError(t, err)
	var listed []string
	for _, k := range keys {
		listed = append(listed, k.Name)
	}
	assert.Equal(t, names, listed, "in the order of the configuration, each once")

	for _, bad := range []string{"", "nineteen-characters", "twenty characters here", "zwanzig-Zeichen-süß--"} {
		_, err := apikey.New(backend, bad)
		assert.ErrorContains(t, err, "static key 1")
	}
}

func TestKeyring_empty(t *testing.T) {
	r := newRing(t, store.NewMemory())
	empty := func() bool {
		b, err := r.Empty(t.Context(), time.Now())
		require.NoError(t, err)
		return b
	}
	assert.True(t, empty())
	_, key := issue(t, r, "ci", time.Time{})
	assert.False(t, empty())
	require.NoError(t, r.Revoke(t.Context(), key.ID, time.Now()))
	assert.True(t, empty())
}

func TestKeyring_issueRefuses(t *testing.T) {
	r := newRing(t, store.NewMemory())
	now := time.Now()
	for name, expires := range map[string]time.Time{
		"":                       {},
		strings.Repeat("é", 101): {},
		"\xff":                   {},
		"late":                   now,
	} {
		_, _, err := r.Issue(t.Context(), name, now, apikey.Options{Expires: expires})
		assert.Error(t, err, name)
	}
	_, _, err := r.Issue(t.Context(), strings.Repeat("é", 100), now, apikey.Options{Expires: now.Add(time.Minute)})
	assert.NoError(t, err)
}

func TestKeyring_issueNamesAllThatIsAtFault(t *testing.T) {
	r := newRing(t, store.NewMemory())
	now := time.Now()
	_, _, err := r.Issue(t.Context(), "", now, apikey.Options{
		Owner: "carol", Expires: now, Scopes: []apikey.Scope{"tools", "all"}, PerMinute: 10_001, MaxExpiry: -1,
	})
	require.EqualError(t, err, `apikey: name has 0 characters, must have 1 to 100 of valid UTF-8
apikey: Options.Owner is "carol", must be what UserOwner returns
apikey: Options.Expires must lie in the future
apikey: Options.Scopes is ["tools" "all"], must be among ["share" "read" "tools"]
apikey: Options.PerMinute is 10001, must be 0 to 10000
apikey: Options.MaxExpiry is -1ns, must not be negative`)
}

// A key's permissions are in the store, where another process reads them.
func TestKeyring_keepsOptions(t *testing.T) {
	backend := store.NewMemory()
	o := apikey.Options{Owner: "user:carol", Scopes: []apikey.Scope{apikey.ScopeTools, apikey.ScopeShare}, PerMinute: 7, MaxExpiry: time.Hour}
	secret, _, err := newRing(t, backend).Issue(t.Context(), "ci", time.Now(), o)
	require.NoError(t, err)
	k, err := newRing(t, backend).Authenticate(t.Context(), secret, time.Now())
	require.NoError(t, err)
	assert.Equal(t, apikey.Key{Owner: "user:carol", Scopes: []apikey.Scope{"share", "tools"}, PerMinute: 7, MaxExpiry: time.Hour},
		apikey.Key{Owner: k.Owner, Scopes: k.Scopes, PerMinute: k.PerMinute, MaxExpiry: k.MaxExpiry})
	assert.Equal(t, "user:carol", k.ShareOwner())
	assert.Equal(t, []bool{true, false, true, true, false}, []bool{k.May(apikey.ScopeShare), k.May(apikey.ScopeRead), k.May(apikey.ScopeTools), k.May(""), k.May(apikey.ScopeAll)})
}

// A record from a release without owners and scopes can still be opened, and
// the key still owns what was shared with it.
func TestKeyring_opensOldRecords(t *testing.T) {
	backend := store.NewMemory()
	const secret = "dk_0000000000000000000000000000003IiGsr"
	sum := sha256.Sum256([]byte(secret))
	id := hex.EncodeToString(sum[:6])
	record := `{"id":"` + id + `","name":"ci","prefix":"dk_0000","lastFour":"0000","created":"2026-11-20T10:00:00Z"}`
	require.NoError(t, backend.Create(t.Context(), "key/"+hex.EncodeToString(sum[:]), []byte(record), time.Time{}))
	k, err := newRing(t, backend).Authenticate(t.Context(), secret, time.Now())
	require.NoError(t, err)
	assert.True(t, k.May(apikey.ScopeAll))
	assert.Equal(t, id, k.ShareOwner())
}

func TestUserOwner(t *testing.T) {
	for name, owner := range map[string]string{
		"carol": "user:carol", "c@example.com": "user:c@example.com", "acme/carol": "user:acme%2Fcarol", "Zoë K": "user:Zo%C3%AB%20K",
		strings.Repeat("x", 195): "user:" + strings.Repeat("x", 195), "user:carol": "user:user:carol",
	} {
		got, err := apikey.UserOwner(name)
		assert.NoError(t, err, name)
		assert.Equal(t, owner, got)
		back, ok := apikey.UserOf(owner)
		assert.True(t, ok && back == name, owner)
	}
	for _, name := range []string{"", " ", " carol", "carol\t", "a\x00b", "a\u0085b", "\xff", strings.Repeat("x", 196), strings.Repeat("ë", 40)} {
		_, err := apikey.UserOwner(name)
		assert.Error(t, err, "%q", name)
	}
	for _, owner := range []string{"carol", "user:", "user:Zoë", "user:a b", "user:%63arol", "user:%zz", "0123456789ab"} {
		_, ok := apikey.UserOf(owner)
		assert.False(t, ok, owner)
	}
}

func TestKeyring_lastUseOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRing(t, store.NewMemory())
		secret, _ := issue(t, r, "ci", time.Time{})
		use := func(after time.Duration) time.Time {
			<-time.After(after)
			_, err := r.Authenticate(t.Context(), secret, time.Now())
			require.NoError(t, err)
			keys, err := r.List(t.Context())
			require.NoError(t, err)
			return keys[0].LastUsed
		}
		first := use(0)
		assert.Equal(t, time.Now().UTC(), first)
		assert.Equal(t, first, use(59*time.Second))
		assert.Equal(t, first.Add(60*time.Second), use(time.Second))
	})
}

// unwritable is a store that may be full.
type unwritable struct {
	store.Backend
	full bool
}

func (u *unwritable) Put(ctx context.Context, key string, value []byte, expires time.Time) error {
	if u.full {
		return store.ErrUnavailable
	}
	return u.Backend.Put(ctx, key, value, expires)
}

// A key works while its use cannot be stored, which is tried again a minute later.
func TestKeyring_lastUseDuringAnOutage(t *testing.T) {
	backend := &unwritable{Backend: store.NewMemory()}
	r := newRing(t, backend)
	secret, _ := issue(t, r, "ci", time.Time{})
	now := time.Now()
	for _, backend.full = range []bool{true, false} {
		_, err := r.Authenticate(t.Context(), secret, now)
		require.NoError(t, err)
		now = now.Add(time.Minute)
	}
	keys, err := r.List(t.Context())
	require.NoError(t, err)
	assert.WithinDuration(t, now.Add(-time.Minute), keys[0].LastUsed, time.Second)
}

// While the store is unavailable, cached keys remain valid, and any other key
// is an error that says so.
func TestKeyring_storeIsAway(t *testing.T) {
	backend := store.NewMemory()
	r := newRing(t, backend)
	known, _ := issue(t, r, "known", time.Time{})
	other, _ := issue(t, r, "other", time.Time{})
	now := time.Now()
	_, err := r.Authenticate(t.Context(), known, now)
	require.NoError(t, err)
	require.NoError(t, backend.Close())
	_, err = r.Authenticate(t.Context(), known, now.Add(time.Hour))
	assert.NoError(t, err)
	_, err = r.Authenticate(t.Context(), other, now)
	assert.ErrorIs(t, err, store.ErrUnavailable)
}

func ExampleKeyring() {
	ctx := context.Background()
	ring, err := apikey.New(store.NewMemory())
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	secret, key, err := ring.Issue(ctx, "build server", now, apikey.Options{Expires: now.AddDate(0, 3, 0)})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = ring.Authenticate(ctx, secret, now)
	fmt.Println(key.Name, err)
	_, err = ring.Authenticate(ctx, secret, now.AddDate(0, 3, 0))
	fmt.Println(key.Name, err)
	// Output:
	// build server <nil>
	// build server apikey: invalid key
}
