// Package layout is the look that pages and dashboard share: the frame around
// a page with its navigation, assets, failures, and the reading of forms.
//
//	l := layout.New(layout.Options{Templates: templates})
//	…
//	l.Show(w, r, http.StatusOK, "overview", layout.Page{Title: "Overview"})
//
// A response is made whole before its first byte is sent: what fails, fails
// before the status is written.
package layout

import (
	"bytes"
	"embed"
	"html/template"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:embed templates
var templateFiles embed.FS

// Options is what a layout is made of.
type Options struct {
	// Templates holds a page in each file *.html. It defines "content" and is
	// known by its name without the extension. What a file defines whose name
	// starts with "_" is there for all of them. Nil: there are no pages but
	// failures.
	Templates fs.FS
	// Funcs are functions for the templates, beside those of every layout.
	Funcs template.FuncMap
	// Assets returns style sheets, scripts and pictures by name, beside those
	// that all pages share. It is called when the first page is shown. Nil:
	// there are no others.
	Assets func() (map[string][]byte, error)
	// BaseURL is where the service is reached from outside; links lie under its
	// path. Nil means the root.
	BaseURL *url.URL
	// Dashboard reports whether the service has one, for a link to it on every
	// page.
	Dashboard bool
	// Log takes what went wrong inside. Nil discards it.
	Log *slog.Logger
}

// Layout renders pages. What it needs is read when the first page is shown;
// from then on a fault in a template is an error in the log and a page that
// says sorry.
type Layout struct {
	base   string // path of the base URL, without a trailing slash
	tools  []tool
	log    *slog.Logger
	views  func() (views, error)
	assets func() (assets, error)
}

// New returns the layout for the pages of o.Templates.
func New(o Options) *Layout {
	l := &Layout{log: o.Log, tools: tools[:]}
	if o.Dashboard {
		l.tools = append(slices.Clone(l.tools), tool{"/dashboard", "Dashboard"})
	}
	if l.log == nil {
		l.log = slog.New(slog.DiscardHandler)
	}
	if o.BaseURL != nil {
		l.base = strings.TrimRight(o.BaseURL.EscapedPath(), "/")
	}
	l.views = sync.OnceValues(func() (views, error) { return l.parse(o.Templates, o.Funcs) })
	l.assets = sync.OnceValues(func() (assets, error) { return loadAssets(o.Assets) })
	return l
}

// A Page is what the layout shows, and around which content.
type Page struct {
	Title       string
	Description string   // for search engines and previews of links; may be empty
	Picture     string   // of previews of links, 1200 by 630 pixels: a whole URL; may be empty
	Path        string   // of the page, to mark its link in the navigation; may be empty
	Styles      []string // assets that the page needs beside those of the layout
	Scripts     []string // modules
	Private     bool     // keep it out of search engines
	Wide        bool     // the content uses the whole window
	Bare        bool     // there is nothing but the content
	OEmbed      string   // where programs learn how the page is embedded (oembed.com): a whole URL; may be empty
	Content     any      // what the template is executed with

	// Large is HTML that the template shows by {{large}}, at most once. It is
	// written when the page is sent, so that it is never in memory as a whole.
	Large io.WriterTo
}

// views maps each page to its template, combined with the layout.
type views map[string]*template.Template

// parse parses the templates of the pages and that of failures.
func (l *Layout) parse(pages fs.FS, funcs template.FuncMap) (views, error) {
	layout, err := template.New("layout").Funcs(l.funcs()).Funcs(funcs).ParseFS(templateFiles, "templates/layout.html")
	if err != nil {
		return nil, err
	}
	all, err := parsePages(layout, templateFiles, []string{"templates/failure.html"})
	if err != nil || pages == nil {
		return all, err
	}
	files, err := fs.Glob(pages, "*.html")
	if err != nil {
		return nil, err
	}
	shared := func(file string) bool { return strings.HasPrefix(file, "_") }
	for _, file := range files {
		if shared(file) {
			if _, err := layout.ParseFS(pages, file); err != nil {
				return nil, err
			}
		}
	}
	own, err := parsePages(layout, pages, slices.DeleteFunc(files, shared))
	if err != nil {
		return nil, err
	}
	maps.Copy(all, own)
	return all, nil
}

// funcs returns the functions available to every template.
func (l *Layout) funcs() template.FuncMap {
	return template.FuncMap{
		"path":      l.Path,
		"asset":     l.assetPath,
		"icon":      icon,
		"tools":     func() []tool { return l.tools },
		"plural":    Plural,
		"thousands": Thousands[int],
		"size":      Size[int],
		"large":     func() template.HTML { return largePlace },
	}
}

// parsePages parses each file into its own copy of the layout.
func parsePages(layout *template.Template, templates fs.FS, files []string) (views, error) {
	all := make(views, len(files))
	for _, file := range files {
		own, err := layout.Clone()
		if err != nil {
			return nil, err
		}
		if own, err = own.ParseFS(templates, file); err != nil {
			return nil, err
		}
		all[strings.TrimSuffix(path.Base(file), path.Ext(file))] = own
	}
	return all, nil
}

// largePlace marks the position of Page.Large. Template values cannot contain a
// NUL because html/template replaces it.
const largePlace = "\x00"

// Path returns the address of a page, under the path of the base URL.
func (l *Layout) Path(p string) string { return l.base + p }

// Render returns the response with a page.
func (l *Layout) Render(view string, p Page) (*Response, error) {
	all, err := l.views()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := all[view].ExecuteTemplate(&b, "layout", p); err != nil {
		return nil, err
	}
	head, tail, _ := bytes.Cut(b.Bytes(), []byte(largePlace))
	a := NewResponse(HTML, head)
	a.Large, a.Tail = p.Large, tail
	a.Header.Set("Content-Security-Policy", securityPolicy)
	if p.Private {
		a.NoIndex()
	}
	return a, nil
}

// Show responds with a page that is not for search engines and whose forms
// name their origin. Headers that are set already stay.
func (l *Layout) Show(w http.ResponseWriter, r *http.Request, status int, view string, p Page) {
	p.Private = true
	a, err := l.Render(view, p)
	if err != nil {
		l.Fail(w, r, err)
		return
	}
	a.Status = status
	l.Write(w, r, a.NameOrigin())
}
