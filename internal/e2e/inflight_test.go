package e2e_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/devkiln/devkiln/internal/contract/apitest"
)

// inFlight covers what cases cannot, because it needs concurrent requests: the
// response while another request with the same Idempotency-Key is in progress.
func (a *auditor) inFlight(t *testing.T) {
	p, held := apitest.StartHeld(t)
	for path, body := range map[string]string{"/api/v1/log-share": `{"content":"a"}`, "/api/v1/code-snippet-share": `{"code":"a","language":"text"}`} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
			r.Header.Set("X-Api-Key", p.Keys["alice"])
			r.Header.Set("Idempotency-Key", path)
			p.Handler.ServeHTTP(httptest.NewRecorder(), r)
		}()
		<-held.Writing
		a.send(t, p, http.MethodPost, path, body, map[string]string{"Content-Type": "application/json", "Idempotency-Key": path})
		held.Continue <- struct{}{}
		<-done
	}
}
