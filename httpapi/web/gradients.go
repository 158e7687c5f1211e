package web

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"image/color"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/gradient/export"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/screenshot"
)

// gradientView is the content of the gradient page.
type gradientView struct {
	Form    layout.Form
	Stops   []stopField
	Full    bool   // no colour can be added
	Least   bool   // no colour can be removed
	Palette string // colours to add, in order
	Easing  string
	Text    string // colour of text
	Pasted  string
	Note    string // about pasted CSS
	Targets []export.Format
	Target  string
	Gallery []preset

	Faults layout.Faults
	gradientResult
	Picture template.URL
}

// A stopField is a colour stop in the form.
type stopField struct {
	Number   int // from 1
	Color    string
	Position string // may be empty
	Wrong    string // fault with the colour or position
}

// gradientResult is the result of the form, also sent to the page's script.
type gradientResult struct {
	CSS    string   `json:"css"`
	Code   string   `json:"code"`   // for the chosen target
	About  string   `json:"about"`  // what the code is
	Colors []string `json:"colors"` // in the API's notation

	White        contrasts    `json:"white"`
	Black        contrasts    `json:"black"`
	TextContrast contrasts    `json:"text"`
	Studio       template.URL `json:"studio"`
}

// contrasts describes the lowest contrast of text in one colour.
type contrasts struct {
	Ratio string `json:"ratio"`
	Grade string `json:"grade"`
}

func (s *site) gradientPage(r *http.Request) (*layout.Response, error) {
	v, err := makeGradientView(r.URL.Query())
	if err != nil {
		return nil, err
	}
	if negotiate.WantsJSON(r.Header) {
		if v.Faults != nil {
			return layout.Refuse(v.Faults)
		}
		return layout.JSON(v.gradientResult)
	}
	v.Gallery = gallery()
	v.Picture = template.URL(s.Path("/gradient/picture.svg") + "?" + url.Values{"css": {v.CSS}}.Encode())
	return s.Render("gradient", layout.Page{
		Title: "Gradient", Path: "/gradient", Styles: []string{"tool.css", "presets.css", "gradient.css"}, Scripts: []string{"gradient.js"},
		Description: "Make a gradient in OKLCH and other colour spaces, as CSS or as code for apps, with the contrast of text on it.", Content: v,
	})
}

// makeGradientView reads the form and makes the gradient or the faults.
func makeGradientView(sent url.Values) (*gradientView, error) {
	q, note, pasted := readGradientForm(sent)
	v := &gradientView{
		Palette: strings.Join(palette, " "), Easing: strings.TrimSpace(q.Get("easing")), Text: strings.TrimSpace(q.Get("text")),
		Pasted: q.Get("css"), Note: note, Target: cmp.Or(q.Get("format"), "css"), Targets: export.Formats(),
		Full: len(q["color"]) >= gradient.MaxColors, Least: len(q["color"]) <= gradient.MinColors,
	}
	o, unread := optionsOf(q)
	g, refused := gradient.New(q["color"], o)
	g, badEasing := eased(g, v.Easing)
	text, badText := gradient.ParseColor(cmp.Or(v.Text, "black"))
	if badText != nil {
		badText = &invalid.Fault{Field: "textColor", Reason: "invalid_format", Message: "must be a CSS color, such as #f00 or red"}
	}
	faults, other := invalid.Of(errors.Join(pasted, unread))
	more, last := invalid.Of(errors.Join(refused, badEasing, badText))
	if err := errors.Join(other, last); err != nil {
		return nil, err
	}
	v.Faults, _ = layout.FaultsOf(faults.With(more).Err())
	if isMade := errors.Join(pasted, unread, refused, badEasing) == nil; isMade {
		v.gradientResult = gradientResult{
			CSS: g.CSS(), Colors: q["color"], Studio: studioLink(g),
			White: contrastOf(g, color.NRGBA{255, 255, 255, 255}), Black: contrastOf(g, color.NRGBA{A: 255}),
		}
		if v.Text != "" && badText == nil {
			v.TextContrast = contrastOf(g, text.NRGBA())
		}
		v.writeCode(g)
	}
	v.Form = layout.NewForm(option.Of[gradient.Options](), q, v.Faults)
	for i, c := range q["color"] {
		field := "[" + strconv.Itoa(i) + "]"
		wrong := cmp.Or(v.Faults.Of("colors"+field), v.Faults.Of("positions"+field))
		v.Stops = append(v.Stops, stopField{i + 1, c, q["position"][i], wrong})
	}
	return v, nil
}

// eased returns the gradient with an easing, as plain stops. An empty text is no
// easing.
func eased(g gradient.Gradient, text string) (gradient.Gradient, error) {
	easing, err := gradient.ParseEasing(cmp.Or(text, "linear"))
	if fault, ok := errors.AsType[*gradient.ParseError](err); ok {
		return g, &invalid.Fault{Field: "easing", Reason: "invalid_format", Message: "must be " + fault.Expected}
	}
	if easing == (gradient.Easing{}) {
		return g, nil
	}
	return g.Expand(gradient.ExpandOptions{Easing: easing})
}

// writeCode writes the code for the chosen target, or why there is none.
func (v *gradientView) writeCode(g gradient.Gradient) {
	for _, t := range v.Targets {
		if t.Name == v.Target {
			v.About = "This is " + t.About + "."
		}
	}
	var text strings.Builder
	if err := export.Write(&text, g, v.Target, export.Options{}); err != nil {
		faults, _ := layout.FaultsOf(err)
		v.About = strings.Replace(faults[0].Sentence(), "Format must not be "+v.Target, "There is no such code", 1)
	}
	v.Code = strings.TrimSuffix(text.String(), "\n")
}

// The size of the picture on the page, in pixels.
const (
	pictureWidth  = 1200
	pictureHeight = 480
)

// gradientPicture responds with the gradient of the query as SVG.
func (s *site) gradientPicture(r *http.Request) (*layout.Response, error) {
	v, err := makeGradientView(r.URL.Query())
	if err != nil {
		return nil, err
	}
	if v.CSS == "" {
		return layout.Refuse(v.Faults)
	}
	g, err := gradient.Parse(v.CSS)
	if err != nil {
		return nil, err
	}
	width, height := pictureWidth, pictureHeight
	if g.Kind() == gradient.Conic { // an SVG embeds a conic gradient as a bitmap, which is heavy when large
		width, height = width/3, height/3
	}
	var b bytes.Buffer
	if err := g.WriteSVG(&b, width, height); err != nil {
		return nil, err
	}
	return picture("image/svg+xml", b.Bytes()), nil
}

// contrastOf grades the contrast of text by WCAG 2.
func contrastOf(g gradient.Gradient, text color.NRGBA) contrasts {
	ratio := g.Contrast(text)
	c := contrasts{Ratio: strconv.FormatFloat(float64(int(ratio*10))/10, 'f', 1, 64)}
	switch {
	case ratio >= 7:
		c.Grade = "fine for any text (AAA)"
	case ratio >= 4.5:
		c.Grade = "fine for any text (AA)"
	case ratio >= 3:
		c.Grade = "only for large text"
	default:
		c.Grade = "hard to read"
	}
	return c
}

// studioLink returns the URL fragment that opens the studio with the gradient
// as background; it is empty if the studio cannot show it.
func studioLink(g gradient.Gradient) template.URL {
	plain, err := g.Expand(gradient.ExpandOptions{})
	if err != nil {
		return ""
	}
	return studioFragment("Put your code here.", screenshot.Options{Background: plain.CSS(), Language: "text"})
}

// A preset is a gradient to start from.
type preset struct {
	Name, CSS string
	Class     string // whose background is the gradient
	Query     template.URL
}

// galleryFile has a line for each preset: its name and its CSS.
//
//go:embed examples/gradients.tsv
var galleryFile string

// gallery returns the presets in the order of the file, those of the studio
// first.
var gallery = sync.OnceValue(func() []preset {
	var all []preset
	for line := range strings.Lines(galleryFile) {
		name, css, _ := strings.Cut(strings.TrimSpace(line), "\t")
		g, _ := gradient.Parse(css) // a test reads them all
		class := "ground-" + strings.ToLower(strings.ReplaceAll(name, " ", "-"))
		all = append(all, preset{name, g.CSS(), class, template.URL(url.Values{"css": {css}}.Encode())})
	}
	return all
})

// studioPresets is the number of presets that the studio shows.
const studioPresets = 8

// presetStyles returns the CSS classes of the presets.
func presetStyles() []byte {
	var b bytes.Buffer
	for _, p := range gallery() {
		fmt.Fprintf(&b, ".%s{background:%s}\n", p.Class, p.CSS)
	}
	return b.Bytes()
}
