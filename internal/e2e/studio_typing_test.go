package e2e_test

import (
	"image"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
