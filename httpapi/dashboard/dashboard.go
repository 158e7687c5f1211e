// Package dashboard serves the pages for whoever runs a Devkiln: keys, use,
// shares and settings, behind one password; and for its members, whom a proxy
// signs in, those of their own keys and shares.
//
//	panel, err := dashboard.New(dashboard.Options{Backend: backend, Keys: ring, Usage: counter, Shares: shares})
//	…
//	pages, err := web.New(web.Options{Shares: shares, Dashboard: panel, Sharing: web.Sharing{SignedIn: panel.SignedIn}})
//
// Its links lead to the page /new of package web, where those who are signed in
// share without a key.
//
// Options.User says whom a proxy has signed in: an admin, by Options.AdminUsers,
// or a member. A member sees, revokes and deletes what belongs to the owner that
// apikey.UserOwner makes of the name, and nothing else; what belongs to others
// is to a member as if it did not exist.
//
// The password comes from [SetPassword], from [Provide], or from the link of a
// first start, see [NewSetup]. The store keeps PBKDF2-HMAC-SHA-256 of it with
// 600,000 rounds. Five wrong passwords from one address close the door to it
// for 15 minutes, on all processes that share the store.
//
// A session is kept in the store, under the hash of its id: a copy of the store
// opens nothing. It ends 12 hours after its last use, 7 days after sign-in, at
// sign-out, and when the password changes. Its cookie is HttpOnly and
// SameSite=Lax and, where the service is reached by https, Secure and bound to
// the host by its name. Forms are accepted from the service's own pages alone.
//
// All pages work without JavaScript. Markup is not promised.
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
	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/httpapi/usage"
	"github.com/devkiln/devkiln/httpapi/web/layout"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

//go:embed all:templates
var templateFiles embed.FS

// Options is what the dashboard is made of. Backend, Keys, Usage and
// Shares are required.
type Options struct {
	// Backend keeps passwords, sessions and the audit trail.
	Backend store.Backend
	// Keys is the ring that the API asks.
	Keys *apikey.Keyring
	// Usage has the counts of the API's requests.
	Usage *usage.Counter
	// Shares is the service of the API; it must keep a list of its shares.
	Shares *share.Service
	// Settings are shown to admins as they are.
	Settings []Setting

	// User returns the name of the user whom a proxy in front of the service has
	// signed in, "" for nobody; only what nobody else can make up, see
	// httpapi.Proxies.User. Nil: there is no such proxy.
	User func(*http.Request) (name string, err error)
	// AdminUsers are the users who see and may do what the password opens. All
	// others see, and may do, what has to do with their own keys and shares.
	AdminUsers []string
	// NoPassword closes the sign-in by password. It needs User.
	NoPassword bool
	// Limits are those of a key, to show what is used of them.
	Limits ratelimit.Limits

	// BaseURL is where the service is reached from outside. Nil means Origin.
	BaseURL *url.URL
	// Origin returns the scheme and host of a request as its sender knows them,
	// behind trusted proxies. Nil: those of the request itself.
	Origin func(*http.Request) string
	// ClientAddr returns the address of the client behind trusted proxies. Nil
	// means the other end of the connection.
	ClientAddr func(*http.Request) string

	// Log takes who signed in and what went wrong. Nil discards it.
	Log *slog.Logger
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// site is the state of the handler.
type site struct {
	Options
	layout  *layout.Layout
	mux     *http.ServeMux
	closed  map[string]bool           // patterns of the pages behind the sign-in
	foreign func(*http.Request) error // the check of a form's origin
	hashing *hashing
	trail   *audit.Trail
}

// functions are those of the templates, beside those of every layout.
var functions = template.FuncMap{"thousands64": layout.Thousands[int64], "size64": layout.Size[int64], "languages": layout.Languages}

// New returns the handler of /dashboard and all below it. The error says which
// option is missing.
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
	s := &site{Options: o, closed: make(map[string]bool), hashing: newHashing(), trail: audit.New(o.Backend)}
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

// Handler serves /dashboard and all below it. New makes it.
type Handler struct{ site *site }

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.site.serve(w, r) }

// Owner is the owner of what is shared by those who have signed in with the
// password. No key has an id like that.
const Owner = "dashboard"

// base returns where the service is reached, without a slash at the end.
func (s *site) base(r *http.Request) string {
	if s.BaseURL != nil {
		return strings.TrimRight(s.BaseURL.String(), "/")
	}
	return s.Origin(r)
}

func (s *site) secure(r *http.Request) bool { return strings.HasPrefix(s.base(r), "https://") }
