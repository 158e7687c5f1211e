package web_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// listed returns the HTML of the lines in a viewer's page.
func listed(t testing.TB, page string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, `<div class="lines `)
	require.True(t, ok, "page has no lines")
	_, rest, _ = strings.Cut(rest, ">")
	lines, _, ok := strings.Cut(rest, "</div>\n</main>")
	require.True(t, ok)
	return lines
}

var (
	tag    = regexp.MustCompile(`<[^>]*>?`)
	ourTag = regexp.MustCompile(`^<(section|/section|span|/span|p id=L[0-9]+( class=[FEWIDTfewidt])?( data-folded)?|p class=fold data-to=[0-9]+( data-folded)?( data-step)?|a rel=nofollow aria-expanded=(true|false) href="#L[0-9]+"|i|i class=([a-z][0-9]{0,3}|[A-Z])|i class="[a-zA-Z0-9 ]+"|/i|a rel=nofollow href="https?://[^"<>]+"|/a)>$`)
)

// onlyOurs checks that a listing has only the viewer's own tags. It returns the
// text, with a line feed before each line.
func onlyOurs(t testing.TB, lines string) string {
	t.Helper()
	return html.UnescapeString(tag.ReplaceAllStringFunc(lines, func(s string) string {
		assert.Regexp(t, ourTag, s)
		if strings.HasPrefix(s, "<p ") {
			return "\n"
		}
		return ""
	}))
}

// vectors returns attack vectors, only every eighth in short mode.
func vectors(t testing.TB) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/xss.json")
	require.NoError(t, err)
	var all []string
	require.NoError(t, json.Unmarshal(data, &all))
	require.GreaterOrEqual(t, len(all), 200)
	if testing.Short() {
		var some []string
		for part := range slices.Chunk(all, 8) {
			some = append(some, part[0])
		}
		return some
	}
	return all
}

// Untrusted text is shown as text: all vectors together as lines, and each
// vector in every other place.
func TestViewers_hostileText(t *testing.T) {
	p := newPages(t)
	all := vectors(t)
	content := strings.Join(all, "\n")
	log := p.get(t, "/logs/"+p.newLog(t, content, share.LogOptions{}), browser).Body.String()
	got := strings.Split(strings.TrimPrefix(onlyOurs(t, listed(t, log)), "\n"), "\n")
	require.Len(t, got, len(all))
	for i, vector := range all {
		if strings.ContainsAny(vector, "\u202e\u2028\u0085\x0b\x0c\x1b") {
			continue // shown as pictures, numbers and colours
		}
		assert.Equal(t, vector, got[i])
	}
	for _, lang := range []string{"html", "javascript", "markdown", "json", "svg", "xml", "php", "text"} {
		page := p.get(t, "/snippets/"+p.newSnippet(t, content, share.SnippetOptions{Language: lang})+"?view=source", browser).Body.String()
		text := onlyOurs(t, listed(t, page))
		assert.Len(t, strings.Split(text, "\n"), len(all)+1, lang)
		assert.Contains(t, text, all[0], lang)
	}
}

func TestViewers_hostileTitles(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	p := newPages(t)
	quoted := regexp.MustCompile(`title="[^"]*"|title" content="[^"]*"|%2f[0-9a-z]{16}|/[0-9a-z]{16}|[a-z]+="[^"]*/[0-9a-z]{16}[^"]*"|#[-_A-Za-z0-9]+"`)
	shape := func(path string) []string {
		tags := tag.FindAllString(p.get(t, path, browser).Body.String(), -1)
		for i, s := range tags {
			tags[i] = quoted.ReplaceAllString(s, "")
		}
		return tags
	}
	plain := shape("/logs/" + p.newLog(t, "x", share.LogOptions{Title: "t"}))
	plainSnippet := shape("/snippets/" + p.newSnippet(t, "x", share.SnippetOptions{Title: "t", Language: "text"}))
	for _, vector := range vectors(t) {
		assert.Equal(t, plain, shape("/logs/"+p.newLog(t, "x", share.LogOptions{Title: vector})), "title %q", vector)
		assert.Equal(t, plainSnippet, shape("/snippets/"+p.newSnippet(t, "x", share.SnippetOptions{Title: vector[:min(len(vector), 90)], Language: vector})), "language %q", vector)
	}
}

func TestViewLog_levelsAndCounts(t *testing.T) {
	p := newPages(t)
	const content = "starting\n2026-11-20 10:00:00 INFO ready\n2026-11-20 10:00:01 ERROR it broke\n\tat a.b(C.java:1)\n2026-11-20 10:00:02 WARN slow\n2026-11-20 10:00:03 FATAL gone\n2026-11-20 10:00:04 DEBUG d\n2026-11-20 10:00:05 TRACE t\n"
	page := p.get(t, "/logs/"+p.newLog(t, content, share.LogOptions{Title: "A log"}), browser).Body.String()
	lines := listed(t, page)
	for _, want := range []string{
		"<p id=L1>starting", "<p id=L2 class=I><i>2026-11-20 10:00:00 </i>INFO ready", "<p id=L3 class=E>", "<p id=L4 class=e>\tat", "<p id=L5 class=W>",
		"<p id=L6 class=F>", "<p id=L7 class=D>", "<p id=L8 class=T>",
	} {
		assert.Contains(t, lines, want)
	}
	for class, name := range map[string]string{"f": "Fatal", "e": "Error", "w": "Warning", "i": "Info", "d": "Debug", "t": "Trace", "o": "Other"} {
		assert.Contains(t, page, fmt.Sprintf(`<b class="level-%s">%s</b> 1<`, class, name))
	}
	assert.Contains(t, page, `href="#L3" data-next-error`)
	assert.Contains(t, page, "<title>A log · Devkiln</title>")
	assert.Contains(t, page, "expires in 24 hours")
}

// Blank content is labelled as such and has no level filter.
func TestViewers_blankContent(t *testing.T) {
	p := newPages(t)
	for content, blank := range map[string]bool{" \t\n\r\n  ": true, "\n": true, " x": false} {
		log := p.get(t, "/logs/"+p.newLog(t, content, share.LogOptions{}), browser).Body.String()
		snippet := p.get(t, "/snippets/"+p.newSnippet(t, content, share.SnippetOptions{}), browser).Body.String()
		assert.Equal(t, blank, strings.Contains(log, "<span>only white space</span>"), "%q", content)
		assert.Equal(t, blank, strings.Contains(snippet, "<span>only white space</span>"), "%q", content)
		assert.Equal(t, blank, !strings.Contains(log, "Show only"), "%q", content)
	}
}

// A page may weigh 2.5 times its content of 500,000 characters. Only necessary
// escaping may exceed that: a log of only < weighs 4 times its content.
func TestViewLog_weight(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 19 of the largest pages")
	}
	p := newPages(t)
	numbered := func(n int, format string) string {
		var b strings.Builder
		for i := 0; b.Len() < 490_000; i++ {
			fmt.Fprintf(&b, format, i%n)
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		content string
		plain   bool
		most    float64 // 0 means 2.5
	}{
		"25,000 lines":    {content: strings.Repeat("ERROR 0123456789 ab\n", 25_000)},
		"times":           {content: numbered(60, "2026-11-20T10:00:%02dZ INFO request served in 12 ms\n")},
		"times in short":  {content: numbered(60, "10:00:%02d ERROR x\n")},
		"colours":         {content: numbered(100, "\x1b[36minfo\x1b[39m \x1b[1mline %d\x1b[22m of a build\n")},
		"all colours":     {content: strings.Repeat("\x1b[1;3;4;9;38;5;200;48;5;100mx\x1b[1mx\n", 12_000)},
		"colour per byte": {content: "\x1b[1;3;4;9;38;5;200;48;5;100m" + strings.Repeat("\x1b[1mx", 97_000)},
		"JSON":            {content: numbered(100, `{"level":"info","n":%d,"message":"served"}`+"\n")},
		"empty lines":     {content: strings.Repeat("\n", 500_000), plain: true},
		"one line":        {content: strings.Repeat("x", 500_000)},
		"wide letters":    {content: strings.Repeat("жж\n", 166_000), plain: true},
		"some markup":     {content: numbered(100, "<event><id>%d</id><kind>order</kind></event>\n")},
		"all markup":      {content: strings.Repeat("<&>", 166_666)},
		"addresses":       {content: numbered(100, "GET /search?q=a&page=%d&size=20&sort=asc&lang=en 200\n")},
		"lines of markup": {content: strings.Repeat("<<<<<<<<<<<<<<<<<<<\n", 25_000), plain: true, most: 4.0},
		"only <":          {content: strings.Repeat("<", 500_000), plain: true, most: 4.1},
		"references":      {content: strings.Repeat("&a", 250_000), plain: true, most: 3.1},
		"NUL":             {content: strings.Repeat("\x00", 500_000), plain: true, most: 3.1},
		"C1 controls":     {content: strings.Repeat("\u0085", 500_000)},
		"directions":      {content: strings.Repeat("\u202e", 500_000)},
	} {
		page := p.get(t, "/logs/"+p.newLog(t, c.content, share.LogOptions{}), browser).Body.String()
		ratio := float64(len(page)) / float64(len(c.content))
		t.Logf("%-16s %.2f", name, ratio)
		assert.LessOrEqual(t, ratio, cmp.Or(c.most, 2.5), name)
		assert.Equal(t, c.plain, !strings.Contains(page, "<p id=L1"), name)
		assert.Equal(t, c.plain, strings.Contains(page, "too many short lines to number"), name)
	}
}

func TestViewSnippet_highlighted(t *testing.T) {
	p := newPages(t)
	page := p.get(t, "/snippets/"+p.newSnippet(t, "// hi\nfunc main() { return \"a\\n\" }\n", share.SnippetOptions{Language: "Go", Title: "main.go"}), browser).Body.String()
	lines := listed(t, page)
	assert.Contains(t, lines, "<p id=L1><i class=c>// hi</i>")
	assert.Contains(t, lines, "<p id=L2><i class=k>func</i> <i class=n>main</i>")
	assert.Contains(t, page, "<span>Go</span>")
	assert.Equal(t, 2, strings.Count(lines, "<p "))
}

// Folds and JSON columns add only the viewer's own markup to untrusted text.
func TestViewLog_foldsAndColumns(t *testing.T) {
	p := newPages(t)
	trace := "java.lang.Error: <b>\n" + strings.Repeat("\tat a.<init>(A.java:1)\n", 6)
	lines := listed(t, p.get(t, "/logs/"+p.newLog(t, "##[group]<script>\n"+trace+"##[endgroup]\n", share.LogOptions{}), browser).Body.String())
	text := onlyOurs(t, lines)
	assert.Contains(t, text, "\n8 lines\njava.lang.Error: <b>")
	assert.Contains(t, text, "⋯ 3 more frames\n\tat a.<init>(A.java:1)")
	assert.Equal(t, 3, strings.Count(lines, "data-folded"))
	for log, want := range map[string]string{
		"E: no\n\tat org.springframework.A.b(A.java:1)\n\tat java.base/java.util.B.c(B.java:2)\n\tat com.acme.C.d(C.java:3)\n\tat com.acme.C.e(C.java:4)\n\tat com.acme.C.f(C.java:5)\n\tat com.acme.C.g(C.java:6)\n":                                "\n⋯ 2 library frames\n\tat org",
		"panic: no\ngoroutine 1 [running]:\nruntime.gopanic(0x1)\n\t/usr/local/go/src/runtime/panic.go:9 +0x1\nmain.run()\n\t/app/main.go:7 +0x1\nmain.main()\n\t/app/main.go:3 +0x1\n":                                                              "\n⋯ 2 library frames\nruntime.gopanic(0x1)\n",
		"Traceback (most recent call last):\n  File \"/app/a.py\", line 1, in a\n    b()\n  File \"/usr/lib/python3/site-packages/x.py\", line 2, in x\n    y()\n  File \"/usr/lib/python3/site-packages/y.py\", line 2, in y\n    raise E\nE: no\n": "\n    b()\n⋯ 4 library frames\n",
	} {
		text := onlyOurs(t, listed(t, p.get(t, "/logs/"+p.newLog(t, log, share.LogOptions{}), browser).Body.String()))
		assert.Contains(t, text, want)
		assert.Equal(t, 1, strings.Count(text, "⋯"), "frames of one's own are all in sight: %s", text)
	}
	record := listed(t, p.get(t, "/logs/"+p.newLog(t, `{"level":"<i>","msg":"\u003cscript>","a\"><b>":"x"}`, share.LogOptions{}), browser).Body.String())
	assert.Equal(t, "\n <I> <script> a\"><b>=x", strings.ReplaceAll(onlyOurs(t, record), "<i>", "<I>"))
}

func FuzzViewers(f *testing.F) {
	for _, vector := range vectors(f) {
		f.Add(vector, "html")
	}
	f.Add("a\r\n\r\nb", "go")
	p := newPages(f)
	f.Fuzz(func(t *testing.T, content, lang string) {
		log, err := p.shares.CreateLog(t.Context(), content, share.LogOptions{})
		if err != nil {
			return
		}
		onlyOurs(t, listed(t, p.get(t, "/logs/"+log.ID, browser).Body.String()))
		if snippet, err := p.shares.CreateSnippet(t.Context(), content, share.SnippetOptions{Language: lang}); err == nil {
			onlyOurs(t, listed(t, p.get(t, "/snippets/"+snippet.ID+"?view=source", browser).Body.String()))
		}
	})
}

// pieces is a client that receives a page in pieces.
type pieces struct {
	http.ResponseWriter
	sizes []int
}

func (p *pieces) Write(b []byte) (int, error) {
	p.sizes = append(p.sizes, len(b))
	return p.ResponseWriter.Write(b)
}

// The page of a large log is streamed, so a slow client occupies memory for the
// log but not for its markup.
func TestViewLog_isWrittenInPieces(t *testing.T) {
	p := newPages(t)
	content := strings.Repeat("2026-11-20 10:00:00 ERROR it broke\n", 14_000)
	path := "/logs/" + p.newLog(t, content, share.LogOptions{})
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
	r.Header.Set("Accept", browser)
	w := httptest.NewRecorder()
	client := &pieces{ResponseWriter: w}
	p.ServeHTTP(client, r)
	require.Greater(t, w.Body.Len(), 800_000)
	assert.Less(t, slices.Max(client.sizes), 64<<10)
	assert.Equal(t, 14_000, strings.Count(w.Body.String(), "<p id=L"))
}

// Viewers take their memory from the budget shared by all requests.
func TestViewers_memoryIsBounded(t *testing.T) {
	p := newPages(t)
	for path, size := range map[string]int64{
		"/logs/" + p.newLog(t, strings.Repeat("INFO a line\n", 10_000), share.LogOptions{}):                         120_000,
		"/snippets/" + p.newSnippet(t, strings.Repeat("x = 1\n", 10_000), share.SnippetOptions{Language: "python"}): 60_000 * 12,
	} {
		for budget, status := range map[int64]int{size / 2: http.StatusServiceUnavailable, 8 * size: http.StatusOK} {
			ctx := fair.NewContext(t.Context(), fair.NewQueue(budget).Lease("192.0.2.1"))
			r := httptest.NewRequestWithContext(ctx, http.MethodGet, path, http.NoBody)
			r.Header.Set("Accept", browser)
			w := httptest.NewRecorder()
			p.ServeHTTP(w, r)
			assert.Equal(t, status, w.Code, path)
			if status != http.StatusOK {
				assert.Equal(t, "5", w.Header().Get("Retry-After"))
				assert.Contains(t, w.Body.String(), "Too much at once")
			}
		}
	}
}

// A log longer than a screen has a summary and a histogram; a short one does
// not.
func TestViewLog_summary(t *testing.T) {
	p := newPages(t)
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "2026-11-20 10:%02d:00 INFO step %d done\n", i, i)
	}
	b.WriteString("2026-11-20 11:00:00 ERROR disk <b> is full\n2026-11-20 11:01:00 INFO step 61 done\n")
	page := p.get(t, "/logs/"+p.newLog(t, b.String(), share.LogOptions{}), browser).Body.String()
	assert.Regexp(t, `<p class="kind">First error</p>\s*<h2><a href="#L61">disk &lt;b&gt; is full</a></h2>`, page, "without what is before a message")
	assert.Regexp(t, `aria-label="[^"]*, 1 error"><title>`, page)
	assert.Equal(t, 1, strings.Count(page, `<rect class="error"`))
	records := p.newLog(t, strings.Repeat(`{"level":"info","msg":"served"}`+"\n", 40)+`{"level":"error","msg":"refused"}`+"\n", share.LogOptions{})
	assert.Regexp(t, `First error</p>\s*<h2><a href="#L41">refused</a>`, p.get(t, "/logs/"+records, browser).Body.String())
	failed := p.newLog(t, strings.Repeat("INFO served\n", 40)+"ERROR refused\njava.io.IOException: no\n\tat a.B.c(B.java:1)\nCaused by: a.Timeout: 3 s\nCaused by: a.Deep: no slots\n\tat a.B.c(B.java:1)\nINFO more\nERROR it stopped\n", share.LogOptions{})
	causes := p.get(t, "/logs/"+failed, browser).Body.String()
	assert.Contains(t, causes, `Exception</span> <a href="#L42">L42</a> <code>java.io.IOException: no</code>`)
	assert.Contains(t, causes, `Error</span> <a href="#L41">L41</a> <code>refused</code>`)
	assert.Regexp(t, `First error</p>\s*<h2><a href="#L45">a.Deep: no slots</a>`, causes, "the innermost cause leads")
	assert.Equal(t, 1, strings.Count(causes, `<a href="#L48">L48</a>`), "an entry is told once")
	tested := p.newLog(t, "ERROR no database\n"+strings.Repeat("INFO served\n", 40)+"=== RUN   TestA\n    a_test.go:1: no\n--- FAIL: TestA (0.00s)\nFAIL\n", share.LogOptions{})
	_, causes, _ = strings.Cut(p.get(t, "/logs/"+tested, browser).Body.String(), "<summary>Summary")
	causes, _, _ = strings.Cut(causes, "</details>")
	assert.Contains(t, causes, "no database")
	assert.Equal(t, 2, strings.Count(causes, "<li>"), "the headline is not repeated, but the result")
	broken := p.newLog(t, strings.Repeat("INFO served\n", 40)+" FAIL  bowl.test.ts > bowl > holds soup\nAssertionError: expected 0.5 to be 0.7\n", share.LogOptions{})
	assert.NotContains(t, p.get(t, "/logs/"+broken, browser).Body.String(), `<span class="kind">Result`, "a failure of the headline is no result")
	rare := p.newLog(t, strings.Repeat("INFO served\n", 40)+"ERROR refused\nERROR port 8080 in use\nERROR port 1 is shut\nERROR port 2 is shut\nERROR stopped\n", share.LogOptions{})
	counted := p.get(t, "/logs/"+rare, browser).Body.String()
	assert.Contains(t, counted, `Error</span> <a href="#L42">L42</a> <code>port 8080 in use</code>`, "what occurs once has its own words")
	assert.Contains(t, counted, `2 ×</span> <a href="#L43">L43</a> <code>port 1 is shut</code>`, "and a pattern is for no reader")
	requests := p.newLog(t, strings.Repeat("192.0.2.1 - - [27/Nov/2026:12:00:00 +0000] \"GET /a HTTP/2.0\" 200 12 \"-\" \"M\"\n", 40)+strings.Repeat("192.0.2.1 - - [27/Nov/2026:12:00:01 +0000] \"POST /b HTTP/2.0\" 502 12 \"-\" \"M\"\n", 3), share.LogOptions{})
	assert.Regexp(t, `First error, 3 times</p>\s*<h2><a href="#L41">POST /b → 502</a>`, p.get(t, "/logs/"+requests, browser).Body.String())
	spring := p.newLog(t, strings.Repeat("2026-11-27 09:12:33.958  INFO 1 --- [main] a.B : up\n", 40)+"2026-11-27 09:12:34.958 ERROR 1 --- [nio-8080-exec-0] o.a.c.c.C.[.[/].[d]    : no slots\n", share.LogOptions{})
	assert.Regexp(t, `<h2><a href="#L41">no slots</a>`, p.get(t, "/logs/"+spring, browser).Body.String(), "without the thread and the logger")
	panicked := p.newLog(t, "INFO up\npanic: runtime error: no kiln\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:9 +0x1d\nexit status 2\n", share.LogOptions{})
	assert.Regexp(t, `<h2><a href="#L2">panic: runtime error: no kiln</a>`, p.get(t, "/logs/"+panicked, browser).Body.String())
	repeated := p.newLog(t, strings.Repeat("2026-11-20 10:00:00,000 INFO  [main] app.Web - served\n", 40)+"2026-11-20 10:00:01,000 ERROR [http-7] app.Orders - order 1 is lost\n2026-11-20 10:00:02,000 ERROR [http-8] app.Orders - order 2 is lost\n", share.LogOptions{})
	told := regexp.MustCompile(`<span class="kind">(.*?)</span> <a href="#L(\d+)">L\d+</a> <code>(.*?)</code>`).FindAllStringSubmatch(p.get(t, "/logs/"+repeated, browser).Body.String(), -1)
	assert.Empty(t, told, "what repeats is told once")
	assert.Regexp(t, `First error, 2 times</p>\s*<h2><a href="#L41">order 1 is lost</a>`, p.get(t, "/logs/"+repeated, browser).Body.String())
	short := p.get(t, "/logs/"+p.newLog(t, "10:00:00 INFO a\n10:00:01 ERROR b\n", share.LogOptions{}), browser).Body.String()
	assert.NotContains(t, short, "First error")
	assert.NotContains(t, short, "<rect")
}

// Link preview programs get the page, whose head has the facts. curl gets the
// content.
func TestViewers_linkPreviews(t *testing.T) {
	const log = "2026-11-20 10:00:00 INFO up\n2026-11-20 10:00:01 ERROR <b>disk</b>\n2026-11-20 10:00:02 ERROR disk\n2026-11-20 10:00:03 WARN x\n"
	for mode, previews := range map[string]bool{"": true, "facts": true, "off": false} {
		p := newPages(t, func(o *web.Options) { o.LinkPreviews = mode })
		for path, facts := range map[string]string{
			"/logs/" + p.newLog(t, log, share.LogOptions{Title: `Nightly "build"`}):                                         "Log, 4 lines, 124 bytes, 2 errors, 1 warning",
			"/snippets/" + p.newSnippet(t, "package a\n", share.SnippetOptions{Language: "go", Title: "Nightly \"build\""}): "Go, 1 line, 10 bytes",
		} {
			for agent, previewer := range map[string]bool{
				"Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)": true, "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)": true,
				"TelegramBot (like TwitterBot)": true, "WhatsApp/2.23": true, "curl/8.5.0": false, "": false,
			} {
				w := p.get(t, path, curl, "User-Agent", agent)
				page := strings.Contains(w.Body.String(), "<!doctype html>")
				assert.Equal(t, previewer && previews, page, "%s %q", mode, agent)
				assert.Subset(t, w.Header().Values("Vary"), []string{"Accept", "User-Agent"})
				if page {
					assert.Contains(t, w.Body.String(), `<meta property="og:title" content="Nightly &#34;build&#34;">`)
					assert.Contains(t, w.Body.String(), `<meta property="og:description" content="`+facts+`">`)
				}
			}
			if !previews {
				assert.NotContains(t, p.get(t, path, browser).Body.String(), "og:")
			}
		}
	}
	_, err := web.New(web.Options{Shares: newShares(t, store.NewMemory(), share.Options{}), LinkPreviews: "all"})
	assert.EqualError(t, err, `web: Options.LinkPreviews is "all", must be facts, picture or off`)
}

// A search ends after a second, and says what it has not reached. It does not
// begin with an expression that would take more memory than its length.
func TestViewLog_costlySearches(t *testing.T) {
	p := newPages(t)
	text := strings.Repeat(strings.Repeat("a", 40_000)+"\n", 12)
	for _, path := range []string{
		"/logs/" + p.newLog(t, text, share.LogOptions{}),
		p.largeLog(t, strings.Repeat(text, 10)),
	} {
		search := func(expression, accept string) string {
			return p.get(t, path+"?q="+url.QueryEscape("/"+expression+"/"), accept).Body.String()
		}
		assert.Contains(t, search("(a?){1000}", browser), "cannot be read: this expression is too complex")
		slow := search("(.?){240}x", browser)
		assert.Regexp(t, `>0 of 120? lines; the search stopped after line \d+<`, slow)
		assert.Contains(t, slow, `<p class="none" hidden>`)
	}
	path := "/logs/" + p.newLog(t, text, share.LogOptions{})
	assert.Regexp(t, `^\{"lines":\[\],"searched":\d\}\s*$`, p.get(t, path+"?q="+url.QueryEscape("/(.?){240}x/"), "application/json").Body.String())
}

// Searches, comparisons and long code count as long work, which leaves a processor
// to the small pictures and pages of others.
func TestPages_longWorkWaits(t *testing.T) {
	p, queue, free := newPages(t), fair.NewQueue(1<<30), make(chan struct{})
	log := p.newLog(t, strings.Repeat("10:00:00 ERROR down\n", 25_000), share.LogOptions{})
	code := func(n int) string {
		return "/snippets/" + p.newSnippet(t, strings.Repeat("a ", n), share.SnippetOptions{Language: "text"})
	}
	var blocking sync.WaitGroup
	for i := range max(2, runtime.GOMAXPROCS(0)) - 1 {
		begun := make(chan struct{})
		blocking.Go(func() {
			lease := queue.Lease("key", strconv.Itoa(i))
			assert.NoError(t, lease.Do(t.Context(), time.Minute, func() error { close(begun); <-free; return nil }))
		})
		<-begun
	}
	status := func(path string, within time.Duration) int {
		ctx, cancel := context.WithTimeout(t.Context(), within)
		defer cancel()
		r := httptest.NewRequestWithContext(fair.NewContext(ctx, queue.Lease("visitors", path)), http.MethodGet, path, http.NoBody)
		r.Header.Set("Accept", browser)
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		return w.Code
	}
	for _, path := range []string{"/logs/" + log, "/logs/" + log + "?q=down", code(10), "/slug?text=a"} {
		assert.Equal(t, http.StatusOK, status(path, time.Minute), path)
	}
	var waiting sync.WaitGroup
	for _, path := range []string{"/logs/" + log + "?q=/down/", "/logs/" + log + "?after=9", "/compare/" + log + "/" + log, code(49_000)} {
		waiting.Go(func() { assert.GreaterOrEqual(t, status(path, time.Second), http.StatusInternalServerError, path) })
	}
	waiting.Wait()
	close(free)
	blocking.Wait()
}

// Code whose lexer takes too long comes without colours; the page says so.
func TestViewSnippet_costlyCode(t *testing.T) {
	if testing.Short() {
		t.Skip("under the race detector lexing takes ten times the work that it may")
	}
	p := newPages(t)
	path := "/snippets/" + p.newSnippet(t, strings.Repeat("<a ", 33_000), share.SnippetOptions{Language: "igor"})
	assert.Contains(t, p.get(t, path, browser).Body.String(), `<p class="note">Shown without colours: this code takes too long to colour.</p>`)
	ordinary := p.get(t, "/snippets/"+p.newSnippet(t, "package main", share.SnippetOptions{Language: "go"}), browser).Body.String()
	assert.NotContains(t, ordinary, "Shown without")
	assert.Contains(t, ordinary, "<i class=k>package</i>")
}

// A page names the format of a log as people do. Every format has such a name.
func TestViewLog_formatNames(t *testing.T) {
	names := func(path string) (all []string) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if name, _, ok := strings.Cut(line, "\t"); ok {
				all = append(all, name)
			}
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	assert.Equal(t, names("../../share/logs/internal/head/formats.tsv"), names("formatnames.tsv"))
	p := newPages(t)
	page := p.get(t, "/logs/"+p.newLog(t, "Nov 20 10:00:00 kiln sshd[12]: Accepted publickey\nNov 20 10:00:01 kiln sshd[12]: Received disconnect\n", share.LogOptions{}), browser).Body.String()
	assert.Contains(t, page, "<span>Syslog</span>")
	assert.NotContains(t, page, "rfc3164")
}
