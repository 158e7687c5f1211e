package httpapi_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// callers are the callers and the options of their keys.
var callers = map[string]*apikey.Options{
	"nobody":          nil,
	"carol":           {Owner: "user:carol"},
	"carol's laptop":  {Owner: "user:carol"},
	"dave":            {Owner: "user:dave"},
	"a key of nobody": {},
	"carol, share":    {Owner: "user:carol", Scopes: []apikey.Scope{apikey.ScopeShare}},
	"carol, read":     {Owner: "user:carol", Scopes: []apikey.Scope{apikey.ScopeRead}},
	"carol, tools":    {Owner: "user:carol", Scopes: []apikey.Scope{apikey.ScopeTools}},
}

// outcome is the result of a request about one of carol's shares.
type outcome struct {
	Status        int
	Sees, Deletes bool // the response has the share; the share is gone afterwards
}

// outcomeOf returns the outcome that a route's columns specify for a caller.
func outcomeOf(rt httpapi.Route, key *apikey.Options) outcome {
	served := outcome{Status: http.StatusOK}
	carols := key != nil && key.Owner == "user:carol"
	switch {
	case rt.Access == "public":
		return served
	case key == nil:
		return outcome{Status: http.StatusUnauthorized}
	case !(apikey.Key{Scopes: key.Scopes}).May(rt.Scope):
		return outcome{Status: http.StatusForbidden}
	case rt.Access == "owned" && strings.Contains(rt.Path, "{id}") && !carols:
		return outcome{Status: http.StatusNotFound}
	case rt.Access == "linked":
		served.Sees, served.Deletes = true, rt.Method != http.MethodGet
	case rt.Access == "owned":
		served.Sees, served.Deletes = carols && rt.Method == http.MethodGet, carols && rt.Method != http.MethodGet
	}
	return served
}

// TestAccess_matrix requests every route as every caller, about one of carol's
// shares. No one may read, list or delete what the route table does not allow,
// and a route without an access class fails.
func TestAccess_matrix(t *testing.T) {
	bodies := exampleBodies(t)
	for _, rt := range httpapi.Routes() {
		require.NotEmpty(t, rt.Access, "who may use %s %s", rt.Method, rt.Path)
		require.Equal(t, slices.Contains([]string{"scoped", "linked", "owned"}, rt.Access), rt.Scope != "", "the scope of %s %s", rt.Method, rt.Path)
		for name, key := range callers {
			t.Run(rt.Method+" "+rt.Path+"/"+name, func(t *testing.T) {
				assert.Equal(t, outcomeOf(rt, key), request(t, rt, key, bodies[rt.Path]))
			})
		}
	}
}

// exampleBodies returns the document's example body for each path that takes
// JSON.
func exampleBodies(t *testing.T) map[string]string {
	t.Helper()
	bodies := make(map[string]string)
	d := read(t, handlerOf(t, options(t, store.NewMemory())))
	for path, operations := range d.Paths {
		examples := operations["post"].RequestBody.Content["application/json"].Examples
		names := slices.Sorted(maps.Keys(examples))
		require.NotEmpty(t, names, path)
		bodies[path] = string(d.example(examples[names[0]]))
	}
	return bodies
}

var sharePath = regexp.MustCompile(`/(logs|snippets)/\w{16}`)

// request requests a route as one caller, from a new server.
func request(t *testing.T, rt httpapi.Route, key *apikey.Options, body string) outcome {
	t.Helper()
	backend := store.NewMemory()
	o := options(t, backend)
	o.MCP = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	var err error
	o.Shares, err = share.New(backend, share.Options{List: true})
	require.NoError(t, err)
	id := shareOfCarol(t, o.Shares, rt)
	if !rt.JSON {
		body = `"a text"`
	}
	body = sharePath.ReplaceAllString(body, "/${1}/"+id)
	r := httptest.NewRequestWithContext(t.Context(), rt.Method, strings.ReplaceAll(rt.Path, "{id}", id), strings.NewReader(body))
	if key != nil {
		secret, _, err := o.Keys.(*apikey.Keyring).Issue(t.Context(), "caller", time.Now(), *key)
		require.NoError(t, err)
		r.Header.Set("X-Api-Key", secret)
	}
	w := httptest.NewRecorder()
	handlerOf(t, o).ServeHTTP(w, r)
	found, err := o.Shares.Find(t.Context(), share.Query{Owner: "user:carol"})
	require.NoError(t, err)
	return outcome{
		Status:  w.Code,
		Sees:    strings.Contains(w.Body.String(), "kept by carol") && strings.Contains(w.Body.String(), id),
		Deletes: !slices.ContainsFunc(found.Shares, func(s share.Summary) bool { return s.ID == id }),
	}
}

// shareOfCarol creates a share that a route can refer to. If the route reads it
// with a POST, it is read once.
func shareOfCarol(t *testing.T, shares *share.Service, rt httpapi.Route) (id string) {
	t.Helper()
	burns := rt.Access == "linked" && rt.Method == http.MethodPost
	if strings.Contains(rt.Path, "snippet") {
		snippet, err := shares.CreateSnippet(t.Context(), "code", share.SnippetOptions{Title: "kept by carol", Owner: "user:carol", Burn: burns})
		require.NoError(t, err)
		return snippet.ID
	}
	log, err := shares.CreateLog(t.Context(), "log", share.LogOptions{Title: "kept by carol", Owner: "user:carol", Burn: burns})
	require.NoError(t, err)
	return log.ID
}
