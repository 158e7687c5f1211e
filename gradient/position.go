package gradient

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
	if p.g.center.X, err = p.bounded(x.at, x.percent); err != nil {
		return err
	}
	p.g.center.Y, err = p.bounded(y.at, y.percent)
	return err
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
		edge.percent = offset.percent
	} else {
		edge.percent -= offset.percent
	}
	return edge, nil
}
