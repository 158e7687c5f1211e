package gradient

import "math"

// geometry maps the pixels of a box to places on the gradient line.
//
// For a linear gradient the place is x*dx + y*dy + offset; for a radial one,
// the length of ((x-cx)*dx, (y-cy)*dy); for a conic one, the angle around (cx,
// cy) as a fraction of a turn, minus offset. Coordinates are in pixels, and
// pixels are sampled at their centres.
type geometry struct {
	kind   Kind
	dx, dy float64
	cx, cy float64
	offset float64
	reach  float64 // the largest place in the box
	solid  bool    // the ending shape is empty, so that only [ramp.mean] shows
}

func (g Gradient) geometry(w, h float64) geometry {
	switch g.kind {
	case Radial:
		return g.radialGeometry(w, h)
	case Conic:
		return geometry{
			kind: Conic, cx: w * g.center.X / 100, cy: h * g.center.Y / 100,
			offset: g.angle / 360, reach: 1,
		}
	default:
		dx, dy := g.direction(w, h)
		length := math.Abs(w*dx) + math.Abs(h*dy)
		return geometry{
			kind: Linear, dx: dx / length, dy: dy / length,
			offset: 0.5 - (w*dx+h*dy)/(2*length), reach: 1,
		}
	}
}

// direction returns the unit vector of the direction of a linear gradient,
// rounded so that it is exact for the four sides.
func (g Gradient) direction(w, h float64) (dx, dy float64) {
	const precise = 1e15
	if g.toCorner == noCorner {
		sin, cos := math.Sincos(g.angle * (math.Pi / 180))
		return math.Round(sin*precise) / precise, -math.Round(cos*precise) / precise
	}
	signs := [...]Point{topLeft: {-1, -1}, topRight: {1, -1}, bottomLeft: {-1, 1}, bottomRight: {1, 1}}[g.toCorner]
	long := math.Hypot(w, h)
	return signs.X * h / long, signs.Y * w / long
}

func (g Gradient) radialGeometry(w, h float64) geometry {
	cx, cy := w*g.center.X/100, h*g.center.Y/100
	rx, ry := g.radiiIn(w, h, cx, cy)
	if rx <= 0 || ry <= 0 {
		return geometry{kind: Radial, cx: cx, cy: cy, reach: 1, solid: true}
	}
	return geometry{
		kind: Radial, cx: cx, cy: cy, dx: 1 / rx, dy: 1 / ry,
		reach: math.Hypot(max(math.Abs(cx), math.Abs(w-cx))/rx, max(math.Abs(cy), math.Abs(h-cy))/ry),
	}
}

// radiiIn returns the radii of the ending shape in a box of w by h.
func (g Gradient) radiiIn(w, h, cx, cy float64) (rx, ry float64) {
	if g.radii.X > 0 {
		return w * g.radii.X / 100, h * g.radii.Y / 100
	}
	choose := math.Max
	if g.extent == ClosestSide || g.extent == ClosestCorner {
		choose = math.Min
	}
	x, y := choose(math.Abs(cx), math.Abs(w-cx)), choose(math.Abs(cy), math.Abs(h-cy))
	toCorner := g.extent == ClosestCorner || g.extent == FarthestCorner
	switch {
	case g.shape == Ellipse && toCorner:
		return x * math.Sqrt2, y * math.Sqrt2
	case g.shape == Ellipse:
		return x, y
	case toCorner:
		x = math.Hypot(x, y)
	default:
		x = choose(x, y)
	}
	return x, x
}

// place returns the place of the point (x, y).
func (m *geometry) place(x, y float64) float64 {
	switch m.kind {
	case Radial:
		return math.Hypot((x-m.cx)*m.dx, (y-m.cy)*m.dy) + m.offset
	case Conic:
		if x == m.cx && y == m.cy {
			return 0
		}
		t := math.Atan2(x-m.cx, m.cy-y)*(0.5/math.Pi) - m.offset
		return t - math.Floor(t)
	default:
		return x*m.dx + y*m.dy + m.offset
	}
}
