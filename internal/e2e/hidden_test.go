package e2e_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
)

// rowsInSight returns the visible rows of a log: lines by number, other rows by
// text.
func rowsInSight(t *testing.T, p *tab) string {
	t.Helper()
	return eval[string](t, p, `() => [...document.querySelectorAll('.lines p')].filter((row) => (row.id ? row : row.firstElementChild).getBoundingClientRect().height > 0).map((row) => row.id ? row.id.slice(1) : ('step' in row.dataset ? { true: '− ', false: '⋯ ' }[row.firstElementChild.ariaExpanded] : '') + row.textContent).join(' ')`)
}

// press sends keys to the focused element.
func press(t *testing.T, p *tab, keys string) {
	t.Helper()
	require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent(keys)))
}

// A row between the lines selected by a filter gives the number of hidden
// lines. It opens by keyboard and by URL; a large gap shows only the lines next
// to the hits. Without scripts it leads to the lines in the whole log.
func TestGaps_open(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	var log strings.Builder
	for i := range 120 {
		fmt.Fprintf(&log, "%s line %d\n", map[bool]string{true: "ERROR", false: "INFO"}[i == 3 || i == 6 || i == 116], i+1)
	}
	path := s.log(t, log.String(), share.LogOptions{})
	const closed, opened = "⋯ 3 lines 4 ⋯ 2 lines 7 ⋯ 109 lines 117 ⋯ 3 lines", "⋯ 3 lines 4 5 6 7 ⋯ 109 lines 117 ⋯ 3 lines"
	for _, v := range []view{{width: 1440}, {width: 390}, {width: 1440, noScripts: true}, {width: 390, noScripts: true}} {
		t.Run(v.String(), func(t *testing.T) {
			p := newTab(t, b, s, v)
			p.open(t, path+"?level=e")
			until(t, p, `document.querySelectorAll('.gap').length === 4`)
			assert.Equal(t, closed, rowsInSight(t, p))
			if v.noScripts {
				assert.Equal(t, path+"#L5", eval[string](t, p, `() => { const { pathname, search, hash } = document.querySelectorAll('.gap a')[1]; return pathname + search + hash; }`))
				return
			}
			_ = eval[any](t, p, `() => document.querySelectorAll('.gap a')[1].focus()`)
			press(t, p, kb.Enter)
			until(t, p, `document.querySelectorAll('.gap').length === 3`)
			assert.Equal(t, opened, rowsInSight(t, p))
			numbers := paintedNumbers(t, p)
			assert.Equal(t, []string{"5", "7"}, []string{numbers["L5"], numbers["L7"]})
			assert.Contains(t, eval[string](t, p, `() => location.search`), "open=5-6")
			_ = eval[any](t, p, `() => document.querySelectorAll('.gap a')[1].click()`)
			const more = "69 lines"
			until(t, p, `document.querySelectorAll('.gap a')[1]?.textContent === '⋯ `+more+`'`)
			assert.Regexp(t, `^⋯ 3 lines 4 5 6 7 8 9 .* 26 27 ⋯ 69 lines 97 98 .* 116 117 ⋯ 3 lines$`, rowsInSight(t, p), "20 lines on either side")
			p.clean(t)
		})
	}
	p := newTab(t, b, s, view{width: 1440})
	p.open(t, path+"?level=e&open=5-6")
	until(t, p, `document.querySelectorAll('.gap').length === 3`)
	assert.Equal(t, opened, rowsInSight(t, p), "the address says what is open")
	assert.Empty(t, violationsIfAny(t, p))
	p.paint(t, "log-gaps")
	tick(t, p, "show-i")
	until(t, p, `document.querySelectorAll('.gap').length === 0 && !location.search.includes('open')`)
}

// Arrow keys move in the histogram. With Shift, or by dragging, they select the
// lines of some bars. The URL keeps the selection, and the server applies it
// too.
func TestHistogram_choosesTimes(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	var log strings.Builder
	for i := range 60 {
		fmt.Fprintf(&log, "2026-11-20 10:%02d:00 INFO step %d\n2026-11-20 10:%02d:01 INFO done\n", i, i, i)
	}
	path := s.log(t, log.String(), share.LogOptions{})
	focused := func(n int) string { return fmt.Sprintf(`document.activeElement.getAttribute('href') === '#L%d'`, n) }
	matches := func(want string) string {
		return fmt.Sprintf(`document.querySelector('.matches').textContent === %q`, want)
	}
	for _, v := range []view{{width: 1440}, {width: 390}} {
		t.Run(v.String(), func(t *testing.T) {
			p := newTab(t, b, s, v)
			p.open(t, path)
			_ = eval[any](t, p, `() => document.querySelector('.times a').focus()`)
			press(t, p, kb.ArrowRight+kb.ArrowRight)
			until(t, p, focused(5))
			press(t, p, kb.ArrowLeft)
			until(t, p, focused(3))
			require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift))))
			until(t, p, focused(5)+` && `+matches("4 of 120 lines")+` && location.search === '?lines=3-6'`)
			assert.Equal(t, "⋯ 2 lines 3 4 5 6 ⋯ 114 lines", rowsInSight(t, p))
			press(t, p, kb.Escape)
			until(t, p, matches("")+` && location.search === '' && !document.querySelector('[data-out]')`)

			spots := eval[[]float64](t, p, `() => {
				const boxes = [...document.querySelectorAll('.times a')].map((bar) => bar.getBoundingClientRect());
				return [10, 14].flatMap((i) => [(boxes[i].left + boxes[i].right) / 2, boxes[i].bottom - 4]);
			}`)
			for _, e := range []struct {
				kind    string
				x, y    float64
				buttons int64
			}{{"mousePressed", spots[0], spots[1], 1}, {"mouseMoved", spots[0] + 3, spots[1], 1}, {"mouseMoved", spots[2], spots[3], 1}, {"mouseReleased", spots[2], spots[3], 0}} {
				_, err := chromedp.Call(p.Context, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventType(e.kind), X: e.x, Y: e.y, Button: "left", Buttons: e.buttons, ClickCount: 1})
				require.NoError(t, err)
			}
			until(t, p, matches("10 of 120 lines")+` && location.search === '?lines=21-30' && location.hash === ''`)
			assert.Equal(t, "⋯ 20 lines 21 22 23 24 25 26 27 28 29 30 ⋯ 90 lines", rowsInSight(t, p))
			p.paint(t, "log-times "+v.String())
			p.clean(t)

			bare := newTab(t, b, s, view{width: v.width, noScripts: true})
			bare.open(t, path+"?lines=21-30")
			assert.Equal(t, "⋯ 20 lines 21 22 23 24 25 26 27 28 29 30 ⋯ 90 lines", rowsInSight(t, bare))
			_ = eval[any](t, p, `() => document.querySelector('[data-whole]').click()`)
			until(t, p, matches(""))
		})
	}
}

// foldable is a build log with a successful section, a failed one that contains
// a successful one, and a stack trace.
const foldable = "##[group]Set up\nINFO a\nINFO b\n##[endgroup]\n##[group]Test\n##[group]Prepare\nINFO c\nINFO d\n##[endgroup]\n" +
	"java.lang.IllegalStateException: it broke\n\tat a.A.a(A.java:1)\n\tat a.A.b(A.java:2)\n\tat a.A.c(A.java:3)\n\tat a.A.d(A.java:4)\n\tat a.A.e(A.java:5)\nERROR failed\n##[endgroup]\nINFO end\n"

// Sections without errors are folded, as are stack traces after three frames.
// Folds open and close by keyboard. A search looks into them. Without scripts
// nothing is folded.
func TestFolds_turn(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	path := s.log(t, foldable, share.LogOptions{})
	const (
		folded = "1 ⋯ 3 lines 5 − 12 lines 6 ⋯ 3 lines 10 11 12 13 ⋯ 2 more frames 16 17 18"
		inner  = "1 ⋯ 3 lines 5 − 12 lines 6 − 3 lines 7 8 9 10 11 12 13 ⋯ 2 more frames 16 17 18"
		outer  = "1 ⋯ 3 lines 5 ⋯ 12 lines 18"
	)
	for _, v := range []view{{width: 1440}, {width: 390}, {width: 1440, noScripts: true}} {
		t.Run(v.String(), func(t *testing.T) {
			p := newTab(t, b, s, v)
			p.navigate(t, path)
			if v.noScripts {
				assert.Equal(t, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18", rowsInSight(t, p))
				return
			}
			turn := func(i int, want string) {
				t.Helper()
				_ = eval[any](t, p, `(i) => document.querySelectorAll('.fold a')[i].focus()`, i)
				press(t, p, kb.Enter)
				assert.Equal(t, want, rowsInSight(t, p))
			}
			assert.Equal(t, folded, rowsInSight(t, p))
			for id, number := range paintedNumbers(t, p) {
				assert.Equal(t, id, "L"+number)
			}
			p.paint(t, "log-folds "+v.String())
			turn(2, inner)
			turn(2, folded)
			turn(1, outer)
			turn(1, folded)
			p.open(t, path+"#L8")
			until(t, p, `document.getElementById('L8').getBoundingClientRect().height > 0 && getComputedStyle(document.getElementById('L8')).visibility === 'visible'`)
			p.open(t, path+"?q=at+a.A.e")
			until(t, p, `document.querySelectorAll('.gap').length === 2`)
			assert.Equal(t, "⋯ 14 lines 15 ⋯ 3 lines", rowsInSight(t, p), "a search finds what is folded")
			p.clean(t)
		})
	}
}

// JSON lines are shown in columns or unchanged, and can be expanded. A search
// looks at the original text.
func TestColumns_ofJSONLines(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	const line = `{"time":"2026-11-20T10:00:00Z","level":"error","msg":"it <b> broke","user":{"id":12345678901234567890},"path":"/a"}`
	path := s.log(t, strings.Repeat(`{"time":"2026-11-20T09:00:00Z","level":"info","msg":"served","status":200}`+"\n", 5)+line+"\n", share.LogOptions{})
	shows := func(text string) string {
		return fmt.Sprintf(`document.getElementById('L6').innerText.replace(/\s+/g, ' ').trim() === %q`, text)
	}
	const columns = `2026-11-20T10:00:00Z ERROR it <b> broke user={"id":12345678901234567890} path=/a`
	for _, v := range []view{{width: 1440}, {width: 390}, {width: 1440, noScripts: true}} {
		t.Run(v.String(), func(t *testing.T) {
			p := newTab(t, b, s, v)
			p.open(t, path)
			if v.width == 390 { // the letter of the line says the level
				until(t, p, shows(strings.Replace(columns, "ERROR ", "", 1)))
			} else {
				until(t, p, shows(columns))
			}
			p.paint(t, "log-columns "+v.String())
			p.open(t, path+"?raw=1")
			until(t, p, shows(line))
			p.open(t, path+"?q=msg+error")
			until(t, p, `document.querySelectorAll('.lines p[id]:not([data-miss])').length === 1 && document.querySelector('.matches').textContent === '1 of 6 lines'`)
			if v.noScripts {
				return
			}
			until(t, p, `document.querySelector('#L6 button.open') !== null`)
			_ = eval[any](t, p, `() => document.querySelector('#L6 button.open').click()`)
			until(t, p, `document.querySelector('#L6 .tree')?.textContent.includes('"id": 12345678901234567890')`)
			_ = eval[any](t, p, `() => document.querySelector('[name=raw]').click()`)
			require.Eventually(t, func() bool { // no page to query while it loads
				is, err := e2e.Call[bool](p.Browser, `() => location.search === '?q=msg+error&raw=1' && document.querySelector('#L6').textContent.startsWith('{')`)
				return err == nil && is
			}, time.Minute, 20*time.Millisecond)
			p.clean(t)
		})
	}
}

// The line of each differing message is visible and not covered.
func TestCompare_linesInSight(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	id := func(content string) string {
		return strings.TrimPrefix(s.log(t, content, share.LogOptions{}), "/logs/")
	}
	failed := "ERROR connection to server at db.example, port 5432 failed: remaining connection slots are reserved for others\n"
	path := "/compare/" + id(strings.Repeat("INFO a\n", 3_000)) + "/" + id(strings.Repeat("INFO a\n", 4_000)+failed)
	for _, width := range []int64{1440, 800, 390} {
		p := newTab(t, b, s, view{width: width})
		p.open(t, path)
		assert.Equal(t, []string{" L4001", "3,000 → 4,000 × L1"}, eval[[]string](t, p, `() => [...document.querySelectorAll('.finding li')].filter((li) => {
			const count = document.createRange();
			count.selectNodeContents(li.querySelector('.count'));
			const text = count.getBoundingClientRect(), link = li.querySelector('a').getBoundingClientRect();
			return text.right + 4 < link.left && link.right <= innerWidth;
		}).map((li) => li.querySelector('.count').textContent + ' ' + li.querySelector('a').textContent)`), width)
	}
}

// On a phone, the search of a log is reachable and its sheet opens.
func TestPhone_searchInReach(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	path := s.log(t, strings.Repeat(`{"level":"info"}`+"\n"+`{"level":"error"}`+"\n", 12_500), share.LogOptions{})
	for _, width := range []int64{390, 320} {
		p := newTab(t, b, s, view{width: width})
		p.open(t, path)
		until(t, p, `!document.querySelector('[data-help]').hidden`)
		for _, control := range []string{"[name=q]", "[name=raw]", "#wrap", "[data-help]", "[data-next-error]", ".menu summary"} {
			assert.True(t, eval[bool](t, p, `(control) => {
				const element = document.querySelector(control);
				const box = element.getBoundingClientRect();
				const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
				return box.left >= 0 && box.right <= innerWidth && (element.contains(at) || at?.closest('label')?.contains(element));
			}`, control), "%s at %d", control, width)
		}
		_ = eval[any](t, p, `() => document.querySelector('[data-help]').click()`)
		until(t, p, `document.querySelector('dialog').open`)
		_ = eval[any](t, p, `() => document.querySelector('dialog').close()`)
		_ = eval[any](t, p, `() => document.querySelector('[name=all]').click()`)
		find(t, p, "error")
		until(t, p, `document.querySelector('.matches').textContent === '12,500 of 25,000 lines' && document.getElementById('L1').checkVisibility()`)
		p.clean(t)
	}
}
