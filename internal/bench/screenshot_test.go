package bench

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"html"
	"image/png"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

// screenshotInputs returns Go code of 30 and 200 lines, and 50,000 characters.
func screenshotInputs(b *testing.B) (names []string, code map[string]string) {
	b.Helper()
	data, err := os.ReadFile("../../screenshot/testdata/sample.go.txt")
	require.NoError(b, err)
	lines := strings.SplitAfter(string(data), "\n")
	return []string{"small", "medium", "large"}, map[string]string{
		"small":  strings.Join(lines[:30], ""),
		"medium": strings.Join(lines[:200], ""),
		"large":  strings.Repeat(string(data), 20)[:screenshot.MaxCode],
	}
}

// BenchmarkScreenshot draws the same code with the same font, theme and
// decoration at two pixels per CSS pixel: with this library on one goroutine,
// and as highlighted HTML in a page of a running headless Chromium. Only our
// time includes highlighting. Chromium is skipped if it is not installed.
func BenchmarkScreenshot(b *testing.B) {
	names, inputs := screenshotInputs(b)
	for _, name := range names {
		config, err := screenshot.New(inputs[name], screenshot.Options{Language: "go", WindowTitle: "sample.go"})
		require.NoError(b, err)
		b.Run(name+"/devkiln", func(b *testing.B) {
			var file bytes.Buffer
			for b.Loop() {
				file.Reset()
				require.NoError(b, config.WritePNG(b.Context(), &file, 2))
			}
			reportFile(b, file.Bytes())
		})
		b.Run(name+"/chromium", func(b *testing.B) { benchmarkChromium(b, config) })
	}
}

func reportFile(b *testing.B, file []byte) {
	b.Helper()
	size, err := png.DecodeConfig(bytes.NewReader(file))
	require.NoError(b, err)
	b.ReportMetric(float64(len(file))/1000, "kB/file")
	b.ReportMetric(float64(size.Width*size.Height)/1e6, "Mpixel")
}

func benchmarkChromium(b *testing.B, config screenshot.Config) {
	if _, err := exec.LookPath("chromium"); err != nil {
		b.Skip("chromium is not installed")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath("chromium"), chromedp.NoSandbox, chromedp.DisableGPU)
	ctx, cancel := chromedp.NewExecAllocator(b.Context(), options...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()

	laidOut, err := config.Picture()
	require.NoError(b, err)
	width, height := laidOut.Size()
	empty, full := chromiumPage(b, config)
	require.NoError(b, chromedp.Do(ctx,
		chromedp.Navigate("data:text/html;base64,"+base64.StdEncoding.EncodeToString([]byte(empty))),
		chromedp.EmulateViewport(int64(width), min(int64(height), 2000), chromedp.EmulateScale(2)),
	))
	show := chromedp.Evaluate[bool](fmt.Sprintf("document.body.innerHTML = %q; document.fonts.ready.then(() => true)", full), chromedp.EvalAwaitPromise)
	capture := func(ctx context.Context, t *chromedp.Target) ([]byte, error) {
		result, err := cdp.Call(ctx, t, page.CaptureScreenshot, page.CaptureScreenshotParams{
			CaptureBeyondViewport: new(true),
			Clip:                  &page.Viewport{Width: float64(width), Height: float64(height), Scale: 1},
		})
		return result.Data, err
	}
	var file []byte
	draw := func() {
		_, err := chromedp.Run(ctx, show)
		require.NoError(b, err)
		file, err = chromedp.Run(ctx, capture)
		require.NoError(b, err)
	}
	draw()
	for b.Loop() {
		draw()
	}
	reportFile(b, file)
	if keep := os.Getenv("DEVKILN_BENCH_KEEP"); keep != "" {
		require.NoError(b, os.WriteFile(keep, file, 0o600))
	}
}

// chromiumPage returns a page with the style of a screenshot, and the HTML of
// its body.
func chromiumPage(b *testing.B, config screenshot.Config) (empty, body string) {
	b.Helper()
	theme, _ := highlight.LookupTheme(config.Theme)
	var css, code, numbers strings.Builder
	for _, face := range []struct{ file, style string }{{"Regular", "normal"}, {"Italic", "italic"}} {
		data, err := os.ReadFile("../../screenshot/internal/fonts/JetBrainsMono-" + face.file + ".ttf")
		require.NoError(b, err)
		fmt.Fprintf(&css, "@font-face{font-family:code;font-style:%s;src:url(data:font/ttf;base64,%s)}", face.style, base64.StdEncoding.EncodeToString(data))
	}
	for _, class := range highlight.Classes() {
		style := theme.Style(class)
		fmt.Fprintf(&css, ".%s{color:%s", class, style.Color)
		if style.Italic {
			css.WriteString(";font-style:italic")
		}
		css.WriteString("}")
	}
	fmt.Fprintf(&css, "*{margin:0}body{font:14px/21px code;background:%s;padding:64px}", config.Background)
	fmt.Fprintf(&css, ".w{background:%s;border-radius:12px;box-shadow:0 18px 48px rgba(0,0,0,.45);padding:0 20px 20px}", theme.Background)
	css.WriteString(".b{height:44px;text-align:center;line-height:40px}.b i{float:left;width:12px;height:12px;border-radius:6px;margin:14px 8px 0 0}")
	fmt.Fprintf(&css, "pre{font:inherit;white-space:pre;tab-size:4}.n{float:left;text-align:right;color:%s;width:3ch;margin-right:2ch}", theme.LineNumber)
	for i, line := range highlight.Code(config.Code, config.Language).Lines {
		fmt.Fprintln(&numbers, i+1)
		for _, token := range line {
			fmt.Fprintf(&code, "<span class=%s>%s</span>", token.Class, html.EscapeString(token.Text))
		}
		code.WriteString("\n")
	}
	empty = "<!doctype html><style>" + css.String() + "</style><body></body>"
	body = `<div class=w><div class=b><i style="background:#ff5f57"></i><i style="background:#febc2e"></i><i style="background:#28c840"></i>` +
		config.WindowTitle + "</div><pre class=n>" + numbers.String() + "</pre><pre>" + code.String() + "</pre></div>"
	return empty, body
}
