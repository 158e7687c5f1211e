package gradient

import (
	"image/color"
	"math"
)

// cell is a premultiplied colour in a machine word: red in the lowest byte,
// then green, blue and alpha. A uint64 also holds the fractions for dithering,
// above them.
type cell interface{ uint32 | uint64 }

// notInterpolable marks a cell whose pixels must be computed individually. It
// has colour but no alpha, which no premultiplied colour has.
const notInterpolable = 0x00ff_ffff

// pack8 rounds each channel to eight bits.
func pack8(v vec) uint32 {
	return uint32(round8(v[0])) | uint32(round8(v[1]))<<8 | uint32(round8(v[2]))<<16 | uint32(round8(v[3]*255))<<24
}

// packOverWhite packs a colour composited over white.
func packOverWhite(v vec) uint32 {
	white := 255 * (1 - v[3])
	return pack8(vec{v[0] + white, v[1] + white, v[2] + white, 1})
}

// brush returns the colour of every pixel of a box. It looks colours up in a
// table, but computes them pixel by pixel where the table is too coarse, as at
// hard stops and on steep slopes, and in boxes too small for a table to pay
// off.
type brush[T cell] struct {
	pack     func(vec) T
	ramp     *ramp
	geometry geometry
	table    *table[T] // of the whole box, nil for small boxes
	near     *table[T] // of the middle of a radial gradient, with a finer resolution
}

// table holds the colours at evenly spaced places or, for radial gradients, at
// evenly spaced squares of places, which saves a square root per pixel.
type table[T cell] struct {
	span            float64 // fraction of the box that the cells cover, from place 0
	cells           [cellCount]T
	notInterpolable [cellCount + 1]uint16 // number of marked cells before each
}

const (
	// cellDigits is the binary logarithm of the number of cells. There are two
	// per pixel of a wide screen, and few enough for the first-level cache.
	cellDigits = 12
	cellCount  = 1 << cellDigits
	cellMask   = cellCount - 1
	// Places are fixed-point numbers with this many binary digits.
	fraction  = 48
	toCell    = fraction - cellDigits
	wholeLine = 1 << fraction
	// smallBox is the largest area, in pixels, painted without a table.
	smallBox = 2 * cellCount
	// nearDigits is the binary logarithm of the ratio of the spans of the two
	// tables.
	nearDigits = 4
)

func newBrush[T cell](g Gradient, width, height int, pack func(vec) T) brush[T] {
	b := brush[T]{pack: pack, ramp: g.ramp}
	if g.ramp == nil {
		return b
	}
	b.geometry = g.geometry(float64(width), float64(height))
	if b.geometry.solid {
		mean := g.ramp.mean()
		b.ramp = &ramp{outside: [2]vec{mean, mean}}
	}
	if width*height > smallBox {
		b.table = b.newTable(1)
		if b.geometry.kind == Radial {
			b.near = b.newTable(1.0 / (1 << nearDigits))
		}
	}
	return b
}

func (b *brush[T]) newTable(span float64) *table[T] {
	t := &table[T]{span: span}
	before := b.ramp.paint(0)
	for i := range t.cells {
		after := b.ramp.paint(b.placeOf(t, i+1))
		t.cells[i] = b.mean(&before, &after)
		before = after
	}
	b.markStops(t)
	if b.geometry.kind == Conic { // the end meets the beginning
		t.cells[0], t.cells[cellMask] = notInterpolable, notInterpolable
	}
	n := uint16(0)
	for i, c := range t.cells {
		t.notInterpolable[i] = n
		if c == notInterpolable {
			n++
		}
	}
	t.notInterpolable[cellCount] = n
	return t
}

// placeOf returns the place at which a cell starts.
func (b *brush[T]) placeOf(t *table[T], i int) float64 {
	f := float64(i) / cellCount * t.span
	if b.geometry.kind == Radial {
		f = math.Sqrt(f)
	}
	return f * b.geometry.reach
}

// cellAt is the inverse of placeOf.
func (b *brush[T]) cellAt(t *table[T], place float64) float64 {
	f := place / b.geometry.reach
	if b.geometry.kind == Radial {
		f *= f
	}
	return f / t.span * cellCount
}

// maxCellChange is how much a channel may change over one cell, in levels, if the mean
// of the cell is to represent it. The largest error is half of that.
const maxCellChange = 1

// mean returns the mean colour between two places, or notInterpolable if their
// colours differ too much.
func (b *brush[T]) mean(from, to *vec) T {
	if differ(from, to, maxCellChange) {
		return notInterpolable
	}
	return b.pack(vec{(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2, (from[3] + to[3]) / 2})
}

// differ reports whether a channel differs by more than limit, in levels.
func differ(a, b *vec, limit float64) bool {
	return math.Abs(a[0]-b[0]) > limit || math.Abs(a[1]-b[1]) > limit || math.Abs(a[2]-b[2]) > limit || math.Abs(a[3]-b[3])*255 > limit
}

// markStops marks the cells in which the colour jumps or turns at a stop, in
// each period.
func (b *brush[T]) markStops(t *table[T]) {
	r := b.ramp
	period := r.last - r.first
	if !r.repeating || period <= 0 {
		b.markPeriod(t, 0, r.ends[0])
		return
	}
	if b.geometry.reach/period*float64(len(r.segments)) > cellCount {
		fill(t.cells[:], notInterpolable)
		return
	}
	for n := math.Floor(-r.last / period); r.first+n*period <= b.geometry.reach; n++ {
		b.markPeriod(t, n*period, r.ends[1])
	}
}

// markPeriod marks the stops of one period; before is the colour before it.
func (b *brush[T]) markPeriod(t *table[T], shift float64, before color.NRGBA) {
	r := b.ramp
	for i := range r.segments {
		s := &r.segments[i]
		b.markStop(t, s.start+shift, before, s.colors[0])
		if r.space.hueIndex() >= 0 {
			b.markTurn(t, s.start+shift, s.end+shift)
		}
		before = s.colors[1]
	}
	b.markStop(t, r.last+shift, before, r.ends[1])
}

// markTurn marks a segment of only a few cells, in which the hue may go around
// the whole colour wheel.
func (b *brush[T]) markTurn(t *table[T], start, end float64) {
	const few = 8
	from, to := b.cellAt(t, max(start, 0)), b.cellAt(t, max(end, 0))
	if to-from < few && from < cellCount {
		fill(t.cells[int(from):min(int(to)+1, cellCount)], notInterpolable)
	}
}

// markStop marks the cell of a stop, unless the colours on both sides are close
// to the colour at the start of the cell.
func (b *brush[T]) markStop(t *table[T], place float64, before, after color.NRGBA) {
	if place < 0 || place > b.geometry.reach {
		return
	}
	const margin = 0.14 // more than the error of conicStrip
	at := b.cellAt(t, place)
	sides := [2]vec{painted(before), painted(after)}
	for i := max(int(at-margin), 0); i <= min(int(at+margin), cellMask); i++ {
		start := b.ramp.paint(b.placeOf(t, i))
		if differ(&start, &sides[0], maxCellChange) || differ(&start, &sides[1], maxCellChange) {
			t.cells[i] = notInterpolable
		}
	}
}

// stripPixels is the number of pixels painted at a time.
const stripPixels = 256

// strip paints up to stripPixels pixels of the row whose middle is at y, the
// first in column x.
func (b *brush[T]) strip(dst []T, x int, y float64) {
	if b.ramp == nil {
		fill(dst, b.pack(vec{}))
		return
	}
	certain := false
	switch {
	case b.table == nil:
		fill(dst, notInterpolable)
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
		if c == notInterpolable {
			dst[i] = b.pack(b.ramp.paint(b.geometry.place(float64(x+i)+0.5, y)))
		}
	}
}

func fill[T cell](dst []T, c T) {
	for i := range dst {
		dst[i] = c
	}
}

// isUnmarked reports whether no cell between two places is marked.
func (t *table[T]) isUnmarked(from, to uint64) bool {
	first, last := min(from, to)>>toCell, max(from, to)>>toCell
	return last <= cellMask && t.notInterpolable[first] == t.notInterpolable[last+1]
}

// linearStrip paints from the table, and reports whether it painted the whole
// strip.
func (b *brush[T]) linearStrip(dst []T, x int, y float64) bool {
	at := uint64(b.geometry.place(float64(x)+0.5, y) * wholeLine)
	step := uint64(int64(b.geometry.dx * wholeLine))
	cells, from := &b.table.cells, at
	for i := range dst {
		dst[i] = cells[at>>toCell&cellMask]
		at += step
	}
	return b.table.isUnmarked(from, at-step)
}

// bias keeps the accumulated rounding errors of a strip from making a position
// negative.
const bias = stripPixels * stripPixels / 2

// radialStrip is like linearStrip, but steps through the square of the place,
// whose second difference is constant.
func (b *brush[T]) radialStrip(dst []T, x int, y float64) bool {
	m := &b.geometry
	dx, dy := m.dx/m.reach, m.dy/m.reach
	u, v := (float64(x)+0.5-m.cx)*dx, (y-m.cy)*dy
	w := u + dx*float64(len(dst)-1)
	least, most := v*v+min(u*u, w*w), v*v+max(u*u, w*w)
	if u < 0 && w > 0 {
		least = v * v
	}
	t, scale := b.table, float64(wholeLine)
	if most < b.near.span {
		t, scale = b.near, wholeLine<<nearDigits
	}
	at := uint64((u*u+v*v)*scale) + bias
	step := uint64(int64((2*u + dx) * dx * scale))
	more := uint64(int64(2 * dx * dx * scale))
	cells := &t.cells
	for i := range dst {
		dst[i] = cells[at>>toCell&cellMask]
		at += step
		step += more
	}
	return t.isUnmarked(uint64(least*scale), uint64(most*scale)+2*bias)
}

// At more than nearMiddle pixels from the centre of a conic gradient, the angle
// is interpolated linearly over conicRun pixels. The error is less than an
// eighth of a cell, which [brush.markStop] allows for. This reduces the time of
// a picture to a third (BenchmarkGradientRatio/conic).
const (
	conicRunDigits = 3
	conicRun       = 1 << conicRunDigits
	nearMiddle     = 210
)

func (b *brush[T]) conicStrip(dst []T, x int, y float64) {
	m, cells := &b.geometry, &b.table.cells
	right, up := float64(x)+0.5-m.cx, m.cy-y
	turn := func(right float64) uint64 { return uint64(int64((turnOf(right, up) - m.offset) * wholeLine)) }
	for at := turn(right); len(dst) > 0; right += conicRun {
		run, next := dst[:min(conicRun, len(dst))], turn(right+conicRun)
		middle := right + conicRun/2
		if middle*middle+up*up < nearMiddle*nearMiddle {
			for i := range run {
				run[i] = cells[turn(right+float64(i))>>toCell&cellMask]
			}
		} else {
			// The turns have 48 bits; their difference is the shorter way
			// around.
			step := uint64(int64((next-at)<<(64-fraction)) >> (64 - fraction + conicRunDigits))
			for i := range run {
				run[i] = cells[at>>toCell&cellMask]
				at += step
			}
		}
		at, dst = next, dst[len(run):]
	}
}

// turnOf returns the angle of a direction, clockwise from the top, as a
// fraction of a turn, with an error of at most 2e-6. With math.Atan2, a picture
// takes five times as long (BenchmarkGradientImage/conic). The polynomial is
// 4.4.47 of Abramowitz and Stegun, "Handbook of Mathematical Functions".
func turnOf(right, up float64) float64 {
	short, long := math.Abs(right), math.Abs(up)
	sideways := short > long
	if sideways {
		short, long = long, short
	}
	q := short / long
	s := q * q
	t := q * (0.9998660 + s*(-0.3302995+s*(0.1801410+s*(-0.0851330+s*0.0208351)))) * (0.5 / math.Pi)
	if sideways {
		t = 0.25 - t
	}
	if up < 0 {
		t = 0.5 - t
	}
	if right < 0 {
		t = 1 - t
	}
	return t
}
