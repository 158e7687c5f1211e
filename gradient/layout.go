package gradient

import "math"

// What stands before the stops: direction, size, centre, space.

const (
	sideNames    = names("top|right|bottom|left")
	shapeOrSize  = names("circle|ellipse|farthest-corner|closest-side|farthest-side|closest-corner")
	legacySize   = names("circle|ellipse|farthest-corner|closest-side|farthest-side|closest-corner|contain|cover")
	placeNames   = names("left|center|right|top|bottom")
	bottomAngle  = 180
	angleOrSide  = "an angle or a side"
	centerWanted = "a percentage, left, center, right, top or bottom"
)

// layout reads what stands before the stops of a standard gradient, and
// reports whether there was anything.
func (p *gradientParser) layout() (some bool, err error) {
	if p.g.kind == Linear {
		p.g.angle = bottomAngle
	}
	if p.g.kind == Radial {
		p.g.shape = Ellipse
	}
	var placed bool
	for {
		p.space()
		switch {
		case !p.spaced && p.takeWord("in"):
			p.spaced = true
			p.g.space, p.g.hue, err = p.interpolation()
		case !placed:
			placed, err = p.geometry()
			if err == nil && !placed {
				return p.spaced, nil
			}
		default:
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// geometry reads the part of the layout that belongs to the kind.
func (p *gradientParser) geometry() (some bool, err error) {
	switch p.g.kind {
	case Linear:
		return p.direction()
	case Radial:
		return p.radialSizeAndCenter()
	default:
		if p.takeWord("from") {
			p.space()
			if p.g.angle, err = p.angle("an angle"); err != nil {
				return false, err
			}
			some = true
			p.space()
		}
		centered, err := p.atCenter()
		return some || centered, err
	}
}

func (p *gradientParser) angle(expected string) (float64, error) {
	at := p.i
	v, u, err := p.number(expected)
	if err != nil {
		return 0, err
	}
	d, ok := u.degrees(v)
	if !ok {
		return 0, p.failAt(at, expected)
	}
	return normalAngle(d), nil
}

func (p *gradientParser) direction() (bool, error) {
	if p.atNumber() {
		angle, err := p.angle("an angle")
		p.g.angle = angle
		return true, err
	}
	if !p.takeWord("to") {
		return false, nil
	}
	p.space()
	return true, p.sides()
}

// sides reads one side or two adjacent ones.
func (p *gradientParser) sides() error {
	first, ok := p.takeOneOf(sideNames)
	if !ok {
		return p.fail("top, right, bottom or left")
	}
	p.space()
	at := p.i
	second, two := p.takeOneOf(sideNames)
	if !two {
		p.g.angle = float64(first) * 90
		return nil
	}
	if first%2 == second%2 {
		return p.failAt(at, "an adjacent side")
	}
	if first%2 == 1 {
		first, second = second, first
	}
	p.g.angle = 0
	switch {
	case first == 0 && second == 3:
		p.g.toCorner = topLeft
	case first == 0:
		p.g.toCorner = topRight
	case second == 3:
		p.g.toCorner = bottomLeft
	default:
		p.g.toCorner = bottomRight
	}
	return nil
}

// legacyDirection reads the angle or the starting side behind a prefix.
func (p *gradientParser) legacyDirection() (bool, error) {
	p.g.angle = bottomAngle
	p.space()
	if p.atNumber() {
		angle, err := p.angle(angleOrSide)
		p.g.angle = legacyAngle(angle)
		return true, err
	}
	w := p.peekWord()
	if _, ok := sideNames.index(string(w.text[:w.n])); !ok {
		return false, nil
	}
	if err := p.sides(); err != nil {
		return true, err
	}
	if p.g.toCorner == noCorner {
		p.g.angle = math.Mod(p.g.angle+180, 360)
	} else {
		p.g.toCorner = topLeft + bottomRight - p.g.toCorner
	}
	return true, nil
}

// interpolation reads what follows "in".
func (p *scanner) interpolation() (Space, Hue, error) {
	p.space()
	space, ok := p.takeSpace()
	if !ok {
		return 0, 0, p.fail("a color space")
	}
	if space.hueIndex() < 0 {
		return space, 0, nil
	}
	p.space()
	hue, ok := p.takeOneOf(hueNames)
	if !ok {
		return space, 0, nil
	}
	p.space()
	if !p.takeWord("hue") {
		return space, 0, p.fail("hue")
	}
	return space, Hue(hue), nil
}

// radialSizeAndCenter reads shape, size and "at" a centre.
func (p *gradientParser) radialSizeAndCenter() (bool, error) {
	sized, err := p.size(shapeOrSize)
	if err != nil {
		return false, err
	}
	p.space()
	centered, err := p.atCenter()
	return sized || centered, err
}

// size reads a shape, an extent or two radii, in any order.
func (p *gradientParser) size(keywords names) (bool, error) {
	var shaped, sized bool
	for {
		p.space()
		at := p.i
		if p.atNumber() && !sized {
			if err := p.explicitSize(shaped); err != nil {
				return false, err
			}
			sized = true
			continue
		}
		i, ok := p.takeOneOf(keywords)
		switch {
		case !ok && p.g.radii.X > 0:
			return true, p.checkRadii(at, shaped)
		case !ok:
			return shaped || sized, nil
		case i < 2 && !shaped:
			p.g.shape, shaped = Shape(i), true
		case i >= 2 && !sized:
			p.g.extent, sized = legacyExtent(i-2), true
		default:
			return false, p.failAt(at, "a comma")
		}
	}
}

// legacyExtent maps the old words contain and cover, which follow the four
// extents of today.
func legacyExtent(i int) Extent {
	switch i {
	case 4:
		return ClosestSide
	case 5:
		return FarthestCorner
	default:
		return Extent(i)
	}
}

// explicitSize reads the two radii of an ellipse, or the one of a circle.
func (p *gradientParser) explicitSize(shaped bool) error {
	x, y := &p.g.radii.X, &p.g.radii.Y
	var err error
	at := p.i
	if *x, p.round, err = p.radius(true); err != nil {
		return err
	}
	p.space()
	if p.round && !p.atNumber() {
		if shaped && p.g.shape == Ellipse {
			return p.fail("a second radius")
		}
		*y = *x * p.box.Width / p.box.Height
		*y, err = p.bounded(at, *y)
		return err
	}
	p.round = false
	*y, _, err = p.radius(false)
	return err
}

// radius reads a radius along one axis in percent, and reports whether it was a
// length.
func (p *gradientParser) radius(alongX bool) (v float64, length bool, err error) {
	expected := "a positive percentage; lengths are not supported"
	if p.box != nil {
		expected = "a positive percentage or length"
	}
	at := p.i
	v, u, err := p.number(expected)
	if err != nil {
		return 0, false, err
	}
	if p.box != nil && u == px {
		v, length = 100*v/p.box.side(alongX), true
	}
	if v, err = p.bounded(at, v); err != nil {
		return 0, false, err
	}
	if u != percent && !length || v <= 0 {
		return 0, false, p.failAt(at, expected)
	}
	return v, length, nil
}

func (b *Box) side(alongX bool) float64 {
	if alongX {
		return b.Width
	}
	return b.Height
}

// checkRadii compares the radii with the shape. A circle becomes the ellipse
// that it is in its box.
func (p *gradientParser) checkRadii(at int, shaped bool) error {
	circle := shaped && p.g.shape == Circle
	switch {
	case circle && !p.round:
		return p.failAt(at, "ellipse: a circle takes no percentages")
	case shaped && !circle && p.round:
		return p.failAt(at, "a second radius")
	}
	p.g.shape = Ellipse
	return nil
}

// legacyRadial reads what is behind a prefix: centre and size are arguments of
// their own.
func (p *gradientParser) legacyRadial() error {
	p.g.shape = Ellipse
	p.space()
	w := p.peekWord()
	if _, ok := placeNames.index(string(w.text[:w.n])); ok || p.atNumber() {
		if err := p.centerAndComma(); err != nil {
			return err
		}
	}
	some, err := p.size(legacySize)
	if err != nil {
		return err
	}
	if some {
		if err := p.comma(); err != nil {
			return err
		}
	}
	return p.stops()
}

func (p *gradientParser) centerAndComma() error {
	if err := p.centerPoint(); err != nil {
		return err
	}
	return p.comma()
}

func (p *gradientParser) atCenter() (bool, error) {
	if !p.takeWord("at") {
		return false, nil
	}
	p.space()
	return true, p.centerPoint()
}

// axis is the direction in which a keyword of a centre counts.
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

// centerPoint reads a <position> of CSS: one, two or four keywords and
// percentages.
func (p *gradientParser) centerPoint() error {
	x, y, err := p.coordinates()
	if err != nil {
		return err
	}
	if x.keyword && y.keyword && (x.axis == vertical || y.axis == horizontal) {
		x, y = y, x
	}
	if x.axis == vertical || y.axis == horizontal {
		return p.failAt(max(x.at, y.at), "one horizontal and one vertical place")
	}
	if p.g.center.X, err = p.bounded(x.at, p.inPercent(x, true)); err != nil {
		return err
	}
	p.g.center.Y, err = p.bounded(y.at, p.inPercent(y, false))
	return err
}

func (p *gradientParser) inPercent(c coordinate, alongX bool) float64 {
	if c.pixels == 0 {
		return c.percent
	}
	return c.percent + 100*c.pixels/p.box.side(alongX)
}

// coordinates reads both in the order in which they stand.
func (p *gradientParser) coordinates() (first, second coordinate, err error) {
	var parts [4]coordinate
	n := 0
	for ; n < len(parts); n++ {
		c, ok, err := p.coordinate()
		if err != nil {
			return c, c, err
		}
		if !ok {
			break
		}
		parts[n] = c
		p.space()
	}
	switch n {
	case 1:
		return parts[0], coordinate{percent: 50, keyword: true}, nil
	case 2:
		return parts[0], parts[1], nil
	case 4:
		if first, err = p.fromEdge(parts[0], parts[1]); err == nil {
			second, err = p.fromEdge(parts[2], parts[3])
		}
		return first, second, err
	default:
		return first, second, p.fail(centerWanted)
	}
}

func (p *gradientParser) coordinate() (c coordinate, ok bool, err error) {
	at := p.i
	if p.atNumber() {
		v, u, err := p.number(centerWanted)
		if err == nil && u == px && p.box != nil {
			return coordinate{pixels: v, at: at}, true, nil
		}
		if err == nil && u != percent && (u != noUnit || v != 0) {
			err = p.failAt(at, centerWanted)
		}
		return coordinate{percent: v, at: at}, err == nil, err
	}
	i, ok := p.takeOneOf(placeNames)
	if !ok {
		return coordinate{}, false, nil
	}
	c = coordinate{keyword: true, at: at}
	switch i {
	case 0:
		c.axis = horizontal
	case 1:
		c.percent = 50
	case 2:
		c.axis, c.percent = horizontal, 100
	case 3:
		c.axis = vertical
	case 4:
		c.axis, c.percent = vertical, 100
	}
	return c, true, nil
}

// fromEdge measures an offset from an edge: right 10% is 90%.
func (p *gradientParser) fromEdge(edge, offset coordinate) (coordinate, error) {
	if edge.axis == either || offset.keyword {
		return edge, p.failAt(edge.at, "an edge and its offset")
	}
	if edge.percent == 0 {
		edge.percent, edge.pixels = offset.percent, offset.pixels
	} else {
		edge.percent, edge.pixels = edge.percent-offset.percent, -offset.pixels
	}
	return edge, nil
}
