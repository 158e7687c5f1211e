package web_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// A client that does not ask for HTML, such as curl, gets what was shared.
func ExampleNew() {
	ctx := context.Background()
	shares, err := share.New(store.NewMemory(), share.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	log, err := shares.CreateLog(ctx, "ERROR the kiln is cold\n", share.LogOptions{Title: "Kiln"})
	if err != nil {
		fmt.Println(err)
		return
	}
	pages, err := web.New(web.Options{Shares: shares})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, accept := range []string{"*/*", "text/html"} {
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/logs/"+log.ID, nil)
		r.Header.Set("Accept", accept)
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, r)
		fmt.Println(w.Code, w.Header().Get("Content-Type"))
		if accept == "*/*" {
			body, _ := io.ReadAll(w.Body)
			fmt.Printf("%s", body)
		}
	}
	// Output:
	// 200 text/plain; charset=utf-8
	// ERROR the kiln is cold
	// 200 text/html; charset=utf-8
}
