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

// slugResult is the response to it.
type slugResult struct {
	Success bool   `json:"success"`
	Result  string `json:"result"`
}

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
	slug, err := slugify.Make(in.text, in.options)
	if err != nil {
		return response{}, err
	}
	return encodeJSON(slugResult{true, slug})
}
