package httpapi

// serveDocument returns the OpenAPI document, which any origin may read and
// caches may store for an hour.
func serveDocument(mediaType, document string) operation {
	return func(_ *server, q *request) (response, error) {
		h := q.recorder.Header()
		h.Set("Cache-Control", "public, max-age=3600")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Access-Control-Allow-Origin", "*") // public; viewers run on other origins
		return response{mediaType: mediaType, data: []byte(document), etag: etagOf([]byte(document))}, nil
	}
}
