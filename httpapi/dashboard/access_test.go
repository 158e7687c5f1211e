package dashboard_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/audit"
	"github.com/devkiln/devkiln/httpapi/usage"
	"github.com/devkiln/devkiln/share"
)

// accessRow is a row of testdata/access.json: the result of a request about a
// key and a share of carol, for a visitor, the members carol and dave, and the
// admin ada.
type accessRow struct {
	Route                    string // method and pattern
	Form                     string // ${cursor} stands for the cursor of the share
	Nobody, Carol, Dave, Ada int    // status codes
	Sees, Revokes, Deletes   []string
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

// TestAccess_matrix requests every page as every caller. Callers can read,
// list, revoke and delete only what the table permits. A page without a row is
// an error.
func TestAccess_matrix(t *testing.T) {
	for _, row := range accessRows(t, newPanel(t).dashboard.Routes()) {
		for caller, status := range map[string]int{"nobody": row.Nobody, "carol": row.Carol, "dave": row.Dave, "ada": row.Ada} {
			t.Run(row.Route+"/"+caller, func(t *testing.T) { row.ask(t, caller, status) })
		}
	}
}

// ask requests the page as one caller, from a new dashboard.
func (row accessRow) ask(t *testing.T, caller string, status int) {
	t.Helper()
	const mark = "kept-by-carol"
	p := newMembers(t)
	p.setPassword(t)
	secret, key, err := p.keys.Issue(t.Context(), mark, time.Now(), apikey.Options{Owner: "user:carol"})
	require.NoError(t, err)
	log, err := p.shares.CreateLog(t.Context(), "x", share.LogOptions{Title: mark, Owner: "user:carol"})
	require.NoError(t, err)
	p.usage.Fail(usage.Failure{At: time.Now(), RequestID: mark, Key: key.ID, Status: 400})
	require.NoError(t, audit.New(p.backend).Add(t.Context(), audit.Event{At: time.Now(), Kind: audit.KeyCreated, Actor: "user:carol", Object: key.ID, From: mark}))
	found, err := p.shares.Find(t.Context(), share.Query{})
	require.NoError(t, err)
	method, path, _ := strings.Cut(strings.ReplaceAll(row.Route, "{id}", key.ID), " ")
	form, err := url.ParseQuery(strings.ReplaceAll(row.Form, "${cursor}", url.QueryEscape(found.Shares[0].Cursor())))
	require.NoError(t, err)
	headers := []string{"Remote-User", caller}
	if caller == "nobody" {
		headers = nil
	}
	w := p.do(t, method, path, form, headers...)
	assert.Equal(t, status, w.Code)
	assert.Equal(t, slices.Contains(row.Sees, caller), strings.Contains(w.Body.String(), mark))
	_, err = p.keys.Authenticate(t.Context(), secret, time.Now())
	assert.Equal(t, slices.Contains(row.Revokes, caller), err != nil)
	_, err = p.shares.Log(t.Context(), log.ID)
	assert.Equal(t, slices.Contains(row.Deletes, caller), err != nil)
	if status == http.StatusSeeOther && caller == "nobody" && row.Route != "GET /dashboard/sign-in" {
		assert.Contains(t, w.Header().Get("Location"), "/dashboard/sign-in")
	}
}
