package e2e_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/e2e"
)

// scripts enables or disables scripts. The styles for pages without scripts
// apply only while they are disabled.
func (t *tab) scripts(tb testing.TB, run bool) {
	tb.Helper()
	_, err := chromedp.Call(t.Context, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !run})
	require.NoError(tb, err)
}

// media emulates a media feature, such as forced-colors.
func (t *tab) media(tb testing.TB, name, value string) {
	tb.Helper()
	_, err := chromedp.Call(t.Context, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: name, Value: value}},
	})
	require.NoError(tb, err)
}

// zoom emulates a zoom factor in a window of 1280 by 800.
func (t *tab) zoom(tb testing.TB, times int64) {
	tb.Helper()
	_, err := chromedp.Call(t.Context, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: 1280 / times, Height: 800 / times, DeviceScaleFactor: float64(times),
	})
	require.NoError(tb, err)
}

// box is the position and size of an element in the window.
type box struct{ X, Y, Width, Height float64 }

func (t *tab) box(tb testing.TB, selector string) box {
	tb.Helper()
	return eval[box](tb, t, `(s) => document.querySelector(s).getBoundingClientRect().toJSON()`, selector)
}

// painted returns an image of an element.
func (t *tab) painted(tb testing.TB, selector string) image.Image {
	tb.Helper()
	at := t.box(tb, selector)
	require.Greater(tb, at.Width*at.Height, 0.0, "%s takes no room", selector)
	shot, err := chromedp.Call(t.Context, page.CaptureScreenshot, page.CaptureScreenshotParams{
		Clip: &page.Viewport{X: at.X, Y: at.Y + eval[float64](tb, t, `() => scrollY`), Width: at.Width, Height: at.Height, Scale: 1}, CaptureBeyondViewport: new(true),
	})
	require.NoError(tb, err)
	img, err := png.Decode(bytes.NewReader(shot.Data))
	require.NoError(tb, err)
	return img
}

// colors counts the pixels of each colour in an image.
func colors(img image.Image) map[[3]uint8]int {
	count := make(map[[3]uint8]int)
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			r, g, b, _ := img.At(x, y).RGBA()
			count[[3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)}]++
		}
	}
	return count
}

// paste replaces the content of an editor.
func (t *tab) paste(tb testing.TB, selector, text string) {
	tb.Helper()
	_ = eval[any](tb, t, `(s) => { const field = document.querySelector(s); field.focus(); field.select(); }`, selector)
	_, err := chromedp.Call(t.Context, input.InsertText, input.InsertTextParams{Text: text})
	require.NoError(tb, err)
}

// redrawn waits until the studio shows another picture than before do was
// called.
func (t *tab) redrawn(tb testing.TB, do func()) {
	tb.Helper()
	before := eval[string](tb, t, `() => document.querySelector('[data-image]').src`)
	do()
	until(tb, t, fmt.Sprintf(`document.querySelector('[data-image]').src !== %q`, before))
}

// keepBlobs lets [tab.svg] read blobs, which the pages' policy does not permit
// to fetch.
func (t *tab) keepBlobs(tb testing.TB) {
	tb.Helper()
	_, err := chromedp.Call(t.Context, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
		const make = URL.createObjectURL;
		window.blobs = {};
		URL.createObjectURL = (blob) => {
			const url = make.call(URL, blob);
			blobs[url] = blob;
			return url;
		};`})
	require.NoError(tb, err)
}

// svg returns the picture that the studio shows.
func (t *tab) svg(tb testing.TB) string {
	tb.Helper()
	return eval[string](tb, t, `() => blobs[document.querySelector('[data-image]').src].text()`)
}

const python = "def fire(kiln):\n    while kiln.degrees < 1200:\n        kiln.degrees += 120\n"

// Code pasted over the sample is drawn without its title and language, as the
// API draws it. Editing the sample keeps them.
func TestStudio_pastedCodeIsNotTheSample(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	p.keepBlobs(t)
	p.open(t, "/screenshot")
	require.NoError(t, chromedp.Do(p.Context, chromedp.SendKeys(chromedp.CSS("[name=code]"), "// more")))
	require.Eventually(t, func() bool {
		drawn, err := e2e.Call[bool](p.Browser, `async () => (await blobs[document.querySelector('[data-image]').src]?.text())?.includes('// more') === true`)
		return err == nil && drawn
	}, time.Minute, 20*time.Millisecond)
	assert.Contains(t, p.svg(t), "kiln.go")
	p.redrawn(t, func() { p.paste(t, "[name=code]", python) })
	assert.Equal(t, string(s.api(t, "/api/v1/code-screenshot", "image/svg+xml", map[string]any{"code": python})), p.svg(t))
	p.clean(t)

	p = newTab(t, b, s, view{width: 390, noScripts: true})
	p.open(t, "/screenshot")
	p.scripts(t, false)
	require.NoError(t, chromedp.Do(p.Context, chromedp.SetValue(chromedp.CSS("[name=code]"), python)))
	follow(t, p, ".settings .scriptless")
	assert.Equal(t, string(s.api(t, "/api/v1/code-screenshot", "image/svg+xml", map[string]any{"code": python})),
		eval[string](t, p, `() => decodeURIComponent(document.querySelector('[data-image]').src.replace(/^[^,]*,/, ''))`))
}

// Input survives a reload, navigation and a new tab until the user starts over.
// Opening a link shows its content and discards nothing.
func TestStudio_keepsWhatIsTyped(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	p.keepBlobs(t)
	p.open(t, "/screenshot")
	sample := eval[string](t, p, `() => document.querySelector('[name=code]').value`)
	p.redrawn(t, func() { p.paste(t, "[name=code]", python) })
	p.redrawn(t, func() {
		require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[name=theme][value=ocean]"))))
	})
	want := p.svg(t)
	again := func() {
		t.Helper()
		until(t, p, `document.querySelector('[data-image]')?.src.startsWith('blob:')`)
		assert.Equal(t, python, eval[string](t, p, `() => document.querySelector('[name=code]').value`))
		assert.Equal(t, want, p.svg(t))
	}
	require.NoError(t, p.Load(chromedp.Reload()))
	again()
	p.open(t, "/slug")
	require.NoError(t, p.Load(chromedp.NavigateBack()))
	again()

	p.open(t, "/slug")
	p.open(t, studioLink(t, `{"code":"from a link"}`))
	until(t, p, `document.querySelector('[data-image]').src.startsWith('blob:')`)
	assert.Equal(t, "from a link", eval[string](t, p, `() => document.querySelector('[name=code]').value`))
	p.open(t, "/slug")
	p.open(t, "/screenshot")
	again()

	p.redrawn(t, func() { require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[data-start-over]")))) })
	require.NoError(t, p.Load(chromedp.Reload()))
	assert.Equal(t, sample, eval[string](t, p, `() => document.querySelector('[name=code]').value`))
	p.clean(t)
}

// Changes made after opening a link survive a reload.
func TestStudio_keepsChangesOfALink(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	p.open(t, studioLink(t, `{"code":"from a link"}`))
	until(t, p, `document.querySelector('[data-image]').src.startsWith('blob:')`)
	p.redrawn(t, func() { p.paste(t, "[name=code]", python) })
	require.NoError(t, p.Load(chromedp.Reload()))
	assert.Equal(t, python, eval[string](t, p, `() => document.querySelector('[name=code]').value`))
	p.clean(t)
}

// latin1 decodes bytes as Latin-1.
func latin1(bytes []byte) string {
	runes := make([]rune, len(bytes))
	for i, b := range bytes {
		runes[i] = rune(b)
	}
	return string(runes)
}

func TestStudio_opensADroppedFile(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	p.keepBlobs(t)
	p.open(t, "/screenshot")
	drop := func(name, bytes string) {
		_ = eval[any](t, p, `(name, bytes) => {
			const dataTransfer = new DataTransfer();
			dataTransfer.items.add(new File([Uint8Array.from(bytes, (c) => c.charCodeAt(0))], name));
			const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
			document.querySelector('[name=code]').dispatchEvent(event);
		}`, name, bytes)
	}
	p.redrawn(t, func() { drop("kiln.py", python) })
	assert.Equal(t, string(s.api(t, "/api/v1/code-screenshot", "image/svg+xml", map[string]any{"code": python, "windowTitle": "kiln.py"})), p.svg(t))
	odd := map[string]any{"code": "x := \"<漢>\"\n", "windowTitle": "odd.go", "theme": "ocean", "padding": 3, "shadow": false}
	const parameters = "/api/v1/code-screenshot?embed=config&highlight=1&watermark=a+%26+b"
	file := s.api(t, parameters+"&scale=1", "image/png", odd)
	p.redrawn(t, func() { drop("odd.png", latin1(file)) })
	assert.Equal(t, string(s.api(t, parameters, "image/svg+xml", odd)), p.svg(t), "all settings of a picture that carries them")
	p.redrawn(t, func() { drop("kiln.py", python) })
	drop("plain.png", latin1(s.api(t, "/api/v1/code-screenshot", "image/png", odd)))
	until(t, p, `document.querySelector('#code-wrong').textContent.startsWith('This picture does not carry its settings.')`)
	drop("kiln.bin", "\u00ff\u00fe")
	until(t, p, `document.querySelector('#code-wrong').textContent === 'This file is no text in UTF-8.'`)
	assert.Equal(t, python, eval[string](t, p, `() => document.querySelector('[name=code]').value`))
	p.clean(t)
}

// An empty editor shows an invitation, without an outdated picture or an alert.
func TestStudio_invitesWhenEmpty(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	const seen = `() => [...document.querySelectorAll('.easel p, .easel img, [role=alert]')].filter((e) => e.checkVisibility() && (e.src || e.textContent)).map((e) => e.src || e.innerText).join()`
	p := newTab(t, b, s, view{width: 390})
	p.open(t, "/screenshot")
	p.paste(t, "[name=code]", "")
	require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("\b")))
	until(t, p, `document.querySelector('[data-image]').hidden`)
	assert.Equal(t, "Type or paste code, or drop a file here.", eval[string](t, p, seen))
	p.redrawn(t, func() { p.paste(t, "[name=code]", "x") })
	assert.Regexp(t, "^blob:[^,]+$", eval[string](t, p, seen))
	p.clean(t)

	p = newTab(t, b, s, view{width: 1440, noScripts: true})
	p.open(t, "/screenshot")
	p.scripts(t, false)
	_ = eval[any](t, p, `() => { document.querySelector('[name=code]').value = ''; }`)
	follow(t, p, ".settings .scriptless")
	assert.Equal(t, "Type or paste code.", eval[string](t, p, seen))
}

// An empty editor does not hide what is wrong with the settings.
func TestStudio_wrongSettingsWithoutCode(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	p := newTab(t, b, newService(t), view{width: 1440})
	p.open(t, "/screenshot")
	p.paste(t, "[name=code]", " ")
	require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("\b")))
	_ = eval[any](t, p, `() => { document.querySelector('.more').open = true; }`)
	p.paste(t, "[name=with-lines]", "first")
	require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("\t")))
	until(t, p, `document.querySelector('#with-lines-wrong').textContent.startsWith('Lines ')`)
	assert.True(t, eval[bool](t, p, `() => document.querySelector('[data-invite]').checkVisibility() && document.querySelector('[data-image]').hidden`))
	p.paste(t, "[name=with-lines]", "1")
	until(t, p, `document.querySelector('#with-lines-wrong').textContent === ''`)
}

// Where no picture can be drawn, the page says so in its place.
func TestStudio_withoutAPicture(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	const said = `document.querySelector('.view').innerText.includes('appears here once nothing is wrong')`
	p := newTab(t, b, s, view{width: 1440})
	p.open(t, studioLink(t, `{"code":"x","background":"url(x)"}`))
	until(t, p, said)
	p.redrawn(t, func() {
		require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[name=preset]"))))
	})
	until(t, p, `!`+said)

	p = newTab(t, b, s, view{width: 1440, noScripts: true})
	p.open(t, "/screenshot")
	p.scripts(t, false)
	_ = eval[any](t, p, `() => { document.querySelector('[name=padding]').type = 'text'; }`)
	require.NoError(t, chromedp.Do(p.Context, chromedp.SetValue(chromedp.CSS("[name=padding]"), "wide")))
	follow(t, p, ".settings .scriptless")
	until(t, p, said)
}

// A checkerboard shows where a picture is transparent, and only there.
func TestStudio_showsTransparency(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	for _, dark := range []bool{false, true} {
		p := newTab(t, b, s, view{width: 1440, dark: dark})
		p.open(t, studioLink(t, `{"code":"x","background":"transparent","padding":80,"shadow":false}`))
		until(t, p, `document.querySelector('[data-image]').src.startsWith('blob:')`)
		at := func(img image.Image, x, y int) [3]uint8 {
			r, g, b, _ := img.At(x, y).RGBA()
			return [3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)}
		}
		img := p.painted(t, "[data-image]")
		assert.Equal(t, [3]uint8{0xc9, 0xc9, 0xc9}, at(img, 28, 20))
		assert.Equal(t, [3]uint8{0xf4, 0xf4, 0xf4}, at(img, 20, 20))
		p.redrawn(t, func() { require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS(".ground input")))) })
		assert.NotContains(t, colors(p.painted(t, "[data-image]")), [3]uint8{0xc9, 0xc9, 0xc9})
		p.clean(t)
	}
}

// The editor shows each typed character even if the font has ligatures.
func TestStudio_editorHasNoLigatures(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	p.open(t, "/screenshot")
	p.redrawn(t, func() { p.paste(t, "[name=code]", "-> => != === <= >= ++ /* */ // ::") })
	_ = eval[any](t, p, `() => { document.fonts.ready; document.activeElement.blur(); }`)
	until(t, p, `document.fonts.status === 'loaded'`)
	shown := p.painted(t, "[name=code]")
	_ = eval[any](t, p, `() => { document.querySelector('[name=code]').style.fontFeatureSettings = '"calt" 0, "liga" 0, "clig" 0'; }`)
	assert.Equal(t, shown, p.painted(t, "[name=code]"))
}

// Pages of tools have no layout shifts while loading, whatever their content.
func TestTools_nothingMovesWhileLoading(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	pages := map[string]string{
		"studio": "/screenshot", "gradient": "/gradient", "slug": "/slug",
		"link": studioLink(t, `{"code":"x\ny\nz","background":"conic-gradient(from 30deg, #ff0000, #0000ff)","padding":20}`),
	}
	for name, path := range pages {
		for _, width := range []int64{1440, 390} {
			t.Run(fmt.Sprintf("%s %d", name, width), func(t *testing.T) {
				p := newTab(t, b, s, view{width: width})
				p.open(t, path)
				if name == "link" {
					until(t, p, `document.querySelector('[data-image]').src.startsWith('blob:')`)
				}
				assert.Empty(t, p.shifts(t))
			})
		}
	}
	t.Run("kept", func(t *testing.T) {
		p := newTab(t, b, s, view{width: 1440})
		p.open(t, "/screenshot")
		p.redrawn(t, func() { p.paste(t, "[name=code]", python+python+python) })
		p.redrawn(t, func() {
			require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[data-custom]")), chromedp.Click(chromedp.CSS("[data-add]"))))
		})
		require.NoError(t, p.Load(chromedp.Reload()))
		until(t, p, `document.querySelector('[data-image]')?.src.startsWith('blob:')`)
		assert.Empty(t, p.shifts(t))
	})
}

// Nothing moves when fonts arrive after a page was painted without them.
func TestPages_fontsArriveLate(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	var held sync.RWMutex
	usual := s.Config.Handler
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".woff2") {
			held.RLock()
			defer held.RUnlock()
		}
		usual.ServeHTTP(w, r)
	})
	pages := samplePages(t, s)
	delete(pages, "encrypted") // is decrypted after its first paint
	for name, path := range pages {
		p := newTab(t, b, s, view{width: 1440})
		_, err := chromedp.Call(p.Context, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
		require.NoError(t, err)
		held.Lock()
		_ = eval[any](t, p, `(address) => { location = address; }`, s.URL+path)
		until(t, p, `performance.getEntriesByName('first-contentful-paint').length > 0`)
		held.Unlock()
		until(t, p, `document.readyState === 'complete' && document.fonts.status === 'loaded'`)
		assert.Empty(t, p.shifts(t), name)
	}
}

// shifts returns the elements with layout shifts so far.
func (t *tab) shifts(tb testing.TB) []string {
	tb.Helper()
	return eval[[]string](tb, t, `() => new Promise((done) => {
		const moved = [];
		new PerformanceObserver((list) => {
			for (const entry of list.getEntries()) {
				for (const { node } of entry.sources) moved.push(entry.value + ' ' + (node?.outerHTML ?? node?.textContent ?? '').slice(0, 120));
			}
		}).observe({ type: 'layout-shift', buffered: true });
		requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(moved), 50)));
	})`)
}

// With forced colours, colours that are content are unchanged and the selected
// option is recognizable.
func TestTools_forcedColors(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	p.media(t, "forced-colors", "active")
	for path, selectors := range map[string][]string{
		"/screenshot": {".swatch.theme-dracula", ".swatch.theme-ocean", ".ground-dusk", ".ground-straw"},
		"/gradient":   {".canvas", ".ground-dusk", ".ground-straw", "[type=color]"},
	} {
		p.open(t, path)
		plain := colors(p.painted(t, ".site"))
		for _, selector := range selectors {
			seen := 0
			for c, n := range colors(p.painted(t, selector)) {
				if plain[c] == 0 {
					seen += n
				}
			}
			assert.Greater(t, seen, 300, "%s on %s", selector, path)
		}
		assert.NotEqual(t, p.painted(t, ".segments :checked + span"), p.painted(t, ".segments :not(:checked) + span"))
	}
}

// At 200 % zoom everything is visible and reachable.
func TestTools_zoomed(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1280})
	for _, times := range []int64{2, 4} {
		p.zoom(t, times)
		for _, path := range []string{"/screenshot", "/gradient", "/slug"} {
			p.open(t, path)
			assert.LessOrEqual(t, eval[float64](t, p, `() => document.documentElement.scrollWidth - innerWidth`), 0.0, "%s at %d", path, times)
			stuck := eval[float64](t, p, `() => {
				scrollTo(0, document.body.scrollHeight);
				const stuck = (e) => !e.matches('.foot') && /sticky|fixed/.test(getComputedStyle(e).position); // the foot only stays below the window
				return Math.max(0, ...[...document.querySelectorAll('body *')].filter(stuck)
					.map((e) => Math.min(innerHeight, e.getBoundingClientRect().bottom)));
			}`)
			assert.LessOrEqual(t, stuck, 0.0, "%s at %d: something stays over the page", path, times)
		}
	}
}

// On a phone the picture stays in sight while what makes it is changed, and leaves
// most of the window to that.
func TestStudio_pictureStaysInSight(t *testing.T) {
	t.Parallel()
	p := newTab(t, e2e.Open(t), newService(t), view{width: 390})
	p.open(t, "/screenshot")
	for _, field := range []string{"#code", ".themes label:nth-of-type(4)", ".grounds", "[name=windowTitle]", ".saved"} {
		seen := eval[[]float64](t, p, `() => {
			const field = document.querySelector('`+field+`');
			field.scrollIntoView();
			const image = document.querySelector('[data-image]').getBoundingClientRect();
			return [image.top, image.bottom / innerHeight, field.getBoundingClientRect().top - document.querySelector('.easel').getBoundingClientRect().bottom];
		}`)
		assert.GreaterOrEqual(t, seen[0], 0.0, field)
		assert.LessOrEqual(t, seen[1], .33, field)
		assert.GreaterOrEqual(t, seen[2], 0.0, "%s is below the picture", field)
	}
	p.clean(t)
}

// On a laptop the buttons over the picture are one row and say what they do, and
// the size of the padding is in sight; so are gradients to start from.
func TestTools_firstScreen(t *testing.T) {
	t.Parallel()
	p := newTab(t, e2e.Open(t), newService(t), view{width: 1280})
	p.open(t, "/screenshot")
	assert.Less(t, p.box(t, ".bar").Height, 64.0)
	for _, button := range []string{"[data-copy-image] > span", "[data-copy-link] > span"} {
		assert.Greater(t, p.box(t, button).Width, 20.0, button)
	}
	padding, settings := p.box(t, "[name=padding]"), p.box(t, ".settings")
	assert.Less(t, padding.Y+padding.Height, settings.Y+settings.Height-40, "above what fades")
	p.open(t, "/gradient")
	presets := p.box(t, ".gallery")
	assert.Less(t, presets.Y+presets.Height, 720.0, "gradients to start from are under the picture")
	p.clean(t)
}

// Tab inserts a tab in the editor, which says how to leave it by keyboard.
func TestStudio_editorIsNoTrap(t *testing.T) {
	t.Parallel()
	p := newTab(t, e2e.Open(t), newService(t), view{width: 1440})
	p.open(t, "/screenshot")
	_ = eval[any](t, p, `() => { document.getElementById('code').focus(); }`)
	assert.True(t, eval[bool](t, p, `() => {
		const keys = document.getElementById('code-keys');
		return keys.checkVisibility({ visibilityProperty: true }) && keys.textContent.includes('Escape') && keys.getBoundingClientRect().top + 18 < innerHeight;
	}`), "it says how to leave")
	require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent(kb.Tab)))
	until(t, p, `document.activeElement.id === 'code' && document.activeElement.value.includes('\t')`)
	require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent(kb.Tab)))
	until(t, p, `document.activeElement.id !== 'code'`)
	p.clean(t)
}
