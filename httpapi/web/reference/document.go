package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// What the API reference reads of an OpenAPI document. The keywords are those
// that the page shows: any other is an error, so that nothing which the
// document says is missing on the page.

// ordered is a JSON object whose members keep their order.
type ordered[T any] []member[T]

type member[T any] struct {
	Name  string
	Value T
}

// UnmarshalJSON reads an object.
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

// find returns the member of a name.
func (o ordered[T]) find(name string) (T, bool) {
	i := slices.IndexFunc(o, func(m member[T]) bool { return m.Name == name })
	if i < 0 {
		var none T
		return none, false
	}
	return o[i].Value, true
}

// follow returns what a reference into the components names.
func follow[T any](o ordered[T], kind, ref string) (T, error) {
	name, ok := strings.CutPrefix(ref, "#/components/"+kind+"/")
	value, there := o.find(name)
	if !ok || !there {
		return value, fmt.Errorf("reference: %s is not in the document", ref)
	}
	return value, nil
}

// A Document is an OpenAPI document that can be shown.
type Document struct {
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
		SecuritySchemes ordered[securityScheme]
		Parameters      ordered[parameterObject]
		Headers         ordered[headerObject]
		Responses       ordered[responseObject]
		Schemas         ordered[schemaObject]
		Examples        ordered[exampleObject]
	}
}

type securityScheme struct{ Type, In, Name, Description string }

type pathItem struct {
	Parameters        []parameterObject
	Get, Post, Delete *operationObject
}

// operations returns the operations of a path under their methods.
func (p pathItem) operations() ordered[*operationObject] {
	all := ordered[*operationObject]{{http.MethodPost, p.Post}, {http.MethodGet, p.Get}, {http.MethodDelete, p.Delete}}
	return slices.DeleteFunc(all, func(m member[*operationObject]) bool { return m.Value == nil })
}

type operationObject struct {
	OperationID          string
	Tags                 []string
	Summary, Description string
	Security             []map[string][]string // nil: that of the document
	Parameters           []parameterObject
	RequestBody          requestBody
	Responses            ordered[responseObject]
}

type parameterObject struct {
	Ref                   string `json:"$ref"`
	Name, In, Description string
	Required              bool
	Schema                schemaObject
	Example               json.RawMessage
}

type requestBody struct {
	Required bool
	Content  ordered[mediaType]
}

type responseObject struct {
	Ref         string `json:"$ref"`
	Description string
	Headers     ordered[headerObject]
	Content     ordered[mediaType]
}

type headerObject struct {
	Ref         string `json:"$ref"`
	Description string
	Required    bool
	Schema      schemaObject
	Example     json.RawMessage
}

type mediaType struct {
	Schema   *schemaObject
	Example  json.RawMessage
	Examples ordered[exampleObject]
}

type exampleObject struct {
	Ref   string `json:"$ref"`
	Value json.RawMessage
}

type schemaObject struct {
	Ref                  string `json:"$ref"`
	Type                 types
	Description          string
	Properties           ordered[schemaObject]
	AdditionalProperties *bool
	Required             []string
	Items                *schemaObject
	AnyOf                []schemaObject
	OneOf                []schemaObject
	Enum                 []json.RawMessage
	Const                json.RawMessage
	Default              json.RawMessage
	Format, Pattern      string
	MinLength, MaxLength int
	MinItems, MaxItems   int
	Minimum, Maximum     *json.Number
}

// types is one type or a list of them.
type types []string

// UnmarshalJSON reads a type.
func (t *types) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*t = types{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(t))
}

// Read reads an OpenAPI document in JSON. The error says what in it the page
// does not show.
func Read(text string) (*Document, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	var doc Document
	if err := d.Decode(&doc); err != nil {
		return nil, fmt.Errorf("reference: the OpenAPI document: %w", err)
	}
	_, err := doc.Reference("")
	return &doc, err
}
