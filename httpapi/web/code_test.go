package web_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/devkiln/devkiln/share"
)

// A snippet whose lexer takes long comes without colours; the page says so. A
// second view takes longer, and later ones find its result.
func TestViewSnippet_costlyCode(t *testing.T) {
	if testing.Short() {
		t.Skip("under the race detector lexing takes ten times the work that it may")
	}
	p := newPages(t)
	path := "/snippets/" + p.newSnippet(t, strings.Repeat("<a ", 33_000), share.SnippetOptions{Language: "igor"})
	page := func() string { return p.get(t, path, browser).Body.String() }
	assert.Contains(t, page(), `<p class="note">Shown without colours, which take long for this code. Reload the page for them.</p>`)
	for range 3 {
		assert.Contains(t, page(), `<p class="note">Shown without colours: this code takes too long to colour.</p>`)
	}
	ordinary := "/snippets/" + p.newSnippet(t, "package main", share.SnippetOptions{Language: "go"})
	first := p.get(t, ordinary, browser).Body.String()
	assert.NotContains(t, first, "Shown without")
	assert.Contains(t, first, "<i class=k>package</i>")
	assert.Equal(t, first, p.get(t, ordinary, browser).Body.String())
}
