// Package gradient builds, parses, samples and paints CSS gradients.
//
// Start with [New], which takes colours as #RRGGBB, or with [Parse], which
// reads a CSS value. Each returns a [Gradient], an immutable value that any
// number of goroutines may share:
//
//   - [Gradient.CSS], [Gradient.CSSWithPrefixes] and [Gradient.CSSWithFallback]
//     write it as CSS, and package export writes it for other targets,
//   - [Gradient.At] and [Gradient.Contrast] sample it,
//   - [Gradient.Image], [Gradient.Painter], [Gradient.WritePNG] and
//     [Gradient.WriteSVG] paint it as a browser paints its CSS,
//   - [Gradient.Expand] turns a perceptual or eased gradient into plain sRGB
//     stops, which every browser since 2013 can paint.
//
// A gradient holds exactly what its CSS says: positions and angles have four
// decimals, colours eight bits per channel, and the colours that CSS Color 4
// added six decimals. Parse(g.CSS()) therefore returns g, and Image paints
// exactly what the written text describes.
//
// Interpolation follows CSS: alpha is premultiplied, and colours are clipped to
// sRGB. The package does not support var(), calc(), color-mix(), relative
// colours, escapes in names, lengths that depend on a font or a window, or
// spaces with a larger gamut than Display P3. It does not promise which side of
// a hard stop a
// pixel centred exactly on it belongs to, nor the colour of the pixel at the
// very centre of a conic gradient. In OKLCH a grey takes the hue of its
// neighbour, as CSS Color 4 specifies; Chromium 156 still paints such a stretch
// with a hue that results from rounding errors. The text of error messages may
// change; their fields will not.
//
// An error about an option has a method Invalid() (field, reason string), which
// returns its name in the HTTP API, such as colors[2], and a word such as
// out_of_range. An error about several unwraps to one for each.
// InvalidFields of the root package, devkiln, lists the messages of all of them
// by field, also in errors that are wrapped or joined.
package gradient

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"github.com/devkiln/devkiln/internal/invalid"
)

const (
	// MinColors is the smallest number of colours that [New] accepts.
	MinColors = 2
	// MaxColors is the largest number of colours that [New] accepts.
	MaxColors = 10
	// maxStops is the largest number of colour stops of any gradient, parsed or
	// expanded.
	maxStops = 1024
)

// Options configures [New]. The zero Options gives a linear gradient at 90
// degrees with evenly spaced colours.
type Options struct {
	Kind Kind // [Linear], [Radial] or [Conic]

	// Angle is the direction of a linear gradient or the start of a conic one,
	// in degrees clockwise from the top. Nil means 90 for linear and 0 for
	// conic. Angles from 0 to 360 are kept; any other finite angle is reduced
	// to [0, 360). It is validated but unused for radial gradients.
	Angle *float64

	// Positions are percentages from 0 to 100, one for each colour. Nil spaces
	// the colours evenly. They need not ascend: as in CSS, a position smaller
	// than an earlier one is painted at the earlier one.
	Positions []float64

	// CSSColors accepts every colour of [ParseColor] instead of #RRGGBB alone.
	CSSColors bool

	// Repeating repeats the colours between the first and the last position.
	Repeating bool

	// Shape and Extent apply to radial gradients, and Center to radial and
	// conic ones. Center is in percent of the box from its top left corner; nil
	// means the middle. Its coordinates must be finite and within ±1,000,000.
	Shape  Shape  // [Circle] or [Ellipse]
	Extent Extent // [FarthestCorner] and three others
	Center *Point

	// Space is the interpolation space, and Hue the direction around the colour
	// wheel. Hue is validated but unused in spaces without a hue.
	Space Space // [SRGB] and eight others
	Hue   Hue   // [ShorterHue] and three others
}

// Point is a point in a box, in percent of its width and height.
type Point struct{ X, Y float64 }

// Stop is one colour stop of a gradient.
type Stop struct {
	Color color.NRGBA
	// Position is in percent of the gradient line, as written. It may be
	// smaller than the position of the stop before.
	Position float64
	// Hint is the position of the colour hint between this stop and the next,
	// where the two colours mix in equal parts. It is nil if there is none.
	Hint *float64

	wide *Color // the colour before clipping; nil if it has eight bits per channel
}

// stopOf returns a stop with the colour c as written.
func stopOf(c Color) Stop {
	s := Stop{Color: c.NRGBA()}
	if !c.legacy {
		wide := c // a pointer to c would allocate legacy colours, too
		for i := range wide.Components {
			wide.Components[i] = round6(c.Components[i])
		}
		wide.Alpha = round6(c.Alpha)
		s.wide = &wide
	}
	return s
}

// painted returns what [spaceRow.paint] returns for the stop alone.
func (s Stop) painted() vec {
	if s.wide == nil {
		return painted(s.Color)
	}
	v := s.wide.In(SRGB)
	v.Missing = [4]bool{}
	return srgb.paint(srgb.scale(v.vec(), v.Alpha), nil)
}

// hasWideColors reports whether any colour has a form that CSS Color 4 added.
func (g Gradient) hasWideColors() bool {
	return slices.ContainsFunc(g.stops, func(s Stop) bool { return s.wide != nil })
}

// Gradient is an immutable gradient. The zero Gradient has no colours: it
// paints transparent pixels, and its CSS is "none".
type Gradient struct {
	kind      Kind
	repeating bool
	shape     Shape
	extent    Extent
	toCorner  corner
	angle     float64
	center    Point
	radii     Point // percentages of an explicit ellipse; zero X selects extent
	space     Space
	hue       Hue
	stops     []Stop
	ramp      *ramp
}

// corner is the corner of "to top left" and the like.
type corner uint8

var cornerNames = names{"", "top left", "top right", "bottom left", "bottom right"}

const (
	noCorner corner = iota
	topLeft
	topRight
	bottomLeft
	bottomRight
)

// maxPosition is the largest percentage, also below zero.
const maxPosition = 1e6

var middle = Point{50, 50}

// New returns a gradient of 2 to 10 colours of the form #RRGGBB or, with
// [Options].CSSColors, of any form.
//
// The error joins an option error for each invalid field: colors, colors[i],
// positions, positions[i], angle, type, shape, extent, center, space and hue.
// Its message, which the HTTP API sends too, says what the field must be and not
// what it was: "red" gives "colors[0]: must be #RRGGBB", unless CSSColors is set.
func New(colors []string, o Options) (Gradient, error) {
	var faults invalid.Faults
	g := Gradient{
		kind:      optionName(&faults, "type", o.Kind, kindNames),
		shape:     optionName(&faults, "shape", o.Shape, shapeNames),
		extent:    optionName(&faults, "extent", o.Extent, extentNames),
		space:     optionName(&faults, "space", o.Space, spaceNames),
		hue:       optionName(&faults, "hue", o.Hue, hueNames),
		repeating: o.Repeating, center: middle,
	}
	g.angle = optionAngle(&faults, g.kind, o.Angle)
	if o.Center != nil {
		g.center = optionCenter(&faults, *o.Center)
	}
	g.stops = optionColors(&faults, colors, o.CSSColors)
	optionPositions(&faults, g.stops, o.Positions, len(colors))
	if err := faults.Err(); err != nil {
		return Gradient{}, err
	}
	return g.finished(), nil
}

// finished clears the fields that the kind does not use, so that gradients that
// paint alike are equal, and prepares the ramp.
func (g Gradient) finished() Gradient {
	if g.kind != Radial {
		g.shape, g.extent, g.radii = Circle, FarthestCorner, Point{}
	} else {
		g.angle = 0
	}
	if g.kind == Linear {
		g.center = middle
	}
	if g.space.row().hueIndex() < 0 {
		g.hue = ShorterHue
	}
	g.ramp = newRamp(g.stops, g)
	return g
}

func optionAngle(faults *invalid.Faults, kind Kind, angle *float64) float64 {
	switch {
	case angle == nil && kind == Linear:
		return 90
	case angle == nil:
		return 0
	case math.IsNaN(*angle) || math.IsInf(*angle, 0):
		faults.Add("angle", "out_of_range", "must be a finite number of degrees")
		return 0
	}
	return normalAngle(*angle)
}

// normalAngle rounds an angle, and reduces one outside 0 to 360 to [0, 360).
func normalAngle(degrees float64) float64 {
	if degrees >= 0 && degrees <= 360 {
		return round4(degrees)
	}
	return math.Mod(round4(reduced(degrees)), 360)
}

func optionCenter(faults *invalid.Faults, p Point) Point {
	if !(math.Abs(p.X) <= maxPosition && math.Abs(p.Y) <= maxPosition) {
		faults.Add("center", "out_of_range", "must have two percentages from -1000000 to 1000000")
		return middle
	}
	return Point{round4(p.X), round4(p.Y)}
}

func optionColors(faults *invalid.Faults, colors []string, css bool) []Stop {
	switch n := len(colors); {
	case n < MinColors:
		faults.Add("colors", "too_few", "must hold 2 to 10 colors, has "+strconv.Itoa(n))
	case n > MaxColors:
		faults.Add("colors", "too_many", "must hold 2 to 10 colors, has "+strconv.Itoa(n))
		colors = colors[:MaxColors]
	}
	stops := make([]Stop, len(colors))
	for i, s := range colors {
		c, err := ParseColor(s)
		switch {
		case !css && !isHex6(s):
			faults.Add(indexed("colors", i), "invalid_format", "must be #RRGGBB")
		case err != nil:
			faults.Add(indexed("colors", i), "invalid_format", "must be a CSS color, such as #f00 or red")
		}
		stops[i] = stopOf(c)
		stops[i].Position = evenPosition(i, len(colors))
	}
	return stops
}

// evenPosition returns the percentage of stop i of n evenly spaced stops.
func evenPosition(i, n int) float64 {
	return round4(100 * float64(i) / float64(max(n-1, 1)))
}

func optionPositions(faults *invalid.Faults, stops []Stop, positions []float64, want int) {
	if positions == nil {
		return
	}
	have := len(positions)
	switch {
	case have > MaxColors:
		faults.Add("positions", "too_many", "must hold as many numbers as there are colors, so at most 10, has "+strconv.Itoa(have))
	case want == 0: // only the colors are at fault
	case have < want:
		faults.Add("positions", "too_few", "must hold as many numbers as there are colors ("+strconv.Itoa(want)+"), has "+strconv.Itoa(have))
	case have > want:
		faults.Add("positions", "too_many", "must hold as many numbers as there are colors ("+strconv.Itoa(want)+"), has "+strconv.Itoa(have))
	}
	for i, p := range positions[:min(have, MaxColors)] {
		switch {
		case !(p >= 0 && p <= 100):
			faults.Add(indexed("positions", i), "out_of_range", "must be from 0 to 100")
		case i < len(stops):
			stops[i].Position = round4(p)
		}
	}
}

func indexed(field string, i int) string { return field + "[" + strconv.Itoa(i) + "]" }

// Kind returns whether the gradient is linear, radial or conic.
func (g Gradient) Kind() Kind { return g.kind }

// Options returns the options with which [New] makes the gradient from its
// [Gradient.HexColors], and whether it makes exactly this one. New has no colour
// hints, radii of ellipses, positions outside 0 to 100, colours beyond sRGB, nor
// more than [MaxColors] colours. It has no corners to run to either: Angle is
// nil for a linear gradient that does, since its angle depends on the box.
func (g Gradient) Options() (o Options, exact bool) {
	o = Options{
		Kind: g.kind, Angle: new(g.angle), CSSColors: true, Repeating: g.repeating,
		Shape: g.shape, Extent: g.extent, Center: new(g.center), Space: g.space, Hue: g.hue,
	}
	for _, s := range g.stops {
		o.Positions = append(o.Positions, s.Position)
	}
	if g.toCorner != noCorner {
		o.Angle = nil
	}
	same, err := New(g.HexColors(), o)
	return o, err == nil && same.CSS() == g.CSS()
}

// Stops returns a copy of the colour stops in the order in which they are
// written.
func (g Gradient) Stops() []Stop {
	stops := make([]Stop, len(g.stops))
	for i, s := range g.stops {
		if s.Hint != nil {
			s.Hint = new(*s.Hint)
		}
		stops[i] = s
	}
	return stops
}

// HexColors returns the colours of the stops in order, in lower case: #rrggbb,
// or #rrggbbaa for those that are not opaque.
func (g Gradient) HexColors() []string {
	colors := make([]string, len(g.stops))
	for i, s := range g.stops {
		colors[i] = FormatHex(s.Color)
	}
	return colors
}

// Opaque reports whether every stop is opaque, so that every pixel is too.
func (g Gradient) Opaque() bool {
	return len(g.stops) > 0 && !slices.ContainsFunc(g.stops, func(s Stop) bool { return s.Color.A != 255 })
}
