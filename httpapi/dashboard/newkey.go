package dashboard

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/devkiln/devkiln/store"
)

// A new key is shown after a redirect, so that reloading does not make another
// one. Any process may serve that request, so the key is stored meanwhile. It
// is encrypted with a token that only its maker's cookie has, and bound to the
// owner, so that another user of the same browser cannot see it.

// newKey is a key to be shown.
type newKey struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Secret string `json:"secret"`
}

const (
	newKeyPrefix = "sessionflash/" // + SHA-256 of the owner and the token
	newKeyLife   = 5 * time.Minute
)

func (s *site) newKeyCookie(r *http.Request, token string, life time.Duration) *http.Cookie {
	c := s.cookie(r, token, life)
	c.Name += "-key"
	return c
}

// storeNewKey stores a key for the next page to show.
func (s *site) storeNewKey(r *http.Request, current session, k newKey) (*http.Cookie, error) {
	plain, err := json.Marshal(k)
	if err != nil {
		return nil, err
	}
	token := rand.Text()
	box, err := cipherOf(token)
	if err != nil {
		return nil, err
	}
	key := newKeyPrefix + fingerprint(current.owner+"/"+token)
	return s.newKeyCookie(r, token, newKeyLife), s.Backend.Put(r.Context(), key, box.Seal(nil, nil, plain, nil), s.Now().Add(newKeyLife))
}

// takeNewKey returns the stored key and deletes it; the zero newKey means that
// there is none.
func (s *site) takeNewKey(r *http.Request, current session) (newKey, error) {
	cookie, err := r.Cookie(s.newKeyCookie(r, "", 0).Name)
	if errors.Is(err, http.ErrNoCookie) {
		return newKey{}, nil
	}
	key := newKeyPrefix + fingerprint(current.owner+"/"+cookie.Value)
	sealed, err := s.Backend.Get(r.Context(), key)
	if errors.Is(err, store.ErrNotFound) {
		return newKey{}, nil
	}
	if err != nil {
		return newKey{}, err
	}
	if err := s.Backend.Delete(r.Context(), key); err != nil {
		return newKey{}, err
	}
	box, err := cipherOf(cookie.Value)
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

// cipherOf returns an AEAD that generates its nonces.
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
