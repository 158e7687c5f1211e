package httpapi

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"
)

// documentYAML is the OpenAPI document. It is written by hand; tests hold that
// it and the handlers say the same.
//
//go:embed openapi.yaml
var documentYAML []byte

// documentJSON is the same document as JSON.
var documentJSON = sync.OnceValue(func() []byte {
	var document any
	err := yaml.Unmarshal(documentYAML, &document)
	if err != nil {
		panic(err) // the tests parse what is embedded
	}
	text, err := json.Marshal(document)
	if err != nil {
		panic(err)
	}
	return append(text, '\n')
})

// serveDocument answers the OpenAPI document, to everybody. A cache may keep it
// for an hour.
func serveDocument(w http.ResponseWriter, r *http.Request, mediaType string, document []byte) {
	if !readOnly(w, r) {
		return
	}
	sum := sha256.Sum256(document)
	h := w.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Cache-Control", "public, max-age=3600")
	h.Set("ETag", `"`+hex.EncodeToString(sum[:8])+`"`)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Access-Control-Allow-Origin", "*") // it is public, and viewers of such documents are pages elsewhere
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(document))
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
