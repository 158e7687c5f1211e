package httpapi

import (
	"bytes"
	"slices"

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

// slugGrowth is how many bytes a byte of text becomes at most: U+FDFA is three
// and becomes 17 letters and signs. The buffer of a long text has room for that
// from the start: to grow it would take as much again.
const (
	slugGrowth = 6
	longText   = 64 << 10
)

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
	in := decodeSlug(q.fields)
	if q.fields.Faulty() {
		return response{}, q.fields.Check(in.options.Validate())
	}
	data := []byte(slugBefore)
	if len(in.text) > longText {
		if err := q.lease.Grow(slugGrowth * int64(len(in.text))); err != nil {
			return response{}, err
		}
		data = slices.Grow(data, slugGrowth*len(in.text))
	}
	data, err := slugify.Append(data, in.text, in.options)
	data = append(data, slugBehind...)
	if cap(data) > 2*len(data) && len(in.text) > longText {
		data = bytes.Clone(data) // it may wait long for its reader
	}
	return response{mediaType: jsonType, data: data}, err
}
