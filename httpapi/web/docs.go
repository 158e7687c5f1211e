package web

import (
	"bytes"
	"html"
	"html/template"
	"net/http"
	"strings"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/listing"
	"github.com/devkiln/devkiln/httpapi/internal/markdown"
	"github.com/devkiln/devkiln/httpapi/internal/reference"
)

// docsView is the content of the API reference: its introduction, or the page
// of an operation.
type docsView struct {
	*reference.Reference
	Call *reference.Call // nil for the introduction
	Base string          // path prefix of the operations
}

// docsFuncs are the functions of the templates of the reference.
var docsFuncs = template.FuncMap{
	"prose": func(text string) (template.HTML, error) { return markdown.HTML(text, listing.Blocks(lexTime)) },
	"colored": func(text, lang string) template.HTML {
		return template.HTML(strings.TrimSuffix(string(listing.Blocks(lexTime)(text, lang)), "\n"))
	},
	"sample": func(name, lang, text string) reference.Sample {
		return reference.Sample{Name: name, Language: lang, Text: text}
	},
	"titled": func(words ...string) string { return strings.TrimSuffix(strings.Join(words, ", "), ", ") },
}

func (s *site) docs(r *http.Request) (*layout.Response, error) {
	ref, err := s.reference()
	if err != nil {
		return nil, err
	}
	v := docsView{ref, ref.Call(r.PathValue("operation")), s.Path("")}
	p := layout.Page{
		Title: "API reference", Path: "/docs", Styles: []string{"lines.css", "docs.css"}, Scripts: []string{"docs.js"}, Wide: true,
		Description: "Every operation of the API with its fields, limits, responses and examples, and a form to try it.", Content: v,
	}
	if v.Call != nil {
		p.Title, p.Description = v.Call.Summary+" · API", v.Call.Method+" "+v.Call.Path
	} else if r.PathValue("operation") != "" {
		return nil, layout.NoPage
	}
	a, err := s.Render("docs", p)
	if err != nil {
		return nil, err
	}
	a.Body = bytes.ReplaceAll(a.Body, []byte(reference.ExampleOrigin), []byte(html.EscapeString(s.origin(r))))
	return a.Revalidate(), nil
}
