package e2e_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/internal/contract"
	"github.com/devkiln/devkiln/internal/contract/kilntest"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// held is a store that tells when a share is being written, and waits.
type held struct {
	store.Backend
	writing, goOn chan struct{}
}

// CreateAll implements store.Backend.
func (h held) CreateAll(ctx context.Context, entries ...store.Entry) error {
	h.writing <- struct{}{}
	<-h.goOn
	return h.Backend.CreateAll(ctx, entries...)
}

// inFlight asks for what cases cannot hold, since two requests are under way at
// once: the response to a request whose Idempotency-Key is being worked on.
func (a *auditor) inFlight(t *testing.T) {
	backend := held{store.NewMemory(), make(chan struct{}), make(chan struct{})}
	keys, err := apikey.New(backend, kilntest.StaticKey)
	require.NoError(t, err)
	shares, err := share.New(backend, share.Options{})
	require.NoError(t, err)
	handler, err := httpapi.New(httpapi.Options{Shares: shares, Keys: keys, Limiter: ratelimit.NewLocal(backend, ratelimit.Limits{})})
	require.NoError(t, err)
	p := &contract.Player{Handler: handler, Keys: map[string]string{"alice": kilntest.StaticKey}}
	for path, body := range map[string]string{"/api/v1/log-share": `{"content":"a"}`, "/api/v1/code-snippet-share": `{"code":"a","language":"text"}`} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
			r.Header.Set("X-Api-Key", kilntest.StaticKey)
			r.Header.Set("Idempotency-Key", path)
			handler.ServeHTTP(httptest.NewRecorder(), r)
		}()
		<-backend.writing
		a.send(t, p, http.MethodPost, path, body, map[string]string{"Content-Type": "application/json", "Idempotency-Key": path})
		backend.goOn <- struct{}{}
		<-done
	}
}
