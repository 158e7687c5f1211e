package gradient

import (
	"math"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/option"
)

func init() { option.Register(parameters) }

// parameters returns a row for each of the [Options] except CSSColors, which
// commands, pages and agents read.
func parameters() option.Table[Options] {
	type row = option.Option[Options]
	return option.New(
		row{Name: "type", Values: kindNames, Labels: map[string]string{"linear": "Linear", "radial": "Radial", "conic": "Conic"}, Default: "linear", Example: "conic", Doc: "Whether the colours follow a line, go outwards from a centre, or go around it", Field: func(o *Options) any { return &o.Kind }},
		row{Name: "angle", Min: math.Inf(-1), Example: "45", Doc: "Degrees clockwise from the top; 90 unless given, 0 for conic gradients", Field: func(o *Options) any { return &o.Angle }},
		row{Name: "positions", Max: MaxColors, Example: "0,40", Doc: "A position for each colour, in percent; spread evenly unless given", Field: func(o *Options) any { return &o.Positions }},
		row{Name: "space", Values: spaceNames, Labels: map[string]string{"srgb": "sRGB", "srgb-linear": "sRGB linear", "oklab": "OKLab", "oklch": "OKLCH", "display-p3": "Display P3", "lab": "Lab", "lch": "LCH", "hsl": "HSL", "hwb": "HWB"}, Default: "srgb", Example: "oklch", Doc: "Colour space of interpolation: " + spaceNames.prose(), Field: func(o *Options) any { return &o.Space }},
		row{Name: "hue", Values: hueNames, Labels: map[string]string{"shorter": "Shorter way", "longer": "Longer way", "increasing": "Increasing", "decreasing": "Decreasing"}, Default: "shorter", Example: "longer", Doc: "Direction around the colour wheel, in spaces with a hue", Field: func(o *Options) any { return &o.Hue }},
		row{Name: "repeating", Label: "Repeat beyond the last colour", Advanced: true, Example: "on", Doc: "Repeat the colours between the first and the last position", Field: func(o *Options) any { return &o.Repeating }},
		row{Name: "shape", Values: shapeNames, Default: "circle", Advanced: true, Example: "ellipse", Doc: "Shape of a radial gradient", Field: func(o *Options) any { return &o.Shape }},
		row{Name: "extent", Values: extentNames, Default: "farthest-corner", Advanced: true, Example: "closest-side", Doc: "Where the last colour of a radial gradient lies", Field: func(o *Options) any { return &o.Extent }},
		row{Name: "center", Label: "Centre", Default: "50% 50%", Advanced: true, Example: "30% 40%", Doc: "Centre of a radial or conic gradient, as in CSS: 30% 40% or top left", Field: func(o *Options) any { return &o.Center }},
	)
}

// UnmarshalText parses a position as CSS writes it in percentages and keywords,
// such as "30% 40%" or "top left". The error is an option error for the field
// center.
func (p *Point) UnmarshalText(text []byte) error {
	in := gradientParser{scanner: newScanner(string(text))}
	in.centerPoint()
	if in.finish("position") != nil {
		return &invalid.Fault{Field: "center", Reason: "invalid_format", Message: "must be a position of CSS, such as 30% 40% or top left"}
	}
	*p = in.g.center
	return nil
}

// MarshalText returns the point as "30% 40%". The error is always nil.
func (p Point) MarshalText() ([]byte, error) {
	return []byte(p.css()), nil
}
