// Package gradient makes, reads, samples and paints CSS gradients.
//
// Start with [New], which takes colours as #RRGGBB, or with [Parse], which
// reads what a style sheet says; [Scan] finds all of one. They give a [Gradient],
// an immutable value that any number of goroutines may share:
//
//   - [Gradient.CSS], [Gradient.CSSWithPrefixes] and [Gradient.CSSWithFallback]
//     write it down again, package export for other places,
//   - [Gradient.At], [Gradient.Colors] and [Gradient.Contrast] look along it,
//   - [Gradient.Image], [Gradient.Painter], [Gradient.WritePNG] and
//     [Gradient.WriteSVG] paint it as a browser paints its CSS,
//   - [Gradient.Expand] turns a perceptual or eased gradient into plain sRGB stops,
//     which any browser since 2013 paints.
//
// A gradient keeps exactly what its CSS says: positions and angles hold four
// decimals, colours eight bits per channel, and those that CSS Color 4 has added
// six decimals. So Parse(g.CSS()) gives g back, and what Image paints is what the
// written text asks for.
//
// Interpolation is that of CSS: with premultiplied alpha, clipped to sRGB. Not
// covered are var(), relative colours, escapes in names, lengths that need a font
// or a window, and calc() of percentages with lengths in a centre.
// Which side of a hard stop a pixel gets whose centre is exactly on it is not
// promised, nor is the pixel in the very middle of a conic gradient. In OKLCH a
// grey takes the hue of its neighbour, as CSS Color 4 says; Chromium 156 still
// paints such a stretch with a hue made of rounding errors. The text of error
// messages may change; their fields will not.
//
// The error of an option, of which several may be joined, has a method
// Invalid() (field, reason string): the option's name in the HTTP API, such as
// colors[2], and a word such as out_of_range.
package gradient

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"github.com/devkiln/devkiln/internal/invalid"
)

const (
	// MinColors is how many colours New takes at least.
	MinColors = 2
	// MaxColors is how many colours New takes at most.
	MaxColors = 10
	// MaxStops bounds the colour stops of any gradient, parsed or expanded.
	MaxStops = 1024
)

// Options says how to lay out the colours of [New]. The zero Options is a
// linear gradient at 90 degrees whose colours are spread evenly.
type Options struct {
	Kind Kind

	// Angle is the direction of a linear gradient, or where a conic one starts,
	// in degrees clockwise from the top. Nil means 90 for linear and 0 for
	// conic. 0 to 360 is kept as it is, any other finite number is reduced into
	// [0, 360). Radial gradients check it and do not use it.
	Angle *float64

	// Positions are percentages from 0 to 100, one for each colour. Nil spreads
	// the colours evenly. They need not ascend: as in CSS, a position before an
	// earlier one is painted at the earlier one.
	Positions []float64

	// Alpha takes #RRGGBBAA among the colours too.
	Alpha bool

	// Repeating repeats the stretch between the first and the last position.
	Repeating bool

	// Shape, Extent and Center lay out a radial gradient; Center, in percent of
	// the box from its top left corner, a conic one too. Nil is the middle. Its
	// coordinates are finite and within ±1,000,000.
	Shape  Shape
	Extent Extent
	Center *Point

	// Space is where colours are interpolated between stops, and Hue which way
	// around the colour wheel in OKLCH. Other spaces check it and do not use it.
	Space Space
	Hue   Hue
}

// Point is a place in a box, in percent of its width and its height.
type Point struct{ X, Y float64 }

// Stop is one colour stop of a gradient.
type Stop struct {
	Color color.NRGBA
	// Position is in percent of the gradient line, as written: it may be
	// smaller than that of the stop before.
	Position float64
	// Hint is the position of the colour hint between this stop and the next,
	// where the two colours mix half and half. Nil if there is none.
	Hint *float64

	wide *Color // what Color is clipped from, nil for a colour of eight bits
}

// stopOf returns a stop of a colour as it was written.
func stopOf(c Color) Stop {
	s := Stop{Color: c.NRGBA()}
	if !c.legacy {
		for i := range c.Components {
			c.Components[i] = round6(c.Components[i])
		}
		c.Alpha = round6(c.Alpha)
		s.wide = &c
	}
	return s
}

// In returns the colour of the stop in any space, which may be out of its gamut;
// [Color.Fit] brings it in. Color is the same, clipped to sRGB.
func (s Stop) In(space Space) Color {
	if s.wide != nil {
		return s.wide.In(space)
	}
	return ColorOf(s.Color).In(space)
}

// painted returns what is painted for the stop alone.
func (s Stop) painted(t *transfer) vec {
	if s.wide == nil {
		return painted(s.Color)
	}
	v := s.wide.In(SRGB)
	for i := range v.Missing {
		v.Missing[i] = false
	}
	return SRGB.paint(SRGB.premultiply(v.vec()), t)
}

// hasWideColors reports whether a colour is one that CSS Color 4 has added.
func (g Gradient) hasWideColors() bool {
	return slices.ContainsFunc(g.stops, func(s Stop) bool { return s.wide != nil })
}

// Gradient is an immutable gradient. The zero Gradient has no colours: it is
// transparent wherever it is painted, and its CSS is "none".
type Gradient struct {
	kind      Kind
	repeating bool
	shape     Shape
	extent    Extent
	toCorner  corner
	angle     float64
	center    Point
	radii     Point // percentages of an explicit ellipse; zero X means extent
	space     Space
	hue       Hue
	stops     []Stop
	ramp      *ramp
}

// corner is the target of "to top left" and its like.
type corner uint8

var cornerNames = names{"", "top left", "top right", "bottom left", "bottom right"}

const (
	noCorner corner = iota
	topLeft
	topRight
	bottomLeft
	bottomRight
)

const (
	defaultLinearAngle = 90
	maxPosition        = 1e6
)

var middle = Point{50, 50}

// New makes a gradient of 2 to 10 colours in the form #RRGGBB; with
// [Options].Alpha also #RRGGBBAA.
//
// The error joins one for every field at fault: colors,
// colors[i], positions, positions[i], angle, type, shape, extent, center, space
// and hue.
func New(colors []string, o Options) (Gradient, error) {
	var faults invalid.Inputs
	g := Gradient{
		kind: o.Kind, repeating: o.Repeating, shape: o.Shape, extent: o.Extent,
		space: o.Space, hue: o.Hue, center: middle,
	}
	checkEnum(&faults, "type", o.Kind, kindNames)
	checkEnum(&faults, "shape", o.Shape, shapeNames)
	checkEnum(&faults, "extent", o.Extent, extentNames)
	checkEnum(&faults, "space", o.Space, spaceNames)
	checkEnum(&faults, "hue", o.Hue, hueNames)
	g.angle = optionAngle(&faults, o)
	if o.Center != nil {
		g.center = optionCenter(&faults, *o.Center)
	}
	g.stops = optionColors(&faults, colors, o.Alpha)
	optionPositions(&faults, g.stops, o.Positions, len(colors))
	if err := faults.Err(); err != nil {
		return Gradient{}, err
	}
	return g.finished(), nil
}

// finished drops what the kind does not use, so that equal pictures are equal
// values, and prepares the ramp.
func (g Gradient) finished() Gradient {
	if g.kind != Radial {
		g.shape, g.extent, g.radii = Circle, FarthestCorner, Point{}
	} else {
		g.angle = 0
	}
	if g.kind == Linear {
		g.center = middle
	}
	if g.space.hueIndex() < 0 {
		g.hue = ShorterHue
	}
	g.ramp = newRamp(g.stops, g, transferTable())
	return g
}

func optionAngle(faults *invalid.Inputs, o Options) float64 {
	switch {
	case o.Angle == nil && o.Kind == Linear:
		return defaultLinearAngle
	case o.Angle == nil:
		return 0
	case math.IsNaN(*o.Angle) || math.IsInf(*o.Angle, 0):
		faults.Add("angle", "out_of_range", "must be a finite number of degrees")
		return 0
	}
	return normalAngle(*o.Angle)
}

// normalAngle keeps 0 to 360 and reduces anything else into [0, 360).
func normalAngle(degrees float64) float64 {
	if degrees >= 0 && degrees <= 360 {
		return round4(degrees)
	}
	degrees = math.Mod(degrees, 360)
	if degrees < 0 {
		degrees += 360
	}
	return math.Mod(round4(degrees), 360)
}

func optionCenter(faults *invalid.Inputs, p Point) Point {
	for _, v := range []float64{p.X, p.Y} {
		if !(math.Abs(v) <= maxPosition) {
			faults.Add("center", "out_of_range", "must have two percentages from -1000000 to 1000000")
			return middle
		}
	}
	return Point{round4(p.X), round4(p.Y)}
}

func optionColors(faults *invalid.Inputs, colors []string, alpha bool) []Stop {
	wanted := "must be #RRGGBB"
	if alpha {
		wanted += " or #RRGGBBAA"
	}
	switch n := len(colors); {
	case n < MinColors:
		faults.Add("colors", "too_few", "must hold 2 to 10 colors, has "+strconv.Itoa(n))
	case n > MaxColors:
		faults.Add("colors", "too_many", "must hold 2 to 10 colors, has "+strconv.Itoa(n))
		colors = colors[:MaxColors]
	}
	stops := make([]Stop, len(colors))
	for i, s := range colors {
		c, ok := strictHex(s, alpha)
		if !ok {
			faults.Add(indexed("colors", i), "invalid_format", wanted)
		}
		stops[i] = Stop{Color: c, Position: evenPosition(i, len(colors))}
	}
	return stops
}

// evenPosition is the percentage of stop i of n stops that are spread evenly.
func evenPosition(i, n int) float64 {
	if n < 2 {
		return 0
	}
	return round4(100 * float64(i) / float64(n-1))
}

func optionPositions(faults *invalid.Inputs, stops []Stop, positions []float64, want int) {
	if positions == nil {
		return
	}
	have := len(positions)
	switch {
	case have > MaxColors:
		faults.Add("positions", "too_many", "must hold as many numbers as there are colors, so at most 10, has "+strconv.Itoa(have))
	case want == 0: // the colors are at fault, not the positions
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

// Repeating reports whether the gradient repeats beyond its first and last
// stop.
func (g Gradient) Repeating() bool { return g.repeating }

// Shape returns the outline of a radial gradient.
func (g Gradient) Shape() Shape { return g.shape }

// Extent returns where the 100 % of a radial gradient lies, unless
// [Gradient.Radii] does.
func (g Gradient) Extent() Extent { return g.extent }

// Radii returns the explicit radii of a radial gradient, in percent of the
// width and of the height of the box, and whether it has such.
func (g Gradient) Radii() (Point, bool) { return g.radii, g.radii.X > 0 }

// Center returns the centre of a radial or conic gradient.
func (g Gradient) Center() Point { return g.center }

// Corner returns the corner that a linear gradient runs to, as CSS says it:
// "top left", "top right", "bottom left" or "bottom right". It is "" for a
// gradient that has an angle instead.
func (g Gradient) Corner() string { return cornerNames[g.toCorner] }

// Space returns where the gradient interpolates its colours.
func (g Gradient) Space() Space { return g.space }

// Hue returns which way around the colour wheel the gradient goes in OKLCH.
func (g Gradient) Hue() Hue { return g.hue }

// WithSpace returns the same stops interpolated in another space; hue is for
// OKLCH. The error joins an option error for each of space and hue at fault.
func (g Gradient) WithSpace(space Space, hue Hue) (Gradient, error) {
	var faults invalid.Inputs
	checkEnum(&faults, "space", space, spaceNames)
	checkEnum(&faults, "hue", hue, hueNames)
	if err := faults.Err(); err != nil {
		return Gradient{}, err
	}
	g.space, g.hue = space, hue
	return g.finished(), nil
}

// Reverse returns the gradient with its stops and hints in the opposite order:
// what was at 10 % is at 90 %. On a colour wheel, increasing and decreasing
// change places. The curve of a hint, which is steeper at one end, is that of
// CSS for the new order.
func (g Gradient) Reverse() Gradient {
	if len(g.stops) == 0 {
		return g
	}
	last := len(g.stops) - 1
	stops := make([]Stop, len(g.stops))
	reached := math.Inf(-1)
	places := make([]float64, len(g.stops)) // as painted
	hints := make([]*float64, len(g.stops))
	for i, s := range g.stops {
		reached = max(reached, s.Position)
		places[i] = reached
		if s.Hint != nil {
			reached = max(reached, *s.Hint)
			hints[i] = new(round4(100 - reached))
		}
	}
	for i := range stops {
		stops[i] = g.stops[last-i]
		stops[i].Position, stops[i].Hint = round4(100-places[last-i]), nil
		if i < last {
			stops[i].Hint = hints[last-i-1]
		}
	}
	g.hue = g.hue.reversed()
	g.stops = stops
	return g.finished()
}

// Angle returns the direction of a linear gradient, or where a conic one
// starts, in degrees clockwise from the top. It is 0 for radial gradients and
// for those that run to a corner, whose angle depends on the box.
func (g Gradient) Angle() float64 { return g.angle }

// Stops returns the colour stops in the order they are written. The slice is
// the caller's own.
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
// and #rrggbbaa for those that are not opaque.
func (g Gradient) HexColors() []string {
	colors := make([]string, len(g.stops))
	for i, s := range g.stops {
		colors[i] = FormatHex(s.Color)
	}
	return colors
}

// Opaque reports whether every stop is opaque, so that every pixel is too.
func (g Gradient) Opaque() bool {
	for _, s := range g.stops {
		if s.Color.A != 255 {
			return false
		}
	}
	return len(g.stops) > 0
}
