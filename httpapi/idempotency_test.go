package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/contract/apitest"
)

func TestIdempotencyKey_inFlight(t *testing.T) {
	p, held := apitest.StartHeld(t)
	send := func(path, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("X-Api-Key", p.Keys["alice"])
		r.Header.Set("Idempotency-Key", `"k"`)
		w := httptest.NewRecorder()
		p.Handler.ServeHTTP(w, r)
		return w
	}
	first := make(chan *httptest.ResponseRecorder)
	go func() { first <- send("/api/v1/log-share", `{"content":"a"}`) }()
	<-held.Writing

	second := send("/api/v1/log-share", `{"content":"a"}`)
	assert.Equal(t, http.StatusConflict, second.Code)
	assert.Equal(t, "1", second.Header().Get("Retry-After"))
	assert.Contains(t, second.Body.String(), `"code":"request_in_flight"`)
	plain := send("/logs", "a")
	assert.Equal(t, http.StatusConflict, plain.Code)
	assert.Equal(t, "a request with this Idempotency-Key is in progress; try again in a moment\n", plain.Body.String())

	close(held.Continue)
	made := <-first
	require.Equal(t, http.StatusOK, made.Code)
	go func() { <-held.Writing }()
	again := send("/api/v1/log-share", `{"content":"a"}`)
	assert.Equal(t, http.StatusOK, again.Code)
	assert.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
	assert.Equal(t, made.Body.String(), again.Body.String())
}
