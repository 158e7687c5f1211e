package web_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// accessRow is a row of testdata/access.json: the result of a request for a
// share of carol. Anyone with the link may read it, so the result is the same
// for visitors and for the signed-in users carol and dave.
type accessRow struct {
	Route  string // method and pattern
	Form   string // body of a POST
	Status int
	Nobody int  // status without a session, if different
	Sees   bool // the response contains the shared content
	Burns  bool // the share is read-once
	Gone   bool // the share is deleted afterwards
}

// accessRows reads testdata/access.json, which has a row for each route.
func accessRows(t *testing.T, routes []string) (rows []accessRow) {
	t.Helper()
	text, err := os.ReadFile("testdata/access.json")
	require.NoError(t, err)
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&rows))
	listed := make([]string, len(rows))
	for i, row := range rows {
		listed[i] = row.Route
	}
	require.ElementsMatch(t, routes, listed, "every route has a row in testdata/access.json")
	return rows
}

// TestAccess_matrix requests every page as a visitor and as two members. No
// page reveals a share without its link or deletes one, except by reading a
// read-once share. A page without a row is an error.
func TestAccess_matrix(t *testing.T) {
	for _, row := range accessRows(t, web.Routes()) {
		for _, caller := range []string{"", "user:carol", "user:dave"} {
			t.Run(row.Route+"/"+caller, func(t *testing.T) { row.ask(t, caller) })
		}
	}
}

// ask requests the page as one caller, from a new site.
func (row accessRow) ask(t *testing.T, caller string) {
	t.Helper()
	const mark = "kept by carol"
	backend := store.NewMemory()
	p := newPages(t, func(o *web.Options) {
		o.Shares = newShares(t, backend, share.Options{List: true})
		o.LinkPreviews, o.EmbedOrigins = "picture", []string{"*"}
		o.Sharing.SignedIn = func(*http.Request) (string, error) { return caller, nil }
	})
	p.shares = newShares(t, backend, share.Options{List: true})
	id := p.newLog(t, mark, share.LogOptions{Owner: "user:carol", Burn: row.Burns})
	if strings.Contains(row.Route, "/snippets/") {
		id = p.newSnippet(t, mark, share.SnippetOptions{Owner: "user:carol", Burn: row.Burns})
	}
	method, path, _ := strings.Cut(strings.NewReplacer("{id}", id, "{a}", id, "{b}", id, "{$}", "", "{operation}", "health").Replace(row.Route), " ")
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(row.Form))
	r.Header.Set("Accept", browser)
	if strings.HasPrefix(row.Form, "--") {
		r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	} else if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	want := row.Status
	if caller == "" && row.Nobody != 0 {
		want = row.Nobody
	}
	assert.Equal(t, want, w.Code)
	assert.Equal(t, row.Sees, strings.Contains(w.Body.String(), mark))
	found, err := p.shares.Find(t.Context(), share.Query{Owner: "user:carol"})
	require.NoError(t, err)
	assert.Equal(t, row.Gone, !slices.ContainsFunc(found.Shares, func(s share.Summary) bool { return s.ID == id }))
}
