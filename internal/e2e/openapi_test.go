package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/contract"
	"github.com/devkiln/devkiln/share"
)

// auditor checks requests and responses against the OpenAPI document and
// records which parts of the document they cover.
type auditor struct {
	document *openapi3.T
	failure  *openapi3.SchemaRef
	options  *openapi3filter.Options
	statuses map[string]bool // "POST /path 400" for each status in the document
	codes    map[string]bool
	repeated map[string]bool // requests and responses of cases that send the same often
}

func newAuditor(t *testing.T) *auditor {
	t.Helper()
	text, err := os.ReadFile("../../httpapi/openapi/openapi.yaml")
	require.NoError(t, err)
	loader := openapi3.NewLoader()
	document, err := loader.LoadFromData(text)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(document.OpenAPI, "3.1."))
	require.NoError(t, document.Validate(loader.Context, openapi3.EnableExamplesValidation()))
	openapi3filter.RegisterBodyDecoder("image/svg+xml", openapi3filter.FileBodyDecoder)
	openapi3filter.RegisterBodyDecoder("image/png", openapi3filter.FileBodyDecoder)
	openapi3filter.RegisterBodyDecoder("image/webp", openapi3filter.FileBodyDecoder)
	return &auditor{
		document: document,
		failure:  document.Components.Schemas["Failure"],
		options: &openapi3filter.Options{
			IncludeResponseStatus: true,
			MultiError:            true,
			AuthenticationFunc:    authenticate,
		},
		statuses: make(map[string]bool),
		codes:    make(map[string]bool),
		repeated: make(map[string]bool),
	}
}

func authenticate(_ context.Context, in *openapi3filter.AuthenticationInput) error {
	if in.RequestValidationInput.Request.Header.Get(in.SecurityScheme.Name) == "" {
		return fmt.Errorf("no %s", in.SecurityScheme.Name)
	}
	return nil
}

// route returns the document's operation for a request, or nil.
func (a *auditor) route(r *http.Request) (*routers.Route, map[string]string) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet // HEAD is GET without a body
	}
	for pattern, item := range a.document.Paths.Map() {
		params, ok := matches(pattern, r.URL.EscapedPath())
		operation := item.GetOperation(method)
		if ok && operation != nil {
			return &routers.Route{Spec: a.document, Path: pattern, PathItem: item, Method: method, Operation: operation}, params
		}
	}
	return nil, nil
}

// matches reports whether an escaped path matches a pattern such as /a/{id}.
func matches(pattern, have string) (map[string]string, bool) {
	want, got := strings.Split(pattern, "/"), strings.Split(have, "/")
	if len(want) != len(got) || path.Clean(have) != have {
		return nil, false
	}
	params := make(map[string]string)
	for i, part := range want {
		value, err := url.PathUnescape(got[i])
		if err != nil {
			return nil, false
		}
		if name, ok := strings.CutPrefix(part, "{"); ok && value != "" {
			params[strings.TrimSuffix(name, "}")] = value
			continue
		}
		if part != value {
			return nil, false
		}
	}
	return params, true
}

// observe checks a request and its response; a Player calls it.
func (a *auditor) observe(r *http.Request, sent []byte, response *http.Response, answer []byte) error {
	both := fmt.Sprintf("%s %s %v %q %d %q", r.Method, r.URL, r.Header, sent, response.StatusCode, answer)
	if a.repeated[both] {
		return nil
	}
	a.repeated[both] = true
	route, params := a.route(r)
	if route == nil {
		return a.outside(r, response, answer)
	}
	request := &openapi3filter.RequestValidationInput{Request: again(r, sent), PathParams: params, Route: route, Options: a.options}
	if response.StatusCode == http.StatusOK {
		options := *a.options
		coding := r.Header.Get("Content-Encoding")
		options.ExcludeRequestBody = coding != "" && coding != "identity" // the validator does not decompress
		request.Options = &options
		if err := openapi3filter.ValidateRequest(r.Context(), request); err != nil {
			return fmt.Errorf("a request that succeeded: %w", err)
		}
	}
	if response.StatusCode == http.StatusMethodNotAllowed {
		return fmt.Errorf("%s is in the document and not in the code", route.Path)
	}
	a.statuses[fmt.Sprintf("%s %s %d", route.Method, route.Path, response.StatusCode)] = true
	a.note(answer)
	return openapi3filter.ValidateResponse(r.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: request,
		Status:                 response.StatusCode,
		Header:                 response.Header,
		Body:                   io.NopCloser(bytes.NewReader(answer)),
		Options:                a.options,
	})
}

// again returns the request with its body, which the handler has consumed. It
// removes a byte order mark and adds the Content-Type that the document
// requires but the service does not.
func again(r *http.Request, sent []byte) *http.Request {
	c := r.Clone(r.Context())
	if sent != nil {
		c.Body = io.NopCloser(bytes.NewReader(bytes.TrimPrefix(sent, []byte("\ufeff"))))
		if c.Header.Get("Content-Type") == "" {
			c.Header.Set("Content-Type", "application/json")
		}
		if !strings.HasPrefix(r.URL.Path, "/api/") {
			c.Header.Set("Content-Type", "text/plain") // the service reads any other type as this
		}
	}
	return c
}

// outside checks a response for a path or method that is not in the document.
// Under /api it must be a Failure.
func (a *auditor) outside(r *http.Request, response *http.Response, answer []byte) error {
	clean := path.Clean(r.URL.Path)
	if clean != "/api" && !strings.HasPrefix(clean, "/api/") {
		return nil
	}
	switch response.StatusCode {
	case http.StatusNoContent: // response to a CORS preflight
		return nil
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusServiceUnavailable, http.StatusRequestTimeout:
	default:
		return fmt.Errorf("%s %s is in the code and not in the document", r.Method, r.URL.Path)
	}
	a.note(answer)
	var value any
	if err := json.Unmarshal(answer, &value); err != nil {
		return err
	}
	return a.failure.Value.VisitJSON(value, openapi3.EnableJSONSchema2020())
}

func (a *auditor) note(answer []byte) {
	var failure struct{ Error struct{ Code string } }
	if json.Unmarshal(answer, &failure) == nil && failure.Error.Code != "" {
		a.codes[failure.Error.Code] = true
	}
}

// TestOpenAPI_everyContractCase plays all cases of the contract and checks that
// they cover the whole document.
func TestOpenAPI_everyContractCase(t *testing.T) {
	t.Parallel()
	cases, err := contract.Load("../../httpapi/testdata/contract")
	require.NoError(t, err)
	a := newAuditor(t)
	for _, c := range cases {
		t.Run(c.File+"/"+c.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := contract.Start(t, c.Server)
				p.Observe = a.observe
				assert.NoError(t, p.Play(t.Context(), c))
			})
		})
	}
	p := contract.Start(t, contract.Server{})
	a.pictures(t, p)
	a.plain(t, p)
	a.slowBodies(t, p)
	a.inFlight(t)
	if t.Failed() {
		return
	}
	for pattern, item := range a.document.Paths.Map() {
		for method, operation := range item.Operations() {
			for status := range operation.Responses.Map() {
				seen := fmt.Sprintf("%s %s %s", method, pattern, status)
				assert.True(t, a.statuses[seen] || strings.HasSuffix(status, "XX"), "%s is in the document, and no case has it", seen)
			}
		}
	}
	for name, schema := range a.document.Components.Schemas {
		if properties := schema.Value.Properties; len(properties) > 0 && !strings.HasSuffix(name, "Request") {
			assert.Len(t, schema.Value.Required, len(properties), "%s: a field of an answer is always there", name)
			assert.NotNil(t, schema.Value.AdditionalProperties.Has, "%s: and there is no other", name)
		}
	}
	for _, code := range a.document.Components.Schemas["ErrorCode"].Value.Enum {
		assert.True(t, a.codes[code.(string)], "the code %s is in the document, and no case has it", code)
	}
}

// send sends a request and observes the response.
func (a *auditor) send(t *testing.T, p *contract.Player, method, target, body string, headers map[string]string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	r.Header.Set("X-API-Key", p.Keys["alice"])
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	p.Handler.ServeHTTP(w, r)
	var sent []byte
	if body != "" {
		sent = []byte(body)
	}
	assert.NoError(t, a.observe(r, sent, w.Result(), w.Body.Bytes()), "%s %s", method, target)
}

// pictures covers binary responses, which cases cannot hold.
func (a *auditor) pictures(t *testing.T, p *contract.Player) {
	for _, accept := range []string{"image/png", "image/svg+xml", "image/webp"} {
		a.send(t, p, http.MethodPost, "/api/v1/code-screenshot?scale=1", `{"code":"print(42)"}`, map[string]string{"Accept": accept, "Content-Type": "application/json"})
	}
}

// plain covers the operations outside /api.
func (a *auditor) plain(t *testing.T, p *contract.Player) {
	for _, target := range []string{"/openapi.yaml", "/openapi.json"} {
		a.send(t, p, http.MethodGet, target, "", nil)
		w := httptest.NewRecorder()
		p.Handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, http.NoBody))
		a.send(t, p, http.MethodGet, target, "", map[string]string{"If-None-Match": w.Header().Get("ETag")})
	}
	for _, target := range []string{"/logs", "/snippets", "/analyze"} {
		a.send(t, p, http.MethodPost, target, "a", map[string]string{"Content-Encoding": "br"})
		a.send(t, p, http.MethodPost, target, "a", map[string]string{"X-API-Key": p.Keys["reading"]})
		for range 3 {
			a.send(t, p, http.MethodPost, target, "a", map[string]string{"X-API-Key": p.Keys["narrow"]})
		}
		a.send(t, contract.Start(t, contract.Server{State: "draining"}), http.MethodPost, target, "a", nil)
		a.send(t, contract.Start(t, contract.Server{Broken: "unforeseen"}), http.MethodPost, target, "a", nil)
	}
	a.send(t, p, http.MethodGet, "/healthz", "", nil)
	a.send(t, p, http.MethodGet, "/readyz", "", nil)
	a.send(t, contract.Start(t, contract.Server{State: "draining"}), http.MethodGet, "/readyz", "", nil)
	a.send(t, p, http.MethodGet, "/api/v1/code-screenshot", "", nil)
	site := newService(t)
	p = &contract.Player{Handler: site.Config.Handler}
	a.send(t, p, http.MethodGet, site.log(t, "a log", share.LogOptions{})+"/raw", "", nil)
	a.send(t, p, http.MethodGet, site.log(t, "a log", share.LogOptions{Burn: true})+"/raw", "", nil)
	a.send(t, p, http.MethodGet, "/logs/4gyvm6pt90hk4r7z/raw", "", nil)
}

// slowBodies sends the header of a request to every operation, and no body.
func (a *auditor) slowBodies(t *testing.T, p *contract.Player) {
	for pattern, item := range a.document.Paths.Map() {
		if item.Post == nil || item.Post.RequestBody == nil {
			continue
		}
		synctest.Test(t, func(t *testing.T) {
			client, served := net.Pipe()
			listener := &one{conns: make(chan net.Conn, 1)}
			listener.conns <- served
			server := &http.Server{Handler: p.Handler}
			go func() { _ = server.Serve(listener) }()
			defer server.Close()
			defer close(listener.conns)
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, pattern, http.NoBody)
			r.Header.Set("X-API-Key", contract.StaticKey)
			go fmt.Fprintf(client, "POST %s HTTP/1.1\r\nHost: kiln.test\r\nX-API-Key: %s\r\nContent-Length: 10\r\n\r\n", pattern, contract.StaticKey)
			response, answer := receive(t, client, r)
			require.Equal(t, http.StatusRequestTimeout, response.StatusCode)
			assert.NoError(t, a.observe(r, nil, &response, answer), pattern)
			client.Close()
		})
	}
}
