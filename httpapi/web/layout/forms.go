package layout

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

// A Problem is what is wrong with a field of a form.
type Problem struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// fieldNames are what the fields of the API are called on the pages.
var fieldNames = map[string]string{
	"angle": "Angle", "background": "Background", "borderRadius": "Corners", "code": "The code", "colors": "Colours", "fontSize": "Font size", "fragment": "The link",
	"language": "Language", "maxLength": "Longest", "padding": "Padding", "positions": "Positions", "scale": "Size", "separator": "Separator", "text": "The text",
	"theme": "Theme", "type": "Type", "windowTitle": "Title",
}

// Sentence says what is wrong, as a sentence.
func (p Problem) Sentence() string {
	base, index, _ := strings.Cut(p.Field, "[")
	name := cmp.Or(fieldNames[base], base)
	if index != "" {
		name = strings.TrimSuffix(name, "s") + " number " + plus1(strings.TrimSuffix(index, "]"))
	}
	return name + " " + p.Message + "."
}

// plus1 counts from 1, as people do.
func plus1(index string) string {
	if n, ok := Whole(index); ok {
		return Thousands(n + 1)
	}
	return index
}

// Problems returns what a joined error says about fields, and the error if it
// says something else too.
func Problems(err error) ([]Problem, error) {
	if err == nil {
		return nil, nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []Problem
		for _, e := range joined.Unwrap() {
			some, other := Problems(e)
			if other != nil {
				return nil, other
			}
			all = append(all, some...)
		}
		return all, nil
	}
	invalid, ok := err.(interface{ Invalid() (field, reason string) })
	if !ok {
		return nil, err
	}
	field, _ := invalid.Invalid()
	return []Problem{{field, strings.TrimPrefix(err.Error(), field+": ")}}, nil
}

// Number reads a number as a form sends it.
func Number(s string) (float64, bool) {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return v, err == nil
}

// Whole reads a whole number of at most 9 digits.
func Whole(s string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	return n, err == nil && len(s) <= 9
}

// Languages are what a field for the language of code suggests. It takes any
// other too.
func Languages() []string { return strings.Fields(languages) }

const languages = `bash c c# c++ css dart diff dockerfile elixir go graphql haskell html java javascript json jsx
	julia kotlin lua makefile markdown nix objective-c ocaml perl php powershell protobuf python r ruby rust scala scss sql svelte swift
	terraform text toml tsx typescript vue xml yaml zig`

// WantsJSON reports whether a request comes from a script of a page.
func WantsJSON(h http.Header) bool {
	name, q := quality(h.Get("Accept"))
	return name == "application/json" && q > 0
}

// JSON returns the response to a script.
func JSON(v any) (*Response, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return NewResponse("application/json; charset=utf-8", body), nil
}

// Refuse returns the response to a script that sent something wrong.
func Refuse(all []Problem) (*Response, error) {
	sentences := make([]Problem, len(all))
	for i, p := range all {
		sentences[i] = Problem{p.Field, p.Sentence()}
	}
	a, err := JSON(map[string][]Problem{"problems": sentences})
	if err == nil {
		a.Status = http.StatusBadRequest
	}
	return a, err
}
