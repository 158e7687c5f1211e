package main

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// proxied is a browser behind a proxy that terminates TLS for kiln.example.
type proxied struct {
	t       *testing.T
	base    string
	cookies []*http.Cookie
	seen    strings.Builder // URLs and headers of all responses, except cookies
}

func (v *proxied) do(method, path string, form url.Values) *http.Response {
	v.t.Helper()
	request, err := http.NewRequestWithContext(v.t.Context(), method, v.base+path, strings.NewReader(form.Encode()))
	require.NoError(v.t, err)
	request.Host = "kiln.example"
	request.Header.Set("X-Forwarded-Proto", "https")
	request.Header.Set("X-Forwarded-For", "192.0.2.7")
	request.Header.Set("Accept", "text/html")
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Origin", "https://kiln.example")
	}
	for _, c := range v.cookies {
		request.AddCookie(c)
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	require.NoError(v.t, err)
	v.cookies = append(v.cookies, response.Cookies()...)
	response.Header.Del("Set-Cookie")
	require.NoError(v.t, response.Header.Write(&v.seen))
	return response
}

func (v *proxied) page(method, path string, form url.Values) string {
	v.t.Helper()
	response := v.do(method, path, form)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(v.t, err)
	return string(body)
}

// serveWithLog serves with an access log. stop stops the server and returns the
// log.
func serveWithLog(t *testing.T, format string) (base, setup string, stop func() string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var stdout, stderr output
	done := make(chan error, 1)
	go func() {
		done <- run(ctx, []string{"--store=memory:", "--listen=127.0.0.1:0", "--trusted-proxies=127.0.0.1", "--log-format=" + format}, nil, strings.NewReader(""), &stdout, &stderr)
	}()
	stop = sync.OnceValue(func() string {
		cancel()
		assert.NoError(t, <-done)
		return stderr.String()
	})
	t.Cleanup(func() { stop() })
	token := regexp.MustCompile(`(?:/dashboard/setup\?token=|"setup_token":")(\w+)`)
	require.Eventually(t, func() bool { return token.MatchString(stdout.String()) }, time.Minute, 10*time.Millisecond)
	return addressPattern.FindStringSubmatch(stdout.String())[1], "/dashboard/setup?token=" + token.FindStringSubmatch(stdout.String())[1], stop
}

// Behind a proxy that terminates TLS, the cookie is bound to the host and
// examples show the public URL. No secret appears in a log, URL or header.
func TestSecrets_stayWhereTheyBelong(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	t.Parallel()
	const password = "correct horse battery"
	for _, format := range []string{"text", "json"} {
		t.Run(format, func(t *testing.T) {
			base, setup, stop := serveWithLog(t, format)
			v := &proxied{t: t, base: base}
			assert.Contains(t, v.page(http.MethodGet, "/", nil), "curl https://kiln.example/api/v1/slug-generator")
			token := strings.TrimPrefix(setup, "/dashboard/setup?token=")
			v.page(http.MethodGet, setup, nil)
			v.page(http.MethodPost, "/dashboard/setup", url.Values{"token": {token}, "password": {password}, "again": {password}})
			require.Len(t, v.cookies, 1)
			c := v.cookies[0]
			assert.Equal(t, "__Host-devkiln", c.Name)
			assert.True(t, c.Secure && c.HttpOnly && c.SameSite == http.SameSiteLaxMode && c.Path == "/" && c.Domain == "", c.Raw)

			page := v.page(http.MethodPost, "/dashboard/keys", url.Values{"name": {"ci"}, "expiry": {"never"}})
			key := keyPattern.FindString(page)
			require.NotEmpty(t, key)
			assert.Contains(t, page, "curl -s https://kiln.example/api/v1/limits")
			call(t, http.MethodPost, base+"/api/v1/slug-generator", key, `{"text":"x"}`)
			call(t, http.MethodPost, base+"/api/v1/slug-generator", key+"x", `{"text":"x"}`)
			v.page(http.MethodPost, "/dashboard/sign-in", url.Values{"password": {"quite the wrong password"}})
			v.page(http.MethodGet, "/dashboard/nowhere", nil)

			log := stop()
			assert.Contains(t, log, "/dashboard/keys", "there is a log")
			assert.Contains(t, log, "192.0.2.7")
			for _, secret := range []string{password, "quite the wrong password", c.Value, token} {
				assert.NotContains(t, log, secret)
				assert.NotContains(t, v.seen.String(), secret)
			}
			assert.NotContains(t, v.seen.String(), key)
			assert.NotContains(t, log, key)
		})
	}
}
