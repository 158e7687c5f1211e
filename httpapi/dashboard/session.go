package dashboard

// The package alexedwards/scs is not used because with an idle timeout it saves
// a session on every request. A save that races with a sign-out restores the
// session.

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/devkiln/devkiln/store"
)

const (
	sessionIdle  = 12 * time.Hour
	sessionLife  = 7 * 24 * time.Hour
	sessionFresh = time.Minute // age at which the last use is updated

	// A session has two entries: its record, written once, and its last use.
	// Updating the latter during a sign-out cannot restore the session.
	sessionPrefix = "session/"
	seenPrefix    = "sessionseen/"
)

// errNoSession means that no one is signed in.
var errNoSession = errors.New("dashboard: no session")

// session identifies a signed-in user. The zero value means no one.
type session struct {
	token  string // empty for a proxy user
	record sessionRecord
	user   string // proxy user; empty for the password
	owner  string // of what the user creates
	admin  bool
}

type sessionRecord struct {
	Created    time.Time `json:"created"`
	Generation string    `json:"generation"` // of the password
}

// newSession starts a session for the password.
func (s *site) newSession(ctx context.Context, generation string) (session, error) {
	now := s.Now().UTC()
	made := session{token: rand.Text(), record: sessionRecord{now, generation}, owner: Owner, admin: true}
	record, err := json.Marshal(made.record)
	if err != nil {
		return session{}, err
	}
	id := fingerprint(made.token)
	if err := s.see(ctx, id, made.record.Created); err != nil {
		return session{}, err
	}
	return made, s.Backend.Create(ctx, sessionPrefix+id, record, now.Add(sessionLife))
}

// see records a use of a session.
func (s *site) see(ctx context.Context, id string, created time.Time) error {
	now := s.Now()
	expires := now.Add(sessionIdle)
	if end := created.Add(sessionLife); end.Before(expires) {
		expires = end
	}
	return s.Backend.Put(ctx, seenPrefix+id, strconv.AppendInt(nil, now.UnixMilli(), 10), expires)
}

// currentSession returns the session of a request, or errNoSession if there is
// none or it has ended.
func (s *site) currentSession(r *http.Request) (session, error) {
	if current, err := s.userSession(r); !errors.Is(err, errNoSession) || s.NoPassword {
		return current, err
	}
	cookie, err := r.Cookie(s.cookieName(r))
	if err != nil || cookie.Value == "" {
		return session{}, errNoSession
	}
	ctx, id := r.Context(), fingerprint(cookie.Value)
	record, err := s.get(ctx, sessionPrefix+id)
	if err != nil {
		return session{}, err
	}
	current := session{token: cookie.Value, owner: Owner, admin: true}
	if err := json.Unmarshal(record, &current.record); err != nil {
		return session{}, fmt.Errorf("dashboard: record of a session: %w", err)
	}
	seen, err := s.get(ctx, seenPrefix+id)
	if err != nil {
		return session{}, err
	}
	milli, err := strconv.ParseInt(string(seen), 10, 64)
	if err != nil {
		return session{}, fmt.Errorf("dashboard: last use of a session: %w", err)
	}
	c, _, err := readCredential(ctx, s.Backend)
	if err != nil {
		return session{}, err
	}
	now, last := s.Now(), time.UnixMilli(milli)
	if current.record.Generation != c.Generation || now.Sub(last) >= sessionIdle || now.Sub(current.record.Created) >= sessionLife {
		return session{}, errNoSession
	}
	if now.Sub(last) >= sessionFresh {
		return current, s.see(ctx, id, current.record.Created)
	}
	return current, nil
}

func (s *site) get(ctx context.Context, key string) ([]byte, error) {
	value, err := s.Backend.Get(ctx, key)
	if errors.Is(err, store.ErrNotFound) {
		return nil, errNoSession
	}
	return value, err
}

// endSession deletes a session.
func (s *site) endSession(ctx context.Context, token string) error {
	id := fingerprint(token)
	for _, key := range []string{sessionPrefix + id, seenPrefix + id} {
		if err := s.Backend.Delete(ctx, key); err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	return nil
}

// cookieName returns the name of the session cookie. With https it has the
// prefix __Host-, which requires Path=/ (RFC 6265bis, section 4.1.3.2). So a
// base path is part of the name, in case the host has several services.
func (s *site) cookieName(r *http.Request) string {
	name := "devkiln"
	if base := s.layout.Path(""); base != "" {
		name += "-" + fingerprint(base)[:8]
	}
	if s.secure(r) {
		return "__Host-" + name
	}
	return name
}

// cookie returns a cookie with a token, or one that deletes it if token is
// empty.
func (s *site) cookie(r *http.Request, token string, life time.Duration) *http.Cookie {
	c := &http.Cookie{
		Name: s.cookieName(r), Value: token, Path: "/",
		MaxAge: int(life / time.Second), HttpOnly: true, Secure: s.secure(r), SameSite: http.SameSiteLaxMode,
	}
	if token == "" {
		c.MaxAge = -1
	}
	return c
}
