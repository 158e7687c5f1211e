package openapi_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/devkiln/devkiln/httpapi/openapi"
)

var update = flag.Bool("update", false, "write openapi.json out of openapi.yaml")

// Viewers show fields in the order of the document, so the JSON must keep the
// order of the YAML.
func TestJSON_equalsTheYAMLInItsOrder(t *testing.T) {
	source, err := os.ReadFile("openapi.yaml")
	require.NoError(t, err)
	var root yaml.Node
	require.NoError(t, yaml.Unmarshal(source, &root))
	var spaced, compact bytes.Buffer
	writeJSON(t, &spaced, &root)
	require.NoError(t, json.Compact(&compact, spaced.Bytes()))
	want := compact.String() + "\n"
	if *update {
		require.NoError(t, os.WriteFile("openapi.json", []byte(want), 0o600))
		return
	}
	assert.Equal(t, want, openapi.JSON(), "go generate makes it")
}

// writeJSON writes a node as JSON with blanks.
func writeJSON(t *testing.T, b *bytes.Buffer, n *yaml.Node) {
	t.Helper()
	switch n.Kind {
	case yaml.DocumentNode:
		writeJSON(t, b, n.Content[0])
	case yaml.AliasNode:
		writeJSON(t, b, n.Alias)
	case yaml.MappingNode:
		writeAll(t, b, "{", n.Content, ":,", "}")
	case yaml.SequenceNode:
		writeAll(t, b, "[", n.Content, ",", "]")
	default:
		var value any
		require.NoError(t, n.Decode(&value))
		e := json.NewEncoder(b)
		e.SetEscapeHTML(false)
		require.NoError(t, e.Encode(value))
	}
}

// writeAll writes nodes with alternating separators.
func writeAll(t *testing.T, b *bytes.Buffer, begin string, nodes []*yaml.Node, separators, end string) {
	t.Helper()
	b.WriteString(begin)
	for i, n := range nodes {
		if i > 0 {
			b.WriteByte(separators[(i-1)%len(separators)])
		}
		writeJSON(t, b, n)
	}
	b.WriteString(end)
}

// Generators of clients leave out the operations whose schemas are a choice of objects.
func TestJSON_noChoiceOfSchemas(t *testing.T) {
	assert.NotContains(t, openapi.JSON(), `"anyOf"`)
}
