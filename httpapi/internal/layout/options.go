package layout

import (
	"net/url"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/internal/option"
)

// A Field is the form field of an option. The template "option" draws it.
type Field struct {
	Name, Label, Doc     string
	Example, Default     string
	Value                string // as text; that of a switch is on or off
	Wrong                string // what is wrong with it; may be empty
	Choices              []Choice
	IsMany               bool // any number of Choices
	IsSwitch, OnIfAbsent bool
	IsNumber, Advanced   bool
	Min, Max, Step       float64
}

// A Choice is an option of a select element.
type Choice struct {
	Value, Name string
	Chosen      bool
}

// A Form has the fields of a table of options.
type Form struct {
	Main     []Field
	Advanced []Field // of the collapsed section
	Open     bool    // one of Advanced is not as by default
}

// NewForm returns the form of a table with the values of a query, as they were
// sent, and the faults of each.
func NewForm[O any](table option.Table[O], query url.Values, faults Faults) Form {
	var form Form
	for _, r := range table {
		value, sent := r.In(query)
		if !sent {
			value = r.Default
		}
		f := Field{
			Name: r.Name, Label: r.Label, Doc: r.Doc, Example: r.Example, Default: r.Default, Value: value, Wrong: strings.Replace(faults.Of(r.Name), Label(r.Name), r.Label, 1),
			IsMany: r.Kind == option.List && r.Values != nil, IsSwitch: r.Kind == option.Switch, OnIfAbsent: r.Default == "on",
			IsNumber: r.Kind == option.Integer || r.Kind == option.Number, Min: r.Min, Max: r.Max, Step: r.Step,
		}
		f.Choices = choices(r.Values, r.Labels, value, f.IsMany)
		if !r.Advanced {
			form.Main = append(form.Main, f)
			continue
		}
		form.Advanced = append(form.Advanced, f)
		form.Open = form.Open || f.Wrong != "" || f.IsSwitch && f.On() != f.OnIfAbsent || !f.IsSwitch && value != r.Default
	}
	return form
}

// Field returns the field with a name.
func (f Form) Field(name string) Field {
	for _, field := range slices.Concat(f.Main, f.Advanced) {
		if field.Name == name {
			return field
		}
	}
	return Field{}
}

// Unplaced returns the faults that no field shows.
func (f Form) Unplaced(faults Faults) Faults {
	var names []string
	for _, field := range slices.Concat(f.Main, f.Advanced) {
		names = append(names, field.Name)
	}
	return faults.Except(names...)
}

// choices returns the values and, if it is another, the one that was sent.
func choices(values []string, labels map[string]string, sent string, many bool) []Choice {
	if len(values) > 0 && !many && !slices.Contains(values, sent) {
		values = append([]string{sent}, values...)
	}
	all := make([]Choice, len(values))
	for i, value := range values {
		name, ok := labels[value]
		if !ok {
			name = value
		}
		all[i] = Choice{Value: value, Name: name, Chosen: value == sent || many && slices.Contains(strings.Split(sent, ","), value)}
	}
	return all
}

// On reports whether a switch is on.
func (f Field) On() bool { return f.Value == "on" || f.Value == "true" }
