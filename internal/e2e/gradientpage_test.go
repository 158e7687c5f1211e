package e2e_test

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/e2e"
)

const threeColors = "/gradient?color=%23ff0000&color=%2300ff00&color=%230000ff&position=0&position=40&position=100"

// Keys and the mouse move the handles of the bar, and the picture follows.
func TestGradientPage_stopBar(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	p := newTab(t, b, newService(t), view{width: 1280})
	p.open(t, threeColors)
	before := p.painted(t, ".canvas")
	css := func(want string) {
		t.Helper()
		until(t, p, `document.querySelector('[data-out=code]').textContent === 'background: `+want+`;'`)
	}
	eval[any](t, p, `() => document.querySelectorAll('[data-bar] button')[1].focus()`)
	press(t, p, kb.ArrowRight)
	css("linear-gradient(90deg, #ff0000 0%, #00ff00 41%, #0000ff 100%)")
	require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift))))
	css("linear-gradient(90deg, #ff0000 0%, #00ff00 51%, #0000ff 100%)")
	assert.NotEqual(t, before, p.painted(t, ".canvas"))
	assert.Equal(t, "51", eval[string](t, p, `() => document.activeElement.getAttribute('aria-valuenow')`))
	assert.Contains(t, eval[string](t, p, `() => location.search`), "position=51")

	at := eval[[]float64](t, p, `() => { const r = document.querySelectorAll('[data-bar] button')[1].getBoundingClientRect(), w = document.querySelector('[data-bar]').getBoundingClientRect().width; return [r.x + r.width / 2, r.y + r.height / 2, w]; }`)
	for i, kind := range []string{"mousePressed", "mouseMoved", "mouseReleased"} {
		x := at[0]
		if i > 0 {
			x -= at[2] * 0.21
		}
		_, err := chromedp.Call(p.Context, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventType(kind), X: x, Y: at[1], Button: "left", Buttons: 1, ClickCount: 1})
		require.NoError(t, err)
	}
	until(t, p, `/#00ff00 (29\.9|30|30\.1)%/.test(document.querySelector('[data-out=code]').textContent)`)

	eval[any](t, p, `() => document.querySelectorAll('[data-bar] button')[1].focus()`)
	press(t, p, kb.Delete)
	css("linear-gradient(90deg, #ff0000 0%, #0000ff 100%)")
	assert.Len(t, eval[[]string](t, p, `() => [...document.querySelectorAll('[data-bar] button')].map((b) => b.style.left)`), 2)
	p.clean(t)
}

// The curve is moved by keys and written as CSS, what is no easing has no curve, and every
// space shows the colours.
func TestGradientPage_curveAndSpaces(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	p := newTab(t, b, newService(t), view{width: 1280})
	p.open(t, threeColors+"&easing=ease-in")
	eval[any](t, p, `() => document.querySelectorAll('[data-curve] button')[1].focus()`)
	press(t, p, kb.ArrowLeft)
	until(t, p, `document.querySelector('[name=easing]').value === 'cubic-bezier(0.42, 0, 0.99, 1)'`)
	until(t, p, `location.search.includes('cubic-bezier')`)
	eval[any](t, p, `() => { const field = document.querySelector('[name=easing]'); field.value = 'bounce'; field.dispatchEvent(new Event('input', { bubbles: true })); }`)
	until(t, p, `!document.querySelector('[data-curve] button').checkVisibility()`)
	strips := eval[[]string](t, p, `() => [...document.querySelectorAll('[data-space]')].map((strip) => getComputedStyle(strip).backgroundImage)`)
	require.Len(t, strips, 9)
	for _, strip := range strips {
		assert.Contains(t, strip, "linear-gradient(90deg")
	}
	p.clean(t)
}

func textOf(t *testing.T, p *tab, selector string) string {
	t.Helper()
	return eval[string](t, p, `() => document.querySelector("`+selector+`").textContent`)
}

// The page works as a form: pasted CSS, buttons, fields that the API lacks, and
// the link to the studio.
func TestGradientPage_asAForm(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	for _, scripts := range []bool{true, false} {
		p := newTab(t, b, s, view{width: 390, noScripts: !scripts})
		p.open(t, "/gradient")
		if !scripts {
			p.scripts(t, false)
		}
		require.NoError(t, chromedp.Do(p.Context, chromedp.SendKeys(chromedp.CSS("[name=css]"), "conic-gradient(from 30deg in oklch, red, blue)")))
		follow(t, p, ".paste button")
		out := func() string { return textOf(t, p, "[data-out=code]") }
		assert.Equal(t, "background: conic-gradient(from 30deg in oklch, #ff0000 0%, #0000ff 100%);", out())
		follow(t, p, "[value=reverse]")
		assert.Equal(t, "background: conic-gradient(from 30deg in oklch, #0000ff 0%, #ff0000 100%);", out())
		p.clean(t)
	}
	p := newTab(t, b, s, view{width: 1280})
	p.open(t, threeColors+"&format=compose&text=white")
	assert.Contains(t, textOf(t, p, "[data-out=code]"), "Brush.linearGradient(")
	assert.Equal(t, "1.3", textOf(t, p, "[data-out='text.ratio']"))
	follow(t, p, "[data-studio]")
	until(t, p, `document.querySelector('[name=background]').value === 'linear-gradient(90deg, #ff0000 0%, #00ff00 40%, #0000ff 100%)'`)
}
