package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// held is a store that tells when a share is being written and waits.
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

func TestIdempotencyKey_inFlight(t *testing.T) {
	backend := held{store.NewMemory(), make(chan struct{}), make(chan struct{})}
	keys, err := apikey.New(backend, staticKey)
	require.NoError(t, err)
	shares, err := share.New(backend, share.Options{})
	require.NoError(t, err)
	handler, err := httpapi.New(httpapi.Options{Shares: shares, Keys: keys, Limiter: ratelimit.NewLocal(backend, ratelimit.Limits{})})
	require.NoError(t, err)
	send := func(path, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("X-Api-Key", staticKey)
		r.Header.Set("Idempotency-Key", `"k"`)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w
	}
	first := make(chan *httptest.ResponseRecorder)
	go func() { first <- send("/api/v1/log-share", `{"content":"a"}`) }()
	<-backend.writing

	second := send("/api/v1/log-share", `{"content":"a"}`)
	assert.Equal(t, http.StatusConflict, second.Code)
	assert.Equal(t, "1", second.Header().Get("Retry-After"))
	assert.Contains(t, second.Body.String(), `"code":"request_in_flight"`)
	plain := send("/logs", "a")
	assert.Equal(t, http.StatusConflict, plain.Code)
	assert.Equal(t, "a request with this Idempotency-Key is being worked on; try again in a moment\n", plain.Body.String())

	close(backend.goOn)
	made := <-first
	require.Equal(t, http.StatusOK, made.Code)
	go func() { <-backend.writing }()
	again := send("/api/v1/log-share", `{"content":"a"}`)
	assert.Equal(t, http.StatusOK, again.Code)
	assert.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
	assert.Equal(t, made.Body.String(), again.Body.String())
}
