package dashboard

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/share"
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
		open = map[string]handler{"GET /dashboard/sign-in": s.proxyOnly}
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
		s.closed[pattern] = true
		mux.Handle(pattern, s.page(s.signedIn(h)))
	}
	return mux
}

// serve routes a request. It distinguishes a wrong method from an unknown path.
func (s *site) serve(w http.ResponseWriter, r *http.Request) {
	if s.foreign(r) != nil {
		s.fail(w, r, layout.Foreign)
		return
	}
	if _, pattern := s.mux.Handler(r); pattern != "" {
		s.mux.ServeHTTP(w, r)
		return
	}
	if allowed := layout.Allowed(s.mux, r); allowed != "" {
		w.Header().Set("Allow", allowed)
		s.fail(w, r, layout.MethodNotAllowed)
		return
	}
	s.fail(w, r, layout.NoPage)
}

// A handler returns the response to a request. Open pages get the zero session.
// site.fail reports errors.
type handler func(*http.Request, session) (response, error)

// A response is a page or a redirect.
type response struct {
	to string // redirect path; empty for a page

	status  int // 0 means 200
	view    string
	title   string
	content any

	cookie *http.Cookie
	after  time.Duration // for Retry-After; 0 means none
}

const (
	maxForm  = 64 << 10 // bytes
	formTime = 10 * time.Second
)

// page parses the form, calls h and responds.
func (s *site) page(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := limitBody(w, r, maxForm, formTime)
		if err == nil && r.ParseForm() != nil {
			err = layout.Unreadable
		}
		var a response
		if err == nil {
			a, err = h(r, session{})
		}
		switch {
		case errors.Is(err, share.ErrNotFound):
			s.fail(w, r, layout.Gone)
		case err != nil:
			s.fail(w, r, err)
		default:
			s.respond(w, r, a)
		}
	})
}

// failureView is the content of an error page.
type failureView struct {
	page
	layout.Failure
}

// fail responds with an error page. It keeps the navigation for proxy users and
// for anyone with a session cookie, which is not checked because the store may
// be what failed.
func (s *site) fail(w http.ResponseWriter, r *http.Request, err error) {
	f := s.layout.Explain(r, err)
	current, noUser := s.userSession(r)
	_, noCookie := r.Cookie(s.cookieName(r))
	if noUser != nil && (noCookie != nil || s.NoPassword) || !negotiate.WantsHTML(r.Header) {
		s.layout.Fail(w, r, f)
		return
	}
	current.admin = current.admin || noUser != nil
	s.respond(w, r, response{status: f.Status, view: "problem", title: f.Title, content: failureView{current.page(""), f}, after: f.RetryAfter})
}

// limitBody limits the size of a body and the time to read it.
func limitBody(w http.ResponseWriter, r *http.Request, size int64, within time.Duration) error {
	if r.Method != http.MethodPost {
		return nil
	}
	err := http.NewResponseController(w).SetReadDeadline(time.Now().Add(within))
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	r.Body = http.MaxBytesReader(w, r.Body, size)
	return nil
}

func (s *site) respond(w http.ResponseWriter, r *http.Request, a response) {
	if a.cookie != nil {
		http.SetCookie(w, a.cookie)
	}
	if a.after > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(a.after.Seconds()))))
	}
	if a.to != "" {
		s.layout.Write(w, r, layout.SeeOther(s.layout.Path(a.to)))
		return
	}
	s.layout.Show(w, r, a.status, a.view, layout.Page{
		Title: a.title, Styles: []string{"dashboard.css"}, Scripts: []string{"dashboard.js"}, Content: a.content,
	})
}

// signedIn calls h with the session of the request, or redirects to the sign-in
// page and back.
func (s *site) signedIn(h handler) handler {
	return func(r *http.Request, _ session) (response, error) {
		current, err := s.currentSession(r)
		if errors.Is(err, errNoSession) {
			return response{to: s.signInPath(r)}, nil
		}
		if err == nil && current.user != "" {
			err = s.recordVisit(r, current.owner)
		}
		if err != nil {
			return response{}, err
		}
		return h(r, current)
	}
}
