// Package layout is the common frame of the pages and the dashboard:
// navigation, assets, error pages and form parsing.
//
//	l := layout.New(layout.Options{Templates: templates})
//	…
//	l.Respond(w, r, func(*http.Request) (*layout.Response, error) {
//		return l.Render("overview", layout.Page{Title: "Overview"})
//	})
//
// Except for [Page].Large, a page is rendered before the response begins, so
// that an error in a template still changes the status.
package layout

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/devkiln/devkiln/httpapi"
)

//go:embed templates
var templateFiles embed.FS

// Options configures a layout.
type Options struct {
	// Templates has a page in each file templates/*.html, which defines
	// "content". The name of the page is that of the file without its
	// extension. Definitions in files whose names start with "_" are available
	// to all pages. If nil, only failures can be rendered.
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
	// Failures are shown for the errors that wrap these.
	Failures map[error]Failure
	// Log receives internal errors.
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

	failures   map[error]Failure
	compressed func(http.Handler) http.HandlerFunc // of what is in memory, well
	streamed   func(http.Handler) http.HandlerFunc // of listings, fast
}

// New returns the layout for the pages of o.Templates.
func New(o Options) *Layout {
	l := &Layout{log: o.Log, failures: o.Failures, compressed: newCompressor(gzip.DefaultCompression, zstd.SpeedBetterCompression), streamed: newCompressor(gzip.BestSpeed, zstd.SpeedFastest)}
	for _, operation := range slices.Backward(httpapi.Operations()) {
		if operation.Title != "" {
			l.tools = append(l.tools, tool{operation.Page, operation.Title})
		}
	}
	l.tools = append(l.tools, tool{"/docs", "API"})
	if o.Dashboard {
		l.tools = append([]tool{{"/", "Share"}}, append(l.tools, tool{"/dashboard", "Dashboard"})...)
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
	Picture     string   // full URL of the preview picture; may be empty
	Path        string   // of the page, to mark its link in the navigation; may be empty
	Styles      []string // additional assets
	Scripts     []string // assets that are modules
	Private     bool     // tells search engines not to index the page
	Wide        bool     // the content spans the whole window
	Bare        bool     // only the content is shown
	Status      int      // 0 means 200
	HasForm     bool     // its forms send their origin, by formReferrerPolicy
	Negotiated  bool     // other clients get something else at the same URL
	Content     any      // data for the template

	// Large is HTML that the template inserts with {{large}}, at most once. It
	// is streamed when the page is sent and never in memory as a whole.
	Large io.WriterTo
}

// views maps each page to its template, combined with the layout.
type views map[string]*template.Template

// parse parses the templates of the pages and that of failures, each into its own
// copy of the layout.
func (l *Layout) parse(pages fs.FS, funcs template.FuncMap) (views, error) {
	layout, err := template.New("layout").Funcs(l.funcs()).Funcs(funcs).ParseFS(templateFiles, "templates/layout.html", "templates/options.html")
	if err != nil {
		return nil, err
	}
	all := make(views)
	if err := all.add(layout, templateFiles, "templates/failure.html"); err != nil || pages == nil {
		return all, err
	}
	shared, err := fs.Glob(pages, "templates/_*.html")
	if len(shared) > 0 && err == nil {
		_, err = layout.ParseFS(pages, shared...)
	}
	if err != nil {
		return nil, err
	}
	return all, all.add(layout, pages, "templates/[^_]*.html")
}

func (v views) add(layout *template.Template, pages fs.FS, pattern string) error {
	files, err := fs.Glob(pages, pattern)
	for _, file := range files {
		own, err := layout.Clone()
		if err == nil {
			own, err = own.ParseFS(pages, file)
		}
		if err != nil {
			return err
		}
		v[strings.TrimSuffix(path.Base(file), path.Ext(file))] = own
	}
	return err
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
		"large":     func() template.HTML { return largeMark },
	}
}

// largeMark marks the position of Page.Large. Template values cannot contain a
// NUL because html/template replaces it.
const largeMark = "\x00"

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
	head, tail, _ := bytes.Cut(b.Bytes(), []byte(largeMark))
	a := NewResponse(HTML, head)
	a.Large, a.Tail, a.Status = p.Large, tail, p.Status
	a.Header.Set("Content-Security-Policy", securityPolicy)
	if p.Private {
		a.NoIndex()
	}
	if p.HasForm {
		a.Header.Set("Referrer-Policy", formReferrerPolicy)
	}
	if p.Negotiated {
		a.Negotiated()
	}
	return a, nil
}

// A tool is a link in the navigation.
type tool struct{ Path, Name string }

//go:embed icons.tsv
var iconFile string

// icons maps names to SVG paths on a 20 by 20 grid, stroked 1.6 units wide.
var icons = sync.OnceValue(func() map[string]string {
	all := make(map[string]string)
	for line := range strings.Lines(iconFile) {
		name, path, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		all[name] = path
	}
	return all
})

// icon returns a decorative icon, hidden from assistive technology.
func icon(name string) (template.HTML, error) {
	d, ok := icons()[name]
	if !ok {
		return "", fmt.Errorf("layout: no icon %s", name)
	}
	return template.HTML(`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="` + d + `"/></svg>`), nil
}
