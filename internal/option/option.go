// Package option describes the options of an operation by a table with a row
// for each. Requests, forms, flags, schemas for agents and references are read
// from and drawn by the table, so that an option is a field, its behaviour and
// a row.
//
// A package that has options makes its table once and returns it:
//
//	var parameters = option.New(
//		option.Option[Options]{Name: "maxLength", Doc: "Maximum length", Field: func(o *Options) any { return &o.MaxLength }},
//	)
package option

import (
	"cmp"
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/devkiln/devkiln/internal/invalid"
)

// A Kind is the form of an option's text.
type Kind string

// The kinds of options. The zero Kind is the one that suits the type of the
// field.
const (
	Switch  Kind = "switch"  // on or off
	Integer Kind = "integer" // from Min to Max
	Number  Kind = "number"  // from Min to Max
	Text    Kind = "text"    // at most Max characters
	Choice  Kind = "choice"  // one of Values
	Name    Kind = "name"    // one of Values, or another name that the operation knows
	List    Kind = "list"    // at most Max numbers, or texts without white space: the, of
	Map     Kind = "map"     // at most Max pairs: C++=cpp;♥=love
)

// An Option is an option of an operation whose options are the struct O. The
// zero value of its field is its default.
type Option[O any] struct {
	// Name is the name in JSON, queries, forms and errors, such as maxLength.
	Name string
	// Aliases are other names in queries. Of the form name=value, it is a pair
	// that stands for "on".
	Aliases []string
	Retired []string // pairs name=value of earlier versions, which change nothing
	Flag    string   // on the command line; "": max-length
	Short   string   // on the command line, one letter; may be empty
	Label   string   // in forms; "": Max length

	Kind     Kind
	Min, Max float64           // no limit if Max is 0
	Step     float64           // of a slider; 0: a text field
	Values   []string          // of choices, names and lists
	Labels   map[string]string // labels of Values that do not speak for themselves
	Default  string            // as text; a switch that is on by default has a field that switches it off
	Required bool
	Advanced bool   // in the collapsed part of a form
	InQuery  bool   // requests have it in their query, not their body
	Example  string // a value other than the default
	Doc      string // one sentence without a full stop

	// Field returns a pointer to the field: a bool, int, float64, string,
	// []string, []float64, map[string]string or [encoding.TextUnmarshaler], or a pointer
	// to one where the zero value is not the default.
	Field func(*O) any
}

// A Table is the options of an operation, in the order of forms and references.
type Table[O any] []Option[O]

// New returns a table of the rows, with the defaults of Flag, Label and Kind.
func New[O any](rows ...Option[O]) Table[O] {
	for i := range rows {
		r := &rows[i]
		label := words(r.Name, ' ')
		r.Flag, r.Label = cmp.Or(r.Flag, words(r.Name, '-')), cmp.Or(r.Label, strings.ToUpper(label[:1])+label[1:])
		r.Kind = cmp.Or(r.Kind, r.kind())
	}
	return rows
}

// tables has a func() Table[O] for each registered O.
var tables sync.Map

// Register makes [Of] return the table of the options O. The package of O calls
// it when it is initialised, so that the table is no part of its API.
func Register[O any](table func() Table[O]) {
	tables.Store(reflect.TypeFor[O](), sync.OnceValue(table))
}

// Of returns a copy of the registered table of the options O.
func Of[O any]() Table[O] {
	table, _ := tables.Load(reflect.TypeFor[O]())
	return slices.Clone(table.(func() Table[O])())
}

// InQuery returns the options that requests have in their query.
func (t Table[O]) InQuery() Table[O] {
	return slices.DeleteFunc(slices.Clone(t), func(r Option[O]) bool { return !r.InQuery })
}

// words returns the words of a camelCase name in lower case.
func words(name string, separator rune) string {
	var b strings.Builder
	for _, c := range name {
		if unicode.IsUpper(c) {
			b.WriteRune(separator)
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// Lookup returns the option with the name.
func (t Table[O]) Lookup(name string) (Option[O], bool) {
	for _, r := range t {
		if r.Name == name {
			return r, true
		}
	}
	return Option[O]{}, false
}

// Names returns the names of the options.
func (t Table[O]) Names() []string {
	names := make([]string, len(t))
	for i, r := range t {
		names[i] = r.Name
	}
	return names
}

// field returns the field of o. It may be a pointer, which is nil by default.
func (r Option[O]) field(o *O) reflect.Value {
	return reflect.ValueOf(r.Field(o)).Elem()
}

var kinds = map[reflect.Kind]Kind{reflect.Bool: Switch, reflect.Int: Integer, reflect.Float64: Number, reflect.Slice: List, reflect.Map: Map}

// kind returns the kind that suits the type of the field.
func (r Option[O]) kind() Kind {
	value := r.field(new(O)).Type()
	if value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	if reflect.PointerTo(value).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) || value.Kind() == reflect.String {
		if r.Values != nil {
			return Choice
		}
		return Text
	}
	if kind, ok := kinds[value.Kind()]; ok {
		return kind
	}
	panic(fmt.Sprintf("option: %s has a field of type %v", r.Name, value))
}

// HasNumbers reports whether the option is a list of numbers.
func (r Option[O]) HasNumbers() bool {
	return r.Kind == List && r.field(new(O)).Type().Elem().Kind() == reflect.Float64
}

// invertedSwitch reports whether the field is true if the switch is off.
func (r Option[O]) invertedSwitch() bool { return r.Kind == Switch && r.Default == "on" }

// Check returns an [invalid.Fault] for each option of o that is outside its
// range or not among its values. It does not check what only the operation
// knows: names, and what one option means for another.
func (t Table[O]) Check(o *O) invalid.Faults {
	var faults invalid.Faults
	for _, r := range t {
		field := r.field(o)
		if field.IsZero() {
			if r.Required {
				faults.Add(r.Name, "required", "is required")
			}
			continue
		}
		if field.Kind() == reflect.Pointer {
			field = field.Elem()
		}
		if reason, message := r.check(field); reason != "" {
			faults.Add(r.Name, reason, message)
		}
	}
	return faults
}

// check returns what is wrong with a value, or "".
func (r Option[O]) check(value reflect.Value) (reason, message string) {
	switch r.Kind {
	case Integer, Number:
		var n float64
		if value.CanInt() {
			n = float64(value.Int())
		} else {
			n = value.Float()
		}
		switch {
		case r.Max == 0 && !(n >= r.Min):
			return "out_of_range", "must be " + decimal(r.Min) + " or more"
		case r.Max != 0 && !(n >= r.Min && n <= r.Max): // also NaN
			return "out_of_range", "must be " + decimal(r.Min) + " to " + decimal(r.Max)
		}
	case Text, Name:
		text := r.format(value)
		if !utf8.ValidString(text) {
			return "invalid_format", "must be valid UTF-8"
		}
		if n := utf8.RuneCountInString(text); r.Max > 0 && n > int(r.Max) {
			return "too_long", fmt.Sprintf("has %d characters, must have at most %.0f", n, r.Max)
		}
	case Choice:
		return r.oneOf(r.format(value))
	case Switch:
	case List, Map:
		if n := value.Len(); r.Max > 0 && n > int(r.Max) {
			return "too_many", fmt.Sprintf("has %d elements, must have at most %.0f", n, r.Max)
		}
		if r.Kind == List && r.Values != nil {
			return r.oneOf(Texts(value)...)
		}
	}
	return "", ""
}

func (r Option[O]) oneOf(given ...string) (reason, message string) {
	isUnknown := func(text string) bool { return !slices.Contains(r.Values, text) }
	switch {
	case !slices.ContainsFunc(given, isUnknown):
		return "", ""
	case len(r.Values) == 1:
		return "not_one_of", "must be " + r.Values[0]
	default:
		return "not_one_of", "must be one of " + strings.Join(r.Values, ", ")
	}
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
