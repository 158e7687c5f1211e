package screenshot

import "math"

// Box-drawing and block characters are not taken from a font: they are drawn
// to the edges of their cells, which are higher than any font's letters, so
// that they meet.

// A shape is a box or a polygon, filled with a part of the ink.
type shape struct {
	box     box
	polygon []point // instead of the box, if not nil
	alpha   uint8
}

type point struct{ x, y float64 }

// A cellBox is the cell that a character is drawn in, with the thickness of a
// light line. Where snap is set all measures are whole pixels, and stay so.
type cellBox struct {
	x0, y0, x1, y1 float64
	thick          float64
	snap           bool
}

// round rounds a measure to whole pixels if the cell's are.
func (c cellBox) round(v float64) float64 {
	if c.snap {
		return math.Round(v)
	}
	return v
}

// middle returns where the middle of a light line is.
func (c cellBox) middle() (x, y float64) {
	return c.x0 + c.round((c.x1-c.x0-c.thick)/2) + c.thick/2, c.y0 + c.round((c.y1-c.y0-c.thick)/2) + c.thick/2
}

// weight is how a line leaves the middle of its cell.
type weight uint8

const (
	none weight = iota
	light
	heavy
	double
)

// boxLines says for each character from U+2500 how lines leave its middle: to
// the left, up, to the right, down. Dots are those that boxShapes draws apart.
const boxLines = "" +
	"1010 2020 0101 0202 .... .... .... .... .... .... .... .... 0011 0021 0012 0022 " +
	"1001 2001 1002 2002 0110 0120 0210 0220 1100 2100 1200 2200 0111 0121 0211 0112 " +
	"0212 0221 0122 0222 1101 2101 1201 1102 1202 2201 2102 2202 1011 2011 1021 2021 " +
	"1012 2012 1022 2022 1110 2110 1120 2120 1210 2210 1220 2220 1111 2111 1121 2121 " +
	"1211 1112 1212 2211 1221 2112 1122 2221 2122 2212 1222 2222 .... .... .... .... " +
	"3030 0303 0031 0013 0033 3001 1003 3003 0130 0310 0330 3100 1300 3300 0131 0313 " +
	"0333 3101 1303 3303 3031 1013 3033 3130 1310 3330 3131 1313 3333 .... .... .... " +
	".... .... .... .... 1000 0100 0010 0001 2000 0200 0020 0002 1020 0102 2010 0201 "

// boxShapes appends what a character from U+2500 to U+259F looks like.
func (c cellBox) boxShapes(dst []shape, r rune) []shape {
	switch {
	case r >= 0x2580:
		return c.blocks(dst, r)
	case r >= 0x2504 && r <= 0x250b:
		return c.dashes(dst, 3+int(r-0x2504)/4, r&2 != 0, r&1 != 0)
	case r >= 0x254c && r <= 0x254f:
		return c.dashes(dst, 2, r&2 != 0, r&1 != 0)
	case r >= 0x256d && r <= 0x2570:
		return c.arc(dst, r == 0x256d || r == 0x2570, r <= 0x256e)
	case r >= 0x2571 && r <= 0x2573:
		return c.diagonals(dst, r != 0x2572, r != 0x2571)
	}
	var arms [4]weight
	for i := range arms {
		arms[i] = weight(boxLines[5*(r-0x2500)+rune(i)] - '0')
	}
	for i := range arms {
		dst = c.arm(dst, arms, i)
	}
	return dst
}

// arm appends the lines that leave the middle in direction i.
func (c cellBox) arm(dst []shape, arms [4]weight, i int) []shape {
	before, after, straight := arms[(i+3)%4], arms[(i+1)%4], arms[(i+2)%4]
	t := c.thick
	switch arms[i] {
	case light:
		return append(dst, c.line(i, 0, t, c.pastSingle(before, after, straight)))
	case heavy:
		return append(dst, c.line(i, 0, c.heavy(), c.pastSingle(before, after, straight)))
	case double:
		return append(dst,
			c.line(i, -t, t, c.pastDouble(before, after, straight)),
			c.line(i, t, t, c.pastDouble(after, before, straight)))
	default:
		return dst
	}
}

// heavy returns the thickness of a heavy line: it has the middle of a light
// one.
func (c cellBox) heavy() float64 {
	return c.thick + 2*max(c.round(c.thick/2), c.thick/2)
}

// pastSingle returns how far a single line goes past the middle, to meet the
// lines across it.
func (c cellBox) pastSingle(before, after, straight weight) float64 {
	half := func(w weight) float64 {
		switch w {
		case light:
			return c.thick / 2
		case heavy:
			return c.heavy() / 2
		default:
			return 0
		}
	}
	switch {
	case before != double && after != double:
		return max(half(before), half(after))
	case before == none || after == none:
		return 1.5 * c.thick
	case straight == none:
		return -0.5 * c.thick
	default:
		return 0
	}
}

// pastDouble does so for one of two lines: near is what leaves the middle on
// its side, far on the other.
func (c cellBox) pastDouble(near, far, straight weight) float64 {
	switch {
	case near == double:
		return -0.5 * c.thick
	case near != none:
		return 0.5 * c.thick
	case straight != none:
		return 0
	case far == double:
		return 1.5 * c.thick
	default:
		return 0.5 * c.thick
	}
}

// line returns a line in direction i, from the edge to past the middle. To one
// who walks outwards, offset is to the right.
func (c cellBox) line(i int, offset, thick, past float64) shape {
	x, y := c.middle()
	var b box
	switch i {
	case 0:
		b = box{c.x0, y - offset - thick/2, x + past - c.x0, thick}
	case 1:
		b = box{x + offset - thick/2, c.y0, thick, y + past - c.y0}
	case 2:
		b = box{x - past, y + offset - thick/2, c.x1 - x + past, thick}
	default:
		b = box{x - offset - thick/2, y - past, thick, c.y1 - y + past}
	}
	return shape{box: b, alpha: 255}
}

func (c cellBox) dashes(dst []shape, n int, upright, bold bool) []shape {
	thick := c.thick
	if bold {
		thick = c.heavy()
	}
	x, y := c.middle()
	w, h := c.x1-c.x0, c.y1-c.y0
	for i := range n {
		from, to := (float64(i)+0.2)/float64(n), (float64(i)+0.8)/float64(n)
		b := box{c.x0 + c.round(from*w), y - thick/2, max(1, c.round((to-from)*w)), thick}
		if upright {
			b = box{x - thick/2, c.y0 + c.round(from*h), thick, max(1, c.round((to-from)*h))}
		}
		dst = append(dst, shape{box: b, alpha: 255})
	}
	return dst
}

// arc appends a rounded corner that leads to the right or left, and down or up.
func (c cellBox) arc(dst []shape, right, down bool) []shape {
	x, y := c.middle()
	t := c.thick / 2
	radius := min(c.x1-x, x-c.x0, c.y1-y, y-c.y0)
	sx, sy := -1.0, -1.0
	if right {
		sx = 1
	}
	if down {
		sy = 1
	}
	const steps = 12
	var outer, inner []point
	for i := range steps + 1 {
		sin, cos := math.Sincos(float64(i) / steps * math.Pi / 2)
		outer = append(outer, point{x + sx*(radius-(radius+t)*cos), y + sy*(radius-(radius+t)*sin)})
		inner = append(inner, point{x + sx*(radius-(radius-t)*cos), y + sy*(radius-(radius-t)*sin)})
	}
	for i := range inner {
		outer = append(outer, inner[len(inner)-1-i])
	}
	dst = append(dst, shape{polygon: outer, alpha: 255})
	upright, level := box{x - t, y + radius, 2 * t, c.y1 - y - radius}, box{x + radius, y - t, c.x1 - x - radius, 2 * t}
	if !down {
		upright.y, upright.h = c.y0, y-radius-c.y0
	}
	if !right {
		level.x, level.w = c.x0, x-radius-c.x0
	}
	return append(dst, shape{box: upright, alpha: 255}, shape{box: level, alpha: 255})
}

func (c cellBox) diagonals(dst []shape, rising, falling bool) []shape {
	t := c.thick * 0.6
	if rising {
		dst = append(dst, shape{polygon: []point{{c.x1 - t, c.y0}, {c.x1 + t, c.y0}, {c.x0 + t, c.y1}, {c.x0 - t, c.y1}}, alpha: 255})
	}
	if falling {
		dst = append(dst, shape{polygon: []point{{c.x0 - t, c.y0}, {c.x0 + t, c.y0}, {c.x1 + t, c.y1}, {c.x1 - t, c.y1}}, alpha: 255})
	}
	return dst
}

// blocks appends what U+2580 to U+259F look like.
func (c cellBox) blocks(dst []shape, r rune) []shape {
	part := func(left, top, right, bottom float64, alpha uint8) []shape {
		x0, x1 := c.x0+c.round(left*(c.x1-c.x0)), c.x0+c.round(right*(c.x1-c.x0))
		y0, y1 := c.y0+c.round(top*(c.y1-c.y0)), c.y0+c.round(bottom*(c.y1-c.y0))
		dst = append(dst, shape{box: box{x0, y0, x1 - x0, y1 - y0}, alpha: alpha})
		return dst
	}
	switch {
	case r == 0x2580:
		return part(0, 0, 1, 0.5, 255)
	case r <= 0x2588:
		return part(0, 1-float64(r-0x2580)/8, 1, 1, 255)
	case r <= 0x258f:
		return part(0, 0, float64(0x2590-r)/8, 1, 255)
	case r == 0x2590:
		return part(0.5, 0, 1, 1, 255)
	case r <= 0x2593:
		return part(0, 0, 1, 1, uint8(64*(r-0x2590)))
	case r == 0x2594:
		return part(0, 0, 1, 0.125, 255)
	case r == 0x2595:
		return part(0.875, 0, 1, 1, 255)
	}
	// Which quarters U+2596 and its successors fill: 1 upper left, 2 upper
	// right, 4 lower left, 8 lower right.
	quarters := [...]uint8{4, 8, 1, 1 | 4 | 8, 1 | 8, 1 | 2 | 4, 1 | 2 | 8, 2, 2 | 4, 2 | 4 | 8}[r-0x2596]
	for i := range 4 {
		if quarters>>i&1 != 0 {
			x, y := float64(i%2)/2, float64(i/2)/2
			part(x, y, x+0.5, y+0.5, 255)
		}
	}
	return dst
}

// frame appends the empty frame that stands for a character without a glyph.
func (c cellBox) frame(dst []shape) []shape {
	dx, top, bottom := c.round((c.x1-c.x0)/8), c.round((c.y1-c.y0)*0.2), c.round((c.y1-c.y0)*0.22)
	x0, y0, x1, y1 := c.x0+dx, c.y0+top, c.x1-dx, c.y1-bottom
	for _, b := range [...]box{
		{x0, y0, x1 - x0, c.thick},
		{x0, y1 - c.thick, x1 - x0, c.thick},
		{x0, y0 + c.thick, c.thick, y1 - y0 - 2*c.thick},
		{x1 - c.thick, y0 + c.thick, c.thick, y1 - y0 - 2*c.thick},
	} {
		dst = append(dst, shape{box: b, alpha: 160})
	}
	return dst
}
