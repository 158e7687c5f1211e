package web_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/devkiln/devkiln/share"
)

const (
	passed = "10:00:00 INFO start 1\n10:00:01 INFO connect to 10.0.0.1\n10:00:02 WARN slow 12 ms\n10:00:03 INFO done\n"
	failed = "11:30:00 INFO start 7\n11:30:01 INFO connect to 10.0.0.2\n11:30:02 ERROR disk <b> is full\n11:30:03 INFO done\n"
)

// The page shows what is new and what is gone, regardless of times and numbers.
func TestCompare_newAndGone(t *testing.T) {
	p := newPages(t)
	a, b := p.newLog(t, passed, share.LogOptions{Title: "Passed"}), p.newLog(t, failed, share.LogOptions{Title: "Failed"})
	cells := regexp.MustCompile(`<td class="(?:text|sign)">(.*?)</td>`)
	page := p.get(t, "/compare/"+a+"/"+b, browser).Body.String()
	var got []string
	for _, m := range cells.FindAllStringSubmatch(page, -1) {
		got = append(got, html.UnescapeString(markup.ReplaceAllString(m[1], "")))
	}
	assert.Equal(t, []string{
		"", "11:30:00 INFO start 7 in A: 1", "", "11:30:01 INFO connect to 10.0.0.2 in A: 1", "−", "10:00:02 WARN slow 12 ms", "+", "11:30:02 ERROR disk <b> is full", "", "11:30:03 INFO done",
	}, got)
	assert.Regexp(t, `(?s)New errors in B <.*<a href="/logs/`+b+`#L3">L3</a> <b class="level-error">error</b> <code>disk &lt;b&gt; is full</code>`, page)
	assert.Regexp(t, `(?s)Also gone from A <.*<a href="/logs/`+a+`#L3">L3</a> <b class="level-warning">warning</b> <code>slow 12 ms</code>`, page)
	assert.Contains(t, page, `href="/compare/`+b+"/"+a+`" title="Swap A and B">`)
	text := p.get(t, "/compare/"+a+"/"+b, curl)
	assert.Equal(t, "@@ -1,4 +1,4 @@\n 11:30:00 INFO start 7\n 11:30:01 INFO connect to 10.0.0.2\n-10:00:02 WARN slow 12 ms\n+11:30:02 ERROR disk <b> is full\n 11:30:03 INFO done\n", text.Body.String())
	assert.Contains(t, p.get(t, "/compare/"+p.newLog(t, "hello", share.LogOptions{})+"/"+a, browser).Body.String(), `<b class="level-none"></b>`)
	assert.Contains(t, p.get(t, "/compare/"+a+"/"+a, browser).Body.String(), "Both logs have the same messages, and as many of each.")
}

// What is left out has a row that says how many lines, and leads to them.
func TestCompare_leftOut(t *testing.T) {
	p := newPages(t)
	before, between, after := strings.Repeat("INFO a\n", 19), strings.Repeat("INFO b\n", 30), strings.Repeat("INFO c\n", 4)
	a, b := p.newLog(t, before+"WARN x\n"+between+"WARN y\n"+after, share.LogOptions{}), p.newLog(t, before+between+"ERROR z\n"+after, share.LogOptions{})
	page := p.get(t, "/compare/"+a+"/"+b, browser).Body.String()
	var got []string
	for _, m := range regexp.MustCompile(`class="gap">.*?<a href="/logs/`+b+`#(L\d+)">⋯ (.*?)</a>`).FindAllStringSubmatch(page, -1) {
		got = append(got, m[1]+": "+m[2])
	}
	assert.Equal(t, []string{"L1: 16 equal lines", "L23: 24 equal lines", "L54: 1 equal line"}, got)
}

// Of lines that replace each other, the words that changed are marked, whatever
// colours and times they have.
func TestCompare_changedWords(t *testing.T) {
	p := newPages(t)
	a := p.newLog(t, "10:00:00 INFO up\n10:00:01 \x1b[32mrefund > rounds a \x1b[1mrefund\x1b[0m\n", share.LogOptions{})
	b := p.newLog(t, "11:00:00 INFO up\n11:00:09 ##[error]refund > pays the refund\n", share.LogOptions{})
	page := p.get(t, "/compare/"+a+"/"+b, browser).Body.String()
	assert.Contains(t, page, `<td class="text"><i>10:00:01 </i><i class=f2>refund > <mark>rounds a</mark> </i><i class="f2 B">refund</i></td>`)
	assert.Contains(t, page, `<td class="text"><i>11:00:09 </i>refund > <mark>pays the</mark> refund</td>`)
}

// Logs with too many lines are compared only by their messages.
func TestCompare_manyLines(t *testing.T) {
	p := newPages(t)
	long := p.newLog(t, strings.Repeat("INFO a\n", 60_000), share.LogOptions{})
	page := p.get(t, "/compare/"+p.newLog(t, failed, share.LogOptions{})+"/"+long, browser).Body.String()
	assert.Contains(t, page, "too many to compare one by one")
	assert.Contains(t, page, "Errors gone from A")
	assert.NotContains(t, page, "<table")
	lines := p.newLog(t, strings.Repeat("INFO a\nWARN b\n", 2_000), share.LogOptions{})
	page = p.get(t, "/compare/"+p.newLog(t, failed, share.LogOptions{})+"/"+lines, browser).Body.String()
	assert.Contains(t, page, "more rows are not shown")
	assert.Equal(t, 2_001, strings.Count(page, "<tr"), "with the head")
}

// What failed in both logs stands first, by name.
func TestCompare_failures(t *testing.T) {
	p := newPages(t)
	run := func(tests ...string) string {
		var log strings.Builder
		log.WriteString("=== RUN   TestAll\n")
		for i, name := range tests {
			fmt.Fprintf(&log, "--- FAIL: %s (0.0%ds)\n    a_test.go:%d: no\n", name, i, i+4)
		}
		return p.newLog(t, log.String()+"FAIL\nFAIL\texample.com/a\t0.1s\n", share.LogOptions{})
	}
	page := p.get(t, "/compare/"+run("TestA", "TestB")+"/"+run("TestC", "TestB"), browser).Body.String()
	assert.Regexp(t, `(?s)New failures in B <span>1</span></h2>.*L2</a>.*?<code>TestC · a_test.go:4 · no</code>.*Fixed in B <.*<code>TestA · .*Still failing <.*L4</a>.*<code>TestB · a_test.go:5 · no</code>`, page)
	assert.NotContains(t, page, "New errors in B", "that are failures")
}

// A number that changed in a line that counts as equal is marked, and such a line
// of a failure is among those that differ. What fails in both logs for another
// reason tells both.
func TestCompare_numbersOfFailures(t *testing.T) {
	p := newPages(t)
	run := func(got int) string {
		return p.newLog(t, strings.Repeat("INFO up\n", 20)+fmt.Sprintf("=== RUN   TestAll\n    a_test.go:4: sum = %d, want 1800\n--- FAIL: TestAll (0.00s)\nFAIL\nFAIL\texample.com/a\t0.1s\n", got), share.LogOptions{})
	}
	page := p.get(t, "/compare/"+run(1799)+"/"+run(1801), browser).Body.String()
	assert.Contains(t, page, `    a_test.go:4: sum = <mark>1801</mark>, want 1800 <i class="was">in A: 1799</i></td>`)
	assert.Regexp(t, `Still failing <span>1</span></h2>\s+<ul>\s+.*<code>TestAll · a_test.go:4 · .*1801.* · in A: .*1799`, page)
	assert.Equal(t, 1, strings.Count(page, "<mark>"), "all else is equal")
}

// Lines of any length are compared.
func TestCompare_longLines(t *testing.T) {
	p := newPages(t)
	a, b := p.newLog(t, strings.Repeat("a", 100_000)+"\nx\n", share.LogOptions{}), p.newLog(t, strings.Repeat("\x1b[1mb", 20_000)+"\nx\n", share.LogOptions{})
	table := linesOf(p.get(t, "/compare/"+a+"/"+b, browser).Body.String())
	text := regexp.MustCompile(`<td class="n">.*?</td>|<[^>]*>`).ReplaceAllString(table, "")
	assert.True(t, slices.Equal([]string{"−" + strings.Repeat("a", 100_000), "+" + strings.Repeat("b", 20_000), "x"}, strings.Fields(html.UnescapeString(text))))
}

// Whatever two logs hold and whatever a query selects, pages show it as text.
func FuzzCompare(f *testing.F) {
	for i, vector := range vectors(f)[:40] {
		f.Add(vector, failed, vector[:min(len(vector), 9)], "f,e", strconv.Itoa(i))
	}
	f.Add(strings.Repeat("a", 70_000), strings.Repeat("\x1b[1m<", 9_000), "/a+/ -b", "", "1-2")
	f.Add(strings.Repeat("\tat a.b(C.java:1)\n", 20), passed, `"at a" /./i`, "eo", "3-9,2,99999999999-")
	p := newPages(f)
	ours := regexp.MustCompile(`^</?(a|i|p|mark|section|span|tbody|td|tr)( class="?[-\w ]*"?| id=L\d+| data-[a-z]+(=\d+)?| rel=nofollow| aria-expanded=\w+| href="[^"<>]*")*>$`)
	f.Fuzz(func(t *testing.T, a, b, query, levels, lines string) {
		first, err := p.shares.CreateLog(t.Context(), a, share.LogOptions{})
		second, err2 := p.shares.CreateLog(t.Context(), b, share.LogOptions{})
		if err != nil || err2 != nil {
			return
		}
		values := url.Values{"q": {query}, "level": {levels}, "lines": {lines}, "open": {levels}, "shut": {lines}, "all": nil}
		for _, path := range []string{"/logs/" + first.ID + "?" + values.Encode(), "/compare/" + first.ID + "/" + second.ID} {
			w := p.get(t, path, browser)
			assert.Equal(t, http.StatusOK, w.Code, path)
			for _, found := range tag.FindAllString(linesOf(w.Body.String()), -1) {
				assert.Regexp(t, ours, found)
			}
			assert.Less(t, p.get(t, path, curl).Code, http.StatusInternalServerError)
			assert.Less(t, p.get(t, path, "application/json").Code, http.StatusInternalServerError)
		}
	})
}

// linesOf returns the lines of a log's page or of a comparison.
func linesOf(page string) string {
	for from, to := range map[string]string{`<div class="lines log`: "</div>", "</thead>": "</table>"} {
		if _, lines, ok := strings.Cut(page, from); ok {
			lines, _, _ = strings.Cut(lines, to)
			return lines[strings.Index(lines, ">")+1:]
		}
	}
	return ""
}

// The form accepts links and ids. Other input does not redirect.
func TestCompare_form(t *testing.T) {
	p := newPages(t)
	for query, want := range map[string]string{
		"a=https://example.com/tools/logs/abc&b=def": "/compare/abc/def",
		"a=/logs/abc/raw&b=/logs/def%23L5":           "/compare/abc/def",
		"a=&b=def":                                   "",
		"a=abc&b=..":                                 "",
		"a=abc&b=" + "https://example.com/logs/%22onclick%3D1": "",
	} {
		w := p.get(t, "/compare?"+query, browser)
		assert.Equal(t, want, w.Header().Get("Location"), query)
		assert.Equal(t, want != "", w.Code == http.StatusSeeOther, query)
	}
	id := p.newLog(t, "x", share.LogOptions{})
	notLink, gone := "This is not the link of a log.", "This log has expired, was deleted or never existed."
	for path, want := range map[string][]string{
		"/compare?b=" + id:           nil,
		"/compare?a=x+y&b=/logs/abc": {"a: " + notLink},
		"/compare?a=x+y&b=%22":       {"a: " + notLink, "b: " + notLink},
		"/compare/abc/def":           {"a: " + gone, "b: " + gone},
		"/compare/" + id + "/def":    {"b: " + gone},
	} {
		w := p.get(t, path, browser)
		page := w.Body.String()
		var got []string
		for _, m := range regexp.MustCompile(`id="(.)-wrong">([^<.]+\.)`).FindAllStringSubmatch(page, -1) {
			got = append(got, m[1]+": "+m[2])
		}
		assert.Equal(t, want, got, path)
		assert.Equal(t, strings.Contains(path, "?"), w.Code == http.StatusOK, path)
		marked(t, page)
	}
	assert.Equal(t, "This link has expired or never existed", strings.Split(p.get(t, "/compare/"+id+"/def", curl).Body.String(), "\n")[0])
	assert.Contains(t, p.get(t, "/logs/"+id, browser).Body.String(), `href="/compare?b=%2flogs%2f`+id+`"`)
	assert.Contains(t, p.get(t, "/compare?b=/logs/"+id, browser).Body.String(), `value="/logs/`+id+`"`)
}

// A failure that is new is told once, and its lines do not stand on the ground of
// what is fine.
func TestCompare_newFailure(t *testing.T) {
	p := newPages(t)
	before := p.newLog(t, "go build\n=== RUN   TestHeat\n--- PASS: TestHeat (0.01s)\nPASS\n", share.LogOptions{})
	after := p.newLog(t, "go build\n❯ TestHeat × 1ms\n=== RUN   TestHeat\n    heat_test.go:4: no heat\n--- FAIL: TestHeat (0.01s)\nFAIL\nERROR TestHeat again\nwarm\n", share.LogOptions{})
	page := p.get(t, "/compare/"+before+"/"+after, browser).Body.String()
	assert.Contains(t, page, "New failures in B")
	assert.NotContains(t, page, "TestHeat again</code>")
	assert.Regexp(t, `<tr class="new bad">.*TestHeat × 1ms`, page)
	assert.Regexp(t, `<tr class="new bad">.*heat_test\.go:4: no heat`, page)
	assert.Regexp(t, `<tr class="new">.*warm`, page)
}
