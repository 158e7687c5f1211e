package apikey

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/devkiln/devkiln/store"
)

const (
	// remember is how long a Keyring relies on a cached record. With the
	// store's delay for changes by other processes, it makes a second.
	remember = 900 * time.Millisecond
	// maxRemembered is the maximum number of cached records. Only keys that
	// exist are cached, so that guessing does not fill the cache.
	maxRemembered = 10_000
	// usedPrefix precedes the id in the store key of a key's last use, which is
	// in seconds since 1970.
	usedPrefix = "keyused/"
	// usedStep is the resolution of the last use.
	usedStep = time.Minute
)

// Keyring authenticates keys by a store and a list of static keys. It is safe
// for concurrent use.
type Keyring struct {
	backend store.Backend
	static  map[string]Key
	listed  []Key // the static keys, in their order

	mu    sync.Mutex
	known map[string]remembered
	used  map[string]time.Time // by id; the last use in the store
}

type remembered struct {
	key Key
	at  time.Time
}

// New returns a Keyring on a backend. The static keys are valid as long as the
// Keyring exists; they must be at least 20 bytes of printable
// ASCII, and only their SHA-256 is kept in memory.
func New(backend store.Backend, static ...string) (*Keyring, error) {
	r := &Keyring{
		backend: backend,
		static:  make(map[string]Key, len(static)),
		known:   make(map[string]remembered),
		used:    make(map[string]time.Time),
	}
	for i, secret := range static {
		if len(secret) < minStaticLength {
			return nil, fmt.Errorf("apikey: static key %d has %d characters, must have at least %d", i+1, len(secret), minStaticLength)
		}
		if strings.ContainsFunc(secret, func(c rune) bool { return c <= ' ' || c > '~' }) {
			return nil, fmt.Errorf("apikey: static key %d must be printable ASCII without spaces", i+1)
		}
		digest := digestOf(secret)
		if _, twice := r.static[digest]; twice {
			continue
		}
		k := describe(secret, digest)
		k.Name, k.Static = "static key "+strconv.Itoa(i+1), true
		r.static[digest] = k
		r.listed = append(r.listed, k)
	}
	return r, nil
}

// Authenticate returns the key with this secret. The error is [ErrInvalid] if
// the key is not valid, and otherwise the store's. While the store is
// unavailable, keys that were valid when it could last be read remain valid.
func (r *Keyring) Authenticate(ctx context.Context, secret string, now time.Time) (Key, error) {
	digest := digestOf(secret)
	if k, ok := r.static[digest]; ok {
		return k, nil
	}
	if !wellFormed(secret) {
		return Key{}, ErrInvalid
	}
	k, err := r.lookup(ctx, digest, now)
	if err != nil {
		return Key{}, err
	}
	if !k.Live(now) {
		return Key{}, ErrInvalid
	}
	r.recordUse(ctx, k.ID, now)
	return k, nil
}

// recordUse stores when a key was used, unless a use of the last minute is
// stored. The use of a key does not fail if that fails.
func (r *Keyring) recordUse(ctx context.Context, id string, now time.Time) {
	r.mu.Lock()
	due := now.Sub(r.used[id]) >= usedStep
	if due {
		r.used[id] = now
	}
	r.mu.Unlock()
	if due {
		_ = r.backend.Put(ctx, usedPrefix+id, strconv.AppendInt(nil, now.Unix(), 10), time.Time{})
	}
}

// lookup returns the record of a key, from the cache if it is fresh, else from
// the store.
func (r *Keyring) lookup(ctx context.Context, digest string, now time.Time) (Key, error) {
	r.mu.Lock()
	old, known := r.known[digest]
	r.mu.Unlock()
	if known && now.Sub(old.at) < remember {
		return old.key, nil
	}
	record, err := r.backend.Get(ctx, recordPrefix+digest)
	switch {
	case errors.Is(err, store.ErrNotFound):
		r.forget(digest)
		return Key{}, ErrInvalid
	case known && errors.Is(err, store.ErrUnavailable):
		return old.key, nil
	case err != nil:
		return Key{}, err
	}
	k, err := decode(record)
	if err != nil {
		return Key{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.known) >= maxRemembered {
		clear(r.known)
	}
	r.known[digest] = remembered{k, now}
	return k, nil
}

func (r *Keyring) forget(digest string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.known, digest)
}

// revokedRetention is how long the record of a revoked key is kept.
const revokedRetention = 90 * 24 * time.Hour

// records returns the keys in the store, oldest first.
func (r *Keyring) records(ctx context.Context) ([]Key, error) {
	var keys []Key
	for e, err := range store.All(ctx, r.backend, recordPrefix) {
		if err != nil {
			return nil, err
		}
		k, err := decode(e.Value)
		if err != nil {
			return nil, err
		}
		keys = append(keys, k)
	}
	slices.SortStableFunc(keys, func(a, b Key) int { return a.Created.Compare(b.Created) })
	return keys, nil
}

// lastUsed returns the last uses by id.
func (r *Keyring) lastUsed(ctx context.Context) (map[string]time.Time, error) {
	used := make(map[string]time.Time)
	for e, err := range store.All(ctx, r.backend, usedPrefix) {
		if err != nil {
			return nil, err
		}
		seconds, err := strconv.ParseInt(string(e.Value), 10, 64)
		if err != nil {
			return nil, err
		}
		used[strings.TrimPrefix(e.Key, usedPrefix)] = time.Unix(seconds, 0).UTC()
	}
	return used, nil
}
