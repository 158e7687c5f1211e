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
	static  map[digest]Key
	listed  []Key // the static keys, in their order

	mu    sync.Mutex
	known map[digest]remembered
	used  map[string]time.Time // by id; the last use
	saved map[string]time.Time // by id; the use in the store
}

type remembered struct {
	key Key
	at  time.Time
}

// New returns a Keyring on a backend. The static keys are valid as long as the
// Keyring exists; they must be at least [MinStaticLength] bytes of printable
// ASCII, and only their SHA-256 is kept in memory.
func New(backend store.Backend, static ...string) (*Keyring, error) {
	r := &Keyring{
		backend: backend,
		static:  make(map[digest]Key, len(static)),
		known:   make(map[digest]remembered),
		used:    make(map[string]time.Time),
		saved:   make(map[string]time.Time),
	}
	for i, secret := range static {
		if len(secret) < MinStaticLength {
			return nil, fmt.Errorf("apikey: static key %d has %d characters, must have at least %d", i+1, len(secret), MinStaticLength)
		}
		if strings.ContainsFunc(secret, func(c rune) bool { return c <= ' ' || c > '~' }) {
			return nil, fmt.Errorf("apikey: static key %d must be printable ASCII without spaces", i+1)
		}
		sum := digestOf(secret)
		if _, twice := r.static[sum]; twice {
			continue
		}
		k := describe(secret, sum)
		k.Name, k.Static = "static key "+strconv.Itoa(i+1), true
		r.static[sum] = k
		r.listed = append(r.listed, k)
	}
	return r, nil
}

// Authenticate returns the key with this secret. The error is [ErrInvalid] if
// the key is not valid, and otherwise the store's. While the store is
// unavailable, keys that were valid when it could last be read remain valid.
func (r *Keyring) Authenticate(ctx context.Context, secret string, now time.Time) (Key, error) {
	sum := digestOf(secret)
	if k, ok := r.static[sum]; ok {
		return k, nil
	}
	if !wellFormed(secret) {
		return Key{}, ErrInvalid
	}
	k, err := r.lookup(ctx, sum, now)
	if err != nil {
		return Key{}, err
	}
	if !k.Live(now) {
		return Key{}, ErrInvalid
	}
	r.mu.Lock()
	r.used[k.ID] = now
	r.mu.Unlock()
	return k, nil
}

// lookup returns the record of a key, from the cache if it is fresh, else from
// the store.
func (r *Keyring) lookup(ctx context.Context, sum digest, now time.Time) (Key, error) {
	r.mu.Lock()
	old, known := r.known[sum]
	r.mu.Unlock()
	if known && now.Sub(old.at) < remember {
		return old.key, nil
	}
	record, err := r.backend.Get(ctx, recordPrefix+sum.String())
	switch {
	case errors.Is(err, store.ErrNotFound):
		r.forget(sum)
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
	r.known[sum] = remembered{k, now}
	return k, nil
}

func (r *Keyring) forget(sum digest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.known, sum)
}

// Flush stores when keys were last used, with one write for each key that was
// used a minute or more after the stored time. The owner of the Keyring should
// call it regularly, and once before the store is closed.
func (r *Keyring) Flush(ctx context.Context) error {
	r.mu.Lock()
	due := make(map[string]time.Time)
	for id, at := range r.used {
		if at.Sub(r.saved[id]) >= usedStep {
			due[id] = at
		}
	}
	r.mu.Unlock()
	for id, at := range due {
		value := strconv.FormatInt(at.Unix(), 10)
		if err := r.backend.Put(ctx, usedPrefix+id, []byte(value), time.Time{}); err != nil {
			return err
		}
		r.mu.Lock()
		r.saved[id] = at
		r.mu.Unlock()
	}
	return nil
}

// RevokedRetention is how long the record of a revoked key is kept.
const RevokedRetention = 90 * 24 * time.Hour

// DeleteRevoked deletes the records of keys that were revoked [RevokedRetention] ago
// or earlier. The owner of the Keyring should call it regularly.
func (r *Keyring) DeleteRevoked(ctx context.Context, now time.Time) error {
	for e, err := range store.All(ctx, r.backend, recordPrefix) {
		if err != nil {
			return err
		}
		k, err := decode(e.Value)
		if err != nil {
			return err
		}
		if k.Revoked.IsZero() || now.Sub(k.Revoked) < RevokedRetention {
			continue
		}
		if err := r.backend.DeleteAll(ctx, e.Key, usedPrefix+k.ID); err != nil {
			return err
		}
	}
	return nil
}

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
