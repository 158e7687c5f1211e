package typeset

import "github.com/go-text/typesetting/font/opentype"

// A Pen draws an outline.
type Pen interface {
	MoveTo(x, y float32)
	LineTo(x, y float32)
	QuadTo(bx, by, cx, cy float32)
	CubeTo(bx, by, cx, cy, dx, dy float32)
	ClosePath()
}

// Trace draws an outline scaled, flipped to y down, and shifted by dx and dy.
func Trace(p Pen, segments []opentype.Segment, scaleX, scaleY, dx, dy float32) {
	open := false
	at := func(q opentype.SegmentPoint) (x, y float32) { return q.X*scaleX + dx, dy - q.Y*scaleY }
	for _, s := range segments {
		ax, ay := at(s.Args[0])
		bx, by := at(s.Args[1])
		cx, cy := at(s.Args[2])
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			if open {
				p.ClosePath()
			}
			p.MoveTo(ax, ay)
			open = true
		case opentype.SegmentOpLineTo:
			p.LineTo(ax, ay)
		case opentype.SegmentOpQuadTo:
			p.QuadTo(ax, ay, bx, by)
		case opentype.SegmentOpCubeTo:
			p.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	if open {
		p.ClosePath()
	}
}

// Stretch returns the scales, in pixels per font unit, at which the character of
// a [BoxDrawing] span fills a cell of w by h pixels, and the distance of its
// baseline from the top. Lines of the embedded font meet at 1.5 times the font
// size; blocks reach from its descender to its ascender.
func (s *Span) Stretch(w, h float32) (scaleX, scaleY, baseline float32) {
	f := s.Glyphs[0].Face
	extents, _ := f.FontHExtents()
	bottom, top := extents.Descender, extents.Ascender
	if s.Text < "\u2580" {
		beyond := (1.5*float32(f.Upem()) - (top - bottom)) / 2
		bottom, top = bottom-beyond, top+beyond
	}
	scaleY = h / (top - bottom)
	return w / f.HorizontalAdvance(s.Glyphs[0].ID), scaleY, top * scaleY
}

// PictureBox returns the box of the picture of a glyph, in font units: as wide
// as its advance, and vertically centred on the letters.
func PictureBox(g Glyph, width, height int) (x, y, w, h float32) {
	advance := g.Face.HorizontalAdvance(g.ID)
	extents, _ := g.Face.FontHExtents()
	w = advance
	h = w * float32(height) / float32(max(width, 1))
	middle := (extents.Ascender + extents.Descender) / 2
	return 0, middle - h/2, w, h
}
