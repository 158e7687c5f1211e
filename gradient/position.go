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
	edge    bool // left, right, top or bottom, from which an offset may count
	at      int
}

// centerPoint reads a <position> of CSS: one, two or four keywords and
// percentages.
func (p *gradientParser) centerPoint() error {
	var parts [4]coordinate
	n := 0
	for ; n < len(parts); n++ {
		c, ok, err := p.coordinate()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		parts[n] = c
		p.space()
	}
	var x, y coordinate
	switch n {
	case 1:
		x, y = parts[0], coordinate{percent: 50}
	case 2:
		x, y = parts[0], parts[1]
	case 4:
		var ok bool
		if x, ok = fromEdge(parts[0], parts[1]); !ok {
			return p.failAt(parts[0].at, "an edge and its offset")
		}
		if y, ok = fromEdge(parts[2], parts[3]); !ok {
			return p.failAt(parts[2].at, "an edge and its offset")
		}
	default:
		return p.fail(centerWanted)
	}
	keyword := n == 1 || x.axis != either && y.axis != either || x.axis == vertical && y.center() || y.axis == horizontal && x.center()
	if keyword && (x.axis == vertical || y.axis == horizontal) {
		x, y = y, x
	}
	if x.axis == vertical || y.axis == horizontal {
		return p.failAt(max(x.at, y.at), "one horizontal and one vertical place")
	}
	var err error
	if p.g.center.X, err = p.bounded(x.at, x.percent); err != nil {
		return err
	}
	p.g.center.Y, err = p.bounded(y.at, y.percent)
	return err
}

// center reports whether c is the keyword center, which fits both axes.
func (c coordinate) center() bool { return c.edge && c.axis == either }

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
	c = coordinate{edge: true, at: at}
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
func fromEdge(edge, offset coordinate) (coordinate, bool) {
	if edge.axis == either || offset.edge {
		return coordinate{}, false
	}
	if edge.percent == 0 {
		edge.percent = offset.percent
	} else {
		edge.percent -= offset.percent
	}
	return edge, true
}
