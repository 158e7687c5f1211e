package gradient

import (
	"math"
	"math/bits"
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

func paletteOf8() palette[uint32] { return palette[uint32]{pack: pack8, steep: 0x00ffffff} }

// pack8 rounds to eight bits.
func pack8(v vec) uint32 {
	return uint32(round8(v[0])) | uint32(round8(v[1]))<<8 | uint32(round8(v[2]))<<16 | uint32(round8(v[3]*255))<<24
}

// brush knows the colour of every pixel of a box. Colours come out of a table;
// where that is too coarse, at hard stops and other steep places, they are
// computed pixel by pixel.
type brush[T cell] struct {
	palette  palette[T]
	ramp     *ramp
	geometry geometry
	shift    uint // what brings a fixed-point place down to a cell
	cells    []T  // one more than a power of two, the last for the very end
}

// fraction is the number of binary digits behind the point of a place.
const fraction = 48

func newBrush[T cell](g Gradient, width, height int, colors palette[T]) brush[T] {
	b := brush[T]{palette: colors, ramp: g.ramp}
	if g.ramp == nil {
		return b
	}
	b.geometry = g.geometry(float64(width), float64(height))
	digits := cellDigits(max(width, height))
	b.shift = fraction - digits
	b.fill(1 << digits)
	return b
}

// cellDigits returns the binary logarithm of a table's size: some four cells
// for a pixel of the longer side, 64 to 8192.
func cellDigits(side int) uint {
	return uint(min(max(bits.Len(uint(side))+2, 6), 13))
}

// fill paints n cells, which cover the box evenly: by place, or for radial
// gradients by the square of it, which spares a root per pixel.
func (b *brush[T]) fill(n int) {
	b.cells = make([]T, n+1)
	if math.IsInf(b.geometry.reach, 1) {
		b.distrust(b.cells)
		return
	}
	before := b.ramp.paint(0)
	for i := range n {
		after := b.ramp.paint(b.placeOf(float64(i+1) / float64(n)))
		b.cells[i] = b.mean(before, after)
		before = after
	}
	b.cells[n] = b.palette.pack(before)
	b.markStops(b.cells[:n])
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
func (b *brush[T]) mean(from, to vec) T {
	if largestChange(from, to) > flat {
		return b.palette.steep
	}
	for i := range from {
		from[i] = (from[i] + to[i]) / 2
	}
	return b.palette.pack(from)
}

// largestChange is the largest difference of a channel, in levels.
func largestChange(a, b vec) float64 {
	return max(math.Abs(a[0]-b[0]), math.Abs(a[1]-b[1]), math.Abs(a[2]-b[2]), math.Abs(a[3]-b[3])*255)
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

// exact computes the pixel in column x of the row whose middle is at y.
func (b *brush[T]) exact(x int, y float64) T {
	return b.palette.pack(b.ramp.paint(b.geometry.place(float64(x)+0.5, y)))
}

// stripPixels is how many pixels are painted at a time.
const stripPixels = 256

// strip paints up to stripPixels pixels of the row whose middle is at y, the
// first in column x.
func (b *brush[T]) strip(dst []T, x int, y float64) {
	switch {
	case b.ramp == nil:
		clear(dst)
	case math.IsInf(b.geometry.reach, 1):
		for i := range dst {
			dst[i] = b.exact(x+i, y)
		}
	case b.geometry.kind == Radial:
		b.radialStrip(dst, x, y)
	case b.geometry.kind == Conic:
		b.conicStrip(dst, x, y)
	default:
		b.linearStrip(dst, x, y)
	}
}

func (b *brush[T]) linearStrip(dst []T, x int, y float64) {
	const one = 1 << fraction
	at := uint64(b.geometry.place(float64(x)+0.5, y) * one)
	step := uint64(int64(b.geometry.dx * one))
	cells, shift, steep := b.cells, b.shift&63, b.palette.steep
	end := uint64(len(cells) - 1)
	for i := range dst {
		c := cells[min(at>>shift, end)]
		if c == steep {
			c = b.exact(x+i, y)
		}
		dst[i] = c
		at += step
	}
}

// bias keeps the sum of a strip's rounding errors from going below zero.
const bias = stripPixels * stripPixels / 2

// radialStrip walks along the square of the place, whose second difference is
// constant.
func (b *brush[T]) radialStrip(dst []T, x int, y float64) {
	const one = 1 << fraction
	m := &b.geometry
	dx, dy := m.dx/m.reach, m.dy/m.reach
	u, v := (float64(x)+0.5-m.cx)*dx, (y-m.cy)*dy
	at := uint64((u*u+v*v)*one) + bias
	step := uint64(int64((2*u + dx) * dx * one))
	more := uint64(int64(2 * dx * dx * one))
	cells, shift, steep := b.cells, b.shift&63, b.palette.steep
	end := uint64(len(cells) - 1)
	for i := range dst {
		c := cells[min(at>>shift, end)]
		if c == steep {
			c = b.exact(x+i, y)
		}
		dst[i] = c
		at += step
		step += more
	}
}

func (b *brush[T]) conicStrip(dst []T, x int, y float64) {
	n := float64(len(b.cells) - 1)
	for i := range dst {
		c := b.cells[int(b.geometry.place(float64(x+i)+0.5, y)*n)]
		if c == b.palette.steep {
			c = b.exact(x+i, y)
		}
		dst[i] = c
	}
}
