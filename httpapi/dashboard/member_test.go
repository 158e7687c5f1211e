package dashboard_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/dashboard"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/share"
)

// newMembers returns a dashboard behind a proxy at 10.0.0.1 with the admin ada.
func newMembers(t *testing.T, change ...func(*dashboard.Options)) *panel {
	t.Helper()
	p := newPanel(t, append([]func(*dashboard.Options){func(o *dashboard.Options) {
		proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.1/32")}
		o.User = func(r *http.Request) (string, error) { return origin.User(r, "Remote-User", proxies) }
		o.AdminUsers = []string{"ada"}
	}}, change...)...)
	p.addr = "10.0.0.1"
	return p
}

// as sends a request as a user of the proxy.
func (p *panel) as(t *testing.T, user, method, target string, pairs ...string) *httptest.ResponseRecorder {
	t.Helper()
	return p.do(t, method, target, form(pairs...), "Remote-User", user)
}

func TestMembers_ownKeysAndShares(t *testing.T) {
	p := newMembers(t)
	page := p.as(t, "carol", http.MethodPost, "/dashboard/keys", "name", "laptop", "expiry", "never").Body.String()
	secret := newKey.FindString(page)
	require.NotEmpty(t, secret, "the key is shown")
	assert.Empty(t, newKey.FindString(p.as(t, "carol", http.MethodGet, "/dashboard/keys").Body.String()), "once")
	k, err := p.keys.Authenticate(t.Context(), secret, time.Now())
	require.NoError(t, err)
	assert.Equal(t, "user:carol", k.ShareOwner())

	_, err = p.shares.CreateLog(t.Context(), "x", share.LogOptions{Title: "by carol", Owner: k.ShareOwner()})
	require.NoError(t, err)
	_, err = p.shares.CreateLog(t.Context(), "x", share.LogOptions{Title: "by dave", Owner: "user:dave"})
	require.NoError(t, err)
	for user, sees := range map[string][2]bool{"carol": {true, false}, "dave": {false, true}, "erin": {false, false}, "ada": {true, true}} {
		page := p.as(t, user, http.MethodGet, "/dashboard/shares?q=by").Body.String()
		assert.Equal(t, sees, [2]bool{strings.Contains(page, ">by carol<"), strings.Contains(page, ">by dave<")}, user)
		page = p.as(t, user, http.MethodGet, "/dashboard/shares?owner=user:dave").Body.String()
		assert.Equal(t, sees[1], strings.Contains(page, ">by dave<"), user)
		overview := p.as(t, user, http.MethodGet, "/dashboard").Body.String()
		assert.Equal(t, user == "ada", strings.Contains(overview, "Store</dt>"))
		assert.Contains(t, overview, `<span class="unseen">Signed in as </span>`+user+"<")
		assert.NotContains(t, overview, "Sign out")
	}
	assert.Equal(t, http.StatusSeeOther, p.as(t, "carol", http.MethodPost, "/dashboard/keys/"+k.ID+"/revoke").Code)
	_, err = p.keys.Authenticate(t.Context(), secret, time.Now())
	assert.ErrorIs(t, err, apikey.ErrInvalid)
}

func TestMembers_limitsOfAKey(t *testing.T) {
	p := newMembers(t)
	narrow := []string{"name", "x", "expiry", "30", "scope", "read", "rate", "7", "life", "7"}
	require.Equal(t, http.StatusOK, p.as(t, "carol", http.MethodPost, "/dashboard/keys", narrow...).Code)
	keys, err := p.keys.List(t.Context())
	require.NoError(t, err)
	k := keys[0]
	assert.Equal(t, apikey.Key{Scopes: []apikey.Scope{"read"}, PerMinute: 7, MaxExpiry: 7 * 24 * time.Hour}, apikey.Key{Scopes: k.Scopes, PerMinute: k.PerMinute, MaxExpiry: k.MaxExpiry})
	page := p.as(t, "carol", http.MethodGet, "/dashboard/keys/"+k.ID).Body.String()
	assert.Regexp(t, `May only</dt><dd>read<[\s\S]*per minute</dt><dd>7<[\s\S]*of its shares</dt><dd>7 days<`, page)

	for _, c := range []struct{ user, field, value, says string }{
		{"carol", "scope", "all", "What it may do must be one of share, read, tools."},
		{"carol", "life", "2", "Longest life of its shares must be one of any, 1, 7, 30."},
		{"carol", "rate", "101", "Requests per minute must be 1 to 100."},
		{"carol", "rate", "-1", "Requests per minute must be 1 to 100."},
		{"carol", "rate", "many", "Requests per minute must be a whole number from 1 to 100."},
		{"ada", "rate", "10001", "Requests per minute must be 1 to 10000."},
	} {
		w := p.as(t, c.user, http.MethodPost, "/dashboard/keys", "name", "x", "expiry", "never", c.field, c.value)
		assert.Equal(t, http.StatusBadRequest, w.Code, c)
		assert.Contains(t, w.Body.String(), c.says)
	}
	assert.Equal(t, http.StatusBadRequest, p.as(t, "carol", http.MethodPost, "/dashboard/keys", "name", "x", "expiry", "never", "scope", "").Code, "every tick is off")
	all := p.as(t, "carol", http.MethodPost, "/dashboard/keys", "name", " ", "expiry", "soon", "scope", "", "rate", "many", "life", "2").Body.String()
	for _, field := range []string{"name", "expiry", "scope", "rate", "life"} {
		assert.Equal(t, 1, strings.Count(all, `aria-describedby="`+field+`-wrong"`), field)
		assert.Regexp(t, `<p class="wrong" role="alert" id="`+field+`-wrong" data-wrong="`+field+`">[^<]`, all, field)
	}
	assert.Equal(t, http.StatusOK, p.as(t, "ada", http.MethodPost, "/dashboard/keys", "name", "x", "expiry", "never", "rate", "10000").Code)
}

func TestMembers_asManyKeys(t *testing.T) {
	p := newMembers(t)
	make1 := func() *httptest.ResponseRecorder {
		return p.as(t, "carol", http.MethodPost, "/dashboard/keys", "name", "x", "expiry", "never")
	}
	for range 20 {
		require.Equal(t, http.StatusOK, make1().Code)
	}
	assert.Contains(t, make1().Body.String(), "You have 20 keys, which is as many as you can have.")
	for range 20 {
		keys, err := p.keys.List(t.Context())
		require.NoError(t, err)
		for _, k := range keys {
			if k.Live(time.Now()) && !k.Static {
				require.NoError(t, p.keys.Revoke(t.Context(), k.ID, time.Now()))
			}
		}
		if w := make1(); w.Code != http.StatusOK {
			t.Fatal(w.Body)
		}
	}
	keys, err := p.keys.List(t.Context())
	require.NoError(t, err)
	require.NoError(t, p.keys.Revoke(t.Context(), keys[39].ID, time.Now()))
	assert.Contains(t, make1().Body.String(), "You have made 40 keys today.")
	assert.Equal(t, http.StatusOK, p.as(t, "dave", http.MethodPost, "/dashboard/keys", "name", "x", "expiry", "never").Code)
}

// A request without a user from the proxy has no session, whatever else it
// says.
func TestMembers_headerOfAnybody(t *testing.T) {
	p := newMembers(t)
	for name, c := range map[string]struct {
		addr    string
		headers []string
		status  int
	}{
		"by the proxy":                       {"10.0.0.1", []string{"Remote-User", "ada"}, 200},
		"by the proxy, in lower case":        {"10.0.0.1", []string{"remote-user", "ada"}, 200},
		"by the proxy as IPv6":               {"[::ffff:10.0.0.1]", []string{"Remote-User", "ada"}, 200},
		"from elsewhere":                     {"192.0.2.1", []string{"Remote-User", "ada"}, 303},
		"from the next address":              {"10.0.0.2", []string{"Remote-User", "ada"}, 303},
		"from IPv6":                          {"[2001:db8::1]", []string{"Remote-User", "ada"}, 303},
		"from IPv6 that ends like the proxy": {"[2001:db8::10.0.0.1]", []string{"Remote-User", "ada"}, 303},
		"from IPv6 with a zone":              {"[fe80::1%25eth0]", []string{"Remote-User", "ada"}, 303},
		"from nowhere":                       {"@", []string{"Remote-User", "ada"}, 303},
		"for the proxy, as it says":          {"192.0.2.1", []string{"Remote-User", "ada", "X-Forwarded-For", "10.0.0.1", "Forwarded", "for=10.0.0.1", "X-Real-Ip", "10.0.0.1"}, 303},
		"with an underscore":                 {"10.0.0.1", []string{"Remote_User", "ada"}, 303},
		"with a space":                       {"10.0.0.1", []string{"Remote-User ", "ada"}, 303},
		"another field":                      {"10.0.0.1", []string{"X-Remote-User", "ada"}, 303},
		"empty":                              {"10.0.0.1", []string{"Remote-User", ""}, 303},
		"blank":                              {"10.0.0.1", []string{"Remote-User", "  "}, 303},
		"twice":                              {"10.0.0.1", []string{"Remote-User", "ada", "Remote-User", "carol"}, 400},
		"twice in two cases":                 {"10.0.0.1", []string{"Remote-User", "carol", "remote-user", "ada"}, 400},
		"a list":                             {"10.0.0.1", []string{"Remote-User", "ada, carol"}, 400},
		"with a control character":           {"10.0.0.1", []string{"Remote-User", "ada\x00"}, 400},
		"with an escape sequence":            {"10.0.0.1", []string{"Remote-User", "\x1b[31mada"}, 400},
		"not UTF-8":                          {"10.0.0.1", []string{"Remote-User", "ad\xe4"}, 400},
		"very long":                          {"10.0.0.1", []string{"Remote-User", strings.Repeat("a", 30_000)}, 400},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/dashboard/settings", http.NoBody)
			r.RemoteAddr = c.addr + ":1234"
			r.Header.Set("Accept", "text/html")
			for i := 0; i < len(c.headers); i += 2 {
				key := c.headers[i]
				if !strings.ContainsAny(key, "_ ") {
					key = http.CanonicalHeaderKey(key)
				}
				r.Header[key] = append(r.Header[key], c.headers[i+1])
			}
			w := httptest.NewRecorder()
			p.ServeHTTP(w, r)
			assert.Equal(t, c.status, w.Code)
			owner, err := p.dashboard.SignedIn(r)
			assert.Equal(t, c.status == 200, owner == "user:ada")
			assert.Equal(t, c.status == 400, err != nil)
		})
	}
}

// User names are compared byte by byte: neither another case nor a lookalike
// character makes anyone an admin.
func TestMembers_adminToTheByte(t *testing.T) {
	p := newMembers(t)
	for user, status := range map[string]int{"ada": 200, "Ada": 404, "ada.": 404, "аda": 404, "user:ada": 404} {
		assert.Equal(t, status, p.as(t, user, http.MethodGet, "/dashboard/settings").Code, user)
	}
}

func TestMembers_formsOfOtherSites(t *testing.T) {
	p := newMembers(t)
	for _, headers := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "http://evil.example"}, {"Origin", "null"}} {
		w := p.do(t, http.MethodPost, "/dashboard/keys", form("name", "x", "expiry", "never"), append(headers, "Remote-User", "ada")...)
		assert.Equal(t, http.StatusForbidden, w.Code, headers)
	}
	keys, err := p.keys.List(t.Context())
	require.NoError(t, err)
	assert.Len(t, keys, 1, "the static one")
}

// The proxy's user takes precedence over a password session.
func TestMembers_besideAPassword(t *testing.T) {
	p := newMembers(t)
	p.signIn(t)
	assert.Equal(t, http.StatusOK, p.get(t, "/dashboard/settings").Code)
	assert.Equal(t, http.StatusNotFound, p.as(t, "carol", http.MethodGet, "/dashboard/settings").Code)
	assert.Equal(t, "/dashboard", p.as(t, "carol", http.MethodGet, "/dashboard/sign-in").Header().Get("Location"))
}

func TestNoPassword(t *testing.T) {
	_, err := dashboard.New(dashboard.Options{NoPassword: true})
	require.Error(t, err)
	p := newMembers(t, func(o *dashboard.Options) { o.NoPassword = true })
	p.setPassword(t)
	assert.Equal(t, http.StatusMethodNotAllowed, p.post(t, "/dashboard/sign-in", "password", password).Code)
	assert.Equal(t, http.StatusNotFound, p.get(t, "/dashboard/setup").Code)
	w := p.get(t, "/dashboard/sign-in")
	assert.Equal(t, http.StatusForbidden, w.Code)
	assert.Contains(t, w.Body.String(), "it has not signed in you")
	assert.NotContains(t, w.Body.String(), "<input")
	assert.Equal(t, http.StatusOK, p.as(t, "ada", http.MethodGet, "/dashboard").Code)

	with := newMembers(t)
	with.signIn(t)
	p = newMembers(t, func(o *dashboard.Options) { o.NoPassword, o.Backend = true, with.backend })
	p.cookies = with.cookies
	signedOut(t, p.get(t, "/dashboard"))
	assert.True(t, with.signedIn(t), "it is the option that ends the session")
}
