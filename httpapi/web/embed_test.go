package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

func embeddable(o *web.Options) {
	o.EmbedOrigins = []string{"https://wiki.example", "http://localhost:8080"}
}

func TestEmbed_onlyWhereItIsAllowed(t *testing.T) {
	p, shut := newPages(t, embeddable), newPages(t)
	path := "/snippets/" + p.newSnippet(t, "package a\n", share.SnippetOptions{Language: "go", Title: "a <b>.go"})
	w := p.get(t, path+"/embed", browser)
	require.Equal(t, http.StatusOK, w.Code)
	assert.Contains(t, w.Header().Get("Content-Security-Policy"), "frame-ancestors https://wiki.example http://localhost:8080;")
	assert.Contains(t, w.Body.String(), `<h1><a href="`+path+`" target="_blank" rel="noopener">a &lt;b&gt;.go</a></h1>`)
	assert.Contains(t, w.Body.String(), `<a href="`+path+`/raw" target="_blank" rel="noopener">Raw</a><button type="button" data-copy hidden>`)
	assert.NotContains(t, w.Body.String(), "<nav")
	assert.NotContains(t, w.Body.String(), "<form")
	for _, other := range []string{path, path + "/raw", "/"} {
		assert.Contains(t, p.get(t, other, browser).Header().Get("Content-Security-Policy"), "frame-ancestors 'none'", other)
	}

	closed := "/snippets/" + shut.newSnippet(t, "a", share.SnippetOptions{})
	assert.Equal(t, http.StatusNotFound, shut.get(t, closed+"/embed", browser).Code)

	for _, id := range []string{p.newSnippet(t, "x", share.SnippetOptions{Burn: true}), p.newSnippet(t, "devkiln1."+strings.Repeat("A", 80), share.SnippetOptions{Encrypted: true})} {
		assert.Equal(t, http.StatusConflict, p.get(t, "/snippets/"+id+"/embed", browser).Code)
	}
}

func TestNew_embedOriginsThatAreNone(t *testing.T) {
	shares := newShares(t, store.NewMemory(), share.Options{})
	for _, origin := range []string{"", "wiki.example", "https://wiki.example/", "https://*.example; script-src *", "javascript:x", "'self'"} {
		_, err := web.New(web.Options{Shares: shares, EmbedOrigins: []string{origin}})
		assert.ErrorContains(t, err, "web: Options.EmbedOrigins has", origin)
	}
}

func TestSnippet_markdownAsDocument(t *testing.T) {
	p := newPages(t, public)
	path := "/snippets/" + p.newSnippet(t, "# Hello\n\n<script>x</script>\n\n- [x] done\n\n```go\nreturn 1\n```\n", share.SnippetOptions{Language: "markdown"})
	source := p.get(t, path+"?view=source", browser).Body.String()
	assert.Contains(t, source, `<a href="`+path+`">Document</a>`)
	assert.Contains(t, source, `class="lines`)
	assert.Contains(t, source, `href="/?from=`+path[len("/snippets/"):]+`"`)
	for _, address := range []string{path, path + "?view=document"} {
		document := p.get(t, address, browser).Body.String()
		assert.Contains(t, document, "<h2>Hello</h2>")
		assert.Contains(t, document, `<li class="task">☑ done</li>`)
		assert.Contains(t, document, `<i class=k>return</i> <i class=m>1</i>`)
		assert.NotContains(t, document, "<script>x")
		assert.NotContains(t, document, `class="lines`)
	}

	deep := "/snippets/" + p.newSnippet(t, strings.Repeat("> ", 40_000), share.SnippetOptions{Language: "markdown"})
	page := p.get(t, deep, browser).Body.String()
	assert.Contains(t, page, "too long or too deep to be shown as a document")
	assert.Contains(t, page, `class="lines`)
	code := "/snippets/" + p.newSnippet(t, "# a", share.SnippetOptions{Language: "python"})
	assert.NotContains(t, p.get(t, code, browser).Body.String(), "Document</a>")
}
