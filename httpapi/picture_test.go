package httpapi_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/contract"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/store"
)

// drawn requests a screenshot and returns the response.
func drawn(t *testing.T, p *contract.Player, query, accept, body string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/v1/code-screenshot"+query, strings.NewReader(body))
	r.Header.Set("X-API-Key", p.Keys["alice"])
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	w := httptest.NewRecorder()
	p.Handler.ServeHTTP(w, r)
	return w
}

func TestPicture_acceptHeader(t *testing.T) {
	if testing.Short() {
		t.Skip("draws large pictures, which package screenshot does under the race detector")
	}
	p := player(t, contract.Server{})
	for accept, want := range map[string]string{
		"":                               "application/json; charset=utf-8",
		"*/*":                            "application/json; charset=utf-8",
		"text/html":                      "application/json; charset=utf-8",
		"image/avif":                     "application/json; charset=utf-8",
		"image/webp":                     "image/webp",
		"application/json, image/png":    "application/json; charset=utf-8",
		"image/png;q=0":                  "application/json; charset=utf-8",
		"image/png":                      "image/png",
		"IMAGE/PNG":                      "image/png",
		"image/png, */*":                 "image/png",
		"image/*":                        "image/png",
		"image/svg+xml":                  "image/svg+xml",
		"image/svg+xml, image/png;q=0.9": "image/svg+xml",
		"image/*;q=0.5, image/svg+xml":   "image/svg+xml",
	} {
		response := drawn(t, p, "", accept, `{"code":"package main"}`)
		assert.Equal(t, http.StatusOK, response.Code, accept)
		assert.Equal(t, want, response.Header().Get("Content-Type"), accept)
		assert.NotEmpty(t, response.Header().Get("RateLimit"), "the same limits")
		assert.Equal(t, "no-store", response.Header().Get("Cache-Control"))
	}
}

// A picture can use a theme of the server by its name, which the link includes.
func TestPicture_ownThemes(t *testing.T) {
	mine, ok := highlight.LookupTheme("nord")
	require.True(t, ok)
	mine.Name, mine.Background = "mine", "#123456"
	o := options(t, store.NewMemory())
	o.Themes = []highlight.Theme{mine}
	handler := handlerOf(t, o)
	for accept, want := range map[string]string{"image/svg+xml": `fill="#123456"`, "application/json": "/screenshot?theme=mine#"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/v1/code-screenshot?theme=mine", strings.NewReader(`{"code":"x"}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-API-Key", staticKey)
		r.Header.Set("Accept", accept)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		assert.Contains(t, w.Body.String(), want)
	}
}

// TestConfig_keepsMarkupAsText compares the text of a response: as JSON values,
// < and its escape are equal.
func TestConfig_keepsMarkupAsText(t *testing.T) {
	p := player(t, contract.Server{})
	response := drawn(t, p, "", "", `{"code":"<a> & b","windowTitle":"<main> & co"}`)
	assert.Contains(t, response.Body.String(), `"code":"<a> & b"`)
	assert.Contains(t, response.Body.String(), `"windowTitle":"<main> & co"`)
}

func TestPicture_isWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("draws large pictures, which package screenshot does under the race detector")
	}
	p := player(t, contract.Server{})
	const body = `{"code":"package main\n\nfunc main() {}\n","windowTitle":"<main> & co"}`
	widths := make(map[string]int)
	for _, query := range []string{"", "?scale=1", "?scale=2", "?scale=1.5", "?scale=4"} {
		response := drawn(t, p, query, "image/png", body)
		require.Equal(t, http.StatusOK, response.Code, query)
		picture, err := png.Decode(response.Body)
		require.NoError(t, err, query)
		widths[query] = picture.Bounds().Dx()
	}
	assert.Equal(t, 2*widths["?scale=1"], widths[""], "2 unless told")
	assert.Equal(t, widths["?scale=2"], widths[""])
	assert.Equal(t, 4*widths["?scale=1"], widths["?scale=4"])
	assert.InDelta(t, 1.5*float64(widths["?scale=1"]), widths["?scale=1.5"], 1)

	svg := drawn(t, p, "", "image/svg+xml", body).Body.String()
	d := xml.NewDecoder(strings.NewReader(svg))
	var err error
	for err == nil {
		_, err = d.Token()
	}
	assert.True(t, errors.Is(err, io.EOF), err)
	assert.NotContains(t, svg, "<script")
}

func TestPicture_thatCannotBeDrawn(t *testing.T) {
	p := player(t, contract.Server{})
	for name, c := range map[string]struct {
		query, body string
		field, code string
	}{
		"scale too small":    {"?scale=0.5", `{"code":"x"}`, "scale", "out_of_range"},
		"scale too large":    {"?scale=5", `{"code":"x"}`, "scale", "out_of_range"},
		"scale is no number": {"?scale=big", `{"code":"x"}`, "scale", "invalid_type"},
		"scale is NaN":       {"?scale=NaN", `{"code":"x"}`, "scale", "out_of_range"},
		"theme":              {"", `{"code":"x","theme":"neon"}`, "theme", "not_one_of"},
		"parameter's theme":  {"?theme=ocean", `{"code":"x","theme":"nord"}`, "theme", "not_one_of"},
		"too many lines":     {"", `{"code":"` + strings.Repeat(`\n`, 6000) + `x"}`, "code", "out_of_range"},
	} {
		response := drawn(t, p, c.query, "image/png", c.body)
		var refusal struct {
			Success bool
			Error   struct {
				Code    string
				Details []struct{ Field, Code, Message string }
			}
		}
		require.NoError(t, json.NewDecoder(response.Body).Decode(&refusal), name)
		assert.Equal(t, http.StatusBadRequest, response.Code, name)
		assert.Equal(t, "validation_failed", refusal.Error.Code, name)
		require.NotEmpty(t, refusal.Error.Details, name)
		assert.Equal(t, c.field, refusal.Error.Details[0].Field, name)
		assert.Equal(t, c.code, refusal.Error.Details[0].Code, name)
	}
}

func TestPicture_saysWhatItLacks(t *testing.T) {
	p := player(t, contract.Server{})
	for _, accept := range []string{"image/png", "image/svg+xml"} {
		response := drawn(t, p, "", accept, `{"code":"ok 中文 ok"}`)
		require.Equal(t, http.StatusOK, response.Code)
		assert.Equal(t, []string{`199 devkiln "No font has U+4E2D, U+6587."`}, response.Header().Values("Warning"), accept)
	}
	assert.Empty(t, drawn(t, p, "", "image/png", `{"code":"ok"}`).Header().Values("Warning"))
	assert.Empty(t, drawn(t, p, "", "", `{"code":"中"}`).Header().Values("Warning"))
}

func TestPicture_thatWouldTakeTooLongIsRefused(t *testing.T) {
	p := player(t, contract.Server{})
	body := `{"code":"` + strings.Repeat(`x\n`, 2000) + `","fontSize":40}`
	response := drawn(t, p, "?scale=4&ratio=16:9", "image/png", body)
	assert.Equal(t, http.StatusBadRequest, response.Code)
	assert.Contains(t, response.Body.String(), `"field":"scale","code":"out_of_range"`)
}

func TestExtras_standInTheURLAndNotInTheConfig(t *testing.T) {
	p := player(t, contract.Server{})
	const body = `{"code":"a\nb\nc\n"}`
	plain, extra := drawn(t, p, "", "", body), drawn(t, p, "?highlight=2-3&wrap=40&ligatures=off&watermark=me+%26+co", "", body)
	require.Equal(t, http.StatusOK, extra.Code, extra.Body)
	var without, with struct {
		Config json.RawMessage
		WebURL string
	}
	require.NoError(t, json.Unmarshal(plain.Body.Bytes(), &without))
	require.NoError(t, json.Unmarshal(extra.Body.Bytes(), &with))
	assert.Equal(t, string(without.Config), string(with.Config))
	assert.Equal(t, strings.Replace(without.WebURL, "/screenshot#", "/screenshot?highlight=2-3&ligatures=off&watermark=me+%26+co&wrap=40#", 1), with.WebURL)
}

func TestExtras_areDrawn(t *testing.T) {
	p := player(t, contract.Server{})
	const body = `{"code":"a\nb\nc\n"}`
	plain := drawn(t, p, "", "image/svg+xml", body).Body.String()
	for _, query := range []string{"?highlight=2", "?lines=2-3", "?firstLine=10", "?window=none", "?watermark=me", "?lineHeight=2", "?theme=monokai", "?input=ansi"} {
		response := drawn(t, p, query, "image/svg+xml", body)
		require.Equal(t, http.StatusOK, response.Code, query)
		assert.NotEqual(t, plain, response.Body.String(), query)
	}
}

// A patch and terminal output are parsed, and the response warns of what cannot
// be drawn.
func TestExtras_input(t *testing.T) {
	p := player(t, contract.Server{})
	for _, c := range []struct {
		code, query string
		status      int
		contains    string
	}{
		{"--- a.go\n+++ a.go\n@@ -1 +1 @@\n-package a\n+package b\n", "?input=patch", http.StatusOK, ">@@ -1,1 +1,1 @@</tspan>"},
		{"\x1b[31mred\rR", "?input=ansi", http.StatusOK, ">Red</tspan>"},
		{"\x1b[31mred\rR", "?input=patch", http.StatusBadRequest, `"field":"code","code":"invalid_format"`},
		{strings.Repeat("--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n", 2), "?input=patch", http.StatusBadRequest, `"field":"code","code":"too_many"`},
		{"a", "?notation=shiki&size=smallest", http.StatusOK, ">a</tspan>"}, // of earlier versions
	} {
		body, err := json.Marshal(map[string]string{"code": c.code, "theme": "monokai"})
		require.NoError(t, err)
		response := drawn(t, p, c.query, "image/svg+xml", string(body))
		assert.Equal(t, c.status, response.Code, c.code)
		assert.Contains(t, response.Body.String(), c.contains)
	}
}

func TestExtras_areAllNamedWhenTheyAreAtFault(t *testing.T) {
	p := player(t, contract.Server{})
	response := drawn(t, p, "?highlight=x&wrap=5&nowhere=1&scale=9&theme=neon&"+strings.Repeat("n", 100)+"=", "", `{"code":"a","padding":999}`)
	var got struct {
		Error struct {
			Code    string
			Details []struct{ Field, Code string }
		}
	}
	require.NoError(t, json.Unmarshal(response.Body.Bytes(), &got))
	assert.Equal(t, "validation_failed", got.Error.Code)
	faults := make(map[string]string)
	for _, d := range got.Error.Details {
		faults[d.Field] = d.Code
	}
	assert.Len(t, got.Error.Details, len(faults), "each once")
	for field, code := range map[string]string{
		"scale": "out_of_range", "padding": "out_of_range", "wrap": "out_of_range", "theme": "not_one_of", "nowhere": "unknown_field", strings.Repeat("n", 64) + "…": "unknown_field",
	} {
		assert.Equal(t, code, faults[field], field)
	}
	assert.NotEmpty(t, faults["highlight"])
	assert.Equal(t, http.StatusBadRequest, drawn(t, p, "?watermark=%ff", "", `{"code":"a"}`).Code)
}
