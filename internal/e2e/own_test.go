package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
)

// What is pasted is named at once, with its lines beside it, and nothing of it
// is sent.
func TestStartPage_namesWhatIsPasted(t *testing.T) {
	t.Parallel()
	s := newService(t, public)
	p := newTab(t, e2e.Open(t), s, view{width: 1440})
	p.open(t, "/")
	_ = eval[any](t, p, `() => { window.sent = 0; window.fetch = () => { window.sent++; }; }`)
	for text, want := range map[string]string{
		strings.Repeat("2026-11-20 10:00:00 INFO up\n", 30) + "2026-11-20 10:00:01 ERROR disk is full\n":                 "Log, 31 lines, 1 error 29 30 31",
		"export interface Kiln { degrees: number }\n\nexport const fire = (kiln: Kiln): void => {\n  kiln.heat();\n};\n": "TypeScript, 5 lines 1 2 3 4 5",
		sampleCode: "Go, 8 lines 1 2 3 4 5 6 7 8",
		"def fire(kiln):\n    for i in range(3):\n        pass\n": "Python, 3 lines 1 2 3",
		"hello there\n": "Text, 1 line 1",
		"--- a/kiln.ts\n+++ b/kiln.ts\n@@ -1 +1 @@\n-const heat = 1;\n+export const heat: number = 2;\n": "Diff, 5 lines 1 2 3 4 5",
		"\x1b[32mINFO\x1b[0m up\n\x1b[1m\x1b[31merror\x1b[39m: disk is full\n":                           "Log, 2 lines, 1 error 1 2",
		`{"a": [1, 2]}`: "JSON, 1 line 1",
		"def test_total():\n>       assert total([200]) == 500\nE       assert 200 == 500\n\ntest_shop.py:4: AssertionError\nFAILED test_shop.py::test_total - assert 200 == 500\n": "Log, 6 lines. Failed: 1 2 3 4 5 6",
		"FAIL example.com/kiln 0.1s\nFAIL\n": "Log, 2 lines. The link says what failed. 1 2",
	} {
		_ = eval[any](t, p, `(text) => {
			const box = document.querySelector('[data-text]');
			box.value = text;
			box.dispatchEvent(new Event('input'));
		}`, text)
		until(t, p, fmt.Sprintf(`document.querySelector('[data-name]').textContent === %q`, strings.TrimRight(want, " 0123456789")))
		assert.Equal(t, want, eval[string](t, p, `() => [document.querySelector('[data-name]').innerText, ...[...document.querySelectorAll('[data-lines] p')].map((line) => line.dataset.n)].join(' ')`))
		assert.NotContains(t, eval[string](t, p, `() => document.querySelector('[data-lines]').textContent`), "\x1b")
	}
	assert.Zero(t, eval[int](t, p, `() => window.sent`))
	p.paint(t, "start-recognized")
	p.clean(t)
}

// A failed log that is pasted has a card: who failed, and why.
func TestStartPage_card(t *testing.T) {
	t.Parallel()
	s := newService(t, public)
	p := newTab(t, e2e.Open(t), s, view{width: 1440})
	p.open(t, "/")
	for text, want := range map[string]string{
		"=== RUN   TestFire\n    fire_test.go:4: \n        \tError Trace:\tfire_test.go:4\n        \tError:      \tNot equal: \n        \t            \texpected: 900\n        \t            \tactual  : 20\n--- FAIL: TestFire (0.00s)\nFAIL\n": "TestFire|900|20",
		"2026-11-27T09:14:03.2000000Z ##[group]Run npm test\n2026-11-27T09:14:03.3000000Z  FAIL  kiln.test.ts > kiln > heats\n2026-11-27T09:14:03.4000000Z AssertionError: expected 20 to be 900\n":                                              "kiln.test.ts > kiln > heats|900|20",
		" × a.test.ts > kiln > cools 5008ms\n ✓ a.test.ts > kiln > warms 3ms\n FAIL  b.test.ts > kiln > heats\nAssertionError: expected 20 to be 900 // Object.is equality\n FAIL  a.test.ts > kiln > cools\nError: Test timed out in 5000ms.\n": "b.test.ts > kiln > heats|900|20",
		"npm error Missing script: \"fire\"\n": "npm error Missing script: \"fire\"",
		"10:00:00 ERROR disk is full\n":        "",

		// The first failure is that whose reason stands first, as on the page of the log.
		" × a.test.ts > cools 5008ms\n\n FAIL  b.test.ts > heats\nAssertionError: expected 2184 to be 2079\n\n- Expected\n+ Received\n\n- 2079\n+ 2184\n\n FAIL  a.test.ts > cools\nError: Test timed out in 5000ms.\n": "b.test.ts > heats|2079|2184",

		// A name never has the reason of another failure.
		"=== RUN   TestHeat\n=== RUN   TestHeat/fast\n    heat_test.go:48: Heat(30) = 1799, want 1800\n=== RUN   TestHeat/slow\n--- FAIL: TestHeat (0.01s)\n    --- FAIL: TestHeat/fast (0.00s)\n    --- PASS: TestHeat/slow (0.00s)\n" +
			"=== RUN   TestCool\n--- FAIL: TestCool (0.00s)\npanic: runtime error: invalid memory address\n": "TestHeat/fast|1800|1799",
		"test tests::parses ... FAILED\ntest tests::question ... FAILED\n\nfailures:\n\n---- tests::parses stdout ----\n\nthread 'tests::parses' (7) panicked at src/lib.rs:19:19:\nassertion `left == right` failed\n  left: 1\n right: 2\n\n" +
			"---- tests::question stdout ----\nError: \"no eccentricity\"\n": "tests::parses|2|1",
		"test tests::panics - should panic ... FAILED\ntest tests::question ... FAILED\n\nfailures:\n\n---- tests::panics stdout ----\n---- tests::question stdout ----\nError: \"no eccentricity\"\n": "tests::question|Error: \"no eccentricity\"",
		"[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0 <<< FAILURE! - in shop.TillTest\n[ERROR] refund(shop.TillTest)  Time elapsed: 0.076 s  <<< ERROR!\njava.lang.IllegalArgumentException: negative amount: -5\n\tat shop.TillTest.refund(TillTest.java:6)\n\n" +
			"[ERROR] sums(shop.TillTest)  Time elapsed: 0.001 s  <<< FAILURE!\njava.lang.AssertionError: sum in cents expected:<8> but was:<7>\n": "refund|java.lang.IllegalArgumentException: negative amount: -5",
		"====== ERRORS ======\n______ ERROR at setup of TestReport.test_db ______\nE   ConnectionError: database refused\n====== FAILURES ======\n______ test_take ______\nE   AssertionError: assert 1 == 2\n" +
			"====== short test summary info ======\nFAILED tests/test_stock.py::test_take - AssertionError: assert 1 == 2\n": "TestReport.test_db|ConnectionError: database refused",
		"______ test_take ______\n    assert take() == 2\nE   AssertionError: assert 1 == 2\n______ test_name ______\nE   KeyError: 'spoon'\nFAILED a/b.py::test_take - AssertionError: assert 1 == 2\n":                                          "test_take|AssertionError: assert 1 == 2",
		"[ RUN      ] Frame.Rows\n[       OK ] Frame.Rows (0 ms)\n[ RUN      ] Frame.Empty\nframe.cpp:12: Failure\n  Actual: false\nExpected: true\n[  FAILED  ] Frame.Empty (0 ms)\n[ RUN      ] Frame.Range\n[  FAILED  ] Frame.Range (0 ms)\n": "Frame.Empty|true|false",
		"Pending:\n\n  1) Ledger is done later\n       expected: 2\n            got: 1\n\nFailures:\n\n  1) Ledger has rows\n     NameError: undefined name\n\n2 examples, 1 failure, 1 pending\n":                                                "Ledger has rows|NameError: undefined name",
		"  1) heats\n  2) cools\n\n  0 passing (1ms)\n  2 failing\n\n  1) Kiln heats:\n      AssertionError: 1 is not 2\n\n  2) Kiln cools:\n      TypeError: no\n":                                                                               "Kiln heats|AssertionError: 1 is not 2",
	} {
		_ = eval[any](t, p, `(text) => {
			const box = document.querySelector('[data-text]');
			box.value = text;
			box.dispatchEvent(new Event('input'));
		}`, text)
		until(t, p, fmt.Sprintf(`[...document.querySelectorAll('[data-says]')].filter((part) => part.checkVisibility()).map((part) => part.textContent).join('|') === %q`, want))
	}
	p.clean(t)
}

// On a phone, what was pasted leaves room for what was recognized in it.
func TestStartPage_cardOnAPhone(t *testing.T) {
	t.Parallel()
	s := newService(t, public)
	p := newTab(t, e2e.Open(t), s, view{width: 390, height: 844})
	p.open(t, "/")
	_ = eval[any](t, p, `() => {
		const box = document.querySelector('[data-text]');
		box.value = ' FAIL  kiln.test.ts > kiln > heats\nAssertionError: expected 20 to be 900, which is far from what a kiln needs for stoneware\n' + 'ok\n'.repeat(40);
		box.dispatchEvent(new Event('input'));
	}`)
	until(t, p, `document.querySelector('[data-failure] .found').checkVisibility()`)
	until(t, p, `document.querySelector('.send .first').getBoundingClientRect().bottom < innerHeight`)
	p.clean(t)
}

// The lines of a failed run that the preview marks are those that the page of
// its link marks.
func TestStartPage_marksWhatTheLinkMarks(t *testing.T) {
	t.Parallel()
	s := newService(t, public)
	p := newTab(t, e2e.Open(t), s, view{width: 1440})
	p.open(t, "/")
	log := " RUN  v4.1.12 /src/vt\n\n ❯ bowl.test.ts (3 tests | 2 failed) 9ms\n     × holds soup 7ms\n     × has a rim 1ms\n     ✓ is fine 0ms\n\n FAIL  bowl.test.ts > bowl > holds soup\nAssertionError: expected 0.5 to be 0.7\n\n FAIL  bowl.test.ts > bowl > has a rim\nError: no rim\n"
	marked := func() []int {
		return eval[[]int](t, p, `() => [...document.querySelectorAll('[data-lines] p, .viewer .lines p')].flatMap((line) => (line.className === 'E' ? [Number(line.dataset.n || line.id.slice(1))] : []))`)
	}
	require.NoError(t, chromedp.Do(p.Context, chromedp.SendKeys(chromedp.CSS("#share-text"), log)))
	until(t, p, `document.querySelectorAll('[data-lines] .E').length > 0 && document.querySelector('[data-lines]').textContent.endsWith('Error: no rim')`)
	previewed := marked()
	follow(t, p, ".sharing .first")
	p.shows(t, "2 tests failed")
	assert.Equal(t, []int{3, 8, 11, 12}, marked())
	assert.Equal(t, previewed, marked())
	p.clean(t)
}

// The device on which something was shared without a key lists it on the start
// page, and deletes it from there.
func TestStartPage_sharesOfThisDevice(t *testing.T) {
	t.Parallel()
	s := newService(t, public)
	p := newTab(t, e2e.Open(t), s, view{width: 1440})
	p.open(t, "/")
	assert.False(t, eval[bool](t, p, `() => document.querySelector('[data-mine]').checkVisibility()`))
	require.NoError(t, chromedp.Do(p.Context, chromedp.SendKeys(chromedp.CSS("#share-text"), "INFO mine"), chromedp.SendKeys(chromedp.CSS("#share-title"), "Nightly")))
	follow(t, p, ".sharing .first")
	p.shows(t, "This device remembers it")
	path := eval[string](t, p, `() => location.pathname`)
	p.open(t, "/")
	p.shows(t, "Your shares on this device")
	assert.Equal(t, path, eval[string](t, p, `() => document.querySelector('.mine a').getAttribute('href')`))
	p.paint(t, "start-mine")
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS(".mine button"))))
	until(t, p, `!document.querySelector('[data-mine]').checkVisibility()`)
	_, err := s.shares.Log(t.Context(), strings.TrimPrefix(path, "/logs/"))
	require.ErrorIs(t, err, share.ErrNotFound)
	p.open(t, "/")
	assert.False(t, eval[bool](t, p, `() => document.querySelector('[data-mine]').checkVisibility()`))
	p.clean(t)
}

// Encrypted code is seen as code: its kind and language are recognized before
// it is encrypted. Its page has numbers, links to lines and a search.
func TestEncrypted_isAViewer(t *testing.T) {
	t.Parallel()
	s := newService(t, public)
	p := newTab(t, e2e.Open(t), s, view{width: 1440})
	p.open(t, "/")
	require.NoError(t, chromedp.Do(p.Context,
		chromedp.SetValue(chromedp.CSS("#share-text"), "export interface Kiln { degrees: number }\n\nexport const fire = (kiln: Kiln): void => {\n  #heat = kiln(\"hot\");\n};\n"),
		chromedp.SetValue(chromedp.CSS("[data-protection]"), "encrypt"),
	))
	follow(t, p, ".sharing .first")
	until(t, p, `document.querySelectorAll('.lines p').length === 5`)
	assert.Contains(t, eval[string](t, p, `() => location.pathname`), "/snippets/")
	assert.Equal(t, "export interface const void", eval[string](t, p, `() => [...new Set([...document.querySelectorAll('.lines .k')].map((word) => word.textContent))].join(' ')`))
	assert.Zero(t, eval[int](t, p, `() => document.querySelectorAll('.lines .c').length`), "a private field is no comment")
	key := eval[string](t, p, `() => location.hash`)
	require.Len(t, key, 44)

	link := eval[string](t, p, `() => location.pathname`) + key + "&L3-L4"
	p.open(t, "/slug")
	p.open(t, link)
	until(t, p, `document.querySelectorAll('.lines p[data-on]').length === 2`)
	until(t, p, `document.querySelector('.moves').checkVisibility()`)
	require.NoError(t, chromedp.Do(p.Context, chromedp.SendKeys(chromedp.CSS("[data-search]"), "KILN")))
	until(t, p, `document.querySelector('.matches').textContent === '3 of 5 lines'`)
	assert.Equal(t, "1 3 4", eval[string](t, p, `() => [...document.querySelectorAll('.lines p[data-hit]')].map((line) => line.dataset.n).join(' ')`))
	assert.True(t, eval[bool](t, p, `() => [...document.querySelectorAll('.lines p')].every((line) => line.checkVisibility())`), "lines of code stay")
	require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("\r"), chromedp.KeyEvent("\r")))
	until(t, p, `document.querySelector('#L3').hasAttribute('data-on') && location.hash.endsWith('&L3')`)
	assert.Equal(t, 4, eval[int](t, p, `() => CSS.highlights.get('found').size`), "what matches is set off")
	p.paint(t, "encrypted-viewer")
	assert.Equal(t, "Encrypted TypeScript 5 lines expires in 24 hours", eval[string](t, p, `() => [...document.querySelector('.facts').children].map((fact) => fact.textContent).join(' ')`), "in the order of all viewers")
	assert.Equal(t, "Copy Copy link Download", eval[string](t, p, `() => [...document.querySelectorAll('.actions button')].filter((button) => button.checkVisibility()).map((button) => button.textContent).join(' ')`))
	assert.Equal(t, "1px", eval[string](t, p, `() => getComputedStyle(document.querySelector('.share')).borderBottomWidth`), "the header ends where the lines begin")
	require.NoError(t, chromedp.Do(p.Context, chromedp.SendKeys(chromedp.CSS("[data-search]"), "zzz")))
	until(t, p, `document.querySelector('.matches').textContent === '0 of 5 lines' && document.querySelector('.lines').checkVisibility()`)
	p.clean(t)
}

// Keyboards choose lines by their numbers; what can be done with them has the
// focus then.
func TestLines_chosenByKeyboard(t *testing.T) {
	t.Parallel()
	s := newService(t)
	p := newTab(t, e2e.Open(t), s, view{width: 1440})
	for path, first := range map[string]string{s.log(t, strings.Repeat(sampleLog, 60), share.LogOptions{}): "#L412-L415", s.snippet(t, strings.Repeat(sampleCode, 60), share.SnippetOptions{Language: "go"}): "#L412-L415"} {
		p.open(t, path)
		require.NoError(t, chromedp.Do(p.Context, chromedp.Focus(chromedp.CSS("[data-goto]"))))
		require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("415-412\r")))
		assert.Equal(t, first, eval[string](t, p, `() => location.hash`))
		until(t, p, `document.getElementById('L412').getBoundingClientRect().top > 0 && document.getElementById('L412').getBoundingClientRect().bottom < innerHeight`)
		until(t, p, `document.activeElement.textContent === 'Copy text'`)
		p.clean(t)
	}
}

// Single keys do nothing where a control has the focus or where they are
// switched off.
func TestKeys_canBeSwitchedOff(t *testing.T) {
	t.Parallel()
	s := newService(t)
	p := newTab(t, e2e.Open(t), s, view{width: 1440})
	path := s.log(t, strings.Repeat(sampleLog, 9), share.LogOptions{})
	p.open(t, path)
	require.NoError(t, chromedp.Do(p.Context, chromedp.Focus(chromedp.CSS("#wrap")), chromedp.KeyEvent("e")))
	assert.Empty(t, eval[string](t, p, `() => location.hash`), "a checkbox has the focus")
	_ = eval[any](t, p, `() => { document.activeElement.blur(); }`)
	require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("e")))
	assert.Equal(t, "#L3", eval[string](t, p, `() => location.hash`))
	_ = eval[any](t, p, `() => { document.querySelector('.foot input').click(); }`)
	p.open(t, "/slug")
	p.open(t, path)
	require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("e")))
	assert.Empty(t, eval[string](t, p, `() => location.hash`), "switched off, and remembered")
	p.clean(t)
}

// The switch in the foot overrides the scheme of the system and is remembered.
func TestPages_schemeIsChosen(t *testing.T) {
	t.Parallel()
	s := newService(t)
	p := newTab(t, e2e.Open(t), s, view{width: 1440})
	ground := `() => getComputedStyle(document.documentElement).backgroundColor`
	p.open(t, "/")
	assert.Equal(t, "rgb(250, 248, 245)", eval[string](t, p, ground))
	_ = eval[any](t, p, `() => {
		const field = document.querySelector('[data-scheme]');
		field.value = 'dark';
		field.dispatchEvent(new Event('change'));
	}`)
	assert.Equal(t, "rgb(21, 19, 17)", eval[string](t, p, ground))
	p.open(t, "/gradient")
	assert.Equal(t, "rgb(21, 19, 17)", eval[string](t, p, ground))
	assert.Equal(t, "dark", eval[string](t, p, `() => document.querySelector('[data-scheme]').value`))
	p.clean(t)
}

// A link to a line leads there also where the browser does not keep its place
// while blocks above the line take their real height.
func TestLinks_toLinesWithoutScrollAnchoring(t *testing.T) {
	t.Parallel()
	s := newService(t)
	trace := "ERROR it broke\n" + strings.Repeat("\tat a.b.C.d(C.java:1)\n", 12)
	path := s.log(t, strings.Repeat(trace+strings.Repeat("INFO a line\n", 7), 150), share.LogOptions{})
	p := newTab(t, e2e.Open(t), s, view{width: 1440})
	p.open(t, path)
	_ = eval[any](t, p, `() => { document.documentElement.style.overflowAnchor = 'none'; location.hash = '#L2713'; }`)
	until(t, p, `(() => {
		const { top } = document.getElementById('L2713').getBoundingClientRect();
		const head = document.querySelector('.tools').getBoundingClientRect().bottom;
		return top >= head && top < head + 60;
	})()`)
	assert.True(t, painted(t, p, "L2713"))
	p.clean(t)
}

// The studio has one theme: what is chosen last is drawn and alone is marked.
func TestStudio_oneTheme(t *testing.T) {
	t.Parallel()
	s := newService(t)
	p := newTab(t, e2e.Open(t), s, view{width: 1440})
	p.keepBlobs(t)
	p.open(t, "/screenshot")
	ring := `() => [...document.querySelectorAll('.swatch')].filter((s) => getComputedStyle(s).outlineStyle === 'solid').length`
	choose := func(theme string) {
		p.redrawn(t, func() {
			_ = eval[any](t, p, `(name) => { document.querySelector('[name=theme][value=' + name + ']').click(); }`, theme)
		})
	}
	choose("nord")
	assert.Contains(t, p.svg(t), "#2e3440")
	assert.Equal(t, 1, eval[int](t, p, ring))
	until(t, p, `localStorage.getItem('devkiln /screenshot').includes('theme=nord')`)
	require.NoError(t, p.Load(chromedp.Reload()))
	until(t, p, `document.querySelector('[data-image]').src.startsWith('blob:')`)
	assert.Contains(t, p.svg(t), "#2e3440", "kept")
	choose("monokai")
	assert.Contains(t, p.svg(t), "#272822")
	assert.Equal(t, 1, eval[int](t, p, ring))
	p.clean(t)
}

// A short snippet fits its window, with the foot of the page.
func TestSnippet_shortDoesNotScroll(t *testing.T) {
	t.Parallel()
	s := newService(t)
	path := s.snippet(t, sampleCode, share.SnippetOptions{Language: "go"})
	b := e2e.Open(t)
	for _, v := range []view{{width: 1440}, {width: 390, height: 844}} {
		p := newTab(t, b, s, v)
		p.open(t, path)
		until(t, p, `document.fonts.status === 'loaded' && document.documentElement.scrollHeight <= innerHeight`)
	}
}

// The contents of the API reference can be searched by name, method, path and
// field, and say so when nothing has that.
func TestDocs_search(t *testing.T) {
	t.Parallel()
	s := newService(t)
	p := newTab(t, e2e.Open(t), s, view{width: 1440})
	p.open(t, "/docs")
	found := `() => [...document.querySelectorAll('.toc a')].filter((link) => link.checkVisibility()).map((link) => link.pathname + link.hash).join(' ')`
	all := eval[string](t, p, found)
	require.NoError(t, chromedp.Do(p.Context, chromedp.SendKeys(chromedp.CSS("[data-find]"), "delete /log-share")))
	assert.Equal(t, "/docs /docs#conventions /docs#authentication /docs#errors /docs#headers /docs/deleteLog", eval[string](t, p, found))
	p.paint(t, "docs-search")
	require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("\r")))
	until(t, p, `location.pathname === '/docs/deleteLog' && document.readyState === 'complete'`)
	assert.Equal(t, all, eval[string](t, p, found))
	require.NoError(t, chromedp.Do(p.Context, chromedp.SendKeys(chromedp.CSS("[data-find]"), "post expiry")))
	until(t, p, `document.querySelectorAll('.toc li li:not([hidden])').length === 4 && !document.querySelector('.toc .none').checkVisibility()`)
	for _, word := range []string{"expire", "expiration"} {
		assert.Contains(t, eval[string](t, p, `() => {
			const field = document.querySelector('[data-find]');
			field.value = '`+word+`';
			field.dispatchEvent(new Event('input'));
			field.value = '';
			return (`+found+`)();
		}`), "/docs/shareLog ", word)
	}
	require.NoError(t, chromedp.Do(p.Context, chromedp.SendKeys(chromedp.CSS("[data-find]"), "zebra")))
	until(t, p, `document.querySelector('.toc .none').checkVisibility()`)
	p.clean(t)
}

// A failed log that was encrypted begins with its first failure and leads to its
// reason, another one with its first error, which it leads to; and terminal colours are shown.
func TestEncrypted_saysWhatFailed(t *testing.T) {
	t.Parallel()
	s := newService(t, public)
	b := e2e.Open(t)
	for text, want := range map[string]string{
		strings.Repeat("ok\n", 50) + " \x1b[41m\x1b[1m FAIL \x1b[22m\x1b[49m kiln.test.ts > kiln > heats\n\x1b[31mAssertionError\x1b[39m: expected 20 to be 900\n":                                                                          "Failed: kiln.test.ts > kiln > heats",
		strings.Repeat("2026-11-27 09:00:00,000 INFO  [main] a.B - up\n", 50) + "2026-11-27 09:00:01,000 ERROR [http-1] a.Orders - order 7 is lost\njava.sql.SQLException: FATAL: no slots\n\tat a.B.c(B.java:1)\nCaused by: a.Error: no\n": "order 7 is lost",
	} {
		p := newTab(t, b, s, view{width: 1440})
		p.open(t, "/")
		if strings.Contains(text, "FAIL ") {
			text = "2026-11-27T09:14:03.2000000Z " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n2026-11-27T09:14:03.2000000Z ")
		}
		require.NoError(t, chromedp.Do(p.Context, chromedp.SetValue(chromedp.CSS("#share-text"), text), chromedp.SetValue(chromedp.CSS("[data-protection]"), "encrypt")))
		follow(t, p, ".sharing .first")
		until(t, p, `document.querySelectorAll('.lines p').length > 50`)
		assert.Equal(t, want, eval[string](t, p, `() => [...document.querySelectorAll('[data-first] :is(h2, .reason, li)')].filter((part) => part.checkVisibility()).map((part) => part.textContent).join('|')`))
		assert.Empty(t, violations(t, p, axeSource(t)))
		require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[data-first]:not([hidden]) a"))))
		line := "L51"
		if strings.Contains(text, "FAIL ") {
			line = "L52" // the reason
		}
		until(t, p, fmt.Sprintf(`document.getElementById(%q).hasAttribute('data-on') && location.hash.endsWith('&%s')`, line, line))
		if strings.Contains(text, "FAIL ") {
			assert.Equal(t, "hidden", eval[string](t, p, `() => document.querySelector('.lines').dataset.times`))
			assert.Equal(t, "B b1|f1", eval[string](t, p, `() => ['#L51 i[class]', '#L52 i[class]'].map((line) => document.querySelector(line).className).join('|')`))
		} else {
			assert.Equal(t, "Encrypted 54 lines 1 error expires in 24 hours", eval[string](t, p, `() => [...document.querySelector('.facts').children].map((fact) => fact.textContent).join(' ')`))
		}
		p.clean(t)
	}
}

// The page of an encrypted run has its steps, folded but for what failed, how many
// tests failed, and the failures in the order of their reasons.
func TestEncrypted_steps(t *testing.T) {
	t.Parallel()
	s := newService(t, public)
	p := newTab(t, e2e.Open(t), s, view{width: 1280})
	p.open(t, "/")
	const stamp = "2026-01-02T03:04:0%d.0000000Z %s\n"
	var text strings.Builder
	for i, line := range []string{"##[group]Run npm ci", "##[endgroup]", "added 9", "##[group]Run npm test", "##[endgroup]", " × a.test.ts > cools 5008ms", " FAIL  b.test.ts > heats", "AssertionError: expected 2 to be 3", "- Expected", "+ Received", "- 3", "+ 2", " FAIL  a.test.ts > cools", "Error: no fan", "      Tests  2 failed | 7 passed (9)", "##[error]exit 1"} {
		fmt.Fprintf(&text, stamp, i/2, line)
	}
	require.NoError(t, chromedp.Do(p.Context, chromedp.SetValue(chromedp.CSS("#share-text"), text.String()), chromedp.SetValue(chromedp.CSS("[data-protection]"), "encrypt")))
	follow(t, p, ".sharing .first")
	until(t, p, `document.querySelector('.headline:not([hidden]) h2')?.textContent === '2 of 9 tests failed: b.test.ts > heats'`)
	assert.Equal(t, "a.test.ts > cools Error: no fan", eval[string](t, p, `() => document.querySelector('.headline > p:last-child').textContent`))
	assert.Equal(t, "Run npm ci 1s|Run npm test failed 6s", eval[string](t, p, `() => [...document.querySelectorAll('.steps li')].map((step) => step.textContent).join('|')`))
	assert.Equal(t, "2 lines · 1s false|12 lines · 6s true", eval[string](t, p, `() => [...document.querySelectorAll('.fold a')].map((fold) => fold.textContent + ' ' + fold.ariaExpanded).join('|')`))
	assert.False(t, eval[bool](t, p, `() => document.querySelector('#L3').checkVisibility({ visibilityProperty: true })`))
	assert.Empty(t, violations(t, p, axeSource(t)))
	_ = eval[any](t, p, `() => { location.hash += '&L3'; }`)
	until(t, p, `document.querySelector('#L3').checkVisibility({ visibilityProperty: true })`)
	p.clean(t)
}

// On a phone a log begins in the upper two thirds of the window, and only the search
// of its head stays in sight. The letters of levels are all there.
func TestLog_phone(t *testing.T) {
	t.Parallel()
	s := newService(t, public)
	p := newTab(t, e2e.Open(t), s, view{width: 390, height: 844, dark: true})
	p.open(t, s.log(t, strings.Repeat("=== RUN   TestA\n--- PASS: TestA (0.01s)\n", 60)+"=== RUN   TestB\n    b_test.go:4: B() = 1, want 2\n--- FAIL: TestB (0.01s)\nFAIL\nFAIL\texample.com/b\t0.2s\n", share.LogOptions{Title: "Nightly"}))
	until(t, p, `document.querySelector('#L1').getBoundingClientRect().top < 500`)
	_ = eval[any](t, p, `() => { location.hash = 'L60'; }`)
	until(t, p, `document.querySelector('.tools').getBoundingClientRect().bottom < 64 && document.querySelector('[name=q]').getBoundingClientRect().top >= 0`)
	_ = eval[any](t, p, `() => document.querySelector('[data-level]').focus({ focusVisible: true })`)
	until(t, p, `document.querySelector('[data-level]').getBoundingClientRect().top > 0`)
	_ = eval[any](t, p, `() => document.activeElement.blur()`)
	until(t, p, `(({ top }) => top >= document.querySelector('.tools').getBoundingClientRect().bottom && top < 200)(document.querySelector('#L60').getBoundingClientRect())`)

	var records strings.Builder
	for i := range 240 {
		fmt.Fprintf(&records, "{\"level\":%q,\"msg\":\"served\"}\n", []string{"info", "debug", "warn", "error"}[i%4])
	}
	p.open(t, s.log(t, records.String(), share.LogOptions{}))
	until(t, p, `(({ right }) => right < document.querySelector('[name=raw]').getBoundingClientRect().left)(document.querySelector('.chips').getBoundingClientRect())`)
	p.paint(t, "log-phone")

	p.open(t, s.log(t, "test a::second ... FAILED\n\nfailures:\n\n---- a::second stdout ----\nthread 'a::second' (7) panicked at src/heat/lib.rs:28:20:\nno heat\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\n", share.LogOptions{}))
	until(t, p, `document.querySelector('.headline h2 code').innerHTML === '<wbr>src/<wbr>heat/<wbr>lib.rs:28:20'`)
	p.clean(t)
}

// The headline of an encrypted log leads to the line of the reason, which is marked
// as on the page of any log, and e goes from error to error.
func TestEncrypted_nextError(t *testing.T) {
	t.Parallel()
	s := newService(t, public)
	p := newTab(t, e2e.Open(t), s, view{width: 1280})
	p.open(t, "/")
	text := strings.Repeat("ok\n", 50) + "=== RUN   TestHeat\n    heat_test.go:48: Heat(30) = 1799, want 1800\n--- FAIL: TestHeat (0.01s)\n=== RUN   TestCool\n--- FAIL: TestCool (0.00s)\npanic: no fan\n[signal SIGSEGV: segmentation violation]\n\ngoroutine 7 [running]:\n" + strings.Repeat("kiln.(*Fan).Turn(0x0)\n\t/src/kiln/fan.go:9 +0x1d\n", 4) + strings.Repeat("ok\n", 50)
	require.NoError(t, chromedp.Do(p.Context, chromedp.SetValue(chromedp.CSS("#share-text"), text), chromedp.SetValue(chromedp.CSS("[data-protection]"), "encrypt")))
	follow(t, p, ".sharing .first")
	p.shows(t, "Failed: TestHeat")
	until(t, p, `document.querySelector('[data-next]').checkVisibility()`)
	assert.Equal(t, "E|E|f", eval[string](t, p, `() => ['#L52', '#L53', '#L57'].map((line) => document.querySelector(line).className).join('|')`))
	assert.Empty(t, violations(t, p, axeSource(t)))
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[data-first] a"))))
	until(t, p, `document.querySelector('#L52').hasAttribute('data-on') && Math.abs(document.querySelector('#L52').getBoundingClientRect().top - 100) < 80`) // the page has scrolled
	require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("e")))
	until(t, p, `location.hash.endsWith('&L53') && document.querySelector('#L53').hasAttribute('data-on')`)
	require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("E"), chromedp.KeyEvent("E")))
	until(t, p, `location.hash.endsWith('&L56')`)
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[data-next]"))))
	until(t, p, `location.hash.endsWith('&L52')`)

	// The trace of the panic is part of it, and folds as on other pages.
	until(t, p, `document.querySelector('.fold a').textContent === '⋯ 5 more frames' && document.querySelector('#L62').checkVisibility() && !document.querySelector('#L63').checkVisibility({ visibilityProperty: true })`)
	tint := `(id) => getComputedStyle(document.getElementById(id)).backgroundColor`
	assert.Equal(t, eval[string](t, p, tint, "L56"), eval[string](t, p, tint, "L62"))
	_ = eval[any](t, p, `() => { location.hash = location.hash.replace(/&.*/, '&L66'); }`)
	until(t, p, `document.querySelector('#L66').checkVisibility({ visibilityProperty: true }) && document.querySelector('.fold a').ariaExpanded === 'true'`)
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS(".fold a"))))
	until(t, p, `!document.querySelector('#L66').checkVisibility({ visibilityProperty: true }) || document.querySelector('#L66').hasAttribute('data-on')`)
	p.clean(t)
}
