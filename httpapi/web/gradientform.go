package web

import (
	"cmp"
	"errors"
	"html/template"
	"math"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/gradient/export"
	"github.com/devkiln/devkiln/httpapi/web/layout"
	"github.com/devkiln/devkiln/screenshot"
)

// The form of the gradient page has all that the library lays out. What the API
// does not have is beneath a heading that says so.

// gradientChoices are the fields that the API does not have, as they were filled
// in. Empty ones are the library's defaults.
type gradientChoices struct {
	Space, Hue, Easing, Shape, X, Y, Text, Format string
	Repeating                                     bool
}

func readChoices(q url.Values) gradientChoices {
	at := func(name string) string { return strings.TrimSpace(q.Get(name)) }
	return gradientChoices{
		Space: at("space"), Hue: at("hue"), Easing: at("easing"), Shape: at("shape"), X: at("x"), Y: at("y"), Text: at("text"),
		Format: cmp.Or(at("format"), "css"), Repeating: q.Get("repeating") != "",
	}
}

// query adds what was chosen to a query.
func (c gradientChoices) query(q url.Values) {
	for name, value := range map[string]string{"space": c.Space, "hue": c.Hue, "easing": c.Easing, "shape": c.Shape, "x": c.X, "y": c.Y, "text": c.Text} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if c.Format != "css" {
		q.Set("format", c.Format)
	}
	if c.Repeating {
		q.Set("repeating", "on")
	}
}

// beyondAPI reports whether a choice is one that the API does not have.
func (c gradientChoices) beyondAPI() bool {
	return cmp.Or(c.Space, "srgb") != "srgb" || cmp.Or(c.Easing, "linear") != "linear" || cmp.Or(c.Shape, "circle") != "circle" || c.X+c.Y != "" || c.Repeating
}

// Beyond reports whether the fields beyond the API are in use.
func (v *gradientView) Beyond() bool {
	return v.beyondAPI() || v.Wrong("easing")+v.Wrong("center") != ""
}

// Spaces are the spaces to interpolate in.
func (gradientChoices) Spaces() (names []string) {
	for s := range gradient.HWB + 1 {
		names = append(names, s.String())
	}
	return names
}

// Hues are the ways around the colour wheel.
func (gradientChoices) Hues() (names []string) {
	for h := range gradient.DecreasingHue + 1 {
		names = append(names, h.String())
	}
	return names
}

// Easings are the named ones; the field takes cubic-bezier() and steps() too.
func (gradientChoices) Easings() []string {
	return []string{"linear", "ease", "ease-in", "ease-out", "ease-in-out"}
}

// Formats are the targets of an export.
func (gradientChoices) Formats() []export.Format { return export.Formats() }

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
	if v.Space != "" {
		o.Space, err = gradient.ParseSpace(v.Space)
		note("space", err)
	}
	if v.Hue != "" {
		o.Hue, err = gradient.ParseHue(v.Hue)
		note("hue", err)
	}
	if v.Easing != "" {
		easing, err = gradient.ParseEasing(v.Easing)
		note("easing", err)
	}
	if v.Shape == gradient.Ellipse.String() {
		o.Shape = gradient.Ellipse
	}
	if v.X+v.Y != "" {
		x, okX := layout.Number(cmp.Or(v.X, "50"))
		y, okY := layout.Number(cmp.Or(v.Y, "50"))
		if !okX || !okY {
			v.Problems = append(v.Problems, layout.Problem{Field: "center", Message: "must be two percentages"})
		}
		o.Center = &gradient.Point{X: x, Y: y}
	}
	o.Repeating = v.Repeating
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
	v.Space, v.Shape, v.Repeating = g.Space().String(), g.Shape().String(), g.Repeating()
	v.Hue = g.Hue().String()
	if at := g.Center(); at != (gradient.Point{X: 50, Y: 50}) {
		v.X, v.Y = decimal(at.X), decimal(at.Y)
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
	err := export.Write(&text, g, v.Format, export.Options{})
	v.Export = text.String()
	if err != nil {
		v.Export = err.Error()
	}
	if v.Text != "" {
		c, err := gradient.ParseColor(v.Text)
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
	c, err := screenshot.New(studioSample, screenshot.Options{Background: plain.CSS(), Language: "text"})
	if err != nil {
		return ""
	}
	text, err := c.Fragment()
	if err != nil {
		return ""
	}
	return template.URL(text)
}

const studioSample = "Put your code here."
