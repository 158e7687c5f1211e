package dashboard

import (
	"context"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/store"
)

// Limits of a password, in code points.
const (
	MinPassword = 12
	maxPassword = 256
)

// SetupLife is how long the link of [NewSetup] is valid.
const SetupLife = 30 * time.Minute

const (
	passwordKey = "admin/password"
	setupPrefix = "admin/setup/" // + SHA-256 of the token

	// rounds is the iteration count that OWASP recommends for PBKDF2 with
	// HMAC-SHA-256 (Password Storage Cheat Sheet, 2023).
	rounds     = 600_000
	saltLength = 16
	hashLength = 32
)

// A credential is the stored record of a password.
type credential struct {
	Salt   []byte    `json:"salt"`
	Hash   []byte    `json:"hash"` // PBKDF2-HMAC-SHA-256
	Rounds int       `json:"rounds"`
	Set    time.Time `json:"set"`
	// Generation differs for each password; it invalidates older sessions.
	Generation string `json:"generation"`
	// Provided means that the password comes from the configuration.
	Provided bool `json:"provided,omitempty"`
}

// CheckPassword returns nil for a password that is allowed, and otherwise an
// error that says what is wrong.
func CheckPassword(password string) error {
	if !utf8.ValidString(password) {
		return errors.New("the password must be valid UTF-8")
	}
	if n := utf8.RuneCountInString(password); n < MinPassword || n > maxPassword {
		return fmt.Errorf("the password has %d characters, must have %d to %d", n, MinPassword, maxPassword)
	}
	return nil
}

// SetPassword replaces the password of the dashboard and ends all sessions.
func SetPassword(ctx context.Context, backend store.Backend, password string, now time.Time) error {
	record, err := newCredential(password, rounds, now, false)
	if err != nil {
		return err
	}
	return backend.Put(ctx, passwordKey, record, time.Time{})
}

// Provide sets the password from the configuration when a server starts.
// Sessions continue if the store already has this password. The empty password
// means that the configuration has none: a password from an earlier
// configuration is removed, and one set by a person is kept.
func Provide(ctx context.Context, backend store.Backend, password string, now time.Time) error {
	c, found, err := readCredential(ctx, backend)
	if err != nil {
		return err
	}
	switch {
	case password == "" && found && c.Provided:
		return forget(ctx, backend, passwordKey)
	case password == "":
		return nil
	case found && c.Provided && c.matches(password):
		return nil
	}
	record, err := newCredential(password, rounds, now, true)
	if err != nil {
		return err
	}
	return backend.Put(ctx, passwordKey, record, time.Time{})
}

// NewSetup returns a token for /dashboard/setup?token=…, where the password can
// be chosen once within [SetupLife]. It returns "" if there is a password.
func NewSetup(ctx context.Context, backend store.Backend, now time.Time) (token string, err error) {
	_, found, err := readCredential(ctx, backend)
	if err != nil || found {
		return "", err
	}
	token = rand.Text()
	return token, backend.Create(ctx, setupPrefix+fingerprint(token), nil, now.Add(SetupLife))
}

// useSetup sets the password if the token is valid and none has been set.
func useSetup(ctx context.Context, backend store.Backend, token, password string, now time.Time) error {
	if err := checkSetup(ctx, backend, token); err != nil {
		return err
	}
	record, err := newCredential(password, rounds, now, false)
	if err != nil {
		return err
	}
	err = backend.Create(ctx, passwordKey, record, time.Time{})
	if errors.Is(err, store.ErrExists) {
		return errNoSetup
	}
	return err
}

// errNoSetup is shown to whoever opens an unknown setup link.
var errNoSetup = layout.Failure{
	Status: http.StatusNotFound, Title: "This setup link has expired",
	Text: "It works once, for 30 minutes. If the dashboard has no password yet, restart the server for a new link, or run devkiln admin set-password.",
}

// checkSetup returns errNoSetup unless the token can set the password.
func checkSetup(ctx context.Context, backend store.Backend, token string) error {
	_, err := backend.Get(ctx, setupPrefix+fingerprint(token))
	if errors.Is(err, store.ErrNotFound) {
		return errNoSetup
	}
	if err != nil {
		return err
	}
	_, found, err := readCredential(ctx, backend)
	if err == nil && found {
		return errNoSetup
	}
	return err
}

func newCredential(password string, n int, now time.Time, provided bool) ([]byte, error) {
	if err := CheckPassword(password); err != nil {
		return nil, err
	}
	c := credential{Salt: make([]byte, saltLength), Rounds: n, Set: now.UTC(), Generation: rand.Text(), Provided: provided}
	_, _ = rand.Read(c.Salt) // crypto/rand never returns an error
	var err error
	if c.Hash, err = pbkdf2.Key(sha256.New, password, c.Salt, c.Rounds, hashLength); err != nil {
		return nil, err
	}
	return json.Marshal(c)
}

func readCredential(ctx context.Context, backend store.Backend) (c credential, found bool, err error) {
	record, err := backend.Get(ctx, passwordKey)
	if errors.Is(err, store.ErrNotFound) {
		return credential{}, false, nil
	}
	if err != nil {
		return credential{}, false, err
	}
	if err := json.Unmarshal(record, &c); err != nil {
		return credential{}, false, fmt.Errorf("dashboard: record of the password: %w", err)
	}
	return c, true, nil
}

// forget deletes a record if it exists.
func forget(ctx context.Context, backend store.Backend, key string) error {
	err := backend.Delete(ctx, key)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

// matches compares hashes in constant time. Hashing takes about 250 ms.
func (c credential) matches(password string) bool {
	if utf8.RuneCountInString(password) > maxPassword {
		return false
	}
	hash, err := pbkdf2.Key(sha256.New, password, c.Salt, c.Rounds, hashLength)
	return err == nil && subtle.ConstantTimeCompare(hash, c.Hash) == 1
}

// fingerprint returns the SHA-256 of a token, which is stored in its place.
// Tokens are random, so they need no slow hash.
func fingerprint(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
