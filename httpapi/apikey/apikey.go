// Package apikey issues, authenticates and revokes the keys that callers of the
// HTTP API send in X-API-Key. Start with [New].
//
// A key made by this package is dk_ followed by 30 random base62 characters
// (178 bits) and 6 base62 characters of a CRC-32 of everything before them, so
// that a mistyped key is rejected without reading the store, and secret
// scanners can recognize a real one. The store holds the SHA-256 of a key and
// never the key itself: a copy of the store does not give access.
//
// A [Keyring] caches what it reads for up to a second. A key that is revoked,
// by this process or by another on the same store, is therefore rejected
// everywhere within a second; a new key works immediately.
package apikey

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"regexp"
	"slices"
	"strings"
	"time"
)

// ErrInvalid is returned for a key that is malformed, unknown, revoked or
// expired. Callers are not told which.
var ErrInvalid = errors.New("apikey: invalid key")

// ErrNotFound is returned by Revoke if no key has the id.
var ErrNotFound = errors.New("apikey: no key with this id")

// Limits of a key.
const (
	MaxName         = 100 // code points of a name
	minStaticLength = 20  // bytes of a key from the configuration
)

// Key describes a key, without its secret.
type Key struct {
	ID       string    `json:"id"` // 12 hexadecimal digits, the start of the key's SHA-256
	Name     string    `json:"name"`
	Prefix   string    `json:"prefix"` // the first characters, such as dk_a1B2
	LastFour string    `json:"lastFour"`
	Created  time.Time `json:"created"`
	Expires  time.Time `json:"expires,omitzero"` // zero means never
	Revoked  time.Time `json:"revoked,omitzero"` // zero means not revoked
	LastUsed time.Time `json:"-"`                // zero means never; to the minute
	Static   bool      `json:"-"`                // from the configuration, not in the store

	Owner     string        `json:"owner,omitempty"` // for this and the following fields see Options
	Scopes    []Scope       `json:"scopes,omitempty"`
	PerMinute int           `json:"perMinute,omitempty"`
	MaxExpiry time.Duration `json:"maxExpiry,omitempty"`
}

// Live reports whether the key is valid at now, that is neither revoked nor
// expired.
func (k Key) Live(now time.Time) bool {
	return k.Revoked.IsZero() && (k.Expires.IsZero() || now.Before(k.Expires))
}

const (
	scheme         = "dk_"
	alphabet       = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	randomLength   = 30
	checksumLength = 6 // 62^6 > 2^32
	secretLength   = len(scheme) + randomLength + checksumLength
	idLength       = 12
)

// newSecret generates a key.
func newSecret() string {
	secret := []byte(scheme)
	for len(secret) < len(scheme)+randomLength {
		var random [1]byte
		_, _ = rand.Read(random[:]) // never fails
		if i := int(random[0] % 64); i < len(alphabet) {
			secret = append(secret, alphabet[i])
		}
	}
	return string(appendChecksum(secret))
}

// appendChecksum appends the CRC-32 (IEEE) of b in base62, most significant
// digit first.
func appendChecksum(b []byte) []byte {
	var digits [checksumLength]byte
	sum := crc32.ChecksumIEEE(b)
	for i := range digits {
		digits[checksumLength-1-i] = alphabet[sum%62]
		sum /= 62
	}
	return append(b, digits[:]...)
}

// wellFormed reports whether secret has the form of a key made by
// [Keyring.Issue], including the checksum.
func wellFormed(secret string) bool {
	return len(secret) == secretLength && strings.HasPrefix(secret, scheme) &&
		secret == string(appendChecksum([]byte(secret[:secretLength-checksumLength])))
}

// digestOf returns the SHA-256 of a key in hexadecimal, as in the store.
func digestOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func describe(secret, digest string) Key {
	return Key{ID: digest[:idLength], Prefix: secret[:len(scheme)+4], LastFour: secret[len(secret)-4:]}
}

// recordPrefix precedes the SHA-256 in the store key of a key's record.
const recordPrefix = "key/"

// Issue creates a key and returns its secret, which cannot be read again, and
// its description. The name must have 1 to [MaxName] code points. An error that
// is not the store's joins one for each invalid argument.
func (r *Keyring) Issue(ctx context.Context, name string, now time.Time, o Options) (secret string, k Key, err error) {
	if err := o.validate(name, now); err != nil {
		return "", Key{}, err
	}
	secret = newSecret()
	digest := digestOf(secret)
	k = describe(secret, digest)
	k.Name, k.Owner, k.Scopes, k.PerMinute, k.MaxExpiry = name, o.Owner, o.scopes(), o.PerMinute, o.MaxExpiry
	k.Created, k.Expires = now.UTC().Truncate(time.Millisecond), o.Expires.UTC().Truncate(time.Millisecond)
	record, err := json.Marshal(k)
	if err == nil {
		err = r.backend.Create(ctx, recordPrefix+digest, record, time.Time{})
	}
	if err != nil {
		return "", Key{}, err
	}
	return secret, k, nil
}

// Revoke revokes the key with this id. The store keeps its record for 90 days.
// Revoking it again has no effect. The error is [ErrNotFound] if the store has
// no such key.
func (r *Keyring) Revoke(ctx context.Context, id string, now time.Time) error {
	if !validID.MatchString(id) {
		return ErrNotFound
	}
	entries, err := r.backend.List(ctx, recordPrefix+id, "", 1)
	if err != nil {
		return err
	}
	if len(entries) == 0 {
		return ErrNotFound
	}
	k, err := decode(entries[0].Value)
	if err != nil || !k.Revoked.IsZero() {
		return err
	}
	k.Revoked = now.UTC().Truncate(time.Millisecond)
	record, err := json.Marshal(k)
	if err != nil {
		return err
	}
	expires := now.Add(revokedRetention)
	err = r.backend.Put(ctx, entries[0].Key, record, expires)
	if used, missing := r.backend.Get(ctx, usedPrefix+id); missing == nil && err == nil {
		err = r.backend.Put(ctx, usedPrefix+id, used, expires)
	}
	r.forget(strings.TrimPrefix(entries[0].Key, recordPrefix))
	return err
}

// validID is the form of a key's id.
var validID = regexp.MustCompile(`^[0-9a-f]{12}$`)

func decode(record []byte) (Key, error) {
	var k Key
	if err := json.Unmarshal(record, &k); err != nil {
		return Key{}, fmt.Errorf("apikey: record: %w", err)
	}
	return k, nil
}

// List returns all keys of the store, including revoked and expired ones,
// oldest first, followed by the static ones.
func (r *Keyring) List(ctx context.Context) ([]Key, error) {
	used, err := r.lastUsed(ctx)
	if err != nil {
		return nil, err
	}
	keys, err := r.records(ctx)
	if err != nil {
		return nil, err
	}
	for i := range keys {
		keys[i].LastUsed = used[keys[i].ID]
	}
	return append(keys, r.listed...), nil
}

// Empty reports whether there is no valid key at now, neither in the store nor
// in the configuration.
func (r *Keyring) Empty(ctx context.Context, now time.Time) (bool, error) {
	if len(r.static) > 0 {
		return false, nil
	}
	keys, err := r.records(ctx)
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(keys, func(k Key) bool { return k.Live(now) }), nil
}
