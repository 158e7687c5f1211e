package e2e_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/share"
)

// Firefox and WebKit show every page: nothing fails, nothing overflows, and what
// scripts do is done. DEVKILN_SCREENSHOTS names a directory for pictures.
func TestEngines(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	s := newService(t)
	pages := samplePages(t, s)
	for _, name := range []string{"firefox", "webkit"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := e2e.OpenEngine(t, name)
			for _, page := range slices.Sorted(maps.Keys(pages)) {
				path := pages[page]
				t.Run(page, func(t *testing.T) {
					visit(t, b, s, path)
					over := ask[float64](t, b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`)
					assert.LessOrEqual(t, over, 0.0, "wider than the window")
					assert.True(t, ask[bool](t, b, `(document.querySelector('main') ?? document.body).innerText.trim().length > 0`), "it shows something")
					paintIn(t, b, page+" "+name)
				})
			}
			t.Run("link to a line", func(t *testing.T) { linkToALine(t, b, s) })
			t.Run("studio", func(t *testing.T) { studioIn(t, b, s) })
		})
	}
}

// visit opens a page and waits until its fonts are there.
func visit(t *testing.T, b e2e.Engine, s *service, path string) {
	t.Helper()
	require.NoError(t, b.Visit(t.Context(), "about:blank"))
	require.NoError(t, b.Visit(t.Context(), s.URL+path))
	holds(t, b, `document.readyState === 'complete' && document.fonts.status === 'loaded'`)
}

func ask[T any](t *testing.T, b e2e.Engine, expression string) (v T) {
	t.Helper()
	require.NoError(t, b.Eval(t.Context(), expression, &v))
	return v
}

// holds waits until a condition is true.
func holds(t *testing.T, b e2e.Engine, condition string) {
	t.Helper()
	require.Eventually(t, func() bool { return ask[bool](t, b, condition) }, time.Minute, 50*time.Millisecond, condition)
}

func paintIn(t *testing.T, b e2e.Engine, name string) {
	t.Helper()
	dir := os.Getenv("DEVKILN_SCREENSHOTS")
	if dir == "" {
		return
	}
	picture, err := b.Screenshot(t.Context())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644))
}

// A link to a line of a long log shows it below the header, and keeps showing
// it while blocks around it get their size.
func linkToALine(t *testing.T, b e2e.Engine, s *service) {
	trace := "ERROR it broke\n" + strings.Repeat("\tat a.b.C.d(C.java:1)\n", 12)
	for line, content := range map[string]string{"L700": levelledLog(3_000), "L2713": strings.Repeat(trace+strings.Repeat("INFO a line\n", 7), 150)} {
		visit(t, b, s, s.log(t, content, share.LogOptions{})+"#"+line)
		shown := `(() => {
			const { top } = document.getElementById('` + line + `').getBoundingClientRect();
			const head = document.querySelector('.tools').getBoundingClientRect().bottom;
			return top >= head - 1 && top < head + 120;
		})()`
		holds(t, b, shown)
		assert.True(t, ask[bool](t, b, `new Promise((next) => setTimeout(next, 700)).then(() => `+shown+`)`), "it stays at %s", line)
	}
}

// One types in the picture, which follows, and clicks on the number of a line,
// which is the one that is marked.
func studioIn(t *testing.T, b e2e.Engine, s *service) {
	visit(t, b, s, "/screenshot")
	holds(t, b, `document.querySelector('.view').classList.contains('typing')`)
	drawn := ask[string](t, b, `document.querySelector('[data-image]').src.slice(0, 60)`)
	ask[any](t, b, `(() => { const code = document.querySelector('#code'); code.focus(); code.value = 'a\n'.repeat(12); code.dispatchEvent(new Event('input', { bubbles: true })); })()`)
	holds(t, b, `document.querySelector('[data-image]').src.slice(0, 60) !== `+quoted(drawn)+` && document.querySelector('[data-image]').complete`)
	holds(t, b, `document.querySelector('[data-gutter]').getAttribute('aria-valuemax') === '12'`)
	marked := ask[string](t, b, `(() => {
		const gutter = document.querySelector('[data-gutter]');
		const { left, top, width, height } = gutter.getBoundingClientRect();
		gutter.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: left + width / 2, clientY: top + height * 9.5 / 12 }));
		return document.querySelector('[data-parameter=highlight]').value;
	})()`)
	assert.Equal(t, "10", marked)
}

func quoted(s string) string { return "'" + s + "'" }
