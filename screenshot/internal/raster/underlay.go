package raster

import (
	"image/color"
	"math"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/screenshot/internal/scene"
)

// An underlay paints the background of a picture, row by row.
type underlay struct {
	color    color.NRGBA
	gradient *gradient.Painter
	coarse   int // pixels of the picture per pixel of the gradient, in each direction

	row, wide []byte // a row of a coarse gradient, and the same stretched
	last      rowOf  // the part of wide that is painted
}

// A rowOf is the painted part of a row: the pixels before left, and those from
// right on.
type rowOf struct{ y, left, right int }

// maxConic is the most pixels of a conic gradient to compute. One of 100 stops
// takes some 80 ns for each, which adds up to 20 seconds for the largest
// picture.
const maxConic = 16 << 20

// newUnderlay returns the underlay of a picture. If the picture exceeds the
// limits of a gradient, the gradient is painted smaller and stretched.
func newUnderlay(b scene.Background, width, height int) underlay {
	if b.Gradient == nil {
		return underlay{color: b.Color}
	}
	coarse := (max(width, height)-1)/gradient.MaxSide + 1
	if b.Gradient.Kind() == gradient.Conic {
		coarse = max(coarse, int(math.Ceil(math.Sqrt(float64(width)*float64(height)/maxConic))))
	}
	g, err := b.Gradient.Painter((width-1)/coarse+1, (height-1)/coarse+1)
	if err != nil {
		return underlay{} // does not occur with sizes from 1 to MaxSide
	}
	u := underlay{gradient: g, coarse: coarse, last: rowOf{y: -1}}
	if coarse > 1 {
		u.row = make([]byte, 4*((width-1)/coarse+1))
		u.wide = make([]byte, 4*width)
	}
	return u
}

// paint paints the pixels of row y before left and those from right on, at
// least.
func (u *underlay) paint(row []byte, y, channels, left, right int) {
	switch {
	case u.gradient == nil:
		u.fill(row[:left*channels], channels)
		u.fill(row[right*channels:], channels)
	case u.coarse > 1:
		u.paintCoarse(rowOf{y / u.coarse, left, right}, u.wide[:len(row)], channels)
		copy(row[:left*channels], u.wide)
		copy(row[right*channels:], u.wide[right*channels:])
	case channels == 4:
		u.gradient.RowRGBA(y, row)
	default:
		u.gradient.Row(y, row[:3*left])
		u.gradient.RowFrom(right, y, row[3*right:])
	}
}

// paintCoarse paints a row unless it was painted last.
func (u *underlay) paintCoarse(r rowOf, wide []byte, channels int) {
	if r == u.last {
		return
	}
	u.last = r
	if channels == 4 {
		u.gradient.RowRGBA(r.y, u.row)
	} else {
		from := r.right / u.coarse
		u.gradient.Row(r.y, u.row[:3*((r.left-1)/u.coarse+1)])
		u.gradient.RowFrom(from, r.y, u.row[min(3*from, len(u.row)):])
	}
	stretch(wide[:r.left*channels], u.row, 0, u.coarse, channels)
	stretch(wide[r.right*channels:], u.row, r.right, u.coarse, channels)
}

// stretch fills dst, which begins at pixel x, from a coarse row.
func stretch(dst, row []byte, x, coarse, channels int) {
	row = row[x/coarse*channels:]
	for x %= coarse; len(dst) > 0; x++ {
		if x == coarse {
			x, row = 0, row[channels:]
		}
		dst[0], dst[1], dst[2] = row[0], row[1], row[2]
		dst[channels-1] = row[channels-1]
		dst = dst[channels:]
	}
}

func (u *underlay) fill(row []byte, channels int) {
	a := uint32(u.color.A)
	premultiply := func(v uint8) byte { return byte((uint32(v)*a + 127) / 255) }
	pixel := [...]byte{premultiply(u.color.R), premultiply(u.color.G), premultiply(u.color.B), u.color.A}
	copy(row, pixel[:channels])
	for done := channels; done < len(row); done *= 2 {
		copy(row[done:], row[:done])
	}
}
