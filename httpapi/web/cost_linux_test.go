package web_test

import (
	"flag"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share"
)

// FuzzCost searches for the view that costs most: of code in any language, as a
// document, or of what an expression finds. The seeds are the worst that were
// found (docs/internals/security.md).
//
// What is measured is the processor time of the process, which depends little on
// the load of the machine. On one that is slower than usual, it is measured in
// ordinary pages. The lowest of three counts. An input may take at most ten
// seconds, so that CI compiles without the instruments of fuzzing, which take
// three times as long.
func FuzzCost(f *testing.F) {
	if flag.Lookup("test.fuzz").Value.String() == "" && os.Getenv("DEVKILN_ABUSE") != "1" {
		f.Skip("measures time: set DEVKILN_ABUSE=1")
	}
	for _, seed := range [][3]string{
		{"applescript", "/*", ""},
		{"typescript", "= ", ""},
		{"igor", "<a ", ""},
		{"vim", "<!--", ""},
		{"bash", "$((", ""},
		{"markdown", "\t", ""},
		{"markdown", "\n", ""},
		{"php", "{{", ""},
		{"markdown", "> * [", ""},
		{"markdown", "|a|b\n|-|-\n", ""},
		{"markdown", "[^a]: *b* [^a]\n\n", ""},
		{"markdown", "*a _b ~~c ", ""},
		{"text", "a", "/(.?){240}x/"},
		{"text", "a\n", `/(?i)(\pL|k)*[^a]{300}/`},
		{"text", "\x1b[1ma\t", "-b -c /a$/"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	ordinaryPage(f) // what is made once is made
	f.Fuzz(func(t *testing.T, lang, unit, query string) {
		if !utf8.ValidString(unit) || unit == "" || len(unit) > share.MaxSnippetCode {
			return
		}
		cost := costOfView(t, lang, unit, query)
		for try := 0; try < 2 && cost > maxCost; try++ {
			cost = min(cost, costOfView(t, lang, unit, query))
		}
		assert.LessOrEqual(t, cost, maxCost, "%q in %s, searching for %q", unit, lang, query)
	})
}

// maxCost is the most that a view may cost.
const maxCost = time.Second

// costOfView returns the processor time of the costliest view of the longest
// text that repeats a unit.
func costOfView(t *testing.T, lang, unit, query string) (most time.Duration) {
	p := newPages(t)
	repeat := func(n int) string { return strings.Repeat(unit, n/utf8.RuneCountInString(unit)) }
	var paths []string
	if query != "" {
		paths = []string{"/logs/" + p.newLog(t, repeat(share.MaxLogContent), share.LogOptions{}) + "?q=" + url.QueryEscape(query)}
	} else {
		path := "/snippets/" + p.newSnippet(t, repeat(share.MaxSnippetCode), share.SnippetOptions{Language: lang})
		paths = []string{path, path + "?view=document"}
	}
	for _, path := range paths {
		most = max(most, processorTime(t, func() { p.get(t, path, browser) }))
	}
	if most > maxCost {
		most = min(most, most*usualTime/ordinaryPage(t))
	}
	return most
}

// usualTime is what ordinaryPage returns on a machine on which maxCost holds.
const usualTime = 100 * time.Millisecond

// ordinaryPage returns the processor time of the page of ordinary code.
func ordinaryPage(t testing.TB) time.Duration {
	t.Helper()
	code, err := os.ReadFile("../../screenshot/testdata/sample.go.txt")
	require.NoError(t, err)
	p := newPages(t)
	id := p.newSnippet(t, strings.Repeat(string(code), 7), share.SnippetOptions{Language: "go"})
	return processorTime(t, func() { p.get(t, "/snippets/"+id, browser) })
}

// processorTime returns the processor time that the process takes for do.
func processorTime(t testing.TB, do func()) time.Duration {
	t.Helper()
	var before, after syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &before))
	do()
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &after))
	return time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())
}
