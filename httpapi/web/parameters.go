package web

import (
	"net/url"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/screenshot"
)

// The studio offers every parameter of the library under the name that requests
// and the studio's URL also use.

// parameterPrefix starts the names of form fields that hold parameters.
const parameterPrefix = "with-"

// parameterField is a form field for a parameter.
type parameterField struct {
	option.Option[screenshot.Options]
	Value string
	Wrong string
	Known []string // suggested values
}

// Field returns the name of the form field.
func (f parameterField) Field() string { return parameterPrefix + f.Name }

// Label returns the label of the field.
func (f parameterField) Label() string { return layout.Label(f.Name) }

// Choices returns the permitted values; nil means free text.
func (f parameterField) Choices() []string {
	if f.Kind == option.Switch {
		return []string{"on", "off"}
	}
	return f.Values
}

// parameterFields returns the fields with their values.
func (s *site) parameterFields(values url.Values, bad []layout.Problem) []parameterField {
	var fields []parameterField
	for _, p := range screenshot.ExtraParameters() {
		for _, t := range s.Themes {
			if p.Name == "theme" && !slices.Contains(p.Values, t.Name) {
				p.Values = append(slices.Clip(p.Values), t.Name)
			}
		}
		field := parameterField{Option: p, Value: strings.Join(values[p.Name], ","), Wrong: layout.Wrong(bad, p.Name)}
		if p.Name == "fontFamily" && s.Fonts != nil {
			field.Known = s.Fonts.Families()
		}
		fields = append(fields, field)
	}
	return fields
}

// parametersOf returns the nonempty parameters of a query or form whose field
// names start with prefix.
func parametersOf(values url.Values, prefix string) url.Values {
	given := make(url.Values)
	for _, p := range screenshot.ExtraParameters() {
		if v := strings.TrimSpace(strings.Join(values[prefix+p.Name], ",")); v != "" {
			given.Set(p.Name, v)
		}
	}
	return given
}
