package option

import (
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/nearest"
)

// Set sets the option of o from its text. An empty text is the default, unless
// the field is a pointer to a string. The error is an [invalid.Fault].
func (r Option[O]) Set(o *O, text string) error {
	field := r.field(o)
	kind, isPointer := field.Type(), field.Kind() == reflect.Pointer
	if isPointer {
		kind = kind.Elem()
	}
	isText := isPointer && kind.Kind() == reflect.String
	if text == "" && !isText {
		field.SetZero()
		return nil
	}
	value := reflect.New(kind)
	if err := r.parse(value, text); err != nil {
		return err
	}
	if isPointer {
		field.Set(value)
	} else {
		field.Set(value.Elem())
	}
	return nil
}

// parse sets what value points to.
func (r Option[O]) parse(value reflect.Value, text string) error {
	if u, ok := reflect.TypeAssert[encoding.TextUnmarshaler](value); ok {
		return r.fault(u.UnmarshalText([]byte(text)))
	}
	trimmed := strings.TrimSpace(text)
	value = value.Elem()
	switch value.Kind() {
	case reflect.Bool:
		isOn := trimmed == "on" || trimmed == "true"
		if !isOn && trimmed != "off" && trimmed != "false" {
			return &invalid.Fault{Field: r.Name, Reason: "not_one_of", Message: "must be on or off"}
		}
		value.SetBool(isOn != r.invertedSwitch())
	case reflect.Int:
		n, err := strconv.Atoi(trimmed)
		if err != nil || n == 0 && r.Min > 0 {
			return r.wrongType()
		}
		value.SetInt(int64(n))
	case reflect.Float64:
		n, err := strconv.ParseFloat(trimmed, 64)
		if err != nil || n == 0 && r.Min > 0 {
			return r.wrongType()
		}
		value.SetFloat(n)
	case reflect.Slice:
		isBreak := func(c rune) bool { return c == ',' || unicode.IsSpace(c) }
		for word := range strings.FieldsFuncSeq(text, isBreak) {
			element := reflect.New(value.Type().Elem())
			if err := r.parse(element, word); err != nil {
				return &invalid.Fault{Field: r.Name, Reason: "invalid_type", Message: "must be numbers"}
			}
			value.Set(reflect.Append(value, element.Elem()))
		}
	case reflect.Map:
		return r.parsePairs(value, text)
	default:
		value.SetString(text)
	}
	return nil
}

// parsePairs parses pairs such as C++=cpp;♥=love.
func (r Option[O]) parsePairs(value reflect.Value, text string) error {
	value.Set(reflect.MakeMap(value.Type()))
	for pair := range strings.SplitSeq(text, ";") {
		key, to, ok := strings.Cut(strings.TrimSpace(pair), "=")
		if pair == "" {
			continue
		}
		if !ok {
			return &invalid.Fault{Field: r.Name, Reason: "invalid_format", Message: "must be pairs such as " + r.Example}
		}
		value.SetMapIndex(reflect.ValueOf(key), reflect.ValueOf(to))
	}
	return nil
}

// fault returns err as the error of the option.
func (r Option[O]) fault(err error) error {
	if err == nil {
		return nil
	}
	if f, ok := errors.AsType[*invalid.Fault](err); ok {
		return &invalid.Fault{Field: r.Name, Reason: f.Reason, Message: f.Message}
	}
	return &invalid.Fault{Field: r.Name, Reason: "invalid_format", Message: err.Error()}
}

// Text returns the option of o as text that [Option.Set] takes, and whether it
// differs from the default.
func (r Option[O]) Text(o *O) (text string, changed bool) {
	field := r.field(o)
	if field.IsZero() {
		return "", false
	}
	if field.Kind() == reflect.Pointer {
		field = field.Elem()
	}
	text = r.format(field)
	return text, text != r.Default && (text != "" || field.Kind() == reflect.String)
}

func (r Option[O]) format(value reflect.Value) string {
	switch v := value.Addr().Interface().(type) {
	case encoding.TextMarshaler:
		text, _ := v.MarshalText() // values that have no text are refused by Check
		return string(text)
	case fmt.Stringer:
		return v.String()
	}
	switch value.Kind() {
	case reflect.Bool:
		if value.Bool() != r.invertedSwitch() {
			return "on"
		}
		return "off"
	case reflect.Float64:
		return strconv.FormatFloat(value.Float(), 'f', -1, 64)
	case reflect.Slice:
		return strings.Join(Texts(value), ",")
	case reflect.Map:
		pairs, _ := reflect.TypeAssert[map[string]string](value)
		var parts []string
		for _, key := range slices.Sorted(maps.Keys(pairs)) {
			parts = append(parts, key+"="+pairs[key])
		}
		return strings.Join(parts, ";")
	default:
		return fmt.Sprint(value.Interface())
	}
}

// Texts returns the elements of a list as text.
func Texts(list reflect.Value) []string {
	all := make([]string, list.Len())
	for i := range all {
		all[i] = fmt.Sprint(list.Index(i))
	}
	return all
}

// SetQuery sets the options of o that a query or a form has, by their names or
// aliases, and ignores other names. The values of one name form one list. The
// error joins an [invalid.Fault] for each option that cannot be parsed.
func (t Table[O]) SetQuery(o *O, query url.Values) error {
	return errors.Join(t.set(o, query, true)...)
}

func (t Table[O]) set(o *O, query url.Values, evenEmpty bool) (errs []error) {
	for _, r := range t {
		if text, ok := r.In(query); ok && (evenEmpty || text != "") {
			errs = append(errs, r.Set(o, text))
		}
	}
	return errs
}

// SetStrict sets the options of o as [Table.SetQuery] does, except those whose
// text is empty, and refuses names that it does not know.
func (t Table[O]) SetStrict(o *O, query url.Values) error {
	errs := t.set(o, query, false)
	for _, name := range slices.Sorted(maps.Keys(query)) {
		isKnown := func(r Option[O]) bool {
			return r.Name == name || slices.Contains(r.Aliases, name) || r.isRetired(name, query)
		}
		if !slices.ContainsFunc(t, isKnown) {
			errs = append(errs, &invalid.Fault{Field: name, Reason: "unknown_field", Message: "is not a parameter" + nearest.Question(name, t.Names())})
		}
	}
	return errors.Join(errs...)
}

func (r Option[O]) isRetired(name string, query url.Values) bool {
	return slices.Contains(r.Retired, name+"="+query.Get(name))
}

// In returns the text of the option in a query, and whether the query has it.
// Of several values of a switch the last counts: a form sends off before the on
// of a checkbox.
func (r Option[O]) In(query url.Values) (text string, ok bool) {
	for _, alias := range r.Aliases {
		name, on, isPair := strings.Cut(alias, "=")
		if isPair && query.Get(name) == on {
			return "on", true
		}
		if !isPair && query.Has(name) && !query.Has(r.Name) {
			return strings.Join(query[name], ","), true
		}
	}
	values := query[r.Name]
	switch {
	case len(values) == 0 || r.isRetired(r.Name, query):
		return "", false
	case r.Kind == Switch:
		return values[len(values)-1], true
	case r.Kind == Map:
		return strings.Join(values, ";"), true
	default:
		return strings.Join(values, ","), true
	}
}

// Query returns the options of o that differ from their defaults, as
// [Table.SetQuery] takes them.
func (t Table[O]) Query(o *O) url.Values {
	query := make(url.Values)
	for _, r := range t {
		if text, changed := r.Text(o); changed {
			query.Set(r.Name, text)
		}
	}
	return query
}

// SetJSON sets the options of o that are among the fields of a JSON object, and
// ignores other fields. Null is the default. The error joins an [invalid.Fault]
// for each value of the wrong type.
func (t Table[O]) SetJSON(o *O, object map[string]json.RawMessage) error {
	var errs []error
	for _, r := range t {
		if value, ok := object[r.Name]; ok {
			errs = append(errs, r.setJSON(o, value))
		}
	}
	return errors.Join(errs...)
}

func (r Option[O]) setJSON(o *O, value json.RawMessage) error {
	field := r.field(o)
	err := json.Unmarshal(value, field.Addr().Interface())
	if _, ok := errors.AsType[*invalid.Fault](err); ok {
		return r.fault(err)
	}
	if err != nil {
		return r.wrongType()
	}
	if r.invertedSwitch() && string(value) != "null" {
		field.SetBool(!field.Bool())
	}
	return nil
}

// wrongType returns an error with the JSON type of the option.
func (r Option[O]) wrongType() error {
	types := map[Kind]string{
		Switch: "true or false", Integer: "a whole number", Number: "a number", List: "an array of strings", Map: "an object of strings",
	}
	message := "must be " + cmp.Or(types[r.Kind], "a string")
	if r.HasNumbers() {
		message = "must be an array of numbers"
	}
	if r.Max != 0 && (r.Kind == Integer || r.Kind == Number) {
		message += " from " + decimal(r.Min) + " to " + decimal(r.Max)
	}
	return &invalid.Fault{Field: r.Name, Reason: "invalid_type", Message: message}
}
