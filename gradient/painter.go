package gradient

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// MaxSide is the largest width and height, in pixels, of a box that is
// painted.
const MaxSide = 1 << 16

// Painter paints a gradient into a box row by row, so that its caller decides
// how much of the picture exists at a time. It is immutable: rows may be
// painted in any order and by several goroutines at once.
//
// Colours come out of a table. Where the table is too coarse, at hard stops and
// other steep places, they are computed pixel by pixel.
type Painter struct {
	ramp          *ramp
	geometry      geometry
	width, height int
	opaque        bool
	shift         uint // what brings a fixed-point place down to a cell
	cells         []uint32
}

// steep marks a cell of the table that says nothing: its pixels are computed.
// No premultiplied colour has light without alpha.
const steep = 0x00ffffff

// fraction is the number of binary digits behind the point of a place.
const fraction = 48

// Painter returns what paints the gradient into a box of width by height
// pixels, each 1 to [MaxSide].
//
// The error is an [*OptionError] for width or height.
func (g Gradient) Painter(width, height int) (*Painter, error) {
	if err := checkSize(width, height); err != nil {
		return nil, err
	}
	p := &Painter{ramp: g.ramp, width: width, height: height, opaque: g.Opaque()}
	if g.ramp == nil {
		return p, nil
	}
	p.geometry = g.geometry(float64(width), float64(height))
	digits := cellDigits(max(width, height))
	p.shift = fraction - digits
	p.cells = p.table(1 << digits)
	return p, nil
}

func checkSize(width, height int) error {
	var faults faults
	const message = "must be from 1 to 65536 pixels"
	if width < 1 || width > MaxSide {
		faults.add("width", "out_of_range", message)
	}
	if height < 1 || height > MaxSide {
		faults.add("height", "out_of_range", message)
	}
	return faults.err()
}

// cellDigits returns the binary logarithm of a table's size: some four cells
// for a pixel of the longer side, 64 to 8192.
func cellDigits(side int) uint {
	return uint(min(max(bits.Len(uint(side))+2, 6), 13))
}

// Opaque reports whether every pixel is opaque.
func (p *Painter) Opaque() bool { return p.opaque }

// Bounds returns the width and height of the box in pixels.
func (p *Painter) Bounds() (width, height int) { return p.width, p.height }

// table paints n cells, which cover the box evenly: by place, or for radial
// gradients by the square of it, which spares a root per pixel.
func (p *Painter) table(n int) []uint32 {
	cells := make([]uint32, n+1)
	if math.IsInf(p.geometry.reach, 1) {
		for i := range cells {
			cells[i] = steep
		}
		return cells
	}
	before := p.ramp.paint(p.cellPlace(0, n))
	for i := range n {
		after := p.ramp.paint(p.cellPlace(float64(i+1), n))
		cells[i] = blend(before, after)
		before = after
	}
	cells[n] = pack(before)
	p.markStops(cells[:n])
	return cells
}

// cellPlace returns the place where cell i of n starts.
func (p *Painter) cellPlace(i float64, n int) float64 {
	f := i / float64(n)
	if p.geometry.kind == Radial {
		return math.Sqrt(f) * p.geometry.reach
	}
	return f * p.geometry.reach
}

// cellOf is the inverse of cellPlace.
func (p *Painter) cellOf(place float64, n int) float64 {
	f := place / p.geometry.reach
	if p.geometry.kind == Radial {
		f *= f
	}
	return f * float64(n)
}

// flat is how much a channel may change over one cell, in levels, for the
// cell's mean to stand for all of it.
const flat = 0.5

// blend returns the colour of a cell between two places.
func blend(a, b vec) uint32 {
	for i := range 3 {
		if math.Abs(a[i]-b[i]) > flat {
			return steep
		}
	}
	if math.Abs(a[3]-b[3]) > flat/255 {
		return steep
	}
	return pack(vec{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2, (a[3] + b[3]) / 2})
}

// pack rounds to premultiplied RGBA, red in the lowest byte.
func pack(v vec) uint32 {
	return uint32(round8(v[0])) | uint32(round8(v[1]))<<8 | uint32(round8(v[2]))<<16 | uint32(round8(v[3]*255))<<24
}

// markStops makes steep every cell that a stop touches, in each period.
func (p *Painter) markStops(cells []uint32) {
	r := p.ramp
	period := r.last - r.first
	if !r.repeating || period <= 0 {
		p.markSegments(cells, 0)
		return
	}
	if p.geometry.reach/period*float64(len(r.segments)) > float64(len(cells)) {
		for i := range cells {
			cells[i] = steep
		}
		return
	}
	for n := math.Floor(-r.last / period); r.first+n*period <= p.geometry.reach; n++ {
		p.markSegments(cells, n*period)
	}
}

func (p *Painter) markSegments(cells []uint32, shift float64) {
	p.markPlace(cells, p.ramp.first+shift)
	for i := range p.ramp.segments {
		p.markPlace(cells, p.ramp.segments[i].end+shift)
	}
}

func (p *Painter) markPlace(cells []uint32, place float64) {
	if place < 0 || place > p.geometry.reach {
		return
	}
	const margin = 1e-6
	at := p.cellOf(place, len(cells))
	from, to := int(at-margin), int(at+margin)
	for i := max(from, 0); i <= min(to, len(cells)-1); i++ {
		cells[i] = steep
	}
}

// exact computes the pixel in column x of the row whose middle is at y.
func (p *Painter) exact(x int, y float64) uint32 {
	return pack(p.ramp.paint(p.geometry.place(float64(x)+0.5, y)))
}

// middleOf returns the vertical middle of row y, moved into the box.
func (p *Painter) middleOf(y int) float64 {
	return float64(min(max(y, 0), p.height-1)) + 0.5
}

// Row paints row y, counted from the top, into dst: three bytes per pixel, red,
// green, blue. What is not opaque is painted over white. A dst that is shorter
// than the row gets as many whole pixels as it holds, and a y outside the box
// is the nearest row in it.
func (p *Painter) Row(y int, dst []byte) {
	var strip [stripPixels]uint32
	n := min(p.width, len(dst)/3)
	for x := 0; x < n; x += stripPixels {
		s := strip[:min(stripPixels, n-x)]
		p.strip(s, x, y)
		if !p.opaque {
			overWhite(s)
		}
		writeRGB(dst[3*x:], s)
	}
}

// RowRGBA is like Row, but paints four bytes per pixel, the last one alpha,
// premultiplied as in [image.RGBA].
func (p *Painter) RowRGBA(y int, dst []byte) {
	var strip [stripPixels]uint32
	n := min(p.width, len(dst)/4)
	for x := 0; x < n; x += stripPixels {
		s := strip[:min(stripPixels, n-x)]
		p.strip(s, x, y)
		for i, c := range s {
			binary.LittleEndian.PutUint32(dst[4*(x+i):], c)
		}
	}
}

// stripPixels is how many pixels are painted at a time.
const stripPixels = 256

// writeRGB writes pixels as three bytes each. All but the last are written as
// four, of which the next pixel overwrites one.
func writeRGB(dst []byte, pixels []uint32) {
	dst = dst[:3*len(pixels)]
	last := len(pixels) - 1
	for _, c := range pixels[:last] {
		binary.LittleEndian.PutUint32(dst, c)
		dst = dst[3:]
	}
	c := pixels[last]
	dst[0], dst[1], dst[2] = byte(c), byte(c>>8), byte(c>>16)
}

// overWhite adds the white that shows through.
func overWhite(pixels []uint32) {
	for i, c := range pixels {
		pixels[i] = c + (255-c>>24)*0x010101 | 0xff000000
	}
}

// strip paints len(dst) pixels of row y, the first in column x.
func (p *Painter) strip(dst []uint32, x, y int) {
	if p.ramp == nil {
		clear(dst)
		return
	}
	mid := p.middleOf(y)
	switch p.geometry.kind {
	case Radial:
		p.radialStrip(dst, x, mid)
	case Conic:
		p.conicStrip(dst, x, mid)
	default:
		p.linearStrip(dst, x, mid)
	}
}

func (p *Painter) linearStrip(dst []uint32, x int, y float64) {
	at := uint64(int64(p.geometry.place(float64(x)+0.5, y) * (1 << fraction)))
	step := uint64(int64(p.geometry.dx * (1 << fraction)))
	cells, shift := p.cells, p.shift&63
	for i := range dst {
		c := cells[min(at>>shift, uint64(len(cells)-1))]
		if c == steep {
			c = p.exact(x+i, y)
		}
		dst[i] = c
		at += step
	}
}

// bias keeps the sum of a strip's rounding errors from going below zero.
const bias = stripPixels * stripPixels / 2

// radialStrip walks along the square of the place, whose second difference is
// constant.
func (p *Painter) radialStrip(dst []uint32, x int, y float64) {
	m := &p.geometry
	cells, shift := p.cells, p.shift&63
	if math.IsInf(m.reach, 1) {
		for i := range dst {
			dst[i] = p.exact(x+i, y)
		}
		return
	}
	dx, dy := m.dx/m.reach, m.dy/m.reach
	u, v := (float64(x)+0.5-m.cx)*dx, (y-m.cy)*dy
	at := uint64((u*u+v*v)*(1<<fraction)) + bias
	step := uint64(int64((2*u + dx) * dx * (1 << fraction)))
	more := uint64(int64(2 * dx * dx * (1 << fraction)))
	for i := range dst {
		c := cells[min(at>>shift, uint64(len(cells)-1))]
		if c == steep {
			c = p.exact(x+i, y)
		}
		dst[i] = c
		at += step
		step += more
	}
}

func (p *Painter) conicStrip(dst []uint32, x int, y float64) {
	n := float64(len(p.cells) - 1)
	for i := range dst {
		c := p.cells[int(p.geometry.place(float64(x+i)+0.5, y)*n)]
		if c == steep {
			c = p.exact(x+i, y)
		}
		dst[i] = c
	}
}
