package httpapi_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
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

// accessRow is a row of testdata/access.json: what a request for a share of carol
// comes to, for each caller. A caller that is not named gets 401 without a key,
// 403 with a key for another scope, and else Status.
type accessRow struct {
	Route   string       // method and pattern
	Scope   apikey.Scope // what a key must be for; "" is any
	Path    string       // what stands for the pattern, if {id} is not all there is to fill in
	Body    string       // ${id} stands for the id of the share
	Status  int          // of callers with a key that may
	Others  int          // of those who are not carol; 0: the same
	Public  bool         // a key is not needed
	Sees    string       // who finds the share in the response: carol, all, or nobody
	Deletes string       // for whom the share is gone then: carol, all, or nobody
	Burns   bool         // the share is one that is read once
	Kind    share.Kind
}

// callers are who asks, and the options of their keys.
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

// status is what a caller gets.
func (row accessRow) status(key *apikey.Options) int {
	switch {
	case row.Public:
		return row.Status
	case key == nil:
		return http.StatusUnauthorized
	case !(apikey.Key{Scopes: key.Scopes}).May(row.Scope):
		return http.StatusForbidden
	case row.Others != 0 && key.Owner != "user:carol":
		return row.Others
	default:
		return row.Status
	}
}

// holds reports whether something holds for a caller who was let in: for carol,
// for all, or for nobody.
func holds(whom string, key *apikey.Options) bool {
	return whom == "all" || whom == "carol" && key != nil && key.Owner == "user:carol"
}

// TestAccess_matrix asks for every route as every caller, about a share of carol.
// Nobody reads, lists or deletes what the table does not give them; a route
// without a row fails.
func TestAccess_matrix(t *testing.T) {
	text, err := os.ReadFile("testdata/access.json")
	require.NoError(t, err)
	var rows []accessRow
	require.NoError(t, json.Unmarshal(text, &rows))
	listed := make([]string, len(rows))
	for i, row := range rows {
		listed[i] = row.Route
	}
	require.ElementsMatch(t, httpapi.Routes(), listed, "every route has a row in testdata/access.json")
	for _, row := range rows {
		for name, key := range callers {
			t.Run(row.Route+"/"+name, func(t *testing.T) { row.ask(t, key) })
		}
	}
}

// ask asks for the route as one caller, of a server of its own.
func (row accessRow) ask(t *testing.T, key *apikey.Options) {
	t.Helper()
	backend := store.NewMemory()
	o := options(t, backend)
	o.MCP = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	var err error
	o.Shares, err = share.New(backend, share.Options{List: true})
	require.NoError(t, err)
	id := row.share(t, o.Shares)
	target := strings.ReplaceAll(strings.ReplaceAll(row.Route, "{id}", id), "${id}", id)
	method, path, _ := strings.Cut(target, " ")
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(strings.ReplaceAll(row.Body, "${id}", id)))
	if key != nil {
		secret, _, err := o.Keys.(*apikey.Keyring).Issue(t.Context(), "caller", time.Now(), *key)
		require.NoError(t, err)
		r.Header.Set("X-Api-Key", secret)
	}
	w := httptest.NewRecorder()
	handlerOf(t, o).ServeHTTP(w, r)
	status := row.status(key)
	require.Equal(t, status, w.Code, w.Body)
	assert.Equal(t, status == row.Status && holds(row.Sees, key), strings.Contains(w.Body.String(), "kept by carol") && strings.Contains(w.Body.String(), id), w.Body)
	found, err := o.Shares.Find(t.Context(), share.Query{Owner: "user:carol"})
	require.NoError(t, err)
	there := slices.ContainsFunc(found.Shares, func(s share.Summary) bool { return s.ID == id })
	assert.Equal(t, status == row.Status && holds(row.Deletes, key), !there)
}

// share makes the share of carol.
func (row accessRow) share(t *testing.T, shares *share.Service) (id string) {
	t.Helper()
	if row.Kind == share.KindSnippet {
		snippet, err := shares.CreateSnippet(t.Context(), "code", share.SnippetOptions{Title: "kept by carol", Owner: "user:carol", Burn: row.Burns})
		require.NoError(t, err)
		return snippet.ID
	}
	log, err := shares.CreateLog(t.Context(), "log", share.LogOptions{Title: "kept by carol", Owner: "user:carol", Burn: row.Burns})
	require.NoError(t, err)
	return log.ID
}
