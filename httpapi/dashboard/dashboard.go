// Package dashboard serves the pages for the operators of a Devkiln service:
// keys, usage, shares and settings, protected by one password. It also serves
// members, whom a proxy signs in, with their own keys and shares. Start with
// [New]:
//
//	panel, err := dashboard.New(dashboard.Options{Backend: backend, Keys: ring, Usage: counter, Shares: shares})
//	…
//	pages, err := web.New(web.Options{Shares: shares, Dashboard: panel, Sharing: web.Sharing{SignedIn: panel.SignedIn}})
//
// It links to the start page of package web, where those who are signed in can
// share without a key.
//
// [Options].User identifies whom a proxy has signed in: an admin, if listed in
// [Options].AdminUsers, or a member. A member sees, revokes and deletes only
// what belongs to the owner that [apikey.UserOwner] returns for the name; to a
// member, everything else appears not to exist.
//
// The password is set by [SetPassword], by [Provide], or through the link of a
// first start, see [NewSetup]. The store holds its PBKDF2-HMAC-SHA-256 with
// 600,000 iterations. Five wrong passwords from one address block it for 15
// minutes in all processes that share the store.
//
// A session is stored under the hash of its id: a copy of the store does not
// give access. It ends 12 hours after its last use, 7 days after the sign-in,
// at sign-out, and when the password changes. Its cookie is HttpOnly and
// SameSite=Lax and, if the service is reached by https, Secure and bound to the
// host by its name. Forms are accepted only from the service's own pages.
//
// All pages work without JavaScript. Their markup may change.
package dashboard

import (
	"embed"
	"errors"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/audit"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/httpapi/usage"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

//go:embed all:templates
var templateFiles embed.FS

// Options configures the dashboard. Backend, Keys, Usage and Shares are
// required.
type Options struct {
	// Backend stores passwords, sessions and the audit trail.
	Backend store.Backend
	// Keys is the Keyring of the API.
	Keys *apikey.Keyring
	// Usage holds the counts of API requests.
	Usage *usage.Counter
	// Shares is the service of the API; it must have a list of its shares.
	Shares *share.Service
	// Settings are displayed to admins unchanged.
	Settings []Setting

	// User returns the name of the user whom a proxy in front of the service
	// has signed in, or "" if there is none. It must not be forgeable, see
	// httpapi.Proxies.User. Nil means that there is no such proxy.
	User func(*http.Request) (name string, err error)
	// AdminUsers are the users with the same rights as the password. All others
	// see and manage only their own keys and shares.
	AdminUsers []string
	// NoPassword disables the sign-in by password. It requires User.
	NoPassword bool
	// Limits are those of a key, to show how much of them is used.
	Limits ratelimit.Limits

	// BaseURL is the public URL of the service. Nil means Origin.
	BaseURL *url.URL
	// Origin returns the scheme and host of a request as seen by its sender, in
	// front of trusted proxies. If nil, those of the request itself are used.
	Origin func(*http.Request) string
	// ClientAddr returns the address of the client in front of trusted proxies.
	// Nil means the remote address of the connection.
	ClientAddr func(*http.Request) string

	// Log receives sign-ins and internal errors. Nil discards them.
	Log *slog.Logger
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// site is the state of the handler.
type site struct {
	Options
	layout  *layout.Layout
	mux     *http.ServeMux
	closed  map[string]bool           // patterns of the pages that need a session
	foreign func(*http.Request) error // checks the origin of a form
	trail   *audit.Trail
}

// functions are the additional functions of the templates.
var functions = template.FuncMap{"thousands64": layout.Thousands[int64], "size64": layout.Size[int64], "languages": layout.Languages}

// New returns the handler of /dashboard and every path below it. It returns an
// error that names the option that is missing.
func New(o Options) (*Handler, error) {
	if o.Backend == nil || o.Keys == nil || o.Usage == nil || o.Shares == nil {
		return nil, errors.New("dashboard: Options.Backend, Keys, Usage and Shares must not be nil")
	}
	if o.NoPassword && o.User == nil {
		return nil, errors.New("dashboard: Options.NoPassword needs User")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Origin == nil {
		o.Origin = func(r *http.Request) string { return origin.Of(r, nil) }
	}
	if o.ClientAddr == nil {
		o.ClientAddr = func(r *http.Request) string { return origin.ClientAddr(r, nil) }
	}
	s := &site{Options: o, closed: make(map[string]bool), trail: audit.New(o.Backend)}
	var err error
	if s.foreign, err = origin.CrossSite(o.BaseURL, o.Origin); err != nil {
		return nil, err
	}
	templates, err := fs.Sub(templateFiles, "templates")
	if err != nil {
		return nil, err
	}
	s.layout = layout.New(layout.Options{Templates: templates, Funcs: functions, BaseURL: o.BaseURL, Dashboard: true, Log: o.Log})
	s.mux = s.routes()
	return &Handler{s}, nil
}

// Handler serves /dashboard and every path below it. Make one with [New].
type Handler struct{ site *site }

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.site.serve(w, r) }

// Owner is the owner of what is shared by those who have signed in with the
// password. No key has this id.
const Owner = "dashboard"

// base returns the public URL of the service without a trailing slash.
func (s *site) base(r *http.Request) string {
	if s.BaseURL != nil {
		return strings.TrimRight(s.BaseURL.String(), "/")
	}
	return s.Origin(r)
}

func (s *site) secure(r *http.Request) bool { return strings.HasPrefix(s.base(r), "https://") }
