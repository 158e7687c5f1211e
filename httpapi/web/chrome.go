package web

import (
	"html/template"
	"io/fs"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Chrome draws the pages of another package in the layout of these: with the
// same style, headers and failures. None of its pages is for search engines.
type Chrome struct{ site *site }

// A Page is a page of another package.
type Page struct {
	Title   string
	Styles  []string // assets of this package
	Scripts []string // modules of this package
	Content any      // what the template is executed with
}

// A Failure tells a visitor what went wrong and what to do.
type Failure struct {
	Status int
	Title  string
	Text   string
}

// NewChrome is for the pages of templates: each file *.html defines "content" and
// is known by its name without the extension. What a file defines whose name
// starts with "_" is there for all of them. The templates are read when the first
// page is shown; from then on a fault in them is an error in the log and a page
// that says sorry. baseURL and log are those of [Options].
func NewChrome(templates fs.FS, baseURL *url.URL, log *slog.Logger) *Chrome {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	s := &site{Options: Options{BaseURL: baseURL, Log: log, Now: time.Now}}
	if baseURL != nil {
		s.base = strings.TrimRight(baseURL.EscapedPath(), "/")
	}
	s.views = sync.OnceValues(func() (views, error) { return s.parseOther(templates) })
	return &Chrome{s}
}

// parseOther reads the pages of another package, and the one for failures.
func (s *site) parseOther(templates fs.FS) (views, error) {
	layout, err := s.parseLayout()
	if err != nil {
		return nil, err
	}
	all, err := parsePages(layout, templateFiles, []string{"templates/failure.html"})
	if err != nil {
		return nil, err
	}
	layout.Funcs(template.FuncMap{
		"plural": plural, "thousands": thousands, "size": size,
		"thousands64": func(n int64) string { return thousands(int(n)) },
		"size64":      size64,
		"languages":   func() []string { return studioLanguages },
	})
	files, err := fs.Glob(templates, "*.html")
	if err != nil {
		return nil, err
	}
	shared := func(file string) bool { return strings.HasPrefix(file, "_") }
	for _, file := range files {
		if shared(file) {
			if _, err := layout.ParseFS(templates, file); err != nil {
				return nil, err
			}
		}
	}
	own, err := parsePages(layout, templates, slices.DeleteFunc(files, shared))
	if err != nil {
		return nil, err
	}
	maps.Copy(all, own)
	return all, nil
}

// Path returns the address of a page, under the path of the base URL.
func (c *Chrome) Path(p string) string { return c.site.base + p }

// Show answers with a page. Headers that are set already stay.
func (c *Chrome) Show(w http.ResponseWriter, r *http.Request, status int, view string, p Page) {
	a, err := c.site.render(view, page{Title: p.Title, Styles: p.Styles, Scripts: p.Scripts, Content: p.Content, Private: true})
	if err != nil {
		c.Fail(w, r, err)
		return
	}
	a.status = status
	a.header.Set("Referrer-Policy", formReferrers)
	c.site.write(w, r, a)
}

// formReferrers lets the forms of a page name the origin that they come from,
// and no path. Under no-referrer they say "Origin: null", and over plain http
// browsers send nothing else that tells them from the forms of another site.
const formReferrers = "strict-origin"

// Fail answers with what a visitor is told about an error: a [Failure] as it
// is; for others the log has the detail.
func (c *Chrome) Fail(w http.ResponseWriter, r *http.Request, err error) {
	c.site.write(w, r, c.site.failed(r, err))
}

// Error returns the title.
func (f Failure) Error() string { return f.Title }

// As lets the failure be told as one of this package's own.
func (f Failure) As(target any) bool {
	own, ok := target.(*failure)
	if ok {
		*own = failure{status: f.Status, Title: f.Title, Text: f.Text}
	}
	return ok
}

// ErrNoPage is what [Chrome.Fail] tells about an address that has no page.
var ErrNoPage = errNoPage

// AddressGroup returns what is counted for an address of a client: an IPv4
// address, or the /64 of an IPv6 address, all of which one subscriber has.
func AddressGroup(addr string) string { return limitKey(addr) }

// within runs a handler of another package within the rate limit of pages.
func (s *site) within(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pass := func(*http.Request) (*answer, error) { return nil, nil }
		if _, err := s.limited(r, pass); err != nil {
			s.write(w, r, s.failed(r, err))
			return
		}
		h.ServeHTTP(w, r)
	})
}

// size64 writes a number of bytes that may be large.
func size64(n int64) string {
	if n < 999_950_000 {
		return size(int(n))
	}
	return strconv.FormatFloat(math.Round(float64(n)/1e8)/10, 'f', -1, 64) + " GB"
}
