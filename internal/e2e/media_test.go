package e2e_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
)

// Printed pages have no buttons, and titles that are not cut.
func TestPages_printed(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 800})
	_, err := chromedp.Call(p.Context, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	require.NoError(t, err)
	title := strings.Repeat("Payment timeouts after the deploy ", 3)
	for _, path := range []string{
		s.log(t, strings.Repeat(sampleLog, 9), share.LogOptions{Title: title}) + "?shared", s.snippet(t, sampleCode, share.SnippetOptions{Title: strings.TrimSpace(title[:90]), Language: "go"}),
		s.log(t, strings.Repeat("2026-01-02T03:04:05Z ##[group]Fire\n2026-01-02T03:04:06Z a\n2026-01-02T03:04:07Z ##[endgroup]\n", 60), share.LogOptions{}), compared(t, s), "/slug", "/gradient", "/docs",
	} {
		p.open(t, path)
		assert.Empty(t, eval[[]string](t, p, `() => [...document.querySelectorAll('button, .button')].filter((e) => e.checkVisibility()).map((e) => e.innerText)`), path)
		assert.Zero(t, eval[int](t, p, `() => [...document.querySelectorAll('.lines p[data-folded]')].filter((line) => line.offsetHeight === 0).length`), "folded lines are printed")
		assert.LessOrEqual(t, eval[float64](t, p, `() => Math.max(0, ...[...document.querySelectorAll('.lines section:nth-child(2) p')].map((line) => parseFloat(getComputedStyle(line, '::before').height) - 1.2 * parseFloat(getComputedStyle(line).lineHeight)))`), 0.0, "a number is one row")
		assert.LessOrEqual(t, eval[int](t, p, `() => { const h1 = document.querySelector('h1'); return h1.scrollWidth - h1.clientWidth; }`), 0, path)
	}
	p.clean(t)
}

// The help of a log begins with its beginning, in a low window too.
func TestHelp_beginsAtItsTop(t *testing.T) {
	t.Parallel()
	s := newService(t)
	p := newTab(t, e2e.Open(t), s, view{width: 1000, height: 600, zoomed: true})
	p.open(t, s.log(t, sampleLog, share.LogOptions{}))
	require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("?")))
	until(t, p, `document.querySelector('dialog').open`)
	assert.True(t, eval[bool](t, p, `() => {
		const [dialog, heading] = ['dialog', 'dialog h2'].map((s) => document.querySelector(s).getBoundingClientRect());
		return document.querySelector('dialog').scrollHeight > dialog.height && heading.top >= dialog.top;
	}`))
	assert.Equal(t, "help-title", eval[string](t, p, `() => document.activeElement.id`))
	p.clean(t)
}

// A title that turns the direction of text does not turn what stands behind it.
func TestTitles_doNotTurnText(t *testing.T) {
	t.Parallel()
	s := newService(t)
	id := func(title string) string {
		return strings.TrimPrefix(s.log(t, sampleLog, share.LogOptions{Title: title}), "/logs/")
	}
	p := newTab(t, e2e.Open(t), s, view{width: 1440})
	p.open(t, "/compare/"+id("\u202eabc")+"/"+id("plain"))
	assert.True(t, eval[bool](t, p, `() => {
		const { firstChild: text } = document.querySelector('.compare .left');
		const at = (i) => {
			const range = document.createRange();
			range.setStart(text, i);
			range.setEnd(text, i + 1);
			return range.getBoundingClientRect().left;
		};
		return at(0) < at(5);
	}`))
}

// What is pressed is at least 40 pixels high where there is only touch, but for
// buttons within lines and a field that appears for keyboards.
func TestPages_targetsOfTouch(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t, public)
	p := newTab(t, b, s, view{width: 390})
	_, err := chromedp.Call(p.Context, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
	require.NoError(t, err)
	for name, path := range samplePages(t, s) {
		p.open(t, path)
		assert.Empty(t, eval[[]string](t, p, `() => {
			for (const details of document.querySelectorAll('main details')) details.open = true;
			const height = (e) => (e.closest('label') ?? e).getBoundingClientRect().height;
			return [...document.querySelectorAll(':is(button, input, select, summary, .button, .tabs a, .index .say p a)')]
				.filter((e) => e.checkVisibility() && !e.closest('.lines, .goto') && height(e) < 39.5)
				.map((e) => e.outerHTML.slice(0, 80) + ' ' + height(e));
		}`), name)
	}
	assert.True(t, eval[bool](t, p, `() => matchMedia('(pointer: coarse)').matches`))
	p.clean(t)
}
