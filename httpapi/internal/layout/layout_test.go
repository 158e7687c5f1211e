package layout_test

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/store"
)

// page returns a layout with its own assets, and a page of it.
func page(t *testing.T, own map[string][]byte) (*layout.Layout, string) {
	t.Helper()
	l := layout.New(layout.Options{
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)), Templates: fstest.MapFS{"templates/one.html": {Data: []byte(`{{define "content"}}<main id="content">{{.}}{{large}}</main>{{end}}`)}},
		Assets: func() (map[string][]byte, error) { return own, nil },
	})
	w := httptest.NewRecorder()
	p := layout.Page{Title: "One", Content: "<b>&", Large: strings.NewReader("<p>large")}
	for name := range own {
		p.Styles = append(p.Styles, name)
	}
	l.Respond(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody), func(*http.Request) (*layout.Response, error) { return l.Render("one", p) })
	require.Equal(t, http.StatusOK, w.Code)
	return l, w.Body.String()
}

func TestRespond_content(t *testing.T) {
	_, text := page(t, nil)
	assert.Contains(t, text, `<main id="content">&lt;b&gt;&amp;<p>large</main>`)
	assert.Contains(t, text, "<title>One · Devkiln</title>")
}

// Pages and dashboard load their common assets from the same URL. The URLs of
// other assets change with any asset.
func TestAssets_sharedOnce(t *testing.T) {
	address := func(text, name string) string {
		return regexp.MustCompile(`/assets/[0-9a-f]{16}/` + name).FindString(text)
	}
	_, none := page(t, nil)
	l, one := page(t, map[string][]byte{"own.css": []byte("a{}")})
	_, other := page(t, map[string][]byte{"own.css": []byte("b{}")})
	base := address(none, "base.css")
	require.NotEmpty(t, base)
	assert.Equal(t, base, address(one, "base.css"))
	assert.Equal(t, base, address(other, "base.css"))
	own := address(one, "own.css")
	require.NotEmpty(t, own)
	assert.NotEqual(t, own, address(other, "own.css"))

	mux := http.NewServeMux()
	mux.HandleFunc("GET "+layout.AssetPrefix+"{version}/{name}", l.ServeAsset)
	for path, cached := range map[string]string{
		base: "immutable", own: "immutable", strings.Replace(own, "own.css", "clipboard.js", 1): "immutable",
		"/assets/0123456789abcdef/base.css": "no-store", "/assets/0123456789abcdef/none.css": "",
	} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
		assert.Equal(t, cached == "", w.Code == http.StatusNotFound, path)
		assert.Contains(t, w.Header().Get("Cache-Control"), cached, path)
	}
}

// A conditional request for an unchanged page gets a 304.
func TestWrite_unchanged(t *testing.T) {
	l := layout.New(layout.Options{Log: slog.New(slog.DiscardHandler)})
	send := func(tag string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
		r.Header.Set("If-None-Match", tag)
		l.Write(w, r, layout.NewResponse(layout.Text, []byte("text")).Revalidate())
		return w
	}
	first := send("")
	assert.Equal(t, "text", first.Body.String())
	tag := first.Header().Get("ETag")
	for known, status := range map[string]int{tag: 304, `"x", ` + tag: 304, `"x"`: 200} {
		assert.Equal(t, status, send(known).Code, known)
	}
}

func BenchmarkWrite(b *testing.B) {
	l := layout.New(layout.Options{Log: slog.New(slog.DiscardHandler)})
	body := []byte(strings.Repeat("<p class=one>the text of a page, line after line</p>\n", 400))
	r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/", http.NoBody)
	r.Header.Set("Accept-Encoding", "gzip")
	b.ReportAllocs()
	for b.Loop() {
		l.Write(httptest.NewRecorder(), r, layout.NewResponse(layout.HTML, body))
	}
}

func TestFail_explains(t *testing.T) {
	for err, want := range map[error]string{
		layout.NoPage:                           "404  Page not found",
		layout.TooMany(1500 * time.Millisecond): "429 2 Too many pages",
		store.ErrUnavailable:                    "503 30 Back in a moment",
		errors.New("a secret of ours"):          "500  Something broke on our side",
	} {
		l := layout.New(layout.Options{Log: slog.New(slog.DiscardHandler)})
		w := httptest.NewRecorder()
		l.Fail(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody), err)
		title, _, _ := strings.Cut(w.Body.String(), "\n")
		assert.Equal(t, want, strings.Join([]string{w.Result().Status[:3], w.Header().Get("Retry-After"), title}, " "))
		assert.NotContains(t, w.Body.String(), "secret")
	}
}

func TestWords(t *testing.T) {
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	for got, want := range map[string]string{
		layout.Plural(1, "line"):                                             "1 line",
		layout.Plural(25_000, "line"):                                        "25,000 lines",
		layout.Thousands(-1_234_567):                                         "-1,234,567",
		layout.Size(1):                                                       "1 byte",
		layout.Size(999_949):                                                 "999.9 kB",
		layout.Size(999_950):                                                 "1 MB",
		layout.Size(2_450_000_000):                                           "2.5 GB",
		layout.TimeLeft(now.Add(30*24*time.Hour), now):                       "expires in 30 days",
		layout.TimeLeft(now.Add(7*24*time.Hour-time.Hour), now):              "expires in 7 days",
		layout.TimeLeft(now.Add(6*24*time.Hour+11*time.Hour), now):           "expires in 6 days",
		layout.TimeLeft(now.Add(24*time.Hour-time.Second), now):              "expires in 24 hours",
		layout.TimeLeft(now.Add(24*time.Hour-29*time.Minute), now):           "expires in 24 hours",
		layout.TimeLeft(now.Add(24*time.Hour-31*time.Minute), now):           "expires in 23 hours",
		layout.TimeLeft(now.Add(119*time.Minute), now):                       "expires in 119 minutes",
		layout.TimeLeft(now.Add(70*time.Second), now):                        "expires in 1 minute",
		layout.TimeLeft(now.Add(10*time.Second), now):                        "expires in under a minute",
		layout.TimeLeft(time.Time{}, now):                                    "never expires",
		layout.Fault{Field: "fontSize", Message: "is 5"}.Sentence():          "Font size is 5.",
		layout.Fault{Field: "colors[1]", Message: "is no colour"}.Sentence(): "Colour 2 is no colour.",
		layout.Fault{Field: "firstLine", Message: "is 0"}.Sentence():         "First line is 0.",
	} {
		assert.Equal(t, want, got)
	}
}
