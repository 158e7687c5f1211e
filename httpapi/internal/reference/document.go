package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"slices"
)

// The parts of an OpenAPI document that the page shows. Any other keyword is an
// error, so that the page omits nothing in the document.

// ordered is a JSON object that keeps the order of its members.
type ordered[T any] []member[T]

type member[T any] struct {
	Name  string
	Value T
}

// UnmarshalJSON implements json.Unmarshaler.
func (o *ordered[T]) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		return fmt.Errorf("reference: %.40s is not an object", text)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		m := member[T]{Name: fmt.Sprint(name)}
		if err := d.Decode(&m.Value); err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		*o = append(*o, m)
	}
	return nil
}

// resolve returns the component that ref names, or inline if ref is empty.
func resolve[T any](b *builder, components ordered[T], ref string, inline T) T {
	if ref == "" {
		return inline
	}
	i := slices.IndexFunc(components, func(m member[T]) bool { return m.Name == path.Base(ref) })
	if i < 0 {
		b.fault(fmt.Errorf("reference: %s is not in the document", ref))
		return inline
	}
	return components[i].Value
}

// document is an OpenAPI document restricted to what the page shows.
type document struct {
	OpenAPI string
	Info    struct {
		Title, Version, Summary, Description string
		License                              struct{ Name, Identifier string }
	}
	Servers    []struct{ URL, Description string }
	Security   []map[string][]string
	Tags       []tag
	Paths      ordered[pathItem]
	Components struct {
		SecuritySchemes ordered[securityScheme]
		Parameters      ordered[parameter]
		Headers         ordered[parameter]
		Responses       ordered[response]
		Schemas         ordered[schema]
		Examples        ordered[example]
	}
}

type tag struct{ Name, Description string }

type securityScheme struct{ Type, In, Name, Description string }

type pathItem struct {
	Parameters        []parameter
	Get, Post, Delete *operation
}

// operations returns the operations of a path by method.
func (p pathItem) operations() ordered[*operation] {
	all := ordered[*operation]{{http.MethodPost, p.Post}, {http.MethodGet, p.Get}, {http.MethodDelete, p.Delete}}
	return slices.DeleteFunc(all, func(m member[*operation]) bool { return m.Value == nil })
}

type operation struct {
	OperationID          string
	Tags                 []string
	Summary, Description string
	Security             []map[string][]string // nil means that of the document
	Parameters           []parameter
	RequestBody          struct {
		Required bool
		Content  ordered[mediaType]
	}
	Responses ordered[response]
}

// A parameter is a parameter of a request or a header field of a response.
type parameter struct {
	Ref                   string `json:"$ref"`
	Name, In, Description string
	Required              bool
	Schema                schema
	Example               json.RawMessage
}

type response struct {
	Ref         string `json:"$ref"`
	Description string
	Headers     ordered[parameter]
	Content     ordered[mediaType]
}

type mediaType struct {
	Schema   schema
	Example  json.RawMessage
	Examples ordered[example]
}

type example struct {
	Ref   string `json:"$ref"`
	Value json.RawMessage
}

type schema struct {
	Ref                  string `json:"$ref"`
	Type                 types
	Description          string
	Properties           ordered[schema]
	AdditionalProperties *bool
	Required             []string
	Items                *schema
	AnyOf                []schema
	OneOf                []schema
	Enum                 []json.RawMessage
	Const                json.RawMessage
	Default              json.RawMessage
	Format, Pattern      string
	MinLength, MaxLength int
	MinItems, MaxItems   int
	Minimum, Maximum     json.Number
}

// types is one type or a list of types.
type types []string

// UnmarshalJSON implements json.Unmarshaler.
func (t *types) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*t = types{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(t))
}
