package web_test

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// largeLog shares a text too long for one page.
func (p *pages) largeLog(t *testing.T, text string) string {
	t.Helper()
	log, err := p.shares.CreateLogFrom(t.Context(), strings.NewReader(text), share.LogOptions{Title: "nightly"})
	require.NoError(t, err)
	require.Greater(t, len(log.Parts), 1)
	return "/logs/" + log.ID
}

// longLine makes logs in parts of few lines, which cost more than bytes.
var longLine = "10:00:00 INFO up" + strings.Repeat(" and up", 22) + "\n"

// Untrusted text stays text in parts and in search results.
func TestParts_hostileText(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	p := newPages(t)
	ours := regexp.MustCompile(`^<(/?section|/?span|p id=L\d+( class=\w)? data-n=\d+|p class=gap|a rel=nofollow href="[^"<>]+"|/a|i|/i|i class=\w+)>$`)
	all := vectors(t)
	text := strings.Repeat(strings.Join(all, "\n")+"\n", 1+5<<20/len(strings.Join(all, "\n")))
	path := p.largeLog(t, text)
	for _, query := range []string{"?part=2", "?q=script", "?q=/</", "?level=o"} {
		page := p.get(t, path+query, "text/html").Body.String()
		_, lines, _ := strings.Cut(page, `<div class="lines log`)
		lines, _, ok := strings.Cut(lines[strings.Index(lines, ">")+1:], "</div>\n")
		require.True(t, ok)
		for _, found := range tag.FindAllString(lines, -1) {
			assert.True(t, ours.MatchString(found), "%s: %s", query, found)
		}
		assert.Greater(t, strings.Count(lines, "<p id="), 100, query)
	}
}

func TestParts_addresses(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	p := newPages(t)
	text := strings.Repeat("10:00:00 INFO up\n", 90_000) + "10:00:01 ERROR disk is full\n"
	path := p.largeLog(t, text)
	for query, want := range map[string]string{
		"":                       "Part 1 of ",
		"?part=2":                "Part 2 of ",
		"?part=99":               "Part 3 of 3",
		"?part=x":                "Part 1 of ",
		"?line=90001":            "Part 3 of 3",
		"?q=%2F%28%2F":           "cannot be read: missing closing )",
		"?q=disk":                "1 of 90,001",
		"?q=disk&lines=1-100":    "No line matches.",
		"?part=2&open=1&shut=5-": "Part 2 of ",
	} {
		w := p.get(t, path+query, "text/html")
		assert.Equal(t, http.StatusOK, w.Code, query)
		assert.Contains(t, w.Body.String(), want, query)
		assert.Less(t, w.Body.Len(), 2<<20, query)
	}
	w := p.get(t, path+"?summary", "*/*")
	assert.Contains(t, w.Body.String(), "first error  L90001")
	assert.True(t, p.get(t, path, "*/*").Body.String() == text)
	assert.True(t, p.get(t, path+"/raw", "*/*").Body.String() == text)
	part := p.get(t, path+"/raw?part=2", "*/*").Body.String()
	assert.True(t, strings.Contains(text, part))
	assert.Less(t, len(part), 512<<10+1)
}

// A picture of lines in any part equals the library's picture of those lines,
// with their numbers and level colours.
func TestParts_pictures(t *testing.T) {
	if testing.Short() {
		t.Skip("draws large pictures, which package screenshot does under the race detector")
	}
	p := newPages(t, func(o *web.Options) { o.LinkPreviews = "picture" })
	var text strings.Builder
	for i := 1; i <= 60_000; i++ {
		fmt.Fprintf(&text, "10:00:00 INFO request %d of the nightly build was served\n", i)
		if i == 40_000 {
			text.WriteString("10:00:01 ERROR disk is full\n\tat a.b(C.java:1)\n")
		}
	}
	path := p.largeLog(t, text.String())
	o := screenshot.Options{Language: "text", WindowTitle: "nightly"}
	o.FirstLine, o.Tints = 39_999, []screenshot.Tint{{Line: 40_001, Color: "#f2404066"}, {Line: 40_002, Color: "#f2404066"}}
	config, err := screenshot.New("10:00:00 INFO request 39999 of the nightly build was served\n10:00:00 INFO request 40000 of the nightly build was served\n10:00:01 ERROR disk is full\n\tat a.b(C.java:1)\n", o)
	require.NoError(t, err)
	var want bytes.Buffer
	require.NoError(t, config.WritePNG(t.Context(), &want, 1))
	got := p.get(t, path+".png?lines=39999-40002&scale=1", "image/png")
	assert.True(t, bytes.Equal(want.Bytes(), got.Body.Bytes()))
	assert.Equal(t, http.StatusNotModified, p.get(t, path+".png?lines=39999-40002&scale=1", "image/png", "If-None-Match", got.Header().Get("ETag")).Code)
	assert.Equal(t, http.StatusOK, p.get(t, path+".png?scale=1", "image/png").Code)
	w := p.get(t, path+".png?lines=1-60000", "image/png")
	assert.Equal(t, http.StatusBadRequest, w.Code)
	assert.Contains(t, w.Body.String(), "must have at most 50000")
}

// Logs in parts are compared line by line if one page could show both.
// Otherwise only their messages are compared, with links to the parts.
func TestCompare_parts(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	p := newPages(t)
	id := func(path string) string { return strings.TrimPrefix(path, "/logs/") }
	compare := func(a, b, accept string) string {
		w := p.get(t, "/compare/"+id(a)+"/"+id(b), accept)
		require.Equal(t, http.StatusOK, w.Code)
		return w.Body.String()
	}
	lines := strings.Repeat(longLine, 4_000)
	long := p.largeLog(t, lines+"10:00:01 ERROR disk is full\n")
	short := "/logs/" + p.newLog(t, longLine+"10:00:01 WARN slow\n", share.LogOptions{})
	assert.Contains(t, compare(short, long, curl), "+10:00:01 ERROR disk is full\n")
	assert.Regexp(t, `(?s)New errors in B <.*<a href="`+long+`#L4001">`, compare(short, long, browser))

	longer := p.largeLog(t, strings.Repeat(lines, 8)+"10:00:01 ERROR disk is full\n")
	page := compare(short, longer, browser)
	assert.Contains(t, page, "Together the logs have more than 4.2 MB: too much to compare line by line.")
	assert.Regexp(t, `(?s)New errors in B <.*<a href="`+longer+`\?line=32001#L32001">`, page)
	assert.Regexp(t, `(?s)Also gone from A <.*<a href="`+short+`#L2">`, page)
	assert.Equal(t, "Together the logs have more than 4.2 MB: too much to compare line by line.\n", compare(short, longer, curl))
	assert.Contains(t, compare(longer, longer, browser), "Both logs have the same messages, and as many of each.")
}

// TestParts_thatAreGone checks that a missing part aborts the response: half a
// log must not look complete.
func TestParts_thatAreGone(t *testing.T) {
	backend := store.NewMemory()
	p := newPages(t, func(o *web.Options) { o.Shares = newShares(t, backend, share.Options{}) })
	p.shares = newShares(t, backend, share.Options{})
	path := p.largeLog(t, strings.Repeat(longLine, 26_000))
	require.NoError(t, backend.Delete(t.Context(), "part/"+path[6:]+"/0003"))
	assert.PanicsWithValue(t, http.ErrAbortHandler, func() { p.get(t, path+"/raw", "*/*") })
	assert.Equal(t, http.StatusNotFound, p.get(t, path+"?part=4", "text/html").Code)
	assert.Equal(t, http.StatusNotFound, p.get(t, "/compare/"+path[6:]+"/"+path[6:], "text/html").Code)
}
