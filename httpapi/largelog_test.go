package httpapi_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// longLog returns a log of so many lines, every hundredth an error.
func longLog(lines int) string {
	var b strings.Builder
	for i := 1; i <= lines; i++ {
		level := "INFO"
		if i%100 == 0 {
			level = "ERROR"
		}
		fmt.Fprintf(&b, "2026-11-22T10:%02d:%02dZ %s request %d took %d ms\n", i/60%60, i%60, level, i, i%77)
	}
	return b.String()
}

func postLog(t *testing.T, handler http.Handler, query, coding string, body io.Reader) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/logs"+query, body)
	r.Header.Set("X-Api-Key", staticKey)
	r.Header.Set("Content-Encoding", coding)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

func TestPlainLog_ofAnySizeInAnyCoding(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	text := longLog(30_000)
	var inGzip, inZstd bytes.Buffer
	toGzip := gzip.NewWriter(&inGzip)
	toZstd, err := zstd.NewWriter(&inZstd)
	require.NoError(t, err)
	_, err = io.MultiWriter(toGzip, toZstd).Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, toGzip.Close())
	require.NoError(t, toZstd.Close())
	o := options(t, store.NewMemory())
	handler := handlerOf(t, o)
	for coding, body := range map[string][]byte{"": []byte(text), "gzip": inGzip.Bytes(), "zstd": inZstd.Bytes()} {
		w := postLog(t, handler, "", coding, bytes.NewReader(body))
		require.Equal(t, http.StatusOK, w.Code, "%s: %s", coding, w.Body)
		id := path.Base(strings.TrimSpace(w.Body.String()))
		log, err := o.Shares.Log(t.Context(), id)
		require.NoError(t, err)
		var got strings.Builder
		for part, err := range o.Shares.LogText(t.Context(), log) {
			require.NoError(t, err)
			got.WriteString(part)
		}
		require.True(t, got.String() == text, "%s: byte for byte", coding)

		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/v1/log-share/"+id, http.NoBody)
		r.Header.Set("X-Api-Key", staticKey)
		w = httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		assert.Equal(t, http.StatusNotAcceptable, w.Code)
		assert.Contains(t, w.Body.String(), `"code":"too_large"`)

		broken := postLog(t, handler, "", coding, bytes.NewReader(append(body[:len(body)-3:len(body)-3], 0xff)))
		assert.Equal(t, http.StatusBadRequest, broken.Code, coding)
	}
}

func TestPlainLog_bombs(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	backend := store.NewMemory()
	handler := handlerOf(t, options(t, backend))
	for coding, bomb := range compressedBombs(t) {
		w := postLog(t, handler, "", coding, bytes.NewReader(bomb))
		assert.Equal(t, http.StatusRequestEntityTooLarge, w.Code, "%s: %.200s", coding, w.Body)
		assert.Equal(t, "the body must have at most 33554432 bytes\n", w.Body.String())
	}
	held, err := backend.Count(t.Context(), "part/")
	require.NoError(t, err)
	assert.Zero(t, held)
}

func TestPlainLog_limitOfTheServer(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	o := options(t, store.NewMemory())
	var err error
	o.Shares, err = share.New(store.NewMemory(), share.Options{MaxLogBytes: 2 << 20})
	require.NoError(t, err)
	handler, text := handlerOf(t, o), longLog(50_000)
	w := postLog(t, handler, "", "", strings.NewReader(text))
	assert.Equal(t, http.StatusRequestEntityTooLarge, w.Code)
	assert.Equal(t, "the body must have at most 2097152 bytes\n", w.Body.String())
	w = postLog(t, handler, "?fit=ends", "", strings.NewReader(text))
	assert.Equal(t, http.StatusOK, w.Code, w.Body)
}

// TestPlainLog_thatBreaksOff verifies that an aborted log leaves nothing behind
// and that all memory is available to the next.
func TestPlainLog_thatBreaksOff(t *testing.T) {
	backend := store.NewMemory()
	o := options(t, backend)
	text := longLog(30_000)
	for range 3 {
		conn := dial(t, o)
		send(t, conn, head("POST", "/logs", withKey, "Transfer-Encoding: chunked")+fmt.Sprintf("%x\r\n%s", 2*len(text), text))
		require.NoError(t, conn.Close())
	}
	conn := dial(t, o)
	send(t, conn, head("POST", "/logs", withKey, "Transfer-Encoding: chunked")+"zz\r\n")
	got := receive(t, bufio.NewReader(conn))
	assert.Equal(t, http.StatusBadRequest, got.status)
	entries, err := backend.Count(t.Context(), "part/")
	require.NoError(t, err)
	assert.Zero(t, entries)
	w := postLog(t, handlerOf(t, o), "", "", strings.NewReader(text))
	assert.Equal(t, http.StatusOK, w.Code)
}

// The limits state the maximum size of a log sent as text.
func TestLimits_longestLog(t *testing.T) {
	o := options(t, store.NewMemory())
	var err error
	o.Shares, err = share.New(store.NewMemory(), share.Options{MaxLogBytes: 3 << 20})
	require.NoError(t, err)
	w := fetch(t, handlerOf(t, o), http.MethodGet, "/api/v1/limits", "X-Api-Key", staticKey)
	assert.Contains(t, w.Body.String(), `"textBytes":3145728,`)
}
