package web_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/devkiln/devkiln/share"
)

// The page of a failed log begins with what failed, and so does the preview of
// its link; that of another log has no headline.
func TestLogPage_headline(t *testing.T) {
	p := newPages(t)
	const failed = "=== RUN   TestPay\n    pay_test.go:41: \n        \tError:      \tNot equal: \n        \t            \texpected: \"<b>\"\n" +
		"        \t            \tactual  : \"\"\n--- FAIL: TestPay (0.02s)\n" +
		"=== RUN   TestB\n    b_test.go:1: b\n--- FAIL: TestB (0.00s)\n=== RUN   TestC\n    c_test.go:1: c\n--- FAIL: TestC (0.00s)\n" +
		"=== RUN   TestD\n    d_test.go:1: d\n--- FAIL: TestD (0.00s)\nFAIL\nFAIL\texample.com/pay\t0.2s\n"
	page := p.get(t, "/logs/"+p.newLog(t, failed, share.LogOptions{}), browser).Body.String()
	_, headline, found := strings.Cut(page, `<section class="headline"`)
	assert.True(t, found)
	headline, _, _ = strings.Cut(headline, "</section>")
	assert.Contains(t, headline, `>4 tests failed: TestPay</a> <code>pay_test.go:41</code></h2>`)
	assert.Contains(t, headline, "&lt;b&gt;")
	assert.NotContains(t, headline, "<b>")
	assert.Contains(t, headline, `>TestB</a> <code>b_test.go:1</code>`)
	assert.Regexp(t, `(?s)<summary>and 1 more</summary>.*>TestD</a> <code>d_test.go:1</code>`, headline)
	assert.Contains(t, page, `<meta name="description" content="4 tests failed: TestPay`)

	long := p.newLog(t, strings.Repeat("INFO up\n", 40)+"a.go:7:2: undefined: x\nb.go:7:2: undefined: y\nINFO up\nINFO up\nBUILD FAILED\n", share.LogOptions{})
	page = p.get(t, "/logs/"+long, browser).Body.String()
	assert.NotContains(t, page, "First error", "the headline says it")
	assert.NotContains(t, page, "<summary>Summary", "the headline has the result")
	assert.Contains(t, page, `Result</span> <a href="#L45">`)

	unsaid := p.newLog(t, "test a::first - should panic ... FAILED\ntest a::second ... FAILED\n\nfailures:\n\n---- a::second stdout ----\nthread 'a::second' (7) panicked at src/lib.rs:28:20:\nno heat\n\ntest result: FAILED. 0 passed; 2 failed; 0 ignored\n", share.LogOptions{})
	_, headline, _ = strings.Cut(p.get(t, "/logs/"+unsaid, browser).Body.String(), `<section class="headline"`)
	assert.Regexp(t, `(?s)^[^>]*>\s*<h2><a href="#L\d+">2 tests failed: a::second</a> <code>src/lib.rs:28:20</code>.*<code>no heat</code>.*a::first - should panic</a>`, headline, "it leads with a failure that has a reason")

	page = p.get(t, "/logs/"+p.newLog(t, "INFO up\nERROR no\nINFO up\n", share.LogOptions{}), browser).Body.String()
	assert.NotContains(t, page, "headline")
}

// What happened says the error of a record of JSON, too.
func TestLogPage_causes(t *testing.T) {
	p := newPages(t)
	records := strings.Repeat(`{"level":"info","msg":"served"}`+"\n", 40) + `{"level":"error","msg":"upstream failed","err":"connection refused"}` + "\n" + `{"level":"info","msg":"served"}` + "\n"
	page := p.get(t, "/logs/"+p.newLog(t, records, share.LogOptions{}), browser).Body.String()
	assert.Regexp(t, `First error</p>\s*<h2><a href="#L41">upstream failed: connection refused</a>`, page)
}

// The steps of a build stand where the histogram of other logs is. Their markers
// are not shown, and those are open that failed.
func TestViewLog_steps(t *testing.T) {
	p := newPages(t)
	log := "2026-01-02T03:04:05Z ##[group]Check out\n2026-01-02T03:04:06Z fetch\n2026-01-02T03:04:07Z ##[endgroup]\n" +
		"2026-01-02T03:04:08Z ##[group]Test\n2026-01-02T03:04:09Z ##[error]exit 1\n2026-01-02T03:04:18Z ##[endgroup]\n" + strings.Repeat("2026-01-02T03:04:18Z done\n", 60)
	page := p.get(t, "/logs/"+p.newLog(t, log, share.LogOptions{}), browser).Body.String()
	assert.Contains(t, page, `<li><a href="#L1">Check out</a> <span>2s</span><meter max="100" value="20"`)
	assert.Contains(t, page, `<li class="failed"><a href="#L4">Test</a> <b>failed</b> <span>10s</span><meter max="100" value="100"`)
	assert.NotContains(t, page, `class="times"`)
	lines := listed(t, page)
	assert.Contains(t, lines, "</i>Check out<p class=fold data-to=3 data-step><a rel=nofollow aria-expanded=false")
	assert.Contains(t, lines, "</i>Test<p class=fold data-to=6 data-step><a rel=nofollow aria-expanded=true")
	assert.NotContains(t, lines, "group")
}
