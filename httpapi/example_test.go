package httpapi_test

import (
	"context"
	"crypto/subtle"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/apikey"
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
