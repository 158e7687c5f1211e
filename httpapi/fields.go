package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/devkiln/devkiln/internal/nearest"
)

// Bounds of what is decoded, so that a body cannot cost much more memory than
// its own.
const (
	maxDepth    = 32   // arrays and objects in each other
	maxNames    = 1000 // fields of the object
	maxElements = 1000 // elements of an array
)

// space is what JSON takes for white space.
const space = " \t\r\n"

// fields is a JSON object whose fields are decoded one by one, so that every
// fault is found and told in the names of the wire.
type fields struct {
	raw   map[string]json.RawMessage
	known []string
	bad   []detail
}

// parseFields reads a body that must be one JSON object. Every error is a
// failure with the offset of the fault in the body, counted from 0.
func parseFields(body []byte) (*fields, error) {
	const mark = "\ufeff"
	text := bytes.TrimPrefix(body, []byte(mark))
	skipped := len(body) - len(text)
	names, fault, at := scan(text)
	if fault != "" {
		return nil, invalidJSON(skipped+at, fault)
	}
	if names > maxNames {
		return nil, invalidJSON(skipped, fmt.Sprintf("the object has %d fields, must have at most %d", names, maxNames))
	}
	var raw map[string]json.RawMessage
	if json.Unmarshal(text, &raw) == nil && raw != nil && names == len(raw) {
		return &fields{raw: raw}, nil
	}
	// Again with a decoder, which knows where the fault is but copies its input.
	clear(raw)
	d := json.NewDecoder(bytes.NewReader(text))
	err := d.Decode(&raw)
	rest := text[d.InputOffset():]
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF):
		return nil, invalidJSON(len(body), "the body is empty; a JSON object is needed")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, invalidJSON(len(body), "the JSON breaks off")
	case errors.As(err, &syntax):
		return nil, invalidJSON(skipped+int(syntax.Offset)-1, "the JSON has an unexpected character")
	case err != nil || raw == nil:
		value := bytes.TrimLeft(text, space)
		return nil, invalidJSON(len(body)-len(value), "the top level must be an object, not "+kind(value))
	case len(bytes.Trim(rest, space)) > 0:
		return nil, invalidJSON(len(body)-len(bytes.TrimLeft(rest, space)), "data follows the JSON object")
	case names != len(raw):
		name, at := twice(text)
		return nil, invalidJSON(skipped+at, fmt.Sprintf("the field %q stands twice", clip(name)))
	}
	return &fields{raw: raw}, nil
}

// scan checks what encoding/json is lenient about: the encoding, the depth, and
// halves of surrogate pairs in escapes, which it would replace. It returns the
// number of names in the outermost object.
func scan(text []byte) (names int, fault string, at int) {
	if !utf8.Valid(text) {
		return 0, "the body is not valid UTF-8", validPrefix(text)
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			if depth++; depth > maxDepth {
				return 0, fmt.Sprintf("arrays and objects nest more than %d deep", maxDepth), i
			}
		case '}', ']':
			depth--
		case ':':
			if depth == 1 {
				names++
			}
		case '"':
			end, ok := scanString(text, i+1)
			if !ok {
				return 0, "an escape is half of a surrogate pair", end
			}
			i = end
		}
	}
	return names, "", 0
}

// twice returns the first name that stands a second time in an object that is
// known to be valid, and the offset of its second place.
func twice(object []byte) (name string, at int) {
	seen := make(map[string]bool)
	d := json.NewDecoder(bytes.NewReader(object))
	_, err := d.Token()
	for err == nil && d.More() {
		at = int(d.InputOffset())
		at += bytes.IndexByte(object[at:], '"')
		var token json.Token
		if token, err = d.Token(); err != nil {
			break
		}
		if name, _ = token.(string); seen[name] {
			break
		}
		seen[name] = true
		var value json.RawMessage
		err = d.Decode(&value)
	}
	return name, at
}

// validPrefix returns the length of the longest valid start of text.
func validPrefix(text []byte) int {
	n := 0
	for n < len(text) {
		r, size := utf8.DecodeRune(text[n:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return n
}

// scanString returns the offset of the quote that ends the string which starts
// at i, or false and the offset of an escape that is half of a pair. Other
// faults are left to encoding/json.
func scanString(text []byte, i int) (end int, ok bool) {
	for i < len(text) && text[i] != '"' {
		if text[i] != '\\' {
			i++
			continue
		}
		switch unit := escapedUnit(text, i); {
		case unit >= 0xdc00 && unit <= 0xdfff:
			return i, false
		case unit >= 0xd800 && unit <= 0xdbff:
			if low := escapedUnit(text, i+6); low < 0xdc00 || low > 0xdfff {
				return i, false
			}
			i += 12
		default:
			i += 2
		}
	}
	return i, true
}

// escapedUnit returns the UTF-16 unit of the escape \uXXXX at i, or -1.
func escapedUnit(text []byte, i int) int {
	if i+6 > len(text) || text[i] != '\\' || text[i+1] != 'u' {
		return -1
	}
	unit := 0
	for _, c := range text[i+2 : i+6] {
		digit := strings.IndexByte("0123456789abcdef", c|0x20)
		if digit < 0 || c < '0' {
			return -1
		}
		unit = unit<<4 | digit
	}
	return unit
}

// take returns the value of a field and marks the field as known. Null counts
// as absent.
func (f *fields) take(name string) (json.RawMessage, bool) {
	f.known = append(f.known, name)
	value, ok := f.raw[name]
	return value, ok && string(value) != "null"
}

// reject notes a fault.
func (f *fields) reject(field, code, message string) {
	f.bad = append(f.bad, detail{field, code, message})
}

// required notes a fault for each field that is absent.
func (f *fields) required(names ...string) {
	for _, name := range names {
		if value, ok := f.raw[name]; !ok || string(value) == "null" {
			f.reject(name, "required", "is required")
		}
	}
}

// text returns a string field, "" if it is absent.
func (f *fields) text(name string) string {
	if s := f.optionalText(name); s != nil {
		return *s
	}
	return ""
}

// optionalText returns a string field, nil if it is absent.
func (f *fields) optionalText(name string) *string {
	value, ok := f.take(name)
	if !ok {
		return nil
	}
	s, ok := asString(value)
	if !ok {
		f.reject(name, "invalid_type", "must be a string, not "+kind(value))
		return nil
	}
	return &s
}

// word returns a string field that is one of a few words.
func (f *fields) word(name string) string { return f.filled(name, "not_one_of") }

// filled returns a string field, "" if it is absent. One that is there and
// empty is a fault here, since the operations take "" for absent.
func (f *fields) filled(name, fault string) string {
	s := f.optionalText(name)
	if s == nil {
		return ""
	}
	if *s == "" {
		f.reject(name, fault, "must not be empty; leave it out for the default")
	}
	return *s
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
	values := []json.RawMessage{}
	d := json.NewDecoder(bytes.NewReader(value))
	_, err := d.Token()
	for err == nil && d.More() {
		if len(values) == maxElements {
			f.reject(name, "too_many", fmt.Sprintf("must have at most %d elements", maxElements))
			return nil
		}
		var v json.RawMessage
		err = d.Decode(&v)
		values = append(values, v)
	}
	return values
}

func asString(value json.RawMessage) (s string, ok bool) {
	if value[0] != '"' {
		return "", false
	}
	err := json.Unmarshal(value, &s)
	return s, err == nil
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
	for _, name := range slices.Sorted(maps.Keys(f.raw)) {
		if slices.Contains(f.known, name) {
			continue
		}
		message := "is not a field of this operation"
		if near := nearest.Name(name, f.known); near != "" {
			message += fmt.Sprintf("; did you mean %q?", near)
		}
		details = append(details, detail{clip(name), "unknown_field", message})
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
