// Package boxdraw draws box-drawing and block characters. It does not take them
// from a font: to meet, they must reach the edges of their cells, which are
// taller than the letters of any font.
package boxdraw

import "math"

// A Shape is a box or a polygon to fill with an ink.
type Shape struct {
	Box     Box
	Polygon []Point // instead of the box, if not nil
	Alpha   uint8
}

// A Box is a rectangle with its top left corner at X, Y.
type Box struct{ X, Y, W, H float64 }

// A Point is a corner of a polygon.
type Point struct{ X, Y float64 }

// A Cell is the box of a character, from X0, Y0 to X1, Y1. Thick is the
// thickness of a light line. If Snap is set, all lengths are and remain whole
// pixels.
type Cell struct {
	X0, Y0, X1, Y1 float64
	Thick          float64
	Snap           bool
}

// Contains reports whether r is a character that [Cell.Append] draws.
func Contains(r rune) bool { return r >= 0x2500 && r <= 0x259f }

// round rounds a length to whole pixels if the cell snaps to them.
func (c Cell) round(v float64) float64 {
	if c.Snap {
		return math.Round(v)
	}
	return v
}

// middle returns the middle of a light line in the cell.
func (c Cell) middle() (x, y float64) {
	return c.X0 + c.round((c.X1-c.X0-c.Thick)/2) + c.Thick/2, c.Y0 + c.round((c.Y1-c.Y0-c.Thick)/2) + c.Thick/2
}

// weight is the weight of the line from the middle of a cell to one of its
// edges.
type weight uint8

const (
	none weight = iota
	light
	heavy
	double
)

// boxLines holds, for each character from U+2500, the weights of its lines to
// the left, up, to the right and down. boxShapes draws those with dots
// separately.
const boxLines = "" +
	"1010 2020 0101 0202 .... .... .... .... .... .... .... .... 0011 0021 0012 0022 " +
	"1001 2001 1002 2002 0110 0120 0210 0220 1100 2100 1200 2200 0111 0121 0211 0112 " +
	"0212 0221 0122 0222 1101 2101 1201 1102 1202 2201 2102 2202 1011 2011 1021 2021 " +
	"1012 2012 1022 2022 1110 2110 1120 2120 1210 2210 1220 2220 1111 2111 1121 2121 " +
	"1211 1112 1212 2211 1221 2112 1122 2221 2122 2212 1222 2222 .... .... .... .... " +
	"3030 0303 0031 0013 0033 3001 1003 3003 0130 0310 0330 3100 1300 3300 0131 0313 " +
	"0333 3101 1303 3303 3031 1013 3033 3130 1310 3330 3131 1313 3333 .... .... .... " +
	".... .... .... .... 1000 0100 0010 0001 2000 0200 0020 0002 1020 0102 2010 0201 "

// Append appends the shapes of a character from U+2500 to U+259F.
func (c Cell) Append(dst []Shape, r rune) []Shape {
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

// arm appends the lines from the middle in direction i.
func (c Cell) arm(dst []Shape, arms [4]weight, i int) []Shape {
	before, after, straight := arms[(i+3)%4], arms[(i+1)%4], arms[(i+2)%4]
	t := c.Thick
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

// heavy returns the thickness of a heavy line, which has the same middle as a
// light one.
func (c Cell) heavy() float64 {
	return c.Thick + 2*max(c.round(c.Thick/2), c.Thick/2)
}

// pastSingle returns how far a single line extends past the middle to meet the
// lines across it.
func (c Cell) pastSingle(before, after, straight weight) float64 {
	half := func(w weight) float64 {
		switch w {
		case light:
			return c.Thick / 2
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
		return 1.5 * c.Thick
	case straight == none:
		return -0.5 * c.Thick
	default:
		return 0
	}
}

// pastDouble is like pastSingle for one line of a double line; near is the
// weight of the crossing line on its side, far that on the other side.
func (c Cell) pastDouble(near, far, straight weight) float64 {
	switch {
	case near == double:
		return -0.5 * c.Thick
	case near != none:
		return 0.5 * c.Thick
	case straight != none:
		return 0
	case far == double:
		return 1.5 * c.Thick
	default:
		return 0.5 * c.Thick
	}
}

// line returns a line in direction i, from the edge to past the middle. The
// offset is to the right as seen from the middle.
func (c Cell) line(i int, offset, thick, past float64) Shape {
	x, y := c.middle()
	var b Box
	switch i {
	case 0:
		b = Box{c.X0, y - offset - thick/2, x + past - c.X0, thick}
	case 1:
		b = Box{x + offset - thick/2, c.Y0, thick, y + past - c.Y0}
	case 2:
		b = Box{x - past, y + offset - thick/2, c.X1 - x + past, thick}
	default:
		b = Box{x - offset - thick/2, y - past, thick, c.Y1 - y + past}
	}
	return Shape{Box: b, Alpha: 255}
}

func (c Cell) dashes(dst []Shape, n int, upright, bold bool) []Shape {
	thick := c.Thick
	if bold {
		thick = c.heavy()
	}
	x, y := c.middle()
	w, h := c.X1-c.X0, c.Y1-c.Y0
	for i := range n {
		from, to := (float64(i)+0.2)/float64(n), (float64(i)+0.8)/float64(n)
		b := Box{c.X0 + c.round(from*w), y - thick/2, max(1, c.round((to-from)*w)), thick}
		if upright {
			b = Box{x - thick/2, c.Y0 + c.round(from*h), thick, max(1, c.round((to-from)*h))}
		}
		dst = append(dst, Shape{Box: b, Alpha: 255})
	}
	return dst
}

// arc appends a rounded corner between a line to the right or left and one down
// or up.
func (c Cell) arc(dst []Shape, right, down bool) []Shape {
	x, y := c.middle()
	t := c.Thick / 2
	radius := min(c.X1-x, x-c.X0, c.Y1-y, y-c.Y0)
	sx, sy := -1.0, -1.0
	if right {
		sx = 1
	}
	if down {
		sy = 1
	}
	const steps = 12
	var outer, inner []Point
	for i := range steps + 1 {
		sin, cos := math.Sincos(float64(i) / steps * math.Pi / 2)
		outer = append(outer, Point{x + sx*(radius-(radius+t)*cos), y + sy*(radius-(radius+t)*sin)})
		inner = append(inner, Point{x + sx*(radius-(radius-t)*cos), y + sy*(radius-(radius-t)*sin)})
	}
	for i := range inner {
		outer = append(outer, inner[len(inner)-1-i])
	}
	dst = append(dst, Shape{Polygon: outer, Alpha: 255})
	upright, level := Box{x - t, y + radius, 2 * t, c.Y1 - y - radius}, Box{x + radius, y - t, c.X1 - x - radius, 2 * t}
	if !down {
		upright.Y, upright.H = c.Y0, y-radius-c.Y0
	}
	if !right {
		level.X, level.W = c.X0, x-radius-c.X0
	}
	return append(dst, Shape{Box: upright, Alpha: 255}, Shape{Box: level, Alpha: 255})
}

func (c Cell) diagonals(dst []Shape, rising, falling bool) []Shape {
	t := c.Thick * 0.6
	if rising {
		dst = append(dst, Shape{Polygon: []Point{{c.X1 - t, c.Y0}, {c.X1 + t, c.Y0}, {c.X0 + t, c.Y1}, {c.X0 - t, c.Y1}}, Alpha: 255})
	}
	if falling {
		dst = append(dst, Shape{Polygon: []Point{{c.X0 - t, c.Y0}, {c.X0 + t, c.Y0}, {c.X1 + t, c.Y1}, {c.X1 - t, c.Y1}}, Alpha: 255})
	}
	return dst
}

// blocks appends the shapes of U+2580 to U+259F.
func (c Cell) blocks(dst []Shape, r rune) []Shape {
	part := func(left, top, right, bottom float64, alpha uint8) []Shape {
		x0, x1 := c.X0+c.round(left*(c.X1-c.X0)), c.X0+c.round(right*(c.X1-c.X0))
		y0, y1 := c.Y0+c.round(top*(c.Y1-c.Y0)), c.Y0+c.round(bottom*(c.Y1-c.Y0))
		dst = append(dst, Shape{Box: Box{x0, y0, x1 - x0, y1 - y0}, Alpha: alpha})
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
	// The quarters that U+2596 and its successors fill: 1 upper left, 2 upper
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

// AppendFrame appends the empty frame that represents a character without a
// glyph.
func (c Cell) AppendFrame(dst []Shape) []Shape {
	dx, top, bottom := c.round((c.X1-c.X0)/8), c.round((c.Y1-c.Y0)*0.2), c.round((c.Y1-c.Y0)*0.22)
	x0, y0, x1, y1 := c.X0+dx, c.Y0+top, c.X1-dx, c.Y1-bottom
	for _, b := range [...]Box{
		{x0, y0, x1 - x0, c.Thick},
		{x0, y1 - c.Thick, x1 - x0, c.Thick},
		{x0, y0 + c.Thick, c.Thick, y1 - y0 - 2*c.Thick},
		{x1 - c.Thick, y0 + c.Thick, c.Thick, y1 - y0 - 2*c.Thick},
	} {
		dst = append(dst, Shape{Box: b, Alpha: 160})
	}
	return dst
}
