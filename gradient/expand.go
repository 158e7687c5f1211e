package gradient

import (
	"cmp"
	"image/color"
	"math"
	"sort"
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
// can paint it, and [Gradient.CSSWithPrefixes] has prefixed forms for it.
//
// It places each stop as far from the one before as bisection finds possible
// within the error limit, and so uses few stops.
//
// The error is an option error for maxError if that is out of range or if more
// than 1,024 stops would be needed.
func (g Gradient) Expand(o ExpandOptions) (Gradient, error) {
	maxError := cmp.Or(o.MaxError, defaultMaxError)
	if !(maxError >= minMaxError && maxError <= maxMaxError) {
		return Gradient{}, &invalid.Fault{Field: "maxError", Reason: "out_of_range", Message: "must be 0 or from 1 to 64"}
	}
	if g.ramp == nil {
		return g, nil
	}
	stops := g.Stops()
	for i := range stops {
		if o.Easing != (Easing{}) {
			stops[i].Hint = nil
		}
	}
	x := expansion{maxError: maxError, easing: o.Easing}
	x.ramp(newRamp(stops, g))
	if len(x.stops) > maxStops {
		return Gradient{}, tooManyStops()
	}
	g.stops, g.space = make([]Stop, len(x.stops)), SRGB
	for i, s := range x.stops {
		g.stops[i] = Stop{Color: s.Color, Position: round4(s.Offset * 100)}
	}
	return g.finished(), nil
}

func tooManyStops() error {
	return &invalid.Fault{Field: "maxError", Reason: "out_of_range", Message: "must be larger: more than " + strconv.Itoa(maxStops) + " stops would be needed"}
}

// expansion collects the stops that approximate a ramp.
type expansion struct {
	maxError float64
	easing   Easing
	straight bool // whether the target interpolates without premultiplying
	stops    []ResolvedStop
}

// ramp adds the stops of a whole gradient line. It always keeps the outer
// stops, whose colours continue beyond them. It stops early if there are too
// many stops for CSS.
func (x *expansion) ramp(r *ramp) {
	x.add(r.ends[0], opacity(r.ends[0]), r.first)
	for i := range r.segments {
		if x.segment(r, &r.segments[i]); len(x.stops) > maxStops && !x.straight {
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
	s := ResolvedStop{round4(place*100) / 100, c, opacity}
	if n := len(x.stops); n == 0 || x.stops[n-1] != s {
		x.stops = append(x.stops, s)
	}
}

func (x *expansion) segment(r *ramp, g *segment) {
	points := samples(func(f float64) vec { return r.space.paint(g.at(x.easing.At(f)), r.transfer) })
	last := len(points) - 1
	points[0].color = x.end(points[0].color, points[1])
	points[last].color = x.end(points[last].color, points[last-1])
	for i := 0; i <= last; i = x.farthest(points, i) {
		p := points[i]
		alpha := opacity(p.color)
		if x.straight {
			alpha = p.painted[3] // not rounded to eight bits
		}
		x.add(p.color, alpha, g.start+p.at*(g.end-g.start))
	}
}

// point is one sample of a segment.
type point struct {
	at      float64 // fraction of the segment
	painted vec
	color   color.NRGBA // of a stop at this point
}

// end returns the colour of the stop at an end of a segment: that of the
// original stop, except that without premultiplying a fully transparent stop
// takes the colour of the point beside it.
func (x *expansion) end(c color.NRGBA, inner point) color.NRGBA {
	if x.straight && c.A == 0 {
		c = inner.color
		c.A = 0
	}
	return c
}

// samples samples a curve until no channel changes by more than one level
// between two samples, or the samples are as close as positions can be.
func samples(curve func(float64) vec) []point {
	const initial, depth = 32, 14
	at := func(f float64) point {
		v := curve(f)
		return point{at: f, painted: v, color: straight(v)}
	}
	points := []point{at(0)}
	for i := range initial {
		points = refine(points, at, points[len(points)-1], at(float64(i+1)/initial), depth)
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

// farthest returns the index of the farthest point, by bisection, to which a
// straight line from point i fits.
func (x *expansion) farthest(points []point, i int) int {
	return i + 1 + sort.Search(max(len(points)-i-2, 0), func(n int) bool { return !x.fits(points[i : i+n+3]) })
}

// fits reports whether a straight line between the outer points is close enough
// to the inner ones.
func (x *expansion) fits(points []point) bool {
	const margin = 0.05 // of the error limit, in levels, for what happens between two samples
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

// levels returns the channels of a colour that is not premultiplied.
func levels(c color.NRGBA, opacity float64) vec {
	return vec{float64(c.R), float64(c.G), float64(c.B), opacity}
}

// Easing maps the distance travelled between two stops to the progress of the
// colour, like the easing functions of CSS. The zero Easing is linear;
// [ParseEasing] returns the others.
type Easing struct {
	curve [4]float64 // x1, y1, x2, y2 of a Bézier curve
}

var (
	easingNames = names{"linear", "ease", "ease-in", "ease-out", "ease-in-out"}
	easings     = [...]Easing{{}, {[4]float64{0.25, 0.1, 0.25, 1}}, {[4]float64{0.42, 0, 1, 1}}, {[4]float64{0, 0, 0.58, 1}}, {[4]float64{0.42, 0, 0.58, 1}}}
)

// ParseEasing parses a CSS easing function: linear, ease, ease-in, ease-out,
// ease-in-out, or cubic-bezier(x1, y1, x2, y2) with x1 and x2 from 0 to 1.
// Progress below 0 or above 1 is clamped. The error is a [*ParseError].
func ParseEasing(css string) (Easing, error) {
	p := newScanner(css)
	e := p.easing()
	if err := p.finish("easing"); err != nil {
		return Easing{}, err
	}
	return e, nil
}

func (p *scanner) easing() (e Easing) {
	if i, ok := p.takeOneOf(easingNames); ok {
		return easings[i]
	}
	if p.is("cubic-bezier") {
		p.failAt(p.end, "(")
	}
	p.expect("cubic-bezier(", "linear, ease, ease-in, ease-out, ease-in-out or cubic-bezier()")
	for i := range e.curve {
		v := p.takeNumber("a number")
		switch {
		case v.unit != noUnit:
			p.failAt(v.at, "a number")
		case i%2 == 0 && !(v.value >= 0 && v.value <= 1):
			p.failAt(v.at, "a number from 0 to 1")
		case !(math.Abs(v.value) <= maxPosition):
			p.failAt(v.at, "a number from -1000000 to 1000000")
		}
		e.curve[i] = v.value
		end := ","
		if i == len(e.curve)-1 {
			end = ")"
		}
		p.expect(end, end)
	}
	return e
}

// At returns the progress, from 0 to 1, at the fraction x of the distance, which
// it clamps to the range 0 to 1. It finds the y of the curve at x by bisection.
func (e Easing) At(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	if e == (Easing{}) || x >= 1 {
		return min(x, 1)
	}
	low, high := 0.0, 1.0
	for range 52 {
		mid := (low + high) / 2
		if bezier(e.curve[0], e.curve[2], mid) < x {
			low = mid
		} else {
			high = mid
		}
	}
	return min(max(bezier(e.curve[1], e.curve[3], (low+high)/2), 0), 1)
}

// bezier returns one coordinate, at the parameter s, of a cubic Bézier curve
// from 0 to 1 with the control points p1 and p2.
func bezier(p1, p2, s float64) float64 {
	r := 1 - s
	return 3*r*r*s*p1 + 3*r*s*s*p2 + s*s*s
}
