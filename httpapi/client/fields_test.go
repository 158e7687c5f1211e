package client_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/httpapi/openapi"
)

// The types have the fields of the OpenAPI document.
func TestTypes_fields(t *testing.T) {
	var document struct {
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(openapi.JSON()), &document))
	for name, value := range map[string]any{
		"GradientRequest": client.GradientRequest{}, "Gradient": client.Gradient{}, "SlugRequest": client.SlugRequest{},
		"LogRequest": client.LogRequest{}, "LogCreated": client.SharedLog{}, "Log": client.Log{},
		"SnippetRequest": client.SnippetRequest{}, "SnippetCreated": client.SharedSnippet{}, "Snippet": client.Snippet{},
		"ScreenshotRequest": client.ScreenshotRequest{}, "Screenshot": client.Screenshot{}, "ScreenshotConfig": client.ScreenshotRequest{},
		"Shares": client.SharesPage{}, "Share": client.Share{}, "Limits": client.Limits{}, "Extent": client.Extent{}, "FieldFault": client.FieldError{},
	} {
		properties := document.Components.Schemas[name].Properties
		delete(properties, "success")
		assert.ElementsMatch(t, slices.Collect(maps.Keys(properties)), fieldNames(reflect.TypeOf(value)), name)
	}
}

// fieldNames returns the names of the members of a type's JSON.
func fieldNames(of reflect.Type) (names []string) {
	for field := range of.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "" && field.Anonymous:
			names = append(names, fieldNames(field.Type)...)
		case name != "-":
			names = append(names, name)
		}
	}
	return names
}
