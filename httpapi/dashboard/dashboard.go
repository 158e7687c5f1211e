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
// give access. It ends 12 hours after the sign-in, at sign-out, and when the
// password changes. Its cookie is HttpOnly and
// SameSite=Lax and, if the service is reached by https, Secure and bound to the
// host by its name. Forms are accepted only from the service's own pages.
//
// All pages work without JavaScript. Their markup may change.
package dashboard

import (
	"cmp"
	"embed"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
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
	// Settings are displayed to admins.
	Settings []Setting

	// User returns the name of the user whom a proxy in front of the service
	// has signed in, or "" if there is none. It must not be forgeable. Nil
	// means that there is no such proxy.
	User func(*http.Request) (name string, err error)
	// AdminUsers are the users with the same rights as the password. All others
	// see and manage only their own keys and shares.
	AdminUsers []string
	// NoPassword disables the sign-in by password. It requires User.
	NoPassword bool
	// Limits are those of a key, to show how much of them is used.
	Limits ratelimit.Limits

	// BaseURL is the public URL of the service. Nil means the scheme and host of
	// each request.
	BaseURL *url.URL
	// TrustedProxies are the addresses of proxies whose X-Forwarded-For, -Host
	// and -Proto are trusted.
	TrustedProxies []netip.Prefix

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
	foreign func(*http.Request) error // checks the origin of a form
	trail   *audit.Trail
}

// functions are the additional functions of the templates.
var functions = template.FuncMap{
	"thousands64": layout.Thousands[int64],
	"size64":      layout.Size[int64],
	"owner":       ownerName,
	"ownerPath":   ownerPath,
	"ago":         ago,
	"until":       layout.Until,
	"label":       shareLabel,
	"did":         func(kind audit.Kind) string { return eventLabels[kind] },
	"minus":       func(a, b int64) int64 { return a - b },
	"half":        func(n int64) int64 { return n / 2 },
	"week":        func(day int) bool { return (keyDays-1-day)%7 == 0 }, // back from today
	"day":         func(day string) string { t, _ := time.Parse(time.DateOnly, day); return t.Format("2 Jan") },
	"amount":      amount,
}

// New returns the handler of /dashboard and every path below it. It returns an
// error that names the option that is missing.
func New(o Options) (*Handler, error) {
	if o.Backend == nil || o.Keys == nil || o.Usage == nil || o.Shares == nil {
		return nil, errors.New("dashboard: Options.Backend, Keys, Usage and Shares must not be nil")
	}
	if o.NoPassword && o.User == nil {
		return nil, errors.New("dashboard: Options.NoPassword needs User")
	}
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &site{Options: o, trail: audit.New(o.Backend)}
	var err error
	if s.foreign, err = origin.CrossSite(o.BaseURL, o.TrustedProxies); err != nil {
		return nil, err
	}
	s.layout = layout.New(layout.Options{
		Templates: templateFiles, Funcs: functions, BaseURL: o.BaseURL, Dashboard: true, Log: o.Log,
		Failures: map[error]layout.Failure{share.ErrNotFound: layout.Gone},
	})
	s.mux = s.routes()
	return &Handler{s}, nil
}

// Handler serves /dashboard and every path below it. Make one with [New].
type Handler struct{ site *site }

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.site.serve(w, r) }

// adminOwner is the owner of what is shared by those who have signed in with the
// password. No key has this id.
const adminOwner = "dashboard"

// base returns the public URL of the service without a trailing slash.
func (s *site) base(r *http.Request) string { return origin.Of(r, s.BaseURL, s.TrustedProxies) }

func (s *site) secure(r *http.Request) bool { return strings.HasPrefix(s.base(r), "https://") }

// Setting is an effective setting of the service. The caller must mask secrets.
type Setting struct {
	Name   string `json:"name"` // such as rate-day
	Value  string `json:"value"`
	Source string `json:"source"` // origin of the value: a flag, a variable or a default
	Help   string `json:"-"`
}

// amount writes the number of a setting as people do: 10,000, or 32 MiB.
func amount(s Setting) string {
	n, err := strconv.ParseInt(s.Value, 10, 64)
	if err != nil {
		return s.Value
	}
	if n > 0 && strings.HasPrefix(s.Name, "max-") && n%(1<<20) == 0 {
		return layout.Thousands(n>>20) + " MiB"
	}
	return layout.Thousands(n)
}

func (s *site) settingsPage(_ *http.Request, current session) (*layout.Response, error) {
	return s.show(http.StatusOK, "settings", "Settings", struct {
		page
		Settings []Setting
	}{current.page("settings"), s.Settings})
}
