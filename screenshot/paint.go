package screenshot

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/vector"
)

// A painter paints a layout, strip by strip, at a scale. Each goroutine has
// its own.
type painter struct {
	layout *layout
	scale  float64
	under  underlay
	shadow *shadow
	masks  *masks
	inks   map[color.NRGBA]*coverInk

	window     image.Rectangle // in pixels
	radius     float64
	darkness   []uint16
	shapes     []shape
	rasterizer vector.Rasterizer
	surface    surface
}

// newPainter returns a painter of a picture that is width by height pixels.
func newPainter(l *layout, scale float64, width, height int) *painter {
	p := &painter{
		layout: l, scale: scale, under: newUnderlay(l.background, width, height),
		masks: newMasks(scale), inks: make(map[color.NRGBA]*coverInk), radius: l.radius * scale,
	}
	px := func(v float64) int { return int(math.Round(v * scale)) }
	w := l.window
	p.window = image.Rect(px(w.x), px(w.y), px(w.x+w.w), px(w.y+w.h))
	if l.shadow {
		p.shadow = newShadow(w, l.radius, scale, width)
		p.darkness = make([]uint16, width)
	}
	p.surface = surface{width: width, channels: l.channels()}
	return p
}

// channels returns how many channels the picture needs.
func (l *layout) channels() int {
	if l.background.opaque() {
		return 3
	}
	return 4
}

// Paint paints the rows y0 to y1.
func (p *painter) Paint(pix []byte, stride, y0, y1 int) {
	s := &p.surface
	s.pix, s.stride, s.y0, s.y1 = pix, stride, y0, y1
	for y := y0; y < y1; y++ {
		left, right := p.outside(y)
		p.under.paint(s.at(0, s.width, y), y, s.channels, left, right)
		if p.shadow != nil {
			p.paintShadow(y, left, right)
		}
		if p.layout.framed && y >= p.window.Min.Y && y < p.window.Max.Y {
			p.paintWindow(y)
		}
	}
	if p.layout.controls {
		p.paintControls()
	}
	p.paintRows()
	for _, label := range [...]*label{p.layout.title, p.layout.watermark} {
		if label != nil {
			p.paintSpans(label.grid, 0, label.spans)
		}
	}
	if s.channels == 4 {
		s.straighten()
	}
}

// outside returns where row y shows what is under the window: before left, and
// from right on. The pixels of a corner do so in part.
func (p *painter) outside(y int) (left, right int) {
	width := p.surface.width
	if !p.layout.framed || y < p.window.Min.Y || y >= p.window.Max.Y {
		return width, width
	}
	reach := 0
	if p.depth(y) < p.radius {
		reach = p.reach()
	}
	return p.window.Min.X + reach, p.window.Max.X - reach
}

// reach returns how many pixels wide a corner is.
func (p *painter) reach() int {
	return min(int(math.Ceil(p.radius)), p.window.Dx()/2)
}

// paintShadow darkens row y outside of the window.
func (p *painter) paintShadow(y, left, right int) {
	s := &p.surface
	p.shadow.coverage(p.darkness, y, left, right)
	s.darken(s.at(0, left, y), p.darkness[:left])
	s.darken(s.at(right, s.width, y), p.darkness[right:])
}

// inset returns how far inside its edge the window begins in the middle of row
// y.
func (p *painter) inset(y int) float64 {
	return cornerInset(float64(y-p.window.Min.Y)+0.5, float64(p.window.Dy()), p.radius)
}

// paintWindow paints row y of the window.
func (p *painter) paintWindow(y int) {
	s := &p.surface
	c := p.layout.theme.background
	left, right := p.window.Min.X, p.window.Max.X
	if d := p.depth(y); d < p.radius {
		reach := p.reach()
		for i := range reach {
			if cover := cornerCover(p.radius-float64(i)-0.5, p.radius-d, p.radius); cover > 0 {
				s.over(s.at(left+i, left+i+1, y), c, cover)
				s.over(s.at(right-i-1, right-i, y), c, cover)
			}
		}
		left, right = left+reach, right-reach
	}
	s.fill(left, y, right, y+1, c)
}

// depth returns how far the middle of row y is from the nearer of the window's
// horizontal edges.
func (p *painter) depth(y int) float64 {
	return min(float64(y-p.window.Min.Y)+0.5, float64(p.window.Max.Y-y)-0.5)
}

// cornerCover returns how much of a pixel, out of 255, is inside a circle, when
// its middle is at x, y from the circle's.
func cornerCover(x, y, radius float64) uint32 {
	return uint32(255*min(1, max(0, radius-math.Hypot(x, y)+0.5)) + 0.5)
}

// controlColors are the colours of the window controls: close, minimise, zoom.
var controlColors = [...]color.NRGBA{{0xff, 0x5f, 0x57, 255}, {0xfe, 0xbc, 0x2e, 255}, {0x28, 0xc8, 0x40, 255}}

func (p *painter) paintControls() {
	radius := controlsSize / 2 * p.scale
	cy := (p.layout.window.y + barHeight/2) * p.scale
	for i, c := range controlColors {
		cx := (p.layout.window.x + controlsX + controlsGap*float64(i)) * p.scale
		p.disc(cx, cy, radius, c)
	}
}

// disc paints a filled circle.
func (p *painter) disc(cx, cy, radius float64, c color.NRGBA) {
	s := &p.surface
	for y := max(s.y0, int(cy-radius-1)); y < min(s.y1, int(cy+radius+2)); y++ {
		for x := max(0, int(cx-radius-1)); x < min(s.width, int(cx+radius+2)); x++ {
			if cover := cornerCover(float64(x)+0.5-cx, float64(y)+0.5-cy, radius); cover > 0 {
				s.over(s.at(x, x+1, y), c, cover)
			}
		}
	}
}

// paintRows paints the rows of code that reach into the strip. Letters may
// reach out of their row, by no more than a row.
func (p *painter) paintRows() {
	l, s := p.layout, &p.surface
	pitch := l.grid.line * p.scale
	top := l.grid.y * p.scale
	first := max(0, int(math.Floor((float64(s.y0)-top)/pitch))-1)
	last := min(len(l.rows)-1, int(math.Ceil((float64(s.y1)-top)/pitch))+1)
	code := l.grid
	code.x += float64(l.gutter) * l.grid.cell
	for i := first; i <= last; i++ {
		if c, ok := l.theme.marked(l.rows[i].mark); ok && l.framed {
			p.paintMark(i, c)
		}
	}
	for i := first; i <= last; i++ {
		p.paintSpans(l.grid, i, l.rows[i].number)
		p.paintSpans(code, i, l.rows[i].spans)
	}
}

// paintMark paints the background of a marked row, as wide as the window.
func (p *painter) paintMark(row int, c color.NRGBA) {
	s, g := &p.surface, p.layout.grid
	y0, y1 := p.px(g.y+float64(row)*g.line), p.px(g.y+float64(row+1)*g.line)
	for y := max(y0, s.y0); y < min(y1, s.y1); y++ {
		inset := int(math.Ceil(max(0, p.inset(y))))
		s.fill(p.window.Min.X+inset, y, p.window.Max.X-inset, y+1, c)
	}
}

// px returns a measure in whole pixels.
func (p *painter) px(v float64) int { return int(math.Round(v * p.scale)) }

// paintSpans paints spans on row i of a grid.
func (p *painter) paintSpans(g grid, i int, spans []span) {
	top := g.y + float64(i)*g.line
	baseline := p.px(top + g.baseline)
	for n := range spans {
		s := &spans[n]
		k := p.ink(s.ink.color)
		x := float32((g.x + float64(s.column)*g.cell) * p.scale)
		switch s.kind {
		case boxSpan, missingSpan:
			p.paintShapes(s, g, top)
		default:
			for _, gl := range s.glyphs {
				m, at := p.masks.of(gl, x+gl.x*float32(p.scale))
				if m.w > 0 {
					p.surface.stamp(m, at+m.x, baseline+round(gl.y*float32(p.scale))+m.y, k)
				}
			}
		}
		if s.ink.underline {
			thick := max(1, p.px(g.size/14))
			y := baseline + max(1, p.px(g.size*0.12))
			p.surface.fill(p.px(g.x+float64(s.column)*g.cell), y, p.px(g.x+float64(s.column+s.cells)*g.cell), y+thick, s.ink.color)
		}
	}
}

func (p *painter) ink(c color.NRGBA) *coverInk {
	k := p.inks[c]
	if k == nil {
		_, levels := fineness(p.scale)
		k = newCoverInk(c, levels)
		p.inks[c] = k
	}
	return k
}

// paintShapes paints a box-drawing character, or the frame of a missing one.
func (p *painter) paintShapes(s *span, g grid, top float64) {
	left := g.x + float64(s.column)*g.cell
	c := cellBox{
		x0: float64(p.px(left)), x1: float64(p.px(left + float64(s.cells)*g.cell)),
		y0: float64(p.px(top)), y1: float64(p.px(top + g.line)),
		thick: max(1, math.Round(g.size*p.scale/14)), snap: true,
	}
	if s.kind == missingSpan {
		p.shapes = c.frame(p.shapes[:0])
	} else {
		p.shapes = c.boxShapes(p.shapes[:0], []rune(s.text)[0])
	}
	for _, sh := range p.shapes {
		k := s.ink.color
		k.A = uint8(int(k.A) * int(sh.alpha) / 255)
		if sh.polygon != nil {
			p.polygon(sh.polygon, k)
			continue
		}
		b := sh.box
		p.surface.fill(int(b.x), int(b.y), int(b.x+b.w), int(b.y+b.h), k)
	}
}

// polygon paints a filled polygon, antialiased.
func (p *painter) polygon(points []point, c color.NRGBA) {
	left, top := math.Inf(1), math.Inf(1)
	right, bottom := math.Inf(-1), math.Inf(-1)
	for _, q := range points {
		left, right = min(left, q.x), max(right, q.x)
		top, bottom = min(top, q.y), max(bottom, q.y)
	}
	x0, y0 := int(math.Floor(left)), int(math.Floor(top))
	dst := image.NewAlpha(image.Rect(0, 0, int(math.Ceil(right))-x0, int(math.Ceil(bottom))-y0))
	p.rasterizer.Reset(dst.Rect.Dx(), dst.Rect.Dy())
	p.rasterizer.DrawOp = draw.Src
	for i, q := range points {
		x, y := float32(q.x-float64(x0)), float32(q.y-float64(y0))
		if i == 0 {
			p.rasterizer.MoveTo(x, y)
		} else {
			p.rasterizer.LineTo(x, y)
		}
	}
	p.rasterizer.ClosePath()
	p.rasterizer.Draw(dst, dst.Rect, image.Opaque, image.Point{})
	p.surface.stamp(&mask{w: dst.Rect.Dx(), h: dst.Rect.Dy(), cover: dst.Pix}, x0, y0, p.ink(c))
}
