package httpapi_test

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// ask posts a body with a valid key.
func ask(t *testing.T, path, body string) received {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("X-Api-Key", staticKey)
	w := httptest.NewRecorder()
	handlerOf(t, options(t, store.NewMemory())).ServeHTTP(w, r)
	return received{status: w.Code, body: w.Body.String()}
}

// manyFields returns n unknown fields.
func manyFields(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"f%d":0`, i)
	}
	return b.String()
}

func TestBody_objectBeyondAThousandFields(t *testing.T) {
	got := ask(t, "/api/v1/slug-generator", `{"text":"a"`+manyFields(999)+`}`)
	assert.Equal(t, http.StatusBadRequest, got.status)
	assert.Contains(t, got.body, `"message":"f0: is not a field of this operation; f1: is not a field of this operation; f10: is not a field of this operation; and 996 more"`)

	got = ask(t, "/api/v1/slug-generator", `{"text":"a"`+manyFields(1000)+`}`)
	assert.Equal(t, http.StatusBadRequest, got.status)
	assert.Contains(t, got.body, `{"code":"invalid_json","message":"the object has 1001 fields, must have at most 1000 (at byte 0)"}`)
}

func TestBody_listsAHundredFaults(t *testing.T) {
	for fields, listed := range map[int]int{99: 99, 100: 100, 101: 100, 999: 100} {
		got := ask(t, "/api/v1/slug-generator", `{"text":"a"`+manyFields(fields)+`}`)
		assert.Equal(t, listed, strings.Count(got.body, `"code":"unknown_field"`), "of %d", fields)
	}
}

func TestBody_arrayBeyondAThousandElements(t *testing.T) {
	for name, c := range map[string]struct{ before, element, after, field string }{
		"colors":    {`{"colors":[`, `"#000000"`, `]}`, "colors"},
		"positions": {`{"colors":["#000000","#000000"],"positions":[`, `0`, `]}`, "positions"},
	} {
		t.Run(name, func(t *testing.T) {
			elements := func(n int) string {
				return c.before + strings.TrimSuffix(strings.Repeat(c.element+",", n), ",") + c.after
			}
			got := ask(t, "/api/v1/gradient-generator", elements(1000))
			assert.Contains(t, got.body, `"field":"`+c.field+`","code":"too_many"`)
			assert.NotContains(t, got.body, "at most 1000")
			got = ask(t, "/api/v1/gradient-generator", elements(1001))
			assert.Contains(t, got.body, `"details":[{"field":"`+c.field+`","code":"too_many","message":"must have at most 1000 elements"}]`)
		})
	}
}

func TestBody_statsOfManyValues(t *testing.T) {
	stats := `{"a":[0` + strings.Repeat(",0", share.MaxStatsBytes/2-5) + `]}`
	require.LessOrEqual(t, len(stats), share.MaxStatsBytes)
	got := ask(t, "/api/v1/log-share", `{"content":"x","stats":`+stats+`}`)
	assert.Equal(t, http.StatusOK, got.status, got.body)
}

// bombs are bodies that are cheap to send and expensive to process.
func bombs() map[string]string {
	const size = httpapi.MaxBody - 100
	repeat := func(before, part, after string) string {
		return before + strings.Repeat(part, (size-len(before)-len(after))/len(part)) + after
	}
	return map[string]string{
		"deep":          repeat(`{"text":`, "[", ""),
		"deep objects":  repeat("", `{"a":`, ""),
		"wide":          repeat(`{"a":0`, `,"b":0`, "}"),
		"wide array":    repeat(`{"colors":[0`, ",0", "]}"),
		"long number":   repeat(`{"angle":`, "9", "}"),
		"long fraction": repeat(`{"angle":0.`, "0", "1}"),
		"long exponent": repeat(`{"angle":1e`, "9", "}"),
		"long string":   repeat(`{"colors":"`, "a", `"}`),
		"many escapes":  repeat(`{"colors":"`, `\u00e9`, `"}`),
		"many quotes":   repeat(`{"colors":"`, `\"`, `"}`),
		"long name":     repeat(`{"`, "a", `":0}`),
		"blanks":        repeat(`{"colors":0`, " ", "}"),
		"cut off":       repeat(`{"colors":"`, "a", ""),
		"cut escape":    repeat(`{"colors":"`, "a", `\u00`),
		"data behind":   repeat(`{"colors":0}`, " ", "x"),
		"not UTF-8":     repeat(`{"colors":"`, "a", "\xff\"}"),
	}
}

func TestBody_bombsTakeTwiceTheirSize(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	handler := handlerOf(t, options(t, store.NewMemory()))
	for name, bomb := range bombs() {
		for _, length := range []int64{int64(len(bomb)), -1} {
			if length < 0 && !strings.HasPrefix(name, "wide") {
				continue // the length matters only while the body is read
			}
			t.Run(fmt.Sprintf("%s, Content-Length %d", name, length), func(t *testing.T) {
				r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/v1/gradient-generator", strings.NewReader(bomb))
				r.Header.Set("X-Api-Key", staticKey)
				r.ContentLength = length
				w := httptest.NewRecorder()
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				handler.ServeHTTP(w, r)
				runtime.ReadMemStats(&after)
				assert.Equal(t, http.StatusBadRequest, w.Code)
				assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(2*httpapi.MaxBody))
				assert.Less(t, w.Body.Len(), 1000)
			})
		}
	}
}

func BenchmarkBombs(b *testing.B) {
	handler := handlerOf(b, options(b, store.NewMemory()))
	for name, bomb := range bombs() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/api/v1/gradient-generator", strings.NewReader(bomb))
				r.Header.Set("X-Api-Key", staticKey)
				handler.ServeHTTP(httptest.NewRecorder(), r)
			}
		})
	}
}

func TestScheme_ofTLS(t *testing.T) {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/v1/code-snippet-share", strings.NewReader(`{"code":"a","language":"go"}`))
	r.Host, r.TLS = "kiln.test:8443", &tls.ConnectionState{}
	r.Header.Set("X-Api-Key", staticKey)
	w := httptest.NewRecorder()
	handlerOf(t, options(t, store.NewMemory())).ServeHTTP(w, r)
	assert.Contains(t, w.Body.String(), `"fullUrl":"https://kiln.test:8443/snippets/`)
}
