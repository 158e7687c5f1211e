package gradient

import (
	"encoding/binary"
	"image"

	"github.com/devkiln/devkiln/internal/invalid"
)

// MaxPixels is the largest area of a [Gradient.Image], in pixels: 256 MiB of
// memory.
const MaxPixels = 1 << 26

// ImageOptions says how to paint an image.
type ImageOptions struct {
	// Dither spreads what eight bits cannot hold over neighbouring pixels, with
	// a pattern of 8 by 8, so that slow gradients do not show bands. Pixels
	// then differ from the exact colour by less than one level.
	Dither bool
}

// Image paints the gradient into a box of width by height pixels, each 1 to
// [MaxSide] and at most [MaxPixels] together. [Gradient.Painter] paints the
// same without holding all of it.
//
// The error joins an option error for each of width and height at fault.
func (g Gradient) Image(width, height int, o ImageOptions) (*image.RGBA, error) {
	if err := checkSize(width, height); err != nil {
		return nil, err
	}
	if width*height > MaxPixels {
		return nil, &invalid.Input{Field: "height", Reason: "out_of_range", Message: "must leave width × height at 67108864 pixels or fewer"}
	}
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	if o.Dither {
		g.dither(img)
		return img, nil
	}
	p, err := g.Painter(width, height)
	if err != nil {
		return nil, err
	}
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

// sameRow returns the first row that looks like row y: any row of a gradient
// that runs sideways, the mirrored one of a radial gradient in the middle.
func (p *Painter) sameRow(y int) int {
	m := &p.brush.geometry
	switch {
	case m.kind == Linear && m.dy == 0:
		return 0
	case m.kind == Radial && 2*m.cy == float64(p.height):
		return min(y, p.height-1-y)
	default:
		return y
	}
}

// bayer is the ordered-dithering matrix of 8 by 8 (Bayer, 1973): each of 0 to
// 63 once, neighbours far apart.
const bayer = "" +
	"\x00\x20\x08\x28\x02\x22\x0a\x2a" +
	"\x30\x10\x38\x18\x32\x12\x3a\x1a" +
	"\x0c\x2c\x04\x24\x0e\x2e\x06\x26" +
	"\x3c\x1c\x34\x14\x3e\x1e\x36\x16" +
	"\x03\x23\x0b\x2b\x01\x21\x09\x29" +
	"\x33\x13\x3b\x1b\x31\x11\x39\x19" +
	"\x0f\x2f\x07\x27\x0d\x2d\x05\x25" +
	"\x3f\x1f\x37\x17\x3d\x1d\x35\x15"

// pack16 keeps eight binary digits of a level behind the point. Adding one to
// all four lanes of 16 bits cannot overflow into the next.
func pack16(v vec) uint64 {
	lane := func(level float64) uint64 { return uint64(level*256 + 0.5) }
	return lane(v[0]) | lane(v[1])<<16 | lane(v[2])<<32 | lane(v[3]*255)<<48
}

func (g Gradient) dither(img *image.RGBA) {
	const eachLane = 0x0001_0001_0001_0001
	width, height := img.Rect.Dx(), img.Rect.Dy()
	b := newBrush(g, width, height, palette[uint64]{pack: pack16, notInterpolable: notInterpolable16})
	var strip [stripPixels]uint64
	for y := range height {
		row := img.Pix[y*img.Stride:]
		for x := 0; x < width; x += stripPixels {
			s := strip[:min(stripPixels, width-x)]
			b.strip(s, x, float64(y)+0.5)
			for i, c := range s {
				threshold := uint64(bayer[y%8*8+i%8])*4 + 2
				binary.LittleEndian.PutUint32(row[4*(x+i):], highBytes(c+threshold*eachLane))
			}
		}
	}
}

// highBytes gathers the upper bytes of the four lanes.
func highBytes(c uint64) uint32 {
	c = c >> 8 & 0x00ff_00ff_00ff_00ff
	c |= c >> 8
	return uint32(c&0xffff | c>>16&0xffff_0000)
}
