package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"slices"
)

// The parts of an OpenAPI document that the pages show. Any other keyword is an
// error, so that the pages omit nothing in the document.

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

// resolve returns the component that ref names, or inline if ref is empty. A
// document whose references lead nowhere fails its own tests.
func resolve[T any](components ordered[T], ref string, inline T) T {
	for _, m := range components {
		if ref != "" && m.Name == path.Base(ref) {
			return m.Value
		}
	}
	return inline
}

// document is an OpenAPI document restricted to what the pages show.
type document struct {
	OpenAPI string
	Info    struct {
		Title, Version, Summary, Description string
		License                              struct{ Name, Identifier string }
	}
	Servers    []struct{ URL, Description string }
	Security   []map[string][]string
	Tags       []struct{ Name, Description string }
	Paths      ordered[pathItem]
	Components struct {
		SecuritySchemes ordered[struct{ Type, In, Name, Description string }]
		Parameters      ordered[parameter]
		Headers         ordered[parameter]
		Responses       ordered[response]
		Schemas         ordered[schema]
		Examples        ordered[example]
	}
}

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
	Type                 any    // a string or several
	Description          string
	Properties           ordered[schema]
	AdditionalProperties others
	Required             []string
	Items                *schema
	AnyOf, OneOf         []schema
	Enum                 []json.RawMessage
	Const, Default       json.RawMessage
	Format, Pattern      string
	MinLength, MaxLength json.Number
	MinItems, MaxItems   json.Number
	Minimum, Maximum     json.Number
}

// others is the schema of an object's members of any other name, if the object
// may have them and their schema is stated.
type others ordered[schema]

// UnmarshalJSON implements json.Unmarshaler.
func (o *others) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, new(bool)) == nil {
		return nil
	}
	return (*ordered[schema])(o).UnmarshalJSON(fmt.Appendf(nil, `{"any other name":%s}`, text))
}
