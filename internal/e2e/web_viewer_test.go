package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
)

// clickNumber clicks the number of a line, with the shift key or without.
const clickNumber = `(n, shiftKey) => {
	const line = document.getElementById('L' + n), box = line.getBoundingClientRect();
	line.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, clientX: box.left + 4, clientY: box.top + 4, shiftKey }));
	return [location.hash, [...document.querySelectorAll('[data-on]')].map((l) => l.id).join(' ')].join(' ');
}`

func TestLinesHaveAnchors(t *testing.T) {
	b := e2e.Launch(t)
	s := newService(t)
	log := s.log(t, strings.Repeat("INFO a line\n", 500), share.LogOptions{})
	for _, path := range []string{log, s.snippet(t, strings.Repeat("x = 1\n", 500), share.SnippetOptions{Language: "python"})} {
		p := newTab(t, b, s, view{width: 1440})
		p.open(t, path+"#L205-L207")
		until(t, p, `document.querySelectorAll('[data-on]').length === 3`)
		until(t, p, `document.getElementById('L205').getBoundingClientRect().top > 0 && document.getElementById('L207').getBoundingClientRect().bottom < innerHeight`)
		assert.Equal(t, "#L210 L210", eval[string](t, p, clickNumber, 210, false))
		assert.Equal(t, "#L210-L212 L210 L211 L212", eval[string](t, p, clickNumber, 212, true))
		assert.Equal(t, "#L208-L210 L208 L209 L210", eval[string](t, p, clickNumber, 208, true))
		p.clean(t)
	}
	p := newTab(t, b, s, view{width: 390, noScripts: true})
	p.open(t, log+"#L300")
	top := eval[float64](t, p, `() => document.getElementById('L300').getBoundingClientRect().top`)
	assert.Greater(t, top, 0.0)
	assert.Less(t, top, 900.0)
}

// The numbers that the style sheet counts must be those of the anchors.
func TestLinesAreNumbered(t *testing.T) {
	b := e2e.Launch(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	p.open(t, s.log(t, strings.Repeat("a line of a log\n", 12_345), share.LogOptions{}))
	for _, n := range []int{1, 9, 10, 99, 100, 101, 199, 200, 1000, 9999, 10000, 12345} {
		got := eval[string](t, p, `async (n) => {
			const line = document.getElementById('L' + n);
			line.scrollIntoView();
			await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
			const section = line.parentElement, all = [...document.querySelectorAll('.lines section')];
			const block = all.indexOf(section), at = [...section.children].indexOf(line);
			return getComputedStyle(line, '::before').content + ' ' + (block === 0 ? at + 1 : block * 100 + at);
		}`, n)
		format := `counter(block) counter(line, decimal-leading-zero)`
		if n < 100 {
			format = `counter(line)`
		}
		assert.Equal(t, fmt.Sprintf("%s %d", format, n), got)
	}
	p.clean(t)
}

func TestLogIsFiltered(t *testing.T) {
	b := e2e.Launch(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	p.open(t, s.log(t, sampleLog, share.LogOptions{}))
	visible := func() string {
		return eval[string](t, p, `() => [...document.querySelectorAll('.lines p[id]')].filter((l) => l.checkVisibility()).map((l) => l.id).join(' ')`)
	}
	const everything = "L1 L2 L3 L4 L5 L6 L7 L8 L9 L10"
	assert.Equal(t, everything, visible())
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("#show-e"))))
	assert.Equal(t, "L3 L4 L5 L10", visible(), "an error comes with its stack trace")
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("#show-w"))))
	assert.Equal(t, "L3 L4 L5 L6 L10", visible())
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("#show-w")), chromedp.SendKeys(chromedp.CSS("[name=find]"), "REFUSED")))
	until(t, p, `document.querySelector('.matches').textContent === '1 of 10'`)
	assert.Equal(t, "L10", visible())
	require.NoError(t, chromedp.Do(p.Context, chromedp.SendKeys(chromedp.CSS("[name=find]"), "<script>")))
	until(t, p, `document.querySelector('.none').checkVisibility()`)
	assert.Empty(t, violationsIfAny(t, p))
	_ = eval[any](t, p, `() => { const find = document.querySelector('[name=find]'); find.value = ''; find.dispatchEvent(new Event('input')); }`)
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("#show-e"))))
	until(t, p, `document.querySelector('.matches').textContent === ''`)
	assert.Equal(t, everything, visible())
	p.clean(t)

	bare := newTab(t, b, s, view{width: 1440, noScripts: true})
	bare.open(t, strings.TrimPrefix(eval[string](t, p, `() => location.href`), s.URL))
	require.NoError(t, chromedp.Do(bare.Context, chromedp.Click(chromedp.CSS("#show-f"))))
	assert.Equal(t, "L7", eval[string](t, bare, `() => [...document.querySelectorAll('.lines p')].filter((l) => l.checkVisibility()).map((l) => l.id).join(' ')`), "levels are filtered without scripts too")
}

// violationsIfAny is violations where axe-core is installed.
func violationsIfAny(t *testing.T, p *tab) string {
	t.Helper()
	source, err := os.ReadFile("node_modules/axe-core/axe.min.js")
	if err != nil {
		return ""
	}
	return violations(t, p, string(source))
}

func TestErrorsAndJSONLines(t *testing.T) {
	b := e2e.Launch(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	p.open(t, s.log(t, sampleLog, share.LogOptions{}))
	for _, hash := range []string{"#L3", "#L7", "#L10", "#L3"} {
		require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[data-next-error]"))))
		assert.Equal(t, hash, eval[string](t, p, `() => location.hash`))
	}
	until(t, p, `document.querySelectorAll('button.open').length === 1`)
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("button.open"))))
	assert.Equal(t, "{\n  \"level\": \"error\",\n  \"msg\": \"refused\",\n  \"user\": {\n    \"id\": 12345678901234567890\n  }\n}", eval[string](t, p, `() => document.querySelector('.tree').textContent`))
	assert.Equal(t, "true", eval[string](t, p, `() => document.querySelector('button.open').getAttribute('aria-expanded')`))
	assert.Empty(t, violationsIfAny(t, p))
	p.paint(t, "log-open")
	p.clean(t)
}

func TestCopying(t *testing.T) {
	b := e2e.Launch(t)
	s := newService(t)
	const code = "a\tb\n<c>&d\n\n"
	for path, want := range map[string]string{s.log(t, sampleLog, share.LogOptions{}): sampleLog, s.snippet(t, code, share.SnippetOptions{}): code} {
		p := newTab(t, b, s, view{width: 1440})
		p.allow(t)
		p.open(t, path)
		require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[data-copy]"))))
		until(t, p, `document.querySelector('[data-copy]').textContent === 'Copied'`)
		assert.Equal(t, want, eval[string](t, p, `() => navigator.clipboard.readText()`))
		p.clean(t)
	}
	p := newTab(t, b, s, view{width: 1440})
	p.open(t, s.log(t, "one\ntwo <b>\n\nfour\nfive", share.LogOptions{}))
	assert.Equal(t, "ne\ntwo <b>\n\nfo", eval[string](t, p, `async () => {
		const first = document.getElementById('L1').firstChild, last = document.getElementById('L4').firstChild;
		getSelection().setBaseAndExtent(first, 1, last, 2);
		const clipboardData = new DataTransfer();
		first.parentElement.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
		return clipboardData.getData('text/plain');
	}`), "a selection is copied as the lines are, without numbers")
	p.clean(t)
}

// A collection of attacks, in every place where a stranger's text is shown,
// runs nothing: no script, no request, no report of one that was stopped.
func TestVectorsRunNothing(t *testing.T) {
	data, err := os.ReadFile("../../httpapi/web/testdata/xss.json")
	require.NoError(t, err)
	var vectors []string
	require.NoError(t, json.Unmarshal(data, &vectors))
	require.GreaterOrEqual(t, len(vectors), 200)
	b := e2e.Launch(t)
	s := newService(t)
	all := strings.Join(vectors, "\n")
	paths := []string{s.log(t, all, share.LogOptions{Title: vectors[0]}), s.log(t, strings.Repeat(all, 3), share.LogOptions{Title: strings.Join(vectors[:20], "")})}
	for _, lang := range []string{"html", "javascript", "markdown", "json", "xml", "svelte", "text"} {
		paths = append(paths, s.snippet(t, all, share.SnippetOptions{Language: lang, Title: vectors[1]}))
	}
	for _, path := range paths {
		p := newTab(t, b, s, view{width: 1440})
		p.open(t, path)
		_ = eval[any](t, p, `async () => {
			for (const section of document.querySelectorAll('.lines section')) {
				section.scrollIntoView();
				await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
			}
			for (const button of document.querySelectorAll('button.open, label input, [data-next-error]')) button.click();
			for (const element of document.querySelectorAll('.lines *')) for (const type of ['click', 'mouseover', 'focus', 'animationend', 'toggle']) element.dispatchEvent(new Event(type, { bubbles: true }));
			const find = document.querySelector('[name=find]');
			if (find) { find.value = '<img src=x onerror='; find.dispatchEvent(new Event('input')); }
			await new Promise((done) => setTimeout(done, 300));
		}`)
		assert.Equal(t, "undefined", eval[string](t, p, `() => typeof window.__xss`))
		p.clean(t)
	}
	p := newTab(t, b, s, view{width: 1440})
	p.open(t, paths[0]+"/raw")
	assert.Equal(t, "undefined", eval[string](t, p, `() => typeof window.__xss`))
	p.clean(t)
}

// BenchmarkLargestLog opens a log of 25,000 lines and 500,000 characters.
func BenchmarkLargestLog(bench *testing.B) {
	b := e2e.Launch(bench)
	s := newService(bench)
	path := s.log(bench, strings.Repeat("INFO  0123456789 ab\nERROR 0123456789 ab\n", 12_500), share.LogOptions{})
	var first, paint, worst float64
	for bench.Loop() {
		p := newTab(bench, b, s, view{width: 1440})
		p.open(bench, path)
		got := eval[[]float64](bench, p, `async () => {
			const frames = [];
			for (let i = 0, last = performance.now(); i < 120; i++) {
				scrollBy(0, 300);
				await new Promise((done) => requestAnimationFrame(done));
				const now = performance.now();
				frames.push(now - last);
				last = now;
			}
			frames.sort((a, b) => a - b);
			return [performance.getEntriesByType('navigation')[0].responseStart, performance.getEntriesByName('first-contentful-paint')[0].startTime, frames[113]];
		}`)
		first, paint, worst = first+got[0], paint+got[1], worst+got[2]
		require.NoError(bench, chromedp.Cancel(p.Context))
	}
	n := float64(bench.N)
	bench.ReportMetric(first/n, "ms/first-byte")
	bench.ReportMetric(paint/n, "ms/first-paint")
	bench.ReportMetric(worst/n, "ms/frame-p95")
}
