package fields

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// jsontext reads its input without a copy, handles escapes and surrogate pairs,
// and stops at the first error, so that no scanner of our own is needed. The
// bounds that it lacks are checked here: refusing a body costs no more than
// reading it up to the error.

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
	Offset  int // bytes from the start of the body
	Problem string
}

// Error returns the problem and its offset.
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s (at byte %d)", e.Problem, e.Offset) }

// Parse parses a body, which must be one JSON object in UTF-8; a leading byte
// order mark is skipped. The error is a [*SyntaxError].
func Parse(body []byte) (*Set, error) {
	text := bytes.TrimPrefix(body, []byte("\ufeff"))
	p := parser{text: text, d: jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true))}
	if err := p.parse(); err != nil {
		fault := p.syntaxError(err)
		fault.Offset += len(body) - len(text)
		return nil, fault
	}
	return &Set{sent: p.sent}, nil
}

// parser parses one body.
type parser struct {
	text   []byte
	d      *jsontext.Decoder
	values int
	fields int // in the top-level object; sent holds at most maxFields
	sent   []field
}

func (p *parser) parse() error {
	if at := InvalidUTF8(p.text); at >= 0 {
		return &SyntaxError{at, "the body is not valid UTF-8"}
	}
	kind := p.d.PeekKind()
	value, err := p.value()
	if err != nil {
		return err
	}
	end := int(p.d.InputOffset())
	if kind != jsontext.KindBeginObject {
		return &SyntaxError{end - len(value), "the top level must be an object, not " + kindOf(value)}
	}
	if rest := bytes.TrimLeft(p.text[end:], " \t\r\n"); len(rest) > 0 {
		return &SyntaxError{len(p.text) - len(rest), "data follows the JSON object"}
	}
	if p.fields > maxFields {
		return &SyntaxError{0, fmt.Sprintf("the object has %d fields, must have at most %d", p.fields, maxFields)}
	}
	return p.twice()
}

// twice returns an error if two fields have the same name.
func (p *parser) twice() error {
	for i, f := range p.sent {
		if slices.ContainsFunc(p.sent[:i], func(other field) bool { return bytes.Equal(other.name, f.name) }) {
			return &SyntaxError{f.at, fmt.Sprintf("the field %q appears twice", f.shown())}
		}
	}
	return nil
}

// value reads a value, or the name of one, and returns it as sent.
func (p *parser) value() (jsontext.Value, error) {
	if p.values++; p.values > maxValues {
		return nil, &SyntaxError{int(p.d.InputOffset()), fmt.Sprintf("there are more than %d values", maxValues)}
	}
	switch kind := p.d.PeekKind(); kind {
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		return p.composite()
	default:
		value, err := p.d.ReadValue()
		end := int(p.d.InputOffset())
		if kind == jsontext.KindNumber && len(value) > maxNumber {
			err = &SyntaxError{end - len(value), fmt.Sprintf("a number has more than %d characters", maxNumber)}
		}
		return p.text[end-len(value) : end], err
	}
}

// composite reads an array or object.
func (p *parser) composite() (jsontext.Value, error) {
	if _, err := p.d.ReadToken(); err != nil {
		return nil, err
	}
	start := int(p.d.InputOffset()) - 1
	if p.d.StackDepth() > maxDepth {
		return nil, &SyntaxError{start, fmt.Sprintf("arrays and objects nest more than %d deep", maxDepth)}
	}
	read := func() error { _, err := p.value(); return err }
	if p.d.StackDepth() == 1 && p.text[start] == '{' {
		read = p.field
	}
	for kind := p.d.PeekKind(); kind != jsontext.KindEndObject && kind != jsontext.KindEndArray && kind != jsontext.KindInvalid; kind = p.d.PeekKind() {
		if err := read(); err != nil {
			return nil, err
		}
	}
	_, err := p.d.ReadToken()
	return p.text[start:p.d.InputOffset()], err
}

// field reads a field of the top-level object.
func (p *parser) field() error {
	name, err := p.value()
	if err != nil {
		return err
	}
	at := int(p.d.InputOffset()) - len(name)
	value, err := p.value()
	if err != nil {
		return err
	}
	if p.fields++; p.fields <= maxFields {
		p.sent = append(p.sent, field{name: unquote(name), value: value, at: at})
	}
	return nil
}

// syntaxError returns the reason why parsing failed. The offset of an
// unexpected character is that of encoding/json, which is stable.
func (p *parser) syntaxError(err error) *SyntaxError {
	if syntax, ok := errors.AsType[*SyntaxError](err); ok {
		return syntax
	}
	if errors.Is(err, io.EOF) {
		return &SyntaxError{len(p.text), "the body is empty; a JSON object is needed"}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return &SyntaxError{len(p.text), "the JSON breaks off"}
	}
	if where, ok := errors.AsType[*jsontext.SyntacticError](err); ok && isSurrogate(p.text[where.ByteOffset:]) {
		return &SyntaxError{int(where.ByteOffset), "an escape is half of a surrogate pair"}
	}
	if where, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(p.text, new(json.RawMessage))); ok {
		return &SyntaxError{int(where.Offset) - 1, "the JSON has an unexpected character"}
	}
	return &SyntaxError{0, "the JSON is not valid"}
}

// isSurrogate reports whether text starts with the escape of a surrogate.
func isSurrogate(text []byte) bool {
	return len(text) > 3 && text[0] == '\\' && text[1] == 'u' && text[2]|0x20 == 'd' && strings.IndexByte("89abcdefABCDEF", text[3]) >= 0
}

// InvalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func InvalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	n := 0
	for {
		r, size := utf8.DecodeRune(text[n:])
		if r == utf8.RuneError && size == 1 {
			return n
		}
		n += size
	}
}

// elements yields the elements of a valid array.
func elements(array jsontext.Value) func(yield func(jsontext.Value) bool) {
	return func(yield func(jsontext.Value) bool) {
		d := jsontext.NewDecoder(bytes.NewBuffer(array), jsontext.AllowDuplicateNames(true))
		_, err := d.ReadToken()
		for err == nil && d.PeekKind() != jsontext.KindEndArray {
			var value jsontext.Value
			if value, err = d.ReadValue(); err != nil || !yield(value.Clone()) {
				return
			}
		}
	}
}

// unquote returns the text of a valid string, without a copy if it has no
// escapes.
func unquote(quoted jsontext.Value) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	text, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil {
		panic(err) // the decoder has validated it
	}
	return text
}

// kindOf returns the name of a value's type.
func kindOf(value jsontext.Value) string {
	switch value.Kind() {
	case jsontext.KindBeginObject:
		return "an object"
	case jsontext.KindBeginArray:
		return "an array"
	case jsontext.KindString:
		return "a string"
	case jsontext.KindTrue, jsontext.KindFalse:
		return "a boolean"
	case jsontext.KindNull:
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
