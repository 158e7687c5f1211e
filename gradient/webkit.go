package gradient

import (
	"cmp"
	"math"
	"slices"
)

// The function of Safari 4 to 5: -webkit-gradient(linear, from, to, stops) and
// -webkit-gradient(radial, centre, radius, centre, radius, stops). Numbers
// without a unit are pixels.

// webkitArguments reads the arguments and the closing parenthesis.
func (p *gradientParser) webkitArguments() error {
	p.space()
	switch {
	case p.takeWord("linear"):
	case p.takeWord("radial"):
		p.g.kind = Radial
	default:
		return p.fail("linear or radial")
	}
	var points [2]Point
	var radii [2]float64
	at := p.i
	for i := range points {
		if err := p.comma(); err != nil {
			return err
		}
		var err error
		if points[i], err = p.webkitPoint(); err != nil {
			return err
		}
		if p.g.kind == Radial {
			if radii[i], err = p.webkitRadius(); err != nil {
				return err
			}
		}
	}
	toLine, err := p.webkitLine(at, points)
	if p.g.kind == Radial {
		toLine, err = p.webkitCircle(at, points, radii)
	}
	if err != nil {
		return err
	}
	return p.webkitStops(toLine)
}

// webkitPoint reads two keywords, percentages or numbers.
func (p *gradientParser) webkitPoint() (Point, error) {
	x, err := p.webkitCoordinate(true)
	if err != nil {
		return Point{}, err
	}
	y, err := p.webkitCoordinate(false)
	return Point{x, y}, err
}

func (p *gradientParser) webkitCoordinate(alongX bool) (float64, error) {
	p.space()
	at := p.i
	if !p.atNumber() {
		c, ok, err := p.coordinate()
		if err == nil && (!ok || c.axis == vertical && alongX || c.axis == horizontal && !alongX) {
			err = p.failAt(at, "a place")
		}
		return c.percent, err
	}
	v, u, err := p.number("a percentage or a number of pixels")
	switch {
	case err != nil:
		return 0, err
	case u == percent, u == noUnit && v == 0:
	case u == noUnit && p.box != nil:
		v *= 100 / p.box.side(alongX)
	default:
		return 0, p.failAt(at, "a percentage: pixels need the size of the box")
	}
	return p.bounded(at, v)
}

func (p *gradientParser) webkitRadius() (float64, error) {
	if err := p.comma(); err != nil {
		return 0, err
	}
	v, err := p.plainNumber()
	if err == nil && !(v >= 0 && v <= maxPosition) {
		err = p.fail("a radius")
	}
	return v, err
}

// webkitLine lays out a linear gradient from one point to another, and returns
// how a place between them is one on the gradient line of CSS.
func (p *gradientParser) webkitLine(at int, points [2]Point) (func(float64) float64, error) {
	from, to := points[0], points[1]
	box := Box{100, 100}
	if p.box != nil {
		box = *p.box
	}
	dx, dy := (to.X-from.X)*box.Width, (to.Y-from.Y)*box.Height
	if p.box == nil && dx != 0 && dy != 0 {
		corner, ok := oppositeCorners(from, to)
		if !ok {
			return nil, p.failAt(at, "points above or beside each other, or corners: others need the size of the box")
		}
		p.g.toCorner = corner
		return func(f float64) float64 { return 100 * f }, nil
	}
	if dx == 0 && dy == 0 {
		return nil, p.failAt(at, "two different points")
	}
	p.g.angle = normalAngle(math.Atan2(dx, -dy) * (180 / math.Pi))
	m := p.g.geometry(box.Width, box.Height)
	place := func(q Point) float64 { return 100 * m.place(q.X*box.Width/100, q.Y*box.Height/100) }
	start, end := place(from), place(to)
	return func(f float64) float64 { return start + f*(end-start) }, nil
}

func oppositeCorners(from, to Point) (corner, bool) {
	for _, v := range []float64{from.X, from.Y, to.X, to.Y} {
		if v != 0 && v != 100 {
			return noCorner, false
		}
	}
	switch to {
	case Point{0, 0}:
		return topLeft, true
	case Point{100, 0}:
		return topRight, true
	case Point{0, 100}:
		return bottomLeft, true
	default:
		return bottomRight, true
	}
}

// webkitCircle lays out a radial gradient between two circles, of which CSS has
// those with one centre.
func (p *gradientParser) webkitCircle(at int, points [2]Point, radii [2]float64) (func(float64) float64, error) {
	switch {
	case points[0] != points[1]:
		return nil, p.failAt(at, "one centre of both circles: CSS has no others")
	case radii[1] <= radii[0]:
		return nil, p.failAt(at, "a second circle larger than the first")
	case p.box == nil:
		return nil, p.failAt(at, "a linear gradient: radii need the size of the box")
	}
	p.g.shape, p.g.center = Ellipse, points[0]
	p.g.radii = Point{round4(100 * radii[1] / p.box.Width), round4(100 * radii[1] / p.box.Height)}
	return func(f float64) float64 { return 100 * (radii[0] + f*(radii[1]-radii[0])) / radii[1] }, nil
}

// webkitStops reads from(), to() and color-stop() in any order.
func (p *gradientParser) webkitStops(toLine func(float64) float64) error {
	for {
		p.space()
		if p.take(')') {
			break
		}
		if err := p.comma(); err != nil {
			return err
		}
		if len(p.g.stops) == MaxStops {
			return p.fail("at most 1024 color stops")
		}
		at := p.i
		s, err := p.webkitStop()
		if err != nil {
			return err
		}
		if s.Position, err = p.bounded(at, toLine(s.Position)); err != nil {
			return err
		}
		p.g.stops = append(p.g.stops, s)
	}
	if len(p.g.stops) < 2 {
		return p.fail("a comma and a second color stop")
	}
	slices.SortStableFunc(p.g.stops, func(a, b Stop) int { return cmp.Compare(a.Position, b.Position) })
	return nil
}

// webkitStop reads one stop, whose position is from 0 to 1.
func (p *gradientParser) webkitStop() (Stop, error) {
	const wanted = "from(), to() or color-stop()"
	p.space()
	w := p.peekWord()
	p.i += w.n
	if !w.is("from") && !w.is("to") && !w.is("color-stop") || !p.take('(') {
		return Stop{}, p.fail(wanted)
	}
	position := 0.0
	if w.is("to") {
		position = 1
	}
	p.space()
	if w.is("color-stop") {
		at := p.i
		v, u, err := p.number("a number or percentage")
		if err == nil && u > percent {
			err = p.failAt(at, "a number or percentage")
		}
		if err == nil {
			err = p.comma()
		}
		if err != nil {
			return Stop{}, err
		}
		if position = v; u == percent {
			position /= 100
		}
		p.space()
	}
	c, err := p.color()
	if err != nil {
		return Stop{}, err
	}
	p.space()
	if !p.take(')') {
		return Stop{}, p.fail(")")
	}
	s := stopOf(c)
	s.Position = position
	return s, nil
}
