package gradient

import (
	"image/color"
	"math"
)

// cell is a premultiplied colour in a machine word, red in the lowest bits: 8
// bits to a channel for pixels, 16 for what will be dithered.
type cell interface{ uint32 | uint64 }

// palette says how colours go into cells.
type palette[T cell] struct {
	pack func(vec) T
	// steep marks a cell that says nothing: its pixels are computed. It has
	// light without alpha, which no premultiplied colour has.
	steep T
}

const (
	steep8  = 0x0000_0000_00ff_ffff
	steep16 = 0x0000_ffff_ffff_ffff
)

// pack8 rounds to eight bits.
func pack8(v vec) uint32 {
	return uint32(round8(v[0])) | uint32(round8(v[1]))<<8 | uint32(round8(v[2]))<<16 | uint32(round8(v[3]*255))<<24
}

// packOverWhite is pack8 of a colour with white behind it.
func packOverWhite(v vec) uint32 {
	white := 255 * (1 - v[3])
	return pack8(vec{v[0] + white, v[1] + white, v[2] + white, 1})
}

// brush knows the colour of every pixel of a box. Colours come out of a table;
// where that is too coarse, at hard stops and other steep places, and in boxes
// that a table would not pay for, they are computed pixel by pixel.
type brush[T cell] struct {
	palette  palette[T]
	ramp     *ramp
	geometry geometry
	table    *table[T] // nil for small boxes
}

// table holds the colours of places that cover a box evenly: by place, or for
// radial gradients by the square of it, which spares a root per pixel.
type table[T cell] struct {
	cells [cellCount]T
	steep [cellCount + 1]uint16 // how many cells before this one are steep
}

const (
	// cellDigits is the binary logarithm of the number of cells: two to a pixel
	// of a wide screen, and small enough for a processor's nearest cache.
	cellDigits = 12
	cellCount  = 1 << cellDigits
	cellMask   = cellCount - 1
	// Places are fixed-point numbers with this many binary digits.
	fraction  = 48
	toCell    = fraction - cellDigits
	wholeLine = 1 << fraction
	// smallBox is the area, in pixels, up to which there is no table.
	smallBox = 2 * cellCount
)

func newBrush[T cell](g Gradient, width, height int, colors palette[T]) brush[T] {
	b := brush[T]{palette: colors, ramp: g.ramp}
	if g.ramp == nil {
		return b
	}
	b.geometry = g.geometry(float64(width), float64(height))
	if b.geometry.solid {
		b.ramp = &ramp{ends: [2]color.NRGBA{g.ramp.ends[1], g.ramp.ends[1]}}
	}
	if width*height > smallBox {
		b.fill()
	}
	return b
}

func (b *brush[T]) fill() {
	b.table = new(table[T])
	cells := b.table.cells[:]
	before := b.ramp.paint(0)
	for i := range cells {
		after := b.ramp.paint(b.placeOf(float64(i+1) / cellCount))
		cells[i] = b.mean(&before, &after)
		before = after
	}
	b.markStops(cells)
	n := uint16(0)
	for i, c := range cells {
		b.table.steep[i] = n
		if c == b.palette.steep {
			n++
		}
	}
	b.table.steep[cellCount] = n
}

// placeOf returns the place at a fraction of the table.
func (b *brush[T]) placeOf(f float64) float64 {
	if b.geometry.kind == Radial {
		f = math.Sqrt(f)
	}
	return f * b.geometry.reach
}

// fractionOf is the inverse of placeOf.
func (b *brush[T]) fractionOf(place float64) float64 {
	f := place / b.geometry.reach
	if b.geometry.kind == Radial {
		f *= f
	}
	return f
}

// flat is how much a channel may change over one cell, in levels, for the
// cell's mean to stand for all of it.
const flat = 0.5

// mean returns the colour of a cell between two places.
func (b *brush[T]) mean(from, to *vec) T {
	if differ(from, to, flat) {
		return b.palette.steep
	}
	return b.palette.pack(vec{(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2, (from[3] + to[3]) / 2})
}

// differ reports whether a channel differs by more than limit, in levels.
func differ(a, b *vec, limit float64) bool {
	return math.Abs(a[0]-b[0]) > limit || math.Abs(a[1]-b[1]) > limit || math.Abs(a[2]-b[2]) > limit || math.Abs(a[3]-b[3])*255 > limit
}

func (b *brush[T]) distrust(cells []T) {
	for i := range cells {
		cells[i] = b.palette.steep
	}
}

// markStops makes steep every cell that a stop touches, in each period.
func (b *brush[T]) markStops(cells []T) {
	r := b.ramp
	period := r.last - r.first
	if !r.repeating || period <= 0 {
		b.markPeriod(cells, 0)
		return
	}
	if b.geometry.reach/period*float64(len(r.segments)) > float64(len(cells)) {
		b.distrust(cells)
		return
	}
	for n := math.Floor(-r.last / period); r.first+n*period <= b.geometry.reach; n++ {
		b.markPeriod(cells, n*period)
	}
}

func (b *brush[T]) markPeriod(cells []T, shift float64) {
	b.markPlace(cells, b.ramp.first+shift)
	for i := range b.ramp.segments {
		b.markPlace(cells, b.ramp.segments[i].end+shift)
	}
}

func (b *brush[T]) markPlace(cells []T, place float64) {
	if place < 0 || place > b.geometry.reach {
		return
	}
	const margin = 1e-6
	at := b.fractionOf(place) * float64(len(cells))
	from, to := int(at-margin), int(at+margin)
	b.distrust(cells[max(from, 0):min(to+1, len(cells))])
}

// stripPixels is how many pixels are painted at a time.
const stripPixels = 256

// strip paints up to stripPixels pixels of the row whose middle is at y, the
// first in column x.
func (b *brush[T]) strip(dst []T, x int, y float64) {
	if b.ramp == nil {
		fill(dst, b.palette.pack(vec{}))
		return
	}
	certain := false
	switch {
	case b.table == nil:
		fill(dst, b.palette.steep)
	case b.geometry.kind == Radial:
		certain = b.radialStrip(dst, x, y)
	case b.geometry.kind == Conic:
		b.conicStrip(dst, x, y)
	default:
		certain = b.linearStrip(dst, x, y)
	}
	if certain {
		return
	}
	for i, c := range dst {
		if c == b.palette.steep {
			dst[i] = b.palette.pack(b.ramp.paint(b.geometry.place(float64(x+i)+0.5, y)))
		}
	}
}

func fill[T cell](dst []T, c T) {
	for i := range dst {
		dst[i] = c
	}
}

// certain reports whether no cell between two places is steep.
func (t *table[T]) certain(from, to uint64) bool {
	first, last := min(from, to)>>toCell&cellMask, max(from, to)>>toCell&cellMask
	return t.steep[first] == t.steep[last+1]
}

// linearStrip paints what the table has, and reports whether that is all.
func (b *brush[T]) linearStrip(dst []T, x int, y float64) bool {
	at := uint64(b.geometry.place(float64(x)+0.5, y) * wholeLine)
	step := uint64(int64(b.geometry.dx * wholeLine))
	cells, from := &b.table.cells, at
	for i := range dst {
		dst[i] = cells[at>>toCell&cellMask]
		at += step
	}
	return b.table.certain(from, at-step)
}

// bias keeps the sum of a strip's rounding errors from going below zero.
const bias = stripPixels * stripPixels / 2

// radialStrip is like linearStrip. It walks along the square of the place,
// whose second difference is constant.
func (b *brush[T]) radialStrip(dst []T, x int, y float64) bool {
	m := &b.geometry
	dx, dy := m.dx/m.reach, m.dy/m.reach
	u, v := (float64(x)+0.5-m.cx)*dx, (y-m.cy)*dy
	at := uint64((u*u+v*v)*wholeLine) + bias
	step := uint64(int64((2*u + dx) * dx * wholeLine))
	more := uint64(int64(2 * dx * dx * wholeLine))
	cells, from := &b.table.cells, at
	for i := range dst {
		dst[i] = cells[at>>toCell&cellMask]
		at += step
		step += more
	}
	if end := u + dx*float64(len(dst)); u < 0 && end > 0 {
		// The strip passes the centre, where the place is smallest.
		nearest := uint64(v * v * wholeLine)
		return b.table.certain(nearest, max(from, at))
	}
	return b.table.certain(from, at-(step-more))
}

func (b *brush[T]) conicStrip(dst []T, x int, y float64) {
	for i := range dst {
		cell := int(b.geometry.place(float64(x+i)+0.5, y) * cellCount)
		dst[i] = b.table.cells[min(cell, cellMask)&cellMask]
	}
}
