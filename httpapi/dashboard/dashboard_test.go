package dashboard_test

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/dashboard"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/httpapi/usage"
	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

const password = "correct horse battery"

// TestMain renders a page before the tests, so that what a process initializes
// once for its pages is initialized outside synctest bubbles.
func TestMain(m *testing.M) {
	r := httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/", nil)
	r.Header.Set("Accept", "text/html")
	layout.New(layout.Options{}).Fail(httptest.NewRecorder(), r, layout.NoPage)
	os.Exit(m.Run())
}

// panel is a dashboard over a new store, and a browser.
type panel struct {
	http.Handler
	dashboard *dashboard.Handler
	backend   *store.Memory
	keys      *apikey.Keyring
	usage     *usage.Counter
	shares    *share.Service
	log       *bytes.Buffer

	addr    string
	cookies map[string]*http.Cookie
}

func newShares(t *testing.T, s store.Store, o share.Options) *share.Service {
	t.Helper()
	shares, err := share.New(s, o)
	require.NoError(t, err)
	return shares
}

func newPanel(t *testing.T, change ...func(*dashboard.Options)) *panel {
	t.Helper()
	p := &panel{backend: store.NewMemory(), log: &bytes.Buffer{}, addr: "192.0.2.1", cookies: make(map[string]*http.Cookie)}
	var err error
	p.keys, err = apikey.New(p.backend, "a-key-out-of-the-environment")
	require.NoError(t, err)
	p.usage = usage.New(p.backend)
	p.shares = newShares(t, p.backend, share.Options{List: true})
	o := dashboard.Options{
		Backend: p.backend, Keys: p.keys, Usage: p.usage, Shares: p.shares, Limits: ratelimit.Limits{PerMinute: 100, PerDay: 10_000},
		Log: slog.New(slog.NewTextHandler(p.log, nil)),
	}
	for _, f := range change {
		f(&o)
	}
	p.dashboard, err = dashboard.New(o)
	require.NoError(t, err)
	p.Handler = p.dashboard
	return p
}

// mount serves the dashboard with the public pages below a base URL.
func (p *panel) mount(t *testing.T, base *url.URL) {
	t.Helper()
	var err error
	p.Handler, err = web.New(web.Options{Shares: p.shares, BaseURL: base, Dashboard: p.dashboard, Sharing: web.Sharing{SignedIn: p.dashboard.SignedIn}})
	require.NoError(t, err)
}

// wait advances the clock of a bubble.
func wait(d time.Duration) { <-time.After(d) }

// other returns another browser for the same dashboard.
func (p *panel) other() *panel {
	q := *p
	q.cookies = make(map[string]*http.Cookie)
	return &q
}

func (p *panel) do(t *testing.T, method, target string, form url.Values, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(form.Encode()))
	r.RemoteAddr = p.addr + ":1234"
	r.Header.Set("Accept", "text/html")
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	for _, c := range p.cookies {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		p.cookies[c.Name] = c
		if c.MaxAge < 0 {
			delete(p.cookies, c.Name)
		}
	}
	return w
}

func (p *panel) get(t *testing.T, target string) *httptest.ResponseRecorder {
	t.Helper()
	return p.do(t, http.MethodGet, target, nil)
}

func (p *panel) post(t *testing.T, target string, pairs ...string) *httptest.ResponseRecorder {
	t.Helper()
	return p.do(t, http.MethodPost, target, form(pairs...))
}

func form(pairs ...string) url.Values {
	form := make(url.Values)
	for i := 0; i < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	return form
}

func (p *panel) setPassword(t *testing.T) {
	t.Helper()
	require.NoError(t, dashboard.SetQuickPassword(t.Context(), p.backend, password, time.Now()))
}

// signIn sets the password and signs in.
func (p *panel) signIn(t *testing.T) {
	t.Helper()
	p.setPassword(t)
	w := p.post(t, "/dashboard/sign-in", "password", password)
	require.Equal(t, http.StatusSeeOther, w.Code, w.Body)
}

func (p *panel) signedIn(t *testing.T) bool {
	t.Helper()
	return p.get(t, "/dashboard").Code == http.StatusOK
}

func signedOut(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	assert.Equal(t, http.StatusSeeOther, w.Code)
	to, _, _ := strings.Cut(w.Header().Get("Location"), "?")
	assert.True(t, strings.HasSuffix(to, "/dashboard/sign-in"), to)
}

func TestNew_refuses(t *testing.T) {
	_, err := dashboard.New(dashboard.Options{})
	require.EqualError(t, err, "dashboard: Options.Backend, Keys, Usage and Shares must not be nil")
	_, err = dashboard.New(dashboard.Options{Backend: store.NewMemory()})
	require.EqualError(t, err, "dashboard: Options.Backend, Keys, Usage and Shares must not be nil")
}

func TestPages_withoutASession(t *testing.T) {
	p := newPanel(t)
	p.setPassword(t)
	for _, path := range []string{"/dashboard", "/dashboard/keys", "/dashboard/keys/0123456789ab", "/dashboard/keys/0123456789ab/revoke", "/dashboard/shares", "/dashboard/settings"} {
		signedOut(t, p.get(t, path))
	}
	for _, path := range []string{"/dashboard/keys", "/dashboard/keys/0123456789ab/revoke", "/dashboard/shares", "/dashboard/sign-out"} {
		signedOut(t, p.post(t, path, "name", "x", "expiry", "never"))
	}
	p.cookies["devkiln"] = &http.Cookie{Name: "devkiln", Value: "AAAAAAAAAAAAAAAAAAAAAAAAAA"}
	signedOut(t, p.get(t, "/dashboard"))
	assert.Equal(t, http.StatusNotFound, p.get(t, "/dashboard/nowhere").Code)
	assert.Equal(t, http.StatusNotFound, p.get(t, "/dashboard/").Code)
	w := p.get(t, "/dashboard/sign-out")
	assert.Equal(t, http.StatusMethodNotAllowed, w.Code)
	assert.Equal(t, "POST", w.Header().Get("Allow"))
}

func TestSignIn_andOut(t *testing.T) {
	p := newPanel(t)
	assert.Contains(t, p.get(t, "/dashboard/sign-in").Body.String(), "No password yet")
	p.signIn(t)
	first := *p.cookies["devkiln"]
	assert.True(t, first.HttpOnly)
	assert.False(t, first.Secure, "by plain http")
	assert.Equal(t, http.SameSiteLaxMode, first.SameSite)
	assert.True(t, p.signedIn(t))
	assert.Equal(t, "/dashboard", p.get(t, "/dashboard/sign-in").Header().Get("Location"), "no need to sign in again")

	p.post(t, "/dashboard/sign-in", "password", password)
	assert.NotEqual(t, first.Value, p.cookies["devkiln"].Value, "a new id at sign-in")
	old := p.other()
	old.cookies["devkiln"] = &first
	assert.False(t, old.signedIn(t), "the old id is over")

	stolen := p.other()
	stolen.cookies["devkiln"] = p.cookies["devkiln"]
	assert.True(t, stolen.signedIn(t))
	p.post(t, "/dashboard/sign-out")
	assert.Empty(t, p.cookies)
	assert.False(t, stolen.signedIn(t), "signing out ends the session itself")
}

func TestSessions_cookieByHTTPS(t *testing.T) {
	for base, name := range map[string]string{"https://example.com": "devkiln", "https://example.com/tools/": "devkiln-1491d206"} {
		u, err := url.Parse(base)
		require.NoError(t, err)
		p := newPanel(t, func(o *dashboard.Options) { o.BaseURL = u })
		p.mount(t, u)
		p.setPassword(t)
		path := strings.TrimSuffix(u.Path, "/") + "/dashboard"
		w := p.post(t, path+"/sign-in", "password", password)
		assert.Equal(t, path, w.Header().Get("Location"))
		c := p.cookies["__Host-"+name]
		require.NotNil(t, c, p.cookies)
		assert.True(t, c.Secure && c.HttpOnly && c.Path == "/" && c.Domain == "")
		assert.True(t, p.signedIn(t))
		p.cookies[name] = &http.Cookie{Name: name, Value: c.Value}
		delete(p.cookies, "__Host-"+name)
		assert.False(t, p.signedIn(t), "a cookie that any page of the domain can set is none")
	}
}

func TestSessions_end(t *testing.T) {
	for name, c := range map[string]struct {
		every time.Duration
		times int
		alive bool
	}{
		"used nearly 12 hours": {time.Hour, 11, true},
		"used 12 hours":        {time.Hour, 12, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPanel(t)
				p.signIn(t)
				for range c.times - 1 {
					wait(c.every)
					require.True(t, p.signedIn(t))
				}
				wait(c.every)
				assert.Equal(t, c.alive, p.signedIn(t))
			})
		})
	}
}

func TestSetPassword_endsSessions(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine: it hashes passwords")
	}
	p := newPanel(t)
	p.signIn(t)
	require.NoError(t, dashboard.SetPassword(t.Context(), p.backend, "another password", time.Now()))
	assert.False(t, p.signedIn(t))
	assert.Equal(t, http.StatusForbidden, p.post(t, "/dashboard/sign-in", "password", password).Code)
}

func TestSignIn_fiveWrongPasswords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPanel(t)
		p.setPassword(t)
		for range 5 {
			assert.Equal(t, http.StatusForbidden, p.post(t, "/dashboard/sign-in", "password", "wrong").Code)
		}
		wait(10 * time.Minute)
		w := p.post(t, "/dashboard/sign-in", "password", password)
		assert.Equal(t, http.StatusTooManyRequests, w.Code)
		assert.Equal(t, "300", w.Header().Get("Retry-After"))
		assert.Contains(t, w.Body.String(), "Try again in 5 minutes.")

		elsewhere := p.other()
		elsewhere.addr = "192.0.2.2"
		assert.Equal(t, http.StatusSeeOther, elsewhere.post(t, "/dashboard/sign-in", "password", password).Code)

		wait(5 * time.Minute)
		assert.Equal(t, http.StatusSeeOther, p.post(t, "/dashboard/sign-in", "password", password).Code)
	})
}

// Concurrent tries are counted before any of them is checked. The IPv6
// addresses of a subscriber count as one.
func TestSignIn_fiveWrongPasswordsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPanel(t)
		p.setPassword(t)
		var codes sync.Map
		var all sync.WaitGroup
		for i := range 20 {
			q := p.other()
			q.addr = fmt.Sprintf("[2001:db8:0:7::%x]", i)
			all.Go(func() {
				n, _ := codes.LoadOrStore(q.post(t, "/dashboard/sign-in", "password", "wrong").Code, new(atomic.Int64))
				n.(*atomic.Int64).Add(1)
			})
		}
		all.Wait()
		got := make(map[any]int64)
		codes.Range(func(code, n any) bool { got[code] = n.(*atomic.Int64).Load(); return true })
		assert.Equal(t, map[any]int64{http.StatusForbidden: 5, http.StatusTooManyRequests: 15}, got)
		neighbour := p.other()
		neighbour.addr = "[2001:db8:0:8::1]"
		assert.Equal(t, http.StatusSeeOther, neighbour.post(t, "/dashboard/sign-in", "password", password).Code)
	})
}

func TestSignIn_rightPasswordResetsTheCount(t *testing.T) {
	p := newPanel(t)
	p.setPassword(t)
	for range 2 {
		for range 4 {
			require.Equal(t, http.StatusForbidden, p.post(t, "/dashboard/sign-in", "password", "wrong").Code)
		}
		require.Equal(t, http.StatusSeeOther, p.post(t, "/dashboard/sign-in", "password", password).Code)
	}
}

func TestNewSetup_worksOnceFor30Minutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPanel(t)
		token, err := dashboard.NewSetup(t.Context(), p.backend, time.Now())
		require.NoError(t, err)
		second, err := dashboard.NewSetup(t.Context(), p.backend, time.Now())
		require.NoError(t, err)
		assert.Equal(t, http.StatusNotFound, p.get(t, "/dashboard/setup?token=other").Code)
		assert.Equal(t, http.StatusOK, p.get(t, "/dashboard/setup?token="+token).Code)

		wait(dashboard.SetupLife - time.Millisecond)
		for _, c := range []struct{ password, again, says string }{
			{"short", "short", "must have 12 to 256"},
			{password, password + "x", "The two passwords differ"},
		} {
			w := p.post(t, "/dashboard/setup", "token", token, "password", c.password, "again", c.again)
			assert.Equal(t, http.StatusBadRequest, w.Code)
			assert.Contains(t, w.Body.String(), c.says)
		}
		w := p.post(t, "/dashboard/setup", "token", token, "password", password, "again", password)
		assert.Equal(t, http.StatusSeeOther, w.Code)
		assert.True(t, p.signedIn(t))
		for _, used := range []string{token, second} {
			assert.Equal(t, http.StatusNotFound, p.get(t, "/dashboard/setup?token="+used).Code)
			assert.Equal(t, http.StatusNotFound, p.post(t, "/dashboard/setup", "token", used, "password", password, "again", password).Code)
		}
		none, err := dashboard.NewSetup(t.Context(), p.backend, time.Now())
		require.NoError(t, err)
		assert.Empty(t, none, "there is a password")
	})
	synctest.Test(t, func(t *testing.T) {
		p := newPanel(t)
		token, err := dashboard.NewSetup(t.Context(), p.backend, time.Now())
		require.NoError(t, err)
		wait(dashboard.SetupLife)
		assert.Equal(t, http.StatusNotFound, p.post(t, "/dashboard/setup", "token", token, "password", password, "again", password).Code)
	})
}

func TestProvide(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine: it hashes passwords")
	}
	p := newPanel(t)
	provide := func(password string) {
		require.NoError(t, dashboard.Provide(t.Context(), p.backend, password, time.Now()))
	}
	provide(password)
	require.Equal(t, http.StatusSeeOther, p.post(t, "/dashboard/sign-in", "password", password).Code)
	provide(password)
	assert.True(t, p.signedIn(t), "a restart ends no session")
	provide("quite another one")
	assert.False(t, p.signedIn(t))
	provide("")
	assert.Contains(t, p.get(t, "/dashboard/sign-in").Body.String(), "No password yet")
	p.setPassword(t)
	provide("")
	assert.Equal(t, http.StatusSeeOther, p.post(t, "/dashboard/sign-in", "password", password).Code, "what a person has set stays")
	assert.Error(t, dashboard.Provide(t.Context(), p.backend, "short", time.Now()))
}

// The host known to the browser is the one that counts.
func TestForms_behindAProxy(t *testing.T) {
	p := newPanel(t, func(o *dashboard.Options) {
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.1/32")}
	})
	p.signIn(t)
	for origin, status := range map[string]int{
		"http://kiln.example": http.StatusOK, "http://example.com": http.StatusForbidden, "null": http.StatusForbidden,
	} {
		w := p.do(t, http.MethodPost, "/dashboard/keys", url.Values{"name": {"x"}, "expiry": {"never"}}, "Origin", origin, "X-Forwarded-Host", "kiln.example")
		assert.Equal(t, status, w.Code, origin)
	}
}

func TestForms_ofOtherSites(t *testing.T) {
	p := newPanel(t)
	p.signIn(t)
	for _, headers := range [][]string{
		{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "http://evil.example"},
	} {
		w := p.do(t, http.MethodPost, "/dashboard/keys", url.Values{"name": {"x"}, "expiry": {"never"}}, headers...)
		assert.Equal(t, http.StatusForbidden, w.Code)
		assert.Contains(t, w.Body.String(), "came from somewhere else")
		assert.Equal(t, http.StatusForbidden, p.do(t, http.MethodPost, "/dashboard/share/log", nil, headers...).Code)
	}
	keys, err := p.keys.List(t.Context())
	require.NoError(t, err)
	assert.Len(t, keys, 1, "the static one")
}

var newKey = regexp.MustCompile(`dk_[0-9A-Za-z]{36}`)

func TestKeys_shownOnce(t *testing.T) {
	p := newPanel(t)
	p.signIn(t)
	w := p.post(t, "/dashboard/keys", "name", `<b>"CI" & co</b>`, "expiry", "30")
	require.Equal(t, http.StatusOK, w.Code)
	assert.Equal(t, "no-store", w.Header().Get("Cache-Control"))
	stored, err := p.backend.List(t.Context(), "", "", 100)
	require.NoError(t, err)
	page := w.Body.String()
	secret := newKey.FindString(page)
	require.NotEmpty(t, secret)
	assert.Contains(t, html.UnescapeString(page), `curl -s http://example.com/api/v1/limits -H 'X-API-Key: `+secret+`'`)
	assert.NotContains(t, page, "<b>")
	key, err := p.keys.Authenticate(t.Context(), secret, time.Now())
	require.NoError(t, err)
	assert.Equal(t, `<b>"CI" & co</b>`, key.Name)
	assert.WithinDuration(t, time.Now().AddDate(0, 0, 30), key.Expires, time.Minute)

	assert.Empty(t, newKey.FindString(p.get(t, "/dashboard/keys").Body.String()), "shown once")
	for _, e := range stored {
		assert.NotContains(t, e.Key+string(e.Value), secret[7:len(secret)-4])
		assert.NotContains(t, e.Key+string(e.Value), p.cookies["devkiln"].Value)
	}
	for _, hidden := range []string{secret, password, p.cookies["devkiln"].Value} {
		assert.NotContains(t, p.log.String(), hidden)
	}
}

func TestKeys_needAName(t *testing.T) {
	p := newPanel(t)
	p.signIn(t)
	for name, expiry := range map[string]string{"": "never", "  ": "30", strings.Repeat("é", 101): "never", "\xff": "never", "fine": "tomorrow"} {
		w := p.post(t, "/dashboard/keys", "name", name, "expiry", expiry)
		assert.Equal(t, http.StatusBadRequest, w.Code, name)
		assert.Contains(t, w.Body.String(), `role="alert"`)
	}
	assert.Equal(t, http.StatusBadRequest, p.post(t, "/dashboard/keys", "name", strings.Repeat("x", 1<<17)).Code, "a form that is too large")
}

func TestKeys_revokingAsksFirst(t *testing.T) {
	p := newPanel(t)
	p.signIn(t)
	secret, key, err := p.keys.Issue(t.Context(), "ci", time.Now(), apikey.Options{})
	require.NoError(t, err)
	page := p.get(t, "/dashboard/keys/"+key.ID+"/revoke")
	assert.Contains(t, page.Body.String(), "Revoke “ci”?")
	assert.Contains(t, page.Body.String(), "It was last used: never.")
	p.usage.Count(key.ID, "log-share", http.StatusOK, time.Now())
	require.NoError(t, p.usage.Flush(t.Context()))
	assert.Contains(t, p.get(t, "/dashboard/keys/"+key.ID+"/revoke").Body.String(), "It was last used: today.")
	_, err = p.keys.Authenticate(t.Context(), secret, time.Now())
	require.NoError(t, err, "asking changes nothing")

	w := p.post(t, "/dashboard/keys/"+key.ID+"/revoke")
	assert.Equal(t, "/dashboard/keys/"+key.ID, w.Header().Get("Location"))
	_, err = p.keys.Authenticate(t.Context(), secret, time.Now())
	assert.ErrorIs(t, err, apikey.ErrInvalid)
	assert.Contains(t, p.get(t, "/dashboard/keys/"+key.ID).Body.String(), "Revoked")
	assert.Equal(t, http.StatusSeeOther, p.get(t, "/dashboard/keys/"+key.ID+"/revoke").Code, "there is nothing left to revoke")
	for _, id := range []string{"000000000000", "..", "x"} {
		assert.Equal(t, http.StatusNotFound, p.post(t, "/dashboard/keys/"+url.PathEscape(id)+"/revoke").Code, id)
	}
}

func (p *panel) share(t *testing.T, title string) share.Summary {
	t.Helper()
	_, err := p.shares.CreateLog(t.Context(), "ERROR x", share.LogOptions{Title: title, Expiry: share.Expiry1h})
	require.NoError(t, err)
	found, err := p.shares.Find(t.Context(), share.Query{Limit: 1})
	require.NoError(t, err)
	require.Len(t, found.Shares, 1)
	return found.Shares[0]
}

func TestShares_listedAndDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPanel(t)
		p.signIn(t)
		assert.Contains(t, p.get(t, "/dashboard/shares").Body.String(), "Nothing is shared right now.")
		var made []share.Summary
		for range 51 {
			made = append(made, p.share(t, "<i>title</i>"))
			wait(time.Millisecond)
		}
		page := p.get(t, "/dashboard/shares").Body.String()
		assert.Equal(t, 50, strings.Count(page, `name="share"`))
		assert.NotContains(t, page, "<i>")
		assert.Contains(t, page, "60 minutes")
		assert.Less(t, strings.Index(page, made[50].ID), strings.Index(page, made[49].ID), "newest first")
		older := regexp.MustCompile(`href="([^"]*after=[^"]*)"`).FindStringSubmatch(page)
		require.NotNil(t, older)
		page = p.get(t, html.UnescapeString(older[1])).Body.String()
		assert.Equal(t, 1, strings.Count(page, `name="share"`))
		assert.Contains(t, page, made[0].ID)
		assert.Equal(t, http.StatusNotFound, p.get(t, "/dashboard/shares?after=nonsense").Code)

		asked := p.post(t, "/dashboard/shares", "share", made[1].Cursor(), "share", made[2].Cursor())
		assert.Contains(t, asked.Body.String(), "Delete 2 shares?")
		_, err := p.shares.Log(t.Context(), made[1].ID)
		require.NoError(t, err, "asking changes nothing")
		w := p.post(t, "/dashboard/shares", "share", made[1].Cursor(), "share", made[2].Cursor(), "share", "key/x", "sure", "yes")
		assert.Equal(t, "/dashboard/shares?deleted=2", w.Header().Get("Location"))
		for _, gone := range made[1:3] {
			_, err := p.shares.Log(t.Context(), gone.ID)
			assert.ErrorIs(t, err, share.ErrNotFound)
		}
		assert.Contains(t, p.post(t, "/dashboard/shares", "only", made[5].Cursor()).Body.String(), "Delete 1 share?")
		assert.Equal(t, "/dashboard/shares?none", p.post(t, "/dashboard/shares").Header().Get("Location"), "nothing chosen")
		wait(time.Hour)
		assert.Contains(t, p.get(t, "/dashboard/shares").Body.String(), "Nothing is shared right now.", "shares expire")
	})
}

func TestKeys_usage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPanel(t)
		p.signIn(t)
		_, key, err := p.keys.Issue(t.Context(), "ci", time.Now(), apikey.Options{})
		require.NoError(t, err)
		path := "/dashboard/keys/" + key.ID
		assert.Contains(t, p.get(t, path).Body.String(), "has not been used in the last 30 days")
		for _, status := range []int{200, 200, 400, 429, 503} {
			p.usage.Count(key.ID, "log-share", status, time.Now())
		}
		p.usage.Count(key.ID, "slug-generator", 200, time.Now().AddDate(0, 0, -29))
		p.usage.Count(key.ID, "code-screenshot", 200, time.Now().AddDate(0, 0, -30))
		require.NoError(t, p.usage.Flush(t.Context()))
		page := p.get(t, path).Body.String()
		assert.Contains(t, page, "6 requests: 3 succeeded, 1 rate limited (429), 2 errors.")
		assert.Contains(t, page, time.Now().UTC().Format("2 Jan")+": 5 requests, 1 rate limited, 2 errors")
		assert.Contains(t, page, "slug-generator")
		assert.NotContains(t, page, "code-screenshot", "31 days ago")
		assert.Contains(t, page, `viewBox="0 -10 30 10"`)
		assert.Equal(t, 2, strings.Count(page, " scale(1 -1)\"><title>"), "days with requests")
		assert.Contains(t, p.get(t, "/dashboard/keys").Body.String(), `>4 <span class="muted">of 10,000`, "429 uses up nothing")
		overview := p.get(t, "/dashboard").Body.String()
		assert.Contains(t, overview, "Requests today</dt><dd>5<")
		assert.Contains(t, overview, "1 client, 1 server")
	})
}

var link = regexp.MustCompile(`(?:href|src|action)="(/[^"]*)"`)

// Every link of a page works below the path of the base URL.
func TestPages_linksUnderTheBaseURL(t *testing.T) {
	base, err := url.Parse("http://example.com/tools/")
	require.NoError(t, err)
	p := newPanel(t, func(o *dashboard.Options) { o.BaseURL = base })
	p.mount(t, base)
	p.setPassword(t)
	check := func(paths ...string) {
		for _, path := range paths {
			w := p.get(t, "/tools"+path)
			require.Equal(t, http.StatusOK, w.Code, path)
			h := w.Header()
			assert.Contains(t, h.Get("Content-Security-Policy"), "script-src 'self'; style-src 'self'")
			assert.Equal(t, "strict-origin", h.Get("Referrer-Policy"), "no path, but forms tell where they come from")
			assert.Equal(t, "no-store", h.Get("Cache-Control"))
			assert.Contains(t, h.Get("X-Robots-Tag"), "noindex")
			for _, l := range link.FindAllStringSubmatch(w.Body.String(), -1) {
				assert.True(t, strings.HasPrefix(l[1], "/tools/"), "%s links to %s", path, l[1])
				assert.NotEqual(t, http.StatusNotFound, p.get(t, html.UnescapeString(l[1])).Code, "%s links to %s", path, l[1])
			}
		}
	}
	check("/dashboard/sign-in")
	p.post(t, "/tools/dashboard/sign-in", "password", password)
	_, key, err := p.keys.Issue(t.Context(), "ci", time.Now(), apikey.Options{})
	require.NoError(t, err)
	p.share(t, "title")
	check("/dashboard", "/dashboard/keys", "/dashboard/keys/"+key.ID, "/dashboard/keys/"+key.ID+"/revoke", "/dashboard/shares", "/dashboard/settings")
}

func TestHandler_signedIn(t *testing.T) {
	p := newPanel(t)
	p.setPassword(t)
	owner := func() string {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/new", http.NoBody)
		for _, c := range p.cookies {
			r.AddCookie(c)
		}
		owner, err := p.dashboard.SignedIn(r)
		require.NoError(t, err)
		return owner
	}
	assert.Empty(t, owner())
	p.signIn(t)
	assert.Equal(t, "dashboard", owner())
	p.post(t, "/dashboard/sign-out")
	assert.Empty(t, owner())
}

// Many keys are listed page by page, and found by name, user and ID.
func TestKeys_many(t *testing.T) {
	p := newPanel(t)
	p.signIn(t)
	start := time.Now().Add(-time.Hour)
	var last apikey.Key
	for i := range 119 {
		_, k, err := p.keys.Issue(t.Context(), fmt.Sprintf("robot %03d", i), start.Add(time.Duration(i)*time.Second), apikey.Options{Owner: "user:carol"})
		require.NoError(t, err)
		last = k
	}
	row := regexp.MustCompile(`<th scope="row"><a href="/dashboard/keys/[^>]*>([^<]*)<`)
	for query, want := range map[string]struct {
		rows         int
		first        string
		newer, older bool
		count        string
	}{
		"":                    {50, "robot 118", false, true, "120 keys"},
		"?page=2":             {50, "robot 068", true, true, "120 keys"},
		"?page=3":             {20, "robot 018", true, false, "120 keys"},
		"?page=9":             {20, "robot 018", true, false, "120 keys"},
		"?page=-1":            {50, "robot 118", false, true, "120 keys"},
		"?q=ROBOT+11":         {9, "robot 118", false, false, "9 of 120 keys"},
		"?q=carol&page=3":     {19, "robot 018", true, false, "119 of 120 keys"},
		"?q=" + last.ID:       {1, "robot 118", false, false, "1 of 120 keys"},
		"?q=" + last.LastFour: {1, "robot 118", false, false, "1 of 120 keys"},
		"?q=%26+%22nobody":    {0, "", false, false, "0 of 120 keys"},
	} {
		page := p.get(t, "/dashboard/keys"+query).Body.String()
		rows := row.FindAllStringSubmatch(page, -1)
		require.Len(t, rows, want.rows, query)
		if want.rows > 0 {
			assert.Equal(t, want.first, rows[0][1], query)
		}
		assert.Equal(t, want.newer, strings.Contains(page, ">Newer</a>"), query)
		assert.Equal(t, want.older, strings.Contains(page, ">Older</a>"), query)
		assert.Contains(t, page, want.count, query)
		for _, link := range regexp.MustCompile(`href="(/dashboard/keys\?[^"]*)"`).FindAllStringSubmatch(page, -1) {
			assert.Contains(t, p.get(t, html.UnescapeString(link[1])).Body.String(), want.count, link[1])
		}
		assert.Equal(t, want.rows == 0, strings.Contains(page, "No key matches."), query)
	}
}

// Numbers of settings read as people write them, and the exact value is their title.
func TestSettings_numbers(t *testing.T) {
	tests := [][3]string{
		{"rate-day", "10000", "10,000"},
		{"rate-day", "1048576", "1,048,576"},
		{"rate-day", "0", "0"},
		{"max-log-bytes", "33554432", "32 MiB"},
		{"max-log-bytes", "2000000", "2,000,000"},
		{"drain-delay", "0s", "0s"},
	}
	for _, tt := range tests {
		p := newPanel(t, func(o *dashboard.Options) { o.Settings = []dashboard.Setting{{Name: tt[0], Value: tt[1]}} })
		p.signIn(t)
		assert.Contains(t, p.get(t, "/dashboard/settings").Body.String(), `title="`+tt[1]+`">`+tt[2]+`</span>`, tt)
	}
}
