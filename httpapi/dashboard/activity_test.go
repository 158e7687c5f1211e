package dashboard_test

import (
	"cmp"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/usage"
	"github.com/devkiln/devkiln/share"
)

var tags = regexp.MustCompile(`<[^>]*>|\s+`)

// rows returns the rows of the page's tables, with cells separated by spaces.
func rows(page string) []string {
	var all []string
	for _, row := range strings.Split(page, "<tr")[1:] {
		row, _, _ = strings.Cut(row, "</tr>")
		_, row, _ = strings.Cut(row, ">")
		all = append(all, strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(row, " "))), " "))
	}
	return all
}

// The page lists who did what, when and from where, latest first.
func TestActivity_auditTrail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newMembers(t)
		p.setPassword(t)
		step := func(user, target string, pairs ...string) {
			t.Helper()
			headers := []string{}
			if user != "" {
				headers = []string{"Remote-User", user}
			}
			p.do(t, http.MethodPost, target, form(pairs...), headers...)
			wait(time.Minute)
		}
		step("carol", "/dashboard/keys", "name", "<laptop>", "expiry", "never")
		keys, err := p.keys.List(t.Context())
		require.NoError(t, err)
		log, err := p.shares.CreateLog(t.Context(), "x", share.LogOptions{Owner: "user:carol"})
		require.NoError(t, err)
		found, err := p.shares.Find(t.Context(), share.Query{})
		require.NoError(t, err)
		step("dave", "/dashboard/shares", "share", found.Shares[0].Cursor(), "sure", "yes")
		step("carol", "/dashboard/shares", "share", found.Shares[0].Cursor(), "sure", "yes")
		p.addr = "192.0.2.7"
		step("", "/dashboard/sign-in", "password", "wrong")
		step("", "/dashboard/sign-in", "password", password)
		p.addr = "10.0.0.1"
		step("ada", "/dashboard/keys/"+keys[0].ID+"/revoke")

		got := rows(p.as(t, "ada", http.MethodGet, "/dashboard/activity").Body.String())
		assert.Equal(t, []string{
			"What By When From",
			"Revoked a key <laptop> ada 1 Jan 2000, 00:05 UTC 10.0.0.1",
			"Signed in ada 1 Jan 2000, 00:05 UTC 10.0.0.1",
			"Signed in Dashboard 1 Jan 2000, 00:04 UTC 192.0.2.7",
			"Wrong password – 1 Jan 2000, 00:03 UTC 192.0.2.7",
			"Deleted /logs/" + log.ID + " carol 1 Jan 2000, 00:02 UTC 10.0.0.1",
			"Signed in dave 1 Jan 2000, 00:01 UTC 10.0.0.1",
			"Made a key <laptop> carol 1 Jan 2000, 00:00 UTC 10.0.0.1",
			"Signed in carol 1 Jan 2000, 00:00 UTC 10.0.0.1",
		}, got)
	})
}

// The overview shows the days, busiest keys and latest errors that the user may
// see.
func TestOverview_ofWhatOneSees(t *testing.T) {
	p := newMembers(t)
	for _, user := range []string{"carol", "dave"} {
		p.as(t, user, http.MethodPost, "/dashboard/keys", "name", user+"'s", "expiry", "never")
	}
	keys, err := p.keys.List(t.Context())
	require.NoError(t, err)
	now := time.Now()
	slices.SortFunc(keys, func(a, b apikey.Key) int { return cmp.Compare(a.Name, b.Name) })
	for i, k := range keys[:2] {
		for range 3 * (i + 1) {
			p.usage.Count(k.ID, "log-share", 200, now.AddDate(0, 0, -3))
		}
		p.usage.Count(k.ID, "slug-generator", 400, now)
		p.usage.Fail(usage.Failure{At: now.Add(time.Duration(i) * time.Millisecond), RequestID: "request-of-" + k.Name, Key: k.ID, Operation: "slug-generator", Status: 400, Code: "validation_failed"})
	}
	p.usage.Count("user:carol", "log-share", 200, now)
	require.NoError(t, p.usage.Flush(t.Context()))
	for user, want := range map[string][]string{
		"ada":   {"dave's 7 0 1", "carol's 4 0 1", "carol 1 0 0", "400 validation_failed slug-generator dave's", "400 validation_failed slug-generator carol's"},
		"carol": {"carol's 4 0 1", "carol 1 0 0", "400 validation_failed slug-generator carol's"},
		"dave":  {"dave's 7 0 1", "400 validation_failed slug-generator dave's"},
		"erin":  nil,
	} {
		page := p.as(t, user, http.MethodGet, "/dashboard").Body.String()
		var got []string
		for _, row := range rows(page) {
			if strings.Contains(row, "'s") || strings.HasPrefix(row, "carol ") {
				row, _, _ = strings.Cut(row, " "+now.UTC().Format("2 Jan 2006"))
				got = append(got, row)
			}
		}
		assert.Equal(t, want, got, user)
		assert.Equal(t, user != "erin", strings.Contains(page, "<svg viewBox=\"0 -"), user)
		assert.Equal(t, user == "ada" || user == "dave", strings.Contains(page, "request-of-dave&#39;s"), user)
	}
}

// The overview points out keys that expire soon and keys whose requests fail.
func TestOverview_needsAttention(t *testing.T) {
	p := newPanel(t)
	p.signIn(t)
	now := time.Now()
	ids := make(map[string]string)
	for name, o := range map[string]apikey.Options{"failing": {}, "often": {}, "expiring": {Expires: now.Add(50 * time.Hour)}, "fine": {Expires: now.Add(30 * 24 * time.Hour)}, "revoked": {}} {
		_, key, err := p.keys.Issue(t.Context(), name, now, o)
		require.NoError(t, err)
		ids[name] = key.ID
	}
	for name, statuses := range map[string][]int{"failing": {200, 400, 500}, "often": slices.Concat(slices.Repeat([]int{200}, 35), slices.Repeat([]int{400}, 11)), "fine": {200, 200, 404}, "revoked": {500}} {
		for _, status := range statuses {
			p.usage.Count(ids[name], "log-share", status, now)
			p.usage.Fail(usage.Failure{At: now, RequestID: "request-" + name, Key: ids[name], Operation: "log-share", Status: status, Code: "validation_failed", Field: "exp<iry"})
		}
	}
	require.NoError(t, p.usage.Flush(t.Context()))
	require.NoError(t, p.keys.Revoke(t.Context(), ids["revoked"], now))
	for _, path := range []string{"/dashboard", "/dashboard/activity"} {
		page := p.get(t, path).Body.String()
		_, list, found := strings.Cut(page, `<ul class="attention quiet-links">`)
		require.True(t, found, path)
		assert.NotRegexp(t, `<(?:table|dl)`, page[:len(page)-len(list)], "nothing is above it")
		list, _, _ = strings.Cut(list, "</ul>")
		assert.Equal(t, 3, strings.Count(list, "<li>"))
		assert.Contains(t, list, ids["failing"]+`">failing</a> <span>2 of 3 requests failed today, last at `+now.UTC().Format("15:04")+` UTC: validation_failed</span>`)
		assert.Contains(t, list, ids["often"]+`">often</a> <span>11 of 46 requests failed today`)
		assert.Contains(t, list, ids["expiring"]+`">expiring</a> <span>expires in 2 days</span>`)
		var errors []string
		for _, row := range rows(page) {
			if strings.HasPrefix(row, "400") {
				errors = append(errors, row)
			}
		}
		assert.Contains(t, strings.Join(errors, "\n"), "400 validation_failed exp<iry × 11 log-share often "+now.UTC().Format("2 Jan 2006, 15:04")+" UTC request-often", path)
	}
}
