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
		ground := `() => ['[data-help]', '[data-stamps]'].map((button) => getComputedStyle(document.querySelector(button)).backgroundColor)`
		usual := eval[[2]string](t, p, ground)
		assert.Equal(t, usual[0], usual[1], "times are hidden, as is usual here")
		assert.Equal(t, []bool{v.width > 640, true}, eval[[]bool](t, p, `() => [...document.querySelectorAll('.fold[data-step] a')].map((label) => {
			const range = document.createRange();
			range.selectNodeContents(label.parentElement.previousElementSibling);
			const [all, took, row] = [[...range.getClientRects()], label.getBoundingClientRect(), label.parentElement];
			const [words, sign] = [all.at(-1), row.getBoundingClientRect().top + parseFloat(getComputedStyle(row, '::before').top)];
			if (took.height < 24) throw new Error('no target');
			if (innerWidth <= 640 && (sign < all[0].top || sign > all[0].bottom)) throw new Error('the sign is not before the title');
			if (words.bottom > took.top + 2 && words.right > took.left) throw new Error('painted over each other');
			return words.bottom > took.top + 2;
		})`), v.width)
		require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("t")))
		until(t, p, `getComputedStyle(document.querySelector('#L5 > i')).display !== 'none' && getComputedStyle(document.querySelector('#L5 > i')).color === getComputedStyle(document.querySelector('#L2 > i')).color`)
		until(t, p, `new Set(['[data-help]', '[data-stamps]'].map((button) => getComputedStyle(document.querySelector(button)).backgroundColor)).size === 2`)
		find(t, p, "done")
		until(t, p, `document.querySelector('.matches').textContent === '60 of 67 lines' && !document.querySelector('.steps').checkVisibility()`)
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
		assert.Equal(t, v.width > 1000, eval[bool](t, p, `() => document.querySelector('.contents li:last-child a').checkVisibility({ contentVisibilityAuto: true })`), v.String())
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

// What changed within a line is set off from it, legibly, also where it has
// colours of its own. Times, which do not count, leave a comparison the width.
func TestChanged_asPainted(t *testing.T) {
	t.Parallel()
	s := newService(t)
	b := e2e.Open(t)
	diff := s.snippet(t, "--- a/kiln.go\n+++ b/kiln.go\n@@ -1 +1 @@\n-kiln.Heat(900)\n+kiln.Heat(1200)\n", share.SnippetOptions{Language: "diff"})
	first := s.log(t, "10:00:00 INFO up\n10:00:01 kiln \x1b[31mheats slowly\x1b[0m today\n", share.LogOptions{})
	second := s.log(t, "11:00:00 INFO up\n11:00:01 kiln \x1b[31mcools quickly\x1b[0m today\n", share.LogOptions{})
	for _, v := range []view{{width: 1440}, {width: 1440, dark: true}, {width: 1440, forced: true}, {width: 390, dark: true}} {
		p := newTab(t, b, s, v)
		for path, want := range map[string]string{diff: "900|1200", "/compare/" + strings.TrimPrefix(first, "/logs/") + "/" + strings.TrimPrefix(second, "/logs/"): "heats slowly|cools quickly"} {
			p.open(t, path)
			assert.Equal(t, want, eval[string](t, p, `() => [...document.querySelectorAll('mark')].map((mark) => mark.textContent).join('|')`), v.String())
			assert.True(t, eval[bool](t, p, `() => [...document.querySelectorAll('mark')].every((mark) => {
				const [ground, around] = [getComputedStyle(mark).backgroundColor, getComputedStyle(mark.closest('p, td')).backgroundColor];
				return ground !== 'rgba(0, 0, 0, 0)' && ground !== around;
			})`), v.String())
			assert.Empty(t, violations(t, p, axeSource(t)), v.String())
		}
		p.open(t, "/compare/"+strings.TrimPrefix(first, "/logs/")+"/"+strings.TrimPrefix(second, "/logs/"))
		assert.False(t, eval[bool](t, p, `() => document.querySelector('.diff .text > i').checkVisibility()`), v.String())
		p.clean(t)
	}
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
		assert.True(t, eval[bool](t, p, `() => document.querySelector('.tip').checkVisibility()`), "it is told that the picture can be typed in")
		p.clean(t)
	}
}

// What is wrong with a field is painted nearer to it than to the next one, and
// speaks the English of the page.
func TestFaults_standApart(t *testing.T) {
	t.Parallel()
	b, s := e2e.Open(t), newService(t)
	for _, path := range []string{"/slug?text=x&max=many", "/gradient?color=reddish&color=bluish&angle=north"} {
		for _, v := range []view{{width: 1440}, {width: 390}, {width: 320}} {
			p := newTab(t, b, s, v)
			p.open(t, path)
			assert.Empty(t, eval[[]string](t, p, `() => {
				const range = document.createRange();
				const words = (element) => { range.selectNodeContents(element); return range.getBoundingClientRect(); };
				return [...document.querySelectorAll('.wrong')].filter((wrong) => wrong.textContent).map((wrong) => {
					const box = words(wrong);
					const below = [...document.querySelectorAll('.field > span, input, select, legend')].map((next) => (next.matches('span, legend') ? words(next) : next.getBoundingClientRect()).top).filter((top) => top >= box.top);
					return [wrong.textContent, Math.min(...below) - box.bottom];
				}).filter(([text, room]) => room < 3 || text.includes('color')).map(String);
			}`), "%s at %s", path, v)
			p.clean(t)
		}
	}
}

// The studio ends with its foot: what is scrolled out of sight in the settings,
// also in an open gallery, makes the page no longer.
func TestStudio_endsWithItsFoot(t *testing.T) {
	t.Parallel()
	s := newService(t)
	p := newTab(t, e2e.Open(t), s, view{width: 1280})
	p.open(t, "/screenshot")
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS(".themes summary"))))
	until(t, p, `document.querySelector('.themes details').open`)
	assert.LessOrEqual(t, eval[float64](t, p, `() => document.documentElement.scrollHeight - scrollY - document.querySelector('.foot').getBoundingClientRect().bottom`), 2.0)
	p.clean(t)
}

// On a phone the size of the picture is under the picture, before the code.
func TestStudio_sizeOnAPhone(t *testing.T) {
	t.Parallel()
	s := newService(t)
	p := newTab(t, e2e.Open(t), s, view{width: 390})
	p.open(t, "/screenshot")
	until(t, p, `document.querySelector('[data-image]').getBoundingClientRect().height > 0`)
	picture, size, code := p.box(t, "[data-image]"), p.box(t, "[data-parameter=size]"), p.box(t, "#code")
	assert.GreaterOrEqual(t, size.Y, picture.Y+picture.Height)
	assert.GreaterOrEqual(t, code.Y, size.Y+size.Height)
	p.clean(t)
}

// A diff of several files says how many lines of all of them are new and gone,
// over the numbers of each.
func TestDiff_totals(t *testing.T) {
	t.Parallel()
	s := newService(t)
	p := newTab(t, e2e.Open(t), s, view{width: 1280})
	const file = "--- a/%[1]s\n+++ b/%[1]s\n@@ -1,2 +1,3 @@\n-a\n+b\n+c\n d\n"
	p.open(t, s.snippet(t, fmt.Sprintf(file, "kiln.go")+fmt.Sprintf(file, "clay.go"), share.SnippetOptions{Language: "diff"}))
	assert.Equal(t, "2 files +4 −2", eval[string](t, p, `() => document.querySelector('.files h2').innerText.replaceAll(/\s+/g, ' ')`))
	assert.Equal(t, []bool{true, true}, eval[[]bool](t, p, `() => ['.added', '.removed'].map((kind) => {
		const [sum, first] = document.querySelectorAll(`+"`.files ${kind}`"+`);
		return Math.abs(sum.getBoundingClientRect().right - first.getBoundingClientRect().right) < 1;
	})`))
	assert.Zero(t, eval[float64](t, p, `() => document.querySelector('.lines p').getBoundingClientRect().top - document.querySelector('.files').getBoundingClientRect().bottom`), "no strip between the files and their lines")
	p.clean(t)
}

// Lines of a comparison that wrap are as close as those of a log, and their
// numbers remain targets.
func TestCompare_wrappedLines(t *testing.T) {
	t.Parallel()
	s := newService(t)
	p := newTab(t, e2e.Open(t), s, view{width: 390})
	id := func(word string) string {
		return strings.TrimPrefix(s.log(t, "INFO start\nERROR "+word+strings.Repeat(" and more than a phone is wide", 4)+"\n", share.LogOptions{Title: strings.Repeat("A long title ", 9)}), "/logs/")
	}
	p.open(t, "/compare/"+id("one")+"/"+id("two"))
	assert.LessOrEqual(t, eval[float64](t, p, `() => parseFloat(getComputedStyle(document.querySelector('.diff .text')).lineHeight)`), 18.0)
	assert.GreaterOrEqual(t, p.box(t, ".diff .n a").Height, 24.0)
	left := p.box(t, ".facts .left")
	assert.LessOrEqual(t, left.X+left.Width, 390.0-16, "how long a log is there stays in sight beside a long title")
	p.clean(t)
}

// The fields of the start page look alike, and one character is one.
func TestStartPage_fields(t *testing.T) {
	t.Parallel()
	s := newService(t, public)
	p := newTab(t, e2e.Open(t), s, view{width: 1280})
	p.open(t, "/")
	assert.Len(t, eval[[]string](t, p, `() => [...new Set([...document.querySelectorAll('.how :is(input:not([type=checkbox]), select)')].map((field) => getComputedStyle(field).borderColor))]`), 1)
	require.NoError(t, chromedp.Do(p.Context, chromedp.SendKeys(chromedp.CSS("#share-text"), "x")))
	until(t, p, `document.querySelector('[data-count]').textContent === '1 character'`)
	p.clean(t)
}

// Every page leads to the form that shares; where there is no room the brand does.
func TestNavigation_share(t *testing.T) {
	t.Parallel()
	b, d := e2e.Open(t), newDesk(t)
	for _, width := range []int64{1280, 620, 580, 390, 360} {
		p := openDesk(t, b, d.URL, deskLook{name: "share", width: width})
		p.open(t, "/slug")
		assert.Equal(t, width != 580 && width != 360, deskCall[bool](t, p, `() => [...document.querySelectorAll('.site nav a')].find((link) => link.textContent === 'Share').checkVisibility()`), width)
		assert.LessOrEqual(t, deskCall[float64](t, p, `() => document.documentElement.scrollWidth`), float64(width), width)
	}
}

// A line of a diff has its numbers in both files, and a file one row: the others of
// its head are seen where a link leads to them.
func TestDiff_asPainted(t *testing.T) {
	t.Parallel()
	b, s := e2e.Open(t), newService(t)
	path := s.snippet(t, "diff --git a/old.go b/new.go\nindex 1..2 100644\n--- a/old.go\n+++ b/new.go\n@@ -98,3 +98,3 @@\n a\n-b\n+c\n d\n", share.SnippetOptions{Language: "diff"})
	for _, v := range []view{{width: 1280}, {width: 390, dark: true}} {
		p := newTab(t, b, s, v)
		p.open(t, path)
		until(t, p, `document.querySelector('.lines.patch') !== null`)
		height := func(line string) float64 { return p.box(t, line).Height }
		assert.InDelta(t, 38, height("#L1"), 2, "the bar of a file")
		assert.Zero(t, height("#L2")+height("#L3")+height("#L4"))
		assert.Equal(t, []string{"renamed   +1   −1 old.go → new.go", "98 98", "99 ", " 99", "100 100"}, eval[[]string](t, p, `() => [...document.querySelectorAll('#L1, #L5 ~ p')].map((row) => ['::before', '::after'].map((side) => getComputedStyle(row, side).content.replace(/^none$|"|^counter.*/g, '')).join(' ').trimStart().replace(/^(?=99$)/, row.id === 'L8' ? ' ' : '')).slice(0, 5)`))
		p.open(t, path+"#L3")
		assert.Greater(t, height("#L3"), 12.0)
		p.clean(t)
	}
}

// Who was asked whether to delete a share can keep it: two buttons side by side,
// apart and at one height.
func TestDelete_canBeLeft(t *testing.T) {
	t.Parallel()
	s := newService(t)
	p := newTab(t, e2e.Open(t), s, view{width: 390})
	path := s.log(t, "INFO kept\n", share.LogOptions{Owner: "public/e3b0c44298fc1c149afbf4c8996fb924"}) // of the empty token
	p.open(t, path+"/delete?token=")
	remove, keep := p.box(t, ".failure button"), p.box(t, ".failure a")
	assert.GreaterOrEqual(t, keep.X-remove.X-remove.Width, 8.0)
	assert.InDelta(t, remove.Y, keep.Y, 1)
	follow(t, p, ".failure a")
	p.shows(t, "INFO kept")
	p.clean(t)
}

// A diff looks the same to whoever reads it open, encrypted or once: its files,
// tints, heads and changed words.
func TestDiff_private(t *testing.T) {
	t.Parallel()
	s := newService(t, public)
	p := newTab(t, e2e.Open(t), s, view{width: 1280})
	const file = "diff --git a/%[1]s b/%[1]s\nindex 1..2 100644\n--- a/%[1]s\n+++ b/%[1]s\n@@ -1,3 +1,3 @@ func kiln() {\n a\n-heats the kiln slowly\n+heats the oven slowly\n-b\n+zzzz\n"
	code := fmt.Sprintf(file, "kiln.go") + fmt.Sprintf(file, "clay.go")
	look := func() (seen string) {
		until(t, p, `document.querySelector('.lines.patch') !== null`)
		return eval[string](t, p, `() => [document.querySelector('.files').innerText.replaceAll(/\s+/g, ' '), [...document.querySelectorAll('.files a')].map((link) => /\d+$/.exec(link.hash)[0]), ...[...document.querySelectorAll('.lines p')].map((row) => {
			const { backgroundColor, height } = getComputedStyle(row);
			return [row.id, row.dataset.a, row.dataset.b, row.dataset.title, row.querySelector('mark')?.textContent, backgroundColor, height].join(' ');
		})].join('\n')`)
	}
	p.open(t, s.snippet(t, code, share.SnippetOptions{Language: "diff"}))
	want := look()
	assert.Contains(t, want, "2 files +4 −4 kiln.go +2 −2 clay.go +2 −2\n1,11\n")
	assert.Contains(t, want, "oven")
	p.open(t, s.snippet(t, code, share.SnippetOptions{Language: "diff", Burn: true}))
	follow(t, p, "[data-read] button")
	assert.Equal(t, want, look(), "read once")
	p.open(t, "/")
	require.NoError(t, chromedp.Do(p.Context, chromedp.SetValue(chromedp.CSS("#share-text"), strings.TrimSuffix(code, "\n")), chromedp.SetValue(chromedp.CSS("[data-protection]"), "encrypt")))
	follow(t, p, ".sharing .first")
	assert.Equal(t, want, look(), "encrypted, and recognized as a diff")
	assert.Empty(t, violations(t, p, axeSource(t)))
	p.clean(t)
}
