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
	coarse   int // pixels of the picture, each way, for one of the gradient

	row  []byte // of the gradient, where it is coarse
	last int    // which row that is
}

// maxConic is how many pixels of a conic gradient are computed: one of 100
// stops takes some 80 ns for each, so that the largest picture took 20 seconds.
const maxConic = 16 << 20

// newUnderlay returns the underlay of a picture. Where the picture is larger
// than gradients are painted, the gradient is painted smaller and stretched.
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
		return underlay{} // not with a size from 1 to MaxSide
	}
	u := underlay{gradient: g, coarse: coarse, last: -1}
	if coarse > 1 {
		u.row = make([]byte, 4*((width-1)/coarse+1))
	}
	return u
}

// paint paints row y, from its left end to before pixel left and from pixel
// right to its right end at least.
func (u *underlay) paint(row []byte, y, channels, left, right int) {
	if u.gradient == nil {
		u.fill(row[:left*channels], channels)
		u.fill(row[right*channels:], channels)
		return
	}
	target := row
	if u.coarse > 1 {
		target = u.row
	}
	if u.coarse == 1 || u.last != y/u.coarse {
		u.last = y / u.coarse
		if channels == 3 {
			u.gradient.Row(u.last, target)
		} else {
			u.gradient.RowRGBA(u.last, target)
		}
	}
	if u.coarse > 1 {
		u.stretch(row, channels, 0, left)
		u.stretch(row, channels, right, len(row)/channels)
	}
}

// stretch writes the pixels from x0 to before x1 from the coarse row.
func (u *underlay) stretch(row []byte, channels, x0, x1 int) {
	for x := x0; x < x1; x++ {
		p, q := row[x*channels:][:channels], u.row[x/u.coarse*channels:][:channels]
		for c := range p {
			p[c] = q[c]
		}
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
