package dashboard

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
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
	next := s.back(r.URL.RequestURI())
	if next == home {
		return "/dashboard/sign-in"
	}
	return "/dashboard/sign-in?" + url.Values{"next": {next}}.Encode()
}

// back returns next if it is a page behind the sign-in, and home otherwise, so
// that the sign-in cannot redirect to another site.
func (s *site) back(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || path.Clean(u.Path) != u.Path {
		return home
	}
	target := url.URL{Path: u.Path, RawQuery: u.RawQuery}
	_, pattern := s.mux.Handler(&http.Request{Method: http.MethodGet, URL: &target})
	if !s.closed[pattern] {
		return home
	}
	return target.String()
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

func (s *site) signInForm(r *http.Request, _ session) (response, error) {
	next := s.back(r.Form.Get("next"))
	if _, err := s.currentSession(r); err == nil {
		return response{to: next}, nil
	}
	_, found, err := readCredential(r.Context(), s.Backend)
	if err != nil {
		return response{}, err
	}
	return signInPage(http.StatusOK, next, signInView{NoPassword: !found, SignedOut: r.Form.Has("signed-out")}), nil
}

// proxyOnly replaces the sign-in page if passwords are disabled.
func (s *site) proxyOnly(r *http.Request, _ session) (response, error) {
	if _, err := s.currentSession(r); err == nil {
		return response{to: s.back(r.Form.Get("next"))}, nil
	}
	return signInPage(http.StatusForbidden, home, signInView{ByProxy: true}), nil
}

func signInPage(status int, next string, v signInView) response {
	if next != home {
		v.Next = next
	}
	return response{status: status, view: "sign-in", title: "Sign in", content: v}
}

func (s *site) signIn(r *http.Request, _ session) (response, error) {
	ctx, addr, next := r.Context(), s.ClientAddr(r), s.back(r.PostForm.Get("next"))
	c, found, err := readCredential(ctx, s.Backend)
	if err != nil {
		return response{}, err
	}
	if !found {
		return signInPage(http.StatusForbidden, next, signInView{NoPassword: true}), nil
	}
	t, err := s.countTry(ctx, c, addr)
	if err != nil {
		return response{}, err
	}
	if t.wait > 0 {
		a := signInPage(http.StatusTooManyRequests, next, signInView{Closed: true, Message: t.message()})
		a.after = t.wait
		return a, delay(ctx)
	}
	right := false
	err = fair.FromContext(ctx).As(origin.Owner("sign-in", addr)...).Do(ctx, hashWork, func() error {
		right = c.matches(r.PostForm.Get("password"))
		return nil
	})
	if errors.Is(err, fair.ErrBusy) {
		a := signInPage(http.StatusServiceUnavailable, next, signInView{Message: "Many are signing in right now. Try again in a few seconds."})
		a.after = waitingPause
		return a, delay(ctx)
	}
	if err != nil {
		return response{}, err
	}
	if !right {
		s.Log.WarnContext(ctx, "sign-in refused", "address", addr)
		s.record(r, audit.SignInRefused, "", "")
		return signInPage(http.StatusForbidden, next, signInView{Message: wrongPassword(failedSignIns.PerWindow - t.own)}), nil
	}
	for _, count := range t.counts {
		if err := s.Backend.Delete(ctx, count); err != nil && !errors.Is(err, store.ErrNotFound) {
			return response{}, err
		}
	}
	s.Log.InfoContext(ctx, "signed in", "address", addr)
	s.record(r, audit.SignedIn, Owner, "")
	return s.startSession(r, c.Generation, next)
}

const (
	// hashWork is the approximate time to check a password. Anyone can ask for
	// that, so sign-ins take turns with each other, and all together with the
	// visitors of pages and with each key.
	hashWork = 250 * time.Millisecond
	// waitingPause is the Retry-After when the queue is full.
	waitingPause = 5 * time.Second
	// refusalDelay delays the response to a try that was not checked, so that
	// guessing over many connections does not load the processors with
	// refusals.
	refusalDelay = time.Second
)

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
	counts  []string      // keys of its counts
	own     int           // tries of the address, including this one
	wait    time.Duration // until the next try is allowed; 0 if this one is
	network bool          // the limit of the network applies
}

// countTry counts a try before its password is checked, so that concurrent
// tries cannot exceed the limit. Each password has counts of its own.
func (s *site) countTry(ctx context.Context, c credential, addr string) (signInTry, error) {
	now, prefix := s.Now(), failedPrefix+c.Generation+"/"
	t := signInTry{counts: []string{prefix + origin.LimitKey(addr)}}
	own, err := s.Backend.Take(ctx, t.counts[0], now, failedSignIns)
	if err != nil {
		return signInTry{}, err
	}
	t.own = own.InWindow
	if !own.Taken {
		t.wait = own.Oldest.Add(failedSignIns.Window).Sub(now)
		return t, nil
	}
	network, ok := origin.Network(addr)
	if !ok {
		return t, nil
	}
	t.counts = append(t.counts, prefix+network)
	all, err := s.Backend.Take(ctx, prefix+network, now, failedInNetwork)
	if err == nil && !all.Taken {
		t.wait, t.network = all.Oldest.Add(failedInNetwork.Window).Sub(now), true
	}
	return t, err
}

func (t signInTry) message() string {
	if t.network {
		return fmt.Sprintf("Many wrong passwords came from this network. Try again in %s.", layout.Waiting(t.wait))
	}
	return fmt.Sprintf("Five wrong passwords came from this address. Try again in %s.", layout.Waiting(t.wait))
}

// startSession starts a session and ends the browser's previous one.
func (s *site) startSession(r *http.Request, generation, next string) (response, error) {
	if old, err := r.Cookie(s.cookieName(r)); err == nil && old.Value != "" {
		if err := s.endSession(r.Context(), old.Value); err != nil {
			return response{}, err
		}
	}
	made, err := s.newSession(r.Context(), generation)
	if err != nil {
		return response{}, err
	}
	return response{to: next, cookie: s.cookie(r, made.token, sessionLife)}, nil
}

func (s *site) signOut(r *http.Request, current session) (response, error) {
	if err := s.endSession(r.Context(), current.token); err != nil {
		return response{}, err
	}
	return response{to: "/dashboard/sign-in?signed-out", cookie: s.cookie(r, "", 0)}, nil
}

// setupView is the content of the page that sets the first password.
type setupView struct {
	Token    string
	Min, Max int
	Message  string
}

var setupExpired = layout.Failure{
	Status: http.StatusNotFound, Title: "This setup link has expired",
	Text: "It works once, for 30 minutes. If the dashboard has no password yet, restart the server for a new link, or run devkiln admin set-password.",
}

func (s *site) setupForm(r *http.Request, _ session) (response, error) {
	token := r.Form.Get("token")
	err := checkSetup(r.Context(), s.Backend, token)
	if errors.Is(err, errNoSetup) {
		return response{}, setupExpired
	}
	return setupPageOf(http.StatusOK, token, ""), err
}

func setupPageOf(status int, token, message string) response {
	return response{status: status, view: "setup", title: "Set the admin password", content: setupView{token, MinPassword, MaxPassword, message}}
}

func (s *site) setup(r *http.Request, _ session) (response, error) {
	ctx, token, password := r.Context(), r.PostForm.Get("token"), r.PostForm.Get("password")
	if err := CheckPassword(password); err != nil {
		return setupPageOf(http.StatusBadRequest, token, sentence(err)), nil
	}
	if password != r.PostForm.Get("again") {
		return setupPageOf(http.StatusBadRequest, token, "The two passwords differ. Type the same one twice."), nil
	}
	err := useSetup(ctx, s.Backend, token, password, s.Now())
	if errors.Is(err, errNoSetup) {
		return response{}, setupExpired
	}
	if err != nil {
		return response{}, err
	}
	s.Log.InfoContext(ctx, "admin password set", "address", s.ClientAddr(r))
	s.record(r, audit.PasswordSet, Owner, "")
	c, _, err := readCredential(ctx, s.Backend)
	if err != nil {
		return response{}, err
	}
	return s.startSession(r, c.Generation, home)
}

func wrongPassword(left int) string {
	switch left {
	case 0:
		return "That is not the password. The next try is in 15 minutes."
	case 1:
		return "That is not the password. One try is left before a pause of 15 minutes."
	default:
		return fmt.Sprintf("That is not the password. %d tries are left before a pause of 15 minutes.", left)
	}
}

// sentence formats an error as a sentence.
func sentence(err error) string {
	text := []rune(err.Error())
	return string(append([]rune{text[0] &^ 0x20}, text[1:]...)) + "."
}
