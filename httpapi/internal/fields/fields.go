// Package fields reads the fields of a request, from a JSON object or a query,
// one by one, so that it reports every invalid one by its name in the API.
package fields

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/nearest"
)

// A Set is the fields of a request and the errors found in them.
type Set struct {
	sent    []field
	known   []string
	invalid invalid.Faults
}

// field is a field as sent.
type field struct {
	name  []byte
	value []byte // in JSON
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
		quoted, err := json.Marshal(values[name][0])
		if err != nil {
			return nil, err
		}
		s.sent = append(s.sent, field{[]byte(name), quoted})
	}
	return s, nil
}

// ParseQuery parses a URL query, which must be valid UTF-8.
func ParseQuery(query string) (url.Values, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, &invalid.Fault{Field: "query", Reason: "invalid_format", Message: "must be name=value pairs in percent-encoding, joined by &"}
	}
	for name, texts := range values {
		if !utf8.ValidString(strings.Join(append(texts, name), " ")) {
			return nil, &invalid.Fault{Field: "query", Reason: "invalid_format", Message: "must be valid UTF-8"}
		}
	}
	return values, nil
}

// find returns the value of a field of a kind, such as "a string", and records
// an error for a value of another. Null counts as absent.
func (s *Set) find(name string, kind string) (value []byte, ok bool) {
	s.known = append(s.known, name)
	if value = s.value(name); value == nil || !s.checkKind(name, value, kind) {
		return nil, false
	}
	return value, true
}

// value returns the value of a field, or nil if it is absent or null.
func (s *Set) value(name string) []byte {
	i := slices.IndexFunc(s.sent, func(f field) bool { return f.is(name) })
	if i < 0 || string(s.sent[i].value) == "null" {
		return nil
	}
	return s.sent[i].value
}

func (s *Set) checkKind(name string, value []byte, kind string) bool {
	if is := kindOf(value); is != kind {
		s.Reject(name, "invalid_type", "must be "+strings.Replace(kind, "a boolean", "true or false", 1)+", not "+is)
		return false
	}
	return true
}

// Reject records an error.
func (s *Set) Reject(name, code, message string) {
	s.invalid.Add(name, code, message)
}

// Require records an error for each field that is absent.
func (s *Set) Require(names ...string) {
	for _, name := range names {
		if s.value(name) == nil {
			s.Reject(name, "required", "is required")
		}
	}
}

// Lookup returns a string field and whether it is present.
func (s *Set) Lookup(name string) (text string, ok bool) {
	value, ok := s.find(name, "a string")
	if !ok {
		return "", false
	}
	return string(unquote(value)), true
}

// Text returns a string field, or "" if it is absent.
func (s *Set) Text(name string) string {
	text, _ := s.Lookup(name)
	return text
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
	value, _ := s.find(name, "a boolean")
	return string(value) == "false"
}

// Number returns a number field, or nil if it is absent.
func (s *Set) Number(name string) *float64 {
	if value, ok := s.find(name, "a number"); ok {
		return new(s.number(name, value))
	}
	return nil
}

func (s *Set) number(name string, value []byte) float64 {
	n, err := strconv.ParseFloat(string(value), 64)
	if err != nil {
		s.Reject(name, "out_of_range", "must be a number between -1.8e308 and 1.8e308")
	}
	return n
}

// Texts returns a field that is an array of strings.
func (s *Set) Texts(name string) []string {
	return array(s, name, "a string", func(_ string, value []byte) string { return string(unquote(value)) })
}

// Numbers returns a field that is an array of numbers, or nil if it is absent.
func (s *Set) Numbers(name string) []float64 {
	return array(s, name, "a number", s.number)
}

// array returns the elements of a field, or nil if it is absent or no array.
func array[T any](s *Set, name, kind string, decode func(name string, value []byte) T) []T {
	value, ok := s.find(name, "an array")
	if !ok {
		return nil
	}
	values := slices.Collect((&scanner{text: value}).elements)
	if len(values) > maxElements {
		s.Reject(name, "too_many", fmt.Sprintf("must have at most %d elements", maxElements))
		return nil
	}
	elements := make([]T, len(values))
	for i, value := range values {
		if at := fmt.Sprintf("%s[%d]", name, i); s.checkKind(at, value, kind) {
			elements[i] = decode(at, value)
		}
	}
	return elements
}

// Object returns a field that is an object, as sent.
func (s *Set) Object(name string) []byte {
	value, _ := s.find(name, "an object")
	return value
}

// Faulty reports whether some field is invalid or unknown.
func (s *Set) Faulty() bool { return s.Check(nil) != nil }

// Check returns the errors of all fields, including unknown ones, as an error
// that invalid.Of reads. It adds those of others about fields without an error
// of their own, because the value of an invalid field was never passed on. If
// the fields have no errors, it returns others unchanged.
func (s *Set) Check(others error) error {
	faults := slices.Concat(s.invalid, s.unknown())
	if len(faults) == 0 {
		return others
	}
	more, _ := invalid.Of(others)
	return faults.With(more).Err()
}

// unknown returns an error for each field that no method has asked for.
func (s *Set) unknown() invalid.Faults {
	var names []string
	for _, f := range s.sent {
		if !slices.ContainsFunc(s.known, f.is) {
			names = append(names, f.shown())
		}
	}
	slices.Sort(names)
	var faults invalid.Faults
	for _, name := range names {
		faults.Add(name, "unknown_field", "is not a field of this operation"+nearest.Question(name, s.known))
	}
	return faults
}

// Known returns the names that methods have asked for.
func (s *Set) Known() []string { return s.known }
