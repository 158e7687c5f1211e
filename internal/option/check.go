package option

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/devkiln/devkiln/internal/invalid"
)

// Check returns an [invalid.Input] for each option of o that is outside its
// range or not among its values. It does not check what only the operation
// knows: names, and what one option means for another.
func (t Table[O]) Check(o *O) invalid.Inputs {
	var faults invalid.Inputs
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
			return r.oneOf(texts(value)...)
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
