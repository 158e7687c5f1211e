package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A body is looked at before encoding/json sees it: an outline, drawn in one
// pass and without a copy, finds what would cost more than its size and where
// the fields of the object lie. encoding/json then says whether the body is
// valid, and decodes each field by itself.

// Bounds of a body. What lies beyond them is refused where it does.
const (
	maxDepth    = 32     // arrays and objects in each other
	maxNames    = 1000   // fields of the object
	maxElements = 1000   // elements of an array that is a field
	maxCommas   = 70_000 // in the whole body, outside of strings: more than the longest stats hold
	maxNumber   = 1000   // characters of a number
)

// space is what JSON takes for white space.
const space = " \t\r\n"

// field is a field of the object as it was sent.
type field struct {
	name  []byte
	value json.RawMessage
	at    int // offset of the name
}

// shown returns as much of the name as is shown: a long one is not copied.
func (f field) shown() string {
	const enough = (shownRunes + 1) * utf8.UTFMax
	return clip(string(f.name[:min(len(f.name), enough)]))
}

// parseFields reads a body that must be one JSON object. Every error is a
// failure with the offset of the fault in the body, counted from 0.
func parseFields(body []byte) (*fields, error) {
	const mark = "\ufeff"
	text := bytes.TrimPrefix(body, []byte(mark))
	skipped := len(body) - len(text)
	if !utf8.Valid(text) {
		return nil, invalidJSON(skipped+validPrefix(text), "the body is not valid UTF-8")
	}
	f := newFields()
	o := outline{text: text, sent: f.sent}
	if fault := o.draw(); fault != "" {
		return nil, invalidJSON(skipped+o.at, fault)
	}
	if !json.Valid(text) {
		fault, at := o.syntaxFault()
		return nil, invalidJSON(skipped+at, fault)
	}
	if fault, at := o.shapeFault(); fault != "" {
		return nil, invalidJSON(skipped+at, fault)
	}
	if second, ok := unquoteNames(o.sent); !ok {
		return nil, invalidJSON(skipped+second.at, fmt.Sprintf("the field %q stands twice", second.shown()))
	}
	f.sent = o.sent
	return f, nil
}

// unquoteNames makes the names of fields what they mean, or returns the first
// field whose name another one has.
func unquoteNames(sent []field) (second field, ok bool) {
	for i := range sent {
		name := sent[i].name
		sent[i].name = name[1 : len(name)-1]
		if bytes.IndexByte(name, '\\') >= 0 {
			sent[i].name = []byte(unescape(sent[i].name))
		}
		if slices.ContainsFunc(sent[:i], func(f field) bool { return bytes.Equal(f.name, sent[i].name) }) {
			return sent[i], false
		}
	}
	return field{}, true
}

// outline is what can be said of a text without knowing whether it is valid
// JSON. If it is, sent are the fields of the object.
type outline struct {
	text   []byte
	at     int // how far it is drawn
	depth  int
	commas int
	names  int // fields of the object; sent holds at most maxNames
	sent   []field
	last   field // the last string in the object: the name of the next field
	value  int   // where the value of the last of sent begins; 0 if it is known
	end    int   // the end of the first array or object; 0 until there is one
}

// draw checks the bounds, and what encoding/json is lenient about: halves of
// surrogate pairs in escapes, which it would replace. The fault is at o.at.
func (o *outline) draw() (fault string) {
	for ; o.at < len(o.text); o.at++ {
		switch o.text[o.at] {
		case '{', '[':
			if o.depth++; o.depth > maxDepth {
				return fmt.Sprintf("arrays and objects nest more than %d deep", maxDepth)
			}
		case '}', ']':
			o.leave()
		case ',':
			if o.commas++; o.commas > maxCommas {
				return fmt.Sprintf("there are more than %d commas outside of strings", maxCommas)
			}
			o.endField()
		case ':':
			o.startField()
		case '"':
			end, ok := scanString(o.text, o.at+1)
			if !ok {
				o.at = end
				return "an escape is half of a surrogate pair"
			}
			if o.depth == 1 {
				o.last = field{name: o.text[o.at:min(end+1, len(o.text))], at: o.at}
			}
			o.at = end
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			end := numberEnd(o.text[:min(o.at+maxNumber+1, len(o.text))], o.at)
			if end-o.at > maxNumber {
				return fmt.Sprintf("a number has more than %d characters", maxNumber)
			}
			o.at = end - 1
		}
	}
	if o.names > maxNames {
		o.at = 0
		return fmt.Sprintf("the object has %d fields, must have at most %d", o.names, maxNames)
	}
	return ""
}

func (o *outline) startField() {
	if o.depth != 1 {
		return
	}
	if o.names++; o.names <= maxNames {
		o.sent = append(o.sent, o.last)
		o.value = o.at + 1
	}
}

func (o *outline) endField() {
	if o.depth == 1 && o.value > 0 {
		o.sent[len(o.sent)-1].value = bytes.Trim(o.text[o.value:o.at], space)
		o.value = 0
	}
}

// leave leaves an array or object.
func (o *outline) leave() {
	o.endField()
	if o.depth--; o.depth == 0 && o.end == 0 {
		o.end = o.at + 1
	}
}

// syntaxFault says what is wrong with a text that is not valid JSON.
func (o *outline) syntaxFault() (fault string, at int) {
	if len(bytes.Trim(o.text, space)) == 0 {
		return "the body is empty; a JSON object is needed", len(o.text)
	}
	var syntax *json.SyntaxError
	if err := json.Unmarshal(o.text, new(json.RawMessage)); !errors.As(err, &syntax) {
		return "the JSON is not valid", 0
	}
	at = int(syntax.Offset) - 1
	switch {
	case o.end == 0 && at == len(o.text)-1 && breaksOff(o.text):
		return "the JSON breaks off", len(o.text)
	case o.end == 0 || at < o.end:
		return "the JSON has an unexpected character", at
	}
	if fault, at := o.shapeFault(); fault != "" {
		return fault, at
	}
	rest := bytes.TrimLeft(o.text[o.end:], space)
	return "data follows the JSON object", len(o.text) - len(rest)
}

// breaksOff reports whether a text whose fault is at its very end could go on
// to be valid, or else the last character is at fault. A decoder knows, but
// copies its input several times over; of a long text it is assumed.
func breaksOff(text []byte) bool {
	const long = 64 << 10
	err := io.ErrUnexpectedEOF
	if len(text) < long {
		err = json.NewDecoder(bytes.NewReader(text)).Decode(new(json.RawMessage))
	}
	return errors.Is(err, io.ErrUnexpectedEOF)
}

// shapeFault says what is wrong with a text that begins with a valid value.
func (o *outline) shapeFault() (fault string, at int) {
	value := bytes.TrimLeft(o.text, space)
	if value[0] == '{' {
		return "", 0
	}
	return "the top level must be an object, not " + kind(json.RawMessage(value)), len(o.text) - len(value)
}

// numberEnd returns the end of what looks like a number and starts at i.
func numberEnd(text []byte, i int) int {
	for i < len(text) {
		switch c := text[i]; {
		case c >= '0' && c <= '9', c == '-', c == '+', c == '.', c|0x20 == 'e':
			i++
		default:
			return i
		}
	}
	return i
}

// scanString returns the offset of the quote that ends the string which starts
// at i, or false and the offset of an escape that is half of a pair. Other
// faults are left to encoding/json.
func scanString(text []byte, i int) (end int, ok bool) {
	quote := indexFrom(text, i, '"')
	for {
		escape := bytes.IndexByte(text[i:quote], '\\')
		if escape < 0 {
			return quote, true
		}
		i += escape
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
		if i > quote {
			quote = indexFrom(text, i, '"')
		}
		i = min(i, quote)
	}
}

// indexFrom returns the offset of the first c at or behind i, or the length of
// the text.
func indexFrom(text []byte, i int, c byte) int {
	if i < len(text) {
		if found := bytes.IndexByte(text[i:], c); found >= 0 {
			return i + found
		}
	}
	return len(text)
}

// unescape returns the text of a string between its quotes, which has been found
// valid.
func unescape(quoted []byte) string {
	var text strings.Builder
	text.Grow(len(quoted))
	for {
		escape := bytes.IndexByte(quoted, '\\')
		if escape < 0 {
			text.Write(quoted)
			return text.String()
		}
		text.Write(quoted[:escape])
		c := quoted[escape+1]
		quoted = quoted[escape+2:]
		if c != 'u' {
			text.WriteByte(escapes[c])
			continue
		}
		r := rune(hex4(quoted))
		quoted = quoted[4:]
		if utf16.IsSurrogate(r) {
			r = utf16.DecodeRune(r, rune(hex4(quoted[2:])))
			quoted = quoted[6:]
		}
		text.WriteRune(r)
	}
}

// escapes are what stands for a byte behind a backslash (RFC 8259, section 7).
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// hex4 returns the number of the four hexadecimal digits that text begins with.
func hex4(text []byte) int {
	n := 0
	for _, c := range text[:4] {
		digit := int(c&0xf) + int(c>>6)*9 // letters lie at 0x41 and 0x61
		n = n<<4 | digit
	}
	return n
}

// escapedUnit returns the UTF-16 unit of the escape at i, \u and four digits, or
// -1 if it is none that is half of a pair.
func escapedUnit(text []byte, i int) int {
	if i+6 > len(text) || text[i] != '\\' || text[i+1] != 'u' || text[i+2]|0x20 != 'd' {
		return -1
	}
	for _, c := range text[i+3 : i+6] {
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return -1
		}
	}
	return hex4(text[i+2:])
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
