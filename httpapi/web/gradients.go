package web

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"image/color"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/gradient/export"
	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/httpapi/web/layout"
	"github.com/devkiln/devkiln/screenshot"
)

// gradientView is the content of the gradient page.
type gradientView struct {
	Type    string // linear, radial or conic
	Angle   string
	Note    string // about what was pasted
	Pasted  string
	Stops   []stopField
	Full    bool // no colour can be added
	Least   bool // none can be removed
	Presets []preset
	Palette string // colours that are added one after the other

	Choice   map[string]string // of choiceFields
	Problems []layout.Problem
	gradientResult
	Picture template.URL
}

// A stopField is one colour of the form.
type stopField struct {
	Number   int // from 1
	Color    string
	Position string // may be empty
	Wrong    string // with either
}

// gradientResult is what the page says about a gradient.
type gradientResult struct {
	CSS      string    `json:"css"`
	Prefixed string    `json:"prefixed"`
	Request  string    `json:"request"`
	White    contrasts `json:"white"`
	Black    contrasts `json:"black"`
	Colors   []string  `json:"colors"` // as the API wants them

	Export       string       `json:"export"`
	TextContrast contrasts    `json:"text"`
	Studio       template.URL `json:"studio"`
}

// contrasts say how well text of a colour can be read where it is worst.
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

// CSS is the gradient of a preset.
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

// palette are the colours that are added to others: the first that is not among
// them yet, so that it is seen.
var palette = []string{"#b03a14", "#ffd479", "#0f766e", "#7c3aed", "#f472b6", "#5eead4", "#1e1b4b", "#d9f99d", "#667eea", "#f8fafc"}

// fresh returns the first colour of the palette that is not among others.
func fresh(others []string) string {
	for _, c := range palette {
		if !slices.Contains(others, c) {
			return c
		}
	}
	return palette[0]
}

// presetList returns the presets with what links to them.
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

// presetStyles returns the classes of the presets.
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

// The box of the picture on the page.
const (
	pictureWidth  = 1200
	pictureHeight = 480
)

// gradientPicture responds with the gradient of a query as SVG.
func (s *site) gradientPicture(r *http.Request) (*layout.Response, error) {
	v, err := readGradientForm(r.URL.Query())
	if err != nil {
		return nil, err
	}
	if v.Problems != nil {
		return nil, badPicture(v.Problems)
	}
	g, err := gradient.Parse(v.CSS)
	if err != nil {
		return nil, err
	}
	width, height := pictureWidth, pictureHeight
	if g.Kind() == gradient.Conic { // which SVG has as an image, and large ones are heavy
		width, height = width/3, height/3
	}
	var b bytes.Buffer
	if err := g.WriteSVG(&b, width, height); err != nil {
		return nil, err
	}
	return picture("image/svg+xml", b.Bytes()), nil
}

// badPicture is the failure of a picture whose address says something wrong.
func badPicture(all []layout.Problem) layout.Failure {
	sentences := make([]string, len(all))
	for i, p := range all {
		sentences[i] = p.Sentence()
	}
	return layout.Failure{Status: http.StatusBadRequest, Title: "This is no gradient", Text: strings.Join(sentences, " ")}
}

// readGradientForm reads the query of the gradient page and does what it asks:
// the buttons that add and remove colours are part of it.
func readGradientForm(q url.Values) (gradientView, error) {
	v := gradientView{Type: "linear", Angle: q.Get("angle"), Presets: presetList(), Palette: strings.Join(palette, " "), Choice: make(map[string]string)}
	for _, name := range choiceFields {
		v.Choice[name] = strings.TrimSpace(q.Get(name))
	}
	if kind, err := gradient.ParseKind(q.Get("type")); err == nil {
		v.Type = kind.String()
	}
	colors, positions := q["color"], q["position"]
	if len(colors) == 0 {
		colors, v.Angle = exampleColors, strconv.Itoa(exampleAngle)
	}
	for i, c := range colors {
		f := stopField{Color: hexOf(c)}
		if i < len(positions) {
			f.Position = strings.TrimSpace(positions[i])
		}
		v.Stops = append(v.Stops, f)
	}
	if v.Pasted = strings.TrimSpace(q.Get("css")); v.Pasted != "" {
		v.paste(v.Pasted)
	}
	if len(v.Stops) >= gradient.MinColors {
		v.do(q.Get("do"))
	}
	if i, ok := layout.Whole(q.Get("remove")); ok && i >= 1 && i <= len(v.Stops) && len(v.Stops) > gradient.MinColors {
		v.Stops = slices.Delete(v.Stops, i-1, i)
	}
	if q.Has("add") && len(v.Stops) < gradient.MaxColors {
		v.addStop()
	}
	v.Full, v.Least = len(v.Stops) >= gradient.MaxColors, len(v.Stops) <= gradient.MinColors
	if len(v.Stops) > 2*gradient.MaxColors {
		v.Stops = v.Stops[:2*gradient.MaxColors] // enough to say that they are too many
	}
	for i := range v.Stops {
		v.Stops[i].Number = i + 1
	}
	if err := v.make(); err != nil {
		return v, err
	}
	for i := range v.Stops {
		v.Stops[i].Wrong = cmp.Or(v.Wrong(fmt.Sprintf("colors[%d]", i)), v.Wrong(fmt.Sprintf("positions[%d]", i)))
	}
	return v, nil
}

// addStop adds a colour where it is seen: behind the last, or, where all have a
// place, in the middle of the widest gap.
func (v *gradientView) addStop() {
	added := stopField{Color: fresh(v.colors())}
	at, widest := len(v.Stops), -1.0
	for i := range v.Stops {
		from, placed := layout.Number(v.Stops[i].Position)
		if !placed {
			at, added.Position = len(v.Stops), ""
			break
		}
		if i+1 == len(v.Stops) {
			break
		}
		if to, _ := layout.Number(v.Stops[i+1].Position); to-from > widest {
			at, widest = i+1, to-from
			added.Position = strconv.FormatFloat(math.Round((from+to)*5)/10, 'f', -1, 64)
		}
	}
	v.Stops = slices.Insert(v.Stops, at, added)
}

// hexOf writes any colour of CSS as hex digits, opaque ones as the API wants
// them, and leaves what is none as it is.
func hexOf(text string) string {
	text = strings.TrimSpace(text)
	c, err := gradient.ParseColor(text)
	if err != nil {
		return text
	}
	return gradient.FormatHex(c)
}

// Wrong returns what is wrong with a field, or nothing.
func (v *gradientView) Wrong(field string) string { return wrong(v.Problems, field) }

// Others are the problems that have no place of their own in the form.
func (v *gradientView) Others() []layout.Problem {
	return others(v.Problems, "angle", "colors[", "positions[", "css", "easing", "center", "text")
}

// make fills in the result, or the problems.
func (v *gradientView) make() error {
	o := gradient.Options{}
	fields := []any{"colors", v.colors()}
	kind, err := gradient.ParseKind(v.Type)
	if err != nil {
		return err
	}
	o.Kind = kind
	if kind != gradient.Linear {
		fields = append(fields, "type", v.Type)
	}
	if v.Angle != "" && kind != gradient.Radial {
		angle, ok := layout.Number(v.Angle)
		if !ok {
			v.Problems = append(v.Problems, layout.Problem{Field: "angle", Message: "must be a number of degrees"})
		}
		o.Angle = &angle
		fields = append(fields, "angle", angle)
	}
	easing := v.apply(&o)
	if o.Positions = v.positions(); o.Positions != nil {
		fields = append(fields, "positions", o.Positions)
	}
	g, err := gradient.New(v.colors(), o)
	found, err := layout.Problems(err)
	if v.Problems = append(v.Problems, found...); v.Problems != nil || err != nil {
		return err
	}
	if easing != (gradient.Easing{}) {
		if g, err = g.Expand(gradient.ExpandOptions{Easing: easing}); err != nil {
			v.Problems, err = layout.Problems(err)
			return err
		}
	}
	v.gradientResult = resultOf(g, v.colors())
	if kind != gradient.Conic && !v.beyondAPI() && !o.Alpha {
		v.Request = request(fields...)
	}
	v.finish(g)
	return nil
}

func resultOf(g gradient.Gradient, colors []string) gradientResult {
	return gradientResult{
		CSS: g.CSS(), Prefixed: g.CSSWithPrefixes(), Colors: colors,
		White: contrastOf(g, color.NRGBA{255, 255, 255, 255}), Black: contrastOf(g, color.NRGBA{A: 255}),
	}
}

func (v *gradientView) colors() []string {
	colors := make([]string, len(v.Stops))
	for i, stop := range v.Stops {
		colors[i] = stop.Color
	}
	return colors
}

// positions returns nil if every position is empty; else, those that are empty
// are where they are without positions.
func (v *gradientView) positions() []float64 {
	given := false
	all := make([]float64, len(v.Stops))
	for i, stop := range v.Stops {
		all[i] = float64(i) / float64(max(1, len(v.Stops)-1)) * 100
		if stop.Position == "" {
			continue
		}
		given = true
		var ok bool
		if all[i], ok = layout.Number(stop.Position); !ok {
			v.Problems = append(v.Problems, layout.Problem{Field: fmt.Sprintf("positions[%d]", i), Message: "must be a number from 0 to 100"})
		}
	}
	if !given {
		return nil
	}
	return all
}

// query returns the query of what the form shows now.
func (v *gradientView) query() url.Values {
	q := url.Values{}
	if v.Type != "linear" {
		q.Set("type", v.Type)
	}
	for name, value := range v.Choice {
		if value != "" {
			q.Set(name, value)
		}
	}
	if v.Angle != "" {
		q.Set("angle", v.Angle)
	}
	for _, stop := range v.Stops {
		q.Add("color", stop.Color)
		q.Add("position", stop.Position)
	}
	return q
}

// contrastOf grades by WCAG 2.
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

// The form of the gradient page has all that the library lays out. What the API
// does not have is beneath a heading that says so.

// choiceFields are the fields that the API does not have. Empty ones are the
// library's defaults.
var choiceFields = []string{"space", "hue", "easing", "shape", "x", "y", "text", "format", "repeating"}

// beyondAPI reports whether a choice is one that the API does not have.
func (v *gradientView) beyondAPI() bool {
	c := v.Choice
	return cmp.Or(c["space"], "srgb") != "srgb" || cmp.Or(c["easing"], "linear") != "linear" || cmp.Or(c["shape"], "circle") != "circle" || c["x"]+c["y"]+c["repeating"] != ""
}

// Beyond reports whether the fields beyond the API are in use.
func (v *gradientView) Beyond() bool {
	return v.beyondAPI() || v.Wrong("easing")+v.Wrong("center") != ""
}

// Spaces are the spaces to interpolate in.
func (*gradientView) Spaces() []string { return namesTo(gradient.HWB) }

// Hues are the ways around the colour wheel.
func (*gradientView) Hues() []string { return namesTo(gradient.DecreasingHue) }

// namesTo returns the names of the values from 0 to the last.
func namesTo[T interface {
	~uint8
	String() string
}](last T) (names []string) {
	for v := T(0); v <= last; v++ {
		names = append(names, v.String())
	}
	return names
}

// Formats are the targets of an export.
func (*gradientView) Formats() []export.Format { return export.Formats() }

// apply lays out a gradient; what is wrong goes to the problems.
func (v *gradientView) apply(o *gradient.Options) (easing gradient.Easing) {
	note := func(field string, err error) {
		if err == nil {
			return
		}
		wanted := "must be a known one"
		if fault, ok := errors.AsType[*gradient.ParseError](err); ok {
			wanted = "must be " + fault.Expected
		} else if all, other := layout.Problems(err); other == nil {
			wanted = all[0].Message
		}
		v.Problems = append(v.Problems, layout.Problem{Field: field, Message: wanted})
	}
	var err error
	if v.Choice["space"] != "" {
		o.Space, err = gradient.ParseSpace(v.Choice["space"])
		note("space", err)
	}
	if v.Choice["hue"] != "" {
		o.Hue, err = gradient.ParseHue(v.Choice["hue"])
		note("hue", err)
	}
	if v.Choice["easing"] != "" {
		easing, err = gradient.ParseEasing(v.Choice["easing"])
		note("easing", err)
	}
	if v.Choice["shape"] == gradient.Ellipse.String() {
		o.Shape = gradient.Ellipse
	}
	if v.Choice["x"]+v.Choice["y"] != "" {
		x, okX := layout.Number(cmp.Or(v.Choice["x"], "50"))
		y, okY := layout.Number(cmp.Or(v.Choice["y"], "50"))
		if !okX || !okY {
			v.Problems = append(v.Problems, layout.Problem{Field: "center", Message: "must be two percentages"})
		}
		o.Center = &gradient.Point{X: x, Y: y}
	}
	o.Repeating = v.Choice["repeating"] != ""
	o.Alpha = slices.ContainsFunc(v.Stops, func(s stopField) bool { return len(s.Color) == len("#rrggbbaa") })
	return easing
}

// paste fills the form from CSS. What it has no fields for is left out, and said.
func (v *gradientView) paste(css string) {
	g, err := gradient.ParseIn(css, gradient.Box{Width: pictureWidth, Height: pictureHeight})
	if err != nil {
		v.Problems = append(v.Problems, layout.Problem{Field: "css", Message: "cannot be read: " + err.Error()})
		return
	}
	stops := g.Stops()
	_, radii := g.Radii()
	exact := !radii && g.Extent() == gradient.FarthestCorner && len(stops) <= gradient.MaxColors
	v.Stops = nil
	for _, s := range stops[:min(len(stops), gradient.MaxColors)] {
		exact = exact && s.Hint == nil
		v.Stops = append(v.Stops, stopField{Color: gradient.FormatHex(s.Color), Position: decimal(s.Position)})
	}
	v.Type, v.Angle = g.Kind().String(), decimal(g.Angle())
	if p, err := g.Plain(pictureWidth, pictureHeight, 2); err == nil && g.Corner() != "" {
		v.Angle = decimal(math.Round(math.Mod(math.Atan2(p.End.X-p.Start.X, p.Start.Y-p.End.Y)*180/math.Pi+360, 360)))
	}
	v.Choice["space"], v.Choice["shape"], v.Choice["repeating"] = g.Space().String(), g.Shape().String(), ""
	if g.Repeating() {
		v.Choice["repeating"] = "on"
	}
	v.Choice["hue"] = g.Hue().String()
	if at := g.Center(); at != (gradient.Point{X: 50, Y: 50}) {
		v.Choice["x"], v.Choice["y"] = decimal(at.X), decimal(at.Y)
	}
	if !exact {
		v.Note = "The form has no hints, no sizes of ellipses and ten colours: what the CSS has beyond that was left out."
	}
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// do changes the stops as a button says.
func (v *gradientView) do(what string) {
	switch what {
	case "reverse":
		slices.Reverse(v.Stops)
		for i := range v.Stops {
			if at, ok := layout.Number(v.Stops[i].Position); ok {
				v.Stops[i].Position = decimal(math.Round((100-at)*1e4) / 1e4)
			}
		}
	case "swap":
		first, last := &v.Stops[0], &v.Stops[len(v.Stops)-1]
		first.Color, last.Color = last.Color, first.Color
	case "random":
		g := gradient.Random(rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())))
		v.Stops = nil
		for _, c := range g.HexColors() {
			v.Stops = append(v.Stops, stopField{Color: c})
		}
		v.Angle = decimal(g.Angle())
	}
}

// finish adds what the page says about a gradient beyond the API's response.
func (v *gradientView) finish(g gradient.Gradient) {
	var text strings.Builder
	err := export.Write(&text, g, cmp.Or(v.Choice["format"], "css"), export.Options{})
	v.Export = text.String()
	if err != nil {
		v.Export = err.Error()
	}
	if v.Choice["text"] != "" {
		c, err := gradient.ParseColor(v.Choice["text"])
		if err != nil {
			v.Problems = append(v.Problems, layout.Problem{Field: "text", Message: "must be a color"})
			return
		}
		v.TextContrast = contrastOf(g, c)
	}
	v.Studio = studioLink(g)
}

// studioLink returns the fragment that opens the studio with a gradient behind
// the code; empty if the studio has no such gradients.
func studioLink(g gradient.Gradient) template.URL {
	plain, err := g.Expand(gradient.ExpandOptions{})
	if err != nil {
		return ""
	}
	return studioFragment(studioSample, screenshot.Options{Background: plain.CSS(), Language: "text"})
}

const studioSample = "Put your code here."
