package httpapi

import "encoding/json"

// KnownFields returns the fields that each operation takes, by its path: what
// its decoder asks an empty request for.
func KnownFields() map[string][]string {
	known := make(map[string][]string)
	for path, decode := range map[string]func(*fields){
		"/api/v1/gradient-generator": func(f *fields) { decodeGradient(f) },
		"/api/v1/slug-generator":     func(f *fields) { decodeSlug(f) },
		"/api/v1/log-share":          func(f *fields) { decodeLog(f) },
		"/api/v1/code-snippet-share": func(f *fields) { decodeSnippet(f) },
		"/api/v1/code-screenshot":    func(f *fields) { decodeScreenshot(f) },
	} {
		var f fields
		decode(&f)
		known[path] = f.known
	}
	return known
}

// Sent returns the fields of a body as they were sent, and the text of those
// that are strings.
func Sent(body []byte) (values map[string]json.RawMessage, texts map[string]string, err error) {
	f, err := parseFields(body)
	if err != nil {
		return nil, nil, err
	}
	values, texts = make(map[string]json.RawMessage), make(map[string]string)
	for _, sent := range f.sent {
		values[string(sent.name)] = sent.value
		if text, ok := asString(sent.value); ok {
			texts[string(sent.name)] = text
		}
	}
	return values, texts, nil
}
