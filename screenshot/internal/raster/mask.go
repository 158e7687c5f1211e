package raster

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"math"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	xdraw "golang.org/x/image/draw"
	"golang.org/x/image/vector"

	"github.com/devkiln/devkiln/screenshot/internal/typeset"
)

// maxMasks is the most memory for the masks of a painter, in bytes.
const maxMasks = 24 << 20

// fineness returns the precision of glyphs at a scale: the number of horizontal
// positions within a pixel, and of levels of coverage. With pixels half as
// large, fewer of both look the same, and files are a fifth smaller.
func fineness(scale float64) (phases, levels int) {
	if scale < 2 {
		return 4, 256
	}
	return 2, 16
}

// A mask is a rasterised glyph: the coverage of each pixel, or a picture.
type mask struct {
	x, y    int // of its top left corner, relative to the origin of the glyph
	w, h    int
	cover   []uint8
	picture *image.RGBA
}

type maskKey struct {
	face           *typeset.Face
	id             font.GID
	scaleX, scaleY float32 // pixels per font unit
	phase          uint8
}

// masks caches the masks of glyphs at one scale.
type masks struct {
	scale      float32
	phases     float32
	rasterizer vector.Rasterizer
	made       map[maskKey]*mask
	bytes      int
}

func newMasks(scale float64) *masks {
	phases, _ := fineness(scale)
	return &masks{scale: float32(scale), phases: float32(phases), made: make(map[maskKey]*mask)}
}

// of returns the mask of a glyph whose origin is at x, in device pixels, and
// the pixel column to which the mask is relative.
func (m *masks) of(g typeset.Glyph, x float32) (*mask, int) {
	whole := float32(math.Floor(float64(x + 0.5/m.phases)))
	phase := uint8(max(0, (x-whole)*m.phases+0.5))
	scale := g.Face.Scale * g.Size * m.scale
	return m.cached(maskKey{g.Face, g.ID, scale, scale, phase}, func() *mask { return m.rasterise(g, scale, float32(phase)/m.phases) }), int(whole)
}

// box returns the mask of a box-drawing character in a cell of w by h pixels,
// relative to the top left corner of the cell.
func (m *masks) box(s *typeset.Span, w, h int) *mask {
	g := s.Glyphs[0]
	x, y, baseline := s.Stretch(float32(w), float32(h))
	return m.cached(maskKey{g.Face, g.ID, x, y, 0}, func() *mask {
		outline, _ := g.Face.GlyphDataOutline(g.ID)
		return m.fill(outline.Segments, x, y, 0, baseline)
	})
}

func (m *masks) cached(key maskKey, draw func() *mask) *mask {
	found := m.made[key]
	if found == nil {
		if m.bytes > maxMasks {
			clear(m.made)
			m.bytes = 0
		}
		found = draw()
		m.made[key] = found
		m.bytes += 200 + found.w*found.h
		if found.picture != nil {
			m.bytes += len(found.picture.Pix)
		}
	}
	return found
}

func (m *masks) rasterise(g typeset.Glyph, scale, phase float32) *mask {
	switch data := g.Face.GlyphData(g.ID).(type) {
	case font.GlyphOutline:
		return m.fill(data.Segments, scale, scale, phase, 0)
	case font.GlyphBitmap:
		return picture(g, data, scale)
	}
	outline, _ := g.Face.GlyphDataOutline(g.ID)
	return m.fill(outline.Segments, scale, scale, phase, 0)
}

// fill rasterises an outline, shifted by dx and dy.
func (m *masks) fill(segments []opentype.Segment, scaleX, scaleY, dx, dy float32) *mask {
	left, top, right, bottom := bounds(segments)
	if left >= right || top >= bottom {
		return &mask{}
	}
	x0, y0 := floor(left*scaleX+dx), floor(dy-bottom*scaleY)
	x1, y1 := ceil(right*scaleX+dx), ceil(dy-top*scaleY)
	const tooLarge = 4096 // far above any glyph of 72 pixels at a scale of 4
	if x1-x0 > tooLarge || y1-y0 > tooLarge {
		return &mask{}
	}
	dst := image.NewAlpha(image.Rect(0, 0, x1-x0, y1-y0))
	m.rasterizer.Reset(x1-x0, y1-y0)
	m.rasterizer.DrawOp = draw.Src
	typeset.Trace(&m.rasterizer, segments, scaleX, scaleY, dx-float32(x0), dy-float32(y0))
	m.rasterizer.Draw(dst, dst.Rect, image.Opaque, image.Point{})
	return &mask{x: x0, y: y0, w: x1 - x0, h: y1 - y0, cover: dst.Pix}
}

func floor(v float32) int { return int(math.Floor(float64(v))) }
func ceil(v float32) int  { return int(math.Ceil(float64(v))) }

// bounds returns the bounding box of an outline, in font units.
func bounds(segments []opentype.Segment) (left, top, right, bottom float32) {
	left, top = math.MaxFloat32, math.MaxFloat32
	right, bottom = -math.MaxFloat32, -math.MaxFloat32
	for i := range segments {
		for _, p := range segments[i].ArgsSlice() {
			left, right = min(left, p.X), max(right, p.X)
			top, bottom = min(top, p.Y), max(bottom, p.Y)
		}
	}
	return left, top, right, bottom
}

// picture scales the bitmap of a glyph.
func picture(g typeset.Glyph, data font.GlyphBitmap, scale float32) *mask {
	if data.Format != font.PNG {
		return &mask{}
	}
	config, err := png.DecodeConfig(bytes.NewReader(data.Data))
	if err != nil || config.Width > 1024 || config.Height > 1024 {
		return &mask{}
	}
	source, err := png.Decode(bytes.NewReader(data.Data))
	if err != nil {
		return &mask{}
	}
	x, y, w, h := typeset.PictureBox(g, config.Width, config.Height)
	x0, y0 := round(x*scale), round(-(y+h)*scale)
	dst := image.NewRGBA(image.Rect(0, 0, max(1, round(w*scale)), max(1, round(h*scale))))
	xdraw.CatmullRom.Scale(dst, dst.Rect, source, source.Bounds(), draw.Src, nil)
	return &mask{x: x0, y: y0, w: dst.Rect.Dx(), h: dst.Rect.Dy(), picture: dst}
}

func round(v float32) int { return int(math.Round(float64(v))) }
