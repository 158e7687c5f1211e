package httpapi

import "github.com/devkiln/devkiln/httpapi/openapi"

func (s *server) documentYAML(q *request) (response, error) {
	return encodeDocument(q, "application/yaml", openapi.YAML()), nil
}

func (s *server) documentJSON(q *request) (response, error) {
	return encodeDocument(q, "application/json", openapi.JSON()), nil
}

// encodeDocument returns the OpenAPI document, which any origin may read and
// caches may store for an hour.
func encodeDocument(q *request, mediaType, document string) response {
	h := q.recorder.Header()
	h.Set("Cache-Control", "public, max-age=3600")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Access-Control-Allow-Origin", "*") // public; viewers run on other origins
	return response{mediaType: mediaType, data: []byte(document), etag: etagOf([]byte(document))}
}
