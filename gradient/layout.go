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
	var placed, spaced bool
	for {
		p.space()
		switch {
		case !spaced && p.takeWord("in"):
			spaced = true
			err = p.interpolation()
		case !placed:
			placed, err = p.geometry()
			if err == nil && !placed {
				return spaced, nil
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
func (p *gradientParser) interpolation() error {
	p.space()
	i, ok := p.takeOneOf(spaceNames)
	if !ok {
		return p.fail("srgb, srgb-linear, oklab or oklch")
	}
	p.g.space = Space(i)
	if p.g.space != OKLCH {
		return nil
	}
	p.space()
	hue, ok := p.takeOneOf(hueNames)
	if !ok {
		return nil
	}
	p.space()
	if !p.takeWord("hue") {
		return p.fail("hue")
	}
	p.g.hue = Hue(hue)
	return nil
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
			if err := p.ellipseRadii(); err != nil {
				return false, err
			}
			sized = true
			continue
		}
		i, ok := p.takeOneOf(keywords)
		switch {
		case !ok && p.g.radii.X > 0 && shaped && p.g.shape == Circle:
			return false, p.failAt(at, "ellipse: a circle takes no percentages")
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

// ellipseRadii reads the two percentages of an ellipse.
func (p *gradientParser) ellipseRadii() error {
	const expected = "a positive percentage; lengths are not supported"
	for _, radius := range []*float64{&p.g.radii.X, &p.g.radii.Y} {
		p.space()
		at := p.i
		v, u, err := p.number(expected)
		if err != nil {
			return err
		}
		if v, err = p.bounded(at, v); err != nil {
			return err
		}
		if u != percent || v <= 0 {
			return p.failAt(at, expected)
		}
		*radius = v
	}
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
