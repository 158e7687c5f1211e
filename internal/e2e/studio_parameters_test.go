package e2e_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/e2e"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/screenshot"
)

// The studio applies parameters of a link that the API's settings lack, offers
// every parameter of the library, and draws the same picture as the API.
func TestStudio_parameters(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	const path = "/api/v1/code-screenshot?highlight=1&deleted=2&wrap=40&watermark=me+%26+co&ligatures=off"
	code := map[string]any{"code": python, "windowTitle": "kiln.py"}
	var made struct{ WebURL string }
	require.NoError(t, json.Unmarshal(s.api(t, path, "application/json", code), &made))
	p := newTab(t, b, s, view{width: 1440})
	p.keepBlobs(t)
	p.open(t, strings.TrimPrefix(made.WebURL, s.URL))
	until(t, p, `document.querySelector('[data-image]').src.startsWith('blob:')`)
	assert.Equal(t, string(s.api(t, path, "image/svg+xml", code)), p.svg(t))
	assert.Equal(t, len(option.Of[screenshot.Options]().InQuery())-1, eval[int](t, p, `() => document.querySelectorAll('[data-parameter]').length`), "all but the theme")

	p.redrawn(t, func() { p.paste(t, "[data-parameter=highlight]", "2-3") })
	want := p.svg(t)
	assert.Equal(t, string(s.api(t, strings.Replace(path, "highlight=1", "highlight=2-3", 1), "image/svg+xml", code)), want)
	require.NoError(t, p.Load(chromedp.Reload()))
	until(t, p, `document.querySelector('[data-image]').src.startsWith('blob:')`)
	assert.Equal(t, want, p.svg(t), "kept")

	p.paste(t, "[data-parameter=wrap]", "3")
	require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent("\t")))
	until(t, p, `document.querySelector('#with-wrap-wrong').textContent.includes('10 to')`)
}

// The form does the same without scripts.
func TestStudio_parametersWithoutScripts(t *testing.T) {
	t.Parallel()
	b := e2e.Open(t)
	s := newService(t)
	p := newTab(t, b, s, view{width: 390, noScripts: true})
	p.open(t, "/screenshot?inserted=1")
	p.scripts(t, false)
	require.NoError(t, chromedp.Do(p.Context,
		chromedp.SetValue(chromedp.CSS("[name=code]"), python),
		chromedp.SetValue(chromedp.CSS("[name=with-highlight]"), "2"),
	))
	follow(t, p, ".settings .scriptless")
	assert.Equal(t, string(s.api(t, "/api/v1/code-screenshot?inserted=1&highlight=2", "image/svg+xml", map[string]any{"code": python})),
		eval[string](t, p, `() => decodeURIComponent(document.querySelector('[data-image]').src.replace(/^[^,]*,/, ''))`))
	p.clean(t)
}
