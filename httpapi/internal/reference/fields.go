package reference

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
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

// The exceptional case is marked: required in requests, optional in responses.
const (
	required = "required"
	optional = "may be missing"
)

// field describes a schema under a name. mark is the mark for its fields.
func (d *document) field(name string, s schema, mark string) field {
	beside := s.Description // next to a $ref
	s = resolve(d.Components.Schemas, s.Ref, s)
	f := field{Name: name, Type: s.typeName(), Facts: s.facts(), Text: cmp.Or(beside, s.Description), Options: plainValues(s.Enum)}
	for _, m := range slices.Concat(s.Properties, ordered[schema](s.AdditionalProperties)) {
		inner := d.field(m.Name, m.Value, mark)
		if slices.Contains(s.Required, m.Name) == (mark == required) {
			inner.Mark = mark
		}
		f.Fields = append(f.Fields, inner)
	}
	var types []string
	for _, one := range slices.Concat(s.AnyOf, s.OneOf) {
		either := d.field(strings.TrimPrefix(path.Base(one.Ref), "."), one, mark)
		f.Either = append(f.Either, either)
		types = append(types, cmp.Or(either.Name, either.Type))
	}
	f.Type = cmp.Or(strings.Join(types, " or "), f.Type)
	if s.Items != nil {
		each := d.field("", *s.Items, mark)
		f.Type = strings.Replace(f.Type, "array", "array of "+each.Type, 1)
		for _, rule := range each.Facts {
			f.Facts = append(f.Facts, fact{"each: " + rule.Words, rule.Values})
		}
		f.Text = strings.TrimSpace(f.Text + "\n\n" + each.Text)
		f.Fields = each.Fields
	}
	return f
}

func (s schema) typeName() string {
	name := strings.Trim(strings.ReplaceAll(fmt.Sprint(s.Type), " ", " or "), "[]")
	if s.Type == nil {
		name = ""
	}
	if s.Format != "" {
		name = strings.Replace(name, "string", "string ("+s.Format+")", 1)
	}
	return name
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
	add("one of", plainValues(s.Enum)...)
	for _, words := range []string{
		between(s.Minimum, s.Maximum, ""), between(s.MinLength, s.MaxLength, " character"), between(s.MinItems, s.MaxItems, " element"),
	} {
		if words != "" {
			all = append(all, fact{Words: words})
		}
	}
	add("matches", s.Pattern)
	return all
}

// between formats bounds: "0 to 360", "1 character or more" or "at most 4".
func between(low, high json.Number, unit string) string {
	if unit != "" && cmp.Or(high, low) != "1" {
		unit += "s"
	}
	switch {
	case low == "" && high == "":
		return ""
	case high == "":
		return thousands(low) + unit + " or more"
	case low == "":
		return "at most " + thousands(high) + unit
	default:
		return thousands(low) + " to " + thousands(high) + unit
	}
}

func thousands(n json.Number) string {
	if v, err := n.Int64(); err == nil {
		return layout.Thousands(v)
	}
	return n.String()
}

// plainValues returns JSON values as texts, without null.
func plainValues(values []json.RawMessage) []string {
	var all []string
	for _, value := range values {
		if text := plainValue(value); text != "null" {
			all = append(all, text)
		}
	}
	return all
}

// plainValue returns a JSON value as text; a nonempty string loses its quotes.
func plainValue(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil && text != "" {
		return text
	}
	return string(value)
}
