package layout

import (
	"cmp"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/internal/invalid"
)

// A Fault describes what is wrong with a form field.
type Fault struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// fieldNames maps field names of the API to their labels on the pages, where
// these are not the words of the name.
var fieldNames = map[string]string{
	"center": "Centre", "css": "The CSS", "hue": "Way of hues", "borderRadius": "Corners", "code": "The code", "colors": "Colours", "fragment": "The link",
	"html": "HTML", "preserve": "Preserve signs", "q": "The search", "text": "The text", "textColor": "Colour of text", "windowTitle": "Title",
}

// Label returns the label of a field of the API, such as First line for
// firstLine.
func Label(field string) string {
	words := strings.ToLower(capital.ReplaceAllString(field, " $0"))
	return cmp.Or(fieldNames[field], strings.ToUpper(words[:1])+words[1:])
}

var capital = regexp.MustCompile("[A-Z]")

// Sentence returns the fault as a sentence.
func (f Fault) Sentence() string {
	base, index, _ := strings.Cut(f.Field, "[")
	name := Label(base)
	if index = strings.TrimSuffix(index, "]"); index != "" {
		shown := "“" + index + "”"
		if n, ok := Whole(index); ok {
			shown = Thousands(n + 1)
		}
		name = strings.TrimSuffix(name, "s") + " " + shown
	}
	return strings.NewReplacer("?.", "?", "CSS color", "CSS colour", "of colors", "of colours", "expected a color", "expected a colour").Replace(name + " " + f.Message + ".")
}

// Faults are what is wrong with the fields of a form.
type Faults []Fault

// FaultsOf returns the faults of fields in err, and the first error in it of
// another kind.
func FaultsOf(err error) (all Faults, other error) {
	faults, other := invalid.Of(err)
	for _, f := range faults {
		all = append(all, Fault{f.Field, f.Message})
	}
	return all, other
}

// Of returns the fault of a field or of one of its elements, or "".
func (all Faults) Of(field string) string {
	for _, f := range all {
		if name, _, _ := strings.Cut(f.Field, "["); f.Field == field || name == field {
			return f.Sentence()
		}
	}
	return ""
}

// Except returns the faults of fields that start with none of the prefixes.
func (all Faults) Except(prefixes ...string) Faults {
	return slices.DeleteFunc(slices.Clone(all), func(f Fault) bool {
		return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(f.Field, prefix) })
	})
}

// Number parses a number from a form.
func Number(s string) (float64, bool) {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return v, err == nil
}

// Whole parses an integer of at most 9 characters from a form.
func Whole(s string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	return n, err == nil && len(s) <= 9
}

// Languages returns suggestions for a field that takes the language of code.
// The field accepts others too.
func Languages() []string { return strings.Fields(languages) }

const languages = `bash c c# c++ css dart diff dockerfile elixir go graphql haskell html java javascript json jsx
	julia kotlin lua makefile markdown nix objective-c ocaml perl php powershell protobuf python r ruby rust scala scss sql svelte swift
	terraform text toml tsx typescript vue xml yaml zig`

// JSON returns a response with v as JSON.
func JSON(v any) (*Response, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return NewResponse("application/json; charset=utf-8", body), nil
}

// Refuse returns a response with status 400 that lists the faults as JSON.
func Refuse(all Faults) (*Response, error) {
	sentences := make(Faults, len(all))
	for i, f := range all {
		sentences[i] = Fault{f.Field, f.Sentence()}
	}
	a, err := JSON(map[string]Faults{"faults": sentences})
	if err == nil {
		a.Status = http.StatusBadRequest
	}
	return a, err
}
