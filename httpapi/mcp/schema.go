package mcp

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/gradient/export"
	"github.com/devkiln/devkiln/httpapi/internal/search"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/share"
)

// Arguments that are one of a few words, or have bounds, have these types, so
// that schemas list them.
type (
	shareKind    string
	logLevel     string
	exportFormat string
	expression   string
	colorList    []string
	pictureScale float64
	slugText     string
)

var argumentTypes = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[shareKind]():    words(share.KindLog, share.KindSnippet),
	reflect.TypeFor[exportFormat](): words(export.FormatNames()...),
	reflect.TypeFor[expression]():   {Type: "string", MaxLength: new(search.MaxLength)},
	reflect.TypeFor[colorList]():    {Type: "array", Items: &jsonschema.Schema{Type: "string"}, MinItems: new(gradient.MinColors), MaxItems: new(gradient.MaxColors)},
	reflect.TypeFor[pictureScale](): {Type: "number", Minimum: new(float64(screenshot.MinScale)), Maximum: new(float64(screenshot.MaxScale))},
	reflect.TypeFor[slugText]():     {Type: "string", MaxLength: new(maxSlugText)},
	reflect.TypeFor[logLevel]():     words("trace", "debug", "info", "warning", "error", "fatal"),
}

// words returns the schema of a string that is one of the values.
func words[T ~string](values ...T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}

// schemaOf returns the schema of arguments or results of the type T.
func schemaOf[T any]() *jsonschema.Schema {
	schema, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: argumentTypes})
	if err != nil {
		panic(err) // a type of this package that has no schema
	}
	return schema
}

// jsonTypes are the types of arguments in JSON.
var jsonTypes = map[reflect.Kind]string{reflect.String: "a string", reflect.Float64: "a number", reflect.Bool: "true or false", reflect.Slice: "an array", reflect.Struct: `an object such as {"text": "…"}`}

// propertyOf returns the schema of an option.
func propertyOf[O any](r option.Option[O]) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	limit := new(int(r.Max))
	if r.Max == 0 {
		limit = nil
	}
	switch r.Kind {
	case option.Switch:
		s.Type = "boolean"
	case option.Integer, option.Number:
		s.Type = string(r.Kind)
		if !math.IsInf(r.Min, -1) {
			s.Minimum = &r.Min
		}
		if r.Max != 0 {
			s.Maximum = &r.Max
		}
	case option.List:
		s.Type, s.MaxItems, s.Items = "array", limit, &jsonschema.Schema{Type: "string"}
		switch {
		case r.HasNumbers():
			s.Items.Type = "number"
		case r.Values != nil:
			s.Items = words(r.Values...)
		}
	case option.Map:
		s.Type, s.MaxProperties, s.AdditionalProperties = "object", limit, &jsonschema.Schema{Type: "string"}
	case option.Choice:
		s = words(r.Values...)
	case option.Text, option.Name:
		s.MaxLength = limit
	}
	s.Description = r.Doc
	if s.Type == "string" && s.Enum == nil && !strings.Contains(r.Doc, r.Example) {
		s.Description += ", such as " + r.Example
	}
	s.Default = defaultOf(r)
	return s
}

// defaultOf returns the default of an option as JSON, or nil if it has none.
func defaultOf[O any](r option.Option[O]) json.RawMessage {
	switch {
	case r.Default == "":
		return nil
	case r.Kind == option.Switch:
		return strconv.AppendBool(nil, r.Default == "on")
	case r.Kind == option.Integer || r.Kind == option.Number:
		return json.RawMessage(r.Default)
	default:
		return json.RawMessage(strconv.Quote(r.Default))
	}
}
