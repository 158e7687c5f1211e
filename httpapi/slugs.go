package httpapi

import "github.com/devkiln/devkiln/slugify"

// The response is assembled around the slug, which may have tens of megabytes
// and contains nothing that JSON escapes.
const slugPrefix, slugSuffix = `{"success":true,"result":"`, "\"}\n"

// slugGrowth is the maximum number of bytes of a slug per byte of text: U+FDFA
// has 3 bytes and becomes 17 characters. The buffer has this capacity from the
// start, because growing it would take as much again.
const slugGrowth = 6

func (s *server) makeSlug(q *request) (response, error) {
	f := q.fields
	f.Require("text")
	text, ok := f.Lookup("text")
	if ok && text == "" {
		f.Reject("text", "too_short", "must not be empty")
	}
	o := slugify.Options{KeepCase: f.IsFalse("lowercase")}
	if separator, ok := f.Lookup("separator"); ok {
		o.Separator = &separator
	}
	if f.Faulty() {
		return response{}, f.Check(o.Validate())
	}
	if err := q.lease.Grow(slugGrowth * int64(len(text))); err != nil {
		return response{}, err
	}
	data := make([]byte, 0, len(slugPrefix)+slugGrowth*len(text)+len(slugSuffix))
	data, err := slugify.Append(append(data, slugPrefix...), text, o)
	return response{mediaType: jsonType, data: append(data, slugSuffix...)}, err
}
