package reference

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// curls returns curl commands for the first example of a call, one per media
// type of its response. The shell variable KEY holds the key.
func (c call) curls(origin string) []Sample {
	all := []Sample{{Name: "curl", Text: c.curl(origin, "")}}
	for i, accept := range c.Accepts {
		if i > 0 {
			all = append(all, Sample{Name: "curl, " + accept, Text: c.curl(origin, accept)})
		}
	}
	return all
}

// curl returns a curl command. If accept is empty, it has no Accept header.
func (c call) curl(origin, accept string) string {
	command := "curl "
	if c.Method != http.MethodGet && c.Method != http.MethodPost {
		command = "curl -X " + c.Method + " "
	}
	lines := []string{command + quoted(origin+c.examplePath())}
	if c.Key != "" {
		lines = append(lines, `-H "`+c.Key+`: $KEY"`)
	}
	if accept != "" {
		extension, _, _ := strings.Cut(path.Base(accept), "+")
		lines = append(lines, "-H "+quoted("Accept: "+accept), "-o picture."+extension)
	}
	if c.Body != nil && len(c.Samples) > 0 {
		lines = append(lines, sends(c.Body.Name, c.Samples[0].Text)...)
	}
	return strings.Join(lines, " \\\n  ")
}

// sends returns the arguments that send a body.
func sends(mediaType, body string) []string {
	if mediaType != jsonType {
		return []string{"--data-binary " + quoted(body)}
	}
	var compact bytes.Buffer
	if json.Compact(&compact, []byte(body)) == nil {
		body = compact.String()
	}
	return []string{"-H " + quoted("Content-Type: "+jsonType), "-d " + quoted(body)}
}

// examplePath returns the path with example values for its parameters.
func (c call) examplePath() string {
	filled := c.Path
	for _, p := range c.Params {
		if p.In == "path" {
			filled = strings.ReplaceAll(filled, "{"+p.Name+"}", url.PathEscape(p.Example))
		}
	}
	return filled
}

// quoted quotes s for a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
