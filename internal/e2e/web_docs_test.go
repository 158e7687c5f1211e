package e2e_test

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// tools is the service below /tools, as behind a proxy, with a record of the
// requested URLs.
type tools struct {
	*service

	mu    sync.Mutex
	asked []string
}

func newTools(tb testing.TB) *tools {
	tb.Helper()
	server := httptest.NewUnstartedServer(nil)
	base := &url.URL{Scheme: "http", Host: server.Listener.Addr().(*net.TCPAddr).String(), Path: "/tools/"}
	backend := store.NewMemory()
	shares, err := share.New(backend, share.Options{})
	require.NoError(tb, err)
	keys, err := apikey.New(backend)
	require.NoError(tb, err)
	secret, _, err := keys.Issue(context.Background(), "e2e", time.Now(), apikey.Options{})
	require.NoError(tb, err)
	pages, err := web.New(web.Options{Shares: shares, BaseURL: base})
	require.NoError(tb, err)
	limiter, err := ratelimit.New(backend, ratelimit.Limits{PerMinute: 100, PerDay: 10_000}, nil)
	require.NoError(tb, err)
	api, err := httpapi.New(httpapi.Options{
		Shares: shares, Keys: keys, Limiter: limiter, Pages: pages, BaseURL: base,
	})
	require.NoError(tb, err)
	handler := http.StripPrefix("/tools", api)
	s := &tools{service: &service{Server: server, shares: shares, key: secret}}
	server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.Method+" "+r.RequestURI+" from "+r.Referer())
		s.mu.Unlock()
		handler.ServeHTTP(w, r)
	})
	server.Start()
	tb.Cleanup(server.Close)
	return s
}

// operation opens the page of an operation.
func (t *tab) operation(tb testing.TB, id string) trial {
	tb.Helper()
	t.open(tb, "/tools/docs/"+id)
	return trial{t, id}
}

// A trial is the form of an operation.
type trial struct {
	*tab
	id string
}

// fill types into a field of the form.
func (o trial) fill(tb testing.TB, field, value string) {
	tb.Helper()
	_ = eval[any](tb, o.tab, `(id, field, value) => {
		const input = document.getElementById(id).querySelector(field);
		input.value = value;
		input.dispatchEvent(new Event('input', { bubbles: true }));
	}`, o.id, field, value)
}

// send opens and submits the form. It returns the response as the page shows
// it.
func (o trial) send(tb testing.TB) (status, headers, answer string) {
	tb.Helper()
	form := "#" + o.id + " .try"
	_ = eval[any](tb, o.tab, `(form) => {
		document.querySelector(form).open = true;
		document.querySelector(form + ' [data-status]').textContent = '';
	}`, form)
	require.NoError(tb, chromedp.Do(o.Context, chromedp.Click(chromedp.CSS(form+" form button"))))
	until(tb, o.tab, `document.querySelector('`+form+` [data-status]').textContent !== '' && document.querySelector('`+form+` form button').ariaDisabled === 'false'`)
	texts := eval[[]string](tb, o.tab, `(form) => ['[data-status]', '[data-headers]', 'pre'].map((part) => document.querySelector(form + ' ' + part).innerText)`, form)
	return texts[0], texts[1], texts[2]
}

// With everything on the page opened, axe-core finds no violation and nothing
// overflows.
func TestDocs_opened(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	axe := axeSource(t)
	s := newService(t)
	for _, v := range usualLooks {
		t.Run(v.String(), func(t *testing.T) {
			t.Parallel()
			p := newTab(t, b, s, v)
			p.open(t, "/docs/makeScreenshot")
			assert.Equal(t, v.noScripts, eval[bool](t, p, `() => {
				for (const details of document.querySelectorAll('details')) details.open = true;
				return document.querySelector('.try [data-plain]').checkVisibility();
			}`), "what stands in for the forms")
			assert.Equal(t, !v.noScripts, eval[bool](t, p, `() => document.querySelector('.try form').checkVisibility()`))
			assert.Empty(t, violations(t, p, axe))
			over := eval[float64](t, p, `() => document.documentElement.scrollWidth - document.documentElement.clientWidth`)
			assert.LessOrEqual(t, over, 0.0, "wider than the window")
			p.paint(t, "docs-opened "+v.String())
			p.clean(t)
		})
	}
}

func TestDocs_contents(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	shown := func(p *tab) bool {
		return eval[bool](t, p, `() => document.querySelector('.toc a[href="/docs/readLog"]').checkVisibility({ contentVisibilityAuto: true })`)
	}
	wide := newTab(t, b, s, view{width: 1440})
	wide.open(t, "/docs")
	assert.True(t, shown(wide), "they stand beside the text")
	assert.Equal(t, "/docs/readLog", eval[string](t, wide, `() => {
		document.querySelector('.toc a[href="/docs/readLog"]').focus();
		return document.activeElement.pathname;
	}`), "and can be reached with the keyboard")
	require.NoError(t, chromedp.Do(wide.Context, chromedp.Click(chromedp.CSS(`.toc a[href="/docs/readLog"]`))))
	until(t, wide, `location.pathname === '/docs/readLog' && document.querySelector('.toc a[aria-current]')?.pathname === '/docs/readLog'`)
	wide.open(t, "/docs/readLimits")
	assert.True(t, eval[bool](t, wide, `() => {
		const { left, top, width, height } = document.querySelector('[data-find]').getBoundingClientRect();
		const here = document.querySelector('.toc a[aria-current]').getBoundingClientRect();
		return document.elementFromPoint(left + width / 2, top + height / 2)?.matches('[data-find]') && here.top > top + height && here.bottom < innerHeight;
	}`), "the search stays above the operation that one reads")
	wide.open(t, "/docs#shareLog")
	until(t, wide, `location.pathname === '/docs/shareLog'`)
	narrow := newTab(t, b, s, view{width: 390})
	narrow.open(t, "/docs")
	assert.False(t, shown(narrow), "they are folded")
	require.NoError(t, chromedp.Do(narrow.Context, chromedp.Click(chromedp.CSS(`.toc summary`))))
	assert.True(t, shown(narrow))
	require.NoError(t, chromedp.Do(narrow.Context, chromedp.Click(chromedp.CSS(`.toc a[href="/docs/readLog"]`))))
	until(t, narrow, `location.pathname === '/docs/readLog' && !document.querySelector('.toc details').open`)
	wide.clean(t)
	narrow.clean(t)
}

func TestDocs_try(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newTools(t)
	for _, v := range []view{{width: 1440}, {width: 390, dark: true}} {
		t.Run(v.String(), func(t *testing.T) {
			p := newTab(t, b, s.service, v)
			slug := p.operation(t, "generateSlug")

			status, headers, answer := slug.send(t)
			assert.Contains(t, status, "401 Unauthorized")
			assert.Contains(t, headers, "WWW-Authenticate")
			assert.Contains(t, answer, `"code": "missing_api_key"`)

			slug.fill(t, "[data-key]", s.key)
			status, headers, answer = slug.send(t)
			assert.Regexp(t, `^200 OK · \d+ ms · 51 bytes$`, status)
			assert.Regexp(t, `RateLimit\n"minute";r=\d+`, headers)
			assert.Contains(t, headers, "X-Request-Id")
			assert.Equal(t, "{\n  \"success\": true,\n  \"result\": \"creme-brulee-and-cafes\"\n}", answer)
			assert.Empty(t, violations(t, p, axeSource(t)))
			p.paint(t, "docs-tried "+v.String())

			slug.fill(t, "[data-body]", `{"text": "", "separator": "xx"}`)
			status, _, answer = slug.send(t)
			assert.Contains(t, status, "400 Bad Request")
			assert.Contains(t, answer, `"field": "separator"`)
			p.paint(t, "docs-failed "+v.String())
			trySharing(t, p)
			tryOthers(t, p, s.key)
			keyIsNowhere(t, p, s)
			assert.Empty(t, p.faultsBut("the server responded with a status of 40"))
		})
	}
}

// trySharing shares a log, reads and deletes it by the id that the page has
// filled in, and reads it again.
func trySharing(t *testing.T, p *tab) {
	t.Helper()
	share := p.operation(t, "shareLog")
	share.fill(t, "[data-body]", `{"content": "ERROR <b>it broke</b>", "title": "9007199254740993"}`)
	status, _, answer := share.send(t)
	require.Contains(t, status, "200 OK")
	var made struct{ ID string }
	require.NoError(t, json.Unmarshal([]byte(answer), &made))
	status, _, answer = p.operation(t, "readLog").send(t)
	assert.Contains(t, status, "200 OK")
	assert.Contains(t, answer, `"id": "`+made.ID+`"`)
	assert.Contains(t, answer, `"content": "ERROR <b>it broke</b>"`)
	status, _, _ = p.operation(t, "deleteLog").send(t)
	assert.Contains(t, status, "200 OK")
	read := p.operation(t, "readLog")
	status, _, answer = read.send(t)
	assert.Contains(t, status, "404 Not Found")
	assert.Contains(t, answer, `"code": "not_found"`)
	read.fill(t, "[data-name=id]", "../../x?y#z")
	status, _, _ = read.send(t)
	assert.Contains(t, status, "404 Not Found")
}

// tryOthers tries operations other than JSON: a picture, and text with a query.
func tryOthers(t *testing.T, p *tab, key string) {
	t.Helper()
	picture := p.operation(t, "makeScreenshot")
	picture.fill(t, "[data-accept]", "image/png")
	picture.fill(t, "[data-name=scale]", "1")
	status, headers, _ := picture.send(t)
	assert.Contains(t, status, "200 OK")
	assert.Contains(t, headers, "image/png")
	until(t, p, `document.querySelector('#makeScreenshot [data-picture]').naturalWidth > 100`)
	p.paint(t, "docs-picture")

	slug := p.operation(t, "generateSlug")
	slug.fill(t, "[data-key]", "ключ")
	status, _, _ = slug.send(t)
	assert.Contains(t, status, "no header can carry")
	slug.fill(t, "[data-key]", key)

	plain := p.operation(t, "shareSnippetAsText")
	plain.fill(t, "[data-name=title]", "a & b")
	plain.fill(t, "[data-name=expiry]", "7d")
	status, _, answer := plain.send(t)
	assert.Contains(t, status, "200 OK")
	assert.Regexp(t, `^http://127.0.0.1:\d+/tools/snippets/[0-9a-z]{16}$`, strings.TrimSpace(answer))
}

// keyIsNowhere checks that the browser keeps the key only until the tab is
// closed.
func keyIsNowhere(t *testing.T, p *tab, s *tools) {
	t.Helper()
	kept := eval[string](t, p, `async () => JSON.stringify([
		location.href, document.cookie, { ...localStorage }, history.state, window.name,
		await indexedDB.databases(), await caches?.keys(), performance.getEntries().map((entry) => entry.name), document.documentElement.outerHTML,
	])`)
	assert.NotContains(t, kept, s.key)
	assert.Contains(t, kept, "/tools/snippets", "the addresses of requests are among them")
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, request := range s.asked {
		assert.NotContains(t, request, s.key)
		assert.Regexp(t, `^(GET|POST|DELETE) /tools/`, request)
	}
}

// faultsBut returns the errors that do not contain expected.
func (t *tab) faultsBut(expected string) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all []string
	for _, fault := range t.faults {
		if !strings.Contains(fault, expected) {
			all = append(all, fault)
		}
	}
	return all
}
