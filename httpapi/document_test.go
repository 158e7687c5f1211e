package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/store"
)

// property is the document's description of one field of a request.
type property struct {
	Type      any      `json:"type"`
	Ref       string   `json:"$ref"`
	Enum      []any    `json:"enum"`
	MinLength int      `json:"minLength"`
	MaxLength int      `json:"maxLength"`
	Pattern   string   `json:"pattern"`
	Minimum   *float64 `json:"minimum"`
	Maximum   *float64 `json:"maximum"`
	MinItems  int      `json:"minItems"`
	MaxItems  int      `json:"maxItems"`
	Items     *property
}

// types returns the type of a property other than null, and whether null is
// allowed.
func (p property) types() (kind string, nullable bool) {
	list, ok := p.Type.([]any)
	if !ok {
		return p.Type.(string), false
	}
	return list[0].(string), slices.Contains(list, any("null"))
}

// object is the schema of a request body.
type object struct {
	AdditionalProperties *bool
	Required             []string
	Properties           map[string]property
}

// document is the part of the OpenAPI document that the tests read.
type document struct {
	Paths map[string]map[string]struct {
		RequestBody struct {
			Content map[string]struct {
				Schema   property
				Examples map[string]property
			}
		}
		Responses map[string]struct {
			Content map[string]struct{ Examples map[string]property }
		}
	}
	Components struct {
		Schemas  map[string]object
		Examples map[string]struct{ Value json.RawMessage }
	}
}

func fetch(t *testing.T, handler http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

func read(t *testing.T, handler http.Handler) document {
	t.Helper()
	w := fetch(t, handler, http.MethodGet, "/openapi.json")
	require.Equal(t, http.StatusOK, w.Code)
	// Schemas of responses have other types than those of interest here, so
	// each schema is decoded by itself.
	var raw struct {
		Paths      map[string]map[string]json.RawMessage
		Components struct {
			Schemas  map[string]json.RawMessage
			Examples map[string]struct{ Value json.RawMessage }
		}
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &raw))
	var d document
	d.Components.Examples = raw.Components.Examples
	d.Components.Schemas = make(map[string]object)
	for name, text := range raw.Components.Schemas {
		if strings.HasSuffix(name, "Request") {
			var o object
			require.NoError(t, json.Unmarshal(text, &o), name)
			d.Components.Schemas[name] = o
		}
	}
	text, err := json.Marshal(map[string]any{"paths": postsOf(raw.Paths)})
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &d))
	return d
}

func postsOf(paths map[string]map[string]json.RawMessage) map[string]map[string]json.RawMessage {
	posts := make(map[string]map[string]json.RawMessage)
	for path, methods := range paths {
		if post, ok := methods["post"]; ok && strings.HasPrefix(path, "/api/") && !slices.Contains(withoutBody, path) {
			posts[path] = map[string]json.RawMessage{"post": post}
		}
	}
	return posts
}

// withoutBody are the paths that take a POST without a body.
var withoutBody = []string{"/api/v1/log-share/{id}/read", "/api/v1/code-snippet-share/{id}/read"}

// faultsOf posts an object and returns the error codes by field.
func faultsOf(t *testing.T, handler http.Handler, path string, body any) map[string]string {
	t.Helper()
	text, err := json.Marshal(body)
	require.NoError(t, err)
	return faultsOfText(t, handler, path, text)
}

// post sends a JSON body. The headers are alternating names and values.
func post(t *testing.T, handler http.Handler, path string, body []byte, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, bytes.NewReader(body))
	r.Header.Set("X-Api-Key", staticKey)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

func faultsOfText(t *testing.T, handler http.Handler, path string, text []byte) map[string]string {
	t.Helper()
	w := post(t, handler, path, text)
	var refusal struct {
		Error struct {
			Code    string
			Details []struct{ Field, Code string }
		}
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &refusal))
	faults := make(map[string]string)
	for _, d := range refusal.Error.Details {
		faults[d.Field] = d.Code
	}
	if w.Code != http.StatusOK {
		require.Equal(t, "validation_failed", refusal.Error.Code, w.Body.String())
	}
	return faults
}

// TestDocument_fieldsAndLimitsOfTheCode compares the document's requests with
// the running handlers: the fields, which of them are required, and both sides
// of every limit.
func TestDocument_fieldsAndLimitsOfTheCode(t *testing.T) {
	handler := handlerOf(t, options(t, store.NewMemory()))
	d := read(t, handler)
	known := httpapi.KnownFields(t, handler)
	require.Len(t, d.Paths, len(known))
	for path, fields := range known {
		t.Run(path, func(t *testing.T) {
			content := d.Paths[path]["post"].RequestBody.Content["application/json"]
			schema := d.Components.Schemas[strings.TrimPrefix(content.Schema.Ref, "#/components/schemas/")]
			require.NotEmpty(t, schema.Properties)
			require.Equal(t, new(false), schema.AdditionalProperties)
			documented := make([]string, 0, len(schema.Properties))
			for name := range schema.Properties {
				documented = append(documented, name)
			}
			assert.ElementsMatch(t, fields, documented)

			var required []string
			for field, code := range faultsOf(t, handler, path, map[string]any{}) {
				assert.Equal(t, "required", code)
				required = append(required, field)
			}
			assert.ElementsMatch(t, required, schema.Required)

			for name, p := range schema.Properties {
				probe(t, handler, path, name, p)
				_, nullable := p.types()
				assert.Equal(t, slices.Contains(required, name), !nullable, "%s: optional fields may be null, and no others", name)
			}
			for name, example := range content.Examples {
				value := d.example(example)
				require.NotEmpty(t, value, name)
				assert.Empty(t, faultsOfText(t, handler, path, value), name)
			}
		})
	}
}

// docs/decisions.md names every word for programs that the document lists.
func TestDocument_codesInDecisions(t *testing.T) {
	decisions, err := os.ReadFile("../docs/decisions.md")
	require.NoError(t, err)
	var d struct {
		Components struct {
			Schemas struct {
				ErrorCode  struct{ Enum []string }
				FieldFault struct {
					Properties struct{ Code struct{ Enum []string } }
				}
			}
		}
	}
	w := fetch(t, handlerOf(t, options(t, store.NewMemory())), http.MethodGet, "/openapi.json")
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &d))
	schemas := d.Components.Schemas
	require.Contains(t, schemas.ErrorCode.Enum, "invalid_json")
	require.Contains(t, schemas.FieldFault.Properties.Code.Enum, "too_many")
	for _, code := range append(schemas.ErrorCode.Enum, schemas.FieldFault.Properties.Code.Enum...) {
		assert.Contains(t, string(decisions), "`"+code+"`")
	}
}

// example returns the value of an example that the document references.
func (d document) example(ref property) json.RawMessage {
	return d.Components.Examples[strings.TrimPrefix(ref.Ref, "#/components/examples/")].Value
}

// The response to a documented request is the documented response.
func TestDocument_examplesOfResponses(t *testing.T) {
	handler := handlerOf(t, options(t, store.NewMemory()))
	d := read(t, handler)
	// Ids and times vary by server, and the share of the example is missing
	// here.
	varying := regexp.MustCompile(`"(id|url|fullUrl|webUrl)":"[^"]*"|"expiresAt":"[^"]*"|"deleted":(true|false)`)
	for path := range httpapi.KnownFields(t, handler) {
		operation := d.Paths[path]["post"]
		shown := operation.Responses["200"].Content["application/json"].Examples
		assert.NotEmpty(t, shown, path)
		for name, ref := range shown {
			w := post(t, handler, path, d.example(operation.RequestBody.Content["application/json"].Examples[name]))
			want := varying.ReplaceAllString(string(d.example(ref)), `"$1":0`)
			assert.JSONEq(t, want, varying.ReplaceAllString(w.Body.String(), `"$1":0`), "%s %s", path, name)
		}
	}
}

// Refusals common to all operations do not depend on the operation.
func TestRoutes_refuseAlike(t *testing.T) {
	handler := handlerOf(t, options(t, store.NewMemory()))
	for path := range httpapi.KnownFields(t, handler) {
		for want, w := range map[int]*httptest.ResponseRecorder{
			http.StatusUnauthorized:          post(t, handler, path, []byte("{}"), "X-Api-Key", "unknown"),
			http.StatusMethodNotAllowed:      fetch(t, handler, http.MethodGet, path),
			http.StatusUnsupportedMediaType:  post(t, handler, path, []byte("{}"), "Content-Type", "text/plain"),
			http.StatusRequestEntityTooLarge: post(t, handler, path, make([]byte, httpapi.MaxBody+1)),
			http.StatusBadRequest:            post(t, handler, path, []byte(`{"no such field":1}`)),
		} {
			assert.Equal(t, want, w.Code, path)
		}
	}
}

// probe sends a field with values on both sides of every documented limit.
func probe(t *testing.T, handler http.Handler, path, name string, p property) {
	t.Helper()
	expect := func(value any, want string) {
		t.Helper()
		faults := faultsOf(t, handler, path, map[string]any{name: value})
		got := faults[name]
		for field, code := range faults {
			if strings.HasPrefix(field, name+"[") {
				got = code
			}
		}
		assert.Equal(t, want, got, "%s = %.40v", name, value)
	}
	kind, nullable := p.types()
	if nullable {
		expect(nil, "")
	}
	for other, value := range map[string]any{"string": "x", "number": 1.5, "boolean": true, "array": []any{}, "object": map[string]any{}} {
		if other != kind {
			expect(value, "invalid_type")
		}
	}
	switch {
	case p.Enum != nil:
		for _, word := range p.Enum {
			want := ""
			if word == "json" {
				want = faultsOf(t, handler, path, map[string]any{name: word})[name] // the content must also be JSON
			}
			expect(word, want)
		}
		expect("no such word", "not_one_of")
	case kind == "string" && p.Pattern != "":
		for c := rune(' '); c < 0x7f; c++ {
			want := "not_one_of"
			if strings.ContainsRune("-_.~!$&'()*+,;=:@", c) {
				want = ""
			}
			expect(string(c), want)
		}
	case kind == "string" && p.MaxLength > 0:
		filler := "é"
		if name == "background" {
			filler = "" // letters do not extend its grammar
			expect(strings.Repeat(" ", p.MaxLength)+"#ffffff", "")
			expect("#"+strings.Repeat("f", p.MaxLength), "too_long")
		}
		if filler != "" {
			expect(strings.Repeat(filler, p.MaxLength), "")
			expect(strings.Repeat(filler, p.MaxLength+1), "too_long")
		}
	case kind == "number":
		probeNumber(expect, p, func(n float64) any { return n })
	case kind == "array":
		probeArray(expect, p)
	}
	if kind == "string" && p.MinLength > 0 {
		faults := faultsOf(t, handler, path, map[string]any{name: ""})
		assert.Contains(t, []string{"required", "too_short"}, faults[name], name)
	}
}

func probeNumber(expect func(any, string), p property, wrap func(float64) any) {
	if p.Minimum != nil {
		expect(wrap(*p.Minimum), "")
		expect(wrap(*p.Minimum-0.001), "out_of_range")
	}
	if p.Maximum != nil {
		expect(wrap(*p.Maximum), "")
		expect(wrap(*p.Maximum+0.001), "out_of_range")
	}
}

func probeArray(expect func(any, string), p property) {
	element := any("#ff0000")
	if p.Items.Type == "number" {
		element = 50
	}
	expect(slices.Repeat([]any{element}, p.MaxItems+1), "too_many")
	if p.Items.Ref != "" { // colours
		expect(slices.Repeat([]any{element}, p.MinItems), "")
		expect(slices.Repeat([]any{element}, p.MaxItems), "")
		expect(slices.Repeat([]any{element}, p.MinItems-1), "too_few")
		for _, bad := range []string{"#f00", "red", "#ff0000ff", "ff0000", "#gg0000"} {
			expect([]any{element, bad}, "invalid_format")
		}
	}
}

// TestDocument_hasTheParametersOfPictures compares the query of code-screenshot
// with the table of package screenshot.
func TestDocument_hasTheParametersOfPictures(t *testing.T) {
	var d struct {
		Paths map[string]struct {
			Post struct {
				Parameters []struct {
					Name   string
					Schema property
				}
			}
		}
	}
	w := fetch(t, handlerOf(t, options(t, store.NewMemory())), http.MethodGet, "/openapi.json")
	var raw struct{ Paths map[string]json.RawMessage }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &raw))
	text, err := json.Marshal(map[string]any{"paths": map[string]any{"x": raw.Paths["/api/v1/code-screenshot"]}})
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &d))
	documented := make(map[string]property)
	for _, p := range d.Paths["x"].Post.Parameters {
		documented[p.Name] = p.Schema
	}
	delete(documented, "") // scale, by reference
	for _, p := range option.Of[screenshot.Options]().InQuery() {
		schema, ok := documented[p.Name]
		require.True(t, ok, "%s is not in the document", p.Name)
		delete(documented, p.Name)
		switch p.Kind {
		case option.Integer, option.Number:
			assert.Equal(t, [2]float64{p.Min, p.Max}, [2]float64{*schema.Minimum, *schema.Maximum}, p.Name)
		case option.Text:
			assert.Equal(t, "string", schema.Type, p.Name)
			assert.InDelta(t, p.Max, schema.MaxLength, 0, p.Name)
		case option.Switch:
			assert.Equal(t, []any{"on", "off"}, schema.Enum, p.Name)
		case option.Choice:
			assert.Len(t, schema.Enum, len(p.Values), p.Name)
		case option.Name, option.List, option.Map: // the theme, listed by GET /api/v1/limits
		}
	}
	assert.Empty(t, documented, "and no others")
}

func TestDocument_servedAndCached(t *testing.T) {
	handler := handlerOf(t, options(t, store.NewMemory()))
	source, err := os.ReadFile("openapi/openapi.yaml")
	require.NoError(t, err)
	asYAML := fetch(t, handler, http.MethodGet, "/openapi.yaml")
	assert.Equal(t, string(source), asYAML.Body.String())
	assert.Equal(t, "application/yaml", asYAML.Header().Get("Content-Type"))

	asJSON := fetch(t, handler, http.MethodGet, "/openapi.json")
	assert.Equal(t, "application/json", asJSON.Header().Get("Content-Type"))
	var fromYAML any
	require.NoError(t, yaml.Unmarshal(source, &fromYAML))
	text, err := json.Marshal(fromYAML)
	require.NoError(t, err)
	assert.JSONEq(t, string(text), asJSON.Body.String())

	for _, w := range []*httptest.ResponseRecorder{asYAML, asJSON} {
		assert.Equal(t, "public, max-age=3600", w.Header().Get("Cache-Control"))
		tag := w.Header().Get("ETag")
		require.NotEmpty(t, tag)
		again := fetch(t, handler, http.MethodGet, map[bool]string{true: "/openapi.yaml", false: "/openapi.json"}[w == asYAML], "If-None-Match", tag)
		assert.Equal(t, http.StatusNotModified, again.Code)
		assert.Empty(t, again.Body.String())
	}
	refused := fetch(t, handler, http.MethodPost, "/openapi.json")
	assert.Equal(t, http.StatusMethodNotAllowed, refused.Code)
	assert.Equal(t, "GET, HEAD", refused.Header().Get("Allow"))
}

// The lists of a summary are as long as the document says, and its example is
// what the server sends.
func TestDocument_analyze(t *testing.T) {
	handler := handlerOf(t, options(t, store.NewMemory()))
	var d struct {
		Paths map[string]struct {
			Post struct {
				RequestBody struct {
					Content map[string]struct{ Example string }
				}
				Responses map[string]struct {
					Content map[string]struct{ Example string }
				}
			}
		}
		Components struct {
			Schemas struct {
				LogSummary struct {
					Properties map[string]struct{ MaxItems int }
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(fetch(t, handler, http.MethodGet, "/openapi.json").Body.Bytes(), &d))
	analyze := d.Paths["/analyze"].Post
	w := post(t, handler, "/analyze", []byte(analyze.RequestBody.Content["*/*"].Example))
	assert.Equal(t, w.Body.String(), analyze.Responses["200"].Content["text/plain"].Example)

	var log strings.Builder
	for i, what := range strings.Fields("disk socket queue cache token index cookie mutex") {
		fmt.Fprintf(&log, "2026-11-28 0%d:00:00 ERROR the %s is broken\n", i, what)
		for second := range 50 {
			fmt.Fprintf(&log, "2026-11-28 0%d:00:%02d INFO the %s took %d s\n", i, second, what, second)
		}
	}
	for i := range 250 {
		fmt.Fprintf(&log, "--- FAIL: Test%d (0.00s)\n    a_test.go:%d: expected 200, actual 500\n", i, i+1)
	}
	var summary map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(post(t, handler, "/analyze", []byte(log.String()), "Accept", "application/json").Body.Bytes(), &summary))
	bounded := 0
	for name, p := range d.Components.Schemas.LogSummary.Properties {
		if p.MaxItems > 0 {
			var list []any
			require.NoError(t, json.Unmarshal(summary[name], &list))
			assert.Len(t, list, p.MaxItems, name)
			bounded++
		}
	}
	assert.Equal(t, 4, bounded)
}
