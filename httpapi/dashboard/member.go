package dashboard

import (
	"errors"
	"net/http"
	"slices"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
)

// Users signed in by a proxy need no session, because each request names its
// user. The session cookie is then ignored, so that a request has a single
// identity.

var wrongUser = layout.Failure{
	Status: http.StatusBadRequest, Title: "The proxy names nobody that can be signed in",
	Text: "Its header must hold one name of at most 195 bytes, without commas and control characters. The log of the server says what is wrong with it.",
}

// userSession returns the session of the user signed in by the proxy, or
// errNoSession if there is none.
func (s *site) userSession(r *http.Request) (session, error) {
	if s.User == nil {
		return session{}, errNoSession
	}
	name, err := s.User(r)
	if err == nil && name == "" {
		return session{}, errNoSession
	}
	var owner string
	if err == nil {
		owner, err = apikey.UserOwner(name)
	}
	if err != nil {
		s.Log.WarnContext(r.Context(), "the user of a proxy is refused", "error", err, "address", origin.ClientAddr(r, s.TrustedProxies))
		return session{}, wrongUser
	}
	return session{user: name, owner: owner, admin: slices.Contains(s.AdminUsers, name)}, nil
}

// sees reports whether the user may see, change and delete what an owner has.
func (c session) sees(owner string) bool { return c.admin || owner != "" && owner == c.owner }

// scope returns the owner that the user's view is limited to, "" for none.
func (c session) scope() string {
	if c.admin {
		return ""
	}
	return c.owner
}

// page is the data common to all pages behind the sign-in: the current
// navigation link and the user.
type page struct {
	Here  string
	Who   string // user of the proxy; empty for the password
	Admin bool
	Names map[string]apikey.Key // keys by ID, on pages that name them
}

func (c session) page(here string) page { return page{Here: here, Who: c.user, Admin: c.admin} }

// asAdmin restricts a handler to admins. Others get a 404.
func asAdmin(h handler) handler {
	return func(r *http.Request, current session) (*layout.Response, error) {
		if !current.admin {
			return nil, layout.NoPage
		}
		return h(r, current)
	}
}

// SignedIn returns the owner of what the sender of a request shares, if the
// sender is signed in: "dashboard" with the password, and the result of
// [apikey.UserOwner] for the user of a proxy. It returns "" otherwise.
func (h *Handler) SignedIn(r *http.Request) (owner string, err error) {
	current, err := h.site.currentSession(r)
	if errors.Is(err, errNoSession) {
		return "", nil
	}
	return current.owner, err
}
