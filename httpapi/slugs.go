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

// The response is assembled around the slug, which may have tens of megabytes
// and contains nothing that JSON escapes.
const (
	slugPrefix = `{"success":true,"result":"`
	slugSuffix = "\"}\n"
)

// slugGrowth is the maximum number of bytes of a slug per byte of text: U+FDFA
// has 3 bytes and becomes 17 characters. The buffer of a long text has this
// capacity from the start, because growing it would take as much again.
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
	data := []byte(slugPrefix)
	if len(in.text) > longText {
		if err := q.lease.Grow(slugGrowth * int64(len(in.text))); err != nil {
			return response{}, err
		}
		data = slices.Grow(data, slugGrowth*len(in.text))
	}
	data, err := slugify.Append(data, in.text, in.options)
	data = append(data, slugSuffix...)
	if cap(data) > 2*len(data) && len(in.text) > longText {
		data = bytes.Clone(data) // the client may read it slowly
	}
	return response{mediaType: jsonType, data: data}, err
}
