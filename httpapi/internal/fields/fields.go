// Package fields reads the fields of a request, from a JSON object or a query,
// one by one, so that it reports every invalid one by its name in the API.
package fields

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/nearest"
)

// A Set is the fields of a request and the errors found in them.
type Set struct {
	sent   []field
	known  []string
	faults invalid.Inputs
}

// field is a field as sent.
type field struct {
	name  []byte
	value jsontext.Value // nil if the field is the string text
	text  string
	at    int // offset of the name
}

func (f field) is(name string) bool { return string(f.name) == name }

// shown returns the displayed part of the name, so that no long name is copied.
func (f field) shown() string {
	const enough = (shownRunes + 1) * utf8.UTFMax
	return Clip(string(f.name[:min(len(f.name), enough)]))
}

// FromQuery reads fields from a URL query; each is a string. One of the names
// that occurs twice is an error, and a field with any other name is unknown.
func FromQuery(query string, names ...string) (*Set, error) {
	values, err := ParseQuery(query)
	if err != nil {
		return nil, err
	}
	s := &Set{known: names}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if len(values[name]) > 1 && slices.Contains(names, name) {
			s.Reject(name, "too_many", "must appear once in the query")
		}
		s.sent = append(s.sent, field{name: []byte(name), text: values[name][0]})
	}
	return s, nil
}

// ParseQuery parses a URL query, which must be valid UTF-8.
func ParseQuery(query string) (url.Values, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, &invalid.Input{Field: "query", Reason: "invalid_format", Message: "must be name=value pairs in percent-encoding, joined by &"}
	}
	for name, all := range values {
		if slices.ContainsFunc(slices.Concat(all, []string{name}), func(text string) bool { return !utf8.ValidString(text) }) {
			return nil, &invalid.Input{Field: "query", Reason: "invalid_format", Message: "must be valid UTF-8"}
		}
	}
	return values, nil
}

// find returns a field and marks its name as known. Null counts as absent.
func (s *Set) find(name string) (field, bool) {
	s.known = append(s.known, name)
	i := slices.IndexFunc(s.sent, func(f field) bool { return f.is(name) })
	if i < 0 || string(s.sent[i].value) == "null" {
		return field{}, false
	}
	return s.sent[i], true
}

// typed returns a field of one of the kinds, and records an error for another.
func (s *Set) typed(name, what string, kinds ...jsontext.Kind) (field, bool) {
	f, ok := s.find(name)
	if ok && !slices.Contains(kinds, f.kind()) {
		s.rejectKind(name, what, f.value)
		return field{}, false
	}
	return f, ok
}

func (f field) kind() jsontext.Kind {
	if f.value == nil {
		return jsontext.KindString
	}
	return f.value.Kind()
}

// Reject records an error.
func (s *Set) Reject(name, code, message string) {
	s.faults.Add(name, code, message)
}

func (s *Set) rejectKind(name, what string, value jsontext.Value) {
	s.Reject(name, "invalid_type", "must be "+what+", not "+kindOf(value))
}

// Require records an error for each field that is absent.
func (s *Set) Require(names ...string) {
	for _, name := range names {
		if !slices.ContainsFunc(s.sent, func(f field) bool { return f.is(name) && string(f.value) != "null" }) {
			s.Reject(name, "required", "is required")
		}
	}
}

// Lookup returns a string field and whether it is present.
func (s *Set) Lookup(name string) (text string, ok bool) {
	f, ok := s.typed(name, "a string", jsontext.KindString)
	if !ok || f.value == nil {
		return f.text, ok
	}
	return string(unquote(f.value)), true
}

// Text returns a string field, or "" if it is absent.
func (s *Set) Text(name string) string {
	text, _ := s.Lookup(name)
	return text
}

// OptionalText returns a string field, or nil if it is absent.
func (s *Set) OptionalText(name string) *string {
	if text, ok := s.Lookup(name); ok {
		return &text
	}
	return nil
}

// Word returns a string field that is one of a few words.
func (s *Set) Word(name string) string { return s.Filled(name, "not_one_of") }

// Filled returns a string field, or "" if it is absent. An empty one is an
// error, because the operations take "" for absent.
func (s *Set) Filled(name, code string) string {
	text, ok := s.Lookup(name)
	if ok && text == "" {
		s.Reject(name, code, "must not be empty; leave it out for the default")
	}
	return text
}

// IsFalse reports whether a boolean field is false. All such fields default to
// true.
func (s *Set) IsFalse(name string) bool {
	f, ok := s.typed(name, "true or false", jsontext.KindTrue, jsontext.KindFalse)
	return ok && f.kind() == jsontext.KindFalse
}

// Number returns a number field, or nil if it is absent.
func (s *Set) Number(name string) *float64 {
	f, ok := s.typed(name, "a number", jsontext.KindNumber)
	if !ok {
		return nil
	}
	if n, ok := s.number(name, f.value); ok {
		return &n
	}
	return nil
}

func (s *Set) number(name string, value jsontext.Value) (n float64, ok bool) {
	if value.Kind() != jsontext.KindNumber {
		s.rejectKind(name, "a number", value)
		return 0, false
	}
	n, err := strconv.ParseFloat(string(value), 64)
	if err != nil {
		s.Reject(name, "out_of_range", "must be a number between -1.8e308 and 1.8e308")
	}
	return n, err == nil
}

// Texts returns a field that is an array of strings.
func (s *Set) Texts(name string) []string {
	values := s.array(name)
	texts := make([]string, len(values))
	for i, value := range values {
		if value.Kind() != jsontext.KindString {
			s.rejectKind(element(name, i), "a string", value)
			continue
		}
		texts[i] = string(unquote(value))
	}
	return texts
}

// Numbers returns a field that is an array of numbers, or nil if it is absent.
func (s *Set) Numbers(name string) []float64 {
	values := s.array(name)
	if values == nil {
		return nil
	}
	numbers := make([]float64, len(values))
	for i, value := range values {
		numbers[i], _ = s.number(element(name, i), value)
	}
	return numbers
}

func element(name string, i int) string { return fmt.Sprintf("%s[%d]", name, i) }

// array returns the elements of a field, or nil if it is absent or invalid.
func (s *Set) array(name string) []jsontext.Value {
	f, ok := s.typed(name, "an array", jsontext.KindBeginArray)
	if !ok {
		return nil
	}
	values := []jsontext.Value{}
	for value := range elements(f.value) {
		if len(values) == maxElements {
			s.Reject(name, "too_many", fmt.Sprintf("must have at most %d elements", maxElements))
			return nil
		}
		values = append(values, value)
	}
	return values
}

// Object returns a field that is an object, as sent.
func (s *Set) Object(name string) []byte {
	f, _ := s.typed(name, "an object", jsontext.KindBeginObject)
	return f.value
}

// Faulty reports whether some field is invalid or unknown.
func (s *Set) Faulty() bool { return len(s.faults)+len(s.unknown()) > 0 }

// Check returns the errors of all fields, including unknown ones, as an error
// that invalid.Of reads. It adds those of others about fields without an error
// of their own, because the value of an invalid field was never passed on. If
// the fields have no errors, it returns others unchanged.
func (s *Set) Check(others error) error {
	faults := slices.Concat(s.faults, s.unknown())
	if len(faults) == 0 {
		return others
	}
	more, _ := invalid.Of(others)
	return faults.With(more).Err()
}

// unknown returns an error for each field that no method has asked for.
func (s *Set) unknown() invalid.Inputs {
	var names []string
	for _, f := range s.sent {
		if !slices.ContainsFunc(s.known, f.is) {
			names = append(names, f.shown())
		}
	}
	slices.Sort(names)
	var faults invalid.Inputs
	for _, name := range names {
		faults.Add(name, "unknown_field", "is not a field of this operation"+nearest.Question(name, s.known))
	}
	return faults
}

// Known returns the names that methods have asked for.
func (s *Set) Known() []string { return s.known }
