//go:build ignore

// Writes openapi.json, with its objects in the order of openapi.yaml.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"

	"go.yaml.in/yaml/v3"
)

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	document, err := os.ReadFile("openapi.yaml")
	if err != nil {
		return err
	}
	var root yaml.Node
	if err := yaml.Unmarshal(document, &root); err != nil {
		return err
	}
	var spaced, compact bytes.Buffer
	if err := write(&spaced, &root); err != nil {
		return err
	}
	if err := json.Compact(&compact, spaced.Bytes()); err != nil {
		return err
	}
	compact.WriteByte('\n')
	return os.WriteFile("openapi.json", compact.Bytes(), 0o644)
}

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
