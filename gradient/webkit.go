package gradient

import (
	"cmp"
	"math"
	"slices"
)

// This file parses the gradient function of Safari 4 and 5:
// -webkit-gradient(linear, from, to, stops) and -webkit-gradient(radial,
// centre, radius, centre, radius, stops). Numbers without a unit are pixels.

// webkitArguments parses the arguments and the closing parenthesis.
func (p *gradientParser) webkitArguments() {
	p.space()
	if p.takeWord("radial") {
		p.g.kind = Radial
	} else if !p.takeWord("linear") {
		p.fail("linear or radial")
	}
	var points [2]Point
	var radii [2]float64
	at := p.i
	for i := range points {
		p.comma()
		points[i] = Point{p.webkitCoordinate(true), p.webkitCoordinate(false)}
		if p.g.kind == Radial {
			radii[i] = p.webkitRadius()
		}
	}
	if p.g.kind == Radial {
		p.webkitStops(p.webkitCircle(at, points, radii))
	} else {
		p.webkitStops(p.webkitLine(at, points))
	}
}

// webkitCoordinate parses a keyword, percentage or number of pixels.
func (p *gradientParser) webkitCoordinate(alongX bool) float64 {
	p.space()
	at := p.i
	if !p.atNumber() {
		c, ok := p.coordinate()
		if !ok || c.axis == vertical && alongX || c.axis == horizontal && !alongX {
			p.failAt(at, "a place")
		}
		return c.percent
	}
	v, u := p.number("a percentage or a number of pixels")
	switch {
	case u == percent, u == noUnit && v == 0:
	case u == noUnit && p.box != nil:
		v *= 100 / p.box.side(alongX)
	default:
		p.failAt(at, "a percentage: pixels need the size of the box")
	}
	return p.bounded(at, v)
}

func (p *gradientParser) webkitRadius() float64 {
	p.comma()
	p.space()
	at := p.i
	v := p.unitlessNumber()
	if !(v >= 0 && v <= maxPosition) {
		p.failAt(at, "a radius")
	}
	return v
}

// webkitLine lays out a linear gradient from one point to another. It returns a
// function from a fraction of the way between them to a percentage of the
// gradient line of CSS.
func (p *gradientParser) webkitLine(at int, points [2]Point) func(float64) float64 {
	from, to := points[0], points[1]
	box := Box{100, 100}
	if p.box != nil {
		box = *p.box
	}
	dx, dy := (to.X-from.X)*box.Width, (to.Y-from.Y)*box.Height
	if p.box == nil && dx != 0 && dy != 0 {
		corner, ok := oppositeCorners(from, to)
		if !ok {
			p.failAt(at, "points above or beside each other, or corners: others need the size of the box")
		}
		p.g.toCorner = corner
		return func(f float64) float64 { return 100 * f }
	}
	if dx == 0 && dy == 0 {
		p.failAt(at, "two different points")
	}
	p.g.angle = normalAngle(math.Atan2(dx, -dy) * (180 / math.Pi))
	m := p.g.geometry(box.Width, box.Height)
	place := func(q Point) float64 { return 100 * m.place(q.X*box.Width/100, q.Y*box.Height/100) }
	start, end := place(from), place(to)
	return func(f float64) float64 { return start + f*(end-start) }
}

func oppositeCorners(from, to Point) (corner, bool) {
	corners := map[Point]corner{{0, 0}: topLeft, {100, 0}: topRight, {0, 100}: bottomLeft, {100, 100}: bottomRight}
	return corners[to], corners[from] != noCorner && corners[to] != noCorner
}

// webkitCircle lays out a radial gradient between two circles, which must have
// the same centre, as in CSS. It returns a function like that of webkitLine.
func (p *gradientParser) webkitCircle(at int, points [2]Point, radii [2]float64) func(float64) float64 {
	switch {
	case points[0] != points[1]:
		p.failAt(at, "one centre of both circles: CSS has no others")
	case radii[1] <= radii[0]:
		p.failAt(at, "a second circle larger than the first")
	case p.box == nil:
		p.failAt(at, "a linear gradient: radii need the size of the box")
	default:
		p.g.shape, p.g.center = Ellipse, points[0]
		p.g.radii = Point{round4(100 * radii[1] / p.box.Width), round4(100 * radii[1] / p.box.Height)}
	}
	return func(f float64) float64 { return 100 * (radii[0] + f*(radii[1]-radii[0])) / radii[1] }
}

// webkitStops parses from(), to() and color-stop() in any order.
func (p *gradientParser) webkitStops(toLine func(float64) float64) {
	for p.space(); p.err == nil && !p.take(')'); p.space() {
		p.comma()
		if len(p.g.stops) == MaxStops {
			p.fail("at most 1024 color stops")
		}
		at := p.i
		s := p.webkitStop()
		s.Position = p.bounded(at, toLine(s.Position))
		p.g.stops = append(p.g.stops, s)
	}
	if len(p.g.stops) < 2 {
		p.fail("a comma and a second color stop")
	}
	slices.SortStableFunc(p.g.stops, func(a, b Stop) int { return cmp.Compare(a.Position, b.Position) })
}

// webkitStop parses one stop. Its position is a fraction, not a percentage.
func (p *gradientParser) webkitStop() Stop {
	p.space()
	w := p.peekWord()
	p.i += len(w)
	if w != "from" && w != "to" && w != "color-stop" || !p.take('(') {
		p.fail("from(), to() or color-stop()")
	}
	position := 0.0
	if w == "to" {
		position = 1
	}
	p.space()
	if w == "color-stop" {
		at := p.i
		v, u := p.number("a number or percentage")
		if u > percent {
			p.failAt(at, "a number or percentage")
		}
		p.comma()
		if position = v; u == percent {
			position /= 100
		}
		p.space()
	}
	s := stopOf(p.color())
	p.space()
	p.expect(')', ")")
	s.Position = position
	return s
}
