package web

import (
	"bytes"
	"context"
	_ "embed" // of the examples
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"sync"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/listing"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/slugify"
)

// indexView is the content of the start page.
type indexView struct {
	examples
	Origin    string
	Dashboard bool     // there is one to link to
	New       *newView // the sharing form; nil if sharing is disabled
}

func (s *site) index(r *http.Request) (*layout.Response, error) {
	examples, err := sharedExamples()
	if err != nil {
		return nil, err
	}
	v := indexView{examples: examples, Origin: s.origin(r), Dashboard: s.Dashboard != nil}
	p := layout.Page{
		Title: "Devkiln", Path: "/", Styles: []string{"lines.css", "index.css"},
		Description: "Gradients, slugs, shared logs and snippets, and pictures of code: an HTTP API, a Go library and these pages.",
	}
	if s.Sharing.enabled() {
		v.New = new(s.newView(emptyForm()))
		p.Styles, p.Scripts = append(p.Styles, "share.css"), []string{"new.js"}
	}
	p.Content = v
	a, err := s.Render("index", p)
	if err != nil {
		return nil, err
	}
	if v.New != nil {
		a.NameOrigin()
	}
	return a.Revalidate(), nil
}

// The examples of the start page are real: when it is first requested, the
// operations process the requests that it shows.

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

// examples holds the requests shown and their results.
type examples struct {
	Themes                int
	Slug, SlugRequest     string
	CSS, GradientRequest  string
	CodeWidth, CodeHeight int
	Log, Code             template.HTML
}

// drawnAssets returns the generated assets. They are drawn once per process
// because drawing takes noticeable time.
var drawnAssets = sync.OnceValues(func() (map[string][]byte, error) {
	g, err := exampleGradient()
	if err != nil {
		return nil, err
	}
	var ground bytes.Buffer
	if err := g.WriteSVG(&ground, 640, 200); err != nil {
		return nil, err
	}
	c, err := exampleConfig()
	if err != nil {
		return nil, err
	}
	var code bytes.Buffer
	if err := c.WriteSVG(context.Background(), &code); err != nil {
		return nil, err
	}
	return map[string][]byte{
		"example-gradient.svg": ground.Bytes(), "example-code.svg": code.Bytes(),
		"ansi.css": listing.ANSIStyles(), "presets.css": append(presetStyles(), themeStyles()...),
	}, nil
})

func exampleGradient() (gradient.Gradient, error) {
	return gradient.New(exampleColors, gradient.Options{Angle: new(float64(exampleAngle))})
}

func exampleConfig() (screenshot.Config, error) {
	return screenshot.New(examplePicture, screenshot.Options{
		Language: "go", Theme: "github-dark", Background: exampleBackground, WindowTitle: "main.go", Padding: new(40.0),
	})
}

const exampleBackground = "linear-gradient(120deg, #3b1f52 0%, #b03a14 60%, #ff8f61 100%)"

// sharedExamples returns the examples, made once per process.
var sharedExamples = sync.OnceValues(func() (examples, error) {
	e := examples{Themes: len(highlight.AllThemes()), SlugRequest: request("text", exampleSlug), GradientRequest: request("colors", exampleColors, "angle", exampleAngle)}
	g, gradientErr := exampleGradient()
	e.CSS = g.CSS()
	var slugErr, logErr, codeErr error
	e.Slug, slugErr = slugify.Make(exampleSlug, slugify.Options{})
	e.Log, logErr = listing.Log(exampleLog, listing.Options{NoAnchors: true}).HTML()
	e.Code, codeErr = listing.Code(exampleSnippet, "python", listing.Options{NoAnchors: true}).HTML()
	c, err := exampleConfig()
	if err := errors.Join(gradientErr, slugErr, logErr, codeErr, err); err != nil {
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
