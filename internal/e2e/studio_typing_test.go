package e2e_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/draw"
	"image/png"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "golang.org/x/image/webp" // for image.Decode

	"github.com/devkiln/devkiln/internal/e2e"
)

// One clicks into the picture and types, and the picture has what was typed.
func TestStudio_typesInThePicture(t *testing.T) {
	t.Parallel()
	s := newService(t)
	p := newTab(t, e2e.Open(t), s, view{width: 1440})
	p.keepBlobs(t)
	p.open(t, "/screenshot")
	until(t, p, `document.querySelector('.view').classList.contains('typing')`)
	at := p.box(t, "#code")
	assert.LessOrEqual(t, p.box(t, "[data-image]").X, at.X)
	require.NoError(t, chromedp.Do(p.Context, chromedp.MouseClickXY(at.X+120, at.Y+10)))
	p.redrawn(t, func() { require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("Q"))) })
	assert.Contains(t, p.svg(t), "<desc>package mainQ\n")
	assert.Contains(t, eval[string](t, p, `() => document.querySelector('#code').value`), "package mainQ\n")
	p.clean(t)
}

// The way of a visitor: type, choose, highlight, copy, save, reload, share.
// Every step has the pixels of the API's picture.
func TestStudio_walk(t *testing.T) {
	t.Parallel()
	s := newService(t)
	b := e2e.OpenWindow(t)
	p := newTab(t, b, s, view{width: 1440})
	p.allow(t)
	p.keepBlobs(t)
	dir := p.downloads(t)
	p.open(t, "/screenshot")
	until(t, p, `document.querySelector('.view').classList.contains('typing')`)
	at := p.box(t, "#code")
	require.NoError(t, chromedp.Do(p.Context, chromedp.MouseClickXY(at.X+120, at.Y+10)))
	for _, letter := range "main" { // the picture follows each
		p.redrawn(t, func() { require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent(string(letter)))) })
	}
	p.redrawn(t, func() { _ = eval[any](t, p, `() => document.querySelector('[name=theme][value=nord]').click()`) })
	p.redrawn(t, func() { clickLine(t, p, 2, 0) })
	until(t, p, `location.search === '?theme=nord&highlight=2'`)
	code := eval[string](t, p, `() => document.querySelector('#code').value`)
	require.Contains(t, code, "package mainmain\n")
	config := map[string]any{"code": code, "language": "go", "windowTitle": "kiln.go"}
	const query = "/api/v1/code-screenshot?scale=1&theme=nord&highlight=2"
	vector := string(s.api(t, query, "image/svg+xml", config))
	assert.Equal(t, vector, p.svg(t))
	want := pixels(t, s.api(t, query, "image/png", config))
	assert.Greater(t, colors(p.painted(t, "[data-image]"))[[3]uint8{0x2e, 0x34, 0x40}], 50_000, "nord, in the page")

	require.NoError(t, chromedp.Do(p.Context, chromedp.SetValue(chromedp.CSS("[name=scale]"), "1"), chromedp.Click(chromedp.CSS("[data-copy-image]"))))
	until(t, p, `document.querySelector('[data-copy-image]').textContent === 'Copied'`)
	copied, err := base64.StdEncoding.DecodeString(eval[string](t, p, `async () => {
		const [item] = await navigator.clipboard.read();
		return new Uint8Array(await (await item.getType('image/png')).arrayBuffer()).toBase64();
	}`))
	require.NoError(t, err)
	assert.True(t, bytes.Equal(want, pixels(t, copied)), "copied")
	for _, kind := range []string{"png", "webp", "svg"} {
		require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[data-export][value="+kind+"]"))))
		file := downloaded(t, dir, kind)
		assert.True(t, kind == "svg" && string(file) == vector || kind != "svg" && bytes.Equal(want, pixels(t, file)), kind)
	}

	require.NoError(t, p.Load(chromedp.Reload()))
	until(t, p, `document.querySelector('[data-image]').src.startsWith('blob:')`)
	assert.Equal(t, vector, p.svg(t), "after a reload")
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[data-copy-link]"))))
	until(t, p, `document.querySelector('[data-copy-link]').textContent === 'Copied'`)
	link := eval[string](t, p, `() => navigator.clipboard.readText()`)
	other := newTab(t, e2e.OpenWindow(t), s, view{width: 1440})
	other.keepBlobs(t)
	other.open(t, strings.TrimPrefix(link, s.URL))
	until(t, other, `document.querySelector('[data-image]').src.startsWith('blob:')`)
	assert.Equal(t, vector, other.svg(t), "shared")
	p.clean(t)
	other.clean(t)
}

// pixels decodes a picture.
func pixels(t *testing.T, file []byte) []byte {
	t.Helper()
	decoded, _, err := image.Decode(bytes.NewReader(file))
	require.NoError(t, err)
	plain := image.NewNRGBA(decoded.Bounds())
	draw.Draw(plain, plain.Rect, decoded, plain.Rect.Min, draw.Src)
	return plain.Pix
}

// A size for a post or a slide is that of every file, and one types in it.
func TestStudio_sizes(t *testing.T) {
	t.Parallel()
	s := newService(t)
	p := newTab(t, e2e.Open(t), s, view{width: 1440, height: 972})
	p.keepBlobs(t)
	dir := p.downloads(t)
	p.open(t, "/screenshot?ratio=16:9")
	choose := func(size string) {
		t.Helper()
		p.redrawn(t, func() {
			_ = eval[any](t, p, `(size) => {
				const field = document.querySelector('[data-parameter=size]');
				field.value = size;
				field.dispatchEvent(new Event('input', { bubbles: true }));
			}`, size)
		})
	}
	assert.True(t, eval[bool](t, p, `() => document.querySelector('.studio').getBoundingClientRect().bottom === innerHeight`), "the first screen is the studio's, and the foot of the page below it")
	shape := `() => document.querySelector('[data-parameter=ratio]').checkVisibility()`
	assert.True(t, eval[bool](t, p, shape))
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS(".themes summary"))))
	until(t, p, `document.querySelector('.themes details').open`)
	assert.True(t, eval[bool](t, p, `() => {
		const field = document.querySelector('[data-parameter=size]');
		const { left, top, width, height } = field.getBoundingClientRect();
		return document.elementFromPoint(left + width / 2, top + height / 2) === field;
	}`), "it is in sight beside an open gallery, under the picture")
	choose("1080x1080")
	until(t, p, `document.querySelector('[data-size]').textContent === '1080 × 1080'`)
	until(t, p, `document.querySelector('.view').classList.contains('typing')`)
	assert.Equal(t, []any{"", true}, eval[[]any](t, p, `() => [document.querySelector('[data-parameter=ratio]').value, document.querySelector('[name=scale]').disabled]`))
	assert.False(t, eval[bool](t, p, shape), "a size has a shape")
	drawn := p.painted(t, "[data-image]")
	_ = eval[any](t, p, `async () => {
		const visible = new CSSStyleSheet();
		await visible.replace('.view .editor textarea { color: #f0f !important; }');
		document.adoptedStyleSheets.push(visible);
		await document.fonts.ready;
	}`)
	on, off := overlap(drawn, p.painted(t, "[data-image]"))
	assert.Greater(t, on, 500)
	assert.Less(t, off, on/5, "what one types lies on what is drawn; strokes of large letters are wider than their edges")
	p.redrawn(t, func() {
		_ = eval[any](t, p, `() => {
			const gutter = document.querySelector('[data-gutter]');
			const { left, top, width, height } = gutter.getBoundingClientRect();
			gutter.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: left + width / 2, clientY: top + height * 2.5 / gutter.getAttribute('aria-valuemax') }));
		}`)
	})
	until(t, p, `document.querySelector('[data-parameter=highlight]').value === '3'`)
	assert.Greater(t, colors(p.painted(t, "[data-image]"))[[3]uint8{0x44, 0x47, 0x5a}], 3_000, "the line is highlighted")
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[data-export][value=png]"))))
	size, err := png.DecodeConfig(bytes.NewReader(downloaded(t, dir, "png")))
	require.NoError(t, err)
	assert.Equal(t, []int{1080, 1080}, []int{size.Width, size.Height})
	choose("")
	until(t, p, `!document.querySelector('[name=scale]').disabled`)
	p.clean(t)
}

// The picture follows while one types faster than the server draws: what is being
// drawn is shown, and after it the newest.
func TestStudio_followsTyping(t *testing.T) {
	t.Parallel()
	s := newService(t)
	p := newTab(t, e2e.Open(t), s, view{width: 1440})
	p.open(t, "/screenshot")
	assert.Equal(t, []string{"a", "abc"}, eval[[]string](t, p, `async () => {
		const field = document.querySelector('[name=code]');
		const { fetch } = window;
		const [asked, drawn] = [[], []];
		let release;
		window.fetch = async (url, options) => {
			asked.push(JSON.parse(options.body).code);
			if (asked.length === 1) await new Promise((done) => { release = done; });
			return fetch(url, options);
		};
		const last = new Promise((done) => document.querySelector('.studio').addEventListener('drawn', () => {
			drawn.push(asked.at(-1));
			if (drawn.length === 2) done(drawn);
		}));
		const type = (text) => {
			field.value = text;
			field.dispatchEvent(new Event('input', { bubbles: true }));
		};
		type('a');
		while (!release) await new Promise((done) => { setTimeout(done); });
		type('ab');
		await new Promise((done) => { setTimeout(done); });
		type('abc');
		await new Promise((done) => { setTimeout(done); });
		release();
		return last;
	}`))
	p.clean(t)
}

// The letters that one types lie on those that are drawn, at any size.
func TestStudio_typesExactly(t *testing.T) {
	t.Parallel()
	s := newService(t)
	b := e2e.Open(t)
	for _, query := range []string{"", "?lineHeight=2.5&tabWidth=8", "?inserted=2&firstLine=99", "?window=windows&watermark=me", "?theme=github-light&ratio=16:9", "?fontFamily=Fira+Code", "?fontFamily=Geist+Mono", "?fontFamily=Roboto+Mono"} {
		beyond := "ж"
		if strings.Contains(query, "fontFamily") {
			beyond = "ü" // these fonts have Latin letters
		}
		p := newTab(t, b, s, view{width: 1440})
		p.open(t, "/screenshot"+query)
		p.redrawn(t, func() { p.paste(t, "#code", "HHHHHHHH\n\tHH  HH\n\nHH é "+beyond+" HH") })
		until(t, p, `document.querySelector('.view').classList.contains('typing') && document.activeElement.blur() === undefined`)
		drawn := p.painted(t, "[data-image]")
		_ = eval[any](t, p, `async () => {
			const visible = new CSSStyleSheet();
			await visible.replace('.view .editor textarea { color: #f0f !important; }');
			document.adoptedStyleSheets.push(visible);
			await document.fonts.ready;
		}`)
		typed := p.painted(t, "[data-image]")
		on, off := overlap(drawn, typed)
		assert.Greater(t, on, 500, query)
		assert.Less(t, off, on/20, query)
	}
}

// overlap counts the pixels that differ between two images, by whether there is
// an edge of something drawn within two pixels of them in the first.
func overlap(first, second image.Image) (on, off int) {
	edge := func(x, y int) bool {
		here := luminance(first, x, y)
		for dy := -2; dy <= 2; dy++ {
			for dx := -2; dx <= 2; dx++ {
				if there := luminance(first, x+dx, y+dy); here > there+40 || there > here+40 {
					return true
				}
			}
		}
		return false
	}
	bounds := first.Bounds()
	for y := bounds.Min.Y + 2; y < bounds.Max.Y-2; y++ {
		for x := bounds.Min.X + 2; x < bounds.Max.X-2; x++ {
			if first.At(x, y) == second.At(x, y) {
				continue
			}
			if edge(x, y) {
				on++
			} else {
				off++
			}
		}
	}
	return on, off
}

func luminance(img image.Image, x, y int) int {
	r, g, b, _ := img.At(x, y).RGBA()
	return int(r>>8*3+g>>8*6+b>>8) / 10
}

// Where the editor cannot be exact, it is a box below the picture, and so it is
// for whoever wants that.
func TestStudio_typesBelow(t *testing.T) {
	t.Parallel()
	s := newService(t)
	b := e2e.Open(t)
	p := newTab(t, b, s, view{width: 1440})
	p.open(t, "/screenshot")
	typing := `document.querySelector('.view').classList.contains('typing')`
	until(t, p, typing)
	for _, code := range []string{"x = '漢字'", "+ \x1b[31mred"} {
		p.redrawn(t, func() { p.paste(t, "#code", code) })
		until(t, p, "!"+typing)
		assert.Greater(t, p.box(t, "#code").Y, p.box(t, "[data-image]").Y+p.box(t, "[data-image]").Height)
		p.redrawn(t, func() { p.paste(t, "#code", "x = 1") })
		until(t, p, typing)
	}
	_ = eval[any](t, p, `() => { document.querySelector('[data-apart]').click(); }`)
	until(t, p, "!"+typing)

	phone := newTab(t, b, s, view{width: 390})
	phone.open(t, "/screenshot")
	assert.False(t, eval[bool](t, phone, "() => "+typing))
	p.clean(t)
}

// Settings under a name are kept, and a link gives them to somebody else, whose
// code stays.
func TestStudio_presets(t *testing.T) {
	t.Parallel()
	s := newService(t)
	b := e2e.OpenWindow(t)
	p := newTab(t, b, s, view{width: 1440})
	p.keepBlobs(t)
	p.open(t, "/screenshot?theme=nord&ratio=1:1")
	p.paste(t, "[data-preset-name]", "Team")
	_ = eval[any](t, p, `() => { document.querySelector('[data-preset-save]').click(); }`)
	p.redrawn(t, func() { p.paste(t, "#code", "SELECT 1;") })
	p.redrawn(t, func() {
		_ = eval[any](t, p, `() => { document.querySelector('[name=theme][value=ocean]').click(); }`)
	})
	require.NoError(t, p.Load(chromedp.Reload()))
	p.redrawn(t, func() {
		_ = eval[any](t, p, `() => { document.querySelector('[aria-label="Use Team"]').click(); }`)
	})
	until(t, p, `document.querySelector('[name=theme]:checked').value === 'nord'`)
	assert.Equal(t, []string{"SELECT 1;", "1:1"}, eval[[]string](t, p, `() => [document.querySelector('#code').value, document.querySelector('[data-parameter=ratio]').value]`))

	_ = eval[any](t, p, `() => {
		const write = navigator.clipboard.write.bind(navigator.clipboard);
		navigator.clipboard.write = async (items) => { window.copied = await (await items[0].getType('text/plain')).text(); return write(items); };
		document.querySelector('[aria-label="Copy a link to Team"]').click();
	}`)
	until(t, p, `window.copied !== undefined`)
	link := eval[string](t, p, `() => copied.slice(location.origin.length)`)
	other := newTab(t, e2e.OpenWindow(t), s, view{width: 1440})
	other.open(t, link)
	until(t, other, `document.querySelector('[data-image]').src.startsWith('blob:')`)
	assert.Equal(t, []string{"nord", "1:1"}, eval[[]string](t, other, `() => [document.querySelector('[name=theme]:checked').value, document.querySelector('[data-parameter=ratio]').value]`))
	assert.Contains(t, eval[string](t, other, `() => document.querySelector('#code').value`), "package main")
	other.clean(t)
}

// The gallery shows every theme on the visitor's own code.
func TestStudio_gallery(t *testing.T) {
	t.Parallel()
	s := newService(t)
	p := newTab(t, e2e.Open(t), s, view{width: 1440})
	p.open(t, "/screenshot")
	p.redrawn(t, func() { p.paste(t, "#code", "SELECT name FROM kilns") })
	until(t, p, `[...document.querySelectorAll('.swatch')].filter((s) => [...s.querySelectorAll('i')].map((i) => i.dataset.text).join('') === 'SELECT name FROM kilns' && s.querySelector('.keyword')).length === 33`)
	assert.Equal(t, 33, eval[int](t, p, `() => new Set([...document.querySelectorAll('.swatch')].map((s) => getComputedStyle(s).backgroundColor + getComputedStyle(s.querySelector('.keyword')).color)).size`), "32 themes and the empty one of the visitor's own")
	p.clean(t)
}
