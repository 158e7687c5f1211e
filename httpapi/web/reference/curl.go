package reference

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// curls are commands for a shell that do what the first example of a call does,
// one for each media type of its response. The key is in the variable KEY.
func (c call) curls(origin string) []Sample {
	all := []Sample{{Name: "curl", Text: c.curl(origin, "")}}
	for i, accept := range c.Accepts {
		if i > 0 {
			all = append(all, Sample{Name: "curl, " + accept, Text: c.curl(origin, accept)})
		}
	}
	return all
}

// curl writes a command. accept is empty for the response to who wants none.
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

// sends are the arguments that send a body.
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

// examplePath is the path with the examples of its parameters.
func (c call) examplePath() string {
	filled := c.Path
	for _, p := range c.Params {
		if p.In == "path" {
			filled = strings.ReplaceAll(filled, "{"+p.Name+"}", url.PathEscape(p.Example))
		}
	}
	return filled
}

// quoted is one word of a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
