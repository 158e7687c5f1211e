package layout

import (
	"net/url"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/internal/option"
)

// A Field is the form field of an option. The template "options" draws a list
// of them.
type Field struct {
	Name, Label, Example string
	Value                string // as text; that of a switch is on or off
	Wrong                string // what is wrong with it; may be empty
	Choices              []Choice
	IsSwitch, OnIfAbsent bool
	IsNumber, Advanced   bool
	Min, Max, Step       float64
}

// A Choice is an option of a select element.
type Choice struct {
	Value, Name string
	Chosen      bool
}

// Fields returns the form fields of a table with the values of a query, as they
// were sent, and the problems of each.
func Fields[O any](table option.Table[O], query url.Values, problems []Problem) []Field {
	fields := make([]Field, len(table))
	for i, r := range table {
		value, sent := r.In(query)
		if !sent {
			value = r.Default
		}
		fields[i] = Field{
			Name: r.Name, Label: r.Label, Example: r.Example, Value: value, Wrong: Wrong(problems, r.Name),
			Choices: choices(r.Values, r.Labels, value), IsSwitch: r.Kind == option.Switch, OnIfAbsent: r.Default == "on",
			IsNumber: r.Kind == option.Integer || r.Kind == option.Number, Advanced: r.Advanced, Min: r.Min, Max: r.Max, Step: r.Step,
		}
		if r.Kind == option.List {
			fields[i].Choices = nil
		}
	}
	return fields
}

// choices returns the values and, if it is another, the one that was sent.
func choices(values []string, labels map[string]string, sent string) []Choice {
	if len(values) > 0 && !slices.Contains(values, sent) {
		values = append([]string{sent}, values...)
	}
	all := make([]Choice, len(values))
	for i, value := range values {
		name, ok := labels[value]
		if !ok {
			name = value
		}
		all[i] = Choice{Value: value, Name: name, Chosen: value == sent}
	}
	return all
}

// Wrong returns the problem of a field or of one of its elements, or "".
func Wrong(all []Problem, field string) string {
	for _, p := range all {
		if p.Field == field || strings.HasPrefix(p.Field, field+"[") {
			return p.Sentence()
		}
	}
	return ""
}

// Unplaced returns the problems that no field shows.
func Unplaced(all []Problem, fields []Field) []Problem {
	return slices.DeleteFunc(slices.Clone(all), func(p Problem) bool {
		name, _, _ := strings.Cut(p.Field, "[")
		return slices.ContainsFunc(fields, func(f Field) bool { return f.Name == name })
	})
}

// Changed reports whether an advanced field has a value other than its default.
func (f Field) Changed() bool {
	return f.Advanced && (f.Wrong != "" || f.IsSwitch && f.On() != f.OnIfAbsent || !f.IsSwitch && f.Value != "")
}

// On reports whether a switch is on.
func (f Field) On() bool { return f.Value == "on" || f.Value == "true" }
