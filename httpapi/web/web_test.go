package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

const (
	browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	curl    = "*/*"
)

// pages are the pages over a new store, with a common clock.
type pages struct {
	http.Handler
	shares *share.Service
	now    time.Time
	log    bytes.Buffer
}

func newShares(t testing.TB, s store.Store, o share.Options) *share.Service {
	t.Helper()
	shares, err := share.New(s, o)
	require.NoError(t, err)
	return shares
}

func newPages(t testing.TB, change ...func(*web.Options)) *pages {
	t.Helper()
	p := &pages{now: time.Now()}
	clock := func() time.Time { return p.now }
	p.shares = newShares(t, store.NewMemory(), share.Options{Now: clock})
	o := web.Options{Shares: p.shares, Now: clock, Log: slog.New(slog.NewTextHandler(&p.log, nil))}
	for _, f := range change {
		f(&o)
	}
	var err error
	p.Handler, err = web.New(o)
	require.NoError(t, err)
	return p
}

func (p *pages) newLog(t *testing.T, content string, o share.LogOptions) string {
	t.Helper()
	log, err := p.shares.CreateLog(t.Context(), content, o)
	require.NoError(t, err)
	return log.ID
}

func (p *pages) newSnippet(t testing.TB, code string, o share.SnippetOptions) string {
	t.Helper()
	snippet, err := p.shares.CreateSnippet(t.Context(), code, o)
	require.NoError(t, err)
	return snippet.ID
}

// get sends a request with an Accept header and pairs of further headers.
func (p *pages) get(t testing.TB, target, accept string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w
}

// cases reads a table in testdata. A key that is not in T is an error.
func cases[T any](t *testing.T, file string) []T {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var table []T
	require.NoError(t, d.Decode(&table))
	require.NotEmpty(t, table)
	return table
}

func TestNew_needsShares(t *testing.T) {
	_, err := web.New(web.Options{})
	require.EqualError(t, err, "web: Options.Shares is nil")
}

func TestViewers_plainTextWithoutHTMLAccept(t *testing.T) {
	p := newPages(t)
	const content = "ERROR <b>\r\n\x00\ttail  "
	for _, path := range []string{
		"/logs/" + p.newLog(t, content, share.LogOptions{}),
		"/snippets/" + p.newSnippet(t, content, share.SnippetOptions{}),
	} {
		for _, c := range cases[struct {
			Accept string
			Page   bool
		}](t, "accept.json") {
			w := p.get(t, path, c.Accept)
			assert.Equal(t, http.StatusOK, w.Code)
			assert.Contains(t, w.Header().Values("Vary"), "Accept")
			if c.Page {
				assert.Equal(t, "text/html; charset=utf-8", w.Header().Get("Content-Type"), "Accept: %s", c.Accept)
				continue
			}
			assert.Equal(t, "text/plain; charset=utf-8", w.Header().Get("Content-Type"), "Accept: %s", c.Accept)
			assert.Equal(t, content, w.Body.String())
		}
	}
}

func TestLog_summaryForShells(t *testing.T) {
	p := newPages(t)
	path := "/logs/" + p.newLog(t, "INFO up\nERROR \x1b[31mdisk is full\x1b[0m\n", share.LogOptions{}) + "?summary"
	w := p.get(t, path, "*/*")
	assert.Equal(t, "text/plain; charset=utf-8", w.Header().Get("Content-Type"))
	assert.Contains(t, w.Header().Values("Vary"), "Accept")
	assert.Equal(t, "lines 2, entries 2, fatal 0, errors 1, warnings 0\nfirst error  L2  ERROR disk is full\n", w.Body.String())
	assert.Equal(t, "text/html; charset=utf-8", p.get(t, path, browser).Header().Get("Content-Type"))
}

func TestDownload_andRaw(t *testing.T) {
	p := newPages(t)
	const content = "\ufeffa\r\nb\x00<script>"
	for _, path := range []string{
		"/logs/" + p.newLog(t, content, share.LogOptions{}),
		"/snippets/" + p.newSnippet(t, content, share.SnippetOptions{}),
	} {
		for _, kind := range []string{"/raw", "/download"} {
			w := p.get(t, path+kind, browser)
			assert.Equal(t, content, w.Body.String(), path+kind)
			h := w.Header()
			assert.Equal(t, "text/plain; charset=utf-8", h.Get("Content-Type"))
			assert.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
			assert.Equal(t, "default-src 'none'; sandbox; frame-ancestors 'none'", h.Get("Content-Security-Policy"))
			assert.Equal(t, "no-referrer", h.Get("Referrer-Policy"))
			assert.Contains(t, h.Get("X-Robots-Tag"), "noindex")
			assert.Equal(t, kind == "/download", strings.HasPrefix(h.Get("Content-Disposition"), "attachment;"))
		}
	}
}

func TestDownload_fileNames(t *testing.T) {
	p := newPages(t)
	for _, c := range cases[struct{ Kind, Title, Content, Language, Name string }](t, "filenames.json") {
		var id, path string
		if c.Kind == "log" {
			id = p.newLog(t, c.Content, share.LogOptions{Title: c.Title})
			path = "/logs/" + id
		} else {
			id = p.newSnippet(t, c.Content, share.SnippetOptions{Title: c.Title, Language: c.Language})
			path = "/snippets/" + id
		}
		want := `attachment; filename="` + strings.ReplaceAll(c.Name, "{id}", id) + `"`
		assert.Equal(t, want, p.get(t, path+"/download", browser).Header().Get("Content-Disposition"), "title %q", c.Title)
	}
}

func TestPages_headers(t *testing.T) {
	p := newPages(t)
	for path, status := range map[string]int{
		"/logs/" + p.newLog(t, "x", share.LogOptions{}):             200,
		"/snippets/" + p.newSnippet(t, "x", share.SnippetOptions{}): 200,
		"/logs/0000000000000000":                                    404,
		"/nowhere":                                                  404,
		"/":                                                         200,
		"/gradient":                                                 200,
		"/slug":                                                     200,
		"/docs":                                                     200,
		"/screenshot":                                               200,
	} {
		w := p.get(t, path, browser)
		assert.Equal(t, status, w.Code, path)
		h := w.Header()
		assert.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
		assert.Equal(t, "no-referrer", h.Get("Referrer-Policy"))
		assert.Equal(t, map[bool]string{true: "no-cache", false: "no-store"}[path == "/" || path == "/docs"], h.Get("Cache-Control"), path)
		assert.Equal(t, status != 200 || strings.Count(path, "/") > 1, strings.Contains(h.Get("X-Robots-Tag"), "noindex"), path)
		csp := h.Get("Content-Security-Policy")
		for _, directive := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"} {
			assert.Contains(t, csp, directive, path)
		}
		assert.NotContains(t, csp, "unsafe")
		assert.NotContains(t, csp, "*")
		assert.NotRegexp(t, `(?i)<[^>]*\s(style|on[a-z]+)=`, w.Body.String(), "inline style or script in %s", path)
		assert.NotRegexp(t, `<script[^>]*></script>\s*<script>|<style|<script>`, w.Body.String(), path)
	}
}

// Pages without individual content are cached and revalidated.
func TestPages_revalidation(t *testing.T) {
	p := newPages(t)
	tags := make(map[string]bool)
	for _, path := range []string{"/", "/docs"} {
		first := p.get(t, path, browser)
		tag := first.Header().Get("ETag")
		require.NotEmpty(t, tag, path)
		tags[tag] = true
		for known, status := range map[string]int{tag: 304, `"x", ` + tag: 304, `"x"`: 200, "": 200} {
			w := p.get(t, path, browser, "If-None-Match", known)
			assert.Equal(t, status, w.Code, known)
			assert.Equal(t, tag, w.Header().Get("ETag"))
			if status == http.StatusNotModified {
				assert.Zero(t, w.Body.Len())
			}
		}
	}
	assert.Len(t, tags, 2)
}

func TestPages_fixedAddresses(t *testing.T) {
	p := newPages(t, func(o *web.Options) { o.BaseURL = parseURL(t, "https://example.com/tools/") })
	for path, contentType := range map[string]string{"/favicon.ico": "image/x-icon", "/apple-touch-icon.png": "image/png", "/robots.txt": "text/plain; charset=utf-8"} {
		w := p.get(t, path, "*/*")
		assert.Equal(t, http.StatusOK, w.Code)
		assert.Equal(t, contentType, w.Header().Get("Content-Type"))
		assert.Equal(t, "public, max-age=86400", w.Header().Get("Cache-Control"))
		assert.Equal(t, w.Body.Bytes(), p.get(t, "/tools"+path, "*/*").Body.Bytes())
	}
	robots := p.get(t, "/robots.txt", "*/*").Body.String()
	assert.Contains(t, robots, "Disallow: /tools/logs/\n")
	assert.NotContains(t, robots, "Disallow: /tools/docs")
}

func TestViewers_expiredLikeUnknown(t *testing.T) {
	p := newPages(t)
	path := "/logs/" + p.newLog(t, "x", share.LogOptions{Expiry: share.Expiry1h})
	require.Equal(t, http.StatusOK, p.get(t, path, browser).Code)
	p.now = p.now.Add(time.Hour)
	for _, accept := range []string{browser, curl} {
		expired, unknown := p.get(t, path, accept), p.get(t, "/logs/zzzzzzzzzzzzzzzz", accept)
		assert.Equal(t, http.StatusNotFound, expired.Code)
		assert.Equal(t, expired.Code, unknown.Code)
		assert.Equal(t, expired.Body.String(), unknown.Body.String())
		assert.Equal(t, expired.Header(), unknown.Header())
		assert.Contains(t, expired.Body.String(), "This link has expired or never existed")
	}
	for _, tail := range []string{"/raw", "/download"} {
		assert.Equal(t, http.StatusNotFound, p.get(t, path+tail, curl).Code)
	}
}

func TestPages_notFound(t *testing.T) {
	p := newPages(t)
	for _, path := range []string{
		"/nowhere", "/logs", "/logs/", "/logs//x", "//logs/x", "/logs/x/raw/", "/logs/../logs/x", "/logs/%2e%2e/raw", "/assets/", "/assets/x/y", "/assets/x/..%2fweb.go", "/LOGS/x", "/logs/a%00b",
	} {
		html, text := p.get(t, path, browser), p.get(t, path, curl)
		assert.Equal(t, http.StatusNotFound, html.Code, path)
		assert.Empty(t, html.Header().Get("Location"), path)
		assert.Equal(t, "text/html; charset=utf-8", html.Header().Get("Content-Type"), path)
		assert.Equal(t, "text/plain; charset=utf-8", text.Header().Get("Content-Type"), path)
	}
}

func TestPages_methods(t *testing.T) {
	p := newPages(t)
	path := "/logs/" + p.newLog(t, "twelve bytes", share.LogOptions{})
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"} {
		w := httptest.NewRecorder()
		p.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, path, nil))
		assert.Equal(t, http.StatusMethodNotAllowed, w.Code, method)
		assert.Equal(t, "GET, HEAD", w.Header().Get("Allow"))
	}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodHead, path+"/raw", nil))
	assert.Equal(t, http.StatusOK, w.Code)
	assert.Equal(t, "12", w.Header().Get("Content-Length"))
	assert.Zero(t, w.Body.Len())
}

var link = regexp.MustCompile(`(?:href|src|action|data-raw)="(/[^"]*)"`)

// Every link of a page works, with and without the path of the base URL.
func TestPages_basePaths(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	for base, prefix := range map[string]string{
		"": "", "https://example.com": "", "https://example.com/": "", "https://example.com/tools/": "/tools", "https://example.com/a/b": "/a/b", "https://example.com/logs": "/logs",
		"https://example.com/kiln%20one/": "/kiln%20one",
	} {
		p := newPages(t, func(o *web.Options) {
			if base != "" {
				o.BaseURL = parseURL(t, base)
			}
		})
		seen := make(map[string]bool)
		for _, path := range []string{
			"/", "/gradient", "/slug", "/screenshot", "/logs/" + p.newLog(t, "ERROR x", share.LogOptions{}), "/snippets/" + p.newSnippet(t, "x", share.SnippetOptions{}), "/nowhere",
		} {
			direct, prefixed := p.get(t, path, browser), p.get(t, prefix+path, browser)
			assert.Equal(t, direct.Code, prefixed.Code, prefix+path)
			if direct.Code == http.StatusOK {
				assert.Equal(t, direct.Body.String(), prefixed.Body.String())
			}
			links := link.FindAllStringSubmatch(direct.Body.String(), -1)
			require.NotEmpty(t, links)
			for _, l := range links {
				l[1], _, _ = strings.Cut(html.UnescapeString(l[1]), "#")
				if seen[l[1]] {
					continue
				}
				seen[l[1]] = true
				require.True(t, strings.HasPrefix(l[1], prefix+"/"), "%s links to %s", base, l[1])
				if prefix != "" || base == "" {
					assert.Equal(t, http.StatusOK, p.get(t, l[1], browser).Code, "%s links to %s", base, l[1])
				}
				if prefix != "" {
					assert.Equal(t, http.StatusOK, p.get(t, strings.TrimPrefix(l[1], prefix), browser).Code, "%s links to %s", base, l[1])
				}
			}
		}
	}
}

func parseURL(t *testing.T, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	require.NoError(t, err)
	return u
}

func TestAssets(t *testing.T) {
	p := newPages(t)
	found := link.FindAllStringSubmatch(p.get(t, "/logs/"+p.newLog(t, "x", share.LogOptions{}), browser).Body.String(), -1)
	types := make(map[string]bool)
	for _, l := range found {
		if !strings.HasPrefix(l[1], "/assets/") {
			continue
		}
		plain, packed := p.get(t, l[1], "*/*"), p.get(t, l[1], "*/*", "Accept-Encoding", "br, gzip")
		types[plain.Header().Get("Content-Type")] = true
		assert.Equal(t, "public, max-age=31536000, immutable", plain.Header().Get("Cache-Control"))
		assert.Equal(t, "nosniff", plain.Header().Get("X-Content-Type-Options"))
		if plain.Header().Get("Content-Type") != "font/woff2" && plain.Body.Len() > 1400 {
			assert.Equal(t, "gzip", packed.Header().Get("Content-Encoding"))
			assert.Equal(t, plain.Body.String(), unzip(t, packed.Body))
		}
		stale := regexp.MustCompile(`/assets/[0-9a-f]+/`).ReplaceAllString(l[1], "/assets/0123456789abcdef/")
		assert.Equal(t, "no-store", p.get(t, stale, "*/*").Header().Get("Cache-Control"), "an address of another release is not kept")
		assert.NotRegexp(t, `https?://[^ "')]*\.(com|org|net|io)/[^ ]*\.(js|css|ttf|woff2?)`, plain.Body.String(), "an asset of another host")
	}
	assert.Equal(t, map[string]bool{"text/css; charset=utf-8": true, "text/javascript; charset=utf-8": true, "image/svg+xml": true, "font/woff2": true}, types)
}

func unzip(t *testing.T, r io.Reader) string {
	t.Helper()
	z, err := gzip.NewReader(r)
	require.NoError(t, err)
	b, err := io.ReadAll(z)
	require.NoError(t, err)
	return string(b)
}

func TestPages_compressed(t *testing.T) {
	p := newPages(t)
	path := "/logs/" + p.newLog(t, strings.Repeat("INFO a line\n", 1000), share.LogOptions{})
	for encoding, packed := range map[string]bool{"": false, "gzip": true, "GZIP": true, "br, gzip;q=0.5": true, "gzip;q=0": false, "br": false, "identity": false} {
		w := p.get(t, path, browser, "Accept-Encoding", encoding)
		assert.Contains(t, w.Header().Values("Vary"), "Accept-Encoding")
		assert.Equal(t, packed, w.Header().Get("Content-Encoding") == "gzip", encoding)
		if packed {
			assert.Equal(t, p.get(t, path, browser).Body.String(), unzip(t, w.Body))
		}
	}
}

func TestPages_rateLimit(t *testing.T) {
	limiter, err := ratelimit.New(store.NewMemory(), ratelimit.Limits{PerMinute: 3}, nil)
	require.NoError(t, err)
	p := newPages(t, func(o *web.Options) { o.Limiter = limiter })
	ask := func(path, addr string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		r.RemoteAddr = addr
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		return w
	}
	for range 3 {
		assert.Equal(t, http.StatusNotFound, ask("/logs/x", "[2001:db8:1:2::3]:1000").Code)
	}
	w := ask("/nowhere", "[2001:db8:1:2:ffff::9]:2000")
	assert.Equal(t, http.StatusTooManyRequests, w.Code, "a /64 is one visitor, and unknown paths count")
	assert.Equal(t, "60", w.Header().Get("Retry-After"))
	assert.Contains(t, w.Body.String(), "Try again in 60 seconds")
	assert.Equal(t, http.StatusNotFound, ask("/nowhere", "[2001:db8:1:3::3]:1000").Code)
	assert.Equal(t, http.StatusNotFound, ask("/nowhere", "192.0.2.1:1").Code)
	style := link.FindStringSubmatch(p.get(t, "/nowhere", browser).Body.String())[1]
	assert.Equal(t, http.StatusOK, ask(style, "[2001:db8:1:2::3]:1000").Code, "assets are free")
	p.now = p.now.Add(time.Minute)
	assert.Equal(t, http.StatusNotFound, ask("/nowhere", "[2001:db8:1:2::3]:1000").Code)
}

// away is a store that is unavailable.
type away struct{ store.Store }

func (away) Get(context.Context, string) ([]byte, error) {
	return nil, store.ErrUnavailable
}

// broken is a store whose error must not be shown to visitors.
type broken struct{ store.Store }

func (broken) Get(context.Context, string) ([]byte, error) {
	return nil, io.ErrUnexpectedEOF
}

func TestViewers_faultsOfTheStore(t *testing.T) {
	for _, c := range []struct {
		store store.Store
		code  int
		retry string
	}{{away{store.NewMemory()}, 503, "30"}, {broken{store.NewMemory()}, 500, ""}} {
		p := newPages(t, func(o *web.Options) { o.Shares = newShares(t, c.store, share.Options{}) })
		for _, path := range []string{"/logs/", "/snippets/"} {
			w := p.get(t, path+"0123456789abcdef", browser)
			assert.Equal(t, c.code, w.Code)
			assert.Equal(t, c.retry, w.Header().Get("Retry-After"))
			assert.NotContains(t, w.Body.String(), "EOF")
		}
		assert.Contains(t, p.log.String(), "error=")
	}
}

func TestStartPage_origin(t *testing.T) {
	behindProxy := func(o *web.Options) { o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.1/32")} }
	for want, change := range map[string]func(*web.Options){
		"curl http://example.com/api":        func(*web.Options) {},
		"curl https://kiln.example/api":      behindProxy,
		"curl https://kiln.example/base/api": func(o *web.Options) { o.BaseURL = parseURL(t, "https://kiln.example/base/") },
	} {
		assert.Contains(t, newPages(t, change).get(t, "/", browser, "X-Forwarded-Host", "kiln.example", "X-Forwarded-Proto", "https").Body.String(), want)
	}
}

func TestStartPage_dashboardLink(t *testing.T) {
	const link = `<a href="/dashboard">Dashboard</a>`
	for _, panel := range []http.Handler{nil, http.NotFoundHandler()} {
		pages, err := web.New(web.Options{Shares: newShares(t, store.NewMemory(), share.Options{}), Dashboard: panel})
		require.NoError(t, err)
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody))
		assert.Equal(t, panel != nil, strings.Contains(w.Body.String(), link))
	}
}
