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
	for range 2 { // in any order
		if !p.spaced && p.take("in") {
			p.spaced = true
			p.interpolation()
		} else if !placed {
			placed = p.geometry()
		}
	}
	return placed || p.spaced
}

// geometry parses the part of the layout that is specific to the kind.
func (p *gradientParser) geometry() (present bool) {
	switch {
	case p.g.kind == Linear && p.isNumber(), p.g.kind == Conic && p.take("from"):
		p.g.angle, present = p.angle("an angle"), true
	case p.g.kind == Linear && p.take("to"):
		p.sides()
		present = true
	case p.g.kind == Radial:
		present = p.size(shapeOrSize)
	}
	if p.g.kind != Linear && p.take("at") {
		p.centerPoint()
		present = true
	}
	return present
}

func (p *gradientParser) angle(expected string) float64 {
	v := p.takeNumber(expected)
	if v.unit != deg && (v.unit != noUnit || v.value != 0) {
		p.failAt(v.at, expected)
	}
	return normalAngle(v.value)
}

// sides parses one side or two adjacent ones.
func (p *gradientParser) sides() {
	first, ok := p.takeOneOf(sideNames)
	if !ok {
		p.fail("top, right, bottom or left")
	}
	at := p.at
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
	if p.isNumber() {
		p.g.angle = legacyAngle(p.angle("an angle or a side"))
		return true
	}
	if !slices.Contains(sideNames, p.word) {
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
func (p *gradientParser) interpolation() {
	space, ok := p.takeOneOf(spaceNames)
	if !ok {
		p.fail("a color space: " + spaceNames.prose())
	}
	p.g.space = spaces[space].name
	if spaces[space].hueIndex() < 0 {
		return
	}
	if hue, ok := p.takeOneOf(hueNames); ok {
		p.g.hue = Hue(hueNames[hue])
		p.expect("hue", "hue")
	}
}

// size parses a shape and an extent or explicit radii, in any order.
func (p *gradientParser) size(keywords names) bool {
	var shaped, sized bool
	for {
		at := p.at
		if p.isNumber() && !sized {
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
			p.g.shape, shaped = Shape(shapeNames[i]), true
		case i >= 2 && !sized:
			// contain and cover, the obsolete keywords, follow the four current
			// extents.
			p.g.extent, sized = [...]Extent{FarthestCorner, ClosestSide, FarthestSide, ClosestCorner, ClosestSide, FarthestCorner}[i-2], true
		default:
			p.failAt(at, "a comma")
		}
	}
}

// explicitSize parses the two radii of an ellipse, or the one of a circle.
func (p *gradientParser) explicitSize(shaped bool) {
	x, y := &p.g.radii.X, &p.g.radii.Y
	at := p.at
	*x, p.round = p.radius(true)
	if !p.round || p.isNumber() {
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
func (p *gradientParser) radius(alongX bool) (percents float64, isLength bool) {
	expected := "a positive percentage; lengths are not supported"
	if p.box != nil {
		expected = "a positive percentage or length"
	}
	v := p.takeNumber(expected)
	isLength = p.box != nil && v.unit == px
	percents = p.bounded(v.at, p.inPercent(v, alongX))
	if v.unit != percent && !isLength || percents <= 0 {
		p.failAt(v.at, expected)
	}
	return percents, isLength
}

// inPercent converts a length along one axis of the box to a percentage.
func (p *gradientParser) inPercent(v token, alongX bool) float64 {
	switch {
	case v.unit != px || p.box == nil:
		return v.value
	case alongX:
		return 100 * v.value / p.box.Width
	}
	return 100 * v.value / p.box.Height
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

// legacyRadial parses the centre and the size of a prefixed radial gradient,
// which are separate arguments.
func (p *gradientParser) legacyRadial() {
	p.g.shape = Ellipse
	if slices.Contains(placeNames, p.word) || p.isNumber() {
		p.centerPoint()
		p.comma(true)
	}
	p.comma(p.size(legacySize))
}

// axis is the direction along which a keyword of a centre is measured.
type axis uint8

const (
	either axis = iota
	horizontal
	vertical
)

// coordinate is one keyword, percentage or length of a centre.
type coordinate struct {
	token

	axis   axis
	isWord bool
	minus  token // to subtract
}

// centerPoint parses a <position> of CSS: one, two or four keywords and
// percentages.
func (p *gradientParser) centerPoint() {
	x, y := p.coordinates()
	if x.isWord && y.isWord && (x.axis == vertical || y.axis == horizontal) {
		x, y = y, x
	}
	if x.axis == vertical || y.axis == horizontal {
		p.failAt(max(x.at, y.at), "one horizontal and one vertical place")
	}
	p.g.center.X = p.bounded(x.at, p.inPercent(x.token, true)-p.inPercent(x.minus, true))
	p.g.center.Y = p.bounded(y.at, p.inPercent(y.token, false)-p.inPercent(y.minus, false))
}

// coordinates parses both coordinates in the order of the text.
func (p *gradientParser) coordinates() (first, second coordinate) {
	var parts []coordinate
	for len(parts) < 4 && (p.isNumber() || slices.Contains(placeNames, p.word)) {
		parts = append(parts, p.coordinate())
	}
	switch len(parts) {
	case 1:
		return parts[0], coordinate{token: token{value: 50, unit: percent}, isWord: true}
	case 2:
		return parts[0], parts[1]
	case 4:
		return p.fromEdge(parts[0], parts[1]), p.fromEdge(parts[2], parts[3])
	}
	p.fail(centerWanted)
	return first, second
}

func (p *gradientParser) coordinate() coordinate {
	c := coordinate{token: p.token}
	if i, ok := p.takeOneOf(placeNames); ok {
		axes := [...]axis{horizontal, either, horizontal, vertical, vertical}
		percents := [...]float64{0, 50, 100, 0, 100}
		c.isWord, c.axis, c.value, c.unit = true, axes[i], percents[i], percent
		return c
	}
	v := p.takeNumber(centerWanted)
	if v.unit != percent && (v.unit != noUnit || v.value != 0) && (v.unit != px || p.box == nil) {
		p.failAt(v.at, centerWanted)
	}
	return c
}

// fromEdge measures an offset from an edge: right 10% is 90%.
func (p *gradientParser) fromEdge(edge, offset coordinate) coordinate {
	if edge.axis == either || offset.isWord {
		p.failAt(edge.at, "an edge and its offset")
	}
	if edge.value == 0 {
		offset.axis, offset.isWord, offset.at = edge.axis, true, edge.at
		return offset
	}
	edge.minus = offset.token
	return edge
}
