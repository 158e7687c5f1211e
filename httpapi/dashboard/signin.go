package dashboard

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"path"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/httpapi/web/layout"
	"github.com/devkiln/devkiln/store"
)

// failedSignIns are the wrong passwords that one address may send. Each try is
// counted before it is looked at, so that tries at once are no way around, and
// the right password takes the count back.
var failedSignIns = store.Limits{Window: 15 * time.Minute, PerWindow: 5}

const failedPrefix = "signin/"

// home is where who signs in arrives, unless another page was asked for.
const home = "/dashboard"

// signInPath is where a visitor who is not signed in is sent. It leads back to
// what was asked for.
func (s *site) signInPath(r *http.Request) string {
	next := s.back(r.URL.RequestURI())
	if next == home {
		return "/dashboard/sign-in"
	}
	return "/dashboard/sign-in?" + url.Values{"next": {next}}.Encode()
}

// back returns next if it is the address of a page behind the sign-in, and home
// for everything else: a link to the sign-in leads nowhere but here.
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

// signInView is the content of the page to sign in.
type signInView struct {
	Next       string // where to go then; empty: home
	NoPassword bool   // none is set yet
	Message    string
	Closed     bool // nothing can be tried now
	SignedOut  bool
}

func (s *site) signInForm(r *http.Request, _ session) (reply, error) {
	next := s.back(r.Form.Get("next"))
	if _, err := s.currentSession(r); err == nil {
		return reply{to: next}, nil
	}
	_, found, err := readCredential(r.Context(), s.Backend)
	if err != nil {
		return reply{}, err
	}
	return signInPage(http.StatusOK, next, signInView{NoPassword: !found, SignedOut: r.Form.Has("signed-out")}), nil
}

func signInPage(status int, next string, v signInView) reply {
	if next != home {
		v.Next = next
	}
	return reply{status: status, view: "sign-in", title: "Sign in", content: v}
}

func (s *site) signIn(r *http.Request, _ session) (reply, error) {
	ctx, now := r.Context(), s.Now()
	addr, next := s.ClientAddr(r), s.back(r.PostForm.Get("next"))
	tries := failedPrefix + origin.LimitKey(addr)
	usage, err := s.Backend.Take(ctx, tries, now, failedSignIns)
	if err != nil {
		return reply{}, err
	}
	if !usage.Taken {
		wait := usage.Oldest.Add(failedSignIns.Window).Sub(now)
		a := signInPage(http.StatusTooManyRequests, next, signInView{Closed: true, Message: fmt.Sprintf(
			"Five wrong passwords came from this address. Try again in %s.", minutes(wait))})
		a.after = wait
		return a, nil
	}
	c, found, err := readCredential(ctx, s.Backend)
	if err != nil {
		return reply{}, err
	}
	if !found {
		return signInPage(http.StatusForbidden, next, signInView{NoPassword: true}), nil
	}
	right, err := s.verify(ctx, c, r.PostForm.Get("password"))
	if err != nil {
		return reply{}, err
	}
	if !right {
		s.Log.WarnContext(ctx, "sign-in refused", "address", addr)
		return signInPage(http.StatusForbidden, next, signInView{Message: wrongPassword(failedSignIns.PerWindow - usage.InWindow)}), nil
	}
	if err := s.Backend.Delete(ctx, tries); err != nil && !errors.Is(err, store.ErrNotFound) {
		return reply{}, err
	}
	s.Log.InfoContext(ctx, "signed in", "address", addr)
	return s.admit(r, c.Generation, next)
}

// verify compares a password with the one that is set, after those that wait
// already.
func (s *site) verify(ctx context.Context, c credential, password string) (bool, error) {
	select {
	case s.hashing <- struct{}{}:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	defer func() { <-s.hashing }()
	return c.matches(password), nil
}

// admit starts a session and ends the one that the browser had.
func (s *site) admit(r *http.Request, generation, next string) (reply, error) {
	if old, err := r.Cookie(s.cookieName(r)); err == nil && old.Value != "" {
		if err := s.endSession(r.Context(), old.Value); err != nil {
			return reply{}, err
		}
	}
	made, err := s.newSession(r.Context(), generation)
	if err != nil {
		return reply{}, err
	}
	return reply{to: next, cookie: s.cookie(r, made.token)}, nil
}

func (s *site) signOut(r *http.Request, current session) (reply, error) {
	if err := s.endSession(r.Context(), current.token); err != nil {
		return reply{}, err
	}
	return reply{to: "/dashboard/sign-in?signed-out", cookie: s.cookie(r, "")}, nil
}

// setupView is the content of the page that sets the first password.
type setupView struct {
	Token    string
	Min, Max int
	Message  string
}

var setupOver = layout.Failure{
	Status: http.StatusNotFound, Title: "This setup link is over",
	Text: "It works once, for 30 minutes. If the dashboard has no password yet, restart the server for a new link, or run devkiln admin set-password.",
}

func (s *site) setupForm(r *http.Request, _ session) (reply, error) {
	token := r.Form.Get("token")
	err := checkSetup(r.Context(), s.Backend, token)
	if errors.Is(err, errNoSetup) {
		return reply{}, setupOver
	}
	return setupPageOf(http.StatusOK, token, ""), err
}

func setupPageOf(status int, token, message string) reply {
	return reply{status: status, view: "setup", title: "Set the admin password", content: setupView{token, MinPassword, MaxPassword, message}}
}

func (s *site) setup(r *http.Request, _ session) (reply, error) {
	ctx, token, password := r.Context(), r.PostForm.Get("token"), r.PostForm.Get("password")
	if err := CheckPassword(password); err != nil {
		return setupPageOf(http.StatusBadRequest, token, sentence(err)), nil
	}
	if password != r.PostForm.Get("again") {
		return setupPageOf(http.StatusBadRequest, token, "The two passwords differ. Type the same one twice."), nil
	}
	err := useSetup(ctx, s.Backend, token, password, s.Now())
	if errors.Is(err, errNoSetup) {
		return reply{}, setupOver
	}
	if err != nil {
		return reply{}, err
	}
	s.Log.InfoContext(ctx, "admin password set", "address", s.ClientAddr(r))
	c, _, err := readCredential(ctx, s.Backend)
	if err != nil {
		return reply{}, err
	}
	return s.admit(r, c.Generation, home)
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

// minutes says a time to wait, rounded up.
func minutes(d time.Duration) string {
	n := int(math.Ceil(d.Minutes()))
	if n <= 1 {
		return "a minute"
	}
	return fmt.Sprintf("%d minutes", n)
}

// sentence writes an error as a sentence.
func sentence(err error) string {
	text := []rune(err.Error())
	return string(append([]rune{text[0] &^ 0x20}, text[1:]...)) + "."
}
