package gradient

import (
	"encoding/binary"
	"image"
	"image/png"
	"io"
	"math"

	"github.com/devkiln/devkiln/internal/invalid"
)

// maxSide is the largest width and the largest height, in pixels, of a painted
// box.
const maxSide = 1 << 21

// Painter paints a gradient into a box row by row, so that the caller decides
// how much of the picture is in memory at a time. It is immutable: rows may be
// painted in any order and by several goroutines at once.
//
// It looks colours up in a table, but computes them pixel by pixel where the
// table is too coarse, as at hard stops and on steep slopes, and in boxes too
// small for a table to pay off. Without the table, a picture takes ten times as
// long (BenchmarkGradientImage). A large box with steep slopes has a finer table
// for them.
type Painter struct {
	ramp          *ramp
	geometry      geometry
	width, height int
	table         [cellCount]uint32         // the pixel of each cell; 0 for those to compute
	fine          [cellCount]*[parts]uint32 // the same for the parts of cells that are 0 in a large box; otherwise nil
}

const (
	// cellCount is the number of cells of a table: two per pixel of a wide
	// screen, and few enough for the first-level cache.
	cellCount = 1 << 12
	cellMask  = cellCount - 1
	// smallBox is the largest area, in pixels, painted without a table.
	smallBox = 2 * cellCount
	// parts is the number of cells of the finer table in one of the table, and
	// largeBox the area from which computing them takes a fraction of the time of
	// computing pixels.
	parts    = 64
	largeBox = 4 * parts * cellCount
	// maxCellChange is how much a channel may change over a cell, in levels, if
	// the mean of the cell is to represent it. The largest error is half of
	// that.
	maxCellChange = 1
)

// pixel returns a premultiplied colour in bytes: red in the lowest, then green,
// blue and alpha.
func pixel(v vec) uint32 {
	return uint32(round8(v[0])) | uint32(round8(v[1]))<<8 | uint32(round8(v[2]))<<16 | uint32(round8(v[3]*255))<<24
}

// Painter returns a [Painter] for a box of width by height pixels, each from 1
// to 2,097,152.
//
// The error joins an option error for each invalid field: width and height.
func (g Gradient) Painter(width, height int) (*Painter, error) {
	if err := sizeFaults(width, height).Err(); err != nil {
		return nil, err
	}
	p := &Painter{ramp: g.ramp, width: width, height: height, geometry: g.geometry(float64(width), float64(height))}
	if g.ramp == nil {
		p.ramp = &ramp{}
	}
	if p.geometry.solid {
		mean := g.ramp.mean()
		p.ramp = &ramp{outside: [2]vec{mean, mean}}
	}
	if width*height > smallBox {
		p.fillTable()
	}
	return p, nil
}

func sizeFaults(width, height int) (faults invalid.Faults) {
	const message = "must be from 1 to 2097152 pixels"
	if width < 1 || width > maxSide {
		faults.Add("width", "out_of_range", message)
	}
	if height < 1 || height > maxSide {
		faults.Add("height", "out_of_range", message)
	}
	return faults
}

func (p *Painter) fillTable() {
	cell := p.geometry.reach / cellCount
	p.fill(p.table[:], 0, cell)
	if p.geometry.kind == Conic { // the end meets the beginning
		p.table[0], p.table[cellMask] = 0, 0
	}
	for i, c := range p.table {
		if c == 0 && p.width*p.height >= largeBox {
			p.fine[i] = new([parts]uint32)
			p.fill(p.fine[i][:], float64(i)*cell, cell/parts)
		}
	}
}

// fill sets cells from a place on, except for those to compute.
func (p *Painter) fill(cells []uint32, from, cell float64) {
	const margin = 0.05 // of a cell; more than the error of turnOf
	before := p.ramp.paint(from)
	for i := range cells {
		start := from + float64(i)*cell
		after := p.ramp.paint(start + cell)
		if !differ(&before, &after, maxCellChange) && p.ramp.isSmooth(start-margin*cell, start+(1+margin)*cell) {
			cells[i] = pixel(before.toward(after, 0.5))
		}
		before = after
	}
}

// differ reports whether a channel differs by more than limit, in levels.
func differ(a, b *vec, limit float64) bool {
	return math.Abs(a[0]-b[0]) > limit || math.Abs(a[1]-b[1]) > limit || math.Abs(a[2]-b[2]) > limit || math.Abs(a[3]-b[3])*255 > limit
}

// Row paints row y, counted from the top, from column x on into dst, with three
// bytes per pixel: red, green and blue. Pixels that are not opaque are painted
// over white. If dst is shorter than the rest of the row, it receives as many
// whole pixels as fit. x must not be negative; a y outside the box is clamped.
func (p *Painter) Row(x, y int, dst []byte) {
	var pixels [4 * stripPixels]byte
	for n := min(p.width, x+len(dst)/3); x < n; x += stripPixels {
		strip := pixels[:4*min(stripPixels, n-x)]
		p.strip(strip, x, y)
		dst = flatten(dst, strip)
	}
}

// flatten sets dst to pixels without their alpha, over white, and returns what
// follows. It sets four at a time while they are opaque, in half the time.
func flatten(dst, pixels []byte) (rest []byte) {
	const opaque, first, second = 0xff000000_ff000000, 0xffffff, 0xffffff << 24
	for ; len(pixels) >= 16; pixels, dst = pixels[16:], dst[12:] {
		a, b := binary.LittleEndian.Uint64(pixels), binary.LittleEndian.Uint64(pixels[8:])
		if a&b&opaque != opaque {
			break
		}
		a, b = a&first|a>>8&second, b&first|b>>8&second
		binary.LittleEndian.PutUint64(dst, a|b<<48)
		binary.LittleEndian.PutUint32(dst[8:], uint32(b>>16))
	}
	for ; len(pixels) > 0; pixels, dst = pixels[4:], dst[3:] {
		white := 255 - pixels[3]
		dst[0], dst[1], dst[2] = pixels[0]+white, pixels[1]+white, pixels[2]+white
	}
	return dst
}

// RowRGBA paints row y as [Painter.Row] does, from the first column on and with
// four bytes per pixel: red, green, blue and alpha, premultiplied as in
// [image.RGBA].
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
	left, middle := float64(x)+0.5, float64(min(max(y, 0), p.height-1))+0.5
	if p.lookUp(dst, left, middle) {
		return
	}
	for i := 0; i+4 <= len(dst); i += 4 {
		if binary.LittleEndian.Uint32(dst[i:]) == 0 {
			binary.LittleEndian.PutUint32(dst[i:], p.compute(left+float64(i/4), middle))
		}
	}
}

// compute returns the pixel at the point (x, y), from the finer table if that
// has it.
func (p *Painter) compute(x, y float64) uint32 {
	t := p.geometry.place(x, y)
	part := min(int(t/p.geometry.reach*(parts*cellCount)), parts*cellCount-1)
	if cell := p.fine[part/parts]; cell != nil && cell[part%parts] != 0 {
		return cell[part%parts]
	}
	return pixel(p.ramp.paint(t))
}

// lookUp paints pixels to the right of the point (x, y) from the table, and
// reports whether it has all of them. Rounding errors may put a place just
// outside the table, hence the mask.
func (p *Painter) lookUp(dst []byte, x, y float64) (complete bool) {
	m, zeros := &p.geometry, 0
	switch m.kind {
	case Radial:
		const cells = cellCount - 1e-6 // a place is never outside
		scale := cells / m.reach
		u, v, step := float32((x-m.cx)*m.dx*scale), float32((y-m.cy)*m.dy*scale), float32(m.dx*scale)
		for i := 0; i+4 <= len(dst); i += 4 {
			c := p.table[uint32(float32(math.Sqrt(float64(u*u+v*v))))&cellMask]
			if c == 0 {
				zeros++
			}
			binary.LittleEndian.PutUint32(dst[i:i+4], c)
			u += step
		}
	case Conic:
		right, up, start := x-m.cx, m.cy-y, (1-m.offset)*cellCount
		for i := 0; i+4 <= len(dst); i += 4 {
			c := p.table[int32(turnOf(right, up)*cellCount+start)&cellMask]
			if c == 0 {
				zeros++
			}
			binary.LittleEndian.PutUint32(dst[i:i+4], c)
			right++
		}
	default:
		const fraction = 1 << 36 // of a cell
		at, step := uint64(m.place(x, y)*cellCount*fraction), uint64(int64(m.dx*cellCount*fraction))
		for ; len(dst) > 0; dst = dst[min(8, len(dst)):] { // two pixels at a time
			c, next := p.table[at/fraction&cellMask], p.table[(at+step)/fraction&cellMask]
			if c == 0 || next == 0 {
				zeros++
			}
			if len(dst) < 8 {
				binary.LittleEndian.PutUint32(dst, c)
				break
			}
			binary.LittleEndian.PutUint64(dst, uint64(next)<<32|uint64(c))
			at += 2 * step
		}
	}
	return zeros == 0
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

// maxPixels is the largest area of a [Gradient.Image], in pixels; such an image
// takes 256 MiB of memory.
const maxPixels = 1 << 26

// Image paints the gradient into a box of width by height pixels. Each side is
// from 1 to 2,097,152, and the area at most 67,108,864. [Gradient.Painter]
// paints the same picture row by row, without holding all of it.
//
// The error joins an option error for each invalid field: width and height.
func (g Gradient) Image(width, height int) (*image.RGBA, error) {
	p, err := g.Painter(width, height)
	if err != nil {
		return nil, err
	}
	if width*height > maxPixels {
		return nil, &invalid.Fault{Field: "height", Reason: "out_of_range", Message: "times the width must be at most 67108864 pixels"}
	}
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		p.RowRGBA(y, img.Pix[y*img.Stride:])
	}
	return img, nil
}

// WritePNG writes the picture of [Gradient.Image] as a PNG. The error is that
// of w or that of Image.
func (g Gradient) WritePNG(w io.Writer, width, height int) error {
	img, err := g.Image(width, height)
	if err != nil {
		return err
	}
	return png.Encode(w, img)
}
