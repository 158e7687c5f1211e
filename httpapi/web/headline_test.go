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
	assert.Contains(t, headline, `4 tests failed: TestPay · pay_test.go:41 · `)
	assert.Contains(t, headline, "&lt;b&gt;")
	assert.NotContains(t, headline, "<b>")
	assert.Contains(t, headline, `>TestB</a> <code>b_test.go:1</code>`)
	assert.Contains(t, headline, "and 1 more")
	assert.Contains(t, page, `<meta name="description" content="4 tests failed: TestPay`)

	page = p.get(t, "/logs/"+p.newLog(t, "INFO up\nERROR no\nINFO up\n", share.LogOptions{}), browser).Body.String()
	assert.NotContains(t, page, "headline")
}
