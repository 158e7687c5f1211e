package httpapi

import (
	"net/http"
	"strings"
)

// count counts a request that came with a good key, under the name of its
// operation in the path.
func (s *server) count(r *http.Request, v *visit, status int) {
	if s.Usage == nil || v.keyID == "" {
		return
	}
	name, found := strings.CutPrefix(r.URL.Path, "/api/v1/")
	if !found {
		return
	}
	name, id, _ := strings.Cut(name, "/")
	switch {
	case id != "" && r.Method == http.MethodDelete:
		name += "-delete"
	case id != "":
		name += "-read"
	}
	s.Usage.Count(v.keyID, name, status, s.Now())
}
