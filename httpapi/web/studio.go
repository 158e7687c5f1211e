package web

import (
	"bytes"
	"cmp"
	"context"
	_ "embed" // of the sample
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

// studioView is the content of the screenshot studio.
type studioView struct {
	Config     screenshot.Config
	Language   string        // as typed; empty to detect it
	Themes     []themeChoice // those of the API
	MoreThemes []themeChoice
	Presets    []preset
	Languages  []string
	Sample     bool   // the sample is shown
	Empty      bool   // there is no code
	Custom     bool   // the background is not a preset
	Palette    string // colours to add, in order
	Parameters layout.Form
	Given      bool     // any parameter is set
	Families   []string // fonts to choose from, the default one first
	Unplaced   layout.Faults
	Modes      []markMode
	Faults     layout.Faults
	Picture    template.URL // data: URL of an SVG; empty if there are faults
	Alt        string       // see altText
	Width      int          // width of the picture
	Height     int
	Limits     map[string]option.Option[screenshot.Options]
}

// A markMode is what clicking a line number does: the parameter that the line
// is added to, and how a line in it is described.
type markMode struct{ Name, Label, Done string }

var markModes = []markMode{
	{"highlight", "Click highlights", "highlighted"}, {"focus", "Click focuses", "in focus"}, {"inserted", "Click marks as +", "added"}, {"deleted", "Click marks as −", "removed"},
}

//go:embed examples/studio.go.txt
var studioCode string

const (
	studioLanguage = "go"
	studioTitle    = "kiln.go"
)

// studio shows the studio with its sample.
func (s *site) studio(r *http.Request) (*layout.Response, error) {
	o := screenshot.Options{Language: studioLanguage, WindowTitle: studioTitle}
	return s.studioPage(r, studioCode, o, parametersOf(r.URL.Query(), ""), nil)
}

// studioForm responds to the form with the page and picture or, if a download
// button was pressed, with the file.
func (s *site) studioForm(r *http.Request) (*layout.Response, error) {
	form, err := readForm(r)
	if err != nil {
		return nil, err
	}
	code, o, bad := studioOptions(form)
	if !strings.Contains(code, "Kiln") && o.Language == studioLanguage && o.WindowTitle == studioTitle { // no longer about the sample's type
		o.Language, o.WindowTitle = "", ""
	}
	given := parametersOf(form, parameterPrefix)
	kind := form.Get("make")
	if kind == "" {
		return s.studioPage(r, code, o, given, bad)
	}
	c, err := s.config(code, o, given)
	a, err := s.draw(r, c, kind, cmp.Or(form.Get("scale"), "2"), errors.Join(bad.Err(), err))
	if found, other := invalid.Of(err); other != nil {
		return nil, other
	} else if found != nil {
		return s.studioPage(r, code, o, given, found)
	}
	return attached(a, fileName(o.WindowTitle, "code", "."+kind)), nil
}

// studioPage shows the studio with a picture or with faults: those in bad and
// those of the settings.
func (s *site) studioPage(r *http.Request, code string, o screenshot.Options, given url.Values, bad invalid.Faults) (*layout.Response, error) {
	v := studioView{Language: o.Language, Presets: gallery()[:studioPresets], Languages: layout.Languages(), Limits: make(map[string]option.Option[screenshot.Options]), Modes: markModes, Palette: strings.Join(palette, " ")}
	for _, r := range option.Of[screenshot.Options]() {
		v.Limits[r.Name] = r
	}
	v.Config = o.Fill(code)
	v.Empty = code == ""
	v.Sample = code == studioCode && o.Language == studioLanguage && o.WindowTitle == studioTitle
	v.Custom = !slices.ContainsFunc(v.Presets, func(p preset) bool { return p.CSS == v.Config.Background })
	c, err := s.config(cmp.Or(code, " "), o, given) // empty code is not an error yet
	if bad == nil && err == nil && !v.Empty {
		v.Config = c
		err = drawn(r, c.Cost(screenshot.MinScale), v.paint)
	}
	more, other := invalid.Of(err)
	if other != nil {
		return nil, other
	}
	if v.Faults, err = layout.FaultsOf(bad.With(more).Err()); err != nil {
		return nil, err
	}
	v.Parameters, v.Given = parameterForm(given, v.Faults), len(given) > 0
	v.Unplaced = v.Parameters.Unplaced(v.Faults).Except("code", "background")
	v.Families = s.Fonts.Families()
	if family := given.Get("fontFamily"); family != "" && !slices.Contains(v.Families, family) {
		v.Families = append(v.Families, family)
	}
	v.Themes, v.MoreThemes = s.themeChoices(cmp.Or(given.Get("theme"), o.Theme, highlight.DefaultTheme), preview(v.Config.Code, v.Config.Language))
	return s.Render("studio", layout.Page{
		Title: "Screenshot studio", Path: "/screenshot", Styles: []string{"tool.css", "presets.css", "themes.css", "studio.css"}, Scripts: []string{"studio.js"},
		Description: "Make a picture of code: themes, gradients, PNG and SVG.", Wide: true, Content: v,
	})
}

// paint draws the config as SVG.
func (v *studioView) paint(ctx context.Context) error {
	p, err := v.Config.Picture()
	if err != nil {
		return err
	}
	v.Width, v.Height = p.Size()
	v.Alt = altText(v.Config, p)
	var b bytes.Buffer
	if err := p.WriteSVG(ctx, &b); err != nil {
		return err
	}
	v.Picture = template.URL("data:image/svg+xml," + url.PathEscape(b.String())) // not base64: the fonts in it are, and twice compresses worse
	return nil
}

// altText describes a picture to those who do not see it, in place of its code:
// lines, language, and the title of the window or the first line.
func altText(c screenshot.Config, p *screenshot.Picture) string {
	lines := strings.Count(strings.TrimSuffix(c.Code, "\n"), "\n") + 1
	if c.Lines != (screenshot.LineRange{}) {
		lines = min(lines, max(c.Lines.From, c.Lines.To)) - c.Lines.From + 1
	}
	first, _, _ := strings.Cut(strings.TrimSpace(p.Description()), "\n")
	return fmt.Sprintf("Picture of %s of %s: %s", layout.Plural(lines, "line"), layout.LanguageName(c.Language), clip(cmp.Or(c.WindowTitle, first), maxAltTitle))
}

// maxAltTitle limits the title in an alternative text, in characters.
const maxAltTitle = 60

// clip cuts text after limit characters and appends an ellipsis.
func clip(text string, limit int) string {
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return text
}

// studioOptions parses the fields of the form.
func studioOptions(form url.Values) (code string, o screenshot.Options, bad invalid.Faults) {
	optional := func(field string) *float64 {
		text := strings.TrimSpace(form.Get(field))
		if text == "" {
			return nil
		}
		v, ok := layout.Number(text)
		if !ok {
			bad.Add(field, "invalid_type", "must be a number")
			return nil
		}
		return &v
	}
	o = screenshot.Options{
		Language: form.Get("language"), Theme: form.Get("theme"), Background: cmp.Or(form.Get("preset"), form.Get("background")), WindowTitle: form.Get("windowTitle"),
		Padding: optional("padding"), FontSize: optional("fontSize"), BorderRadius: optional("borderRadius"),
		HideLineNumbers: !form.Has("lineNumbers"), HideWindowControls: !form.Has("windowControls"), HideShadow: !form.Has("shadow"),
	}
	return strings.ReplaceAll(form.Get("code"), "\r\n", "\n"), o, bad
}

// drawRequest responds to the studio's script: it draws a JSON config. Headers
// of the response hold the detected language, percent-encoded the alternative
// text, and a warning if the scale is smaller.
func (s *site) drawRequest(r *http.Request) (*layout.Response, error) {
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	query := r.URL.Query()
	var own struct { // a theme of the visitor's own, and the config
		Config  json.RawMessage
		Palette string
	}
	if query.Has("own") {
		if err := json.Unmarshal(body, &own); err != nil {
			return layout.Refuse(noSettings)
		}
		body = own.Config
	}
	var c screenshot.Config
	if err := json.Unmarshal(body, &c); err != nil {
		return layout.Refuse(noSettings)
	}
	o := c.Options()
	if query.Has("own") {
		theme, err := ownTheme(own.Palette)
		if err != nil {
			return refuse(err)
		}
		o.Theme, o.Themes = theme.Name, []highlight.Theme{theme}
	}
	c, err = s.config(c.Code, o, parametersOf(query, ""))
	if query.Get("make") == "preview" && err == nil {
		return layout.NewResponse("text/html; charset=utf-8", []byte(preview(c.Code, c.Language))), nil
	}
	a, err := s.draw(r, c, cmp.Or(query.Get("make"), "svg"), cmp.Or(query.Get("scale"), "2"), err)
	if err != nil {
		return refuse(err)
	}
	return a, nil
}

var noSettings = layout.Faults{{Field: "fragment", Message: "holds no settings that the studio knows"}}

// maxTheme limits a theme of the visitor's own, in bytes: it is parsed for
// every picture.
const maxTheme = 256 << 10

func ownTheme(text string) (highlight.Theme, error) {
	if len(text) > maxTheme {
		return highlight.Theme{}, &invalid.Fault{Field: "theme", Reason: "too_long", Message: fmt.Sprintf("must be a file of at most %d bytes", maxTheme)}
	}
	t, err := highlight.ParseTheme([]byte(text), nil)
	if err != nil {
		return t, &invalid.Fault{Field: "theme", Reason: "invalid_format", Message: "cannot be read: " + err.Error()}
	}
	t.Name = "own theme"
	return t, nil
}

// refuse reports the field errors in err, or returns err if it has other
// errors.
func refuse(err error) (*layout.Response, error) {
	found, err := layout.FaultsOf(err)
	if err != nil {
		return nil, err
	}
	return layout.Refuse(found)
}

// studioFragment returns the URL fragment that opens the studio with code; it
// is empty if the code cannot be drawn.
func studioFragment(code string, o screenshot.Options) template.URL {
	c, err := screenshot.New(code, o)
	if err != nil {
		return ""
	}
	text, _ := c.Fragment() // of a Config that New made
	return template.URL(text)
}

// config adds parameters and the site's fonts and themes to the options.
func (s *site) config(code string, o screenshot.Options, given url.Values) (screenshot.Config, error) {
	o.Fonts, o.Themes = s.Fonts, slices.Concat(o.Themes, s.Themes)
	unread := option.Of[screenshot.Options]().InQuery().SetStrict(&o, given)
	c, illegal := screenshot.New(code, o)
	return c, errors.Join(illegal, unread)
}

// draw draws a picture as png, webp or svg. Errors in kind and scale are joined
// to the known ones.
func (s *site) draw(r *http.Request, c screenshot.Config, kind, scale string, known error) (*layout.Response, error) {
	pixels, unread := screenshot.ParseScale(scale)
	types := map[string]string{"svg": "image/svg+xml", "png": "image/png", "webp": "image/webp"}
	if types[kind] == "" {
		unread = errors.Join(unread, &invalid.Fault{Field: "make", Reason: "not_one_of", Message: "must be png, webp or svg"})
	}
	if err := errors.Join(known, unread); err != nil {
		return nil, err
	}
	cost := c.Cost(pixels)
	if kind == "webp" {
		if err := reserve(r, int(cost.WebP().Memory-cost.Memory)); err != nil {
			return nil, err
		}
		cost = cost.WebP()
	}
	var b bytes.Buffer
	var alt, smaller string
	err := drawn(r, cost, func(ctx context.Context) error {
		c.Workers = fair.FromContext(ctx).Workers(cost.Work)
		p, err := c.Picture()
		if err != nil {
			return err
		}
		alt = altText(c, p)
		switch kind {
		case "png":
			return p.WritePNG(ctx, &b, pixels)
		case "webp":
			smaller = p.WebPWarning(pixels)
			return p.WriteWebP(ctx, &b, pixels)
		default:
			return p.WriteSVG(ctx, &b)
		}
	})
	if err != nil {
		return nil, err
	}
	a := picture(types[kind], b.Bytes())
	a.Header.Set("X-Language", c.Language)
	a.Header.Set("X-Description", url.PathEscape(alt))
	a.Header.Set("X-Warning", smaller)
	return a, nil
}

// picture responds with an image that cannot run scripts.
func picture(contentType string, body []byte) *layout.Response {
	a := layout.NewResponse(contentType, body)
	a.Header.Set("Content-Security-Policy", picturePolicy)
	return a
}

// picturePolicy permits an SVG only its embedded styles, images and font.
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:; sandbox; frame-ancestors 'none'"

// maxBody limits a form or a config, in bytes. 50,000 characters take up to 12
// bytes each in either.
const maxBody = 1 << 20

func readBody(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return nil, layout.Unreadable
	}
	if len(body) > maxBody {
		return nil, tooLarge
	}
	return body, nil
}

func readForm(r *http.Request) (url.Values, error) {
	if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); strings.TrimSpace(kind) != "application/x-www-form-urlencoded" {
		return nil, layout.Unreadable
	}
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, layout.Unreadable
	}
	return form, nil
}

var tooLarge = layout.Failure{
	Status: http.StatusRequestEntityTooLarge, Title: "This is too large",
	Text: "The studio takes 50,000 characters of code. Make a picture of the part that matters.",
}

// parameterPrefix starts the names of the studio's fields for the parameters of
// pictures, which requests and the studio's URL have without it.
const parameterPrefix = "with-"

// parameterForm returns the fields of the parameters, except of the theme,
// which has a gallery.
func parameterForm(given url.Values, faults layout.Faults) layout.Form {
	table := slices.DeleteFunc(option.Of[screenshot.Options]().InQuery(), func(p option.Option[screenshot.Options]) bool { return p.Name == "theme" })
	return layout.NewForm(table, given, faults)
}

// parametersOf returns the nonempty parameters of a query or form whose field
// names start with prefix.
func parametersOf(values url.Values, prefix string) url.Values {
	given := make(url.Values)
	for _, name := range option.Of[screenshot.Options]().InQuery().Names() {
		if v := strings.TrimSpace(strings.Join(values[prefix+name], ",")); v != "" {
			given.Set(name, v)
		}
	}
	return given
}
