package web

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/gradient/export"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
)

// The form offers everything that the library lays out. Options that the API
// lacks are under a heading that says so.

// readGradientForm parses the query of the gradient page and applies its
// buttons, which add and remove colours.
func readGradientForm(q url.Values) (gradientView, error) {
	v := gradientView{Type: "linear", Angle: q.Get("angle"), Presets: presetList(), Palette: strings.Join(palette, " "), Choice: make(map[string]string)}
	for _, name := range choiceFields {
		v.Choice[name] = strings.TrimSpace(q.Get(name))
	}
	if q.Has("type") {
		kind, err := gradient.ParseKind(q.Get("type"))
		v.Type = kind.String()
		v.note("type", err)
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
		v.Stops = v.Stops[:2*gradient.MaxColors] // enough to report that there are too many
	}
	for i := range v.Stops {
		v.Stops[i].Number = i + 1
	}
	if err := v.make(); err != nil {
		return v, err
	}
	if text := v.Choice["text"]; text != "" {
		v.checkColor("textColor", text)
	}
	for i := range v.Stops {
		v.Stops[i].Wrong = cmp.Or(v.Wrong(fmt.Sprintf("colors[%d]", i)), v.Wrong(fmt.Sprintf("positions[%d]", i)))
	}
	return v, nil
}

// addStop adds a colour stop where it is visible: at the end or, if all stops
// have positions, in the middle of the widest gap.
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

// hexOf converts a CSS colour to hexadecimal, with alpha only if it is not
// opaque. It returns other text unchanged.
func hexOf(text string) string {
	text = strings.TrimSpace(text)
	c, err := gradient.ParseColor(text)
	if err != nil {
		return text
	}
	return gradient.FormatHex(c)
}

// Wrong returns the problem of a field, or "".
func (v *gradientView) Wrong(field string) string { return layout.Wrong(v.Problems, field) }

// Others returns the problems without a place of their own in the form.
func (v *gradientView) Others() []layout.Problem {
	return others(v.Problems, "angle", "colors[", "positions[", "css", "easing", "center", "textColor")
}

// make fills in the result or the problems.
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
	for i, text := range v.colors() {
		v.checkColor(fmt.Sprintf("colors[%d]", i), text)
	}
	g, err := gradient.New(v.colors(), o)
	found, err := layout.Problems(err)
	found = slices.DeleteFunc(found, func(p layout.Problem) bool { return v.Wrong(p.Field) != "" })
	if v.Problems = append(v.Problems, found...); v.Problems != nil || err != nil {
		return err
	}
	if easing != (gradient.Easing{}) {
		if g, err = g.Expand(gradient.ExpandOptions{Easing: easing}); err != nil {
			v.Problems, err = layout.Problems(err)
			return err
		}
	}
	v.gradientResult = gradientResult{
		CSS: g.CSS(), Prefixed: g.CSSWithPrefixes(), Colors: v.colors(),
		White: contrastOf(g, color.NRGBA{255, 255, 255, 255}), Black: contrastOf(g, color.NRGBA{A: 255}),
	}
	if kind != gradient.Conic && !v.beyondAPI() && !o.Alpha {
		v.Request = request(fields...)
	}
	v.finish(g)
	return nil
}

// checkColor adds a problem to a field unless its text is a colour of CSS.
func (v *gradientView) checkColor(field, text string) {
	if _, err := gradient.ParseColor(text); err != nil {
		v.Problems = append(v.Problems, layout.Problem{Field: field, Message: "must be like #f00, red or rgb(255 0 0)"})
	}
}

func (v *gradientView) colors() []string {
	colors := make([]string, len(v.Stops))
	for i, stop := range v.Stops {
		colors[i] = stop.Color
	}
	return colors
}

// positions returns nil if no stop has a position. Otherwise stops without one
// are spaced as if none had any.
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

// query returns the query for the current values of the form.
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

// choiceFields are the fields that the API lacks. If empty, the library's
// defaults apply.
var choiceFields = []string{"space", "hue", "easing", "shape", "x", "y", "text", "format", "repeating"}

// beyondAPI reports whether a choice is not available in the API.
func (v *gradientView) beyondAPI() bool {
	c := v.Choice
	return cmp.Or(c["space"], "srgb") != "srgb" || cmp.Or(c["easing"], "linear") != "linear" || cmp.Or(c["shape"], "circle") != "circle" || c["x"]+c["y"]+c["repeating"] != ""
}

// Beyond reports whether fields that the API lacks are in use.
func (v *gradientView) Beyond() bool {
	return v.beyondAPI() || v.Wrong("easing")+v.Wrong("center") != ""
}

// Spaces returns the names of the colour spaces for interpolation.
func (*gradientView) Spaces() []string { return namesUpTo(gradient.HWB) }

// Hues returns the names of the hue interpolation methods.
func (*gradientView) Hues() []string { return namesUpTo(gradient.DecreasingHue) }

// namesUpTo returns the names of the values from 0 to last.
func namesUpTo[T interface {
	~uint8
	String() string
}](last T) (names []string) {
	for v := T(0); v <= last; v++ {
		names = append(names, v.String())
	}
	return names
}

// Formats returns the export formats.
func (*gradientView) Formats() []export.Format { return export.Formats() }

// note adds the problem in err, if any, to a field.
func (v *gradientView) note(field string, err error) {
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

// apply sets the layout options and adds a problem for each invalid choice.
func (v *gradientView) apply(o *gradient.Options) (easing gradient.Easing) {
	var err error
	if v.Choice["space"] != "" {
		o.Space, err = gradient.ParseSpace(v.Choice["space"])
		v.note("space", err)
	}
	if v.Choice["hue"] != "" {
		o.Hue, err = gradient.ParseHue(v.Choice["hue"])
		v.note("hue", err)
	}
	if v.Choice["easing"] != "" {
		easing, err = gradient.ParseEasing(v.Choice["easing"])
		v.note("easing", err)
	}
	switch v.Choice["shape"] {
	case "", gradient.Circle.String():
	case gradient.Ellipse.String():
		o.Shape = gradient.Ellipse
	default:
		v.Problems = append(v.Problems, layout.Problem{Field: "shape", Message: "must be circle or ellipse"})
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

// paste fills the form from CSS. Note says if the form cannot represent all of
// it.
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
	if p, err := g.Resolve(pictureWidth, pictureHeight, 2); err == nil && g.Corner() != "" {
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
		v.Note = "The form has at most ten colours, and neither hints nor sizes of ellipses. What the CSS has beyond that was left out."
	}
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// do applies a button to the stops.
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
