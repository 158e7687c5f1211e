// Package layout is the common frame of the pages and the dashboard:
// navigation, assets, error pages and form parsing.
//
//	l := layout.New(layout.Options{Templates: templates})
//	…
//	l.Show(w, r, http.StatusOK, "overview", layout.Page{Title: "Overview"})
//
// Except for [Page].Large, a page is rendered before the response begins, so
// that an error in a template still changes the status.
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

// Options configures a layout.
type Options struct {
	// Templates has a page in each *.html file, which defines "content". The
	// name of the page is that of the file without its extension. Definitions
	// in files whose names start with "_" are available to all pages. If nil,
	// only failures can be rendered.
	Templates fs.FS
	// Funcs are additional functions for the templates.
	Funcs template.FuncMap
	// Assets returns additional style sheets, scripts and images by name. It is
	// called when the first page is rendered. Nil means none.
	Assets func() (map[string][]byte, error)
	// BaseURL is the public URL of the service; links are below its path. Nil
	// means the root.
	BaseURL *url.URL
	// Dashboard adds a link to the dashboard to every page.
	Dashboard bool
	// Log receives internal errors. Nil discards them.
	Log *slog.Logger
}

// Layout renders pages. It loads templates and assets when the first page is
// rendered. An error in a template is logged and shown as an internal error.
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

// A Page is the content of a page and how to frame it.
type Page struct {
	Title       string
	Description string   // for search engines and link previews; may be empty
	Picture     string   // full URL of the preview picture, 1200 by 630 pixels; may be empty
	Path        string   // of the page, to mark its link in the navigation; may be empty
	Styles      []string // additional assets
	Scripts     []string // assets that are modules
	Private     bool     // tells search engines not to index the page
	Wide        bool     // the content spans the whole window
	Bare        bool     // only the content is shown
	Content     any      // data for the template

	// Large is HTML that the template inserts with {{large}}, at most once. It
	// is streamed when the page is sent and never in memory as a whole.
	Large io.WriterTo
}

// views maps each page to its template, combined with the layout.
type views map[string]*template.Template

// parse parses the templates of the pages and that of failures.
func (l *Layout) parse(pages fs.FS, funcs template.FuncMap) (views, error) {
	layout, err := template.New("layout").Funcs(l.funcs()).Funcs(funcs).ParseFS(templateFiles, "templates/layout.html", "templates/options.html")
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

// Path returns the path of a page, below that of the base URL.
func (l *Layout) Path(p string) string { return l.base + p }

// Render returns a response with a page.
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

// Show responds with a page that search engines must not index and whose forms
// send their origin. It keeps headers that are already set.
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
