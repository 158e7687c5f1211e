package web

import (
	"bytes"
	"cmp"
	"context"
	_ "embed" // of the examples
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"sync"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/listing"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/share"
)

// indexView is the content of the start page.
type indexView struct {
	examples
	Origin string
	New    *newView // the sharing form; nil if sharing is disabled
}

// index shows the start page, with the form if visitors can share.
func (s *site) index(r *http.Request) (*layout.Response, error) {
	var form *newView
	if s.Sharing.enabled() {
		f, err := s.formOf(r)
		if err != nil {
			return nil, err
		}
		form = new(s.newView(r, f))
	}
	a, err := s.showIndex(r, form)
	if err == nil && r.URL.RawQuery == "" {
		a.Revalidate()
	}
	return a, err
}

// formOf returns the form that the address asks for: ?kind= chooses the kind,
// ?from= starts with the code of a snippet, ?example= with an example.
func (s *site) formOf(r *http.Request) (newForm, error) {
	f, query := emptyForm(), r.URL.Query()
	f.Kind = cmp.Or(query.Get("kind"), kindAuto)
	switch query.Get("example") {
	case string(share.KindLog):
		f.Text = exampleLog
	case string(share.KindSnippet):
		f.Text = exampleSnippet
	}
	if id := query.Get("from"); id != "" {
		snippet, err := s.openSnippet(r, id)
		if err != nil {
			return f, err
		}
		f.Text, f.Title, f.Language, f.Kind = snippet.Code, snippet.Title, snippet.Language, string(share.KindSnippet)
	}
	return f, nil
}

func (s *site) showIndex(r *http.Request, form *newView) (*layout.Response, error) {
	examples, err := sharedExamples()
	if err != nil {
		return nil, err
	}
	p := layout.Page{
		Title: "Devkiln", Path: "/", Styles: []string{"lines.css", "index.css"}, Content: indexView{examples, s.origin(r), form},
		Description: "Share logs and code behind links that expire; make pictures of code, gradients and slugs. On your own server, with an HTTP API and a Go library.",
	}
	if form == nil {
		return s.Render("index", p)
	}
	p.Scripts, form.Sample = []string{"new.js"}, examples.Log
	a, err := s.Render("index", p)
	if err != nil {
		return nil, err
	}
	return a.NameOrigin(), nil
}

// newPage leads from the former address of the form to the start page.
func (s *site) newPage(r *http.Request) (*layout.Response, error) {
	if !s.Sharing.enabled() {
		return nil, layout.NoPage
	}
	return layout.SeeOther(strings.TrimSuffix(s.Path("/")+"?"+r.URL.RawQuery, "?")), nil
}

// The examples of the start page are real: they are made when it is first
// requested.

const exampleSlug = "Crème brûlée & 3 old kilns: ЩУКА"

var exampleColors = []string{"#3b1f52", "#b03a14", "#ff8f61", "#ffd479"}

const exampleAngle = 100

var (
	//go:embed examples/log.txt
	exampleLog string
	//go:embed examples/snippet.py
	exampleSnippet string
	//go:embed examples/picture.go.txt
	examplePicture string
)

// examples holds the results of the examples.
type examples struct {
	Themes                int
	CodeWidth, CodeHeight int
	Log, Code             template.HTML
}

// drawnAssets returns the generated assets. They are drawn once per process
// because drawing takes noticeable time.
var drawnAssets = sync.OnceValues(func() (map[string][]byte, error) {
	c, err := exampleConfig()
	if err != nil {
		return nil, err
	}
	var code bytes.Buffer
	if err := c.WriteSVG(context.Background(), &code); err != nil {
		return nil, err
	}
	return map[string][]byte{
		"example-code.svg": code.Bytes(), "ansi.css": listing.ANSIStyles(), "presets.css": append(presetStyles(), themeStyles()...),
	}, nil
})

func exampleConfig() (screenshot.Config, error) {
	return screenshot.New(examplePicture, screenshot.Options{
		Language: "go", Theme: "github-dark", Background: exampleBackground, WindowTitle: "main.go", Padding: new(40.0),
	})
}

const exampleBackground = "linear-gradient(120deg, #3b1f52 0%, #b03a14 60%, #ff8f61 100%)"

// sharedExamples returns the examples, made once per process.
var sharedExamples = sync.OnceValues(func() (examples, error) {
	e := examples{Themes: len(highlight.AllThemes())}
	var logErr, codeErr error
	e.Log, logErr = listing.Log(exampleLog, listing.Options{NoAnchors: true}).HTML()
	e.Code, codeErr = listing.Code(exampleSnippet, "python", listing.Options{NoAnchors: true}).HTML()
	c, err := exampleConfig()
	if err := errors.Join(logErr, codeErr, err); err != nil {
		return e, err
	}
	picture, err := c.Picture()
	if err != nil {
		return e, err
	}
	e.CodeWidth, e.CodeHeight = picture.Size()
	return e, nil
})

// request returns the fields of a request as JSON, one per line.
func request(fields ...any) string {
	var b strings.Builder
	for i := 0; i+1 < len(fields); i += 2 {
		var value bytes.Buffer
		e := json.NewEncoder(&value)
		e.SetEscapeHTML(false)
		if err := e.Encode(fields[i+1]); err != nil {
			return ""
		}
		fmt.Fprintf(&b, "  %q: %s,\n", fields[i], strings.TrimSpace(value.String()))
	}
	return "{\n" + strings.TrimSuffix(b.String(), ",\n") + "\n}"
}
