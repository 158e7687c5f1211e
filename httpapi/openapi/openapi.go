// Package openapi holds the OpenAPI document of the API. It stands apart from
// httpapi, which serves it, so that httpapi/web can show it too.
package openapi

import _ "embed"

//go:generate go test -run TestJSON -update

// The YAML is written by hand, and go generate converts it to JSON. Tests in
// package httpapi verify that both agree with the handlers.
var (
	//go:embed openapi.yaml
	documentYAML string
	//go:embed openapi.json
	documentJSON string
)

// YAML returns the document as it was written.
func YAML() string { return documentYAML }

// JSON returns the document as JSON. Its objects have the order of the YAML.
func JSON() string { return documentJSON }
