package web_test

import (
	"flag"
	"net/url"
	"os"
	"runtime"
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
// found, each at most a second (docs/internals/security.md). What is measured is
// the processor time of a thread, which does not depend on the load of the
// machine; the limit leaves room for slower ones.
func FuzzCost(f *testing.F) {
	fuzzing := flag.Lookup("test.fuzz").Value.String() != ""
	if !fuzzing && os.Getenv("DEVKILN_ABUSE") != "1" {
		f.Skip("measures time: set DEVKILN_ABUSE=1")
	}
	for _, seed := range [][3]string{
		{"applescript", "/*", ""},
		{"typescript", "= ", ""},
		{"igor", "<a ", ""},
		{"vim", "<!--", ""},
		{"bash", "$((", ""},
		{"markdown", "\t", ""},
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
	const limit = 3 * time.Second
	maxCode, maxLog := share.MaxSnippetCode, share.MaxLogContent
	if fuzzing { // code is instrumented, and an input may take at most ten seconds
		maxCode, maxLog = maxCode/4, maxLog/4
	}
	f.Fuzz(func(t *testing.T, lang, unit, query string) {
		if !utf8.ValidString(unit) || unit == "" || len(unit) > maxCode {
			return
		}
		p := newPages(t)
		repeat := func(n int) string { return strings.Repeat(unit, n/utf8.RuneCountInString(unit)) }
		id := p.newSnippet(t, repeat(maxCode), share.SnippetOptions{Language: lang})
		paths := []string{"/snippets/" + id, "/snippets/" + id + "?view=document"}
		if query != "" {
			paths = []string{"/logs/" + p.newLog(t, repeat(maxLog), share.LogOptions{}) + "?q=" + url.QueryEscape(query)}
		}
		for _, path := range paths {
			took := processorTime(t, func() { p.get(t, path, browser) })
			assert.LessOrEqual(t, took, limit, "%s of %q in %s, searching for %q", path, unit, lang, query)
		}
	})
}

// processorTime returns the processor time that the thread takes for do.
func processorTime(t *testing.T, do func()) time.Duration {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const thisThread = 1 // RUSAGE_THREAD, which syscall does not name
	var before, after syscall.Rusage
	require.NoError(t, syscall.Getrusage(thisThread, &before))
	do()
	require.NoError(t, syscall.Getrusage(thisThread, &after))
	return time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())
}
