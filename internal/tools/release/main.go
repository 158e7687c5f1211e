// Command release writes the software bill of materials of a binary, as
// CycloneDX 1.6 JSON: the modules that Go has recorded in it, and Go's standard
// library.
//
//	go -C internal/tools run ./release BINARY FILE
//
// The output is reproducible: it has no time and no serial number. CycloneDX's
// tool for Go and syft report the same for a Go binary, but the former is not
// available everywhere, and the latter requires 400 modules.
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
)

// bill is the subset of a CycloneDX document that is written.
type bill struct {
	Format        string      `json:"bomFormat"`
	Specification string      `json:"specVersion"`
	Version       int         `json:"version"`
	Metadata      metadata    `json:"metadata"`
	Components    []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version"`
	URL     string `json:"purl"`
	Hashes  []hash `json:"hashes,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: release BINARY FILE")
	}
	program, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	info, err := buildinfo.ReadFile(args[0])
	if err != nil {
		return err
	}
	sum := sha256.Sum256(program)
	text, err := json.MarshalIndent(billOf(info, hex.EncodeToString(sum[:])), "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(args[1], append(text, '\n'), 0o644)
}

// billOf returns the bill of a binary whose SHA-256 is sum.
func billOf(info *debug.BuildInfo, sum string) bill {
	b := bill{Format: "CycloneDX", Specification: "1.6", Version: 1}
	b.Metadata.Component = componentOf("application", info.Main.Path, info.Main.Version)
	b.Metadata.Component.Hashes = []hash{{"SHA-256", sum}}
	b.Components = []component{componentOf("library", "std", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		b.Components = append(b.Components, componentOf("library", m.Path, m.Version))
	}
	return b
}

// componentOf returns the component of a module, with its purl for Go.
func componentOf(kind, path, version string) component {
	url := "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")
	return component{Type: kind, Ref: url, Name: path, Version: version, URL: url}
}
