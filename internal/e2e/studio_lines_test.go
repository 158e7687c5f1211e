package e2e_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
)

const tenLines = "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\ng = 7\nh = 8\ni = 9\nj = 10\n"

// clickLine clicks the number of a line in the picture.
func clickLine(t *testing.T, p *tab, line int, modifiers int64) {
	t.Helper()
	at := eval[[]float64](t, p, `(line) => {
		document.querySelector('[data-view]').scrollIntoView({ block: 'center' });
		const image = document.querySelector('[data-image]').getBoundingClientRect();
		const zoom = image.width / document.querySelector('[data-image]').naturalWidth;
		return [image.left + (64 + 30) * zoom, image.top + (64 + 44 + 21 * (line - 0.5)) * zoom];
	}`, line)
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		_, err := chromedp.Call(p.Context, input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: input.DispatchMouseEventType(kind), X: at[0], Y: at[1], Button: "left", ClickCount: 1, Modifiers: modifiers,
		})
		require.NoError(t, err)
	}
}

// Clicking a line number marks the line, with Shift the range up to it, in the
// selected mode. The keyboard does the same. The picture and the URL show it.
func TestStudio_marksLines(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	const shift = 8
	for _, v := range []view{{width: 1440}, {width: 390, dark: true}} {
		t.Run(v.String(), func(t *testing.T) {
			s := newService(t) // a new service, so that nothing is cached
			p := newTab(t, b, s, v)
			p.keepBlobs(t)
			p.open(t, "/screenshot")
			p.redrawn(t, func() { p.paste(t, "[name=code]", tenLines) })
			shows := func(query string) {
				t.Helper()
				u, err := url.Parse("/api/v1/code-screenshot?" + query)
				require.NoError(t, err)
				until(t, p, `location.search === `+`"?`+strings.ReplaceAll(query, ",", "%2C")+`"`)
				want := string(s.api(t, u.String(), "image/svg+xml", map[string]any{"code": tenLines}))
				assert.Equal(t, want, p.svg(t), query)
			}
			selection := [3]uint8{0x44, 0x47, 0x5a} // the dracula theme's background of highlighted lines
			painted := func() int { return colors(p.painted(t, "[data-image]"))[selection] }
			assert.Less(t, painted(), 10)
			p.redrawn(t, func() { clickLine(t, p, 2, 0) })
			shows("highlight=2")
			assert.Greater(t, painted(), 500)
			p.redrawn(t, func() { clickLine(t, p, 5, shift) })
			shows("highlight=2-5")
			p.redrawn(t, func() { clickLine(t, p, 4, 0) })
			shows("highlight=2-3,5")

			mode := func(name string) {
				_ = eval[any](t, p, `(name) => { document.querySelector('[data-mode]').value = name; }`, name)
			}
			mode("inserted")
			p.redrawn(t, func() { clickLine(t, p, 5, 0) })
			shows("highlight=2-3&inserted=5")
			mode("deleted")
			p.redrawn(t, func() { clickLine(t, p, 2, 0) })
			mode("focus")
			_ = eval[any](t, p, `() => document.querySelector('[data-gutter]').focus()`)
			require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent(kb.Home), chromedp.KeyEvent(kb.ArrowDown)))
			p.redrawn(t, func() { require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent(kb.Enter))) })
			require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown)))
			p.redrawn(t, func() {
				require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierShift))))
			})
			shows("highlight=3&focus=2-4&inserted=5&deleted=2")
			assert.Equal(t, "Line 4, in focus", eval[string](t, p, `() => document.querySelector('[data-gutter]').getAttribute('aria-valuetext')`))
			p.paint(t, "studio-lines "+v.String())

			marked := p.svg(t)
			require.NoError(t, p.Load(chromedp.Reload()))
			until(t, p, `document.querySelector('[data-image]').src.startsWith('blob:')`)
			assert.Equal(t, marked, p.svg(t), "the address holds it")
			p.redrawn(t, func() { p.paste(t, "[name=code]", "x") })
			assert.Empty(t, eval[string](t, p, `() => location.hash`), "and nothing else")
			p.clean(t)
		})
	}
}

// The studio recognizes pasted terminal output and patches.
func TestStudio_sensesItsInput(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	p.keepBlobs(t)
	p.open(t, "/screenshot")
	for _, c := range []struct{ code, input string }{
		{"\x1b[31mred\x1b[m", "ansi"},
		{"--- a.go\n+++ a.go\n@@ -1 +1 @@\n-package a\n+package b\n", "patch"},
		{"package c\n", ""},
	} {
		p.redrawn(t, func() { p.paste(t, "[name=code]", c.code) })
		query := "?input=" + c.input
		if c.input == "" {
			query = ""
		}
		assert.Equal(t, string(s.api(t, "/api/v1/code-screenshot"+query, "image/svg+xml", map[string]any{"code": c.code})), p.svg(t), c.code)
	}
	p.clean(t)
}

// The image link of a snippet applies to the selected lines.
func TestViewSnippet_imageOfLines(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	p.keepBlobs(t)
	p.open(t, s.snippet(t, tenLines, share.SnippetOptions{Title: "x.py", Language: "python"})+"#L3-L5")
	until(t, p, `document.querySelectorAll('[data-on]').length === 3`)
	_ = eval[any](t, p, `() => document.querySelector('.menu').open = true`)
	follow(t, p, "[data-image]")
	until(t, p, `document.querySelector('img[data-image]')?.src.startsWith('blob:')`)
	assert.Equal(t, string(s.api(t, "/api/v1/code-screenshot?lines=3-5", "image/svg+xml", map[string]any{"code": tenLines, "language": "python", "windowTitle": "x.py"})), p.svg(t))
	p.clean(t)
}

// A wide picture fits the window or keeps its size. Wrapping narrows it, undo
// restores settings, Custom reveals the CSS field, and Ctrl+S saves a PNG.
func TestStudio_handling(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	dir := p.downloads(t)
	p.keepBlobs(t)
	p.open(t, "/screenshot")
	wide := strings.Repeat("word ", 80)
	p.redrawn(t, func() { p.paste(t, "[name=code]", wide) })
	const sizes = `() => { const i = document.querySelector('[data-image]'); return [i.clientWidth, i.naturalWidth, document.querySelector('[data-view]').clientWidth]; }`
	size := eval[[]int](t, p, sizes)
	assert.LessOrEqual(t, size[0], size[2], "it fits")
	assert.Greater(t, size[1], 3_000)
	_ = eval[any](t, p, `() => document.querySelector('[data-full]').click()`)
	assert.Equal(t, size[1], eval[[]int](t, p, sizes)[0], "100 %")

	_ = eval[any](t, p, `() => { document.querySelector('.more').open = true; }`)
	p.redrawn(t, func() {
		p.paste(t, "[data-parameter=wrap]", "80")
		require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("\t")))
	})
	until(t, p, `document.querySelector('[data-image]').naturalWidth < 900`)
	wrapped := p.svg(t)
	p.redrawn(t, func() { _ = eval[any](t, p, `() => document.querySelector('[name=theme][value=ocean]').click()`) })
	p.redrawn(t, func() { _ = eval[any](t, p, `() => document.querySelector('[data-undo]').click()`) })
	assert.True(t, wrapped == p.svg(t), "undone")

	const css = `() => document.querySelector('[name=background]').checkVisibility()`
	assert.False(t, eval[bool](t, p, css))
	_ = eval[any](t, p, `() => document.querySelector('[data-custom]').click()`)
	assert.True(t, eval[bool](t, p, css))

	require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("s", chromedp.KeyModifiers(chromedp.ModifierCtrl))))
	want := s.api(t, "/api/v1/code-screenshot?scale=2&wrap=80", "image/png", map[string]any{"code": wide})
	assert.True(t, string(want) == string(downloaded(t, dir, "png")), "the file is another picture")
	p.clean(t)
}
