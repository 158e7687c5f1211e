package reference

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
)

// curls are commands for a shell that do what the first example of a call does,
// one for each media type of its response. The key is in the variable KEY.
func (b *builder) curls(c call) []Sample {
	if len(c.Accepts) < 2 {
		return []Sample{{Name: "curl", Text: b.curl(c, "")}}
	}
	all := []Sample{{Name: "curl", Text: b.curl(c, "")}}
	for _, accept := range c.Accepts[1:] {
		all = append(all, Sample{Name: "curl, " + accept, Text: b.curl(c, accept)})
	}
	return all
}

// curl writes a command. accept is empty for the response to who wants none.
func (b *builder) curl(c call, accept string) string {
	lines := []string{"curl " + quoted(b.origin+c.examplePath())}
	if c.Method != "GET" && c.Method != "POST" {
		lines[0] = "curl -X " + c.Method + " " + quoted(b.origin+c.examplePath())
	}
	if c.Key != "" {
		lines = append(lines, `-H "`+c.Key+`: $KEY"`)
	}
	if accept != "" {
		_, extension, _ := strings.Cut(accept, "/")
		extension, _, _ = strings.Cut(extension, "+")
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
	path := c.Path
	for _, p := range c.Params {
		if p.In == "path" {
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(p.Example))
		}
	}
	return path
}

// quoted is one word of a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
