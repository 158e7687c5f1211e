package httpapi_test

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/store"
)

// slug posts text with a valid key.
func slug(t *testing.T, handler http.Handler, text string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/v1/slug-generator", strings.NewReader(`{"text":"`+text+`"}`))
	r.Header.Set("X-Api-Key", staticKey)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

func TestMaxMemory_isSharedByAllRequestsAndPages(t *testing.T) {
	long := strings.Repeat("a", 9<<20)
	var handler http.Handler
	o := options(t, store.NewMemory())
	o.MaxMemory = httpapi.MinMemory
	o.Pages = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := fair.FromContext(r.Context()).Grow(60 << 20); err != nil {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		refused := slug(t, handler, long)
		assert.Equal(t, http.StatusServiceUnavailable, refused.Code, "%.100s", refused.Body)
		assert.Equal(t, "1", refused.Header().Get("Retry-After"))
		assert.Contains(t, refused.Body.String(), `"code":"unavailable"`)
		assert.Equal(t, http.StatusOK, slug(t, handler, "small").Code)
	})
	handler = handlerOf(t, o)
	page := httptest.NewRecorder()
	handler.ServeHTTP(page, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/logs/x", http.NoBody))
	assert.Equal(t, http.StatusOK, page.Code)
	assert.Equal(t, http.StatusOK, slug(t, handler, long).Code, "what the page held is free again")
}

func TestWriteIdleTimeout_endsWithAClientThatDoesNotRead(t *testing.T) {
	const text = 1 << 20
	for name, c := range map[string]struct {
		pause time.Duration // before each 32 KiB
		whole bool
	}{
		"a silent client": {11 * time.Second, false},
		"a slow client":   {9 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				conn := pipe(t, options(t, store.NewMemory()), 0)
				body := `{"text":"` + strings.Repeat("a", text) + `"}`
				go func() {
					_, _ = io.WriteString(conn, head("POST", "/api/v1/slug-generator", withKey, "Content-Length: "+strconv.Itoa(len(body)))+body)
				}()
				response, err := http.ReadResponse(bufio.NewReaderSize(slowReader{conn, c.pause}, 32<<10), nil)
				require.NoError(t, err)
				defer response.Body.Close()
				got, err := io.ReadAll(response.Body)
				if c.whole {
					require.NoError(t, err)
					assert.Greater(t, len(got), text)
					return
				}
				require.Error(t, err)
			})
		})
	}
}

// slowReader pauses before each read.
type slowReader struct {
	io.Reader
	pause time.Duration
}

// Read implements io.Reader.
func (s slowReader) Read(p []byte) (int, error) {
	time.Sleep(s.pause)
	return s.Reader.Read(p)
}
