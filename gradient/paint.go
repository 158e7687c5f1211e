package gradient

import (
	"encoding/binary"
	"image/color"
	"math"

	"github.com/devkiln/devkiln/internal/invalid"
)

// MaxSide is the largest width and the largest height, in pixels, of a painted
// box.
const MaxSide = 1 << 16

// Painter paints a gradient into a box row by row, so that the caller decides
// how much of the picture is in memory at a time. It is immutable: rows may be
// painted in any order and by several goroutines at once.
//
// It looks colours up in a table, but computes them pixel by pixel where the
// table is too coarse, as at hard stops and on steep slopes, and in boxes too
// small for a table to pay off. Without the table, a picture takes ten times as
// long (BenchmarkGradientImage).
type Painter struct {
	ramp          *ramp
	geometry      geometry
	width, height int
	opaque        bool
	dither        bool

	table     *[cellCount]uint32 // nil for small boxes; whole levels to dither, else rounded ones
	fractions *[cellCount]uint32 // of the levels, to dither
}

const (
	// cellCount is the number of cells of a table: two per pixel of a wide
	// screen, and few enough for the first-level cache.
	cellCount = 1 << 12
	cellMask  = cellCount - 1
	// smallBox is the largest area, in pixels, painted without a table.
	smallBox = 2 * cellCount
	// steep marks a cell whose pixels must be computed individually. It has
	// colour but no alpha, which no premultiplied colour has.
	steep = 0x00ff_ffff
	// maxCellChange is how much a channel may change over a cell, in levels, if
	// the mean of the cell is to represent it. The largest error is half of
	// that.
	maxCellChange = 1
)

// A pixel is a premultiplied colour in bytes: red in the lowest, then green,
// blue and alpha. Its fractions, in 128ths of a level, are in bytes too.
func pixel(v vec) (whole, fractions uint32) {
	for i, level := range [4]float64{v[0], v[1], v[2], v[3] * 255} {
		fine := uint32(level*128 + 0.5)
		whole |= fine >> 7 << (8 * i)
		fractions |= fine & 127 << (8 * i)
	}
	return whole, fractions
}

// half rounds to the nearest level.
const half = 64 * 0x0101_0101

// rounded returns a pixel in whole levels: each is one higher if its fraction
// and that of the threshold add up to 1 or more.
func rounded(whole, fractions, threshold uint32) uint32 {
	return whole + (fractions+threshold)>>7&0x0101_0101
}

// Painter returns a [Painter] for a box of width by height pixels, each from 1
// to [MaxSide].
//
// The error joins an option error for each invalid field: width and height.
func (g Gradient) Painter(width, height int) (*Painter, error) {
	if err := sizeFaults(width, height).Err(); err != nil {
		return nil, err
	}
	return g.painter(width, height, false), nil
}

func sizeFaults(width, height int) (faults invalid.Inputs) {
	const message = "must be from 1 to 65536 pixels"
	if width < 1 || width > MaxSide {
		faults.Add("width", "out_of_range", message)
	}
	if height < 1 || height > MaxSide {
		faults.Add("height", "out_of_range", message)
	}
	return faults
}

func (g Gradient) painter(width, height int, dither bool) *Painter {
	p := &Painter{ramp: g.ramp, width: width, height: height, opaque: g.Opaque(), dither: dither}
	if g.ramp == nil {
		p.ramp = &ramp{}
	}
	p.geometry = g.geometry(float64(width), float64(height))
	if p.geometry.solid {
		mean := g.ramp.mean()
		p.ramp = &ramp{outside: [2]vec{mean, mean}}
	}
	if width*height > smallBox {
		p.fillTable()
	}
	return p
}

func (p *Painter) fillTable() {
	p.table, p.fractions = new([cellCount]uint32), new([cellCount]uint32)
	before := p.ramp.paint(0)
	for i := range cellCount {
		after := p.ramp.paint(float64(i+1) / cellCount * p.geometry.reach)
		whole, fractions := pixel(before.toward(after, 0.5))
		switch {
		case differ(&before, &after, maxCellChange):
			p.table[i] = steep
		case p.dither:
			p.table[i], p.fractions[i] = whole, fractions
		default:
			p.table[i] = rounded(whole, fractions, half)
		}
		before = after
	}
	p.markStops()
	if p.geometry.kind == Conic { // the end meets the beginning
		p.mark(0, 0)
		p.mark(cellMask, cellMask)
	}
}

// mark marks the cells between two places of a table.
func (p *Painter) mark(from, to float64) {
	for i := int(from); i <= min(int(to), cellMask); i++ {
		p.table[i], p.fractions[i] = steep, 0
	}
}

// differ reports whether a channel differs by more than limit, in levels.
func differ(a, b *vec, limit float64) bool {
	return math.Abs(a[0]-b[0]) > limit || math.Abs(a[1]-b[1]) > limit || math.Abs(a[2]-b[2]) > limit || math.Abs(a[3]-b[3])*255 > limit
}

// markStops marks the cells in which the colour jumps or turns at a stop, in
// each period.
func (p *Painter) markStops() {
	r := p.ramp
	period := r.last - r.first
	switch {
	case !r.repeating || period <= 0:
		p.markPeriod(0, r.ends[0])
	case p.geometry.reach/period*float64(len(r.segments)) > cellCount:
		p.mark(0, cellMask)
	default:
		for n := math.Floor(-r.last / period); r.first+n*period <= p.geometry.reach; n++ {
			p.markPeriod(n*period, r.ends[1])
		}
	}
}

// markPeriod marks the stops of a period, before which the colour is before,
// and where hues interpolate segments of only a few cells, in which the hue may
// go around the whole colour wheel.
func (p *Painter) markPeriod(shift float64, before color.NRGBA) {
	const few = 8
	r := p.ramp
	for i := range r.segments {
		s := &r.segments[i]
		p.markStop(s.start+shift, before, s.colors[0])
		if from, to := p.cellAt(s.start+shift), p.cellAt(s.end+shift); r.space.hueIndex() >= 0 && to-from < few {
			p.mark(from, to)
		}
		before = s.colors[1]
	}
	p.markStop(r.last+shift, before, r.ends[1])
}

// cellAt returns the index of the cell of a place and, as a fraction, how far
// the place is into it.
func (p *Painter) cellAt(place float64) float64 {
	return min(max(place/p.geometry.reach*cellCount, 0), cellCount)
}

// markStop marks the cell of a stop, unless the colours on both sides are close
// to the colour at the start of the cell.
func (p *Painter) markStop(place float64, before, after color.NRGBA) {
	if place < 0 || place > p.geometry.reach {
		return
	}
	const margin = 0.05 // more than the error of turnOf
	sides := [2]vec{painted(before), painted(after)}
	at := p.cellAt(place)
	for i := max(int(at-margin), 0); i <= min(int(at+margin), cellMask); i++ {
		start := p.ramp.paint(float64(i) / cellCount * p.geometry.reach)
		if differ(&start, &sides[0], maxCellChange) || differ(&start, &sides[1], maxCellChange) {
			p.mark(float64(i), float64(i))
		}
	}
}

// Opaque reports whether every pixel is opaque.
func (p *Painter) Opaque() bool { return p.opaque }

// Row paints row y, counted from the top, into dst, with three bytes per pixel:
// red, green and blue. Pixels that are not opaque are painted over white. If
// dst is shorter than the row, it receives as many whole pixels as fit. A y
// outside the box is clamped.
func (p *Painter) Row(y int, dst []byte) { p.RowFrom(0, y, dst) }

// RowFrom is like [Painter.Row], but starts at column x, which must not be
// negative.
func (p *Painter) RowFrom(x, y int, dst []byte) {
	var pixels [4 * stripPixels]byte
	for n := min(p.width, x+len(dst)/3); x < n; x += stripPixels {
		strip := pixels[:4*min(stripPixels, n-x)]
		p.strip(strip, x, y)
		for i := 0; i < len(strip); i += 4 {
			c, rgb := strip[i:][:4], dst[i/4*3:][:3]
			white := 255 - c[3]
			rgb[0], rgb[1], rgb[2] = c[0]+white, c[1]+white, c[2]+white
		}
		dst = dst[len(strip)/4*3:]
	}
}

// RowRGBA is like [Painter.Row], but paints four bytes per pixel: red, green,
// blue and alpha, premultiplied as in [image.RGBA].
func (p *Painter) RowRGBA(y int, dst []byte) {
	n := min(p.width, len(dst)/4)
	for x := 0; x < n; x += stripPixels {
		p.strip(dst[4*x:4*min(x+stripPixels, n)], x, y)
	}
}

// stripPixels is the number of pixels painted at a time.
const stripPixels = 256

// strip paints the pixels of row y from column x on.
func (p *Painter) strip(dst []byte, x, y int) {
	y = min(max(y, 0), p.height-1)
	left, middle := float64(x)+0.5, float64(y)+0.5
	hasSteep := p.table == nil || p.lookUp(dst, p.table, left, middle)
	thresholds := [8]uint32{half, half, half, half, half, half, half, half}
	if p.dither {
		thresholds = ditherThresholds(y)
	}
	if p.dither && p.table != nil {
		var fractions [4 * stripPixels]byte
		p.lookUp(fractions[:len(dst)], p.fractions, left, middle)
		for i := 0; i < len(dst); i += 4 {
			whole, fraction := binary.LittleEndian.Uint32(dst[i:]), binary.LittleEndian.Uint32(fractions[i:])
			binary.LittleEndian.PutUint32(dst[i:], rounded(whole, fraction, thresholds[(x+i/4)%8]))
		}
	}
	for i := 0; hasSteep && i < len(dst); i += 4 {
		if p.table == nil || binary.LittleEndian.Uint32(dst[i:]) == steep {
			whole, fraction := pixel(p.ramp.paint(p.geometry.place(left+float64(i/4), middle)))
			binary.LittleEndian.PutUint32(dst[i:], rounded(whole, fraction, thresholds[(x+i/4)%8]))
		}
	}
}

// lookUp paints pixels to the right of the point (x, y) from a table, and
// reports whether any is steep. Rounding errors may put a place just outside
// the table, hence the mask.
func (p *Painter) lookUp(dst []byte, table *[cellCount]uint32, x, y float64) (hasSteep bool) {
	m := &p.geometry
	switch m.kind {
	case Radial:
		scale := cellCount / m.reach
		u, v, step := (x-m.cx)*m.dx*scale, (y-m.cy)*m.dy*scale, m.dx*scale
		for i := 0; i+4 <= len(dst); i += 4 {
			c := table[min(uint32(math.Sqrt(u*u+v*v)), cellMask)]
			if c == steep {
				hasSteep = true
			}
			binary.LittleEndian.PutUint32(dst[i:i+4], c)
			u += step
		}
	case Conic:
		right, up, start := x-m.cx, m.cy-y, (1-m.offset)*cellCount
		for i := 0; i+4 <= len(dst); i += 4 {
			c := table[int32(turnOf(right, up)*cellCount+start)&cellMask]
			if c == steep {
				hasSteep = true
			}
			binary.LittleEndian.PutUint32(dst[i:i+4], c)
			right++
		}
	default:
		const fraction = 1 << 36 // of a cell
		at, step := uint64(m.place(x, y)*cellCount*fraction), uint64(int64(m.dx*cellCount*fraction))
		for i := 0; i+4 <= len(dst); i += 4 {
			c := table[at/fraction&cellMask]
			if c == steep {
				hasSteep = true
			}
			binary.LittleEndian.PutUint32(dst[i:i+4], c)
			at += step
		}
	}
	return hasSteep
}

// turnOf returns the angle of a direction, clockwise from the top, as a
// fraction of a turn, with an error of at most 2e-6. With math.Atan2, a picture
// takes twice as long (BenchmarkGradientImage/conic).
func turnOf(right, up float64) (t float64) {
	if x, y := math.Abs(right), math.Abs(up); x > y {
		t = 0.25 - eighth(y/x)
	} else {
		t = eighth(x / y)
	}
	if up < 0 {
		t = 0.5 - t
	}
	if right < 0 {
		t = 1 - t
	}
	return t
}

// eighth returns the arc tangent of q, from 0 to 1, in turns. The polynomial is
// 4.4.47 of Abramowitz and Stegun, "Handbook of Mathematical Functions".
func eighth(q float64) float64 {
	s := q * q
	return q * (0.15913362 + s*(-0.05256880+s*(0.02867033+s*(-0.01354934+s*0.00331606))))
}
