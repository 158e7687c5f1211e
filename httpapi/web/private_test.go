package web_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/seal"
)

// press posts an empty form from the same site.
func (p *pages) press(t *testing.T, target, accept string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, target, http.NoBody)
	r.Header.Set("Accept", accept)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w
}

const secretText = "03:00:01 ERROR hunter2\r\nat main"

func TestReadOnce_getTellsNothing(t *testing.T) {
	p := newPages(t)
	log := "/logs/" + p.newLog(t, secretText, share.LogOptions{Burn: true, Title: "hidden"})
	snippet := "/snippets/" + p.newSnippet(t, secretText, share.SnippetOptions{Burn: true, Title: "hidden"})
	for _, path := range []string{log, snippet} {
		page := p.get(t, path, browser)
		assert.Equal(t, http.StatusOK, page.Code)
		assert.Equal(t, "no-store", page.Header().Get("Cache-Control"))
		assert.Contains(t, page.Body.String(), `<form method="post" action="`+path+`/read" data-read><button class="first">Read and delete</button>`)
		sharer := p.get(t, path+"?shared", browser).Body.String()
		assert.Contains(t, sharer, "Do not open it yourself: send the link.")
		assert.NotContains(t, sharer, "Read and delete", "who shares does not use it up")
		assert.NotContains(t, page.Body.String(), "og:")
		unfurled := p.get(t, path, "*/*", "User-Agent", "Slackbot-LinkExpanding 1.0")
		assert.NotContains(t, unfurled.Body.String(), "og:")
		for _, other := range []string{"", "/raw", "/download", ".png", "?summary", "?q=hunter2"} {
			w := p.get(t, path+other, "*/*")
			if other != ".png" || w.Code != http.StatusNotFound {
				assert.Equal(t, http.StatusConflict, w.Code, other)
			}
			for _, body := range []string{w.Body.String(), page.Body.String(), unfurled.Body.String()} {
				assert.NotContains(t, body, "hunter2", other)
				assert.NotContains(t, body, "hidden</", other)
			}
		}
		assert.Equal(t, http.StatusMethodNotAllowed, p.get(t, path+"/read", browser).Code)
	}
	other := "/logs/" + p.newLog(t, "x", share.LogOptions{})
	assert.Equal(t, http.StatusConflict, p.get(t, "/compare/"+log[6:]+"/"+other[6:], browser).Code)
}

func TestReadOnce_postReadsAndDeletes(t *testing.T) {
	p := newPages(t)
	for _, c := range []struct{ accept, query, want string }{
		{browser, "", "hunter2"},
		{"*/*", "", secretText},
		{browser, "?file", secretText},
	} {
		for _, path := range []string{
			"/logs/" + p.newLog(t, secretText, share.LogOptions{Burn: true, Title: "title"}),
			"/snippets/" + p.newSnippet(t, secretText, share.SnippetOptions{Burn: true, Title: "title"}),
		} {
			w := p.press(t, path+"/read"+c.query, c.accept, "Sec-Fetch-Site", "cross-site")
			assert.Equal(t, http.StatusForbidden, w.Code, "a form of another site")
			w = p.press(t, path+"/read"+c.query, c.accept, "Sec-Fetch-Site", "same-origin")
			require.Equal(t, http.StatusOK, w.Code)
			assert.Contains(t, w.Body.String(), c.want)
			assert.Equal(t, "no-store", w.Header().Get("Cache-Control"))
			if c.query != "" {
				assert.Contains(t, w.Header().Get("Content-Disposition"), `attachment; filename="title`)
			}
			for _, again := range []*httptest.ResponseRecorder{p.press(t, path+"/read", browser), p.get(t, path, browser)} {
				assert.Equal(t, http.StatusNotFound, again.Code)
			}
		}
	}
	path := "/logs/" + p.newLog(t, "x", share.LogOptions{})
	w := p.press(t, path+"/read", browser)
	assert.Equal(t, path, w.Header().Get("Location"), "any other share is read at its link")
}

// A failed log that is read once begins with what failed, too.
func TestReadOnce_headline(t *testing.T) {
	p := newPages(t)
	path := "/logs/" + p.newLog(t, "=== RUN   TestPay\n    pay_test.go:41: no\n--- FAIL: TestPay (0.02s)\nFAIL\n", share.LogOptions{Burn: true})
	assert.NotContains(t, p.get(t, path, browser).Body.String(), "TestPay")
	page := p.press(t, path+"/read", browser, "Sec-Fetch-Site", "same-origin").Body.String()
	assert.Contains(t, page, `<h2><a href="#L1">1 test failed: TestPay</a> <code>pay_test.go:41</code></h2>`)
}

func TestEncrypted_serverShowsNothingOfIt(t *testing.T) {
	p := newPages(t)
	for _, kind := range []string{"log", "snippet"} {
		sealed, key, err := seal.Seal(seal.Share{Kind: kind, Title: "hidden", Content: secretText})
		require.NoError(t, err)
		path := "/snippets/" + p.newSnippet(t, sealed, share.SnippetOptions{Encrypted: true})
		if kind == "log" {
			path = "/logs/" + p.newLog(t, sealed, share.LogOptions{Encrypted: true})
		}
		page := p.get(t, path, browser).Body.String()
		assert.Contains(t, page, `data-kind="`+kind+`" data-sealed="`+sealed+`"`)
		assert.NotContains(t, page, key)
		assert.NotContains(t, page, "og:")
		for target, want := range map[string]string{"": sealed, "/raw": sealed, "/download": sealed, "?summary": sealed} {
			w := p.get(t, path+target, "*/*")
			assert.Equal(t, http.StatusOK, w.Code, target)
			assert.Equal(t, want, w.Body.String(), target)
		}
		assert.Equal(t, http.StatusConflict, p.get(t, path+".png", "*/*").Code)
	}
}
