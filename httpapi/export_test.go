package httpapi

import "github.com/devkiln/devkiln/httpapi/internal/fields"

// KnownFields returns the fields that each operation takes, by its path: what
// its decoder asks an empty request for.
func KnownFields() map[string][]string {
	known := make(map[string][]string)
	for path, decode := range map[string]func(*fields.Set){
		"/api/v1/gradient-generator": func(f *fields.Set) { decodeGradient(f) },
		"/api/v1/slug-generator":     func(f *fields.Set) { decodeSlug(f) },
		"/api/v1/log-share":          func(f *fields.Set) { decodeLog(f) },
		"/api/v1/code-snippet-share": func(f *fields.Set) { decodeSnippet(f) },
		"/api/v1/shares/delete":      func(f *fields.Set) { decodeDeletion(f) },
		"/api/v1/code-screenshot":    func(f *fields.Set) { decodeScreenshot(f) },
	} {
		var f fields.Set
		decode(&f)
		known[path] = f.Known()
	}
	return known
}
