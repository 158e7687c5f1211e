package fields

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// encoding/json decides whether a body is JSON and, if not, where it is wrong.
// What it does not limit is limited here: the scanner below reads text that is
// valid JSON, at least up to its end.

// Bounds of a body.
const (
	maxDepth    = 32     // nested arrays and objects
	maxFields   = 1000   // fields of the top-level object
	maxElements = 1000   // elements of an array that is a field
	maxValues   = 70_000 // values and names in total, more than the longest stats have
	maxNumber   = 1000   // characters of a number
)

// A SyntaxError is the reason why a body is no JSON object within the bounds.
type SyntaxError struct {
	Offset int // bytes from the start of the body
	Reason string
}

// Error returns the reason and its offset.
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s (at byte %d)", e.Reason, e.Offset) }

// trailing is the reason for a body that continues after the object.
const trailing = "data follows the JSON object"

// Parse parses a body, which must be one JSON object in UTF-8; a leading byte
// order mark is skipped. The error is a [*SyntaxError].
func Parse(body []byte) (*Set, error) {
	text := bytes.TrimPrefix(body, []byte("\ufeff"))
	sent, err := parse(text)
	if err != nil {
		err.Offset += len(body) - len(text)
		return nil, err
	}
	return &Set{sent: sent}, nil
}

func parse(text []byte) (sent []field, err *SyntaxError) {
	if at := InvalidUTF8(text); at >= 0 {
		return nil, &SyntaxError{at, "the body is not valid UTF-8"}
	}
	syntax, valid := check(text), text
	if syntax != nil {
		valid = text[:syntax.Offset]
	}
	s := scanner{text: valid}
	kind, start := s.next(), s.at
	var members [][]byte // names and values of the first fields
	n := 0
	if kind != '{' {
		s.value()
	} else {
		for value := range s.elements {
			if n++; n <= 2*maxFields {
				members = append(members, value)
			}
		}
	}
	switch {
	case s.err != nil:
		return nil, s.err
	case syntax != nil && syntax.Reason != trailing:
		return nil, syntax
	case kind != '{':
		return nil, &SyntaxError{start, "the top level must be an object, not " + kindOf(text[start:])}
	case syntax != nil:
		return nil, syntax
	case n > 2*maxFields:
		return nil, &SyntaxError{0, fmt.Sprintf("the object has %d fields, must have at most %d", n/2, maxFields)}
	}
	for pair := range slices.Chunk(members, 2) {
		f := field{unquote(pair[0]), pair[1]}
		if slices.ContainsFunc(sent, func(other field) bool { return bytes.Equal(other.name, f.name) }) {
			return nil, &SyntaxError{cap(text) - cap(pair[0]), fmt.Sprintf("the field %q appears twice", f.shown())}
		}
		sent = append(sent, f)
	}
	return sent, nil
}

// check returns why a text is not JSON, or nil.
func check(text []byte) *SyntaxError {
	if json.Valid(text) {
		return nil
	}
	err, _ := errors.AsType[*json.SyntaxError](json.Unmarshal(text, new(struct{})))
	at := int(err.Offset) - 1
	switch message := err.Error(); {
	case len(bytes.TrimLeft(text, " \t\r\n")) == 0:
		return &SyntaxError{len(text), "the body is empty; a JSON object is needed"}
	case message == "unexpected end of JSON input", strings.HasPrefix(message, "invalid character ' '") && text[at] != ' ': // put after the end to see
		return &SyntaxError{len(text), "the JSON breaks off"}
	case strings.HasSuffix(message, "after top-level value"):
		return &SyntaxError{at, trailing}
	}
	return &SyntaxError{at, "the JSON has an unexpected character"}
}

// A scanner reads the values of a text that is valid JSON up to its end, where
// it may break off.
type scanner struct {
	text   []byte
	at     int
	depth  int
	values int
	err    *SyntaxError // the first bound that is exceeded
}

func (s *scanner) fail(at int, format string, args ...any) {
	if s.err == nil {
		s.err = &SyntaxError{at, fmt.Sprintf(format, args...)}
	}
}

// next returns the first character of the next value, or the bracket that ends
// the array or object. It returns 0 at the end of the text or after an error.
func (s *scanner) next() byte {
	for s.err == nil && s.at < len(s.text) {
		if c := s.text[s.at]; strings.IndexByte(" \t\r\n,:", c) < 0 {
			return c
		}
		s.at++
	}
	return 0
}

// value reads a value, or the name of one, and returns it as sent.
func (s *scanner) value() []byte {
	if s.values++; s.values > maxValues {
		s.fail(s.at, "there are more than %d values", maxValues)
	}
	first := s.next()
	start := s.at
	switch first {
	case 0:
	case '{', '[':
		for range s.elements {
		}
	case '"':
		s.string()
	default:
		for s.at < len(s.text) && strings.IndexByte(" \t\r\n,:]}", s.text[s.at]) < 0 {
			s.at++
		}
		if length := s.at - start; length > maxNumber {
			s.fail(start, "a number has more than %d characters", maxNumber)
		}
	}
	return s.text[start:s.at]
}

// elements reads an array or object, and yields its values and their names.
func (s *scanner) elements(yield func([]byte) bool) {
	s.next()
	if s.depth++; s.depth > maxDepth {
		s.fail(s.at, "arrays and objects nest more than %d deep", maxDepth)
	}
	s.at++
	for c := s.next(); c != 0 && c != '}' && c != ']'; c = s.next() {
		if value := s.value(); !yield(value) {
			return
		}
	}
	s.at = min(s.at+1, len(s.text))
	s.depth--
}

// string reads a string, whose escapes must not be half of a surrogate pair.
func (s *scanner) string() {
	for s.at++; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '"':
			s.at++
			return
		case '\\':
			first, second := s.codeUnit(s.at), s.codeUnit(s.at+6)
			if s.at++; utf16.IsSurrogate(first) {
				if utf16.DecodeRune(first, second) == utf8.RuneError {
					s.fail(s.at-1, "an escape is half of a surrogate pair")
				}
				s.at += 6
			}
		}
	}
	s.at = len(s.text)
}

// codeUnit returns the UTF-16 code unit of the escape at an offset, \u and four
// hexadecimal digits, or 0 if there is none.
func (s *scanner) codeUnit(at int) rune {
	if at+6 > len(s.text) || string(s.text[at:at+2]) != `\u` {
		return 0
	}
	unit, _ := strconv.ParseUint(string(s.text[at+2:at+6]), 16, 16) // 0 if it breaks off
	return rune(unit)
}

// InvalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func InvalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for n := 0; ; {
		r, size := utf8.DecodeRune(text[n:])
		if r == utf8.RuneError && size == 1 {
			return n
		}
		n += size
	}
}

// unquote returns the text of a valid string, without a copy if it has no
// escapes.
func unquote(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	var text string
	if err := json.Unmarshal(quoted, &text); err != nil {
		panic(err) // it has been checked
	}
	return []byte(text)
}

// kindOf returns the name of a value's type.
func kindOf(value []byte) string {
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

// shownRunes is how much of a client's text is displayed, in code points.
const shownRunes = 64

// Clip shortens a string that a client sent, for display.
func Clip(s string) string {
	runes := 0
	for i := range s {
		if runes == shownRunes {
			return s[:i] + "…"
		}
		runes++
	}
	return s
}
