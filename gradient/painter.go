package gradient

import (
	"encoding/binary"

	"github.com/devkiln/devkiln/internal/invalid"
)

// MaxSide is the largest width and height, in pixels, of a box that is
// painted.
const MaxSide = 1 << 16

// Painter paints a gradient into a box row by row, so that its caller decides
// how much of the picture exists at a time. It is immutable: rows may be
// painted in any order and by several goroutines at once.
type Painter struct {
	brush         brush[uint32]
	white         brush[uint32] // the same over white
	width, height int
	opaque        bool
}

// Painter returns what paints the gradient into a box of width by height
// pixels, each 1 to [MaxSide].
//
// The error joins an option error for width and one for height.
func (g Gradient) Painter(width, height int) (*Painter, error) {
	if err := checkSize(width, height); err != nil {
		return nil, err
	}
	p := g.painter(width, height, pack8)
	p.white = p.brush
	if !p.opaque {
		p.white = newBrush(g, width, height, palette[uint32]{pack: packOverWhite, notInterpolable: notInterpolable8})
	}
	return p, nil
}

func (g Gradient) painter(width, height int, pack func(vec) uint32) *Painter {
	p := &Painter{width: width, height: height, opaque: g.Opaque()}
	p.brush = newBrush(g, width, height, palette[uint32]{pack: pack, notInterpolable: notInterpolable8})
	return p
}

func checkSize(width, height int) error {
	var faults invalid.Inputs
	const message = "must be from 1 to 65536 pixels"
	if width < 1 || width > MaxSide {
		faults.Add("width", "out_of_range", message)
	}
	if height < 1 || height > MaxSide {
		faults.Add("height", "out_of_range", message)
	}
	return faults.Err()
}

// Opaque reports whether every pixel is opaque.
func (p *Painter) Opaque() bool { return p.opaque }

// Bounds returns the width and height of the box in pixels.
func (p *Painter) Bounds() (width, height int) { return p.width, p.height }

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
	mid := p.middleOf(y)
	for x := 0; x < n; x += stripPixels {
		s := strip[:min(stripPixels, n-x)]
		p.white.strip(s, x, mid)
		writeRGB(dst[3*x:], s)
	}
}

// RowRGBA is like Row, but paints four bytes per pixel, the last one alpha,
// premultiplied as in [image.RGBA].
func (p *Painter) RowRGBA(y int, dst []byte) {
	var strip [stripPixels]uint32
	n := min(p.width, len(dst)/4)
	mid := p.middleOf(y)
	linear := p.brush.table != nil && p.brush.geometry.kind == Linear
	for x := 0; x < n; x += stripPixels {
		s := strip[:min(stripPixels, n-x)]
		if linear && linearRGBA(&p.brush, dst[4*x:4*(x+len(s))], x, mid) {
			continue
		}
		p.brush.strip(s, x, mid)
		writeRGBA(dst[4*x:], s)
	}
}

// linearRGBA is linearStrip straight into bytes, four pixels at a time, which
// takes half as long. It paints whole groups of four, and reports whether that
// is all there is to paint.
func linearRGBA(b *brush[uint32], dst []byte, x int, y float64) bool {
	at := uint64(b.geometry.place(float64(x)+0.5, y) * wholeLine)
	step := uint64(int64(b.geometry.dx * wholeLine))
	cells, from := &b.table.cells, at
	for len(dst) >= 16 {
		four := dst[:16:16]
		binary.LittleEndian.PutUint32(four, cells[at>>toCell&cellMask])
		at += step
		binary.LittleEndian.PutUint32(four[4:], cells[at>>toCell&cellMask])
		at += step
		binary.LittleEndian.PutUint32(four[8:], cells[at>>toCell&cellMask])
		at += step
		binary.LittleEndian.PutUint32(four[12:], cells[at>>toCell&cellMask])
		at += step
		dst = dst[16:]
	}
	return len(dst) == 0 && b.table.certain(from, at-step)
}

// writeRGBA writes pixels as four bytes each, four at a time.
func writeRGBA(dst []byte, pixels []uint32) {
	for len(pixels) >= 4 && len(dst) >= 16 {
		binary.LittleEndian.PutUint32(dst[:16], pixels[0])
		binary.LittleEndian.PutUint32(dst[4:16], pixels[1])
		binary.LittleEndian.PutUint32(dst[8:16], pixels[2])
		binary.LittleEndian.PutUint32(dst[12:16], pixels[3])
		dst, pixels = dst[16:], pixels[4:]
	}
	for i, c := range pixels {
		binary.LittleEndian.PutUint32(dst[4*i:], c)
	}
}

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
