package gradient

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"slices"

	"github.com/devkiln/devkiln/gradient/internal/colorspace"
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

	// DisplayP3 writes the pixels in Display P3 instead of sRGB, so that
	// wide-gamut colours are not clipped.
	DisplayP3 bool
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
	small, large := pack8, packFine
	if o.DisplayP3 {
		g.ramp = newRamp(g.stops, g, nil)
		small, large = inDisplayP3(pack8), inDisplayP3(packFine)
	}
	if o.Dither {
		g.dither(img, large)
		return img, nil
	}
	p := g.painter(width, height, small)
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

// WritePNG writes the picture of [Gradient.Image] as a PNG. A Display P3
// picture is marked by a cICP chunk (PNG, third edition, section 11.3.2.6). The
// error is that of w or that of Image.
func (g Gradient) WritePNG(w io.Writer, width, height int, o ImageOptions) error {
	img, err := g.Image(width, height, o)
	if err != nil {
		return err
	}
	if !o.DisplayP3 {
		return png.Encode(w, img)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return err
	}
	// The chunk follows the signature of 8 bytes and IHDR of 25. Primaries 12
	// are those of P3, transfer 13 is that of sRGB (ITU-T H.273).
	const header = 8 + 25
	chunk := []byte("\x00\x00\x00\x04cICP\x0c\x0d\x00\x01")
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	_, err = w.Write(slices.Insert(b.Bytes(), header, chunk...))
	return err
}

// inDisplayP3 returns a function that converts levels of sRGB, which may exceed
// 0 to 255, to Display P3 and packs them.
func inDisplayP3[T cell](pack func(vec) T) func(vec) T {
	return func(v vec) T {
		a := v[3]
		if a <= 0 {
			return pack(vec{})
		}
		light := colorspace.SRGB.Light(colorspace.Color{v[0] / 255 / a, v[1] / 255 / a, v[2] / 255 / a})
		c := colorspace.DisplayP3.FromLight(light)
		for i := range c {
			c[i] = 255 * a * min(max(c[i], 0), 1)
		}
		return pack(vec{c[0], c[1], c[2], a})
	}
}

// sameRow returns the first row that is equal to row y: row 0 for a horizontal
// gradient, and the mirror row for a vertically centred radial gradient.
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

// packFine packs whole levels as pack8 does and, above them, seven bits of
// fraction per channel, each in a byte.
func packFine(v vec) uint64 {
	var c uint64
	for i, level := range [4]float64{v[0], v[1], v[2], v[3] * 255} {
		fine := uint64(level*128 + 0.5)
		c |= fine>>7<<(8*i) | fine&127<<(32+8*i)
	}
	return c
}

// dithered returns a pixel: the whole level of each channel, plus one if
// fraction and threshold add up to 1 or more.
func dithered(c, threshold uint64) uint32 {
	c += threshold
	return uint32(c) + uint32(c>>39)&0x0101_0101
}

func (g Gradient) dither(img *image.RGBA, pack func(vec) uint64) {
	const eachChannel = 0x0101_0101 << 32
	width, height := img.Rect.Dx(), img.Rect.Dy()
	b := newBrush(g, width, height, pack)
	linear := b.table != nil && b.geometry.kind == Linear
	var strip [stripPixels]uint64
	for y := range height {
		var thresholds [8]uint64
		for i := range thresholds {
			thresholds[i] = (uint64(bayer[y%8*8+i])*2 + 1) * eachChannel
		}
		row := img.Pix[y*img.Stride:][:4*width]
		for x := 0; x < width; x += stripPixels {
			s := strip[:min(stripPixels, width-x)]
			dst := row[4*x:][:4*len(s)]
			if linear && linearDithered(&b, dst, &thresholds, x, float64(y)+0.5) {
				continue
			}
			b.strip(s, x, float64(y)+0.5)
			for i, c := range s {
				binary.LittleEndian.PutUint32(dst[4*i:], dithered(c, thresholds[i%8]))
			}
		}
	}
}

// linearDithered is linearRGBA with dithering. It reports whether it painted
// all pixels.
func linearDithered(b *brush[uint64], dst []byte, thresholds *[8]uint64, x int, y float64) bool {
	at := uint64(b.geometry.place(float64(x)+0.5, y) * wholeLine)
	step := uint64(int64(b.geometry.dx * wholeLine))
	cells, from := &b.table.cells, at
	for len(dst) >= 32 {
		eight := dst[:32:32]
		for i, threshold := range thresholds {
			binary.LittleEndian.PutUint32(eight[4*i:], dithered(cells[at>>toCell&cellMask], threshold))
			at += step
		}
		dst = dst[32:]
	}
	return len(dst) == 0 && b.table.isUnmarked(from, at-step)
}

// MaxSide is the largest width and the largest height, in pixels, of a painted
// box.
const MaxSide = 1 << 16

// Painter paints a gradient into a box row by row, so that the caller decides
// how much of the picture is in memory at a time. It is immutable: rows may be
// painted in any order and by several goroutines at once.
type Painter struct {
	brush         brush[uint32]
	white         brush[uint32] // the same over white
	width, height int
	opaque        bool
}

// Painter returns a [Painter] for a box of width by height pixels, each from 1
// to [MaxSide].
//
// The error joins an option error for each invalid field: width and height.
func (g Gradient) Painter(width, height int) (*Painter, error) {
	if err := sizeFaults(width, height).Err(); err != nil {
		return nil, err
	}
	p := g.painter(width, height, pack8)
	p.white = p.brush
	if !p.opaque {
		p.white = newBrush(g, width, height, packOverWhite)
	}
	return p, nil
}

func (g Gradient) painter(width, height int, pack func(vec) uint32) *Painter {
	p := &Painter{width: width, height: height, opaque: g.Opaque()}
	p.brush = newBrush(g, width, height, pack)
	return p
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

// Opaque reports whether every pixel is opaque.
func (p *Painter) Opaque() bool { return p.opaque }

// middleOf returns the vertical middle of row y, which it clamps to the box.
func (p *Painter) middleOf(y int) float64 {
	return float64(min(max(y, 0), p.height-1)) + 0.5
}

// Row paints row y, counted from the top, into dst, with three bytes per pixel:
// red, green and blue. Pixels that are not opaque are painted over white. If
// dst is shorter than the row, it receives as many whole pixels as fit. A y
// outside the box is clamped.
func (p *Painter) Row(y int, dst []byte) { p.RowFrom(0, y, dst) }

// RowFrom is like [Painter.Row], but starts at column x, which must not be
// negative.
func (p *Painter) RowFrom(x, y int, dst []byte) {
	var strip [stripPixels]uint32
	n := min(p.width, x+len(dst)/3)
	mid := p.middleOf(y)
	for x < n {
		first := x - x%stripPixels // use the same strips as Row
		s := strip[:min(stripPixels, n-first)]
		p.white.strip(s, first, mid)
		s = s[x-first:]
		writeRGB(dst, s)
		x += len(s)
		dst = dst[3*len(s):]
	}
}

// RowRGBA is like [Painter.Row], but paints four bytes per pixel: red, green,
// blue and alpha, premultiplied as in [image.RGBA].
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
		for i, c := range s {
			binary.LittleEndian.PutUint32(dst[4*(x+i):], c)
		}
	}
}

// linearRGBA is linearStrip directly into bytes, four pixels at a time, which
// takes half as long. It paints whole groups of four, and reports whether it
// painted all pixels.
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
	return len(dst) == 0 && b.table.isUnmarked(from, at-step)
}

// writeRGB writes pixels as three bytes each.
func writeRGB(dst []byte, pixels []uint32) {
	for i, c := range pixels {
		rgb := dst[3*i:][:3]
		rgb[0], rgb[1], rgb[2] = byte(c), byte(c>>8), byte(c>>16)
	}
}
