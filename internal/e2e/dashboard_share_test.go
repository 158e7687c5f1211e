package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
)

// made returns the log on whose page a tab is, just after sharing it.
func (d *desk) made(tb testing.TB, p *deskTab) share.Log {
	tb.Helper()
	link := p.text(tb, ".shared .command")
	id, found := strings.CutPrefix(link, d.URL+"/logs/")
	require.True(tb, found, link)
	log, err := d.shares.Log(tb.Context(), id)
	require.NoError(tb, err)
	return log
}

// fileOf creates a file to choose in a form.
func fileOf(tb testing.TB, name, content string) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	require.NoError(tb, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func (t *deskTab) choose(tb testing.TB, path string) {
	tb.Helper()
	require.NoError(tb, chromedp.Do(t.Context, chromedp.SetUploadFiles(chromedp.CSS("input[type=file]"), []string{path})))
}

// Sharing without scripts: text, a file, and errors next to the input.
func TestDashboard_shares(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	axe := axeSource(t)
	const text = "\n\n2026-11-20 10:00:00 ERROR it broke\n\tat a.b(C.java:1)\n\n"
	for _, look := range []deskLook{{"wide-without-scripts", 1440, false, true}, {"narrow", 390, false, false}} {
		t.Run(look.name, func(t *testing.T) {
			d := newDesk(t)
			p := openDesk(t, b, d.URL, look)
			p.signIn(t)
			p.open(t, "/dashboard/shares")
			p.press(t, ".headline a")
			require.Equal(t, "Share a log or code", p.text(t, "h1"))
			p.fillIn(t, "[name=text]", text)
			p.fillIn(t, "[name=title]", strings.Repeat("é", 1001))
			p.press(t, "main form .first")
			assert.Equal(t, "Title has 1001 characters, must have at most 1000.", p.text(t, "#share-title-fault"))
			require.Eventually(t, func() bool { // a field is focused a frame after the page has loaded
				focused, err := e2e.Call[string](p.Browser, `() => document.activeElement.id`)
				return err == nil && focused == "share-title"
			}, time.Minute, 10*time.Millisecond)
			assert.Equal(t, text, deskCall[string](t, p, `() => document.querySelector('[name=text]').value`))
			p.judge(t, axe, "share-refused")
			p.fillIn(t, "[name=title]", "Nightly")
			p.press(t, "main form .first")
			log := d.made(t, p)
			assert.Equal(t, text, log.Content)
			p.judge(t, axe, "shared")

			p.open(t, "/?kind=log")
			p.choose(t, fileOf(t, "app.log", "\ufeffa\r\nb\x00\n"))
			p.press(t, "main form .first")
			log = d.made(t, p)
			assert.Equal(t, "\ufeffa\r\nb\x00\n", log.Content, "byte for byte")
			assert.Equal(t, "app.log", log.Title)

			if !look.noScripts {
				p.clean(t)
				return // a file that cannot fit is not sent
			}
			p.open(t, "/?kind=log")
			p.choose(t, fileOf(t, "large.log", strings.Repeat("0123456789abcde\n", 3<<20/16)))
			p.press(t, "main form .first")
			assert.Contains(t, p.text(t, ".facts"), "196,608 lines")
			p.open(t, "/?kind=log")
			p.choose(t, fileOf(t, "huge.log", strings.Repeat("0123456789abcde\n", 40<<20/16)))
			p.press(t, "main form .first")
			assert.Equal(t, "This is too large", p.text(t, "h1"))
			p.clean(t)
		})
	}
}

// What scripts add: a counter, dropping a file, a shortcut, copying the link,
// and keeping the text after the session ends.
func TestDashboard_sharesWithScripts(t *testing.T) {
	t.Parallel()
	b := e2e.OpenWindow(t)
	axe := axeSource(t)
	d := newDesk(t)
	p := openDesk(t, b, d.URL, deskLook{name: "with-scripts", width: 1440})
	p.signIn(t)
	t.Run("typed", func(t *testing.T) { sharesWhatIsTyped(t, p, d, axe) })
	t.Run("dropped", func(t *testing.T) { sharesWhatIsDropped(t, p, d, axe) })
	t.Run("after the session", func(t *testing.T) { keepsWhatIsTyped(t, p, axe) })
	t.Run("by plain http", func(t *testing.T) { sharesByPlainHTTP(t, b, d) })
}

// typed fills in the form for logs and returns the text of its counter.
func (t *deskTab) typed(tb testing.TB, text string) string {
	tb.Helper()
	return deskCall[string](tb, t, `(text) => {
		const area = document.querySelector('[name=text]');
		area.value = text;
		area.dispatchEvent(new Event('input'));
		return document.querySelector('[data-count]').textContent;
	}`, text)
}

func sharesWhatIsTyped(t *testing.T, p *deskTab, d *desk, axe string) {
	p.open(t, "/?kind=log")
	assert.Equal(t, "4 characters", p.typed(t, "a😀é\n"), "as the server counts")
	assert.Equal(t, "500,002 characters", p.typed(t, strings.Repeat("x", 500_002)))
	p.judge(t, axe, "too-many")
	p.typed(t, "INFO shared with a shortcut")
	p.act(t, `() => {
		document.querySelector('[name=title]').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }));
	}`)
	log := d.made(t, p)
	assert.Equal(t, "INFO shared with a shortcut", log.Content)
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		_, err := chromedp.CallBrowser(p.Context, browser.SetPermission, browser.SetPermissionParams{
			Permission: &browser.PermissionDescriptor{Name: name, AllowWithoutSanitization: name == "clipboard-write"}, Setting: "granted", BrowserContextID: p.Profile(),
		})
		require.NoError(t, err)
	}
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[data-copy-link]"))))
	_, err := chromedp.Run(p.Context, chromedp.Poll[bool](`document.querySelector('[data-copy-link]').textContent === 'Copied'`))
	require.NoError(t, err)
	assert.Equal(t, d.URL+"/logs/"+log.ID, deskCall[string](t, p, `() => navigator.clipboard.readText()`))
	p.clean(t)
}

func sharesWhatIsDropped(t *testing.T, p *deskTab, d *desk, axe string) {
	p.open(t, "/?kind=snippet")
	const drop = `() => {
		const dataTransfer = new DataTransfer();
		dataTransfer.items.add(new File(['package main\r\n'], 'main.go'));
		document.querySelector('[name=text]').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
		return document.querySelector('[type=file]').files[0].name;
	}`
	assert.Equal(t, "main.go", deskCall[string](t, p, drop))
	p.judge(t, axe, "dropped")
	p.choose(t, fileOf(t, "large.log", strings.Repeat("x", share.DefaultLogBytes+1)))
	assert.False(t, deskCall[bool](t, p, `() => document.querySelector('main form').checkValidity()`))
	assert.Equal(t, "This file has 33,554,433 bytes, and at most 33,554,432 fit.", p.text(t, "#file-hint"))
	assert.Zero(t, deskCall[float64](t, p, `() => { document.querySelector('[data-no-file]').click(); return document.querySelector('[type=file]').files.length; }`))
	deskCall[string](t, p, drop)
	p.press(t, "main form .first")
	snippet, err := d.shares.Snippet(t.Context(), strings.TrimPrefix(p.text(t, ".shared .command"), d.URL+"/snippets/"))
	require.NoError(t, err)
	assert.Equal(t, "package main\r\n", snippet.Code)
	assert.Equal(t, "main.go", snippet.Title)
	p.clean(t)
}

func keepsWhatIsTyped(t *testing.T, p *deskTab, axe string) {
	p.open(t, "/?kind=log")
	p.typed(t, "kept")
	_, err := chromedp.Call(p.Context, network.ClearBrowserCookies, cdp.Empty{})
	require.NoError(t, err)
	p.press(t, "main form .first")
	assert.Equal(t, "Key is needed. Ask your administrator for one.", p.text(t, "#share-key-fault"))
	assert.Equal(t, "kept", deskCall[string](t, p, `() => document.querySelector('[name=text]').value`))
	p.judge(t, axe, "session-over-while-typing")
	p.clean(t)
}

// sharesByPlainHTTP shares a log over http at a host name, where browsers send
// less about the origin of a form and scripts have no clipboard.
func sharesByPlainHTTP(t *testing.T, b *e2e.Browser, d *desk) {
	p := openDesk(t, b, strings.Replace(d.URL, "127.0.0.1", e2e.Named, 1), deskLook{name: "plain-http", width: 1440})
	p.signIn(t)
	p.open(t, "/?kind=log")
	p.fillIn(t, "[name=text]", "INFO by plain http")
	p.press(t, "main form .first")
	assert.True(t, strings.HasPrefix(p.text(t, ".shared .command"), p.server+"/logs/"))
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[data-copy-link]"))))
	_, err := chromedp.Run(p.Context, chromedp.Poll[bool](`document.querySelector('[data-copy-link]').textContent === 'Copied'`))
	require.NoError(t, err)
	p.clean(t)
}

// The start page shares with a pasted key. It remembers the key only if that is
// selected.
func TestStartPage_sharesWithAKey(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	axe := axeSource(t)
	for _, look := range deskLooks {
		t.Run(look.name, func(t *testing.T) {
			d := newDesk(t)
			key, issued, err := d.keys.Issue(t.Context(), "ci", time.Now(), apikey.Options{})
			require.NoError(t, err)
			p := openDesk(t, b, d.URL, look)
			p.open(t, "/")
			p.judge(t, axe, "start")
			assert.Equal(t, look.width > 1000, deskCall[bool](t, p, `() => document.querySelector('[name=key]').offsetTop === document.querySelector('.sharing .first').offsetTop`), "in one row where there is room")
			p.fillIn(t, "[name=text]", "INFO up\nERROR it broke\n")
			p.press(t, "main form .first")
			assert.Equal(t, "Key is needed. Ask your administrator for one.", p.text(t, "#share-key-fault"))
			p.judge(t, axe, "start-refused")
			p.fillIn(t, "[name=key]", key)
			if !look.noScripts {
				deskCall[any](t, p, `() => { document.querySelector('[data-remember] input').click(); }`)
			}
			p.press(t, "main form .first")
			log := d.made(t, p)
			assert.Equal(t, "INFO up\nERROR it broke\n", log.Content)
			assert.Equal(t, issued.ID, log.Owner)
			p.judge(t, axe, "start-shared")
			p.open(t, "/")
			remembered := deskCall[string](t, p, `() => document.querySelector('[name=key]').value`)
			if look.noScripts {
				assert.Empty(t, remembered)
			} else {
				assert.Equal(t, key, remembered)
				assert.NotContains(t, deskCall[string](t, p, `() => document.documentElement.outerHTML`), key)
			}
			p.clean(t)
		})
	}
}

// Going back to a form that was refused shows a form, not the browser's
// question whether to send it again.
func TestDashboard_backToARefusedForm(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p := openDesk(t, e2e.Open(t), d.URL, deskLook{"narrow", 390, false, false})
	p.signIn(t)
	for form, field := range map[string][2]string{"/": {"[name=text]", "x"}, "/dashboard/keys": {"[name=name]", "robot"}} {
		p.open(t, form)
		p.press(t, "main form .first")
		require.NotEmpty(t, p.text(t, ".fault, .wrong"), form)
		p.fillIn(t, field[0], field[1])
		p.press(t, "main form .first")
		require.Equal(t, "Copy", p.text(t, "[data-copy], [data-copy-link]")[:4])
		_ = deskCall[any](t, p, `() => { setTimeout(() => history.back()); }`)
		require.Eventually(t, func() bool {
			ok, err := e2e.Call[bool](p.Browser, `(form, field) => location.pathname === form && document.readyState === 'complete' && document.querySelector(field) !== null && !document.querySelector('.fresh')`, form, field[0])
			return err == nil && ok
		}, time.Minute, 20*time.Millisecond, form)
	}
}
