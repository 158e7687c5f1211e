package dashboard

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"time"

	"github.com/devkiln/devkiln/store"
)

// A new key is shown by the page after the one that made it, so that loading
// again makes no second one. On the way it is in the store, as any process may
// be asked for that page, and it is encrypted under the token of the session,
// which the store does not have.

// newKey is a key that waits to be shown.
type newKey struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Secret string `json:"secret"`
}

const (
	newKeyPrefix = "sessionflash/" // + SHA-256 of the session's token
	newKeyLife   = 5 * time.Minute
)

func (s *site) keepNewKey(ctx context.Context, current session, k newKey) error {
	plain, err := json.Marshal(k)
	if err != nil {
		return err
	}
	box, err := cipherOf(current.token)
	if err != nil {
		return err
	}
	return s.Backend.Put(ctx, newKeyPrefix+fingerprint(current.token), box.Seal(nil, nil, plain, nil), s.Now().Add(newKeyLife))
}

// takeNewKey returns what waits, and none if nothing does. It can be
// taken once.
func (s *site) takeNewKey(ctx context.Context, current session) (newKey, error) {
	key := newKeyPrefix + fingerprint(current.token)
	sealed, err := s.Backend.Get(ctx, key)
	if errors.Is(err, store.ErrNotFound) {
		return newKey{}, nil
	}
	if err != nil {
		return newKey{}, err
	}
	if err := s.Backend.Delete(ctx, key); err != nil {
		return newKey{}, err
	}
	box, err := cipherOf(current.token)
	if err != nil {
		return newKey{}, err
	}
	plain, err := box.Open(nil, nil, sealed, nil)
	if err != nil {
		return newKey{}, err
	}
	var k newKey
	return k, json.Unmarshal(plain, &k)
}

// cipherOf returns an AEAD that draws its nonces itself.
func cipherOf(token string) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, []byte(token), nil, "devkiln dashboard flash", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
