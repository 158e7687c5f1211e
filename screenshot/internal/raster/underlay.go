package raster

import (
	"image/color"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/screenshot/internal/scene"
)

// An underlay paints the background of a picture, row by row.
type underlay struct {
	color    color.NRGBA
	gradient *gradient.Painter
}

func newUnderlay(b scene.Background, width, height int) underlay {
	u := underlay{color: b.Color}
	if b.Gradient != nil {
		u.gradient, _ = b.Gradient.Painter(width, height) // a picture is within gradient.MaxSide
	}
	return u
}

// gradientStep is how many pixels package gradient computes at a time: rows
// painted from its multiples on are equal, whether whole or in part.
const gradientStep = 256

// paint paints the pixels of row y before left and those from right on, at
// least.
func (u *underlay) paint(row []byte, y, channels, left, right int) {
	switch {
	case u.gradient == nil:
		u.fill(row[:left*channels], channels)
		u.fill(row[right*channels:], channels)
	case channels == 4:
		u.gradient.RowRGBA(y, row)
	default:
		u.gradient.Row(0, y, row[:3*left])
		right -= right % gradientStep
		u.gradient.Row(right, y, row[3*right:])
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
