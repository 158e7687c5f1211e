package gradient

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
)

// decimals limits numbers to four decimals, in memory as in text: 0.0001 % of
// the diagonal of a 16k screen is a fiftieth of a pixel.
const decimals = 1e4

func round4(v float64) float64 { return math.Round(v*decimals) / decimals }

// CSS returns the gradient as a CSS value, such as
//
//	linear-gradient(90deg, #ff0000 0%, #0000ff 100%)
//
// Positions are always written, so that the text does not depend on defaults.
// Colours are written as #rrggbb, or as rgba() if they are not opaque.
func (g Gradient) CSS() string {
	if len(g.stops) == 0 {
		return "none"
	}
	var head []string
	switch {
	case g.kind == Linear && g.toCorner != noCorner:
		head = append(head, "to "+cornerNames[g.toCorner])
	case g.kind == Linear:
		head = append(head, number(g.angle)+"deg")
	case g.kind == Radial:
		head = append(head, g.size())
	case g.angle != 0:
		head = append(head, "from "+number(g.angle)+"deg")
	}
	if g.center != middle {
		head = append(head, "at "+g.center.css())
	}
	if g.space != SRGB || g.hasWideColors() {
		head = append(head, "in "+string(g.space))
		if g.hue != ShorterHue {
			head = append(head, string(g.hue)+" hue")
		}
	}
	return g.function(strings.Join(head, " "))
}

// String returns the CSS, so that a Gradient can be printed.
func (g Gradient) String() string { return g.CSS() }

// function returns the function with the stops and what precedes them, which
// may be empty.
func (g Gradient) function(head string) string {
	name := string(g.kind) + "-gradient("
	if g.repeating {
		name = "repeating-" + name
	}
	var arguments []string
	if head != "" {
		arguments = append(arguments, head)
	}
	for _, s := range g.stops {
		color := cssColor(s.Color)
		if s.wide != nil {
			color = s.wide.String()
		}
		arguments = append(arguments, color+" "+number(s.Position)+"%")
		if s.Hint != nil {
			arguments = append(arguments, number(*s.Hint)+"%")
		}
	}
	return name + strings.Join(arguments, ", ") + ")"
}

// size returns the shape and extent of a radial gradient, or its radii.
func (g Gradient) size() string {
	switch {
	case g.radii.X > 0:
		return g.radii.css()
	case g.extent == FarthestCorner:
		return string(g.shape)
	}
	return string(g.shape) + " " + string(g.extent)
}

func (p Point) css() string { return number(p.X) + "% " + number(p.Y) + "%" }

// CSSWithPrefixes returns declarations of the background property, one per
// line, with the standard one last. The -webkit-, -moz- and -o- forms before it
// paint the same picture in browsers from before 2013. They measure angles
// counter-clockwise from the right, so 90deg becomes 0deg.
//
// Only the standard declaration is returned for gradients that have no prefixed
// form: conic gradients, gradients that interpolate outside sRGB, and those
// with colour hints, with corners (a prefixed corner is a different direction
// unless the box is square) or with the percentages of an ellipse.
// [Gradient.Expand] replaces spaces and hints, and so makes prefixed forms
// possible.
func (g Gradient) CSSWithPrefixes() string {
	var css strings.Builder
	if g.hasPrefixedForm() {
		legacy := g.legacyCSS()
		for _, prefix := range [...]string{"-webkit-", "-moz-", "-o-"} {
			css.WriteString("background: " + prefix + legacy + ";\n")
		}
	}
	return css.String() + "background: " + g.CSS() + ";"
}

// CSSWithFallback returns declarations for a CSS rule. The first is the
// gradient expanded to plain sRGB stops by [Gradient.Expand], with prefixed
// forms where they exist. An @supports block follows with the original
// gradient, for browsers that support its colour space. A gradient that needs
// no fallback gives the result of [Gradient.CSSWithPrefixes]. The error is that
// of Expand.
func (g Gradient) CSSWithFallback(o ExpandOptions) (string, error) {
	if g.space == SRGB && !g.hasWideColors() {
		return g.CSSWithPrefixes(), nil
	}
	plain, err := g.Expand(o)
	if err != nil {
		return "", err
	}
	css := g.CSS()
	return plain.CSSWithPrefixes() + "\n@supports (background: " + css + ") {\n  background: " + css + ";\n}", nil
}

func (g Gradient) hasPrefixedForm() bool {
	if len(g.stops) == 0 || g.kind == Conic || g.space != SRGB || g.hasWideColors() || g.toCorner != noCorner || g.radii.X > 0 {
		return false
	}
	return !slices.ContainsFunc(g.stops, func(s Stop) bool { return s.Hint != nil })
}

// legacyCSS returns the function that follows a vendor prefix.
func (g Gradient) legacyCSS() string {
	switch {
	case g.kind == Linear:
		return g.function(number(legacyAngle(g.angle)) + "deg")
	case g.center != middle:
		return g.function(g.center.css() + ", " + g.size())
	}
	return g.function(g.size())
}

// legacyAngle converts between angles clockwise from the top and angles
// counter-clockwise from the right. It is its own inverse.
func legacyAngle(degrees float64) float64 {
	return normalAngle(90 - degrees)
}

// number formats v with at most four decimals and no trailing zeros.
func number(v float64) string {
	return strconv.FormatFloat(round4(v)+0, 'f', -1, 64) // no negative zero
}

func cssColor(c color.NRGBA) string {
	if c.A == 255 {
		return FormatHex(c)
	}
	return fmt.Sprintf("rgba(%d, %d, %d, %s)", c.R, c.G, c.B, number(alphaNumber(c.A)))
}

// alphaNumber returns the shortest number that parses back as a: two decimals
// if they suffice, else three.
func alphaNumber(a uint8) float64 {
	v := float64(a) / 255
	if short := math.Round(v*100) / 100; math.Round(short*255) == float64(a) {
		return short
	}
	return math.Round(v*1000) / 1000
}

// FormatHex returns a colour as #rrggbb, or #rrggbbaa if it is not opaque.
func FormatHex(c color.NRGBA) string {
	if c.A == 255 {
		return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
	}
	return fmt.Sprintf("#%02x%02x%02x%02x", c.R, c.G, c.B, c.A)
}
