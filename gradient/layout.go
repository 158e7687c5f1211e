package gradient

import (
	"math"
	"slices"
)

// This file parses what precedes the stops: direction, size, centre and space.

var (
	sideNames   = names{"top", "right", "bottom", "left"}
	placeNames  = names{"left", "center", "right", "top", "bottom"}
	shapeOrSize = slices.Concat(shapeNames, extentNames)
	legacySize  = append(slices.Clone(shapeOrSize), "contain", "cover")
)

const (
	bottomAngle  = 180
	angleOrSide  = "an angle or a side"
	centerWanted = "a percentage, left, center, right, top or bottom"
)

// layout parses what precedes the stops of an unprefixed gradient, and reports
// whether there is anything.
func (p *gradientParser) layout() (present bool) {
	if p.g.kind == Linear {
		p.g.angle = bottomAngle
	}
	if p.g.kind == Radial {
		p.g.shape = Ellipse
	}
	placed := false
	for {
		p.space()
		switch {
		case !p.spaced && p.takeWord("in"):
			p.spaced = true
			p.g.space, p.g.hue = p.interpolation()
		case placed:
			return true
		default:
			if placed = p.geometry(); !placed {
				return p.spaced
			}
		}
	}
}

// geometry parses the part of the layout that is specific to the kind.
func (p *gradientParser) geometry() (present bool) {
	switch p.g.kind {
	case Linear:
		return p.direction()
	case Radial:
		sized := p.size(shapeOrSize)
		p.space()
		return p.atCenter() || sized
	default:
		if p.takeWord("from") {
			p.space()
			p.g.angle = p.angle("an angle")
			present = true
			p.space()
		}
		return p.atCenter() || present
	}
}

func (p *gradientParser) angle(expected string) float64 {
	at := p.i
	v, u := p.number(expected)
	if u != deg && (u != noUnit || v != 0) {
		p.failAt(at, expected)
	}
	return normalAngle(v)
}

func (p *gradientParser) direction() bool {
	if p.atNumber() {
		p.g.angle = p.angle("an angle")
		return true
	}
	if !p.takeWord("to") {
		return false
	}
	p.space()
	p.sides()
	return true
}

// sides parses one side or two adjacent ones.
func (p *gradientParser) sides() {
	first, ok := p.takeOneOf(sideNames)
	if !ok {
		p.fail("top, right, bottom or left")
	}
	p.space()
	at := p.i
	second, two := p.takeOneOf(sideNames)
	if !two {
		p.g.angle = float64(first) * 90
		return
	}
	if first%2 == second%2 {
		p.failAt(at, "an adjacent side")
	}
	if first%2 == 1 {
		first, second = second, first
	}
	p.g.angle = 0
	corners := [2][2]corner{{topRight, topLeft}, {bottomRight, bottomLeft}}
	p.g.toCorner = corners[first/2][second/2]
}

// legacyDirection parses the angle or the starting side of a prefixed gradient.
func (p *gradientParser) legacyDirection() bool {
	p.g.angle = bottomAngle
	p.space()
	if p.atNumber() {
		p.g.angle = legacyAngle(p.angle(angleOrSide))
		return true
	}
	if !slices.Contains(sideNames, p.peekWord()) {
		return false
	}
	p.sides()
	if p.g.toCorner == noCorner {
		p.g.angle = math.Mod(p.g.angle+180, 360)
	} else {
		p.g.toCorner = topLeft + bottomRight - p.g.toCorner
	}
	return true
}

// interpolation parses what follows "in".
func (p *scanner) interpolation() (Space, Hue) {
	p.space()
	i, ok := p.takeOneOf(spaceNames)
	if !ok {
		p.fail("a color space: " + spaceNames.prose())
	}
	space := Space(i)
	if space.hueIndex() < 0 {
		return space, 0
	}
	p.space()
	hue, ok := p.takeOneOf(hueNames)
	if !ok {
		return space, 0
	}
	p.space()
	if !p.takeWord("hue") {
		p.fail("hue")
	}
	return space, Hue(hue)
}

// size parses a shape and an extent or explicit radii, in any order.
func (p *gradientParser) size(keywords names) bool {
	var shaped, sized bool
	for {
		p.space()
		at := p.i
		if p.atNumber() && !sized {
			p.explicitSize(shaped)
			sized = true
			continue
		}
		i, ok := p.takeOneOf(keywords)
		switch {
		case !ok && p.g.radii.X > 0:
			p.checkRadii(at, shaped)
			return true
		case !ok:
			return shaped || sized
		case i < 2 && !shaped:
			p.g.shape, shaped = Shape(i), true
		case i >= 2 && !sized:
			// contain and cover, the obsolete keywords, follow the four current
			// extents.
			p.g.extent, sized = [...]Extent{0, 1, 2, 3, ClosestSide, FarthestCorner}[i-2], true
		default:
			p.failAt(at, "a comma")
		}
	}
}

// explicitSize parses the two radii of an ellipse, or the one of a circle.
func (p *gradientParser) explicitSize(shaped bool) {
	x, y := &p.g.radii.X, &p.g.radii.Y
	at := p.i
	*x, p.round = p.radius(true)
	p.space()
	if !p.round || p.atNumber() {
		p.round = false
		*y, _ = p.radius(false)
		return
	}
	if shaped && p.g.shape == Ellipse {
		p.fail("a second radius")
	}
	*y = p.bounded(at, *x*p.box.Width/p.box.Height)
}

// radius parses a radius along one axis, in percent, and reports whether it is
// a length.
func (p *gradientParser) radius(alongX bool) (v float64, length bool) {
	expected := "a positive percentage; lengths are not supported"
	if p.box != nil {
		expected = "a positive percentage or length"
	}
	at := p.i
	v, u := p.number(expected)
	if p.box != nil && u == px {
		v, length = 100*v/p.box.side(alongX), true
	}
	v = p.bounded(at, v)
	if u != percent && !length || v <= 0 {
		p.failAt(at, expected)
	}
	return v, length
}

func (b *Box) side(alongX bool) float64 {
	if alongX {
		return b.Width
	}
	return b.Height
}

// checkRadii checks the radii against the shape. A circle becomes the
// equivalent ellipse of its box.
func (p *gradientParser) checkRadii(at int, shaped bool) {
	circle := shaped && p.g.shape == Circle
	switch {
	case circle && !p.round:
		p.failAt(at, "ellipse: a circle takes no percentages")
	case shaped && !circle && p.round:
		p.failAt(at, "a second radius")
	}
	p.g.shape = Ellipse
}

// legacyRadial parses the arguments of a prefixed radial gradient, in which the
// centre and the size are separate arguments.
func (p *gradientParser) legacyRadial() {
	p.g.shape = Ellipse
	p.space()
	if slices.Contains(placeNames, p.peekWord()) || p.atNumber() {
		p.centerPoint()
		p.comma()
	}
	if p.size(legacySize) {
		p.comma()
	}
	p.stops()
}

func (p *gradientParser) atCenter() bool {
	if !p.takeWord("at") {
		return false
	}
	p.space()
	p.centerPoint()
	return true
}

// axis is the direction along which a keyword of a centre is measured.
type axis uint8

const (
	either axis = iota
	horizontal
	vertical
)

// coordinate is one keyword or percentage of a centre.
type coordinate struct {
	percent float64
	pixels  float64
	axis    axis
	keyword bool
	at      int
}

// centerPoint parses a <position> of CSS: one, two or four keywords and
// percentages.
func (p *gradientParser) centerPoint() {
	x, y := p.coordinates()
	if x.keyword && y.keyword && (x.axis == vertical || y.axis == horizontal) {
		x, y = y, x
	}
	if x.axis == vertical || y.axis == horizontal {
		p.failAt(max(x.at, y.at), "one horizontal and one vertical place")
	}
	p.g.center.X = p.bounded(x.at, p.inPercent(x, true))
	p.g.center.Y = p.bounded(y.at, p.inPercent(y, false))
}

func (p *gradientParser) inPercent(c coordinate, alongX bool) float64 {
	if c.pixels == 0 {
		return c.percent
	}
	return c.percent + 100*c.pixels/p.box.side(alongX)
}

// coordinates parses both coordinates in the order of the text.
func (p *gradientParser) coordinates() (first, second coordinate) {
	var parts [4]coordinate
	n := 0
	for ; n < len(parts); n++ {
		c, ok := p.coordinate()
		if !ok {
			break
		}
		parts[n] = c
		p.space()
	}
	switch n {
	case 1:
		return parts[0], coordinate{percent: 50, keyword: true}
	case 2:
		return parts[0], parts[1]
	case 4:
		return p.fromEdge(parts[0], parts[1]), p.fromEdge(parts[2], parts[3])
	}
	p.fail(centerWanted)
	return first, second
}

func (p *gradientParser) coordinate() (c coordinate, ok bool) {
	at := p.i
	if p.atNumber() {
		v, u := p.number(centerWanted)
		if u == px && p.box != nil {
			return coordinate{pixels: v, at: at}, true
		}
		if u != percent && (u != noUnit || v != 0) {
			p.failAt(at, centerWanted)
		}
		return coordinate{percent: v, at: at}, true
	}
	i, ok := p.takeOneOf(placeNames)
	if !ok {
		return coordinate{}, false
	}
	axes := [...]axis{horizontal, either, horizontal, vertical, vertical}
	percents := [...]float64{0, 50, 100, 0, 100}
	return coordinate{keyword: true, at: at, axis: axes[i], percent: percents[i]}, true
}

// fromEdge measures an offset from an edge: right 10% is 90%.
func (p *gradientParser) fromEdge(edge, offset coordinate) coordinate {
	if edge.axis == either || offset.keyword {
		p.failAt(edge.at, "an edge and its offset")
	}
	if edge.percent == 0 {
		edge.percent, edge.pixels = offset.percent, offset.pixels
	} else {
		edge.percent, edge.pixels = edge.percent-offset.percent, -offset.pixels
	}
	return edge
}
