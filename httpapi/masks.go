package httpapi

import (
	"github.com/devkiln/devkiln/httpapi/internal/fields"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/mask"
)

// masked is the response to POST /api/v1/secret-mask.
type masked struct {
	Success bool   `json:"success"`
	Result  string `json:"result"`
	Found   int    `json:"found"`
}

// decodeMask reads the text to mask, which is at most as long as a log.
func decodeMask(f *fields.Set) string {
	f.Require("text")
	text, ok := f.Lookup("text")
	switch {
	case ok && text == "":
		f.Reject("text", "too_short", "must not be empty")
	case len(text) > 4*share.MaxLogContent:
		f.Reject("text", "too_long", "must have at most 2000000 bytes")
	}
	return text
}

func (s *server) maskSecrets(q *request) (response, error) {
	text := decodeMask(q.fields)
	if err := q.fields.Check(nil); err != nil {
		return response{}, err
	}
	result, found := mask.Secrets(text, mask.Options{})
	return encodeJSON(masked{true, result, found.Total()})
}
