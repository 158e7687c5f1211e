package dashboard

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/store"
)

// sessionLife is how long a session lasts.
const sessionLife = 12 * time.Hour

const sessionPrefix = "session/" // + SHA-256 of the token

// errNoSession means that no one is signed in.
var errNoSession = errors.New("dashboard: no session")

// session identifies a signed-in user. The zero value means no one.
type session struct {
	token string // empty for a proxy user
	user  string // proxy user; empty for the password
	owner string // of what the user creates
	admin bool
}

type sessionRecord struct {
	Created    time.Time `json:"created"`
	Generation string    `json:"generation"` // of the password
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
	record, err := s.Backend.Get(r.Context(), sessionPrefix+fingerprint(cookie.Value))
	if errors.Is(err, store.ErrNotFound) {
		err = errNoSession
	}
	if err != nil {
		return session{}, err
	}
	var started sessionRecord
	if err := json.Unmarshal(record, &started); err != nil {
		return session{}, fmt.Errorf("dashboard: record of a session: %w", err)
	}
	c, _, err := readCredential(r.Context(), s.Backend)
	if err != nil {
		return session{}, err
	}
	if started.Generation != c.Generation || s.Now().Sub(started.Created) >= sessionLife {
		return session{}, errNoSession
	}
	return session{token: cookie.Value, owner: adminOwner, admin: true}, nil
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

// withCookie leads to another page and sets the cookie to a token, or deletes it
// if token is empty.
func (s *site) withCookie(r *http.Request, to, token string, life time.Duration) *layout.Response {
	c := http.Cookie{
		Name: s.cookieName(r), Value: token, Path: "/",
		MaxAge: int(life / time.Second), HttpOnly: true, Secure: s.secure(r), SameSite: http.SameSiteLaxMode,
	}
	if token == "" {
		c.MaxAge = -1
	}
	a := s.redirect(to)
	a.Header.Set("Set-Cookie", c.String())
	return a
}
