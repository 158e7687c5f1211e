package e2e_test

import (
	"cmp"
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

func TestMain(m *testing.M) { os.Exit(e2e.Run(m)) }

// service is the complete service on a loopback address.
type service struct {
	*httptest.Server
	shares  *share.Service
	masking *share.Service // creates shares with their secrets masked
	key     string
}

func newService(tb testing.TB, change ...func(*web.Options)) *service {
	tb.Helper()
	backend := store.NewMemory()
	shares, err := share.New(backend, share.Options{})
	require.NoError(tb, err)
	keys, err := apikey.New(backend)
	require.NoError(tb, err)
	secret, _, err := keys.Issue(context.Background(), "e2e", time.Now(), apikey.Options{})
	require.NoError(tb, err)
	o := web.Options{Shares: shares, EmbedOrigins: []string{"*"}}
	for _, f := range change {
		f(&o)
	}
	pages, err := web.New(o)
	require.NoError(tb, err)
	handler, err := httpapi.New(httpapi.Options{
		Shares: shares, Keys: keys, Pages: pages,
	})
	require.NoError(tb, err)
	server := httptest.NewServer(handler)
	tb.Cleanup(server.Close)
	masking, err := share.New(backend, share.Options{MaskSecrets: true})
	require.NoError(tb, err)
	return &service{Server: server, shares: shares, masking: masking, key: secret}
}

func (s *service) log(tb testing.TB, content string, o share.LogOptions) string {
	tb.Helper()
	log, err := s.shares.CreateLog(context.Background(), content, o)
	require.NoError(tb, err)
	return "/logs/" + log.ID
}

func (s *service) snippet(tb testing.TB, code string, o share.SnippetOptions) string {
	tb.Helper()
	snippet, err := s.shares.CreateSnippet(context.Background(), code, o)
	require.NoError(tb, err)
	return "/snippets/" + snippet.ID
}

// A tab is a browser tab with the errors that occurred in it.
type tab struct {
	*e2e.Browser
	server string

	mu     sync.Mutex
	faults []string
}

// view is the environment that a page is shown in.
type view struct {
	width     int64
	height    int64 // 0 means 900
	dark      bool
	forced    bool // forced colours
	zoomed    bool // 200 %, with half the width and height in CSS pixels
	noScripts bool
}

func (v view) String() string {
	name := strconv.FormatInt(v.width, 10)
	if v.dark {
		name += " dark"
	}
	if v.forced {
		name += " in forced colours"
	}
	if v.zoomed {
		name += " at 200 %"
	}
	if v.noScripts {
		name += " without scripts"
	}
	return name
}

// newTab opens a tab that records console errors, reports, exceptions and
// requests to other hosts.
func newTab(tb testing.TB, b *e2e.Browser, s *service, v view) *tab {
	tb.Helper()
	ctx, closeTab := chromedp.NewContext(b.Context)
	tb.Cleanup(closeTab)
	t := &tab{Browser: &e2e.Browser{Context: ctx}, server: s.URL}
	require.NoError(tb, chromedp.Listen(ctx, t.note))
	// Tests run in parallel, but only one tab has the focus.
	_, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	require.NoError(tb, err)
	v.apply(ctx, tb)
	return t
}

// apply sets up a tab for the view.
func (v view) apply(ctx context.Context, tb testing.TB) {
	tb.Helper()
	scheme := "light"
	if v.dark {
		scheme = "dark"
	}
	forced := "none"
	if v.forced {
		forced = "active"
	}
	metrics := emulation.SetDeviceMetricsOverrideParams{Width: v.width, Height: cmp.Or(v.height, 900), DeviceScaleFactor: 1, Mobile: v.width < 500}
	if v.zoomed {
		metrics.Width, metrics.Height, metrics.DeviceScaleFactor = metrics.Width/2, metrics.Height/2, 2
	}
	_, err := chromedp.Call(ctx, emulation.SetDeviceMetricsOverride, metrics)
	require.NoError(tb, err)
	_, err = chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "forced-colors", Value: forced}},
	})
	require.NoError(tb, err)
	_, err = chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: v.noScripts})
	require.NoError(tb, err)
}

func (t *tab) note(event any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch e := event.(type) {
	case *log.EventEntryAdded:
		if e.Entry.Level == "error" || e.Entry.Source == "security" {
			t.faults = append(t.faults, e.Entry.Text+" "+e.Entry.URL)
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == "error" || e.Type == "warning" {
			t.faults = append(t.faults, fmt.Sprintf("console.%s %s", e.Type, e.Args[0].Value))
		}
	case *runtime.EventExceptionThrown:
		t.faults = append(t.faults, "exception: "+e.ExceptionDetails.Text+" "+e.ExceptionDetails.Exception.Description)
	case *page.EventJavascriptDialogOpening:
		t.faults = append(t.faults, "dialog: "+e.Message)
	case *network.EventRequestWillBeSent:
		u := e.Request.URL
		if !strings.HasPrefix(u, t.server+"/") && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "blob:") && u != "about:blank" {
			t.faults = append(t.faults, "request to "+u)
		}
	}
}

// open navigates to a page of the service. In a view without scripts the page
// loads without them; scripts of the test still run.
func (t *tab) open(tb testing.TB, path string) {
	tb.Helper()
	t.navigate(tb, path)
	t.scripts(tb, true)
}

// navigate navigates to a page of the server. In a view without scripts, the
// styles for such pages remain in effect.
func (t *tab) navigate(tb testing.TB, path string) {
	tb.Helper()
	require.NoError(tb, t.Load(chromedp.Navigate(t.server+path)))
}

// clean checks that no errors occurred so far. An error status of the page
// itself is not one.
func (t *tab) clean(tb testing.TB) {
	tb.Helper()
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, fault := range t.faults {
		if !strings.Contains(fault, "the server responded with a status of 404") {
			assert.Fail(tb, fault)
		}
	}
}

// eval calls a JavaScript function in the page.
func eval[T any](tb testing.TB, t *tab, function string, args ...any) T {
	tb.Helper()
	v, err := e2e.Call[T](t.Browser, function, args...)
	require.NoError(tb, err, function)
	return v
}

// until waits for a condition in the page. It polls from outside, because
// timers and frames do not run in pages without scripts and background tabs.
func until(tb testing.TB, t *tab, condition string) {
	tb.Helper()
	require.Eventually(tb, func() bool {
		met, err := e2e.Call[bool](t.Browser, "() => Boolean("+condition+")")
		return err == nil && met
	}, time.Minute, 20*time.Millisecond, condition)
}

// follow clicks a link and waits until the next page has loaded.
func follow(tb testing.TB, t *tab, selector string) {
	tb.Helper()
	_ = eval[any](tb, t, `() => { window.leaving = true; }`)
	require.NoError(tb, chromedp.Do(t.Context, chromedp.Click(chromedp.CSS(selector))))
	until(tb, t, `!window.leaving && document.readyState === 'complete'`)
}

// axeSource returns axe-core, which npm ci installs in this directory.
func axeSource(tb testing.TB) string {
	tb.Helper()
	source, err := os.ReadFile("node_modules/axe-core/axe.min.js")
	if err != nil {
		if os.Getenv("DEVKILN_REQUIRE_CHROMIUM") == "1" {
			tb.Fatal(err)
		}
		tb.Skip("no axe-core: npm ci --prefix internal/e2e installs it")
	}
	return string(source)
}

// violations returns the findings of axe-core, one per line.
func violations(tb testing.TB, t *tab, axe string) string {
	tb.Helper()
	_, err := chromedp.Run(t.Context, chromedp.Evaluate[any](axe+";0"))
	require.NoError(tb, err)
	return eval[string](tb, t, `async () => {
		const result = await axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } });
		return result.violations.flatMap((v) => v.nodes.map((n) => v.id + ': ' + n.html.slice(0, 200) + ' ' + (n.any[0]?.message ?? ''))).join('\n');
	}`)
}

const (
	sampleLog = "starting\n2026-11-20 10:00:00,123 INFO ready\n2026-11-20 10:00:01,000 ERROR it broke\n\tat a.b(C.java:1)\nCaused by: c\n" +
		"2026-11-20 10:00:02 WARN slow\n2026-11-20 10:00:03 FATAL gone\n2026-11-20 10:00:04 DEBUG d\n\x1b[31mred\x1b[0m \x1b[1;44mbold\x1b[0m\n" +
		`{"level":"error","msg":"refused","user":{"id":12345678901234567890}}` + "\n"
	sampleSecrets = "10:00:00 INFO postgres://kiln:hunter2@db/kiln\n10:00:01 ERROR password=hunter2 refused\n10:00:02 WARN api_key=k7Lm2Pq9Rs4Tv6Wx1\n" +
		"10:00:03 FATAL Authorization: Bearer k7Lm2Pq9Rs4Tv6Wx1\n10:00:04 DEBUG Cookie: sid=k7Lm2Pq9Rs4Tv6Wx1\n"
	sampleMarkdown = "# Kiln\n\nWarm *and* **exact**, ~~cold~~ `code`, [a link](https://kiln.example), ![a picture](https://kiln.example/a.png)\n\n" +
		"## Lists\n\n- one\n  1. two\n- [x] done\n- [ ] open\n\n> quoted\n\n|name|size|\n|-|-:|\n|a|1|\n|b|2|\n\n```go\nfunc main() {}\n```\n\nHot[^1].\n\n[^1]: A note.\n\n---\n\n<b>markup</b>\n"
	sampleCode = "package main\n\nimport \"fmt\"\n\n// main says hello.\nfunc main() {\n\tfmt.Println(\"hello\", 1, true, '\\n')\n}\n"
)

// samplePages returns all pages by name.
func samplePages(tb testing.TB, s *service) map[string]string {
	tb.Helper()
	masking := &service{shares: s.masking}
	return map[string]string{
		"index":          "/",
		"docs":           "/docs",
		"docs-operation": "/docs/makeScreenshot",
		"log":            s.log(tb, sampleLog, share.LogOptions{Title: "Payment timeouts after the deploy", Expiry: share.Expiry7d}),
		"log-long":       s.log(tb, strings.Repeat(sampleLog, 60), share.LogOptions{Title: strings.Repeat("A long title ", 40)}),
		"log-plain":      s.log(tb, strings.Repeat("\n", 300_000)+strings.Repeat("x", 1000), share.LogOptions{}),
		"compare":        compared(tb, s),
		"compare-form":   "/compare?a=x/&b=y/",
		"log-json":       s.log(tb, strings.Repeat(`{"time":"2026-11-20T09:00:00Z","level":"info","msg":"served","status":200}`+"\n"+`{"time":"2026-11-20T09:00:01Z","level":"error","msg":"refused","user":{"id":7}}`+"\n", 40), share.LogOptions{}),
		"log-build":      s.log(tb, foldable, share.LogOptions{Title: "Build 812"}),
		"snippet":        s.snippet(tb, sampleCode, share.SnippetOptions{Title: "main.go", Language: "go", Expiry: share.ExpiryNever}),
		"read-once":      s.log(tb, sampleLog, share.LogOptions{Burn: true}),
		"encrypted":      s.log(tb, sealedSample, share.LogOptions{Encrypted: true}) + sampleKey,
		"encrypted-once": s.log(tb, sealedSample, share.LogOptions{Encrypted: true, Burn: true}),
		"markdown":       s.snippet(tb, sampleMarkdown, share.SnippetOptions{Title: "README.md", Language: "markdown"}) + "?view=source",
		"document":       s.snippet(tb, sampleMarkdown, share.SnippetOptions{Title: "README.md", Language: "markdown"}),
		"embed":          s.snippet(tb, sampleCode, share.SnippetOptions{Title: "main.go", Language: "go"}) + "/embed",
		"studio":         "/screenshot",
		"gradient":       "/gradient",
		"gradient-more":  "/gradient?css=conic-gradient(from+30deg+in+oklch,red,gold+40%25,%2300f8)&text=white&format=swiftui",
		"gradient-no":    "/gradient?color=reddish&color=blue",
		"slug":           "/slug",
		"slug-no":        "/slug?text=x&max=many",
		"gone":           "/logs/0123456789abcdef",
		"nowhere":        "/no/such/page",
		"log-parts":      s.large(tb, strings.ReplaceAll(largeLog(18_000), " was served", strings.Repeat(" was served", 28))), // long lines, because axe examines each
		"log-masked":     masking.log(tb, strings.Repeat(sampleSecrets, 9), share.LogOptions{}),
		"snippet-masked": masking.snippet(tb, "# password=hunter2\npassword = \"hunter2\"\n", share.SnippetOptions{Language: "python"}),
	}
}

// compared returns the path of a comparison of two logs.
func compared(tb testing.TB, s *service) string {
	tb.Helper()
	id := func(content, title string) string {
		return strings.TrimPrefix(s.log(tb, content, share.LogOptions{Title: title}), "/logs/")
	}
	return "/compare/" + id(sampleLog+strings.Repeat("INFO done\n", 9)+"WARN slow: 12 ms\n", "Build 811") + "/" + id(sampleLog+strings.Repeat("INFO done\n", 9)+"ERROR disk is full\n", "Build 812")
}

// On every page, wide and narrow, light and dark, with and without scripts,
// axe-core finds no violation, the console stays empty, no request goes
// elsewhere and nothing overflows. Screenshots go to the directory
// DEVKILN_SCREENSHOTS.
func TestPages(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	axe := axeSource(t)
	s := newService(t)
	pages := samplePages(t, s)
	for _, v := range usualLooks {
		t.Run(v.String(), func(t *testing.T) {
			t.Parallel()
			p := newTab(t, b, s, v)
			for name, path := range pages {
				t.Run(name, func(t *testing.T) {
					p.open(t, path)
					if name != "docs" { // TestDocs_opened covers it
						assert.Empty(t, violations(t, p, axe))
					}
					over := eval[float64](t, p, `() => document.documentElement.scrollWidth - document.documentElement.clientWidth`)
					assert.LessOrEqual(t, over, 0.0, "wider than the window")
					p.paint(t, name+" "+v.String())
					p.clean(t)
				})
			}
		})
	}
}

// paint saves a screenshot for visual inspection.
func (t *tab) paint(tb testing.TB, name string) {
	tb.Helper()
	dir := os.Getenv("DEVKILN_SCREENSHOTS")
	if dir == "" {
		return
	}
	picture, err := chromedp.Run(t.Context, chromedp.CaptureScreenshot())
	require.NoError(tb, err)
	require.NoError(tb, os.WriteFile(filepath.Join(dir, strings.ReplaceAll(name, " ", "-")+".png"), picture, 0o644))
}

// allow permits pages to use the clipboard.
func (t *tab) allow(tb testing.TB) {
	tb.Helper()
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		_, err := chromedp.CallBrowser(t.Context, browser.SetPermission, browser.SetPermissionParams{
			Permission: &browser.PermissionDescriptor{Name: name, AllowWithoutSanitization: name == "clipboard-write"}, Setting: "granted", BrowserContextID: t.Profile(),
		})
		require.NoError(tb, err)
	}
}

// usualLooks are the views of most visitors. They cover every pair of width,
// colour scheme and scripts.
var usualLooks = []view{{width: 1440}, {width: 390, dark: true}, {width: 1440, dark: true, noScripts: true}, {width: 390, noScripts: true}}
