package web

import "net/http"

// NewWithDocument is New with another OpenAPI document for the reference.
func NewWithDocument(o Options, document string) (http.Handler, error) {
	return newHandler(o, document)
}

// Routes returns the method and pattern of every page.
func Routes() []string {
	var all []string
	for pattern, methods := range new(site).pages() {
		if methods.get != nil {
			all = append(all, "GET "+pattern)
		}
		if methods.post != nil {
			all = append(all, "POST "+pattern)
		}
	}
	return all
}
