package gradient

import (
	"math"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/option"
)

// Parameters returns a row for each of the [Options] except CSSColors, with its
// name, range and description. Commands, pages and agents read it.
func Parameters() option.Table[Options] {
	return option.New(
		option.Option[Options]{
			Name: "type", Values: kindNames, Labels: map[string]string{"linear": "Linear", "radial": "Radial", "conic": "Conic"}, Default: "linear", Example: "conic",
			Doc: "Whether the colours follow a line, go outwards from a centre, or go around it", Field: func(o *Options) any { return &o.Kind },
		},
		option.Option[Options]{
			Name: "angle", Min: math.Inf(-1), Example: "45",
			Doc: "Degrees clockwise from the top; 90 unless given, 0 for conic gradients", Field: func(o *Options) any { return &o.Angle },
		},
		option.Option[Options]{
			Name: "positions", Max: MaxColors, Example: "0,40",
			Doc: "A position for each colour, in percent; spread evenly unless given", Field: func(o *Options) any { return &o.Positions },
		},
		option.Option[Options]{
			Name: "space", Values: spaceNames, Default: "srgb", Example: "oklch",
			Doc: "Colour space of interpolation: " + spaceNames.prose(), Field: func(o *Options) any { return &o.Space },
		},
		option.Option[Options]{
			Name: "hue", Values: hueNames, Default: "shorter", Example: "longer",
			Doc: "Direction around the colour wheel, in spaces with a hue", Field: func(o *Options) any { return &o.Hue },
		},
		option.Option[Options]{
			Name: "repeating", Label: "Repeat beyond the last colour", Advanced: true, Example: "on",
			Doc: "Repeat the colours between the first and the last position", Field: func(o *Options) any { return &o.Repeating },
		},
		option.Option[Options]{
			Name: "shape", Values: shapeNames, Default: "circle", Advanced: true, Example: "ellipse",
			Doc: "Shape of a radial gradient", Field: func(o *Options) any { return &o.Shape },
		},
		option.Option[Options]{
			Name: "extent", Values: extentNames, Default: "farthest-corner", Advanced: true, Example: "closest-side",
			Doc: "Where the last colour of a radial gradient lies", Field: func(o *Options) any { return &o.Extent },
		},
		option.Option[Options]{
			Name: "center", Label: "Centre", Default: "50% 50%", Advanced: true, Example: "30% 40%",
			Doc: "Centre of a radial or conic gradient, as in CSS: 30% 40% or top left", Field: func(o *Options) any { return &o.Center },
		},
	)
}

// UnmarshalText parses a position as CSS writes it in percentages and keywords,
// such as "30% 40%" or "top left". The error is an option error for the field
// center.
func (p *Point) UnmarshalText(text []byte) error {
	in := gradientParser{scanner: scanner{s: string(text)}}
	in.space()
	in.centerPoint()
	if !in.end() || in.err != nil {
		return &invalid.Input{Field: "center", Reason: "invalid_format", Message: "must be a position of CSS, such as 30% 40% or top left"}
	}
	*p = in.g.center
	return nil
}

// MarshalText returns the point as "30% 40%". The error is always nil.
func (p Point) MarshalText() ([]byte, error) {
	return appendPercent(append(appendPercent(nil, p.X), ' '), p.Y), nil
}
