package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/audit"
	"github.com/devkiln/devkiln/httpapi/dashboard"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/httpapi/usage"
	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

const deskPassword = "correct horse battery"

// desk is a service with a dashboard on a loopback address.
type desk struct {
	*httptest.Server
	backend store.Backend
	keys    *apikey.Keyring
	usage   *usage.Counter
	shares  *share.Service
	ahead   atomic.Int64 // offset of the clock for sessions, in nanoseconds
}

// newDesk starts a desk with a password.
func newDesk(tb testing.TB) *desk {
	tb.Helper()
	d := newBareDesk(tb)
	require.NoError(tb, dashboard.SetPassword(context.Background(), d.backend, deskPassword, time.Now()))
	return d
}

func newBareDesk(tb testing.TB) *desk {
	tb.Helper()
	return newDeskAt(tb, nil)
}

// newDeskAt starts a desk without a password, with a base URL.
func newDeskAt(tb testing.TB, base *url.URL) *desk {
	tb.Helper()
	return newDeskOf(tb, base, nil)
}

// newMemberDesk starts a desk whose proxy has signed in a user.
func newMemberDesk(tb testing.TB, user string) *desk {
	tb.Helper()
	return newDeskOf(tb, nil, func(*http.Request) (string, error) { return user, nil })
}

func newDeskOf(tb testing.TB, base *url.URL, user func(*http.Request) (string, error)) *desk {
	tb.Helper()
	backend := store.NewMemory()
	shares, err := share.New(backend, share.Options{List: true})
	require.NoError(tb, err)
	d := &desk{backend: backend, usage: usage.New(backend), shares: shares}
	d.keys, err = apikey.New(backend)
	require.NoError(tb, err)
	panel, err := dashboard.New(dashboard.Options{
		Backend: backend, Keys: d.keys, Usage: d.usage, Shares: d.shares, Limits: ratelimit.Limits{PerMinute: 100, PerDay: 10_000},
		BaseURL: base, User: user, NoPassword: user != nil,
		Now: func() time.Time { return time.Now().Add(time.Duration(d.ahead.Load())) },
		Settings: []dashboard.Setting{
			{Name: "base-url", Source: "default", Help: "Where the service is reached from outside, for the links it makes."},
			{Name: "listen", Value: "127.0.0.1:8080", Source: "flag", Help: "The address to listen on."},
			{Name: "rate-day", Value: "10000", Source: "DEVKILN_RATE_DAY", Help: "Requests per key and UTC day; 0 is no limit."},
			{Name: "store", Value: "postgres://devkiln:xxxxx@database.internal.example.com:5432/devkiln?sslmode=verify-full", Source: "DEVKILN_STORE", Help: "Where shares, keys and counts are kept."},
		},
	})
	require.NoError(tb, err)
	pages, err := web.New(web.Options{Shares: d.shares, Dashboard: panel, BaseURL: base, Sharing: web.Sharing{Keys: d.keys, SignedIn: panel.SignedIn, Usage: d.usage}})
	require.NoError(tb, err)
	handler, err := httpapi.New(httpapi.Options{
		Shares: d.shares, Keys: d.keys, Usage: d.usage, Pages: pages, BaseURL: base,
	})
	require.NoError(tb, err)
	d.Server = httptest.NewServer(handler)
	tb.Cleanup(d.Close)
	return d
}

// fill adds keys, counts and shares to a desk. It returns the id of the busiest
// key.
func (d *desk) fill(tb testing.TB) string {
	tb.Helper()
	ctx, now := context.Background(), time.Now()
	issue := func(name string, expires time.Time) apikey.Key {
		_, k, err := d.keys.Issue(ctx, name, now, apikey.Options{Expires: expires})
		require.NoError(tb, err)
		return k
	}
	busy := issue("build server", time.Time{})
	editor := issue("editor plugin of the platform team", now.AddDate(0, 3, 0))
	old := issue("laptop", time.Time{})
	require.NoError(tb, d.keys.Revoke(ctx, old.ID, now))
	for back := range 30 {
		day := now.AddDate(0, 0, -back)
		for i, operation := range []string{"log-share", "code-snippet-share", "slug-generator", "code-screenshot", "log-share-read"} {
			for range (back*7+13)%(29-4*i) + 2 - i/3 {
				d.usage.Count(busy.ID, operation, 200, day)
			}
		}
		for range back % 5 {
			d.usage.Count(busy.ID, "log-share", 400, day)
			d.usage.Count(busy.ID, "slug-generator", 429, day)
		}
	}
	for i, code := range []string{"validation_failed", "unavailable", "insufficient_scope"} {
		d.usage.Fail(usage.Failure{At: now.Add(-time.Duration(i) * time.Hour), RequestID: "6ocdtp7w2lthg4eibvuqdyhe2m", Key: busy.ID, Operation: "code-snippet-share", Status: []int{400, 503, 403}[i], Code: code})
	}
	for i, e := range []audit.Event{
		{Kind: audit.KeyRevoked, Actor: "user:ada@example.com", Object: old.ID, From: "2001:db8:85a3::8a2e:370:7334"},
		{Kind: audit.Deleted, Actor: busy.ID, Object: strings.Repeat("/logs/0123456789abcdef ", 3) + "/snippets/0123456789abcdef", From: "192.0.2.1"},
		{Kind: audit.SignInRefused, From: "198.51.100.23"},
		{Kind: audit.KeyCreated, Object: editor.ID, From: "command line"},
	} {
		e.At = now.Add(-time.Duration(i) * time.Hour)
		require.NoError(tb, audit.New(d.backend).Add(ctx, e))
	}
	d.usage.Count(editor.ID, "gradient-generator", 200, now)
	d.usage.Count(editor.ID, "code-screenshot", 503, now)
	require.NoError(tb, d.usage.Flush(ctx))
	for i := range 60 {
		owner := busy.ID
		if i%7 == 0 {
			owner = editor.ID
		}
		if i%3 == 0 {
			_, err := d.shares.CreateSnippet(ctx, strings.Repeat("package main\n", i*i+1), share.SnippetOptions{Title: fmt.Sprintf("main%d.go", i), Language: "go", Expiry: share.ExpiryNever, Owner: owner})
			require.NoError(tb, err)
			continue
		}
		title := fmt.Sprintf("Payment timeouts after deploy %d", i)
		if i == 58 {
			title = ""
		}
		if i == 56 {
			title = strings.Repeat("A long title that says everything about it ", 4)
		}
		_, err := d.shares.CreateLog(ctx, strings.Repeat("ERROR it broke\n", i*i*3+1), share.LogOptions{Title: title, Expiry: share.Expiry7d, Owner: owner})
		require.NoError(tb, err)
	}
	return busy.ID
}

// fillMember adds a key and shares for carol. It returns the id of the key.
func (d *desk) fillMember(tb testing.TB) string {
	tb.Helper()
	ctx, now := context.Background(), time.Now()
	d.fill(tb)
	_, k, err := d.keys.Issue(ctx, "laptop", now, apikey.Options{
		Owner: "user:carol@platform.example.com", Scopes: []apikey.Scope{apikey.ScopeShare, apikey.ScopeRead}, PerMinute: 20, MaxExpiry: 30 * 24 * time.Hour,
	})
	require.NoError(tb, err)
	for back := range 12 {
		d.usage.Count(k.ID, "log-share", 200, now.AddDate(0, 0, -back))
	}
	require.NoError(tb, d.usage.Flush(ctx))
	for i := range 3 {
		_, err := d.shares.CreateLog(ctx, "ERROR it broke\n", share.LogOptions{Title: fmt.Sprintf("By carol %d", i), Owner: k.Owner})
		require.NoError(tb, err)
	}
	return k.ID
}

// deskLook is a view of a page.
type deskLook struct {
	name      string
	width     int64
	dark      bool
	noScripts bool
}

// deskLooks cover every pair of width, colour scheme and scripts.
var deskLooks = []deskLook{
	{"wide", 1440, false, false},
	{"wide-dark-without-scripts", 1440, true, true},
	{"narrow-without-scripts", 390, false, true},
	{"narrow-dark", 390, true, false},
}

// deskTab is a browser tab with the errors that occurred in it.
type deskTab struct {
	*e2e.Browser
	server string
	look   deskLook

	mu     sync.Mutex
	faults []string
}

func openDesk(tb testing.TB, b *e2e.Browser, server string, look deskLook) *deskTab {
	tb.Helper()
	ctx, closeTab := chromedp.NewContext(b.Context)
	tb.Cleanup(closeTab)
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	tb.Cleanup(cancel)
	t := &deskTab{Browser: &e2e.Browser{Context: ctx}, server: server, look: look}
	require.NoError(tb, chromedp.Listen(ctx, t.note))
	view{width: look.width, dark: look.dark, noScripts: look.noScripts}.apply(ctx, tb)
	return t
}

func (t *deskTab) origin() string {
	u, err := url.Parse(t.server)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

func (t *deskTab) note(event any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch e := event.(type) {
	case *log.EventEntryAdded:
		expected := strings.Contains(e.Entry.Text, "the server responded with a status of 4") ||
			strings.Contains(t.server, e2e.Named) && strings.HasPrefix(e.Entry.Text, "The Cross-Origin-Opener-Policy header has been ignored")
		if (e.Entry.Level == "error" || e.Entry.Source == "security") && !expected {
			t.faults = append(t.faults, e.Entry.Text)
		}
	case *runtime.EventExceptionThrown:
		t.faults = append(t.faults, e.ExceptionDetails.Text)
	case *network.EventRequestWillBeSent:
		if referrer, _ := e.Request.Headers["Referer"].(string); referrer != "" && referrer != t.origin()+"/" && !strings.Contains(referrer, "/assets/") {
			t.faults = append(t.faults, "a referrer with a path: "+referrer)
		}
		if u := e.Request.URL; u != t.server && !strings.HasPrefix(u, t.server+"/") && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "blob:") && u != "about:blank" {
			t.faults = append(t.faults, "request to "+u)
		}
	}
}

func (t *deskTab) open(tb testing.TB, path string) {
	tb.Helper()
	require.NoError(tb, t.Load(chromedp.Navigate(t.server+path)))
}

func (t *deskTab) clean(tb testing.TB) {
	tb.Helper()
	t.mu.Lock()
	defer t.mu.Unlock()
	assert.Empty(tb, t.faults)
}

// deskCall calls a JavaScript function in the page.
func deskCall[T any](tb testing.TB, t *deskTab, function string, args ...any) T {
	tb.Helper()
	v, err := e2e.Call[T](t.Browser, function, args...)
	require.NoError(tb, err, function)
	return v
}

// press clicks an element and waits for the next page.
func (t *deskTab) press(tb testing.TB, selector string) {
	tb.Helper()
	t.act(tb, `(s) => document.querySelector(s).click()`, selector)
}

// act calls a function that leaves the page and waits for the next page.
func (t *deskTab) act(tb testing.TB, function string, args ...any) {
	tb.Helper()
	deskCall[any](tb, t, `() => { window.left = true; }`)
	deskCall[any](tb, t, function, args...)
	require.Eventually(tb, func() bool {
		arrived, err := e2e.Call[bool](t.Browser, `() => !window.left && document.readyState === 'complete'`)
		return err == nil && arrived
	}, time.Minute, 10*time.Millisecond, "no page followed")
}

// fillIn types a value into a field.
func (t *deskTab) fillIn(tb testing.TB, selector, value string) {
	tb.Helper()
	deskCall[any](tb, t, `(s, v) => { document.querySelector(s).value = v; }`, selector, value)
}

func (t *deskTab) text(tb testing.TB, selector string) string {
	tb.Helper()
	return deskCall[string](tb, t, `(s) => document.querySelector(s)?.textContent ?? ''`, selector)
}

func (t *deskTab) signIn(tb testing.TB) {
	tb.Helper()
	t.open(tb, "/dashboard")
	if t.text(tb, "h1") == "Sign in" {
		t.pass(tb, deskPassword)
		require.Equal(tb, "Overview", t.text(tb, "h1"))
	}
}

// pass submits a password on the sign-in page.
func (t *deskTab) pass(tb testing.TB, password string) {
	tb.Helper()
	t.fillIn(tb, "input[name=password]", password)
	t.press(tb, "main button")
}

// judge checks a page with axe-core and for horizontal overflow, and saves a
// screenshot to DEVKILN_SCREENSHOTS.
func (t *deskTab) judge(tb testing.TB, axe, name string) {
	tb.Helper()
	name += "-" + t.look.name
	t.violations(tb, axe, name)
	assert.LessOrEqual(tb, deskCall[float64](tb, t, `() => document.documentElement.scrollWidth - document.documentElement.clientWidth`), 0.0, name)
	if dir := os.Getenv("DEVKILN_SCREENSHOTS"); dir != "" {
		picture, err := chromedp.Run(t.Context, chromedp.FullScreenshot(100))
		require.NoError(tb, err)
		require.NoError(tb, os.WriteFile(filepath.Join(dir, "dashboard-"+name+".png"), picture, 0o644))
	}
	t.clean(tb)
}

// violations runs axe-core. It enables scripts for that, once the page has
// loaded.
func (t *deskTab) violations(tb testing.TB, axe, name string) {
	tb.Helper()
	if t.look.noScripts {
		t.scripts(tb, true)
		defer t.scripts(tb, false)
	}
	_, err := chromedp.Run(t.Context, chromedp.Evaluate[any](axe+";0"))
	require.NoError(tb, err)
	assert.Empty(tb, deskCall[string](tb, t, `async () => {
		const result = await axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } });
		return result.violations.flatMap((v) => v.nodes.map((n) => v.id + ': ' + n.html.slice(0, 200) + ' ' + (n.any[0]?.message ?? ''))).join('\n');
	}`), name)
}

func (t *deskTab) scripts(tb testing.TB, run bool) {
	tb.Helper()
	_, err := chromedp.Call(t.Context, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !run})
	require.NoError(tb, err)
}

// Tables and figures fit windows of any width: no column is cut off or too
// narrow for its words, and no figure leaves a gap.
func TestDashboard_widths(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.fill(t)
	b := e2e.Open(t)
	for _, width := range []int64{1440, 1100, 1041, 1024, 1001, 1000, 820, 768, 390, 375} {
		p := openDesk(t, b, d.URL, deskLook{width: width})
		p.signIn(t)
		assert.True(t, deskCall[bool](t, p, `() => {
			const box = document.querySelector('.figures').getBoundingClientRect();
			const last = document.querySelector('.figures > :last-child').getBoundingClientRect();
			return Math.abs(box.right - last.right) < 3 && Math.abs(box.bottom - last.bottom) < 3;
		}`), "the figures at %d", width)
		for _, path := range []string{"", "/keys", "/shares", "/activity"} {
			p.open(t, "/dashboard"+path)
			assert.LessOrEqual(t, deskCall[float64](t, p, `() => Math.max(...[...document.querySelectorAll('.sheet')].map((e) => e.scrollWidth - e.clientWidth))`), 0.0, "%s at %d", path, width)
			assert.Less(t, deskCall[float64](t, p, `() => Math.max(...[...document.querySelectorAll('.sheet th[scope=row]')].map((e) => e.getBoundingClientRect().height))`), 100.0, "%s at %d", path, width)
		}
	}
}

// Forced colours make transparent borders visible. Only the current page is
// underlined.
func TestDashboard_currentPageInForcedColours(t *testing.T) {
	t.Parallel()
	p := openDesk(t, e2e.Open(t), newDesk(t).URL, deskLook{width: 1440})
	p.signIn(t)
	view{width: 1440, forced: true}.apply(p.Context, t)
	img, err := p.Screenshot(1440, 200)
	require.NoError(t, err)
	ground := img.At(1439, 199)
	for i, spot := range deskCall[[][]float64](t, p, `() => [...document.querySelectorAll('.panel-nav a')].map((a) => {
		const box = a.getBoundingClientRect();
		return [box.left + box.width / 2, box.bottom - 1];
	})`) {
		assert.Equal(t, i == 0, img.At(int(spot[0]), int(spot[1])) != ground, "page %d", i)
	}
}

// Every page in every look, with and without data.
func TestDashboard_pages(t *testing.T) {
	t.Parallel()
	axe := axeSource(t)
	full, empty := newDesk(t), newDesk(t)
	busy := full.fill(t)
	found, err := full.shares.Find(t.Context(), share.Query{})
	require.NoError(t, err)
	list := found.Shares
	pages := map[string]string{
		"overview": "", "keys": "/keys", "key": "/keys/" + busy, "revoke": "/keys/" + busy + "/revoke", "shares": "/shares",
		"share": "/shares/log/" + list[3].ID, "settings": "/settings", "activity": "/activity",
	}
	for _, look := range deskLooks {
		t.Run(look.name, func(t *testing.T) {
			t.Parallel()
			p := openDesk(t, e2e.Open(t), full.URL, look)
			p.signIn(t)
			assert.True(t, deskCall[bool](t, p, `() => {
				const today = [...document.querySelectorAll('.chart g')].at(-1).getBoundingClientRect();
				const box = document.querySelector('.chart .plot').getBoundingClientRect();
				return today.width > 0 && today.left >= box.left && today.right <= Math.min(box.right, innerWidth);
			}`), "today is in sight")
			for name, path := range pages {
				p.open(t, "/dashboard"+path)
				p.judge(t, axe, name)
			}
			p.open(t, "/dashboard/shares")
			deskCall[any](t, p, `() => { for (const box of [...document.querySelectorAll('input[name=share]')].slice(0, 4)) box.click(); }`)
			p.press(t, "button.danger")
			p.judge(t, axe, "delete")
			p.press(t, "main form a.button")

			p.open(t, "/dashboard/keys")
			p.fillIn(t, "input[name=name]", " ")
			p.press(t, ".make button")
			p.judge(t, axe, "no-key")
			p.fillIn(t, "input[name=name]", "release notes "+look.name)
			p.press(t, ".make button")
			p.judge(t, axe, "new-key")
		})
	}
	member := newMemberDesk(t, "carol@platform.example.com")
	mine := member.fillMember(t)
	for _, look := range deskLooks {
		t.Run("member "+look.name, func(t *testing.T) {
			t.Parallel()
			p := openDesk(t, e2e.Open(t), member.URL, look)
			for name, path := range map[string]string{"": "", "-keys": "/keys", "-key": "/keys/" + mine, "-shares": "/shares", "-nowhere": "/settings"} {
				p.open(t, "/dashboard"+path)
				p.judge(t, axe, "member"+name)
			}
			p.open(t, "/dashboard/keys")
			p.fillIn(t, "input[name=name]", "reader")
			p.fillIn(t, "input[name=rate]", "1000")
			p.press(t, ".make button")
			p.judge(t, axe, "member-limits")
			p.fillIn(t, "input[name=rate]", "10")
			p.press(t, ".make button")
			assert.Contains(t, p.text(t, ".fresh h2"), "reader")
		})
	}
	for _, look := range []deskLook{deskLooks[0], deskLooks[3]} {
		t.Run("empty "+look.name, func(t *testing.T) {
			t.Parallel()
			p := openDesk(t, e2e.Open(t), empty.URL, look)
			p.signIn(t)
			for name, path := range map[string]string{"empty": "", "empty-keys": "/keys", "empty-shares": "/shares", "gone": "/shares/log/0123456789abcdef", "nowhere": "/nowhere"} {
				p.open(t, "/dashboard"+path)
				p.judge(t, axe, name)
			}
		})
	}
}

// The sign-in: no password yet, setting one, a wrong one, too many wrong ones,
// and an expired session.
func TestDashboard_signIn(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	axe := axeSource(t)
	bare, closed, late := newBareDesk(t), newDesk(t), newDesk(t)
	token, err := dashboard.NewSetup(t.Context(), bare.backend, time.Now())
	require.NoError(t, err)
	for i, look := range []deskLook{deskLooks[0], {"narrow-dark-without-scripts", 390, true, true}} {
		t.Run(look.name, func(t *testing.T) {
			p := openDesk(t, b, bare.URL, look)
			p.open(t, "/dashboard")
			p.judge(t, axe, "no-password")
			p.open(t, "/dashboard/setup?token="+token)
			p.judge(t, axe, "setup")
			p.fillIn(t, "input[name=password]", deskPassword)
			p.fillIn(t, "input[name=again]", "something else")
			p.press(t, "main button")
			p.judge(t, axe, "setup-differs")
			p.open(t, "/dashboard/setup?token=other")
			p.judge(t, axe, "setup-over")

			p = openDesk(t, b, closed.URL, look)
			p.open(t, "/dashboard")
			p.judge(t, axe, "sign-in")
			p.pass(t, "not the password")
			if i == 0 {
				assert.Contains(t, p.text(t, "[role=alert]"), "Tries left before a pause of 15 minutes: 4.")
				p.judge(t, axe, "wrong-password")
				for range 5 {
					p.pass(t, "not the password")
				}
			}
			assert.Contains(t, p.text(t, "[role=alert]"), "Too many wrong passwords came from this address or network.")
			p.judge(t, axe, "closed")

			p = openDesk(t, b, late.URL, look)
			p.signIn(t)
			late.ahead.Add(int64(12 * time.Hour))
			p.open(t, "/dashboard/shares")
			p.judge(t, axe, "session-over")
			p.pass(t, deskPassword)
			assert.Equal(t, "Shares", p.text(t, "h1"), "back where it was going")
			p.clean(t)
		})
	}
}

// A session of work, with and without scripts: sign in, create a key, use and
// revoke it, delete shares, sign out.
func TestDashboard_work(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	for _, look := range []deskLook{{"with scripts", 1440, false, false}, {"without scripts", 390, false, true}} {
		t.Run(look.name, func(t *testing.T) {
			d := newDesk(t)
			d.fill(t)
			p := openDesk(t, b, d.URL, look)
			p.open(t, "/dashboard/keys")
			require.Equal(t, "Sign in", p.text(t, "h1"))
			p.pass(t, deskPassword)
			assert.Equal(t, "Keys", p.text(t, "h1"))

			p.open(t, "/dashboard/keys")
			p.fillIn(t, "input[name=name]", "new one")
			p.press(t, ".make button")
			secret := p.text(t, ".fresh .key")
			key, err := d.keys.Authenticate(t.Context(), secret, time.Now())
			require.NoError(t, err)
			assert.NotContains(t, deskCall[string](t, p, `() => location.href`), secret)
			p.open(t, "/dashboard/keys")
			assert.Empty(t, p.text(t, ".fresh"), "shown once")

			p.press(t, fmt.Sprintf("a[href$='%s/revoke']", key.ID))
			p.press(t, "button.danger")
			assert.Contains(t, p.text(t, ".facts-of"), "Revoked")

			p.open(t, "/dashboard/shares")
			before, err := d.shares.Find(t.Context(), share.Query{Limit: 100})
			require.NoError(t, err)
			deskCall[any](t, p, `() => { for (const box of [...document.querySelectorAll('input[name=share]')].slice(0, 3)) box.click(); }`)
			p.press(t, "button.danger")
			assert.Equal(t, "Delete 3 shares?", p.text(t, "h1"))
			p.press(t, "button.danger")
			assert.Contains(t, p.text(t, "[role=status]"), "3 shares deleted")
			after, err := d.shares.Find(t.Context(), share.Query{Limit: 100})
			require.NoError(t, err)
			assert.Equal(t, before.Shares[3:], after.Shares)

			p.press(t, ".panel-nav button")
			assert.Equal(t, "Sign in", p.text(t, "h1"))
			p.open(t, "/dashboard/shares")
			assert.Equal(t, "Sign in", p.text(t, "h1"))
			p.clean(t)
		})
	}
}
