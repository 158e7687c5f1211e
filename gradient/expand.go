package gradient

import (
	"cmp"
	"image/color"
	"slices"
	"strconv"

	"github.com/devkiln/devkiln/internal/invalid"
)

const (
	defaultMaxError = 2
	minMaxError     = 1
	maxMaxError     = 64
)

// ExpandOptions configures [Gradient.Expand]. The zero value means a MaxError
// of 2 and linear easing.
type ExpandOptions struct {
	// MaxError is the largest permitted difference between a painted channel
	// and the exact one, in steps of 1/255, from 1 to 64. 0 means 2.
	MaxError float64

	// Easing is how colours change between adjacent stops. Any easing other
	// than linear drops colour hints.
	Easing Easing
}

// Expand returns a gradient of plain sRGB stops that looks like g, whatever its
// interpolation space and colour hints. Every browser that supports gradients
// can paint it, and [Gradient.CSSWithPrefixes] has prefixed forms for it. Use
// [Gradient.WithSpace] to choose another space first.
//
// It places each stop as far from the one before as bisection finds possible
// within the error limit, and so uses few stops.
//
// The error is an option error for maxError if that is out of range or if more
// than [MaxStops] stops would be needed.
func (g Gradient) Expand(o ExpandOptions) (Gradient, error) {
	maxError := cmp.Or(o.MaxError, defaultMaxError)
	if !(maxError >= minMaxError && maxError <= maxMaxError) {
		return Gradient{}, &invalid.Input{Field: "maxError", Reason: "out_of_range", Message: "must be 0 or from 1 to 64"}
	}
	if g.ramp == nil {
		return g, nil
	}
	stops := g.stops
	if o.Easing != (Easing{}) {
		stops = withoutHints(stops)
	}
	x := expansion{maxError: maxError, pieces: o.Easing.pieces()}
	x.ramp(newRamp(stops, g))
	if len(x.stops) > MaxStops {
		return Gradient{}, tooManyStops()
	}
	g.stops, g.space = make([]Stop, len(x.stops)), SRGB
	for i, s := range x.stops {
		g.stops[i] = Stop{Color: s.color, Position: s.position}
	}
	return g.finished(), nil
}

func tooManyStops() error {
	return &invalid.Input{
		Field: "maxError", Reason: "out_of_range",
		Message: "must be larger: more than " + strconv.Itoa(MaxStops) + " stops would be needed",
	}
}

func withoutHints(stops []Stop) []Stop {
	stops = slices.Clone(stops)
	for i := range stops {
		stops[i].Hint = nil
	}
	return stops
}

// expansion collects the stops that approximate a ramp.
type expansion struct {
	maxError float64
	pieces   []piece
	straight bool // whether the target interpolates without premultiplying
	stops    []expandedStop
}

// expandedStop is a stop of an expansion. For a target that interpolates without
// premultiplying, its opacity is not rounded to eight bits.
type expandedStop struct {
	color    color.NRGBA
	opacity  float64
	position float64 // in percent, ascending
}

// ramp adds the stops of a whole gradient line. It always keeps the outer
// stops, whose colours continue beyond them. It stops early if there are too
// many stops for CSS.
func (x *expansion) ramp(r *ramp) {
	x.add(r.ends[0], opacity(r.ends[0]), r.first)
	for i := range r.segments {
		if x.segment(r, &r.segments[i]); len(x.stops) > MaxStops && !x.straight {
			return
		}
	}
	x.add(r.ends[1], opacity(r.ends[1]), r.last)
	if len(x.stops) == 1 {
		x.stops = append(x.stops, x.stops[0])
	}
}

// opacity returns the alpha of a colour from 0 to 1.
func opacity(c color.NRGBA) float64 { return float64(c.A) / 255 }

// add appends a stop at a place, unless it equals the last one.
func (x *expansion) add(c color.NRGBA, opacity, place float64) {
	s := expandedStop{color: c, opacity: opacity, position: round4(place * 100)}
	if n := len(x.stops); n > 0 && x.stops[n-1] == s {
		return
	}
	x.stops = append(x.stops, s)
}

func (x *expansion) segment(r *ramp, g *segment) {
	for _, p := range x.pieces {
		curve := func(f float64) vec { return r.space.paint(g.at(p.progress(f)), r.transfer) }
		points := x.points(curve, p.from, p.to)
		last := len(points) - 1
		points[0].color = x.end(g, p.progress(p.from), points[0], points[1])
		points[last].color = x.end(g, p.progress(p.to), points[last], points[last-1])
		for from := 0; ; {
			p := points[from]
			opacity := opacity(p.color)
			if x.straight {
				opacity = p.painted[3]
			}
			x.add(p.color, opacity, g.start+p.at*(g.end-g.start))
			if from == last {
				break
			}
			from = x.farthest(points, from)
		}
	}
}

// point is one sample of a segment.
type point struct {
	at      float64 // fraction of the segment
	painted vec
	color   color.NRGBA // of a stop at this point
}

// end returns the colour of the stop at an end of a piece. It keeps that of an
// original stop, except that without premultiplying a fully transparent stop
// takes the colour of the point beside it.
func (x *expansion) end(g *segment, progress float64, p, inner point) color.NRGBA {
	c := p.color
	switch progress {
	case 0:
		c = g.colors[0]
	case 1:
		c = g.colors[1]
	}
	if x.straight && c.A == 0 {
		c = inner.color
		c.A = 0
	}
	return c
}

// points samples a curve until no channel changes by more than one level
// between two samples, or the samples are as close as positions can be.
func (x *expansion) points(curve func(float64) vec, from, to float64) []point {
	const least = 32
	at := func(f float64) point {
		v := curve(f)
		return point{at: f, painted: v, color: straight(v)}
	}
	points := []point{at(from)}
	for i := range least {
		end := at(from + (to-from)*float64(i+1)/least)
		points = refine(points, at, points[len(points)-1], end, 14)
	}
	return points
}

// refine appends the samples after a up to and including b.
func refine(points []point, at func(float64) point, a, b point, depth int) []point {
	if depth == 0 || !differ(&a.painted, &b.painted, 1) {
		return append(points, b)
	}
	mid := at((a.at + b.at) / 2)
	points = refine(points, at, a, mid, depth-1)
	return refine(points, at, mid, b, depth-1)
}

// farthest returns the index of the farthest point to which a straight line
// from point from fits.
func (x *expansion) farthest(points []point, from int) int {
	good, bad := from+1, len(points)
	for step := 2; good+step < bad; step *= 2 {
		if !x.fits(points[from : good+step+1]) {
			bad = good + step
			break
		}
		good += step
	}
	for good+1 < bad {
		mid := (good + bad) / 2
		if x.fits(points[from : mid+1]) {
			good = mid
		} else {
			bad = mid
		}
	}
	return good
}

// fits reports whether a straight line between the outer points is close enough
// to the inner ones.
func (x *expansion) fits(points []point) bool {
	first, last := points[0], points[len(points)-1]
	a, b := painted(first.color), painted(last.color)
	if x.straight {
		a, b = levels(first.color, first.painted[3]), levels(last.color, last.painted[3])
	}
	for _, p := range points {
		v := a.toward(b, (p.at-first.at)/(last.at-first.at))
		if x.straight {
			v[0], v[1], v[2] = v[0]*v[3], v[1]*v[3], v[2]*v[3]
		}
		if differ(&v, &p.painted, x.maxError-margin) {
			return false
		}
	}
	return true
}

// margin is the part of the error limit, in levels, reserved for what happens
// between two samples.
const margin = 0.05

// levels returns the channels of a colour that is not premultiplied.
func levels(c color.NRGBA, opacity float64) vec {
	return vec{float64(c.R), float64(c.G), float64(c.B), opacity}
}
