package httpapi

import (
	"net/http"
	"slices"
	"strings"
)

// Pages of the origins that the operator allows may call the API with a key of
// their own (the CORS protocol of the Fetch standard). Credentials are never
// allowed, because the API uses no cookies.

// allowOrigin tells the browser that the requesting page may read the response.
func (s *server) allowOrigin(q *request) {
	if len(s.CORSOrigins) == 0 || !strings.HasPrefix(q.route.path, "/api") && q.route.path != unknownPath.path {
		return
	}
	h := q.recorder.Header()
	h.Add("Vary", "Origin")
	if origin := q.Header.Get("Origin"); origin != "" && (slices.Contains(s.CORSOrigins, origin) || slices.Contains(s.CORSOrigins, "*")) {
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Expose-Headers", "RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, ETag, "+replayed)
	}
}

// preflight responds to the preflight of an allowed origin with the methods and
// header fields that the page may send. It returns false for other requests.
func (s *server) preflight(q *request) bool {
	h := q.recorder.Header()
	if q.Method != http.MethodOptions || q.Header.Get("Access-Control-Request-Method") == "" || h.Get("Access-Control-Allow-Origin") == "" {
		return false
	}
	allowed := "X-API-Key, Content-Type, Accept, If-None-Match, X-Request-Id, " + idempotencyKey
	if s.BearerTokens {
		allowed += ", Authorization"
	}
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, DELETE")
	h.Set("Access-Control-Allow-Headers", allowed)
	h.Set("Access-Control-Max-Age", "600") // seconds
	q.recorder.WriteHeader(http.StatusNoContent)
	return true
}
