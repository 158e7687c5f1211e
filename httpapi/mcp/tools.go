package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/dustin/go-humanize/english"
	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/nearest"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/slugify"
)

// The tools are made once, since HTTP makes a server for each request. A server
// that reads no files does not offer the argument.
var (
	tools             = sync.OnceValue(makeTools)
	toolsWithoutFiles = sync.OnceValue(func() []tool {
		all := makeTools()
		for i := range all {
			all[i].InputSchema = withoutFile(all[i].schema)
			all[i].Description = strings.Replace(all[i].Description, ", or of a file,", "", 1)
		}
		return all
	})
)

func withoutFile(s *jsonschema.Schema) *jsonschema.Schema {
	s = s.CloneSchemas()
	delete(s.Properties, "file")
	s.Description = strings.Replace(s.Description, "id, file and text", "id and text", 1)
	s.PropertyOrder = slices.DeleteFunc(slices.Clone(s.PropertyOrder), func(name string) bool { return name == "file" })
	for name, property := range s.Properties {
		s.Properties[name] = withoutFile(property)
	}
	return s
}

// makeTools returns every tool.
func makeTools() []tool {
	return []tool{
		plainTool("summarize_log", "Summarize a log", reads,
			"Say what failed in a log (tests, compile errors, steps of a build; where, and why), and count its entries. Then the first and the last error, the verdict, rare errors, gaps, and errors and warnings in groups. The first call for any log.",
			(*toolset).summarize),
		plainTool("read_share", "Read lines", reads, "Read lines of a shared log or snippet, or of a file, by number, level or pattern.", (*toolset).readShare),
		plainTool("compare_logs", "Compare two logs", reads,
			"List the errors and warnings that are new or gone in a log since an earlier one, such as that of a build that passed, and count the other messages.", (*toolset).compare),
		plainTool("list_shares", "List shares", reads, "List the shares of this key, those made last first.", (*toolset).list),
		newTool("draw_code", "Draw code", reads, "Draw a picture of code, as a PNG image. To link to one instead, call share_snippet and append .png to the link. Themes: "+strings.Join(highlight.AllThemes(), ", ")+".", option.Of[screenshot.Options](), (*toolset).drawCode),
		newTool("slug", "Make a slug", reads, "Turn text in any script into a part of a URL.", option.Of[slugify.Options](), (*toolset).slug),
		newTool("gradient", "Build a gradient", reads, "Build a gradient from 2 to 10 colours, as CSS or as code for an app.", option.Of[gradient.Options](), (*toolset).gradient),
		newTool("share_log", "Share a log", makes, "Share a log by link. Secrets are masked first, unless the server is set up otherwise.", option.Of[share.LogOptions](), (*toolset).shareLog),
		newTool("share_snippet", "Share a snippet", makes, "Share code by link. Secrets are masked first, unless the server is set up otherwise.", option.Of[share.SnippetOptions](), (*toolset).shareSnippet),
		plainTool("delete_share", "Delete a share", deletes, "Delete a share that this key has made. This cannot be undone.", (*toolset).deleteShare),
	}
}

// A tool is a tool of every toolset.
type tool struct {
	sdk.Tool

	schema *jsonschema.Schema // of the arguments
	call   func(ctx context.Context, k *toolset, arguments json.RawMessage) (output, error)
}

// An output is the result of a tool: data with the schema of its type, and the
// content that is shown.
type output interface{ content() sdk.Content }

// prose is the content of a result that is for reading. It is among the data
// too, as some hosts show agents nothing else.
type prose struct {
	Text string `json:"text" jsonschema:"the result to read; what it quotes from logs or code is between marks"`
}

func (p prose) content() sdk.Content { return &sdk.TextContent{Text: p.Text} }

// The effects of tools.
const (
	reads   = "reads"
	makes   = "makes shares"
	deletes = "deletes shares"
)

// newTool returns a tool whose arguments are its own and the options of a table.
func newTool[Own, O any, Out output](
	name, title, effect, description string, table option.Table[O], do func(*toolset, context.Context, Own, O) (Out, error),
) tool {
	schema := schemaOf[Own]()
	for _, r := range table {
		schema.Properties[r.Name] = propertyOf(r)
		schema.PropertyOrder = append(schema.PropertyOrder, r.Name)
	}
	t := tool{schema: schema, Tool: sdk.Tool{Name: name, Description: description, InputSchema: schema, OutputSchema: schemaOf[Out](), Annotations: &sdk.ToolAnnotations{
		Title: title, ReadOnlyHint: effect == reads, IdempotentHint: effect != makes, OpenWorldHint: new(false),
	}}}
	if effect != reads {
		t.Annotations.DestructiveHint = new(effect == deletes)
	}
	t.call = func(ctx context.Context, k *toolset, arguments json.RawMessage) (output, error) {
		own, options, err := readArguments[Own](k, arguments, schema, table)
		if err != nil {
			return nil, err
		}
		return do(k, ctx, own, options)
	}
	return t
}

// plainTool returns a tool without options.
func plainTool[Own any, Out output](name, title, effect, description string, do func(*toolset, context.Context, Own) (Out, error)) tool {
	return newTool(name, title, effect, description, nil, func(k *toolset, ctx context.Context, own Own, _ struct{}) (Out, error) { return do(k, ctx, own) })
}

// handler returns the function that calls a tool. Its errors are shortened and
// shown to the agent.
func (k *toolset) handler(t tool) sdk.ToolHandler {
	return func(ctx context.Context, q *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var result sdk.CallToolResult
		out, err := t.call(ctx, k, q.Params.Arguments)
		if err == nil {
			err = ctx.Err()
		}
		if isRefused(err, "invalid_api_key") {
			err = fmt.Errorf("%w; the server is %s", err, k.api.Link(""))
		}
		if err != nil {
			result.SetError(errors.New(cut(terminal.Visible(err.Error()), maxError)))
			return &result, nil
		}
		result.Content, result.StructuredContent = []sdk.Content{out.content()}, out
		return &result, nil
	}
}

// maxKnown is how many arguments a message names.
const maxKnown = 8

// known returns the names of arguments in words, the first ones of many.
func (k *toolset) known(names []string) string {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "file" && k.Root == nil })
	if len(names) > maxKnown {
		names = append(names[:maxKnown], "others")
	}
	return english.WordSeries(names, "and")
}

// addUnknown adds a fault for each field of an object that its schema lacks.
func (k *toolset) addUnknown(faults *invalid.Faults, within string, object map[string]json.RawMessage, schema *jsonschema.Schema) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		var inner map[string]json.RawMessage
		if property := schema.Properties[name]; property == nil {
			faults.Add(within+name, "unknown_field", "is not an argument of this tool"+cmp.Or(nearest.Question(name, schema.PropertyOrder), ", which takes "+k.known(schema.PropertyOrder)))
		} else if property.Properties != nil && json.Unmarshal(object[name], &inner) == nil {
			k.addUnknown(faults, within+name+".", inner, property)
		}
	}
}

// readArguments returns the arguments of a tool. They are checked here and not
// against the schema: the error joins one for each that is unknown, missing or
// of the wrong type, as in the API.
func readArguments[Own, O any](k *toolset, sent json.RawMessage, schema *jsonschema.Schema, table option.Table[O]) (own Own, options O, err error) {
	if len(sent) == 0 { // the protocol lets clients leave them out
		sent = json.RawMessage("{}")
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(sent, &object); err != nil {
		return own, options, &invalid.Fault{Field: "arguments", Reason: "invalid_type", Message: "must be an object"}
	}
	var faults invalid.Faults
	k.addUnknown(&faults, "", object, schema)
	for _, name := range schema.Required {
		if object[name] == nil {
			faults.Add(name, "required", "is required")
		}
	}
	err = json.Unmarshal(sent, &own)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		faults.Add(strings.TrimPrefix(wrong.Field, "source."), "invalid_type", "must be "+jsonTypes[wrong.Type.Kind()])
	} else if err != nil {
		return own, options, err
	}
	wrong, _ := invalid.Of(table.SetJSON(&options, object))
	if faults = faults.With(wrong); len(faults) > 0 {
		faults = faults.With(table.Check(&options)) // otherwise the operation checks them
	}
	return own, options, faults.Err()
}
