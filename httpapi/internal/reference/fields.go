package reference

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
)

// A field describes a body field, a parameter or a header field.
type field struct {
	Name, Type string
	Mark       string // "required", "may be missing" or empty
	Facts      []fact
	Text       string  // Markdown
	Fields     []field // of an object, or of each element of an array
	Either     []field // alternatives

	In      string   // location of a parameter
	Example string   // of a parameter or header field
	Options []string // permitted values; nil means any
}

// A fact is a rule for a value: words and the values they refer to.
type fact struct {
	Words  string
	Values []string
}

// maxNesting limits the depth of schemas, so that a recursive one is an error.
const maxNesting = 16

var errNesting = errors.New("reference: a schema of the document holds itself")

// field describes a schema under a name.
func (b *builder) field(name string, s schema, depth int) field {
	if depth > maxNesting {
		b.fault(errNesting)
		return field{}
	}
	beside := s.Description // next to a $ref
	s = resolve(b, b.Components.Schemas, s.Ref, s)
	f := field{Name: name, Type: s.typeName(), Facts: s.facts(), Text: cmp.Or(beside, s.Description), Options: s.options()}
	for _, m := range s.Properties {
		inner := b.field(m.Name, m.Value, depth+1)
		inner.Mark = b.mark(slices.Contains(s.Required, m.Name))
		f.Fields = append(f.Fields, inner)
	}
	var types []string
	for _, one := range slices.Concat(s.AnyOf, s.OneOf) {
		either := b.field(one.Ref[strings.LastIndexByte(one.Ref, '/')+1:], one, depth+1)
		f.Either = append(f.Either, either)
		types = append(types, cmp.Or(either.Name, either.Type))
	}
	f.Type = cmp.Or(strings.Join(types, " or "), f.Type)
	if s.Items != nil {
		f.elements(b.field("", *s.Items, depth+1))
	}
	return f
}

// mark returns the exceptional case: required in requests, optional in
// responses.
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

// elements adds the rules for each element of an array.
func (f *field) elements(each field) {
	f.Type = strings.Replace(f.Type, "array", "array of "+each.Type, 1)
	for _, rule := range each.Facts {
		f.Facts = append(f.Facts, fact{"each: " + rule.Words, rule.Values})
	}
	f.Text = strings.TrimSpace(f.Text + "\n\n" + each.Text)
	f.Fields = each.Fields
}

func (s schema) typeName() string {
	name := strings.Join(s.Type, " or ")
	if s.Format != "" {
		name = strings.Replace(name, "string", "string ("+s.Format+")", 1)
	}
	return name
}

// options returns the values that a schema permits, without null.
func (s schema) options() []string {
	var all []string
	for _, value := range s.Enum {
		if text := plainValue(value); text != "null" {
			all = append(all, text)
		}
	}
	return all
}

// facts returns the rules of a schema in words.
func (s schema) facts() []fact {
	var all []fact
	add := func(words string, values ...string) {
		if strings.Join(values, "") != "" {
			all = append(all, fact{words, values})
		}
	}
	add("default", plainValue(s.Default))
	add("always", plainValue(s.Const))
	add("one of", s.options()...)
	for _, words := range []string{
		between(s.Minimum.String(), s.Maximum.String(), ""),
		between(bound(s.MinLength), bound(s.MaxLength), " character"),
		between(bound(s.MinItems), bound(s.MaxItems), " element"),
	} {
		if words != "" {
			all = append(all, fact{Words: words})
		}
	}
	add("matches", s.Pattern)
	return all
}

// bound formats a number of characters or elements; 0 means no bound.
func bound(n int) string {
	if n == 0 {
		return ""
	}
	return layout.Thousands(n)
}

// between formats bounds: "0 to 360", "1 character or more" or "at most 4".
func between(least, most, unit string) string {
	if unit != "" && cmp.Or(most, least) != "1" {
		unit += "s"
	}
	switch {
	case least == "" && most == "":
		return ""
	case most == "":
		return least + unit + " or more"
	case least == "":
		return "at most " + most + unit
	default:
		return least + " to " + most + unit
	}
}

// plainValue returns a JSON value as text; a nonempty string loses its quotes.
func plainValue(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil && text != "" {
		return text
	}
	return string(value)
}
