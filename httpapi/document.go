package httpapi

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"
)

// serveDocument answers the OpenAPI document, to everybody. A cache may keep it
// for an hour.
func serveDocument(w http.ResponseWriter, r *http.Request, mediaType, document string) {
	if !readOnly(w, r) {
		return
	}
	sum := sha256.Sum256([]byte(document))
	h := w.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Cache-Control", "public, max-age=3600")
	h.Set("ETag", `"`+hex.EncodeToString(sum[:8])+`"`)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Access-Control-Allow-Origin", "*") // it is public, and viewers of such documents are pages elsewhere
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(document))
}

// readOnly answers 405 unless a request only reads.
func readOnly(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	return false
}
