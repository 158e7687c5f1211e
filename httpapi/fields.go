package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/internal/nearest"
)

// fields is a JSON object whose fields are decoded one by one, so that every
// fault is found and told in the names of the wire.
type fields struct {
	sent  []field
	known []string
	bad   []detail

	// The first of sent and of known, so that they take no memory of their own.
	sentRoom  [4]field
	knownRoom [12]string
}

func newFields() *fields {
	f := &fields{}
	f.sent, f.known = f.sentRoom[:0], f.knownRoom[:0]
	return f
}

// add adds a field to those that were sent.
func (f *fields) add(name string, value json.RawMessage) {
	f.sent = append(f.sent, field{name: []byte(name), value: value})
}

// take returns the value of a field and marks the field as known. Null counts
// as absent.
func (f *fields) take(name string) (json.RawMessage, bool) {
	f.known = append(f.known, name)
	value, ok := f.value(name)
	return value, ok && string(value) != "null"
}

// value returns the value of a field as it was sent.
func (f *fields) value(name string) (json.RawMessage, bool) {
	for i := range f.sent {
		if string(f.sent[i].name) == name {
			return f.sent[i].value, true
		}
	}
	return nil, false
}

// reject notes a fault.
func (f *fields) reject(field, code, message string) {
	f.bad = append(f.bad, detail{field, code, message})
}

// required notes a fault for each field that is absent.
func (f *fields) required(names ...string) {
	for _, name := range names {
		if value, ok := f.value(name); !ok || string(value) == "null" {
			f.reject(name, "required", "is required")
		}
	}
}

// text returns a string field, "" if it is absent.
func (f *fields) text(name string) string {
	s, _ := f.given(name)
	return s
}

// optionalText returns a string field, nil if it is absent.
func (f *fields) optionalText(name string) *string {
	s, ok := f.given(name)
	if !ok {
		return nil
	}
	return &s
}

// given returns a string field, and whether it is there.
func (f *fields) given(name string) (s string, ok bool) {
	value, ok := f.take(name)
	if !ok {
		return "", false
	}
	s, ok = asString(value)
	if !ok {
		f.reject(name, "invalid_type", "must be a string, not "+kind(value))
	}
	return s, ok
}

// word returns a string field that is one of a few words.
func (f *fields) word(name string) string { return f.filled(name, "not_one_of") }

// filled returns a string field, "" if it is absent. One that is there and
// empty is a fault here, since the operations take "" for absent.
func (f *fields) filled(name, fault string) string {
	s, ok := f.given(name)
	if ok && s == "" {
		f.reject(name, fault, "must not be empty; leave it out for the default")
	}
	return s
}

// denied reports whether a boolean field is false; absent it counts as true,
// the default of all of them.
func (f *fields) denied(name string) bool {
	value, ok := f.take(name)
	if ok && string(value) != "true" && string(value) != "false" {
		f.reject(name, "invalid_type", "must be true or false, not "+kind(value))
	}
	return string(value) == "false"
}

// number returns a number field, nil if it is absent.
func (f *fields) number(name string) *float64 {
	value, ok := f.take(name)
	if !ok {
		return nil
	}
	n, ok := f.asNumber(name, value)
	if !ok {
		return nil
	}
	return &n
}

// texts returns a field that is an array of strings.
func (f *fields) texts(name string) []string {
	values := f.array(name)
	texts := make([]string, len(values))
	for i, value := range values {
		s, ok := asString(value)
		if !ok {
			f.reject(element(name, i), "invalid_type", "must be a string, not "+kind(value))
		}
		texts[i] = s
	}
	return texts
}

// numbers returns a field that is an array of numbers, nil if it is absent.
func (f *fields) numbers(name string) []float64 {
	values := f.array(name)
	if values == nil {
		return nil
	}
	numbers := make([]float64, len(values))
	for i, value := range values {
		numbers[i], _ = f.asNumber(element(name, i), value)
	}
	return numbers
}

// object returns a field that is an object, as it was sent.
func (f *fields) object(name string) json.RawMessage {
	value, ok := f.take(name)
	if !ok {
		return nil
	}
	if value[0] != '{' {
		f.reject(name, "invalid_type", "must be an object, not "+kind(value))
		return nil
	}
	return value
}

func (f *fields) array(name string) []json.RawMessage {
	value, ok := f.take(name)
	if !ok {
		return nil
	}
	if value[0] != '[' {
		f.reject(name, "invalid_type", "must be an array, not "+kind(value))
		return nil
	}
	var values []json.RawMessage
	if err := json.Unmarshal(value, &values); err != nil {
		f.reject(name, "invalid_type", "must be an array")
		return nil
	}
	if len(values) > maxElements {
		f.reject(name, "too_many", fmt.Sprintf("must have at most %d elements", maxElements))
		return nil
	}
	return values
}

// asString returns the text of a value that has been found valid.
func asString(value json.RawMessage) (s string, ok bool) {
	if value[0] != '"' {
		return "", false
	}
	quoted := value[1 : len(value)-1]
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted), true
	}
	return unescape(quoted), true
}

func (f *fields) asNumber(name string, value json.RawMessage) (n float64, ok bool) {
	if value[0] != '-' && (value[0] < '0' || value[0] > '9') {
		f.reject(name, "invalid_type", "must be a number, not "+kind(value))
		return 0, false
	}
	if err := json.Unmarshal(value, &n); err != nil {
		f.reject(name, "out_of_range", "must be a number between -1.8e308 and 1.8e308")
		return 0, false
	}
	return n, true
}

func element(name string, i int) string { return fmt.Sprintf("%s[%d]", name, i) }

// kind names the JSON type of a value that has been found valid.
func kind(value json.RawMessage) string {
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	default:
		return "a number"
	}
}

// faults returns the faults so far, and one for each field that nobody took.
func (f *fields) faults() []detail {
	details := f.bad
	var unknown []string
	for _, sent := range f.sent {
		if !slices.ContainsFunc(f.known, func(name string) bool { return name == string(sent.name) }) {
			unknown = append(unknown, sent.shown())
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		message := "is not a field of this operation"
		if near := nearest.Name(name, f.known); near != "" {
			message += fmt.Sprintf("; did you mean %q?", near)
		}
		details = append(details, detail{name, "unknown_field", message})
	}
	return details
}

// addFaults appends the faults of fields that are not at fault already: the
// value of those was never seen.
func addFaults(details, more []detail) []detail {
	seen := make(map[string]bool, len(details))
	for _, d := range details {
		seen[d.Field] = true
	}
	for _, d := range more {
		parent, _, _ := strings.Cut(d.Field, "[")
		if !seen[d.Field] && !seen[parent] {
			details = append(details, d)
		}
	}
	return details
}
