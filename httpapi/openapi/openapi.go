// Package openapi holds the OpenAPI document of the API. It stands apart from
// httpapi, which answers it, so that httpapi/web can show it too.
package openapi

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"sync"

	"go.yaml.in/yaml/v3"
)

// document is written by hand; tests of httpapi hold that it and the handlers
// say the same.
//
//go:embed openapi.yaml
var document string

// YAML returns the document as it was written.
func YAML() string { return document }

// JSON returns the document as JSON. Its objects have the order of the YAML.
func JSON() string { return documentJSON() }

var documentJSON = sync.OnceValue(func() string {
	var root yaml.Node
	var spaced, compact bytes.Buffer
	err := yaml.Unmarshal([]byte(document), &root)
	if err == nil {
		err = write(&spaced, &root)
	}
	if err == nil {
		err = json.Compact(&compact, spaced.Bytes())
	}
	if err != nil {
		panic(err) // the tests parse what is embedded
	}
	return compact.String() + "\n"
})

// write writes a node as JSON, with blanks in it.
func write(b *bytes.Buffer, n *yaml.Node) error {
	switch n.Kind {
	case yaml.DocumentNode:
		return write(b, n.Content[0])
	case yaml.AliasNode:
		return write(b, n.Alias)
	case yaml.MappingNode:
		return writeAll(b, "{", n.Content, ":,", "}")
	case yaml.SequenceNode:
		return writeAll(b, "[", n.Content, ",", "]")
	default:
		var value any
		if err := n.Decode(&value); err != nil {
			return err
		}
		e := json.NewEncoder(b)
		e.SetEscapeHTML(false)
		return e.Encode(value)
	}
}

// writeAll writes nodes with the separators between them by turns.
func writeAll(b *bytes.Buffer, begin string, nodes []*yaml.Node, separators, end string) error {
	b.WriteString(begin)
	for i, n := range nodes {
		if i > 0 {
			b.WriteByte(separators[(i-1)%len(separators)])
		}
		if err := write(b, n); err != nil {
			return err
		}
	}
	b.WriteString(end)
	return nil
}
