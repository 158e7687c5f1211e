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
	"github.com/devkiln/devkiln/internal/contract"
	"github.com/devkiln/devkiln/share"
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

func TestIdempotencyKey_inFlight(t *testing.T) {
	held := held{store.NewMemory(), make(chan struct{}), make(chan struct{})}
	p := contract.StartOn(t, contract.Server{}, held)
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
	<-held.writing

	second := send("/api/v1/log-share", `{"content":"a"}`)
	assert.Equal(t, http.StatusConflict, second.Code)
	assert.Equal(t, "1", second.Header().Get("Retry-After"))
	assert.Contains(t, second.Body.String(), `"code":"request_in_flight"`)
	plain := send("/logs", "a")
	assert.Equal(t, http.StatusConflict, plain.Code)
	assert.Equal(t, "a request with this Idempotency-Key is in progress; try again in a moment\n", plain.Body.String())

	close(held.proceed)
	made := <-first
	require.Equal(t, http.StatusOK, made.Code)
	go func() { <-held.writing }()
	again := send("/api/v1/log-share", `{"content":"a"}`)
	assert.Equal(t, http.StatusOK, again.Code)
	assert.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
	assert.Equal(t, made.Body.String(), again.Body.String())
}

// A store of three methods cannot remember keys: they are ignored.
func TestIdempotencyKey_simpleStore(t *testing.T) {
	shares, err := share.New(struct{ store.Store }{store.NewMemory()}, share.Options{})
	require.NoError(t, err)
	handler, err := httpapi.New(httpapi.Options{Shares: shares, Keys: users{"ada": "correct-horse"}})
	require.NoError(t, err)
	for path, body := range map[string]string{
		"/api/v1/log-share":          `{"content":"a"}`,
		"/api/v1/code-snippet-share": `{"code":"a","language":"go"}`,
		"/logs":                      "a",
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("X-Api-Key", "ada:correct-horse")
		r.Header.Set("Idempotency-Key", `"k"`)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		assert.Contains(t, []int{http.StatusOK, http.StatusCreated}, w.Code, path)
	}
}
