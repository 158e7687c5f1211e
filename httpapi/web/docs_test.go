package web_test

import (
	"cmp"
	"encoding/json"
	"html"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/openapi"
	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// exampleServer sets the origin to that of the document's examples, so that the
// page shows them unchanged.
func exampleServer(t *testing.T) func(*web.Options) {
	return func(o *web.Options) { o.BaseURL = parseURL(t, "https://kiln.example") }
}

// docsOf returns the API reference of a document: its introduction and the
// pages of its operations.
func docsOf(t *testing.T, document string, options ...func(*web.Options)) string {
	t.Helper()
	o := web.Options{Shares: newShares(t, store.NewMemory(), share.Options{})}
	for _, set := range options {
		set(&o)
	}
	pages, err := web.NewWithDocument(o, document)
	require.NoError(t, err)
	var all strings.Builder
	for _, path := range append([]string{"/docs"}, operationPages(t, document)...) {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
		r.Header.Set("Accept", browser)
		pages.ServeHTTP(w, r)
		require.Equal(t, http.StatusOK, w.Code, path)
		all.WriteString(w.Body.String())
	}
	return all.String()
}

var operationID = regexp.MustCompile(`"operationId":("(?:[^"\\]|\\.)*")`)

// operationPages returns the paths of the pages of a document's operations.
func operationPages(t *testing.T, document string) []string {
	t.Helper()
	var all []string
	for _, m := range operationID.FindAllStringSubmatch(document, -1) {
		var id string
		require.NoError(t, json.Unmarshal([]byte(m[1]), &id))
		all = append(all, "/docs/"+url.PathEscape(id))
	}
	return all
}

var (
	markup = regexp.MustCompile(`<[^>]*>`)
	blanks = regexp.MustCompile(`\s+`)
)

// words returns the words of a page or of Markdown.
func words(text string) string {
	text = strings.NewReplacer("`", "", "\n- ", " ").Replace("\n" + text)
	return strings.TrimSpace(blanks.ReplaceAllString(text, " "))
}

// said collects the texts and property names of a document.
func said(value any, all map[string]bool) {
	switch v := value.(type) {
	case []any:
		for _, element := range v {
			said(element, all)
		}
	case map[string]any:
		for name, inner := range v {
			text, ok := inner.(string)
			if ok && (name == "description" || name == "summary" || name == "pattern") {
				all[text] = true
			}
			if properties, ok := inner.(map[string]any); ok && name == "properties" {
				for property := range properties {
					all[property] = true
				}
			}
			said(inner, all)
		}
	}
}

func TestDocs_textOfTheDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("reads every page of the document, in one goroutine")
	}
	page := docsOf(t, openapi.JSON(), exampleServer(t))
	text := words(html.UnescapeString(markup.ReplaceAllString(strings.ReplaceAll(page, "<li>", " "), "")))
	var document map[string]any
	require.NoError(t, json.Unmarshal([]byte(openapi.JSON()), &document))
	delete(document, "servers") // it contains the base URL of this server
	all := make(map[string]bool)
	said(document, all)
	require.Greater(t, len(all), 150)
	for sentence := range all {
		assert.True(t, strings.Contains(text, words(sentence)), sentence)
	}
}

func TestDocs_everyOperation(t *testing.T) {
	page := docsOf(t, openapi.JSON(), exampleServer(t))
	var document struct {
		Paths      map[string]map[string]json.RawMessage
		Components struct {
			Parameters map[string]struct{ Name string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(openapi.JSON()), &document))
	count := 0
	for pattern, methods := range document.Paths {
		delete(methods, "parameters")
		for method, text := range methods {
			var operation struct {
				OperationID, Summary string
				Parameters           []struct {
					Ref  string `json:"$ref"`
					Name string
				}
				Responses map[string]json.RawMessage
			}
			require.NoError(t, json.Unmarshal(text, &operation))
			_, article, found := strings.Cut(page, `<article class="pair call" id="`+operation.OperationID+`"`)
			require.True(t, found, operation.OperationID)
			article, _, _ = strings.Cut(article, "</article>")
			article = html.UnescapeString(article)
			assert.Contains(t, page, `<a href="/docs/`+operation.OperationID+`">`, "the contents")
			assert.Contains(t, article, operation.Summary)
			assert.Contains(t, article, ">"+strings.ToUpper(method)+"</b> <code>"+pattern+"</code>")
			assert.Contains(t, article, `curl `)
			for _, p := range operation.Parameters {
				name := cmp.Or(p.Name, document.Components.Parameters[path.Base(p.Ref)].Name)
				assert.Contains(t, article, "<code>"+name+"</code>", operation.OperationID)
			}
			for status := range operation.Responses {
				assert.Regexp(t, "<(b|small)>"+status+"[ <]", article, operation.OperationID)
			}
			count++
		}
	}
	assert.Equal(t, count, strings.Count(page, "<article "), "and no other")
}

var sampleText = regexp.MustCompile(`(?s)<(?:pre|textarea)[^>]*>(.*?)</(?:pre|textarea)>`)

func TestDocs_everyExample(t *testing.T) {
	if testing.Short() {
		t.Skip("reads every page of the document, in one goroutine")
	}
	page := docsOf(t, openapi.JSON(), exampleServer(t))
	shown := make(map[string]bool)
	for _, m := range sampleText.FindAllStringSubmatch(page, -1) {
		var value any
		if json.Unmarshal([]byte(html.UnescapeString(markup.ReplaceAllString(m[1], ""))), &value) == nil {
			text, err := json.Marshal(value)
			require.NoError(t, err)
			shown[string(text)] = true
		}
	}
	var document struct {
		Components struct {
			Examples map[string]struct{ Value any }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(openapi.JSON()), &document))
	for name, example := range document.Components.Examples {
		text, err := json.Marshal(example.Value)
		require.NoError(t, err)
		assert.True(t, shown[string(text)], name)
	}
	assert.Contains(t, html.UnescapeString(markup.ReplaceAllString(page, "")), `"colors": ["#FF7E5F", "#FEB47B"],`, "short arrays are in a line")
}

func TestDocs_curlLines(t *testing.T) {
	if testing.Short() {
		t.Skip("reads every page of the document, in one goroutine")
	}
	page := html.UnescapeString(markup.ReplaceAllString(docsOf(t, openapi.JSON(), func(o *web.Options) { o.BaseURL = parseURL(t, "https://example.com/tools/") }), ""))
	for _, line := range []string{
		`curl 'https://example.com/tools/api/v1/slug-generator' \
  -H "X-API-Key: $KEY" \
  -H 'Content-Type: application/json' \
  -d '{"text":"Crème brûlée & cafés","separator":"-","lowercase":true}'`,
		`curl 'https://example.com/tools/api/v1/log-share/4gyvm6pt90hk4r7z' \
  -H "X-API-Key: $KEY"`,
		`curl -X DELETE 'https://example.com/tools/api/v1/log-share/4gyvm6pt90hk4r7z' \
`,
		`  -H 'Accept: image/png' -o picture.png \
`,
		`curl 'https://example.com/tools/logs' \
  -H "X-API-Key: $KEY" \
  --data-binary '03:00:01 INFO up
03:00:02 ERROR disk is full'`,
		`curl 'https://example.com/tools/healthz'`,
		`app 2>&1 | curl --data-binary @- -H "X-API-Key: $KEY" https://example.com/tools/logs`,
		`curl -X POST 'https://example.com/tools/api/v1/log-share/4gyvm6pt90hk4r7z/read' \
`,
	} {
		assert.Contains(t, page, line)
	}
	assert.NotContains(t, page, "kiln.example")
	quoted := docsOf(t, strings.Replace(openapi.JSON(), "Crème brûlée", "it's $(x)", 1))
	assert.Contains(t, html.UnescapeString(markup.ReplaceAllString(quoted, "")), `-d '{"text":"it'\''s $(x)`)
}

func TestDocs_baseURL(t *testing.T) {
	for base, prefix := range map[string]string{"https://example.com": "", "https://example.com/tools/": "/tools"} {
		p := newPages(t, func(o *web.Options) { o.BaseURL = parseURL(t, base) })
		page := p.get(t, prefix+"/docs", browser).Body.String()
		assert.Equal(t, p.get(t, "/docs", browser).Body.String(), page)
		assert.Contains(t, page, `<div class="docs" data-base="`+prefix+`">`)
		assert.Contains(t, page, `href="`+prefix+`/openapi.yaml"`)
		assert.Contains(t, page, `href="`+prefix+`/openapi.json"`)
		for _, l := range link.FindAllStringSubmatch(page, -1) {
			require.True(t, strings.HasPrefix(l[1], prefix+"/"), l[1])
		}
	}
}

// Without a base URL the page uses the host of each request.
func TestDocs_hostOfTheRequest(t *testing.T) {
	p := newPages(t)
	for _, host := range []string{"a.example", "b.example:8080", "a.example"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+host+"/docs", http.NoBody)
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		assert.Contains(t, html.UnescapeString(markup.ReplaceAllString(w.Body.String(), "")), "curl 'http://"+host+"/api/v1/slug-generator'")
		assert.Equal(t, 1, strings.Count(w.Body.String(), ">http://"+host+"</pre>"))
	}
}

func TestDocs_anchors(t *testing.T) {
	page := newPages(t).get(t, "/docs", browser).Body.String()
	ids := make(map[string]int)
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		ids[m[1]]++
	}
	for id, count := range ids {
		assert.Equal(t, 1, count, id)
	}
	targets := regexp.MustCompile(` href="#([^"]*)"`).FindAllStringSubmatch(page, -1)
	require.NotEmpty(t, targets)
	for _, m := range targets {
		assert.Equal(t, 1, ids[m[1]], "#%s", m[1])
	}
}

// Everything in a document is shown as text.
func TestDocs_hostileDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("reads every page of the document, in one goroutine")
	}
	const payload = `</pre></textarea><script>alert(1)</script><img src=x onerror=alert(2)>" onfocus="alert(3)" x='{{.}}`
	text, err := json.Marshal(payload)
	require.NoError(t, err)
	inner := strings.Trim(string(text), `"`)
	document := openapi.JSON()
	for _, place := range []string{
		`"title":"`, `"version":"`, `"summary":"`, `"description":"`, `"text":"`, `"code":"`, `"content":"`, `"pattern":"`, `"default":"`, `"format":"`, `"example":"`,
		`"name":"i`, `"message":"`, `"enum":["`, `"const":"`, `"type":["`, `"in":"`,
	} {
		require.Contains(t, document, place)
		document = strings.ReplaceAll(document, place, place+inner)
	}
	for _, name := range []string{`"/healthz":`, `"colors":{`, `"text/plain":`, `"fields":{`, `"415":`} {
		require.Contains(t, document, name)
		document = strings.ReplaceAll(document, name, `"`+inner+name[1:])
	}
	page, usual := docsOf(t, document), docsOf(t, openapi.JSON())
	assert.Greater(t, strings.Count(html.UnescapeString(page), payload), 200)
	for _, element := range []string{"<script", "<img", "</pre>", "</textarea>", "<input", "<form"} {
		assert.Equal(t, strings.Count(usual, element), strings.Count(page, element), element)
	}
	assert.NotContains(t, tagsOf(page), "onfocus")
	assert.NotContains(t, page, "ZgotmplZ")
}

// tagsOf returns the attribute names of a page, whose values are quoted.
func tagsOf(page string) []string {
	names := make(map[string]bool)
	values := regexp.MustCompile(`"[^"]*"`)
	for _, element := range markup.FindAllString(values.ReplaceAllString(page, `""`), -1) {
		for _, attribute := range strings.Fields(strings.Trim(element, "</>"))[1:] {
			name, _, _ := strings.Cut(attribute, "=")
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
