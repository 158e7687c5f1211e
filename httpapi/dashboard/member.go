package dashboard

import (
	"errors"
	"net/http"
	"slices"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/web/layout"
)

// Whom a proxy has signed in needs no session: each request says who sends it.
// Nothing else is asked then, so that nobody is two people at once.

var wrongUser = layout.Failure{
	Status: http.StatusBadRequest, Title: "The proxy names nobody that can be signed in",
	Text: "Its header must hold one name of at most 195 bytes, without commas and control characters. The log of the server says what is wrong with it.",
}

// userSession returns the session of whom a proxy has signed in, and
// errNoSession if it has signed in nobody.
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
		s.Log.WarnContext(r.Context(), "the user of a proxy is refused", "error", err, "address", s.ClientAddr(r))
		return session{}, wrongUser
	}
	return session{user: name, owner: owner, admin: slices.Contains(s.AdminUsers, name)}, nil
}

// sees reports whether somebody may see, change and delete what belongs to an
// owner.
func (c session) sees(owner string) bool { return c.admin || owner != "" && owner == c.owner }

// scope is the owner of what somebody sees, "" for everybody's.
func (c session) scope() string {
	if c.admin {
		return ""
	}
	return c.owner
}

// page is what every page within the dashboard knows: which link of its
// navigation is its own, and who sees it.
type page struct {
	Here  string
	Who   string // a user of the proxy; empty: who knows the password
	Admin bool
}

func (c session) page(here string) page { return page{here, c.user, c.admin} }

// asAdmin has a handler respond to admins alone. To others there is no such
// page.
func asAdmin(h handler) handler {
	return func(r *http.Request, current session) (response, error) {
		if !current.admin {
			return response{}, layout.NoPage
		}
		return h(r, current)
	}
}

// SignedIn returns the owner of what the sender of a request shares, if the
// sender is signed in: [Owner] with the password, and the result of
// [apikey.UserOwner] for the user of a proxy. It returns "" otherwise.
func (h *Handler) SignedIn(r *http.Request) (owner string, err error) {
	current, err := h.site.currentSession(r)
	if errors.Is(err, errNoSession) {
		return "", nil
	}
	return current.owner, err
}
