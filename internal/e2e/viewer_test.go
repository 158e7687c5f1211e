package e2e_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
)

// A filter without hits shows that where the lines would be, with a way back.
func TestFilter_withoutHits(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	path := s.log(t, levelledLog(3_000), share.LogOptions{})
	for _, v := range everyLook {
		t.Run(v.String(), func(t *testing.T) {
			p := newTab(t, b, s, v)
			p.open(t, path)
			reveal(t, p, 1_500)
			find(t, p, "no such line")
			until(t, p, `document.querySelector('.none').checkVisibility()`)
			assert.True(t, eval[bool](t, p, `() => {
				const box = document.querySelector('.none a').getBoundingClientRect();
				const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
				return at?.textContent === 'Clear filter' && box.bottom < innerHeight * 0.8;
			}`), "the button is in sight and can be clicked")
			_ = eval[any](t, p, `() => document.querySelector('.none a').click()`)
			until(t, p, `!document.querySelector('.none').checkVisibility() && document.querySelector('[name=q]').value === '' && document.querySelector('.matches').textContent === ''`)
			p.clean(t)
		})
	}
}

// painted reports whether text is painted at the position of a line.
func painted(t *testing.T, p *tab, line string) bool {
	t.Helper()
	box := eval[[4]float64](t, p, `(id) => {
		const box = document.getElementById(id).getBoundingClientRect();
		return [box.left, box.top, box.right, box.bottom].map((side) => side * devicePixelRatio);
	}`, line)
	picture, err := chromedp.Run(p.Context, chromedp.CaptureScreenshot())
	require.NoError(t, err)
	img, err := png.Decode(bytes.NewReader(picture))
	require.NoError(t, err)
	row := image.Rect(int(box[0]), int(box[1]), int(box[2]), int(box[3])).Intersect(img.Bounds())
	ground := img.At(row.Max.X-1, row.Min.Y)
	ink := 0
	for y := row.Min.Y; y < row.Max.Y; y++ {
		for x := row.Min.X; x < row.Max.X; x++ {
			if img.At(x, y) != ground {
				ink++
			}
		}
	}
	return ink > 50
}

// A link to a line shows it below the sticky header.
func TestAnchors_areNotUnderTheHeader(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	log := s.log(t, levelledLog(3_000), share.LogOptions{Title: "Payment timeouts after the deploy"})
	code := s.snippet(t, strings.Repeat("x = 1\n", 600), share.SnippetOptions{Language: "python"})
	for _, path := range []string{log, code} {
		for _, v := range []view{{width: 1440}, {width: 390}, {width: 1440, zoomed: true}, {width: 390, noScripts: true}, {width: 1440, noScripts: true}, {width: 844, height: 390}} {
			t.Run(path[:5]+" "+v.String(), func(t *testing.T) {
				p := newTab(t, b, s, v)
				p.navigate(t, path+"#L300")
				until(t, p, `(() => {
					const box = document.getElementById('L300').getBoundingClientRect();
					return box.top > 0 && box.bottom < innerHeight && document.elementFromPoint(innerWidth / 2, box.top + 2)?.id === 'L300';
				})()`)
				require.Eventually(t, func() bool { return painted(t, p, "L300") }, time.Minute, 50*time.Millisecond, "it is painted")
				p.clean(t)
			})
		}
	}
}

// Nothing is sticky in a low window.
func TestHeader_lowWindow(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	path := s.log(t, levelledLog(500), share.LogOptions{})
	for _, c := range []struct {
		view
		sticks bool
	}{{view{width: 1440}, true}, {view{width: 390, height: 844}, true}, {view{width: 1440, zoomed: true}, false}, {view{width: 844, height: 390}, false}} {
		p := newTab(t, b, s, c.view)
		p.open(t, path)
		reveal(t, p, 300)
		assert.Equal(t, c.sticks, eval[bool](t, p, `() => document.querySelector('.search').getBoundingClientRect().bottom > 0`), c.String())
		if c.sticks {
			assert.Less(t, eval[float64](t, p, `() => document.querySelector('.tools').getBoundingClientRect().bottom / innerHeight`), 0.25, "the header leaves room")
		}
	}
}

// In windows of any width, all tools of a log are visible and usable and
// nothing overlaps.
func TestTools_ofEveryWidth(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	var lines strings.Builder
	for i := range 2_000 {
		fmt.Fprintf(&lines, "{\"level\":%q,\"msg\":\"connection %d refused\"}\n", []string{"fatal", "error", "warn", "info", "debug"}[i%5], i)
	}
	path := s.log(t, lines.String()+"and a line\n", share.LogOptions{Title: "nightly build of the main branch"}) + "?q=refused&level=e,w"
	for _, width := range []int64{1920, 1440, 1280, 1100, 1024, 900, 768, 390} {
		p := newTab(t, b, s, view{width: width})
		p.open(t, path)
		assert.Greater(t, eval[float64](t, p, `() => document.querySelector('[name=q]').clientWidth`), 130.0, width)
		assert.Empty(t, eval[[]string](t, p, `() => {
			const all = [...document.querySelectorAll('.tools :is(.chips, .search, .switch, .matches, .moves .button, .moves > button)')].filter((e) => e.checkVisibility());
			const boxes = all.map((e) => [e.className || e.title, e.getBoundingClientRect()]);
			return boxes.flatMap(([a, one], i) => boxes.slice(i + 1)
				.filter(([, other]) => one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1)
				.map(([b]) => a + ' over ' + b));
		}`), width)
		if width > 640 {
			assert.True(t, eval[bool](t, p, `() => { const title = document.querySelector('h1'); return title.scrollWidth <= title.clientWidth; }`), "the title is whole at %d", width)
		}
	}
}

// In windows of any width, everything in the header of a share is visible and
// clickable, in one row if there is room.
func TestHeader_ofEveryWidth(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t, func(o *web.Options) { o.Sharing.Public = true })
	paths := []string{
		s.log(t, sampleLog, share.LogOptions{Title: "nightly build of the main branch"}),
		s.snippet(t, sampleCode, share.SnippetOptions{Title: "main.go of the command", Language: "go"}),
		s.snippet(t, sampleMarkdown, share.SnippetOptions{Title: "README.md", Language: "markdown"}),
	}
	for _, width := range []int64{1440, 1024, 768, 390, 195} {
		p := newTab(t, b, s, view{width: width})
		for _, path := range paths {
			p.open(t, path)
			assert.Empty(t, eval[[]string](t, p, `() => [...document.querySelectorAll('.share :is(a, button, summary, .switch)')].filter((e) => e.checkVisibility()).filter((e) => {
				const box = e.getBoundingClientRect();
				return !e.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)) || box.left < 0 || box.right > innerWidth;
			}).map((e) => e.title || e.textContent)`), "%s at %d", path, width)
			if width >= 1024 && strings.HasPrefix(path, "/snippets/") {
				assert.True(t, eval[bool](t, p, `() => [...document.querySelectorAll('.moves, .actions')].every((part) => {
					const box = part.getBoundingClientRect(), title = document.querySelector('.what').getBoundingClientRect();
					return box.top < title.bottom && box.bottom > title.top;
				})`), "%s at %d", path, width)
			}
		}
	}
}

// Copying yields the shown lines as shared.
func TestCopy_ofWhatIsShown(t *testing.T) {
	t.Parallel()
	b := e2e.OpenWindow(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	p.allow(t)
	p.open(t, s.log(t, "INFO a\r\nERROR \x1b[31mb\x1b[0m\r\n\tat c\r\nINFO d\r\nERROR e", share.LogOptions{}))
	tick(t, p, "show-e")
	until(t, p, `document.querySelector('.matches').textContent === '3 of 5 lines'`)
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[data-copy]"))))
	until(t, p, `document.querySelector('[data-copy]').textContent === 'Copied'`)
	assert.Equal(t, "ERROR b\n\tat c\nERROR e", eval[string](t, p, `() => navigator.clipboard.readText()`))
	p.clean(t)
}

// at returns the colour painted at the right end of a line.
func at(t *testing.T, p *tab, line int) color.RGBA {
	t.Helper()
	spot := eval[[]float64](t, p, `(n) => { const box = document.getElementById('L' + n).getBoundingClientRect(); return [box.right - 4, box.top + box.height / 2]; }`, line)
	width, height := eval[float64](t, p, `() => innerWidth`), eval[float64](t, p, `() => innerHeight`)
	img, err := p.Screenshot(int(width), int(height))
	require.NoError(t, err)
	r, g, bl, _ := img.At(int(spot[0]), int(spot[1])).RGBA()
	return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(bl >> 8), 255}
}

// A selection and each level have distinct backgrounds.
func TestGrounds_asPainted(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	path := s.log(t, "INFO a\nWARN b\nERROR c\nINFO d\nERROR e\n", share.LogOptions{})
	for v, want := range map[view][3]color.RGBA{
		{width: 1440}:             {{0xfb, 0xf3, 0xdf, 255}, {0xfd, 0xec, 0xeb, 255}, {0xff, 0xf4, 0xc2, 255}},
		{width: 1440, dark: true}: {{0x33, 0x29, 0x0f, 255}, {0x3d, 0x1d, 0x1b, 255}, {0x3a, 0x32, 0x12, 255}},
	} {
		p := newTab(t, b, s, v)
		p.open(t, path+"#L5")
		until(t, p, `document.querySelectorAll('[data-on]').length === 1`)
		require.Eventually(t, func() bool { return want == [3]color.RGBA{at(t, p, 2), at(t, p, 3), at(t, p, 5)} }, time.Minute, 50*time.Millisecond, v.String())
	}
	p := newTab(t, b, s, view{width: 1440, forced: true})
	p.open(t, path+"#L4")
	until(t, p, `document.querySelectorAll('[data-on]').length === 1`)
	require.Eventually(t, func() bool { return at(t, p, 1) != at(t, p, 4) }, time.Minute, 50*time.Millisecond, "in forced colours a selection can be seen")
}

// On a phone the brand and navigation form one row, and marking the current
// page does not move any link.
func TestNavigation_isOneRow(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	const places = `() => [...document.querySelectorAll('.site a')].map((a) => { const box = a.getBoundingClientRect(); return [Math.round(box.left), Math.round(box.right), Math.round(box.top)]; })`
	for _, width := range []int64{1440, 390, 360, 320} {
		var first [][]float64
		for _, path := range []string{"/", "/slug", "/gradient"} {
			p := newTab(t, b, s, view{width: width})
			p.open(t, path)
			until(t, p, `document.fonts.status === 'loaded'`)
			now := eval[[][]float64](t, p, places)
			if first == nil {
				first = now
			}
			assert.Equal(t, first, now, "%s at %d", path, width)
			if width < 480 {
				assert.LessOrEqual(t, eval[float64](t, p, `() => document.querySelector('.site').offsetHeight`), 48.0)
				last := now[len(now)-1]
				assert.LessOrEqual(t, last[1], float64(width), "the last link is in sight")
			}
		}
	}
}

// With the dashboard there are five links, and the last is visible at every
// width.
func TestNavigation_fiveLinks(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	d := newDesk(t)
	for _, width := range []int64{1440, 768, 560, 520, 481, 480, 390, 320} {
		p := openDesk(t, b, d.URL, deskLook{name: "navigation", width: width})
		p.open(t, "/slug")
		assert.LessOrEqual(t, deskCall[float64](t, p, `() => document.querySelector('.site nav a:last-child').getBoundingClientRect().right`), float64(width), width)
	}
}

// traffic sums the transfers of a page.
type traffic struct {
	mu    sync.Mutex
	bytes float64
	fonts []string
}

func (c *traffic) note(event any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch e := event.(type) {
	case *network.EventLoadingFinished:
		c.bytes += e.EncodedDataLength
	case *network.EventRequestWillBeSent:
		if strings.HasSuffix(e.Request.URL, ".woff2") {
			c.fonts = append(c.fonts, e.Request.URL[strings.LastIndexByte(e.Request.URL, '/')+1:])
		}
	}
}

// ciLog has the signs, the weights and the colours that test runners write.
const ciLog = "2026-01-02T03:04:05.0000000Z ##[group]Run npm test\n \x1b[32m✓\x1b[39m cart.test.ts\n \x1b[31m❯\x1b[39m kiln.test.ts (1 test | 1 failed)\n   \x1b[31m×\x1b[39m kiln > heats\n" +
	"\x1b[31m⎯⎯⎯\x1b[1m Failed Tests 1 \x1b[22m⎯⎯⎯\x1b[39m\n \x1b[1m FAIL \x1b[22m kiln.test.ts > kiln > heats\nAssertionError: expected 20 to be 900\n└── done ●\n"

// A first visit to a page transfers at most 100 KB, including fonts.
func TestPages_coldTransfer(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	pages := samplePages(t, s)
	pages["log-ci"] = s.log(t, ciLog, share.LogOptions{})
	for name, path := range pages {
		if name == "log-plain" || name == "log-long" || name == "log-parts" {
			continue // their content is large
		}
		t.Run(name, func(t *testing.T) {
			p := newTab(t, b, s, view{width: 1440})
			c := &traffic{}
			require.NoError(t, chromedp.Listen(p.Context, c.note))
			_, err := chromedp.Call(p.Context, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
			require.NoError(t, err)
			p.open(t, path)
			until(t, p, `document.readyState === 'complete' && document.fonts.status === 'loaded'`)
			c.mu.Lock()
			defer c.mu.Unlock()
			t.Logf("%-15s %6.0f bytes, fonts %v", name, c.bytes, c.fonts)
			assert.LessOrEqual(t, c.bytes, 100_000.0)
			assert.Contains(t, fmt.Sprint(c.fonts), "sans.woff2")
		})
	}
}

// visibleLines returns the numbers of the visible lines.
func visibleLines(t *testing.T, p *tab) string {
	t.Helper()
	return eval[string](t, p, `() => [...document.querySelectorAll('.lines p[id]')].filter((l) => l.checkVisibility()).map((l) => l.id.slice(1)).join(' ')`)
}

// A search highlights its matches and nothing else.
func TestSearch_setsOffWhatWasFound(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	path := s.log(t, "INFO disk is full\nINFO nothing\nERROR Disk failed: disk\n", share.LogOptions{})
	for _, v := range []view{{width: 1440}, {width: 390, dark: true}} {
		t.Run(v.String(), func(t *testing.T) {
			p := newTab(t, b, s, v)
			p.open(t, path)
			amber := func(line string) int { return colors(p.painted(t, "#"+line))[[3]uint8{0xff, 0xd4, 0x79}] }
			require.Zero(t, amber("L1"))
			_ = eval[any](t, p, `() => document.querySelector('[name=all]').click()`)
			find(t, p, "disk")
			until(t, p, `document.querySelector('.matches').textContent === '2 of 3 lines'`)
			set := func(line string, least int) { // it is painted a frame later
				require.Eventually(t, func() bool { return amber(line) > least }, time.Minute, 50*time.Millisecond, line)
			}
			set("L1", 100)
			once := amber("L1")
			set("L3", once*3/2) // twice
			assert.Zero(t, amber("L2"))
			find(t, p, " -full")
			until(t, p, `document.querySelector('.matches').textContent === '1 of 3 lines'`)
			set("L3", once*3/2)
			assert.Zero(t, amber("L1"))
			p.clean(t)
		})
	}
}

// A query selects the same lines when evaluated by the server without scripts,
// by the script, or by the server for the script.
func TestSearch_grammar(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	path := s.log(t, "INFO disk is full\nERROR Disk failed: /dev/sda1\n\x1b[31mWARN\x1b[0m is the disk full?\nINFO timed out\nDEBUG timeout of 20 ms\nother -x \"quoted\" <b>\n", share.LogOptions{})
	bare, p := newTab(t, b, s, view{width: 1440, noScripts: true}), newTab(t, b, s, view{width: 1440})
	for query, want := range map[string]string{
		"":                         "1 2 3 4 5 6",
		"disk":                     "1 2 3",
		"disk full":                "1 3",
		`"disk is full"`:           "1",
		"disk -full":               "2",
		"-disk":                    "4 5 6",
		"/time(d out|out)/":        "4 5",
		"/^warn is/i":              "3",
		"/Disk/":                   "2",
		"/full$/ -warn":            "1",
		"-/disk/i out":             "4 5",
		"/dev/sda1":                "2",
		`/\d{2} ms/`:               "5",
		`"unclosed disk`:           "",
		"<b>":                      "6",
		"- disk":                   "",
		`/[/`:                      "1 2 3 4 5 6",
		"no such thing in the log": "",
	} {
		t.Run(query, func(t *testing.T) {
			address := path + "?" + url.Values{"q": {query}}.Encode()
			bare.open(t, address)
			assert.Equal(t, want, visibleLines(t, bare), "without scripts")
			p.open(t, address)
			settled := fmt.Sprintf(`[...document.querySelectorAll('.lines p[id]')].filter((l) => l.checkVisibility()).map((l) => l.id.slice(1)).join(' ') === %q`, want)
			until(t, p, settled)
			p.open(t, path)
			find(t, p, query)
			until(t, p, settled)
			if query != "" {
				until(t, p, fmt.Sprintf(`new URLSearchParams(location.search).get('q') === %q`, query))
			}
		})
	}
	for _, v := range []view{{width: 1440}, {width: 390, noScripts: true}} {
		p := newTab(t, b, s, v)
		p.open(t, path+"?q="+url.QueryEscape("/[/"))
		until(t, p, `document.querySelector('.matches').checkVisibility() && document.querySelector('.matches').textContent === 'The search cannot be read: missing closing ]: [.'`)
	}
}

// Times are shown as they are written, from the first one on, or not at all.
func TestKeys_times(t *testing.T) {
	t.Parallel()
	s := newService(t)
	p := newTab(t, e2e.Open(t), s, view{width: 1440})
	p.open(t, s.log(t, "10:00:01,500 INFO a\n10:01:03,000 INFO b\n", share.LogOptions{}))
	for _, want := range []string{
		`document.querySelector('#L2 i').dataset.after.trim() === '+61.500'`,
		`getComputedStyle(document.querySelector('#L2 i')).display === 'none'`,
		`getComputedStyle(document.querySelector('#L2 i')).fontSize === '13px' && !document.querySelector('.lines').dataset.times`,
	} {
		require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("t")))
		until(t, p, want)
	}
	p.clean(t)
}

// Keys navigate a log, and the help sheet lists them.
func TestKeys_ofALog(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	p.open(t, s.log(t, levelledLog(300), share.LogOptions{}))
	press := func(keys, want string) {
		t.Helper()
		require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent(keys)))
		until(t, p, want)
	}
	slash := func() {
		t.Helper()
		for _, kind := range []input.DispatchKeyEventType{"keyDown", "keyUp"} { // as one event, whose text the page can receive
			_, err := chromedp.Call(p.Context, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: "/", Text: "/"})
			require.NoError(t, err)
		}
		until(t, p, `document.activeElement.name === 'q' && document.activeElement.value === ''`)
	}
	press("e", `location.hash === '#L3'`)
	press("e", `location.hash === '#L8'`)
	press("E", `location.hash === '#L3'`)
	press("?", `document.querySelector('dialog').open`)
	assert.Empty(t, violationsIfAny(t, p))
	press(kb.Escape, `!document.querySelector('dialog').open && document.activeElement === document.body`) // the focus leaves a frame later
	press("w", `document.querySelector('.lines').hasAttribute('data-unwrapped')`)
	press("w", `!document.querySelector('.lines').hasAttribute('data-unwrapped')`)
	slash()
	press("line 29", `document.querySelector('.matches').textContent === '13 of 300 lines'`)
	press(kb.Escape+kb.Escape, `document.activeElement.name !== 'q' && document.querySelector('.matches').textContent === ''`)
	slash()
	press(`"line 29"`, `document.querySelector('.matches').textContent === '11 of 300 lines'`)
	press(kb.Enter, `location.hash === '#L29'`)
	_ = eval[any](t, p, `() => document.activeElement.blur()`)
	press("n", `location.hash === '#L290'`)
	press("N", `location.hash === '#L29'`)
	tickAll := `() => document.querySelector('[name=all]').click()`
	_ = eval[any](t, p, tickAll)
	until(t, p, `document.querySelectorAll('[data-hit]').length === 11 && document.getElementById('L100').checkVisibility() && location.search.includes('all=1')`)
	p.clean(t)
}

// Selecting a range of lines shows a bar to copy them, copy the link or make a
// picture.
func TestRange_bar(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	for path, want := range map[string]string{
		s.log(t, levelledLog(30), share.LogOptions{Title: "A log"}):                                        "ERROR line 3\nWARN line 4",
		s.snippet(t, "a = 1\nb = 2\nc = 3\nd = 4\n", share.SnippetOptions{Language: "python", Title: "x"}): "c = 3\nd = 4",
	} {
		for _, v := range []view{{width: 1440}, {width: 390}} {
			p := newTab(t, b, s, v)
			p.allow(t)
			p.open(t, path+"#L3")
			until(t, p, `document.querySelectorAll('[data-on]').length === 1`)
			assert.False(t, eval[bool](t, p, `() => document.querySelector('.picked').checkVisibility()`), "one line needs none")
			_ = eval[any](t, p, `() => { location.hash = '#L3-L4'; }`)
			until(t, p, `document.querySelector('.picked').checkVisibility() && document.querySelector('.picked').textContent.startsWith('Lines 3–4')`)
			box := eval[[]float64](t, p, `() => { const b = document.querySelector('.picked').getBoundingClientRect(); return [b.left, innerWidth - b.right, innerHeight - b.bottom]; }`)
			for _, space := range box {
				assert.GreaterOrEqual(t, space, 0.0, "it is in sight")
			}
			_ = eval[any](t, p, `() => document.querySelector('.picked button').click()`)
			until(t, p, `document.querySelector('.picked button').textContent === 'Copied'`)
			assert.Equal(t, want, eval[string](t, p, `() => navigator.clipboard.readText()`))
			_ = eval[any](t, p, `() => { dispatchEvent(new Event('wheel')); scrollTo(0, 0); }`) // what is scrolled half below the header is no small target
			assert.Empty(t, violationsIfAny(t, p))
			_ = eval[any](t, p, `() => document.querySelectorAll('.picked button')[2].click()`)
			require.Eventually(t, func() bool { // no page to query while it loads
				code, err := e2e.Call[string](p.Browser, `() => location.pathname === '/screenshot' ? document.querySelector('[name=code]')?.value : ''`)
				return err == nil && code == want
			}, time.Minute, 20*time.Millisecond)
			p.clean(t)
		}
	}
}

// Without Shift, two presses select a range. The buttons of the bar can be
// pressed.
func TestRange_byPresses(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 390, height: 844})
	p.open(t, s.log(t, levelledLog(30), share.LogOptions{}))
	press := func(line int) {
		spot := eval[[]float64](t, p, `(n) => { const box = document.getElementById('L' + n).getBoundingClientRect(); return [box.left + 8, box.top + 6]; }`, line)
		require.NoError(t, chromedp.Do(p.Context, chromedp.MouseClickXY(spot[0], spot[1])))
	}
	inSight := func() []string {
		return eval[[]string](t, p, `() => [...document.querySelectorAll('.picked button')].filter((e) => {
			const box = e.getBoundingClientRect();
			return document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) === e && box.left >= 0 && box.right <= innerWidth;
		}).map((e) => e.textContent)`)
	}
	until(t, p, `document.querySelector('.lines[data-anchors]')`)
	press(3)
	until(t, p, `document.querySelector('.picked').checkVisibility() && document.querySelector('.picked').textContent.startsWith('Line 3')`)
	assert.Equal(t, []string{"Copy text", "Copy link", "Select to…", "×"}, inSight())
	_ = eval[any](t, p, `() => document.querySelectorAll('.picked button')[3].click()`)
	press(5)
	until(t, p, `location.hash === '#L3-L5' && document.querySelectorAll('[data-on]').length === 3`)
	assert.Equal(t, []string{"Copy text", "Copy link", "Screenshot", "×"}, inSight())
	press(7)
	until(t, p, `location.hash === '#L7' && document.querySelectorAll('[data-on]').length === 1`)
	_ = eval[any](t, p, `() => document.querySelectorAll('.picked button')[4].click()`)
	until(t, p, `location.hash === '' && !document.querySelector('.picked').checkVisibility()`)
	p.clean(t)
}

// worked returns the CPU time of a page's main thread so far, in milliseconds.
// It is independent of the load of the machine.
func worked(tb testing.TB, p *tab) float64 {
	tb.Helper()
	_, err := chromedp.Call(p.Context, performance.Enable, performance.EnableParams{TimeDomain: "threadTicks"})
	require.NoError(tb, err)
	metrics, err := chromedp.Call(p.Context, performance.GetMetrics, cdp.Empty{})
	require.NoError(tb, err)
	for _, m := range metrics.Metrics {
		if m.Name == "TaskDuration" {
			return m.Value * 1000
		}
	}
	require.Fail(tb, "no TaskDuration")
	return 0
}

// BenchmarkFilter filters a log of 25,000 lines by level and by words that
// every second, hundredth and thousandth line has. It measures the time from
// the input to the first frame.
func BenchmarkFilter(bench *testing.B) {
	b := e2e.Launch(bench)
	s := newService(bench)
	var log strings.Builder
	for i := range 25_000 {
		fmt.Fprintf(&log, "%s 0123 %d\n", [...]string{"INFO ", "ERROR"}[i%2], i)
	}
	path := s.log(bench, log.String(), share.LogOptions{})
	for name, choose := range map[string]string{
		"level":           `document.getElementById('show-e').click()`,
		"every second":    `type('error')`,
		"every hundredth": `type('99')`,
		"few":             `type('2499')`,
		"back to all":     `type('')`,
	} {
		bench.Run(name, func(bench *testing.B) {
			var all, work float64
			for bench.Loop() {
				p := newTab(bench, b, s, view{width: 1440})
				p.open(bench, path)
				before := worked(bench, p)
				all += eval[float64](bench, p, `async () => {
					const form = document.querySelector('.tools');
					const type = (text) => { form.elements.q.value = text; form.dispatchEvent(new Event('submit', { cancelable: true })); };
					const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
					const applied = async (choose) => {
						const matches = document.querySelector('.matches');
						const before = matches.textContent;
						choose();
						while (matches.textContent === before) await new Promise((done) => setTimeout(done));
						await painted();
					};
					if ('`+name+`' === 'back to all') await applied(() => type('error'));
					const start = performance.now();
					await applied(() => { `+choose+`; });
					return performance.now() - start;
				}`)
				work += worked(bench, p) - before
				require.NoError(bench, chromedp.Cancel(p.Context))
			}
			bench.ReportMetric(all/float64(bench.N), "ms/filter")
			bench.ReportMetric(work/float64(bench.N), "ms-processor/filter")
		})
	}
}

// On a phone a word that fits on no line begins where its line does, in logs
// and code, and is broken; in a wide window it stays whole.
func TestListing_longWords(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	frame := "\tat com.example.payment.gateway.client.PaymentGatewayClient.charge(PaymentGatewayClient.java:87)\n"
	for path, begin := range map[string]int{
		s.log(t, "10:00:00 ERROR it broke\n"+frame, share.LogOptions{}):                                             4,
		s.snippet(t, "x = 1\n    return '"+strings.Repeat("x", 80)+"'\n", share.SnippetOptions{Language: "python"}): 11,
	} {
		for width, rows := range map[int64]float64{390: 3, 1440: 1} {
			p := newTab(t, b, s, view{width: width})
			p.open(t, path)
			reveal(t, p, 2)
			got := eval[[2]float64](t, p, `(begin) => {
				const line = document.getElementById('L2');
				const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
				let text = texts.nextNode();
				for (; begin >= text.length; text = texts.nextNode()) begin -= text.length;
				const letter = document.createRange();
				letter.setStart(text, begin);
				letter.setEnd(text, begin + 1);
				return [letter.getBoundingClientRect().top - line.getBoundingClientRect().top, line.getBoundingClientRect().height];
			}`, begin)
			assert.Less(t, got[0], 19.0, "%d: %s", width, path)
			assert.InDelta(t, 19*rows, got[1], 1, "%d: %s", width, path)
			p.clean(t)
		}
	}
}
