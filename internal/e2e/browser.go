// Package e2e holds what tests in a real Chromium share. It is a module of its
// own, so that nobody who imports Devkiln sees a browser's protocol.
//
// Tests start with [Launch]. Without a Chromium they are skipped, unless the
// environment variable DEVKILN_REQUIRE_CHROMIUM is 1: then they fail.
// DEVKILN_CHROMIUM names the program, if it is not found by itself.
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
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Named is a name for 127.0.0.1 that browsers do not trust as they do loopback
// addresses: what they keep for secure origins they keep from http at it.
const Named = "kiln.test"

// A Browser is one Chromium with one tab. It reaches loopback addresses, [Named]
// and data URLs, and no other network.
type Browser struct {
	// Context is that of the tab, for chromedp.Run. It ends with the test.
	Context context.Context
}

// Launch starts a headless Chromium that ends with the test. Its pages have
// one device pixel per CSS pixel and sRGB colours.
func Launch(tb testing.TB) *Browser {
	tb.Helper()
	program, err := findChromium()
	if err != nil {
		if os.Getenv("DEVKILN_REQUIRE_CHROMIUM") == "1" {
			tb.Fatal(err)
		}
		tb.Skip(err)
	}
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
	tb.Cleanup(stop)
	ctx, closeTab := chromedp.NewContext(ctx)
	tb.Cleanup(closeTab)
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		tb.Fatalf("starting %s: %v", program, err)
	}
	return &Browser{Context: ctx}
}

func findChromium() (string, error) {
	if program := os.Getenv("DEVKILN_CHROMIUM"); program != "" {
		return exec.LookPath(program)
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if program, err := exec.LookPath(name); err == nil {
			return program, nil
		}
	}
	return "", errors.New("no chromium on the PATH; DEVKILN_CHROMIUM names one elsewhere")
}

// Transparent makes pages without a background transparent, not white, in
// screenshots.
func (b *Browser) Transparent() error {
	// An alpha of exactly 0 would not be sent, and its default is 1.
	const none = 1e-6
	_, err := chromedp.Call(b.Context, emulation.SetDefaultBackgroundColorOverride,
		emulation.SetDefaultBackgroundColorOverrideParams{Color: &cdp.RGBA{A: none}})
	return err
}

// Show replaces the document by one with this HTML as its body, without a
// margin.
func (b *Browser) Show(html string) error {
	_, err := Call[any](b, `(html) => {
		document.body.style.margin = '0';
		document.body.innerHTML = html;
	}`, html)
	return err
}

// Call calls a JavaScript function with arguments that JSON can hold, waits if
// it returns a promise, and returns the result.
func Call[T any](b *Browser, function string, args ...any) (T, error) {
	values, err := json.Marshal(append([]any{}, args...))
	if err != nil {
		var none T
		return none, err
	}
	script := "(" + function + ")(..." + string(values) + ")"
	return chromedp.Run(b.Context, chromedp.Evaluate[T](script, func(p *runtime.EvaluateParams) { p.AwaitPromise = new(true) }))
}

// Screenshot returns the top left width by height pixels of the page as it is
// painted, whatever the size of the window.
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
