package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
)

// What a step took is painted on the line that names it, beside its name however
// long that is, and on a phone below it. Times are hidden, for the steps have
// theirs; a key shows them. The steps leave the window to the lines that a search
// finds.
func TestLog_stepsAsPainted(t *testing.T) {
	t.Parallel()
	b, s := e2e.Open(t), newService(t)
	log := "2026-01-02T03:04:05Z ##[group]" + strings.Repeat("check out ", 40) + "\n2026-01-02T03:04:06Z fetch\n2026-01-02T03:04:07Z ##[endgroup]\n" +
		"2026-01-02T03:04:08Z ##[group]Test\n2026-01-02T03:04:09Z \x1b[36mgo test\x1b[0m\n2026-01-02T03:04:18Z ##[error]exit 1\n2026-01-02T03:04:18Z ##[endgroup]\n" + strings.Repeat("2026-01-02T03:04:18Z done\n", 60)
	path := s.log(t, log, share.LogOptions{})
	for _, v := range []view{{width: 1440, forced: true}, {width: 1440, dark: true}, {width: 390}} {
		p := newTab(t, b, s, v)
		p.open(t, path)
		until(t, p, `document.querySelector('.lines').dataset.times === 'hidden'`)
		assert.NotEqual(t, eval[string](t, p, `() => getComputedStyle(document.querySelector('[data-help]')).backgroundColor`), eval[string](t, p, `() => getComputedStyle(document.querySelector('[data-stamps]')).backgroundColor`), "a button that is on looks so")
		assert.Equal(t, []bool{v.width > 640, v.width > 640}, eval[[]bool](t, p, `() => [...document.querySelectorAll('.fold[data-step] a')].map((label) => {
			const range = document.createRange();
			range.selectNodeContents(label.parentElement.previousElementSibling);
			const [words, took] = [[...range.getClientRects()].at(-1), label.getBoundingClientRect()];
			if (innerWidth > 640 && took.height < 24) throw new Error('no target');
			if (words.bottom > took.top + 2 && words.right > took.left) throw new Error('painted over each other');
			return words.bottom > took.top + 2;
		})`), v.width)
		require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("t")))
		until(t, p, `getComputedStyle(document.querySelector('#L5 > i')).display !== 'none' && getComputedStyle(document.querySelector('#L5 > i')).color === getComputedStyle(document.querySelector('#L2 > i')).color`)
		find(t, p, "done")
		until(t, p, `document.querySelector('.matches').textContent === '60 of 67' && !document.querySelector('.steps').checkVisibility()`)
		p.clean(t)
	}
}

// A table of a document breaks no word on a phone, and an item within an item is
// indented.
func TestDocument_asPainted(t *testing.T) {
	t.Parallel()
	s := newService(t)
	p := newTab(t, e2e.Open(t), s, view{width: 390})
	p.open(t, s.snippet(t, "# A\n\n| Maker | Models | Boils | Temperature | Price |\n|:--|:-:|:-:|--:|--:|\n| Acme | Fjord | yes | 100 | 119.90 |\n\n- [ ] a\n  - [x] b\n", share.SnippetOptions{Language: "markdown"}))
	assert.Empty(t, eval[[]string](t, p, `() => [...document.querySelectorAll('th, td')].filter((cell) => {
		const range = document.createRange();
		range.selectNodeContents(cell);
		return range.getClientRects().length > 1;
	}).map((cell) => cell.textContent)`))
	assert.GreaterOrEqual(t, eval[float64](t, p, `() => {
		const [outer, inner] = [...document.querySelectorAll('.task')].map((item) => item.getBoundingClientRect().left);
		return inner - outer;
	}`), 16.0)
	assert.GreaterOrEqual(t, eval[float64](t, p, `() => document.querySelector('.tabs').getBoundingClientRect().top - document.querySelector('.facts').getBoundingClientRect().bottom`), 8.0)
	p.clean(t)
}

// A document of several headings has contents: a list to open on a phone, beside
// the text and in sight on a wide window. Links within it lead to headings.
func TestDocument_contents(t *testing.T) {
	t.Parallel()
	s := newService(t)
	b := e2e.Open(t)
	filler := strings.Repeat("Some text that fills the page.\n\n", 40)
	path := s.snippet(t, "# Kiln\n\n[down](#fire--its-colours)\n\n## Clay\n\n"+filler+"### Wet\n\n## Fire & its *colours*\n\n"+filler+"## Clay\n\n"+filler, share.SnippetOptions{Language: "markdown"})
	const atTop = `Math.abs(document.querySelector('%s').getBoundingClientRect().top - 90) < 60`
	for _, v := range []view{{width: 1440}, {width: 390, height: 844}} {
		p := newTab(t, b, s, v)
		p.open(t, path)
		assert.Equal(t, v.width > 1000, eval[bool](t, p, `() => document.querySelector('.contents a').checkVisibility({ contentVisibilityAuto: true })`), v.String())
		assert.Equal(t, "Kiln #kiln|Clay #clay|Fire & its colours #fire--its-colours|Clay #clay-1", eval[string](t, p, `() => [...document.querySelectorAll('.contents a')].map((a) => a.textContent + ' ' + a.hash).join('|')`))
		if v.width < 1000 {
			require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS(".contents summary"))))
		}
		assert.Empty(t, violations(t, p, axeSource(t)), v.String())
		require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS(".contents a[href='#clay-1']"))))
		until(t, p, fmt.Sprintf(atTop, "#clay-1"))
		p.open(t, path+"#clay-1")
		until(t, p, fmt.Sprintf(atTop, "#clay-1"))
		p.clean(t)
	}
	p := newTab(t, b, s, view{width: 1440})
	p.open(t, s.snippet(t, "# Kiln\n\n## Clay\n", share.SnippetOptions{Language: "markdown"}))
	assert.False(t, eval[bool](t, p, `() => document.querySelector('.contents') !== null`), "a short one has none")
}

// In forced colours, lines with a level begin where the others do.
func TestLines_alignedInForcedColours(t *testing.T) {
	t.Parallel()
	s := newService(t)
	p := newTab(t, e2e.Open(t), s, view{width: 1440, forced: true})
	p.open(t, s.log(t, "INFO ready\nERROR broke\nWARN slow\nFATAL gone\n", share.LogOptions{}))
	assert.Len(t, eval[[]float64](t, p, `() => [...new Set([...document.querySelectorAll('.lines p')].map((line) => {
		const range = document.createRange();
		range.selectNodeContents(line);
		return range.getBoundingClientRect().left;
	}))]`), 1)
	p.clean(t)
}

// Logs that are pasted into the form are compared without another step.
func TestCompareForm_pasted(t *testing.T) {
	t.Parallel()
	s := newService(t, func(o *web.Options) { o.Sharing.Public = true })
	p := newTab(t, e2e.Open(t), s, view{width: 1440})
	p.open(t, "/compare")
	paste := func(field, text string) {
		_ = eval[any](t, p, `(field, text) => {
			const clipboardData = new DataTransfer();
			clipboardData.setData('text', text);
			document.querySelector('[name=' + field + ']').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
		}`, field, text)
	}
	paste("a", "INFO up\nINFO down\n")
	paste("b", "INFO up\nERROR disk is full\n")
	until(t, p, `document.querySelector('[name=b]').value === 'Pasted log, 2 lines'`)
	_ = eval[any](t, p, `() => document.querySelector(".two button").click()`)
	until(t, p, `location.pathname.startsWith('/compare/') && document.body.textContent.includes('disk is full')`)
	p.clean(t)
}

// What is done with a picture is in one row, from a window of 1280 pixels on.
func TestStudio_barAsPainted(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for _, width := range []int64{1280, 1440} {
		p := newTab(t, e2e.Open(t), s, view{width: width})
		p.open(t, "/screenshot")
		assert.Len(t, eval[[]float64](t, p, `() => [...new Set([...document.querySelectorAll('.bar > *')].map((part) => {
			const box = part.getBoundingClientRect();
			return Math.round((box.top + box.bottom) / 2);
		}))]`), 1, width)
		p.clean(t)
	}
}
