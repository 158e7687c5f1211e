package web

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed templates
var templateFiles embed.FS

const (
	htmlText  = "text/html; charset=utf-8"
	plainText = "text/plain; charset=utf-8"
)

// A page is what the layout shows, and around which content.
type page struct {
	Title       string
	Description string   // for search engines and previews of links; may be empty
	Path        string   // of the page, to mark its link in the navigation; may be empty
	Styles      []string // assets that the page needs beside those of the layout
	Scripts     []string // modules
	Private     bool     // keep it out of search engines
	Wide        bool     // the content uses the whole window
	Content     any
}

// views are the pages' templates, each together with the layout.
type views map[string]*template.Template

// parseLayout reads the template that is around every page.
func (s *site) parseLayout() (*template.Template, error) {
	return template.New("layout").Funcs(template.FuncMap{
		"path":   func(p string) string { return s.base + p },
		"asset":  func(name string) (string, error) { return s.assetPath(name) },
		"icon":   icon,
		"tools":  func() []tool { return tools[:] },
		"sample": func(name, text string) sample { return sample{Name: name, Text: text} },
		"folded": func(i int, name, text string) sample { return sample{name, text, i > 0} },
		"titled": titled,
	}).ParseFS(templateFiles, "templates/layout.html")
}

// parseViews reads the templates. Every file but layout.html is a page.
func (s *site) parseViews() (views, error) {
	layout, err := s.parseLayout()
	if err != nil {
		return nil, err
	}
	files, err := fs.Glob(templateFiles, "templates/*.html")
	if err != nil {
		return nil, err
	}
	return parsePages(layout, templateFiles, slices.DeleteFunc(files, func(file string) bool {
		return path.Base(file) == "layout.html"
	}))
}

// parsePages reads pages into copies of a layout.
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

// assetPath returns the address of an asset. One that does not exist is an
// error: a page never asks for what is not there.
func (s *site) assetPath(name string) (string, error) {
	all, err := sharedAssets()
	if err != nil {
		return "", err
	}
	if all.files[name] == nil {
		return "", fmt.Errorf("web: no asset %s", name)
	}
	return s.base + assetPrefix + all.version + "/" + name, nil
}

// render makes the answer for a page.
func (s *site) render(view string, p page) (*answer, error) {
	all, err := s.views()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := all[view].ExecuteTemplate(&b, "layout", p); err != nil {
		return nil, err
	}
	a := newAnswer(htmlText, b.Bytes())
	a.header.Set("Content-Security-Policy", securityPolicy)
	if p.Private {
		a.hidden()
	}
	return a, nil
}

// A tool is a page of the navigation.
type tool struct{ Path, Name string }

var tools = [...]tool{{"/screenshot", "Screenshot"}, {"/gradient", "Gradient"}, {"/slug", "Slug"}, {"/docs", "API"}}

// icons are drawn on a grid of 20 by 20, with lines 1.6 wide.
var icons = map[string]string{
	"check":    "M4 10.5l4 4 8-9",
	"copy":     "M7.5 7.5V4.2c0-.7.5-1.2 1.2-1.2h7.1c.7 0 1.2.5 1.2 1.2v7.1c0 .7-.5 1.2-1.2 1.2h-3.3M4.2 7.5h7.1c.7 0 1.2.5 1.2 1.2v7.1c0 .7-.5 1.2-1.2 1.2H4.2c-.7 0-1.2-.5-1.2-1.2V8.700c0-.7.5-1.2 1.2-1.2z",
	"raw":      "M11.500 2.800H5.700c-.7 0-1.200.5-1.200 1.200v12c0 .7.5 1.200 1.200 1.200h8.600c.7 0 1.200-.5 1.200-1.200V6.800zM11.500 2.800v4h4M7.500 10.500h5M7.500 13.500h5",
	"download": "M10 3v9.500M5.800 8.600L10 12.800l4.200-4.200M3.500 16.700h13",
	"image":    "M4.200 3.500h11.600c.7 0 1.200.5 1.200 1.200v10.600c0 .7-.5 1.200-1.200 1.200H4.200c-.7 0-1.200-.5-1.200-1.200V4.700c0-.7.5-1.200 1.200-1.200zM3.500 14l4-4 3.500 3.500 2.500-2.500 3 3M13 7.400h.01",
	"search":   "M8.800 3.500a5.300 5.300 0 1 1 0 10.600 5.300 5.300 0 0 1 0-10.600zM12.800 12.800L17 17",
	"up":       "M10 16.500v-13M4.800 8.700L10 3.500l5.200 5.200",
	"down":     "M10 3.500v13M4.800 11.300L10 16.500l5.200-5.200",
	"wrap":     "M3 5h14M3 10h11a3 3 0 0 1 0 6h-4M12 13.800L9.800 16l2.200 2.200M3 15h3.500",
	"link":     "M8.500 11.500a3.300 3.300 0 0 0 4.700 0l2.900-2.900a3.300 3.300 0 0 0-4.700-4.700l-1 1M11.500 8.500a3.300 3.300 0 0 0-4.700 0l-2.900 2.900a3.300 3.300 0 0 0 4.700 4.700l1-1",
	"plus":     "M10 4v12M4 10h12",
	"minus":    "M4 10h12",
	"clock":    "M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM10 6v4.200l2.800 1.800",
}

// icon returns a picture that goes with a word; it says nothing by itself.
func icon(name string) (template.HTML, error) {
	d, ok := icons[name]
	if !ok {
		return "", fmt.Errorf("web: no icon %s", name)
	}
	return template.HTML(`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="` + d + `"/></svg>`), nil
}
