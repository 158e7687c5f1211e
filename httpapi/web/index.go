package web

import (
	"cmp"
	_ "embed" // of the examples
	"html/template"
	"net/http"
	"strings"
	"sync"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/listing"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/share"
)

// indexView is the content of the start page.
type indexView struct {
	examples
	Origin string
	Made   string   // by all operations, in words
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
	f.Text = map[share.Kind]string{share.KindLog: exampleLog, share.KindSnippet: exampleSnippet}[share.Kind(query.Get("example"))]
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
	examples, err := madeExamples()
	if err != nil {
		return nil, err
	}
	p := layout.Page{
		Title: "Devkiln", Path: "/", Styles: []string{"lines.css", "index.css"}, Content: indexView{examples, s.origin(r), layout.Made(apikey.Scopes()...), form},
		Description: "Share logs and code behind links that expire; make pictures of code, gradients and slugs. On your own server, with an HTTP API and a Go library.",
	}
	if form != nil {
		p.Scripts, p.HasForm = []string{"new.js"}, true
	}
	return s.Render("index", p)
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

const exampleSlug = "Crème brûlée & café\nWhat’s new in Go 1.26?\nЩУКА: a pike\nWhat's New in Go 1.26"

var exampleColors = []string{"#3b1f52", "#b03a14", "#ff8f61", "#ffd479"}

const exampleAngle = 100

var (
	//go:embed examples/log.txt
	exampleLog string
	//go:embed examples/snippet.py
	exampleSnippet string
)

// examples holds the results of the examples.
type examples struct {
	Themes    int
	Log, Code template.HTML
}

// madeExamples returns the examples, made once per process because that takes
// noticeable time.
var madeExamples = sync.OnceValues(func() (e examples, err error) {
	e.Themes = len(highlight.AllThemes())
	if e.Log, err = listing.Log(exampleLog, listing.Options{NoAnchors: true}).HTML(); err != nil {
		return e, err
	}
	e.Code, err = listing.Code(exampleSnippet, "python", listing.Options{NoAnchors: true}).HTML()
	return e, err
})
