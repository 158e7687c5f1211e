package e2e_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/e2e"
)

// keys types text into the focused element, calling after for each character.
func (t *tab) keys(tb testing.TB, text string, after func()) {
	tb.Helper()
	for _, c := range text {
		_, err := chromedp.Call(t.Context, input.InsertText, input.InsertTextParams{Text: string(c)})
		require.NoError(tb, err)
		after()
	}
}

// Elements that expand show a marker.
func TestDetails_haveMarkers(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	for _, path := range []string{"/slug", "/gradient", "/screenshot"} {
		p := newTab(t, b, s, view{width: 1440})
		p.open(t, path)
		assert.Equal(t, "list-item", eval[string](t, p, `() => getComputedStyle(document.querySelector('main summary')).display`), path)
	}
}

// Typing a colour moves nothing and sends no request until the colour is valid.
// An error appears at the field once it loses the focus.
func TestGradientPage_typingAColour(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	for _, width := range []int64{1440, 390} {
		p := newTab(t, b, s, view{width: width})
		p.open(t, "/gradient")
		asked := make(chan string, 100)
		require.NoError(t, chromedp.Listen(p.Context, func(event any) {
			if e, ok := event.(*network.EventRequestWillBeSent); ok && strings.Contains(e.Request.URL, "/gradient?") {
				asked <- e.Request.URL
			}
		}))
		places := func() []float64 {
			return eval[[]float64](t, p, `() => [...document.querySelectorAll('main *')].filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect().top)`)
		}
		wrong := func() string {
			return eval[string](t, p, `() => [...document.querySelectorAll('[role=alert]')].filter((e) => e.checkVisibility()).map((e) => e.innerText).join('')`)
		}
		_ = eval[any](t, p, `() => { const field = document.querySelector('[name=color]'); field.scrollIntoView(); field.focus(); field.select(); }`)
		before := places()
		p.keys(t, "rebeccapurpl", func() {
			assert.Equal(t, before, places())
			assert.Empty(t, wrong())
		})
		require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("\t")))
		assert.Equal(t, "Colour 1 must be a CSS colour, such as #f00 or red.", wrong())
		assert.Equal(t, before, places())
		assert.Empty(t, asked)
		complaint, field := p.box(t, ".stops li .wrong"), p.box(t, "[name=color]")
		assert.InDelta(t, field.Y+field.Height, complaint.Y, 8, "under the field")

		for typed, want := range map[string]string{"rebeccapurple": "#663399", "#f00": "#ff0000", "rgb(0 128 0)": "#008000"} {
			p.paste(t, "[name=color]", typed)
			until(t, p, `document.querySelector('[data-out=code]').textContent.includes('`+want+`')`)
			require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("\t")))
			until(t, p, `document.querySelector('[name=color]').value === '`+want+`'`)
			assert.Empty(t, wrong())
		}
		p.clean(t)
	}
}

// Enter in a field applies the form. It presses none of the buttons in it, such
// as those that remove a colour and download a picture.
func TestTools_enterAppliesTheForm(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	for _, v := range []view{{width: 1440}, {width: 390, noScripts: true}} {
		p := newTab(t, b, s, v)
		enter := func(path, selector, text string) {
			p.open(t, path)
			p.scripts(t, !v.noScripts)
			p.paste(t, selector, text)
			require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent(kb.Enter)))
		}
		enter("/gradient?color=%23ff0000&color=%2300ff00&color=%230000ff", "[name=angle]", "45")
		until(t, p, `document.querySelector('[data-out=code]')?.textContent === 'background: linear-gradient(45deg, #ff0000 0%, #00ff00 50%, #0000ff 100%);'`)
		assert.Equal(t, 3, eval[int](t, p, `() => document.querySelectorAll('[name=color]').length`), v.String())

		var saved atomic.Int64
		require.NoError(t, chromedp.Listen(p.Context, func(event any) {
			if e, ok := event.(*network.EventRequestWillBeSent); ok && strings.Contains(e.Request.URL, "scale=") {
				saved.Add(1)
			}
		}))
		enter("/screenshot", "[name=windowTitle]", "fire.go")
		if v.noScripts {
			until(t, p, `document.querySelector('[data-image]')?.alt.includes('fire.go') && document.readyState === 'complete'`)
		} else {
			p.redrawn(t, func() { p.paste(t, "[name=windowTitle]", "kiln.go") })
		}
		assert.Zero(t, saved.Load(), v.String())
		p.clean(t)
	}
}

// What is wrong with a colour is painted whole: in the settings of the studio,
// which are 300 pixels wide, it has one line, so that nothing moves for it.
func TestColours_complaintFits(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	const over = `(selector) => { const e = document.querySelector(selector); return e.scrollWidth - e.clientWidth; }`
	p := newTab(t, b, s, view{width: 320})
	p.open(t, "/gradient?color=reddish&color=blue")
	assert.LessOrEqual(t, eval[int](t, p, over, "html"), 0)
	p = newTab(t, b, s, view{width: 1440})
	p.open(t, "/screenshot")
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[data-custom]"))))
	p.paste(t, "[data-stops] [data-color]", "reddish")
	require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("\t")))
	until(t, p, `document.querySelector('[data-stops] .wrong').textContent.startsWith('Colour 1 must be')`)
	assert.LessOrEqual(t, eval[int](t, p, over, ".settings"), 0)
	assert.InDelta(t, 20, p.box(t, "[data-stops] .wrong").Height, 1)
	percent, field := p.box(t, "[data-stops] em"), p.box(t, "[data-stops] .number")
	assert.InDelta(t, field.Y+field.Height/2, percent.Y+percent.Height/2, 2)
	p.clean(t)
}

// An added colour is visible, on the canvas and in the studio, with and without
// scripts.
func TestAddColour_isSeen(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	p.open(t, "/gradient?color=%23ff0000&color=%230000ff&position=0&position=100")
	before := p.painted(t, ".canvas")
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[name=add]"))))
	until(t, p, `document.querySelector('[data-out=code]').textContent.includes('#b03a14')`)
	assert.NotEqual(t, before, p.painted(t, ".canvas"))
	p.clean(t)

	p = newTab(t, b, s, view{width: 390, noScripts: true})
	p.open(t, "/gradient?color=%23ff0000&color=%230000ff&position=0&position=100")
	p.scripts(t, false)
	before = p.painted(t, ".canvas")
	follow(t, p, "[name=add]")
	assert.NotEqual(t, before, p.painted(t, ".canvas"))
}

// An invalid maximum length is reported below its field, and nothing moves.
func TestSlugPage_complainsUnderTheField(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	for _, v := range []view{{width: 1440}, {width: 390, noScripts: true}} {
		p := newTab(t, b, s, v)
		p.navigate(t, "/slug?text=x&max=9")
		const below = `() => document.querySelector('[name=keepCase]').getBoundingClientRect().top`
		before := eval[float64](t, p, below)
		p.navigate(t, "/slug?text=x&max=many")
		assert.Equal(t, "Max length must be a whole number.", eval[string](t, p, `() => {
			const box = document.querySelector('[name=maxLength]').getBoundingClientRect();
			return document.elementFromPoint(box.left + 4, box.bottom + 6).textContent;
		}`), v.String())
		assert.InDelta(t, before, eval[float64](t, p, below), 1, v.String())
		p.clean(t)
	}
}

// Each slug has a button that copies it, also after the titles have changed.
func TestSlugPage_copiesOne(t *testing.T) {
	t.Parallel()
	p := newTab(t, e2e.OpenWindow(t), newService(t), view{width: 1440})
	p.allow(t)
	p.open(t, "/slug")
	copied := func(row, want string) {
		t.Helper()
		require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[data-titles] tr:nth-child("+row+") button"))))
		until(t, p, `document.querySelector('[data-titles] .done')?.innerText === 'Copied'`)
		assert.Equal(t, want, eval[string](t, p, `() => navigator.clipboard.readText()`))
	}
	copied("2", "whats-new-in-go-1-26")
	p.paste(t, "[name=text]", "Fire & clay\n!!!\nKiln")
	until(t, p, `document.querySelectorAll('[data-titles] button').length === 2`)
	copied("3", "kiln")
	assert.Empty(t, violations(t, p, axeSource(t)))
	p.clean(t)
}

// Where there are no results because of errors, the page says so until there
// are some. CSS that was read in part is no error.
func TestTools_withoutResults(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	const pending = `[...document.querySelectorAll('main p')].some((e) => e.checkVisibility() && e.innerText.includes('appears here once the form has no errors'))`
	for _, path := range []string{"/slug?text=x&max=many", "/gradient?color=reddish&color=blue"} {
		p.open(t, path)
		until(t, p, pending)
	}
	p.open(t, "/slug?text=x&max=many")
	p.paste(t, "[name=maxLength]", "9")
	until(t, p, `document.querySelector('[data-out=slugs]').checkVisibility() && !`+pending)
	for path, want := range map[string]string{"/gradient?css=linear-gradient(red,40%25,blue)": "--muted", "/gradient?css=linear-gradient(red)": "--error"} {
		p.open(t, path)
		assert.Equal(t, eval[string](t, p, `(name) => {
			const sample = document.createElement('i');
			sample.style.color = 'var(' + name + ')';
			document.body.append(sample);
			return getComputedStyle(sample).color;
		}`, want), eval[string](t, p, `() => getComputedStyle(document.querySelector('#css-wrong')).color`), path)
	}
	p.clean(t)
}

// Deleting with nothing selected shows an error in the visible part of the
// page.
func TestDashboard_nothingSelected(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	d := newDesk(t)
	d.fill(t)
	for _, look := range []deskLook{{"with scripts", 1440, false, false}, {"without scripts", 390, false, true}} {
		p := openDesk(t, b, d.URL, look)
		p.signIn(t)
		p.open(t, "/dashboard/shares")
		p.press(t, "button.danger")
		assert.Equal(t, "Nothing is selected. Tick the shares to delete first.", p.text(t, "[role=alert]"))
		assert.Less(t, deskCall[float64](t, p, `() => document.querySelector('[role=alert]').getBoundingClientRect().bottom`), 900.0)
		p.clean(t)
	}
}
