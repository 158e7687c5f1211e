package dashboard_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/dashboard"
	"github.com/devkiln/devkiln/httpapi/usage"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// Whoever is not signed in is sent to the page for that.
func ExampleNew() {
	ctx, backend := context.Background(), store.NewMemory()
	if err := dashboard.SetPassword(ctx, backend, "a long enough password", time.Now()); err != nil {
		fmt.Println(err)
		return
	}
	keys, err := apikey.New(backend)
	if err != nil {
		fmt.Println(err)
		return
	}
	shares, err := share.New(backend, share.Options{List: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	panel, err := dashboard.New(dashboard.Options{
		Backend: backend, Keys: keys, Usage: usage.New(backend),
		Shares: shares,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	w := httptest.NewRecorder()
	panel.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/dashboard", http.NoBody))
	fmt.Println(w.Code, w.Header().Get("Location"))
	// Output: 303 /dashboard/sign-in
}
