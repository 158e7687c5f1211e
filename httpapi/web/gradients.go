package web

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"image/color"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/gradient/export"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/screenshot"
)

// gradientView is the content of the gradient page.
type gradientView struct {
	Type    string // linear, radial or conic
	Angle   string
	Note    string // about pasted CSS
	Pasted  string
	Stops   []stopField
	Full    bool // no colour can be added
	Least   bool // no colour can be removed
	Presets []preset
	Palette string // colours to add, in order

	Choice   map[string]string // by name in choiceFields
	Problems []layout.Problem
	gradientResult
	Picture template.URL
}

// A stopField is a colour stop in the form.
type stopField struct {
	Number   int // from 1
	Color    string
	Position string // may be empty
	Wrong    string // problem with the colour or position
}

// gradientResult is the result of the form, also sent to the page's script.
type gradientResult struct {
	CSS      string    `json:"css"`
	Prefixed string    `json:"prefixed"`
	Request  string    `json:"request"`
	White    contrasts `json:"white"`
	Black    contrasts `json:"black"`
	Colors   []string  `json:"colors"` // in the API's notation

	Export       string       `json:"export"`
	TextContrast contrasts    `json:"text"`
	Studio       template.URL `json:"studio"`
}

// contrasts describes the lowest contrast of text in one colour.
type contrasts struct {
	Ratio string `json:"ratio"`
	Grade string `json:"grade"`
}

// A preset is a gradient to start from.
type preset struct {
	Name   string
	Colors []string
	Angle  int
	Class  string
	Query  template.URL
}

// CSS returns the CSS of a preset.
func (p preset) CSS() string {
	g, err := gradient.New(p.Colors, gradient.Options{Angle: new(float64(p.Angle))})
	if err != nil {
		return ""
	}
	return g.CSS()
}

var presets = [...]preset{
	{Name: "Devkiln", Colors: []string{"#3b1f52", "#b03a14", "#ff8f61"}, Angle: 120},
	{Name: "Indigo", Colors: []string{"#667eea", "#764ba2"}, Angle: 135},
	{Name: "Glaze", Colors: []string{"#0f766e", "#5eead4"}, Angle: 135},
	{Name: "Dusk", Colors: []string{"#1e1b4b", "#7c3aed", "#f472b6"}, Angle: 140},
	{Name: "Celadon", Colors: []string{"#d9f99d", "#86c5a4", "#3f7d6e"}, Angle: 160},
	{Name: "Porcelain", Colors: []string{"#f8fafc", "#cbd5e1"}, Angle: 160},
	{Name: "Ash", Colors: []string{"#292524", "#57534e"}, Angle: 135},
	{Name: "Straw", Colors: []string{"#fde68a", "#f59e0b", "#b45309"}, Angle: 110},
}

// palette holds the colours to add. The first one not yet in use is taken, so
// that the new stop is visible.
var palette = []string{"#b03a14", "#ffd479", "#0f766e", "#7c3aed", "#f472b6", "#5eead4", "#1e1b4b", "#d9f99d", "#667eea", "#f8fafc"}

// fresh returns the first colour of the palette that is not in others.
func fresh(others []string) string {
	for _, c := range palette {
		if !slices.Contains(others, c) {
			return c
		}
	}
	return palette[0]
}

// presetList returns the presets with their classes and queries.
func presetList() []preset {
	list := slices.Clone(presets[:])
	for i := range list {
		p := &list[i]
		p.Class = "ground-" + strings.ToLower(p.Name)
		q := url.Values{"color": p.Colors, "angle": {strconv.Itoa(p.Angle)}}
		p.Query = template.URL(q.Encode())
	}
	return list
}

// presetStyles returns the CSS classes of the presets.
func presetStyles() []byte {
	var b bytes.Buffer
	for _, p := range presetList() {
		fmt.Fprintf(&b, ".%s{background:%s}\n", p.Class, p.CSS())
	}
	return b.Bytes()
}

func (s *site) gradientPage(r *http.Request) (*layout.Response, error) {
	v, err := readGradientForm(r.URL.Query())
	if err != nil {
		return nil, err
	}
	if negotiate.WantsJSON(r.Header) {
		if v.Problems != nil {
			return layout.Refuse(v.Problems)
		}
		return layout.JSON(v.gradientResult)
	}
	v.Picture = template.URL(s.Path("/gradient/picture.svg") + "?" + v.query().Encode())
	return s.Render("gradient", layout.Page{
		Title: "Gradient", Path: "/gradient", Styles: []string{"tool.css", "presets.css"}, Scripts: []string{"gradient.js"},
		Description: "Make a CSS gradient, with prefixed forms that look the same and the contrast of text on it.", Content: &v,
	})
}

// The size of the picture on the page, in pixels.
const (
	pictureWidth  = 1200
	pictureHeight = 480
)

// gradientPicture responds with the gradient of the query as SVG.
func (s *site) gradientPicture(r *http.Request) (*layout.Response, error) {
	v, err := readGradientForm(r.URL.Query())
	if err != nil {
		return nil, err
	}
	if v.CSS == "" {
		return nil, badPicture(v.Problems)
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

// badPicture returns the failure for a picture with an invalid query.
func badPicture(all []layout.Problem) layout.Failure {
	sentences := make([]string, len(all))
	for i, p := range all {
		sentences[i] = p.Sentence()
	}
	return layout.Failure{Status: http.StatusBadRequest, Title: "This is no gradient", Text: strings.Join(sentences, " ")}
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

// finish adds the export, the text contrast and the studio link.
func (v *gradientView) finish(g gradient.Gradient) {
	var text strings.Builder
	err := export.Write(&text, g, cmp.Or(v.Choice["format"], "css"), export.Options{})
	v.Export = text.String()
	if err != nil {
		v.Export = err.Error()
	}
	if c, err := gradient.ParseColor(v.Choice["text"]); err == nil {
		v.TextContrast = contrastOf(g, c)
	}
	v.Studio = studioLink(g)
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
