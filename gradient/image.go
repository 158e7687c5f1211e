package gradient

import (
	"image"
	"image/png"
	"io"

	"github.com/devkiln/devkiln/internal/invalid"
)

// MaxPixels is the largest area of a [Gradient.Image], in pixels; such an image
// takes 256 MiB of memory.
const MaxPixels = 1 << 26

// ImageOptions configures [Gradient.Image] and [Gradient.WritePNG].
type ImageOptions struct {
	// Dither distributes rounding errors over neighbouring pixels with an
	// ordered pattern of 8 by 8, so that slow gradients show no bands. Pixels
	// then differ from the exact colour by less than one level.
	Dither bool
}

// Image paints the gradient into a box of width by height pixels. Each side is
// from 1 to [MaxSide], and the area at most [MaxPixels]. [Gradient.Painter]
// paints the same picture row by row, without holding all of it.
//
// The error joins an option error for each invalid field: width and height.
func (g Gradient) Image(width, height int, o ImageOptions) (*image.RGBA, error) {
	if err := sizeFaults(width, height).Err(); err != nil {
		return nil, err
	}
	if width*height > MaxPixels {
		return nil, &invalid.Input{Field: "height", Reason: "out_of_range", Message: "times the width must be at most 67108864 pixels"}
	}
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	p := g.painter(width, height, o.Dither)
	for y := range height {
		row := img.Pix[y*img.Stride:][:4*width]
		if same := p.sameRow(y); same < y {
			copy(row, img.Pix[same*img.Stride:])
		} else {
			p.RowRGBA(y, row)
		}
	}
	return img, nil
}

// sameRow returns the first row that is equal to row y: row 0 for a horizontal
// gradient, and the mirror row for a vertically centred radial gradient.
func (p *Painter) sameRow(y int) int {
	m := &p.geometry
	switch {
	case p.dither:
		return y
	case m.kind == Linear && m.dy == 0:
		return 0
	case m.kind == Radial && 2*m.cy == float64(p.height):
		return min(y, p.height-1-y)
	default:
		return y
	}
}

// WritePNG writes the picture of [Gradient.Image] as a PNG. The error is that
// of w or that of Image.
func (g Gradient) WritePNG(w io.Writer, width, height int, o ImageOptions) error {
	img, err := g.Image(width, height, o)
	if err != nil {
		return err
	}
	return png.Encode(w, img)
}

// bayer is the 8 by 8 ordered-dithering matrix (Bayer, 1973). It has each value
// from 0 to 63 once, with close values far apart.
const bayer = "" +
	"\x00\x20\x08\x28\x02\x22\x0a\x2a" +
	"\x30\x10\x38\x18\x32\x12\x3a\x1a" +
	"\x0c\x2c\x04\x24\x0e\x2e\x06\x26" +
	"\x3c\x1c\x34\x14\x3e\x1e\x36\x16" +
	"\x03\x23\x0b\x2b\x01\x21\x09\x29" +
	"\x33\x13\x3b\x1b\x31\x11\x39\x19" +
	"\x0f\x2f\x07\x27\x0d\x2d\x05\x25" +
	"\x3f\x1f\x37\x17\x3d\x1d\x35\x15"

// ditherThresholds returns those of [rounded] for the columns of row y.
func ditherThresholds(y int) (thresholds [8]uint32) {
	for i := range thresholds {
		thresholds[i] = (uint32(bayer[y%8*8+i])*2 + 1) * 0x0101_0101
	}
	return thresholds
}
