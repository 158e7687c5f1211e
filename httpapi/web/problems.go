package web

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

// A problem is what is wrong with a field of a form.
type problem struct {
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
func (p problem) Sentence() string {
	base, index, _ := strings.Cut(p.Field, "[")
	name := cmp.Or(fieldNames[base], base)
	if index != "" {
		name = strings.TrimSuffix(name, "s") + " number " + plus1(strings.TrimSuffix(index, "]"))
	}
	return name + " " + p.Message + "."
}

// plus1 counts from 1, as people do.
func plus1(index string) string {
	if n, ok := whole(index); ok {
		return thousands(n + 1)
	}
	return index
}

// problems returns what a joined error says about fields, and the error if it
// says something else too.
func problems(err error) ([]problem, error) {
	if err == nil {
		return nil, nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []problem
		for _, e := range joined.Unwrap() {
			some, other := problems(e)
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
	return []problem{{field, strings.TrimPrefix(err.Error(), field+": ")}}, nil
}

// number reads a number as a form sends it.
func number(s string) (float64, bool) {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return v, err == nil
}

// wantsJSON reports whether a request comes from a script of a page.
func wantsJSON(h http.Header) bool {
	name, q := quality(h.Get("Accept"))
	return name == "application/json" && q > 0
}

// jsonAnswer answers a script.
func jsonAnswer(v any) (*answer, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return newAnswer("application/json; charset=utf-8", body), nil
}

// refused answers a script that sent something wrong.
func refused(all []problem) (*answer, error) {
	sentences := make([]problem, len(all))
	for i, p := range all {
		sentences[i] = problem{p.Field, p.Sentence()}
	}
	a, err := jsonAnswer(map[string][]problem{"problems": sentences})
	if err == nil {
		a.status = http.StatusBadRequest
	}
	return a, err
}
