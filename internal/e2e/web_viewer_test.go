package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
)

// clickNumber clicks a line number, optionally with Shift.
const clickNumber = `(n, shiftKey) => {
	const line = document.getElementById('L' + n), box = line.getBoundingClientRect();
	line.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, clientX: box.left + 4, clientY: box.top + 4, shiftKey }));
	return [location.hash, [...document.querySelectorAll('[data-on]')].map((l) => l.id).join(' ')].join(' ');
}`

func TestViewers_anchorsOfLines(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
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

func TestFilter_levels(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
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
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("#show-w")), chromedp.SendKeys(chromedp.CSS("[name=q]"), "REFUSED")))
	until(t, p, `document.querySelector('.matches').textContent === '1 of 10 lines'`)
	assert.Equal(t, "L10", visible())
	require.NoError(t, chromedp.Do(p.Context, chromedp.SendKeys(chromedp.CSS("[name=q]"), "<script>")))
	until(t, p, `document.querySelector('.none').checkVisibility()`)
	assert.Empty(t, violationsIfAny(t, p))
	_ = eval[any](t, p, `() => { const find = document.querySelector('[name=q]'); find.value = ''; find.dispatchEvent(new Event('input')); }`)
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("#show-e"))))
	until(t, p, `document.querySelector('.matches').textContent === ''`)
	assert.Equal(t, everything, visible())
	p.clean(t)

	bare := newTab(t, b, s, view{width: 1440, noScripts: true})
	bare.open(t, strings.TrimPrefix(eval[string](t, p, `() => location.href`), s.URL))
	address := eval[string](t, bare, `() => {
		document.getElementById('show-f').click();
		return String(new URL('?' + new URLSearchParams(new FormData(document.querySelector('.tools'))), location));
	}`)
	bare.open(t, strings.TrimPrefix(address, s.URL))
	assert.Equal(t, "L7", eval[string](t, bare, `() => [...document.querySelectorAll('.lines p[id]')].filter((l) => l.checkVisibility({ visibilityProperty: true })).map((l) => l.id).join(' ')`), "levels are filtered without scripts too")
}

// levelledLog returns a log of n lines that cycles through the levels.
func levelledLog(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s line %d\n", [...]string{"INFO", "DEBUG", "ERROR", "WARN", "INFO"}[i%5], i+1)
	}
	return b.String()
}

// A filtered log is as tall as its remaining lines, although the browser
// remembers the heights of blocks that were visible before.
func TestFilter_heightOfTheLines(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	path := s.log(t, levelledLog(1_000), share.LogOptions{})
	for _, v := range []view{{width: 1440}, {width: 390}} {
		t.Run(v.String(), func(t *testing.T) {
			p := newTab(t, b, s, v)
			p.open(t, path)
			for _, step := range []struct {
				chip string
				rows int // including those of gaps
			}{{"e", 200 + 201}, {"w", 400 + 201}, {"e", 200 + 201}, {"i", 600 + 200}, {"i", 200 + 201}, {"w", 1000}} {
				_ = eval[any](t, p, `async () => {
					for (const section of document.querySelectorAll('.lines section')) {
						section.scrollIntoView();
						await new Promise((done) => requestAnimationFrame(done));
					}
					scrollTo(0, 0); // on a phone levels stand at the top alone
				}`)
				require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("#show-"+step.chip))))
				off := 0
				if step.rows == 1_000 {
					off = 1_900 // the last block has one line, unknown until it is visible
				}
				until(t, p, fmt.Sprintf(`Math.abs(document.querySelector('.lines').offsetHeight - (%d * 19 + 8 + 96)) <= %d`, step.rows, off))
			}
			p.clean(t)
		})
	}
}

// find types into the filter without scrolling, unlike chromedp's actions with
// selectors.
func find(t *testing.T, p *tab, text string) {
	t.Helper()
	_ = eval[any](t, p, `() => document.querySelector('[name=q]').focus({ preventScroll: true })`)
	require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent(text)))
}

// tick clicks a checkbox without scrolling.
func tick(t *testing.T, p *tab, id string) {
	t.Helper()
	_ = eval[any](t, p, `(id) => document.getElementById(id).click()`, id)
}

// Applying and clearing a filter keeps the reading position. A link to a line
// that the filter hides leads to it.
func TestFilter_keepsThePlace(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	p.open(t, s.log(t, levelledLog(3_000), share.LogOptions{})+"#L1503")
	const offset = `document.getElementById('L1503').getBoundingClientRect().top`
	until(t, p, offset+` > 0 && `+offset+` < 250`)
	before := eval[float64](t, p, `() => `+offset)
	stays := fmt.Sprintf(`Math.abs(%s - %g) < 30`, offset, before)
	tick(t, p, "show-e")
	until(t, p, `document.querySelector('.matches').textContent === '600 of 3,000 lines' && `+stays)
	find(t, p, "line 1503")
	until(t, p, `document.querySelector('.matches').textContent === '1 of 3,000 lines'`)
	find(t, p, kb.Escape)
	until(t, p, `document.querySelector('.matches').textContent === '600 of 3,000 lines' && `+stays)
	tick(t, p, "show-e")
	until(t, p, `document.querySelector('.matches').textContent === '' && `+stays)
	tick(t, p, "wrap")
	until(t, p, stays)

	tick(t, p, "show-w")
	find(t, p, `"line 9"`)
	until(t, p, `document.querySelector('.matches').textContent === '23 of 3,000 lines'`)
	_ = eval[any](t, p, `() => { location.hash = '#L2001-L2003'; }`)
	until(t, p, `document.querySelectorAll('[data-on]').length === 3 && document.getElementById('L2001').getBoundingClientRect().bottom > 0 && document.getElementById('L2003').getBoundingClientRect().top < innerHeight`)
	assert.Equal(t, " 0", eval[string](t, p, `() => document.querySelector('[name=q]').value + ' ' + document.querySelectorAll('.chips :checked').length`), "the filter is lifted")
	p.clean(t)
}

// The next error is the one after the current line; with Shift, the one before
// it.
func TestKeys_nextErrorFromHere(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	p.open(t, s.log(t, levelledLog(3_000), share.LogOptions{}))
	press := func(shift bool, want string) {
		t.Helper()
		_ = eval[any](t, p, `(shiftKey) => document.querySelector('[data-next-error]').dispatchEvent(new MouseEvent('click', { shiftKey, bubbles: true, cancelable: true }))`, shift)
		assert.Equal(t, want, eval[string](t, p, `() => location.hash`))
	}
	press(false, "#L3")
	press(true, "#L2998")
	press(false, "#L3")
	_ = eval[any](t, p, `async () => {
		const line = document.getElementById('L2000');
		for (let before; before !== scrollY; ) { // blocks that come into sight may move it
			before = scrollY;
			line.scrollIntoView();
			await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
			line.scrollIntoView();
		}
		scrollBy(0, 40); // lines above it stay in sight
	}`)
	press(false, "#L2003")
	press(false, "#L2008")
	press(true, "#L2003")
	find(t, p, `"line 201"`)
	until(t, p, `document.querySelector('.matches').textContent === '11 of 3,000 lines'`)
	press(false, "#L2013")
	press(false, "#L2018")
	press(false, "#L2013")
	until(t, p, `document.querySelector('[role=status]').textContent === 'Error 1 of 2, line 2013'`)
	find(t, p, kb.Escape+"no such line")
	until(t, p, `document.querySelector('.none').checkVisibility()`)
	press(false, "#L2013")
	p.clean(t)
}

// A line shows its text literally, even if it looks like markup.
func TestViewers_textOfLines(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	const alphabet = "&<>;#1lt/ "
	lines := make([]string, 1_000)
	for i := range lines {
		lines[i] = string([]byte{alphabet[i%10], alphabet[i/10%10], alphabet[i/100]})
	}
	content := strings.Join(lines, "\n")
	for _, path := range []string{s.log(t, content, share.LogOptions{}), s.snippet(t, content, share.SnippetOptions{Language: "text"})} {
		p := newTab(t, b, s, view{width: 1440})
		p.open(t, path)
		assert.Equal(t, content, eval[string](t, p, `() => [...document.querySelectorAll('.lines p')].map((line) => line.textContent).join('\n')`))
		p.clean(t)
	}
}

// violationsIfAny calls violations if axe-core is installed.
func violationsIfAny(t *testing.T, p *tab) string {
	t.Helper()
	source, err := os.ReadFile("node_modules/axe-core/axe.min.js")
	if err != nil {
		return ""
	}
	return violations(t, p, string(source))
}

func TestViewLog_errorsAndJSONLines(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
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

// What is copied from a log is what is read; code is copied as it was shared.
func TestViewers_copy(t *testing.T) {
	t.Parallel()
	b := e2e.OpenWindow(t)
	s := newService(t)
	withoutEscapes := strings.NewReplacer("\x1b[31m", "", "\x1b[0m", "", "\x1b[1;44m", "", "\x1b[1m", "")
	const code = "\ufeffa\tb\r\n<c>&d\x00\u202e\x1b[1m\n\n  "
	for path, want := range map[string]string{s.log(t, sampleLog+code, share.LogOptions{}): withoutEscapes.Replace(sampleLog + code), s.log(t, code, share.LogOptions{}): withoutEscapes.Replace(code), s.snippet(t, code, share.SnippetOptions{}): code} {
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

// attacks returns vectors that would set window.__xss or contact another host.
func attacks(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("../../httpapi/web/testdata/xss.json")
	require.NoError(t, err)
	var vectors []string
	require.NoError(t, json.Unmarshal(data, &vectors))
	slices.Sort(vectors)
	require.GreaterOrEqual(t, len(slices.Compact(vectors)), 200)
	return vectors
}

// packed joins the texts into strings of at most n characters.
func packed(texts []string, n int) []string {
	all := []string{""}
	for _, text := range texts {
		if last := &all[len(all)-1]; len(*last)+len(text) < n {
			*last += " " + text
		} else {
			all = append(all, text)
		}
	}
	return all
}

// provoke triggers everything in a page that could start an attack.
const provoke = `async () => {
	for (const section of document.querySelectorAll('.lines section')) {
		section.scrollIntoView();
		await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
	}
	for (const button of document.querySelectorAll('button.open, label input, [data-next-error]')) button.click();
	for (const element of document.querySelectorAll('.lines *')) for (const type of ['click', 'mouseover', 'focus', 'animationend', 'toggle']) element.dispatchEvent(new Event(type, { bubbles: true }));
	const find = document.querySelector('[name=q]');
	if (find) { find.value = '<img src=x onerror='; find.dispatchEvent(new Event('input')); }
	await new Promise((done) => setTimeout(done, 300));
	return typeof window.__xss;
}`

// Attack vectors do nothing anywhere untrusted text is shown: they run no
// script, send no request and violate no policy.
func TestViewers_hostileTextRunsNothing(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	vectors := attacks(t)
	all := strings.Join(vectors, "\n")
	var paths []string
	for _, lang := range []string{"html", "javascript", "markdown", "json", "xml", "svelte", "text"} {
		paths = append(paths, s.snippet(t, all, share.SnippetOptions{Language: lang}))
	}
	log := s.log(t, all, share.LogOptions{Title: vectors[0]})
	paths = append(paths, log)
	for i, title := range packed(vectors, 900) {
		paths = append(paths, s.log(t, "ERROR x", share.LogOptions{Title: title}), s.snippet(t, "x", share.SnippetOptions{Title: vectors[i], Language: title}))
	}
	p := newTab(t, b, s, view{width: 1440})
	for i, path := range paths {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			p.open(t, path)
			assert.Equal(t, "undefined", eval[string](t, p, provoke))
			p.clean(t)
		})
	}
	p.open(t, log+"/raw")
	assert.Equal(t, "undefined", eval[string](t, p, `() => typeof window.__xss`))
	p.clean(t)
}

// Attack vectors in a studio link do nothing.
func TestStudio_hostileTextRunsNothing(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	vectors := attacks(t)
	for _, title := range packed(vectors, 190)[:5] {
		var answer struct{ WebURL string }
		require.NoError(t, json.Unmarshal(s.api(t, "/api/v1/code-screenshot", "application/json", map[string]any{"code": strings.Join(vectors, "\n"), "windowTitle": title, "language": "html"}), &answer))
		p := newTab(t, b, s, view{width: 1440})
		p.open(t, strings.TrimPrefix(answer.WebURL, s.URL))
		until(t, p, `document.querySelector('[data-image]').src.startsWith('blob:')`)
		assert.Equal(t, "undefined", eval[string](t, p, `() => typeof window.__xss`))
		p.clean(t)
		require.NoError(t, chromedp.Cancel(p.Context))
	}
}

// BenchmarkLargestLog opens a log of 25,000 lines and 500,000 characters.
func BenchmarkLargestLog(bench *testing.B) {
	b := e2e.Open(bench)
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
