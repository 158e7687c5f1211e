// Package e2e provides browser tests with a real Chromium. It is a module of
// its own, so that importers of Devkiln do not depend on a browser protocol.
//
// [Open] gives each test a profile of its own in a Chromium shared by the
// package. It prefers the headless shell, which has the same engine without
// windows and needs less than half of the CPU time. Tests that need a
// clipboard, or a page of any size as painted in a window, use [OpenWindow].
// Tests that measure the process itself use [Launch]. Without a Chromium they
// are skipped, or fail if the environment variable DEVKILN_REQUIRE_CHROMIUM is
// 1. DEVKILN_CHROMIUM names the program to use.
package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Named is a host name for 127.0.0.1. Browsers do not treat it as a secure
// origin over http, unlike loopback addresses.
const Named = "kiln.test"

// A Browser is a tab of a Chromium. It can reach loopback addresses, [Named]
// and data URLs, and no other network. Tabs opened from its context share its
// cookies and storage.
type Browser struct {
	// Context is the tab's context for chromedp.Run. It ends with the test.
	Context context.Context
}

// shared holds the Chromium processes of a package's tests by program; ends
// stops them.
var (
	sharedMu sync.Mutex
	shared   = make(map[string]*Browser)
	ends     []func()
)

// Run runs the tests of a package that uses [Open] and stops its Chromium.
// TestMain must pass the result to os.Exit.
func Run(m *testing.M) (code int) {
	defer func() {
		for _, end := range ends {
			end()
		}
	}()
	return m.Run()
}

// Open opens a tab with a new profile, without cookies, storage or permissions,
// in the package's Chromium, which the first test starts. TestMain must call
// [Run]. The profile ends with the test.
func Open(tb testing.TB) *Browser {
	tb.Helper()
	return open(tb, chromium(tb, shells...))
}

// OpenWindow is like [Open] in a Chromium with windows and therefore a
// clipboard.
func OpenWindow(tb testing.TB) *Browser {
	tb.Helper()
	return open(tb, chromium(tb))
}

func open(tb testing.TB, program string) *Browser {
	tb.Helper()
	sharedMu.Lock()
	defer sharedMu.Unlock()
	if shared[program] == nil {
		b, end, err := start(program)
		if err != nil {
			tb.Fatal(err)
		}
		shared[program] = b
		ends = append(ends, end)
	}
	ctx, closeTab := chromedp.NewContext(shared[program].Context, chromedp.WithNewBrowserContext())
	tb.Cleanup(closeTab)
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		tb.Fatalf("opening a profile: %v", err)
	}
	return &Browser{Context: ctx}
}

// Launch starts a headless Chromium that ends with the test.
func Launch(tb testing.TB) *Browser {
	tb.Helper()
	b, end, err := start(chromium(tb))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(end)
	return b
}

// start starts a headless Chromium that runs until end is called. Its pages
// have one device pixel per CSS pixel and sRGB colours.
func start(program string) (b *Browser, end func(), err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program),
		chromedp.NoSandbox,
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-domain-reliability", true),
		chromedp.Flag("host-resolver-rules", "MAP "+Named+" 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"),
		chromedp.Flag("force-device-scale-factor", "1"),
		chromedp.Flag("hide-scrollbars", true),
		chromedp.WSURLReadTimeout(time.Minute),
	)
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, closeTab := chromedp.NewContext(ctx)
	end = func() { closeTab(); stop() }
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		end()
		return nil, nil, fmt.Errorf("starting %s: %w", program, err)
	}
	return &Browser{Context: ctx}, end, nil
}

// Program names of Chromium without and with windows.
var (
	shells  = []string{"chromium-headless-shell", "chrome-headless-shell"}
	windows = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}
)

// chromium returns the path of the first program found, preferred ones first.
// It skips the test if there is none.
func chromium(tb testing.TB, preferred ...string) string {
	tb.Helper()
	program, err := findChromium(preferred)
	if err == nil {
		return program
	}
	if os.Getenv("DEVKILN_REQUIRE_CHROMIUM") == "1" {
		tb.Fatal(err)
	}
	tb.Skip(err)
	return ""
}

// Profile returns the ID of the browser's profile, for Chromium's settings by
// profile.
func (b *Browser) Profile() cdp.BrowserContextID {
	return chromedp.FromContext(b.Context).BrowserContextID
}

func findChromium(preferred []string) (string, error) {
	if program := os.Getenv("DEVKILN_CHROMIUM"); program != "" {
		return exec.LookPath(program)
	}
	for _, name := range slices.Concat(preferred, windows) {
		if program, err := exec.LookPath(name); err == nil {
			return program, nil
		}
	}
	return "", errors.New("no chromium on the PATH; DEVKILN_CHROMIUM names one elsewhere")
}

// Transparent makes the default background of pages transparent in screenshots.
func (b *Browser) Transparent() error {
	// An alpha of 0 would be omitted from the request, and the default is 1.
	const none = 1e-6
	_, err := chromedp.Call(b.Context, emulation.SetDefaultBackgroundColorOverride,
		emulation.SetDefaultBackgroundColorOverrideParams{Color: &cdp.RGBA{A: none}})
	return err
}

// Load runs an action that loads a page, such as chromedp.Navigate, and waits
// up to a minute until the page has loaded. chromedp alone returns early if a
// page calls history.replaceState while it loads, because Chromium then reports
// the end of another load.
func (b *Browser) Load(action chromedp.Action[chromedp.Void]) error {
	ctx, cancel := context.WithTimeout(b.Context, time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, action); err != nil {
		return err
	}
	loading := &Browser{Context: ctx}
	for ; ; time.Sleep(5 * time.Millisecond) { // polling, because pages without scripts run no timers
		complete, err := Call[bool](loading, `() => document.readyState === 'complete'`)
		if err != nil || complete {
			return err
		}
	}
}

// Show replaces the content of the body with html and removes its margin.
func (b *Browser) Show(html string) error {
	_, err := Call[any](b, `(html) => {
		document.body.style.margin = '0';
		document.body.innerHTML = html;
	}`, html)
	return err
}

// Call calls a JavaScript function with arguments encoded as JSON. It awaits a
// promise and returns the result.
func Call[T any](b *Browser, function string, args ...any) (T, error) {
	values, err := json.Marshal(append([]any{}, args...))
	if err != nil {
		var none T
		return none, err
	}
	script := "(" + function + ")(..." + string(values) + ")"
	return chromedp.Run(b.Context, chromedp.Evaluate[T](script, func(p *runtime.EvaluateParams) { p.AwaitPromise = new(true) }))
}

// Screenshot returns the top left width by height pixels of the page as
// painted, regardless of the size of the window.
func (b *Browser) Screenshot(width, height int) (image.Image, error) {
	shot, err := chromedp.Call(b.Context, page.CaptureScreenshot, page.CaptureScreenshotParams{
		Clip:                  &page.Viewport{Width: float64(width), Height: float64(height), Scale: 1},
		CaptureBeyondViewport: new(true),
		OptimizeForSpeed:      new(true),
	})
	if err != nil {
		return nil, err
	}
	img, err := png.Decode(bytes.NewReader(shot.Data))
	if err != nil {
		return nil, err
	}
	if img.Bounds() != image.Rect(0, 0, width, height) {
		return nil, fmt.Errorf("screenshot is %v, asked for %d×%d", img.Bounds(), width, height)
	}
	return img, nil
}
