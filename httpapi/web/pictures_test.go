package web_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

func TestSnippetPicture_isTheOneOfTheLibrary(t *testing.T) {
	p := newPages(t)
	code := strings.Repeat("package main // <a>\n", 30)
	id := p.newSnippet(t, code, share.SnippetOptions{Language: "go", Title: "main.go"})
	o := screenshot.Options{Language: "go", WindowTitle: "main.go"}
	o.Lines = screenshot.LineRange{From: 3, To: 5}
	require.NoError(t, option.Of[screenshot.Options]().InQuery().SetStrict(&o, map[string][]string{"theme": {"nord"}}))
	config, err := screenshot.New(code, o)
	require.NoError(t, err)
	var want bytes.Buffer
	require.NoError(t, config.WritePNG(t.Context(), &want, 1))
	w := p.get(t, "/snippets/"+id+".png?theme=nord&lines=3-5&scale=1", "")
	assert.Equal(t, want.Bytes(), w.Body.Bytes())
	assert.Equal(t, "image/png", w.Header().Get("Content-Type"))
	assert.Equal(t, "cross-origin", w.Header().Get("Cross-Origin-Resource-Policy"), "other sites may show it")
	assert.Contains(t, w.Header().Get("X-Robots-Tag"), "noindex")

	want.Reset()
	require.NoError(t, config.WriteSVG(t.Context(), &want))
	w = p.get(t, "/snippets/"+id+".svg?theme=nord&lines=3-5", "")
	assert.Equal(t, want.String(), w.Body.String())
	assert.Contains(t, w.Header().Get("Content-Security-Policy"), "sandbox")
}

func TestSharedPicture_caching(t *testing.T) {
	p := newPages(t)
	p.now = p.now.Truncate(time.Millisecond) // the precision of a share's expiry
	path := "/snippets/" + p.newSnippet(t, "x := 1", share.SnippetOptions{Expiry: "1h"}) + ".svg"
	w := p.get(t, path, "")
	assert.Equal(t, "public, max-age=300", w.Header().Get("Cache-Control"))
	tag := w.Header().Get("ETag")
	w = p.get(t, path, "", "If-None-Match", tag)
	assert.Equal(t, http.StatusNotModified, w.Code)
	assert.Empty(t, w.Body.Bytes())
	assert.Equal(t, http.StatusOK, p.get(t, path+"?wrap=20", "", "If-None-Match", tag).Code, "another picture")

	p.now = p.now.Add(time.Hour - 100*time.Second)
	assert.Equal(t, "public, max-age=100", p.get(t, path, "").Header().Get("Cache-Control"), "not beyond its life")
	p.now = p.now.Add(100 * time.Second)
	assert.Equal(t, http.StatusNotFound, p.get(t, path, "", "If-None-Match", tag).Code)
}

// TestLogPicture_levels checks the pixels behind the lines.
func TestLogPicture_levels(t *testing.T) {
	p := newPages(t)
	log := strings.Repeat("INFO fine\n", 39) + "INFO fine\nERROR \x1b[31mdisk\x1b[0m is full\nWARN slow\nINFO fine\n" + strings.Repeat("ERROR again\n", 10_000)
	path := "/logs/" + p.newLog(t, log, share.LogOptions{}) + ".png?scale=1"
	behind := func(m image.Image, row int) color.Color { return m.At(m.Bounds().Dx()-70, 64+44+21*row+10) }
	draw := func(query string) image.Image {
		w := p.get(t, path+query, "")
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		m, err := png.Decode(w.Body)
		require.NoError(t, err)
		return m
	}
	m := draw("&lines=40-43")
	assert.Equal(t, 64+44+21*4+20+64, m.Bounds().Dy())
	info, wrong, slow := behind(m, 0), behind(m, 1), behind(m, 2)
	assert.Equal(t, info, behind(m, 3))
	assert.NotEqual(t, info, wrong)
	assert.NotEqual(t, info, slow)
	assert.NotEqual(t, wrong, slow)
	assert.Equal(t, 64+44+21*200+20+64, draw("").Bounds().Dy(), "the first lines of a long log")

	red := func(m image.Image) (n int) {
		for y := range m.Bounds().Dy() {
			for x := range m.Bounds().Dx() {
				if m.At(x, y) == (color.NRGBA{0xff, 0x55, 0x55, 255}) || m.At(x, y) == (color.RGBA{0xff, 0x55, 0x55, 255}) {
					n++
				}
			}
		}
		return n
	}
	assert.Zero(t, red(draw("&lines=41&window=none")))
	assert.Greater(t, red(draw("&lines=41&window=none&input=ansi")), 10, "the colours that the program wrote")
}

func TestPages_ownThemes(t *testing.T) {
	mine, ok := highlight.LookupTheme("nord")
	require.True(t, ok)
	mine.Name, mine.Background = "mine", "#123456"
	p := newPages(t, func(o *web.Options) { o.Themes = []highlight.Theme{mine} })
	path := "/snippets/" + p.newSnippet(t, "x", share.SnippetOptions{}) + ".svg"
	assert.Contains(t, p.get(t, path+"?theme=mine", "").Body.String(), `fill="#123456"`)
	wrong := p.get(t, path+"?theme=yours&scale=9", "")
	assert.Equal(t, http.StatusBadRequest, wrong.Code)
	assert.Equal(t, "text/plain; charset=utf-8", wrong.Header().Get("Content-Type"), "like any failure of a page")
	assert.Regexp(t, `^The address of this picture is wrong\ntheme: must be one of .*\nscale: must be 1 to 4\n$`, wrong.Body.String())
	assert.Contains(t, p.get(t, path+"?theme=yours", "text/html").Body.String(), "<h1>The address of this picture is wrong</h1>")
	assert.Contains(t, p.get(t, "/screenshot", browser).Body.String(), `value="mine" data-more`, "the studio offers it")
}

func TestSharedPicture_refuses(t *testing.T) {
	p := newPages(t)
	snippet, log := "/snippets/"+p.newSnippet(t, strings.Repeat("x\n", 40_000), share.SnippetOptions{}), "/logs/"+p.newLog(t, "a", share.LogOptions{})
	for path, want := range map[string]int{
		snippet + ".png":                 http.StatusBadRequest, // too long for a picture
		snippet + ".png?lines=9-20":      http.StatusOK,
		snippet + ".png?lines=20-9":      http.StatusBadRequest,
		snippet + ".png?lines=1&x=1":     http.StatusBadRequest,
		snippet + ".png?lines=1&scale=":  http.StatusBadRequest,
		snippet + ".png?scale=9&lines=1": http.StatusBadRequest,
		snippet + ".gif":                 http.StatusNotFound,
		log + ".svg":                     http.StatusNotFound,
		log + ".png?lines=2-3":           http.StatusBadRequest,
		"/logs/none.png":                 http.StatusNotFound,
	} {
		assert.Equal(t, want, p.get(t, path, "").Code, path)
	}
	assert.Contains(t, p.get(t, log+".png?lines=2-3", "").Body.String(), "lines: must begin in the log, not at line 2 behind its end")
	off := newPages(t, func(o *web.Options) { o.NoPictures = true })
	assert.Equal(t, http.StatusNotFound, off.get(t, "/snippets/"+off.newSnippet(t, "x", share.SnippetOptions{})+".png", "").Code)

	limiter, err := ratelimit.New(store.NewMemory(), ratelimit.Limits{PerMinute: 1}, nil)
	require.NoError(t, err)
	limited := newPages(t, func(o *web.Options) { o.Limiter = limiter })
	path := "/snippets/" + limited.newSnippet(t, "x", share.SnippetOptions{}) + ".svg"
	assert.Equal(t, http.StatusOK, limited.get(t, path, "").Code)
	assert.Equal(t, http.StatusTooManyRequests, limited.get(t, path, "").Code)
}

// A preview picture has the shape of 1200 by 630 pixels, and its URL is in the
// head of the page.
func TestCards_ofSnippetsAndLogs(t *testing.T) {
	if testing.Short() {
		t.Skip("draws large pictures, which package screenshot does under the race detector")
	}
	p := newPages(t, func(o *web.Options) { o.LinkPreviews = "picture" })
	log := strings.Repeat("10:00:00 INFO up\n", 40) + "10:00:01 ERROR disk is full\n\tat main\n" + strings.Repeat("10:00:02 INFO down\n", 40)
	for path, lines := range map[string]string{
		"/snippets/" + p.newSnippet(t, "package main\n\nfunc main() {\n\tprintln(\"hello\")\n}\n", share.SnippetOptions{Title: "main.go", Language: "go"}): "1-14",
		"/logs/" + p.newLog(t, log, share.LogOptions{Title: "Nightly build"}):                                                                              "39-52",
		"/logs/" + p.newLog(t, strings.Repeat(strings.Repeat("漢", 100)+"\n", 15), share.LogOptions{Title: strings.Repeat("é", 500)}):                       "1-14",
		"/snippets/" + p.newSnippet(t, "\n", share.SnippetOptions{}):                                                                                       "1-14",
	} {
		page := p.get(t, path, curl, "User-Agent", "Slackbot-LinkExpanding 1.0").Body.String()
		card := path + ".png?ratio=og&wrap=80&lines=" + lines
		assert.Contains(t, page, `<meta property="og:image" content="http://example.com`+strings.ReplaceAll(card, "&", "&amp;")+`">`)
		assert.Contains(t, page, "summary_large_image")
		w := p.get(t, card, "image/*")
		require.Equal(t, http.StatusOK, w.Code, path)
		assert.Equal(t, "public, max-age=300", w.Header().Get("Cache-Control"))
		picture, err := png.Decode(w.Body)
		require.NoError(t, err)
		assert.InDelta(t, 1200./630, float64(picture.Bounds().Dx())/float64(picture.Bounds().Dy()), 0.01)
	}
	for _, path := range []string{
		"/logs/" + p.newLog(t, "x", share.LogOptions{Burn: true}),
		"/snippets/" + p.newSnippet(t, "devkiln1."+strings.Repeat("A", 80), share.SnippetOptions{Encrypted: true}),
	} {
		assert.Equal(t, http.StatusConflict, p.get(t, path+".png", "image/*").Code)
		assert.NotContains(t, p.get(t, path, browser).Body.String(), "og:image")
	}
	facts := newPages(t)
	path := "/logs/" + facts.newLog(t, "x", share.LogOptions{})
	assert.NotContains(t, facts.get(t, path, browser).Body.String(), "og:image")
}
