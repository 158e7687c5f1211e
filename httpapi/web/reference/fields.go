package reference

import (
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/httpapi/web/layout"
)

// A field is a field of a body, a parameter or a header field.
type field struct {
	Name, Type string
	Mark       string // of a field that must be sent, or that may be missing
	Facts      []fact
	Text       template.HTML
	Fields     []field // of an object, or of each element of an array
	Either     []field // one of which it is

	In      string   // where a parameter stands
	Example string   // of a parameter or a header field
	Options []string // the values that it may have; nil: any
}

// A fact is a rule about a value: words, and values that go with them.
type fact struct {
	Words  string
	Values []string
}

// maxNesting bounds schemas in each other. One that holds itself has no end.
const maxNesting = 16

var errNesting = errors.New("reference: a schema of the document holds itself")

// field says what a schema says, under a name.
func (b *builder) field(name string, s schemaObject, depth int) field {
	if depth > maxNesting {
		b.fault(errNesting)
		return field{}
	}
	s = b.resolve(s)
	f := field{Name: name, Type: s.typeName(), Facts: s.facts(), Text: b.prose(s.Description), Options: s.options()}
	for _, m := range s.Properties {
		inner := b.field(m.Name, m.Value, depth+1)
		inner.Mark = b.mark(slices.Contains(s.Required, m.Name))
		f.Fields = append(f.Fields, inner)
	}
	for _, one := range slices.Concat(s.AnyOf, s.OneOf) {
		f.Either = append(f.Either, b.field(schemaName(one.Ref), one, depth+1))
	}
	if s.Items != nil {
		b.elements(&f, *s.Items, depth)
	}
	if len(f.Either) > 0 {
		f.Type = either(f.Either)
	}
	return f
}

// mark says what is not as usual: requests need few fields, and responses have all.
func (b *builder) mark(required bool) string {
	switch {
	case required && !b.inResponse:
		return "required"
	case !required && b.inResponse:
		return "may be missing"
	default:
		return ""
	}
}

// resolve follows a reference. A description beside it wins.
func (b *builder) resolve(s schemaObject) schemaObject {
	if s.Ref == "" {
		return s
	}
	found, err := follow(b.Components.Schemas, "schemas", s.Ref)
	b.fault(err)
	if s.Description != "" {
		found.Description = s.Description
	}
	return found
}

// elements adds what holds for each element of an array.
func (b *builder) elements(f *field, items schemaObject, depth int) {
	each := b.field("", items, depth+1)
	f.Type = strings.Replace(f.Type, "array", "array of "+each.Type, 1)
	for _, rule := range each.Facts {
		f.Facts = append(f.Facts, fact{"each: " + rule.Words, rule.Values})
	}
	f.Text += each.Text
	f.Fields = each.Fields
}

// schemaName is the last part of a reference.
func schemaName(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

// either reads "A or object".
func either(all []field) string {
	names := make([]string, len(all))
	for i, f := range all {
		if names[i] = f.Name; f.Name == "" {
			names[i] = f.Type
		}
	}
	return strings.Join(names, " or ")
}

func (s schemaObject) typeName() string {
	name := strings.Join(s.Type, " or ")
	if s.Format != "" {
		name = strings.Replace(name, "string", "string ("+s.Format+")", 1)
	}
	return name
}

// options are the values that a schema allows, without null.
func (s schemaObject) options() []string {
	var all []string
	for _, value := range s.Enum {
		if text := plainValue(value); text != "null" {
			all = append(all, text)
		}
	}
	return all
}

// facts puts the rules of a schema into words.
func (s schemaObject) facts() []fact {
	var all []fact
	add := func(words string, values ...string) {
		if words != "" {
			all = append(all, fact{words, values})
		}
	}
	if s.Default != nil {
		add("default", plainValue(s.Default))
	}
	if s.Const != nil {
		add("always", plainValue(s.Const))
	}
	if options := s.options(); options != nil {
		add("one of", options...)
	}
	if s.Minimum != nil || s.Maximum != nil {
		add(numberRange(s.Minimum, s.Maximum))
	}
	add(bounds(s.MinLength, s.MaxLength, "character"))
	add(bounds(s.MinItems, s.MaxItems, "element"))
	if s.Pattern != "" {
		add("matches", s.Pattern)
	}
	return all
}

// numberRange reads "0 to 360", "0 or more" or "at most 4".
func numberRange(least, most *json.Number) string {
	switch {
	case most == nil:
		return least.String() + " or more"
	case least == nil:
		return "at most " + most.String()
	default:
		return least.String() + " to " + most.String()
	}
}

// bounds reads "1 to 500,000 characters". Zero is no bound.
func bounds(least, most int, noun string) string {
	switch {
	case least == 0 && most == 0:
		return ""
	case most == 0:
		return "at least " + layout.Plural(least, noun)
	case least == 0:
		return "at most " + layout.Plural(most, noun)
	default:
		return fmt.Sprintf("%s to %s", layout.Thousands(least), layout.Plural(most, noun))
	}
}

// plainValue writes a value of JSON, a text without its quotes unless it is
// empty.
func plainValue(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil && text != "" && string(value) != "null" {
		return text
	}
	return string(value)
}
