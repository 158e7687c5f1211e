package httpapi_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/store"
)

// compressedBombs are a gigabyte of zeros in each content coding; the last one
// uses the largest window.
func compressedBombs(t testing.TB) map[string][]byte {
	t.Helper()
	var inGzip, inZstd bytes.Buffer
	toGzip := gzip.NewWriter(&inGzip)
	toZstd, err := zstd.NewWriter(&inZstd, zstd.WithWindowSize(8<<20))
	require.NoError(t, err)
	zeros := make([]byte, 64<<20)
	for range 2 {
		_, err := io.MultiWriter(toGzip, toZstd).Write(zeros)
		require.NoError(t, err)
	}
	require.NoError(t, toGzip.Close())
	require.NoError(t, toZstd.Close())
	const each = 8 // gzip members and zstd frames can be concatenated
	return map[string][]byte{"gzip": bytes.Repeat(inGzip.Bytes(), each), "zstd": bytes.Repeat(inZstd.Bytes(), each)}
}

func sendCoded(t testing.TB, handler http.Handler, coding string, body []byte) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/v1/slug-generator", bytes.NewReader(body))
	r.Header.Set("X-Api-Key", staticKey)
	r.Header.Set("Content-Encoding", coding)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

func TestContentEncoding_bombs(t *testing.T) {
	if testing.Short() {
		t.Skip("unpacks many bytes, in one goroutine")
	}
	handler := handlerOf(t, options(t, store.NewMemory()))
	sendCoded(t, handler, "zstd", nil) // one-time initialization
	for coding, bomb := range compressedBombs(t) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		w := sendCoded(t, handler, coding, bomb)
		runtime.ReadMemStats(&after)
		assert.Equal(t, http.StatusRequestEntityTooLarge, w.Code, coding)
		assert.Contains(t, w.Body.String(), "body_too_large")
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(20<<20), "%s: a bomb of %d bytes", coding, len(bomb))
	}
}

// The frames of a body have windows of their own, and some hold no content, as
// those of "zstd -c small.log large.log" and of pzstd.
func TestContentEncoding_frames(t *testing.T) {
	if testing.Short() {
		t.Skip("unpacks many bytes, in one goroutine")
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithWindowSize(8<<20))
	require.NoError(t, err)
	small, large := encoder.EncodeAll([]byte(`{"text":"a b`), nil), encoder.EncodeAll([]byte(strings.Repeat(" ", 9<<20)+`"}`), nil)
	skipped := []byte("\x50\x2a\x4d\x18\x04\x00\x00\x00abcd")
	w := sendCoded(t, handlerOf(t, options(t, store.NewMemory())), "zstd", slices.Concat(skipped, small, skipped, large))
	assert.Equal(t, http.StatusOK, w.Code)
	assert.JSONEq(t, `{"success":true,"result":"a-b"}`, w.Body.String())
}

// BenchmarkContentEncoding_bombs measures the cost of a gigabyte.
func BenchmarkContentEncoding_bombs(b *testing.B) {
	handler := handlerOf(b, options(b, store.NewMemory()))
	for coding, bomb := range compressedBombs(b) {
		b.Run(coding, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sendCoded(b, handler, coding, bomb)
			}
		})
	}
}
