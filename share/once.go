package share

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/store"
)

// A share requested with an idempotency key is created once. A receipt,
//
//	once/<SHA-256 of the owner and the key>
//
// is created with it in one commit: no crash leaves one without the other, and
// of several processes asked at the same time one creates both and the others
// find them. The receipt holds a digest of the request and those results that a
// second request could not compute.

const (
	oncePrefix = "once/"
	// maxIdempotencyKey is the maximum length of an idempotency key in
	// characters.
	maxIdempotencyKey = 255
	// replayTime is how long an idempotency key is remembered.
	replayTime = 24 * time.Hour
)

// Errors of a creation with an idempotency key.
var (
	// ErrKeyReused is returned if the owner has used the idempotency key for a
	// different share within 24 hours.
	ErrKeyReused = errors.New("share: the idempotency key was used for another share")
	// ErrInFlight is returned while another call on this service makes the
	// share. Between processes no call is refused: one makes the share, the
	// others return it.
	ErrInFlight = errors.New("share: the share with this idempotency key is being created")
)

// A receipt records a creation. Its JSON names are on disk.
type receipt struct {
	key string // store key; "" if the creation has no idempotency key

	Asked    string    `json:"asked"` // digest of the request
	ID       string    `json:"id"`
	Language string    `json:"language,omitempty"`
	Created  time.Time `json:"created"`
	Expires  time.Time `json:"expires,omitzero"`
}

// newReceipt returns the receipt of a creation that has not happened yet.
func newReceipt(i Info, key string, asked ...string) receipt {
	if key == "" {
		return receipt{}
	}
	r := receipt{key: oncePrefix + digest(i.Owner, key), Asked: digest(asked...)}
	if i.Burn || i.Encrypted {
		r.Asked = digest(r.Asked, fmt.Sprint(i.Burn, i.Encrypted))
	}
	return r
}

// digest returns the SHA-256 of texts and of their lengths, in hex.
func digest(texts ...string) string {
	h := sha256.New()
	for _, text := range texts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(text), text) // a hash.Hash never returns an error
	}
	return hex.EncodeToString(h.Sum(nil))
}

// entry returns the store entry of the receipt for a share about to be created.
func (r receipt) entry(id string, h header) (store.Entry, error) {
	r.ID, r.Language, r.Created, r.Expires = id, h.Language, h.Created, h.Expires
	value, err := json.Marshal(r)
	return store.Entry{Key: r.key, Value: value, Expires: h.Created.Add(replayTime)}, err
}

// replay restores in e the times and language of the earlier creation and
// returns its id. The error wraps [store.ErrNotFound] if there was none. The
// receipt may be of a creation whose commit was not confirmed in time, perhaps
// by a standby, and is not durable yet. replay writes it again, because that
// commit makes all earlier ones durable.
func (s *Service) replay(ctx context.Context, e *envelope, asked receipt) (id string, err error) {
	value, err := s.backend.Get(ctx, asked.key)
	if err != nil {
		return "", err
	}
	var made receipt
	if err := json.Unmarshal(value, &made); err != nil {
		return "", fmt.Errorf("share: %s: %w", asked.key, err)
	}
	if made.Asked != asked.Asked {
		return "", ErrKeyReused
	}
	if err := s.backend.Put(ctx, asked.key, value, made.Created.Add(replayTime)); err != nil {
		return "", err
	}
	e.header.Language, e.header.Created, e.header.Expires = made.Language, made.Created, made.Expires
	e.header.Replayed = true
	return made.ID, nil
}

// checkIdempotencyKey returns an error for an invalid key.
func checkIdempotencyKey(key string) error {
	if len(key) <= maxIdempotencyKey && !strings.ContainsFunc(key, func(c rune) bool { return c < ' ' || c > '~' }) {
		return nil
	}
	return &invalid.Fault{Field: "Idempotency-Key", Reason: "invalid_format", Message: fmt.Sprintf("must be at most %d printable characters of ASCII", maxIdempotencyKey)}
}
