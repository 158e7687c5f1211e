package web

import (
	"html/template"
	"io/fs"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"net/url"
	"path"
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

// sharedAssets returns the assets of all handlers of the process: drawing their
// pictures takes a moment, and once will do.
var sharedAssets = sync.OnceValues(loadAssets)

// NewChrome reads the templates of pages: each file defines "content" and is
// known by its name without the extension. What a file defines whose name
// starts with "_" is there for all of them. baseURL and log are those of
// [Options].
func NewChrome(templates fs.FS, baseURL *url.URL, log *slog.Logger) (*Chrome, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	s := &site{Options: Options{BaseURL: baseURL, Log: log, Now: time.Now}}
	if baseURL != nil {
		s.base = strings.TrimRight(baseURL.EscapedPath(), "/")
	}
	var err error
	if s.assets, err = sharedAssets(); err != nil {
		return nil, err
	}
	if s.views, err = s.parseViews(); err != nil {
		return nil, err
	}
	own, err := s.parsePages(templates)
	if err != nil {
		return nil, err
	}
	maps.Copy(s.views, own)
	return &Chrome{s}, nil
}

// parsePages reads templates into copies of the layout.
func (s *site) parsePages(templates fs.FS) (views, error) {
	files, err := fs.Glob(templates, "*.html")
	if err != nil {
		return nil, err
	}
	layout, err := s.views["failure"].Clone()
	if err != nil {
		return nil, err
	}
	layout.Funcs(template.FuncMap{
		"plural": plural, "thousands": thousands, "size": size,
		"thousands64": func(n int64) string { return thousands(int(n)) },
		"size64":      size64,
		"languages":   func() []string { return studioLanguages },
	})
	for _, file := range files {
		if strings.HasPrefix(file, "_") {
			if _, err := layout.ParseFS(templates, file); err != nil {
				return nil, err
			}
		}
	}
	all := make(views)
	for _, file := range files {
		if strings.HasPrefix(file, "_") {
			continue
		}
		own, err := layout.Clone()
		if err != nil {
			return nil, err
		}
		if own, err = own.ParseFS(templates, file); err != nil {
			return nil, err
		}
		all[strings.TrimSuffix(file, path.Ext(file))] = own
	}
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
