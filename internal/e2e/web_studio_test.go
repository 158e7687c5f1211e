package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/share"
)

// api posts to an operation and returns the body of the response.
func (s *service) api(tb testing.TB, path, accept string, body any) []byte {
	tb.Helper()
	data, err := json.Marshal(body)
	require.NoError(tb, err)
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, s.URL+path, bytes.NewReader(data))
	require.NoError(tb, err)
	request.Header.Set("X-API-Key", s.key)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", accept)
	response, err := http.DefaultClient.Do(request)
	require.NoError(tb, err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	require.NoError(tb, err)
	require.Equal(tb, http.StatusOK, response.StatusCode, "%s", answer)
	return answer
}

// longCode returns n characters of code, some of them wide.
func longCode(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "value_%d = compute(%d, \"text %d\")  # % x\n", i, i*7919, i%13, i*i)
	}
	return b.String()[:n-2] + "é\n"
}

// The webUrl of the API opens the studio, which saves the same picture as the
// API.
func TestStudioLink_ofTheAPI(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	for name, options := range map[string]map[string]any{
		"small":     {"code": "let a = 1 < 2 && '\u202e' // é\r\n\ttab", "theme": "synthwave", "background": "conic-gradient(from 30deg, red, #00f8 40%, hsl(90 50% 50%))", "padding": 0, "windowTitle": "a \"b\" <c>", "shadow": false},
		"fractions": {"code": "x", "padding": 10.25, "fontSize": 13.3, "borderRadius": 7.75, "windowControls": false, "lineNumbers": false},
		// As text, because a slow lexer may give up on a busy machine and leave
		// one of the pictures plain.
		"largest": {"code": longCode(50_000), "language": "text", "fontSize": 8, "padding": 10},
	} {
		t.Run(name, func(t *testing.T) {
			var answer struct {
				Config map[string]any
				WebURL string
			}
			require.NoError(t, json.Unmarshal(s.api(t, "/api/v1/code-screenshot", "application/json", options), &answer))
			want := s.api(t, "/api/v1/code-screenshot?scale=1", "image/png", options)

			p := newTab(t, b, s, view{width: 1440})
			dir := p.downloads(t)
			p.open(t, strings.TrimPrefix(answer.WebURL, s.URL))
			until(t, p, `document.querySelector('[data-image]').src.startsWith('blob:')`)
			assert.Equal(t, strings.ReplaceAll(options["code"].(string), "\r\n", "\n"), eval[string](t, p, `() => document.querySelector('[name=code]').value`))
			assert.Equal(t, answer.Config["theme"], eval[string](t, p, `() => document.querySelector('[name=theme]:checked').value`))
			require.NoError(t, chromedp.Do(p.Context, chromedp.SetValue(chromedp.CSS("[name=scale]"), "1"), chromedp.Click(chromedp.CSS("button[value=png]"))))
			assert.True(t, bytes.Equal(want, downloaded(t, dir, "png")), "the picture is not that of the API")
			p.clean(t)
		})
	}
}

// The longest snippet that fits a picture opens in the studio, whatever its
// content. A snippet that is too tall is refused there.
func TestViewSnippet_opensInTheStudio(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	var wide strings.Builder
	for i := range screenshot.MaxCode {
		wide.WriteRune(rune(0x4e00 + i*7919%20_000))
		if i%200 == 199 {
			wide.WriteByte('\n')
		}
	}
	const drawn = `document.querySelector('[data-image]').src.startsWith('blob:')`
	for name, c := range map[string]struct{ code, then string }{
		"code": {longCode(screenshot.MaxCode), drawn},
		"wide": {string([]rune(wide.String())[:screenshot.MaxCode]), `true`},
		"tall": {strings.Repeat("\n", screenshot.MaxCode), `document.querySelector('#code-wrong').textContent.includes('lines, must have at most')`},
	} {
		t.Run(name, func(t *testing.T) {
			p := newTab(t, b, s, view{width: 1440})
			p.open(t, s.snippet(t, c.code, share.SnippetOptions{Title: "x.py", Language: "python"}))
			_ = eval[any](t, p, `() => document.querySelector('.menu').open = true`)
			follow(t, p, ".menu [data-image]")
			until(t, p, `document.querySelector('[name=windowTitle]')?.value === 'x.py'`)
			assert.True(t, c.code == eval[string](t, p, `() => document.querySelector('[name=code]').value`), "the code is another")
			until(t, p, c.then)
			if name != "tall" { // the browser reports a refused picture as an error
				p.clean(t)
			}
		})
	}
}

// downloads lets a tab save files in the directory that it returns.
func (t *tab) downloads(tb testing.TB) (dir string) {
	tb.Helper()
	dir = tb.TempDir()
	_, err := chromedp.CallBrowser(t.Context, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{Behavior: "allow", DownloadPath: dir, BrowserContextID: t.Profile()})
	require.NoError(tb, err)
	return dir
}

// downloaded waits for the only file of a kind in a directory. A browser gives
// it its name once it is whole.
func downloaded(t *testing.T, dir, kind string) []byte {
	t.Helper()
	var data []byte
	require.Eventually(t, func() bool {
		names, err := filepath.Glob(filepath.Join(dir, "*."+kind))
		if err != nil || len(names) != 1 {
			return false
		}
		data, err = os.ReadFile(names[0])
		return err == nil && len(data) > 0
	}, time.Minute, 50*time.Millisecond)
	return data
}

func TestStudio_followsTheForm(t *testing.T) {
	t.Parallel()
	b := e2e.OpenWindow(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	p.allow(t)
	p.open(t, "/screenshot")
	do := func(steps ...chromedp.Action[chromedp.Void]) {
		t.Helper()
		before := eval[string](t, p, `() => document.querySelector('[data-image]').src`)
		require.NoError(t, chromedp.Do(p.Context, steps...))
		until(t, p, `document.querySelector('[data-image]').src !== `+fmt.Sprintf("%q", before))
	}
	do(chromedp.SendKeys(chromedp.CSS("[name=code]"), "// more"))
	do(chromedp.Click(chromedp.CSS("[name=theme][value=ocean]")))
	do(chromedp.Click(chromedp.CSS("[name=preset]:not(:checked)")))
	do(chromedp.Click(chromedp.CSS("[name=shadow]")))
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[data-custom]"))))
	do(chromedp.Click(chromedp.CSS("[data-add]")))
	assert.Regexp(t, `^linear-gradient\(120deg, #3b1f52 0%, #ffd479 25%, #b03a14 50%, #ff8f61 100%\)$`, eval[string](t, p, `() => document.querySelector('[name=background]').value`))
	assert.Empty(t, violationsIfAny(t, p))
	p.paint(t, "studio-own")

	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[data-copy-link]"))))
	until(t, p, `document.querySelector('[data-copy-link]').textContent === 'Copied'`)
	link := eval[string](t, p, `() => navigator.clipboard.readText()`)
	form := `() => JSON.stringify([...new FormData(document.querySelector('form'))].filter(([name]) => name !== 'preset'))`
	want := eval[string](t, p, form)
	other := newTab(t, b, s, view{width: 390})
	other.open(t, strings.TrimPrefix(link, s.URL))
	until(t, other, `document.querySelector('[data-image]').src.startsWith('blob:')`)
	assert.Equal(t, want, eval[string](t, other, form))

	require.NoError(t, chromedp.Do(p.Context, chromedp.SetValue(chromedp.CSS("[name=background]"), "url(x)")))
	_ = eval[any](t, p, `() => document.querySelector('[name=background]').dispatchEvent(new Event('change', { bubbles: true }))`)
	until(t, p, `document.querySelector('#background-wrong').textContent.startsWith('Background must be a CSS colour')`)
	assert.Empty(t, violationsIfAny(t, p))
	other.clean(t)

	damaged := newTab(t, b, s, view{width: 1440})
	damaged.open(t, "/screenshot#not-a-link")
	until(t, damaged, `document.querySelector('[data-faults]').textContent.startsWith('This link is damaged')`)
	damaged.clean(t)
}

// The studio copies what it shows: an image, and API calls that draw it.
func TestStudio_copies(t *testing.T) {
	t.Parallel()
	b := e2e.OpenWindow(t)
	s := newService(t)
	options := map[string]any{"code": "a := 'it''s' + `$HOME` + \"\\n\" // \ufeff\u2028 é\n", "theme": "monokai", "fontSize": 20, "shadow": false, "windowTitle": "$(id) 'x'"}
	var answer struct{ WebURL string }
	require.NoError(t, json.Unmarshal(s.api(t, "/api/v1/code-screenshot", "application/json", options), &answer))
	want := s.api(t, "/api/v1/code-screenshot?scale=2", "image/png", options)
	p := newTab(t, b, s, view{width: 1440})
	p.allow(t)
	p.open(t, strings.TrimPrefix(answer.WebURL, s.URL))
	until(t, p, `document.querySelector('[data-image]').src.startsWith('blob:')`)
	copied := func(button string) {
		t.Helper()
		require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS(button))))
		until(t, p, fmt.Sprintf(`document.querySelector(%q).textContent === 'Copied'`, button))
	}

	copied("[data-copy-image]")
	size, err := png.DecodeConfig(bytes.NewReader(want))
	require.NoError(t, err)
	assert.Equal(t, []int{size.Width, size.Height}, eval[[]int](t, p, `async () => {
		const [item] = await navigator.clipboard.read();
		const image = await createImageBitmap(await item.getType('image/png'));
		return [image.width, image.height];
	}`))

	copied("[data-copy-curl]")
	arguments := exec.CommandContext(t.Context(), "sh", "-c", `curl() { printf '%s\0' "$@"; }; `+eval[string](t, p, `() => navigator.clipboard.readText()`))
	out, err := arguments.Output()
	require.NoError(t, err)
	args := strings.Split(string(out), "\x00")
	assert.Equal(t, s.URL+"/api/v1/code-screenshot?scale=2", args[0])
	assert.True(t, bytes.Equal(want, s.api(t, "/api/v1/code-screenshot?scale=2", "image/png", json.RawMessage(args[slices.Index(args, "-d")+1]))), "curl asks for another picture")

	copied("[data-copy-go]")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(eval[string](t, p, `() => navigator.clipboard.readText()`)), 0o600))
	run := exec.CommandContext(t.Context(), "go", "run", "main.go")
	run.Dir, run.Env = dir, append(os.Environ(), "DEVKILN_KEY="+s.key)
	out, err = run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	got, err := os.ReadFile(filepath.Join(dir, "code.png"))
	require.NoError(t, err)
	assert.True(t, bytes.Equal(want, got), "the Go program asks for another picture")
	p.clean(t)
}

// The studio reports input that exceeds a limit and keeps it.
func TestStudio_limits(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440})
	p.open(t, "/screenshot")
	for n, message := range map[int]string{60_000: "The code has 60000 characters", 2_000_000: "The code is too long"} {
		assert.Equal(t, n, eval[int](t, p, `(n) => {
			const field = document.querySelector('[name=code]');
			field.focus();
			field.select();
			document.execCommand('insertText', false, 'x '.repeat(n / 2));
			return field.value.length;
		}`, n))
		until(t, p, fmt.Sprintf(`[...document.querySelectorAll('[role=alert]')].some((e) => e.checkVisibility() && e.textContent.includes(%q))`, message))
	}
}

func TestStudio_withoutScripts(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 1440, noScripts: true})
	p.open(t, "/screenshot")
	p.scripts(t, false)
	require.NoError(t, chromedp.Do(p.Context,
		chromedp.Click(chromedp.CSS("[name=theme][value=monokai]")),
		chromedp.SetValue(chromedp.CSS("[name=code]"), "a = 1\n"),
	))
	follow(t, p, ".settings .scriptless")
	p.scripts(t, true)
	assert.Equal(t, "monokai", eval[string](t, p, `() => document.querySelector('[name=theme]:checked').value`))
	assert.True(t, eval[bool](t, p, `async () => { const i = document.querySelector('[data-image]'); await i.decode(); return i.naturalWidth > 0; }`))
	p.clean(t)
}

func TestTools_followTheForm(t *testing.T) {
	t.Parallel()
	b := e2e.OpenWindow(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 390})
	p.open(t, "/slug")
	_ = eval[any](t, p, `() => { const text = document.querySelector('[name=text]'); text.value = 'Ærlig talt'; text.dispatchEvent(new Event('input', { bubbles: true })); }`)
	until(t, p, `document.querySelector('[data-out=slugs]').textContent === 'aerlig-talt'`)
	p.clean(t)

	p = newTab(t, b, s, view{width: 1440})
	p.allow(t)
	p.open(t, "/gradient")
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[name=add]"))))
	until(t, p, `document.querySelector('[data-out=code]').textContent.endsWith('#ffd479 75%, #0f766e 100%);')`)
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[name=remove][value='2']"))))
	until(t, p, `document.querySelector('[data-out=code]').textContent === 'background: linear-gradient(100deg in oklch, #3b1f52 0%, #ff8f61 33.3333%, #ffd479 66.6667%, #0f766e 100%);'`)
	assert.Equal(t, 4, eval[int](t, p, `() => document.querySelectorAll('[name=color]').length`))
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click(chromedp.CSS("[data-copy-from=code]"))))
	until(t, p, `document.querySelector('[data-copy-from=code]').textContent === 'Copied'`)
	assert.Equal(t, "background: linear-gradient(100deg in oklch, #3b1f52 0%, #ff8f61 33.3333%, #ffd479 66.6667%, #0f766e 100%);", eval[string](t, p, `() => navigator.clipboard.readText()`))
	p.clean(t)
}

// BenchmarkStudioFollowsTyping types into 30 lines of Go and waits until the
// picture is painted with each letter.
func BenchmarkStudioFollowsTyping(bench *testing.B) {
	b := e2e.Open(bench)
	s := newService(bench)
	p := newTab(bench, b, s, view{width: 1440})
	p.open(bench, "/screenshot")
	set := `(code) => {
		const drawn = new Promise((done) => document.querySelector('.studio').addEventListener('drawn', done, { once: true }));
		const field = document.querySelector('[name=code]');
		field.value = code;
		field.dispatchEvent(new Event('input', { bubbles: true }));
		field.focus();
		return drawn.then(() => 0);
	}`
	sample, err := os.ReadFile("../../screenshot/testdata/sample.go.txt")
	require.NoError(bench, err)
	_ = eval[int](bench, p, set, strings.Join(strings.SplitAfter(string(sample), "\n")[:30], ""))
	var waits []float64
	for bench.Loop() {
		_ = eval[any](bench, p, `() => {
			window.typed = new Promise((done) => {
				let start;
				addEventListener('keydown', () => { start = performance.now(); }, { once: true, capture: true });
				document.querySelector('.studio').addEventListener('drawn', () => requestAnimationFrame(() => done(performance.now() - start)), { once: true });
			});
		}`)
		require.NoError(bench, chromedp.Do(p.Context, chromedp.KeyEvent("x")))
		waits = append(waits, eval[float64](bench, p, `() => window.typed`))
	}
	slices.Sort(waits)
	bench.ReportMetric(waits[len(waits)/2], "ms/picture-p50")
	bench.ReportMetric(waits[len(waits)*95/100], "ms/picture-p95")
}
