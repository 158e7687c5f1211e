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
	"math/big"
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
	MinStaticLength = 20  // bytes of a key from the configuration
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
func newSecret() (string, error) {
	base := big.NewInt(int64(len(alphabet)))
	b := make([]byte, 0, secretLength)
	b = append(b, scheme...)
	for range randomLength {
		n, err := rand.Int(rand.Reader, base)
		if err != nil {
			return "", err
		}
		b = append(b, alphabet[n.Int64()])
	}
	return string(appendChecksum(b)), nil
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
	if len(secret) != secretLength || !strings.HasPrefix(secret, scheme) {
		return false
	}
	return secret == string(appendChecksum([]byte(secret[:secretLength-checksumLength])))
}

// digest is the SHA-256 of a key. The store holds it in hexadecimal.
type digest [sha256.Size]byte

func digestOf(secret string) digest { return sha256.Sum256([]byte(secret)) }

func (d digest) String() string { return hex.EncodeToString(d[:]) }

func describe(secret string, sum digest) Key {
	return Key{ID: sum.String()[:idLength], Prefix: secret[:len(scheme)+4], LastFour: secret[len(secret)-4:]}
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
	if secret, err = newSecret(); err != nil {
		return "", Key{}, err
	}
	sum := digestOf(secret)
	k = describe(secret, sum)
	k.Name, k.Owner, k.Scopes, k.PerMinute, k.MaxExpiry = name, o.Owner, o.scopes(), o.PerMinute, o.MaxExpiry
	k.Created, k.Expires = now.UTC().Truncate(time.Millisecond), o.Expires.UTC().Truncate(time.Millisecond)
	record, err := json.Marshal(k)
	if err != nil {
		return "", Key{}, err
	}
	if err := r.backend.Create(ctx, recordPrefix+sum.String(), record, time.Time{}); err != nil {
		return "", Key{}, err
	}
	return secret, k, nil
}

// Revoke revokes the key with this id. Revoking it again has no effect. The
// error is [ErrNotFound] if the store has no such key.
func (r *Keyring) Revoke(ctx context.Context, id string, now time.Time) error {
	if !validID(id) {
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
	if err != nil {
		return err
	}
	if k.Revoked.IsZero() {
		k.Revoked = now.UTC().Truncate(time.Millisecond)
		record, err := json.Marshal(k)
		if err != nil {
			return err
		}
		if err := r.backend.Put(ctx, entries[0].Key, record, time.Time{}); err != nil {
			return err
		}
	}
	var sum digest
	_, err = hex.Decode(sum[:], []byte(strings.TrimPrefix(entries[0].Key, recordPrefix)))
	r.forget(sum)
	return err
}

// validID reports whether id has the form of a key's id.
func validID(id string) bool {
	return len(id) == idLength && strings.Trim(id, "0123456789abcdef") == ""
}

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
