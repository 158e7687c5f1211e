package httpapi

import (
	"github.com/devkiln/devkiln/httpapi/internal/fields"
	"github.com/devkiln/devkiln/slugify"
)

// slugRequest is the body of POST /api/v1/slug-generator.
type slugRequest struct {
	text    string
	options slugify.Options
}

// The response to it is written around the slug, which may be tens of megabytes
// long and has nothing that JSON escapes.
const (
	slugBefore = `{"success":true,"result":"`
	slugBehind = "\"}\n"
)

// slugGrowth is how many bytes are held at most for each byte of text while a
// slug is made: U+FDFA is three and becomes 18, in a buffer that grows.
const slugGrowth = 8

func decodeSlug(f *fields.Set) slugRequest {
	f.Require("text")
	text, ok := f.Lookup("text")
	if ok && text == "" {
		f.Reject("text", "too_short", "must not be empty")
	}
	return slugRequest{text, slugify.Options{
		Separator: f.OptionalText("separator"),
		KeepCase:  f.IsFalse("lowercase"),
	}}
}

func (s *server) makeSlug(q *request) (response, error) {
	f, err := s.decodeJSON(q)
	if err != nil {
		return response{}, err
	}
	in := decodeSlug(f)
	if f.Faulty() {
		return response{}, f.Check(in.options.Validate())
	}
	if err := q.lease.Grow(slugGrowth * int64(len(in.text))); err != nil {
		return response{}, err
	}
	slug, err := slugify.Append([]byte(slugBefore), in.text, in.options)
	return response{mediaType: jsonType, data: append(slug, slugBehind...)}, err
}
