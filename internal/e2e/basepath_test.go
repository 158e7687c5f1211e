package e2e_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/dashboard"
	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
)

// behind starts a desk under the path /tools of a proxy that removes the path
// or passes it on. The proxy reports requests for any other path as errors.
func behind(tb testing.TB, stripped bool) (d *desk, base string) {
	tb.Helper()
	front := httptest.NewUnstartedServer(nil)
	u := &url.URL{Scheme: "http", Host: front.Listener.Addr().String(), Path: "/tools/"}
	d = newDeskAt(tb, u)
	require.NoError(tb, dashboard.SetPassword(tb.Context(), d.backend, deskPassword, time.Now()))
	target, err := url.Parse(d.URL)
	require.NoError(tb, err)
	var proxy http.Handler = &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
	}}
	if stripped {
		proxy = http.StripPrefix("/tools", proxy)
	}
	front.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/tools" && !strings.HasPrefix(r.URL.Path, "/tools/") {
			http.Error(w, "another service", http.StatusTeapot)
			return
		}
		proxy.ServeHTTP(w, r)
	})
	front.Start()
	tb.Cleanup(front.Close)
	return d, strings.TrimSuffix(u.String(), "/")
}

// linked returns the URLs in a page.
const linked = `() => [...document.querySelectorAll('[href], [src], [action], [data-raw], [data-here], [data-api]')].flatMap((e) =>
	['href', 'src', 'action', 'data-raw', 'data-here', 'data-api'].filter((n) => e.hasAttribute(n)).map((n) => new URL(e.getAttribute(n), location)))
	.filter((u) => u.protocol !== 'data:' && u.protocol !== 'blob:').map((u) => u.href.replace(/#.*/, ''))`

// crawl opens every linked page, starting with first, and checks that all URLs
// exist and are below the base path. It returns the paths of the pages.
func crawl(tb testing.TB, p *deskTab, first ...string) []string {
	tb.Helper()
	asked := make(map[string]bool)
	var pages []string
	for len(first) > 0 {
		var next []string
		for _, path := range first {
			pages = append(pages, path)
			p.open(tb, path)
			assert.NotEqual(tb, "", p.text(tb, "h1"), path)
			for _, link := range deskCall[[]string](tb, p, linked) {
				within, ok := strings.CutPrefix(link, p.server)
				require.True(tb, ok && (within == "" || within[0] == '/'), "%s refers to %s", path, link)
				within, _, _ = strings.Cut(within, "?")
				if asked[within] {
					continue
				}
				asked[within] = true
				status := deskCall[string](tb, p, `async (link) => {
					const response = await fetch(link, { method: 'HEAD', headers: { Accept: 'text/html' } });
					return response.status + ' ' + response.headers.get('Content-Type') + ' ' + (response.headers.get('Content-Disposition') ?? '');
				}`, link)
				if strings.HasPrefix(status, "200 text/html") {
					next = append(next, within)
				}
				assert.True(tb, strings.HasPrefix(status, "200 ") || strings.HasPrefix(status, "405 "), "%s refers to %s: %s", path, link, status)
			}
		}
		first = next
	}
	slices.Sort(pages)
	return slices.Compact(pages)
}

// Under a base path, with a proxy that removes the path and one that does not,
// every operation works. No page refers to anything outside the path; a test of
// httpapi/web shows that pages are the same behind both.
func TestPages_underAPath(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	for name, stripped := range map[string]bool{"taken off": true, "passed on": false} {
		t.Run(name, func(t *testing.T) {
			d, base := behind(t, stripped)
			p := openDesk(t, b, base, deskLook{"under-a-path", 1440, false, false})
			p.signIn(t)
			p.open(t, "/")
			p.fillIn(t, "[name=text]", sampleLog)
			p.press(t, "main form .first")
			link := p.text(t, ".shared .command")
			require.True(t, strings.HasPrefix(link, base+"/logs/"), link)
			_, err := d.shares.CreateSnippet(t.Context(), sampleCode, share.SnippetOptions{Language: "go"})
			require.NoError(t, err)

			p.open(t, "/dashboard/keys")
			p.fillIn(t, "input[name=name]", "under a path")
			p.press(t, ".make button")
			secret := p.text(t, ".fresh .key")
			assert.Contains(t, p.text(t, ".fresh"), "curl -s "+base+"/api/v1/limits")
			assert.JSONEq(t, `{"success":true,"result":"hello"}`, callOut(t, base+"/api/v1/slug-generator", secret, `{"text":"Hello"}`))
			assert.Contains(t, callOut(t, base+"/api/v1/code-snippet-share", secret, `{"code":"x","language":"go"}`), `"fullUrl":"`+base+`/snippets/`)
			assert.Contains(t, callOut(t, base+"/logs", secret, "plain"), base+"/logs/")
			assert.Contains(t, callOut(t, base+"/api/v1/nowhere", secret, "{}"), `"not_found"`)

			if stripped {
				assert.Subset(t, crawl(t, p, "/", ""), []string{"", "/", "/screenshot", "/gradient", "/slug", "/dashboard", "/dashboard/keys", "/dashboard/shares", "/dashboard/settings", strings.TrimPrefix(link, base)})
			}
			studioUnderAPath(t, p)
			viewerUnderAPath(t, p, strings.TrimPrefix(link, base))
			p.open(t, "/dashboard")
			p.press(t, ".panel-nav button")
			assert.Equal(t, base+"/dashboard/sign-in?signed-out", deskCall[string](t, p, `() => location.href`))
			p.clean(t)
		})
	}
}

// callOut calls the API through the proxy.
func callOut(tb testing.TB, address, key, body string) string {
	tb.Helper()
	request, err := http.NewRequestWithContext(tb.Context(), http.MethodPost, address, strings.NewReader(body))
	require.NoError(tb, err)
	request.Header.Set("X-Api-Key", key)
	response, err := http.DefaultClient.Do(request)
	require.NoError(tb, err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	require.NoError(tb, err)
	return string(answer)
}

// studioUnderAPath saves a picture.
func studioUnderAPath(t *testing.T, p *deskTab) {
	t.Helper()
	dir := t.TempDir()
	_, err := chromedp.CallBrowser(p.Context, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{Behavior: "allow", DownloadPath: dir, BrowserContextID: p.Profile()})
	require.NoError(t, err)
	p.open(t, "/screenshot")
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("button[value=png]"))))
	assert.True(t, strings.HasPrefix(string(downloaded(t, dir, "png")), "\x89PNG"))
}

// viewerUnderAPath reads and downloads the raw text of a log.
func viewerUnderAPath(t *testing.T, p *deskTab, path string) {
	t.Helper()
	p.open(t, path)
	for _, name := range []string{"raw", "download"} {
		got := deskCall[string](t, p, `async (name) => {
			const link = [...document.querySelectorAll('.viewer a')].find((a) => a.pathname.endsWith('/' + name));
			return (await fetch(link.href)).text();
		}`, name)
		assert.Equal(t, sampleLog, got, fmt.Sprint(path, " ", name))
	}
}
