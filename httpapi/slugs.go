package httpapi

import (
	"context"

	"github.com/devkiln/devkiln/slugify"
)

// slugRequest is the body of POST /api/v1/slug-generator.
type slugRequest struct {
	text    string
	options slugify.Options
}

// slugResult answers it.
type slugResult struct {
	Success bool   `json:"success"`
	Result  string `json:"result"`
}

func decodeSlug(f *fields) slugRequest {
	f.required("text")
	text, ok := f.given("text")
	if ok && text == "" {
		f.reject("text", "too_short", "must not be empty")
	}
	return slugRequest{text, slugify.Options{
		Separator: f.optionalText("separator"),
		KeepCase:  f.denied("lowercase"),
	}}
}

func checkSlug(in slugRequest) error { return in.options.Validate() }

func makeSlug(_ context.Context, _ caller, in slugRequest) (slugResult, error) {
	slug, err := slugify.Make(in.text, in.options)
	return slugResult{err == nil, slug}, err
}
