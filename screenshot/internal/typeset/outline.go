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
func Trace(p Pen, segments []opentype.Segment, scale, dx, dy float32) {
	open := false
	at := func(q opentype.SegmentPoint) (x, y float32) { return q.X*scale + dx, dy - q.Y*scale }
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
