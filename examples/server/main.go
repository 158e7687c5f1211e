// Server puts Devkiln's API beside routes of a program's own and asks it once.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
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

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	backend := store.NewMemory()
	keys, err := apikey.New(backend)
	if err != nil {
		return err
	}
	secret, _, err := keys.Issue(ctx, "example", time.Now(), time.Time{})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/", httpapi.New(httpapi.Options{
		Shares:  share.New(backend, share.Options{}),
		Keys:    keys,
		Limiter: ratelimit.NewLocal(backend, ratelimit.Limits{PerMinute: 100}),
	}))
	mux.Handle("GET /old", http.RedirectHandler("/new", http.StatusMovedPermanently))
	server := httptest.NewServer(mux)
	defer server.Close()

	request, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/api/v1/slug-generator", strings.NewReader(`{"text":"Ærlig talt"}`))
	if err != nil {
		return err
	}
	request.Header.Set("X-API-Key", secret)
	response, err := server.Client().Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	fmt.Print(string(answer))
	return err
}
