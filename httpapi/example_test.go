package httpapi_test

import (
	"context"
	"crypto/subtle"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// A service that stores everything in memory and accepts one key.
func Example() {
	backend := store.NewMemory()
	keys, err := apikey.New(backend, "a-key-out-of-the-environment")
	if err != nil {
		fmt.Println(err)
		return
	}
	shares, err := share.New(backend, share.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	limiter, err := ratelimit.New(backend, ratelimit.Limits{PerMinute: 100, PerDay: 10_000}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	handler, err := httpapi.New(httpapi.Options{Shares: shares, Keys: keys, Limiter: limiter})
	if err != nil {
		fmt.Println(err)
		return
	}

	for _, body := range []string{`{"text": "Hello, Wörld & friends"}`, `{"txt": "Hello"}`} {
		r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/api/v1/slug-generator", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-API-Key", "a-key-out-of-the-environment")
		r.Header.Set("X-Request-Id", "example")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		text, err := io.ReadAll(w.Result().Body)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(w.Code, " ", string(text))
	}
	// Output:
	// 200 {"success":true,"result":"hello-world-and-friends"}
	// 400 {"success":false,"error":{"code":"validation_failed","message":"text: is required; txt: is not a field of this operation; did you mean \"text\"?","details":[{"field":"text","code":"required","message":"is required"},{"field":"txt","code":"unknown_field","message":"is not a field of this operation; did you mean \"text\"?"}]},"requestId":"example"}
}

// serveTools serves the API below /tools in a mux that has a route of its own.
func serveTools() (*httptest.Server, error) {
	backend := store.NewMemory()
	keys, err := apikey.New(backend, "a-key-out-of-the-environment")
	if err != nil {
		return nil, err
	}
	shares, err := share.New(backend, share.Options{List: true})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hello", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") })
	host := httptest.NewServer(mux)
	base, err := url.Parse(host.URL + "/tools")
	if err != nil {
		return host, err
	}
	handler, err := httpapi.New(httpapi.Options{Shares: shares, Keys: keys, BaseURL: base})
	if err != nil {
		return host, err
	}
	mux.Handle("/tools/", handler)
	return host, nil
}

// The API in a program's own mux, below a prefix, called with package client.
func Example_mux() {
	host, err := serveTools()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer host.Close()
	c, err := client.New(host.URL+"/tools", "a-key-out-of-the-environment", client.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	snippet, err := c.ShareSnippet(context.Background(), client.SnippetRequest{Code: "print(42)", Title: "answer"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.HasPrefix(snippet.FullURL, host.URL+"/tools/snippets/"))
	page, err := c.Shares(context.Background(), client.SharesQuery{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(page.Shares[0].Title)
	// Output:
	// true
	// answer
}

// opening is a limiter of a host: nobody is served before nine.
type opening struct{}

// Allow implements httpapi.Limiter.
func (opening) Allow(_ context.Context, _ string, _ int, now time.Time) (ratelimit.Decision, error) {
	wait := now.Truncate(24 * time.Hour).Add(9 * time.Hour).Sub(now)
	return ratelimit.Decision{Allowed: wait <= 0, Day: ratelimit.Quota{Limit: 1_000, Reset: wait}}, nil
}

// A host limits requests by a rule of its own.
func ExampleLimiter() {
	shares, err := share.New(store.NewMemory(), share.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	handler, err := httpapi.New(httpapi.Options{
		Shares: shares, Keys: users{"ada": "correct-horse"}, Limiter: opening{},
		Now: func() time.Time { return time.Date(2026, time.November, 28, 8, 30, 0, 0, time.UTC) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/api/v1/slug-generator", strings.NewReader(`{"text":"Hello"}`))
	r.Header.Set("X-API-Key", "ada:correct-horse")
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Header().Get("Retry-After"), w.Header().Get("RateLimit"))
	// Output:
	// 429 1800 "day";r=0;t=1800
}

// users is a host's authentication: a key is a user and a word.
type users map[string]string

// Authenticate implements httpapi.Authenticator.
func (u users) Authenticate(_ context.Context, key string, _ time.Time) (apikey.Key, error) {
	user, word, _ := strings.Cut(key, ":")
	if word == "" || subtle.ConstantTimeCompare([]byte(u[user]), []byte(word)) == 0 {
		return apikey.Key{}, apikey.ErrInvalid
	}
	return apikey.Key{ID: user}, nil
}

// A host supplies its own users: limits, counts and shares belong to their
// names.
func ExampleAuthenticator() {
	backend := store.NewMemory()
	shares, err := share.New(backend, share.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	handler, err := httpapi.New(httpapi.Options{Shares: shares, Keys: users{"ada": "correct-horse"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, key := range []string{"ada:correct-horse", "ada:wrong"} {
		r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/api/v1/slug-generator", strings.NewReader(`{"text":"Hello"}`))
		r.Header.Set("X-API-Key", key)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		fmt.Println(w.Code)
	}
	// Output:
	// 200
	// 401
}
