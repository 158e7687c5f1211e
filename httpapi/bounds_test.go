package httpapi_test

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/store"
)

// ask posts a body with a valid key.
func ask(t *testing.T, path, body string) answer {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("X-Api-Key", staticKey)
	w := httptest.NewRecorder()
	httpapi.New(options(t, store.NewMemory())).ServeHTTP(w, r)
	return answer{status: w.Code, body: w.Body.String()}
}

// manyFields is n fields that no operation has.
func manyFields(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"f%d":0`, i)
	}
	return b.String()
}

func TestAnObjectOfMoreThanAThousandFieldsIsNotLookedAt(t *testing.T) {
	got := ask(t, "/api/v1/slug-generator", `{"text":"a"`+manyFields(999)+`}`)
	assert.Equal(t, http.StatusBadRequest, got.status)
	assert.Contains(t, got.body, `"message":"f0: is not a field of this operation; f1: is not a field of this operation; f10: is not a field of this operation; and 996 more"`)

	got = ask(t, "/api/v1/slug-generator", `{"text":"a"`+manyFields(1000)+`}`)
	assert.Equal(t, http.StatusBadRequest, got.status)
	assert.Contains(t, got.body, `{"code":"invalid_json","message":"the object has 1001 fields, must have at most 1000 (at byte 0)"}`)
}

func TestAnAnswerListsAHundredFaults(t *testing.T) {
	for fields, listed := range map[int]int{99: 99, 100: 100, 101: 100, 999: 100} {
		got := ask(t, "/api/v1/slug-generator", `{"text":"a"`+manyFields(fields)+`}`)
		assert.Equal(t, listed, strings.Count(got.body, `"code":"unknown_field"`), "of %d", fields)
	}
}

func TestAnArrayOfMoreThanAThousandElementsIsNotLookedAt(t *testing.T) {
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

func TestTheSchemeOfATLSConnectionIsHTTPS(t *testing.T) {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/v1/code-snippet-share", strings.NewReader(`{"code":"a","language":"go"}`))
	r.Host, r.TLS = "kiln.test:8443", &tls.ConnectionState{}
	r.Header.Set("X-Api-Key", staticKey)
	w := httptest.NewRecorder()
	httpapi.New(options(t, store.NewMemory())).ServeHTTP(w, r)
	assert.Contains(t, w.Body.String(), `"fullUrl":"https://kiln.test:8443/snippets/`)
}
