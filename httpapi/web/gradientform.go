package web

import (
	"cmp"
	"errors"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/option"
)

// The form has colours with positions, the options of package gradient by their
// names, an easing, a colour of text and a target.

// readGradientForm returns the query of the gradient page with what its buttons
// do: they read CSS, and add, remove and move colours. The note is about CSS
// that the form cannot represent.
func readGradientForm(sent url.Values) (q url.Values, note string, err error) {
	q = make(url.Values)
	for name, values := range sent {
		q[name] = slices.Clone(values[:min(len(values), 2*gradient.MaxColors)]) // enough to report that there are too many
	}
	if len(q["color"]) == 0 {
		q["color"], q["angle"], q["space"] = slices.Clone(exampleColors), []string{strconv.Itoa(exampleAngle)}, []string{string(gradient.OKLCH)}
	}
	if x, y := q.Get("x"), q.Get("y"); x+y != "" { // of links from before there was a center
		q.Set("center", cmp.Or(x, "50")+"% "+cmp.Or(y, "50")+"%")
	}
	if css := q.Get("css"); css != "" {
		note, err = pasteCSS(q, css)
	}
	q["position"] = append(q["position"], make([]string, len(q["color"]))...)[:len(q["color"])]
	for i := range q["color"] {
		q["color"][i], q["position"][i] = hexOf(q["color"][i]), strings.TrimSpace(q["position"][i])
	}
	if q.Get("do") == "reverse" {
		reverse(q)
	}
	n := len(q["color"])
	if i, ok := layout.Whole(q.Get("remove")); ok && i >= 1 && i <= n && n > gradient.MinColors {
		q["color"], q["position"] = slices.Delete(q["color"], i-1, i), slices.Delete(q["position"], i-1, i)
	}
	if q.Has("add") && n < gradient.MaxColors {
		addStop(q)
	}
	return q, note, err
}

var gradientStart = regexp.MustCompile(`(?i)[-a-z]*gradient\(`)

// firstGradient returns the first gradient function in a text, up to its
// closing parenthesis, or the text if it has none.
func firstGradient(text string) string {
	at := gradientStart.FindStringIndex(text)
	if at == nil {
		return text
	}
	depth := 0
	for i, c := range text[at[0]:] {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return text[at[0] : at[0]+i+1]
			}
		}
	}
	return text[at[0]:]
}

// pasteCSS replaces the fields of a query by those of the first gradient in a
// text.
func pasteCSS(q url.Values, css string) (note string, err error) {
	g, err := gradient.ParseIn(firstGradient(css), gradient.Box{Width: pictureWidth, Height: pictureHeight})
	if err != nil {
		return "", &invalid.Fault{Field: "css", Reason: "invalid_format", Message: "cannot be read: " + err.Error()}
	}
	o, exact := g.Options()
	colors := g.HexColors()
	n := min(len(colors), gradient.MaxColors)
	q["color"], q["position"] = colors[:n], nil
	for _, position := range o.Positions[:n] {
		q.Add("position", decimal(position))
	}
	o.Positions = nil
	if p, err := g.Resolve(pictureWidth, pictureHeight, 2); err == nil && o.Angle == nil {
		o.Angle = new(math.Round(math.Mod(math.Atan2(p.End.X-p.Start.X, p.Start.Y-p.End.Y)*180/math.Pi+360, 360)))
	}
	table := option.Of[gradient.Options]()
	set := table.Query(&o)
	for _, r := range table {
		q.Del(r.Name)
		if set.Has(r.Name) {
			q[r.Name] = set[r.Name]
		}
	}
	if !exact {
		note = "The form has at most ten colours of sRGB, angles instead of corners, and neither hints nor sizes of ellipses. What the CSS has beyond that was left out or converted."
	}
	return note, nil
}

// hexOf converts a CSS colour to hexadecimal, with alpha only if it is not
// opaque. It returns other text unchanged.
func hexOf(text string) string {
	text = strings.TrimSpace(text)
	c, err := gradient.ParseColor(text)
	if err != nil {
		return text
	}
	return gradient.FormatHex(c.NRGBA())
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// reverse reverses the colours and their positions.
func reverse(q url.Values) {
	slices.Reverse(q["color"])
	slices.Reverse(q["position"])
	for i, text := range q["position"] {
		if at, ok := layout.Number(text); ok {
			q["position"][i] = decimal(math.Round((100-at)*1e4) / 1e4)
		}
	}
}

// palette holds the colours to add. The first one not yet in use is taken, so
// that the new stop is visible.
var palette = []string{"#b03a14", "#ffd479", "#0f766e", "#7c3aed", "#f472b6", "#5eead4", "#1e1b4b", "#d9f99d", "#667eea", "#f8fafc"}

// addStop adds a colour stop where it is visible: at the end or, if all stops
// have positions, in the middle of the widest gap.
func addStop(q url.Values) {
	color := palette[max(0, slices.IndexFunc(palette, func(c string) bool { return !slices.Contains(q["color"], c) }))]
	position, at, widest := "", len(q["color"]), -1.0
	for i := range q["position"][1:] {
		from, placed := layout.Number(q["position"][i])
		to, next := layout.Number(q["position"][i+1])
		if !placed || !next {
			position, at = "", len(q["color"])
			break
		}
		if to-from > widest {
			position, at, widest = decimal(math.Round((from+to)*5)/10), i+1, to-from
		}
	}
	q["color"], q["position"] = slices.Insert(q["color"], at, color), slices.Insert(q["position"], at, position)
}

// optionsOf returns the options of the form. The error joins one for each field
// that cannot be read.
func optionsOf(q url.Values) (gradient.Options, error) {
	o := gradient.Options{CSSColors: true}
	given := make(url.Values)
	for _, r := range option.Of[gradient.Options]() {
		if q.Has(r.Name) && r.Name != "positions" && (r.Name != "angle" || q.Get("type") != string(gradient.Radial)) {
			given[r.Name] = q[r.Name]
		}
	}
	err := option.Of[gradient.Options]().SetQuery(&o, given)
	if !slices.ContainsFunc(q["position"], func(s string) bool { return s != "" }) {
		return o, err
	}
	// Stops without a position are spaced as if none had any.
	for i, text := range q["position"] {
		at, ok := layout.Number(cmp.Or(text, decimal(float64(i)/float64(max(1, len(q["position"])-1))*100)))
		if !ok {
			field := "positions[" + strconv.Itoa(i) + "]"
			err = errors.Join(err, &invalid.Fault{Field: field, Reason: "invalid_type", Message: "must be a number from 0 to 100"})
		}
		o.Positions = append(o.Positions, at)
	}
	return o, err
}
