package httpapi

import (
	"net/http"
	"strings"
)

// count counts a request that came with a good key, under the name of its
// operation in the path.
func (s *server) count(r *http.Request, v *visit) {
	if s.Usage != nil && v.keyID != "" {
		s.Usage.Count(v.keyID, operationName(r), v.status, v.now)
	}
}

// operationName names what a request asks for: "log-share", "log-share-read".
func operationName(r *http.Request) string {
	switch r.URL.Path {
	case "/logs":
		return "log-share"
	case "/snippets":
		return "code-snippet-share"
	}
	name, id, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/api/v1/"), "/")
	switch {
	case id == "":
		return name
	case r.Method == http.MethodDelete:
		return name + "-delete"
	default:
		return name + "-read"
	}
}
