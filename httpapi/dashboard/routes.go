package dashboard

import (
	"errors"
	"net/http"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
)

// pages maps patterns to handlers. Open pages need no session.
func (s *site) pages() (open, closed map[string]handler) {
	open = map[string]handler{
		"GET /dashboard/sign-in":  s.signInForm,
		"POST /dashboard/sign-in": s.signIn,
		"GET /dashboard/setup":    s.setupForm,
		"POST /dashboard/setup":   s.setup,
	}
	if s.NoPassword {
		open = map[string]handler{"GET /dashboard/sign-in": s.signInForm}
	}
	closed = map[string]handler{
		"GET /dashboard":                   s.overview,
		"GET /dashboard/keys":              s.keysPage,
		"POST /dashboard/keys":             s.makeKey,
		"GET /dashboard/keys/{id}":         s.keyPage,
		"GET /dashboard/keys/{id}/revoke":  s.confirmRevoke,
		"POST /dashboard/keys/{id}/revoke": s.revoke,
		"GET /dashboard/shares":            s.sharesPage,
		"POST /dashboard/shares":           s.deleteShares,
		"POST /dashboard/sign-out":         s.signOut,
		"GET /dashboard/activity":          asAdmin(s.activity),
		"GET /dashboard/settings":          asAdmin(s.settingsPage),
	}
	return open, closed
}

func (s *site) routes() *http.ServeMux {
	mux := http.NewServeMux()
	open, closed := s.pages()
	for pattern, h := range open {
		mux.Handle(pattern, s.page(h))
	}
	for pattern, h := range closed {
		mux.Handle(pattern, s.page(s.signedIn(h)))
	}
	return mux
}

// serve routes a request.
func (s *site) serve(w http.ResponseWriter, r *http.Request) {
	if s.foreign(r) != nil {
		s.layout.Fail(w, r, layout.Foreign)
		return
	}
	s.layout.Route(s.mux, w, r)
}

// A handler returns the response to a request. Open pages get the zero session.
type handler func(*http.Request, session) (*layout.Response, error)

const maxForm = 64 << 10 // bytes

// page parses the form, calls h and responds.
func (s *site) page(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		if r.ParseForm() != nil {
			s.layout.Fail(w, r, layout.Unreadable)
			return
		}
		s.layout.Respond(w, r, func(r *http.Request) (*layout.Response, error) { return h(r, session{}) })
	})
}

// show returns a page that search engines must not index.
func (s *site) show(status int, view, title string, content any) (*layout.Response, error) {
	return s.layout.Render(view, layout.Page{
		Title: title, Styles: []string{"dashboard.css"}, Scripts: []string{"dashboard.js"}, Private: true, Status: status, HasForm: true, Path: "/dashboard", Content: content,
	})
}

// redirect leads to another page.
func (s *site) redirect(to string) *layout.Response { return layout.SeeOther(s.layout.Path(to)) }

// signedIn calls h with the session of the request, or redirects to the sign-in
// page and back.
func (s *site) signedIn(h handler) handler {
	return func(r *http.Request, _ session) (*layout.Response, error) {
		current, err := s.currentSession(r)
		if errors.Is(err, errNoSession) {
			return s.redirect(s.signInPath(r)), nil
		}
		if err == nil && current.user != "" {
			err = s.recordVisit(r, current.owner)
		}
		if err != nil {
			return nil, err
		}
		return h(r, current)
	}
}
