package mcp

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/nearest"
	"github.com/devkiln/devkiln/internal/option"
)

// optionTool adds a tool whose arguments are its own and the options of a
// table. The arguments are checked here and not against the schema: an error
// then names every invalid one as the API does.
func optionTool[Own, O, Out any](s *sdk.Server, tool *sdk.Tool, table func() option.Table[O], do func(context.Context, Own, O) (sdk.Content, Out, error)) {
	schema := optionsSchema[Own](table)
	tool.InputSchema, tool.OutputSchema = schema, schemaOf[Out]()
	s.AddTool(tool, func(ctx context.Context, q *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var result sdk.CallToolResult
		own, options, err := readArguments[Own](q.Params.Arguments, schema, table())
		if err == nil {
			var content sdk.Content
			content, result.StructuredContent, err = do(ctx, own, options)
			result.Content = []sdk.Content{content}
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			result = sdk.CallToolResult{}
			result.SetError(shownError(err))
		}
		return &result, nil
	})
}

// readArguments returns the arguments of a tool. The error joins one for each
// that is unknown, missing or of the wrong type.
func readArguments[Own, O any](sent json.RawMessage, schema *jsonschema.Schema, table option.Table[O]) (own Own, options O, err error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(sent, &object); err != nil {
		return own, options, &invalid.Input{Field: "arguments", Reason: "invalid_type", Message: "must be an object"}
	}
	var problems invalid.Inputs
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if schema.Properties[name] == nil {
			problems.Add(name, "unknown_field", "is not an argument of this tool"+nearest.Question(name, schema.PropertyOrder))
		}
	}
	for _, name := range schema.Required {
		if object[name] == nil {
			problems.Add(name, "required", "is required")
		}
	}
	if err := json.Unmarshal(sent, &own); err != nil {
		return own, options, err
	}
	wrong, _ := invalid.Of(table.SetJSON(&options, object))
	return own, options, problems.With(wrong).Err()
}
