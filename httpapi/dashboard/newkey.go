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

// flash is a key that waits to be shown.
type flash struct {
	Name   string `json:"name"`
	Secret string `json:"secret"`
}

const (
	flashPrefix = "sessionflash/" // + SHA-256 of the session's token
	flashLife   = 5 * time.Minute
)

func (s *site) leaveFlash(ctx context.Context, current session, f flash) error {
	plain, err := json.Marshal(f)
	if err != nil {
		return err
	}
	box, err := boxOf(current.token)
	if err != nil {
		return err
	}
	return s.Backend.Put(ctx, flashPrefix+fingerprint(current.token), box.Seal(nil, nil, plain, nil), s.Now().Add(flashLife))
}

// takeFlash returns what waits, and an empty flash if nothing does. It can be
// taken once.
func (s *site) takeFlash(ctx context.Context, current session) (flash, error) {
	key := flashPrefix + fingerprint(current.token)
	sealed, err := s.Backend.Get(ctx, key)
	if errors.Is(err, store.ErrNotFound) {
		return flash{}, nil
	}
	if err != nil {
		return flash{}, err
	}
	if err := s.Backend.Delete(ctx, key); err != nil {
		return flash{}, err
	}
	box, err := boxOf(current.token)
	if err != nil {
		return flash{}, err
	}
	plain, err := box.Open(nil, nil, sealed, nil)
	if err != nil {
		return flash{}, err
	}
	var f flash
	return f, json.Unmarshal(plain, &f)
}

// boxOf returns an AEAD that draws its nonces itself.
func boxOf(token string) (cipher.AEAD, error) {
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
