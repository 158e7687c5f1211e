package httpapi

import (
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/internal/fields"
)

// decodeJSON reads the fields of a body of JSON. The order of the checks is part
// of the contract: media type, size, JSON, and then the fields.
func (s *server) decodeJSON(q *request) (*fields.Set, error) {
	if err := checkMediaType(q.Header); err != nil {
		return nil, err
	}
	text, err := s.readBody(q)
	if err != nil {
		return nil, err
	}
	if err := q.lease.Grow(int64(len(text))); err != nil { // for the strings in it
		return nil, err
	}
	return fields.Parse(text)
}

// What is shared can be sent as it is, for shells:
//
//	app 2>&1 | curl --data-binary @- -H "X-API-Key: $KEY" https://kiln.example/logs
//
// The body is the content, whatever its Content-Type says (curl calls it a
// form). The other fields stand in the query. The response is the link as a line
// of text, and so is a failure.

// decodeText reads a body of plain text, and fields with these names out of the
// query.
func (s *server) decodeText(q *request, names ...string) (text string, f *fields.Set, err error) {
	body, err := s.readBody(q)
	if err != nil {
		return "", nil, err
	}
	if !utf8.Valid(body) {
		return "", nil, invalidText(fields.InvalidUTF8(body))
	}
	if err := q.lease.Grow(int64(len(body))); err != nil { // for the string
		return "", nil, err
	}
	f, err = fields.FromQuery(q.URL.RawQuery, names...)
	return string(body), f, err
}
