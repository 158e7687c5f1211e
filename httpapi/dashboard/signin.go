package dashboard

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/audit"
	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/store"
)

// Limits of wrong passwords, for an address or an IPv6 /64 and for an IPv6 /48
// as a whole. The right password resets the counts.
var (
	failedSignIns   = store.Limits{Window: 15 * time.Minute, PerWindow: 5}
	failedInNetwork = store.Limits{Window: 15 * time.Minute, PerWindow: 20}
)

const failedPrefix = "signin/"

// home is the default destination of a sign-in.
const home = "/dashboard"

// signInPath returns the path of the sign-in page, which leads back to the
// requested page.
func (s *site) signInPath(r *http.Request) string {
	next := back(r.URL.RequestURI())
	if next == home {
		return "/dashboard/sign-in"
	}
	return "/dashboard/sign-in?" + url.Values{"next": {next}}.Encode()
}

// back returns next if it is a page of the dashboard, and home otherwise, so that
// the sign-in cannot redirect to another site.
func back(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || path.Clean(u.Path) != u.Path || !strings.HasPrefix(u.Path+"/", home+"/") ||
		strings.HasPrefix(u.Path, "/dashboard/sign-") {
		return home
	}
	return (&url.URL{Path: u.Path, RawQuery: u.RawQuery}).String()
}

// signInView is the content of the sign-in page.
type signInView struct {
	Next       string // destination; empty for home
	NoPassword bool   // none has been set
	ByProxy    bool   // passwords are disabled
	Message    string
	Closed     bool // no try is accepted now
	SignedOut  bool
}

func (s *site) signInForm(r *http.Request, _ session) (*layout.Response, error) {
	next := back(r.Form.Get("next"))
	if _, err := s.currentSession(r); err == nil {
		return s.redirect(next), nil
	}
	if s.NoPassword {
		return s.signInPage(http.StatusForbidden, home, signInView{ByProxy: true})
	}
	_, found, err := readCredential(r.Context(), s.Backend)
	if err != nil {
		return nil, err
	}
	return s.signInPage(http.StatusOK, next, signInView{NoPassword: !found, SignedOut: r.Form.Has("signed-out")})
}

func (s *site) signInPage(status int, next string, v signInView) (*layout.Response, error) {
	if next != home {
		v.Next = next
	}
	return s.show(status, "sign-in", "Sign in", v)
}

func (s *site) signIn(r *http.Request, _ session) (*layout.Response, error) {
	ctx, addr, next := r.Context(), origin.ClientAddr(r, s.TrustedProxies), back(r.PostForm.Get("next"))
	c, found, err := readCredential(ctx, s.Backend)
	if err != nil {
		return nil, err
	}
	if !found {
		return s.signInPage(http.StatusForbidden, next, signInView{NoPassword: true})
	}
	t, err := s.countTry(ctx, c, addr)
	if err != nil {
		return nil, err
	}
	if t.wait > 0 {
		message := "Too many wrong passwords came from this address or network. Try again in " + layout.Span(t.wait) + "."
		a, err := s.signInPage(http.StatusTooManyRequests, next, signInView{Closed: true, Message: message})
		if err != nil {
			return nil, err
		}
		a.RetryAfter(t.wait)
		return a, delay(ctx)
	}
	right := false
	err = fair.FromContext(ctx).As(origin.Owner("sign-in", addr)...).Do(ctx, hashWork, func() error {
		right = c.matches(r.PostForm.Get("password"))
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !right {
		s.Log.WarnContext(ctx, "sign-in refused", "address", addr)
		s.record(r, audit.SignInRefused, "", "")
		return s.signInPage(http.StatusForbidden, next, signInView{Message: fmt.Sprintf("That is not the password. Tries left before a pause of 15 minutes: %d.", failedSignIns.PerWindow-t.own)})
	}
	for _, count := range t.counts {
		if err := forget(ctx, s.Backend, count); err != nil {
			return nil, err
		}
	}
	s.Log.InfoContext(ctx, "signed in", "address", addr)
	s.record(r, audit.SignedIn, adminOwner, "")
	return s.startSession(r, c.Generation, next)
}

// hashWork is the approximate time to check a password. Anyone can ask for that,
// so sign-ins take turns with each other, and all together with the visitors of
// pages and with each key.
const hashWork = 250 * time.Millisecond

// refusalDelay delays the response to a try that was not checked, so that
// guessing over many connections does not load the processors with refusals.
const refusalDelay = time.Second

// delay waits for refusalDelay or until ctx ends, which is an error.
func delay(ctx context.Context) error {
	select {
	case <-time.After(refusalDelay):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A signInTry is a counted try of a password.
type signInTry struct {
	counts []string      // keys of its counts
	own    int           // tries of the address, including this one
	wait   time.Duration // until the next try is allowed; 0 if this one is
}

// countTry counts a try before its password is checked, so that concurrent
// tries cannot exceed the limit. Each password has counts of its own.
func (s *site) countTry(ctx context.Context, c credential, addr string) (signInTry, error) {
	now, prefix := s.Now(), failedPrefix+c.Generation+"/"
	type limit struct {
		key string
		store.Limits
	}
	limits := []limit{{prefix + origin.LimitKey(addr), failedSignIns}}
	if network, ok := origin.Network(addr); ok {
		limits = append(limits, limit{prefix + network, failedInNetwork})
	}
	var t signInTry
	for i, l := range limits {
		used, err := store.Take(ctx, s.Backend, l.key, now, l.Limits)
		if err != nil {
			return signInTry{}, err
		}
		if i == 0 {
			t.own = used.InWindow
		}
		t.counts = append(t.counts, l.key)
		if !used.Taken {
			t.wait = used.Oldest.Add(l.Window).Sub(now)
			break
		}
	}
	return t, nil
}

// startSession starts a session and ends the browser's previous one.
func (s *site) startSession(r *http.Request, generation, next string) (*layout.Response, error) {
	if old, err := r.Cookie(s.cookieName(r)); err == nil && old.Value != "" {
		if err := forget(r.Context(), s.Backend, sessionPrefix+fingerprint(old.Value)); err != nil {
			return nil, err
		}
	}
	now, token := s.Now().UTC(), rand.Text()
	record, err := json.Marshal(sessionRecord{now, generation})
	if err == nil {
		err = s.Backend.Create(r.Context(), sessionPrefix+fingerprint(token), record, now.Add(sessionLife))
	}
	if err != nil {
		return nil, err
	}
	return s.withCookie(r, next, token, sessionLife), nil
}

func (s *site) signOut(r *http.Request, current session) (*layout.Response, error) {
	if err := forget(r.Context(), s.Backend, sessionPrefix+fingerprint(current.token)); err != nil {
		return nil, err
	}
	return s.withCookie(r, "/dashboard/sign-in?signed-out", "", 0), nil
}

// setupView is the content of the page that sets the first password.
type setupView struct {
	Token    string
	Min, Max int
	Message  string
}

func (s *site) setupForm(r *http.Request, _ session) (*layout.Response, error) {
	token := r.Form.Get("token")
	if err := checkSetup(r.Context(), s.Backend, token); err != nil {
		return nil, err
	}
	return s.setupPage(http.StatusOK, token, "")
}

func (s *site) setupPage(status int, token, message string) (*layout.Response, error) {
	return s.show(status, "setup", "Set the admin password", setupView{token, MinPassword, maxPassword, message})
}

func (s *site) setup(r *http.Request, _ session) (*layout.Response, error) {
	ctx, token, password := r.Context(), r.PostForm.Get("token"), r.PostForm.Get("password")
	if err := CheckPassword(password); err != nil {
		return s.setupPage(http.StatusBadRequest, token, sentence(err))
	}
	if password != r.PostForm.Get("again") {
		return s.setupPage(http.StatusBadRequest, token, "The two passwords differ. Type the same one twice.")
	}
	err := useSetup(ctx, s.Backend, token, password, s.Now())
	if err != nil {
		return nil, err
	}
	s.Log.InfoContext(ctx, "admin password set", "address", origin.ClientAddr(r, s.TrustedProxies))
	s.record(r, audit.PasswordSet, adminOwner, "")
	c, _, err := readCredential(ctx, s.Backend)
	if err != nil {
		return nil, err
	}
	return s.startSession(r, c.Generation, home)
}

// sentence formats an error as a sentence.
func sentence(err error) string {
	text := []rune(err.Error())
	return string(append([]rune{text[0] &^ 0x20}, text[1:]...)) + "."
}
