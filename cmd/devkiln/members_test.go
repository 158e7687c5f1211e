package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// startSignIn runs nginx with the documented configuration for members. A stub
// of oauth2-proxy accepts the cookie "user" as a session.
func startSignIn(t *testing.T, listen, backend string) {
	t.Helper()
	signIn := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		cookie, err := r.Cookie("user")
		if err != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("X-Auth-Request-Email", cookie.Value)
		w.WriteHeader(http.StatusAccepted)
	}))
	t.Cleanup(signIn.Close)
	runNginx(t, replaced(t, configurations(t, "nginx")[2], "127.0.0.1:8080", backend, "listen 443 ssl;", "listen "+listen+";", "http://127.0.0.1:4180", signIn.URL))
}

// send sends a request with an unmodified URL and does not follow redirects.
func send(t *testing.T, method, target string, form url.Values, headers ...string) (status int, location, page string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, target, strings.NewReader(form.Encode()))
	require.NoError(t, err)
	r.Header.Set("Accept", "text/html")
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header[headers[i]] = append(r.Header[headers[i]], headers[i+1])
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, response.Header.Get("Location"), string(body)
}

// Behind the documented nginx, each signed-in user has a dashboard, and a
// client cannot forge the user's name.
func TestServe_membersBehindNginx(t *testing.T) {
	t.Parallel()
	program(t, "nginx")
	address, front := freePort(t), freePort(t)
	replica(t, address, storeIn(t), "--user-header=Remote-User", "--admin-users=ada@example.com", "--no-password")
	startSignIn(t, front, address)
	base := "http://" + front
	require.Eventually(t, func() bool { return answers(t, base) }, time.Minute, 20*time.Millisecond)

	const carol, ada = "carol@example.com", "ada@example.com"
	for name, c := range map[string]struct {
		path    string
		headers []string
		user    string // owner of the dashboard; "" for a redirect to the sign-in
	}{
		"nobody":                       {"/dashboard", nil, ""},
		"a member":                     {"/dashboard", []string{"Cookie", "user=" + carol}, carol},
		"an admin":                     {"/dashboard", []string{"Cookie", "user=" + ada}, ada},
		"nobody, forged":               {"/dashboard", []string{"Remote-User", ada}, ""},
		"a member, forged":             {"/dashboard", []string{"Cookie", "user=" + carol, "Remote-User", ada}, carol},
		"a member, forged twice":       {"/dashboard", []string{"Cookie", "user=" + carol, "Remote-User", ada, "Remote-User", ada}, carol},
		"a member, in lower case":      {"/dashboard", []string{"Cookie", "user=" + carol, "remote-user", ada}, carol},
		"a member, with an underscore": {"/dashboard", []string{"Cookie", "user=" + carol, "Remote_User", ada}, carol},
		"from the proxy, as it says":   {"/dashboard", []string{"Remote-User", ada, "X-Forwarded-For", "127.0.0.1"}, ""},
		"another way to the dashboard": {"/logs/../dashboard", []string{"Remote-User", ada}, ""},
		"escaped":                      {"/%64ashboard", []string{"Remote-User", ada}, ""},
	} {
		status, location, page := send(t, http.MethodGet, base+c.path, nil, c.headers...)
		if c.user == "" {
			assert.Equal(t, http.StatusFound, status, name)
			assert.True(t, strings.HasPrefix(location, base+"/oauth2/sign_in?rd=/"), "%s: %s", name, location)
			continue
		}
		assert.Equal(t, http.StatusOK, status, name)
		assert.Contains(t, page, `Signed in as </span>`+c.user+"<", name)
		assert.Equal(t, c.user == ada, strings.Contains(page, ">Settings</a>"), name)
	}
	// A path that needs no sign-in does not pass on a forged name either.
	status, _, _ := send(t, http.MethodGet, base+"//dashboard/settings", nil, "Remote-User", ada)
	assert.NotEqual(t, http.StatusOK, status)

	status, _, page := send(t, http.MethodPost, base+"/dashboard/keys", url.Values{"name": {"laptop"}, "expiry": {"never"}}, "Cookie", "user="+carol, "Origin", base)
	assert.Equal(t, http.StatusOK, status)
	assert.Regexp(t, keyPattern, page, "the new key is shown once")
	status, _, _ = send(t, http.MethodPost, base+"/dashboard/keys", url.Values{"name": {"x"}, "expiry": {"never"}}, "Cookie", "user="+carol, "Origin", "http://evil.example")
	assert.Equal(t, http.StatusForbidden, status, "a form of another site")
	_, _, page = send(t, http.MethodGet, base+"/dashboard/keys", nil, "Cookie", "user="+carol)
	assert.Contains(t, page, ">laptop</a>")
	status, made := call(t, http.MethodPost, base+"/api/v1/slug-generator", proxyKey, `{"text":"Keys need no sign-in"}`)
	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, "keys-need-no-sign-in", made["result"])
}
