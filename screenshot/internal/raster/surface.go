package raster

import (
	"image/color"
)

// A surface is a strip of rows to paint on. With 3 channels it is opaque; with
// 4, colours are premultiplied.
type surface struct {
	pix      []byte
	stride   int
	channels int
	width    int
	y0, y1   int // the rows of the picture from y0 to before y1
}

// at returns the pixels of row y from x0 to before x1.
func (s *surface) at(x0, x1, y int) []byte {
	row := (y - s.y0) * s.stride
	return s.pix[row+x0*s.channels : row+x1*s.channels]
}

// fill paints a rectangle of whole pixels, clipped to the surface.
func (s *surface) fill(x0, y0, x1, y1 int, c color.NRGBA) {
	x0, x1 = max(x0, 0), min(x1, s.width)
	if x0 >= x1 || c.A == 0 {
		return
	}
	for y := max(y0, s.y0); y < min(y1, s.y1); y++ {
		row := s.at(x0, x1, y)
		if c.A < 255 {
			for ; len(row) > 0; row = row[s.channels:] {
				s.over(row, c, uint32(c.A))
			}
			continue
		}
		s.cover(row, c)
	}
}

// cover sets pixels to an opaque colour. Doubling the painted part is faster
// than setting each pixel.
func (s *surface) cover(row []byte, c color.NRGBA) {
	row[0], row[1], row[2] = c.R, c.G, c.B
	if s.channels == 4 {
		row[3] = 255
	}
	for done := s.channels; done < len(row); done *= 2 {
		copy(row[done:], row[:done])
	}
}

// over composites a colour with an alpha out of 255 over the first pixel of p.
func (s *surface) over(p []byte, c color.NRGBA, alpha uint32) {
	alpha += alpha >> 7 // out of 256
	rest := 256 - alpha
	p[0] = uint8((uint32(p[0])*rest + uint32(c.R)*alpha) >> 8)
	p[1] = uint8((uint32(p[1])*rest + uint32(c.G)*alpha) >> 8)
	p[2] = uint8((uint32(p[2])*rest + uint32(c.B)*alpha) >> 8)
	if s.channels == 4 {
		p[3] = uint8((uint32(p[3])*rest + 255*alpha) >> 8)
	}
}

// stamp paints a mask in an ink, with its top left corner at x, y.
func (s *surface) stamp(m *mask, x, y int, k *coverInk) {
	if m.picture != nil {
		s.stampPicture(m, x, y)
		return
	}
	left, right := max(0, -x), min(m.w, s.width-x)
	for row := max(0, s.y0-y); row < min(m.h, s.y1-y) && left < right; row++ {
		cover := m.cover[row*m.w+left : row*m.w+right]
		dst := s.at(x+left, x+right, y+row)
		for i := 0; i < len(cover); i++ {
			switch a := k.alpha[cover[i]]; a {
			case 0:
			case 255:
				from := i
				for i+1 < len(cover) && k.alpha[cover[i+1]] == 255 {
					i++
				}
				s.cover(dst[from*s.channels:(i+1)*s.channels], k.color)
			default:
				s.over(dst[i*s.channels:], k.color, uint32(a))
			}
		}
	}
}

// stampPicture composites a picture, such as an emoji, over the surface.
func (s *surface) stampPicture(m *mask, x, y int) {
	left, right := max(0, -x), min(m.w, s.width-x)
	for row := max(0, s.y0-y); row < min(m.h, s.y1-y) && left < right; row++ {
		dst := s.at(x+left, x+right, y+row)
		src := m.picture.Pix[row*m.picture.Stride+4*left:]
		for i := range right - left {
			q, p := src[4*i:4*i+4], dst[i*s.channels:]
			rest := 255 - uint32(q[3])
			for c := range s.channels {
				p[c] = uint8(min(255, uint32(q[c])+(uint32(p[c])*rest+127)/255))
			}
		}
	}
}

// straighten converts a surface with 4 channels to colours that are not
// premultiplied, as PNG requires.
func (s *surface) straighten() {
	for y := s.y0; y < s.y1; y++ {
		row := s.at(0, s.width, y)
		for ; len(row) > 0; row = row[4:] {
			if a := uint32(row[3]); a > 0 && a < 255 {
				for c := range 3 {
					row[c] = uint8(min(255, (uint32(row[c])*255+a/2)/a))
				}
			}
		}
	}
}

// A coverInk is a colour with its alpha for each coverage of a pixel, quantised
// to a number of levels.
type coverInk struct {
	color color.NRGBA
	alpha [256]uint8
}

func newCoverInk(c color.NRGBA, levels int) *coverInk {
	k := &coverInk{color: color.NRGBA{c.R, c.G, c.B, 255}}
	for i := range k.alpha {
		level := (i*(levels-1) + 127) / 255
		k.alpha[i] = uint8((level*int(c.A) + (levels-1)/2) / (levels - 1))
	}
	return k
}
