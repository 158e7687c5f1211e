package reference

import (
	"bytes"
	"embed"
	"encoding/json"
	"net/url"
	"path"
	"strconv"
	"strings"
	"text/template"
)

// A Sample is an example, of Language for colours.
type Sample struct{ Name, Language, Text string }

// A request is what the samples of code send. They read the key from the
// environment variable KEY.
type request struct {
	Method, URL string
	Key         string // header field; empty if none is needed
	Accept      string // empty for the usual media type
	File        string // for a response that is not text
	IsJSON      bool
	Body        string // empty if there is none
	Compact     string // Body in one line if it is JSON
}

// languages are the tabs of code and their languages.
var languages = [...]Sample{{"curl", "bash", "curl"}, {"Go", "go", "go"}, {"Python", "python", "python"}, {"JavaScript", "javascript", "javascript"}}

//go:embed samples
var sampleFiles embed.FS

var sampleTemplates = template.Must(template.New("").Funcs(template.FuncMap{
	"shell":  func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" },
	"quote":  quoteGo,
	"lower":  strings.ToLower,
	"python": func(s string) string { return strings.ReplaceAll(python.Replace(s), "\n", "\n    ") },
	"indent": func(s string) string { return strings.ReplaceAll(s, "\n", "\n  ") },
}).ParseFS(sampleFiles, "samples/*.txt"))

// python changes the words of JSON to those of Python.
var python = strings.NewReplacer(": true", ": True", ": false", ": False", ": null", ": None")

// quoteGo quotes s for Go, Python and JavaScript: with backquotes only if they
// make it plainer, which is in Go.
func quoteGo(s string) string {
	if strings.Contains(s, `"`) && strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// code returns the operation's request in each language.
func (c *Call) code() ([]Sample, error) {
	r := request{Method: c.Method, URL: ExampleOrigin + c.examplePath(), Key: c.Key}
	if len(c.Accepts) > 1 && c.Accepts[1] != jsonType && !strings.HasPrefix(c.Accepts[1], "text/") {
		r.Accept, r.File = c.Accepts[1], "picture."+path.Base(c.Accepts[1])
	}
	if c.Body != nil && len(c.Samples) > 0 {
		r.Body, r.IsJSON = c.Samples[0].Text, c.Body.Name == jsonType
		r.Compact = r.Body
		if r.IsJSON {
			var line bytes.Buffer
			_ = json.Compact(&line, []byte(r.Body)) // it was decoded
			r.Compact = line.String()
		}
	}
	var all []Sample
	for _, l := range languages {
		var text strings.Builder
		if err := sampleTemplates.ExecuteTemplate(&text, l.Text+".txt", r); err != nil {
			return nil, err
		}
		all = append(all, Sample{l.Name, l.Language, strings.TrimSpace(text.String())})
	}
	return all, nil
}

// examplePath returns the path with example values for its parameters.
func (c *Call) examplePath() string {
	filled := c.Path
	for _, p := range c.Params {
		if p.In == "path" {
			filled = strings.ReplaceAll(filled, "{"+p.Name+"}", url.PathEscape(p.Example))
		}
	}
	return filled
}
