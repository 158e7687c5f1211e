package e2e_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/devkiln/devkiln/internal/contract"
	"github.com/devkiln/devkiln/store"
)

// held is a store that signals on writing when a share is about to be written,
// and then waits for proceed.
type held struct {
	store.Backend
	writing, proceed chan struct{}
}

// CreateAll implements [store.Backend].
func (h held) CreateAll(ctx context.Context, entries ...store.Entry) error {
	h.writing <- struct{}{}
	<-h.proceed
	return h.Backend.CreateAll(ctx, entries...)
}

// inFlight covers what cases cannot, because it needs concurrent requests: the
// response while another request with the same Idempotency-Key is in progress.
func (a *auditor) inFlight(t *testing.T) {
	held := held{store.NewMemory(), make(chan struct{}), make(chan struct{})}
	p := contract.StartOn(t, contract.Server{}, held)
	for path, body := range map[string]string{"/api/v1/log-share": `{"content":"a"}`, "/api/v1/code-snippet-share": `{"code":"a","language":"text"}`, "/logs": "a", "/snippets": "a"} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
			r.Header.Set("X-Api-Key", p.Keys["alice"])
			r.Header.Set("Idempotency-Key", path)
			p.Handler.ServeHTTP(httptest.NewRecorder(), r)
		}()
		<-held.writing
		a.send(t, p, http.MethodPost, path, body, map[string]string{"Content-Type": "application/json", "Idempotency-Key": path})
		held.proceed <- struct{}{}
		<-done
	}
}
