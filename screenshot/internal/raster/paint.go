// Package raster paints scenes as pixels, in strips of rows.
package raster

import (
	"image"
	"image/color"
	"math"

	"github.com/devkiln/devkiln/screenshot/internal/scene"
	"github.com/devkiln/devkiln/screenshot/internal/typeset"
)

// A Painter paints a scene at a scale, strip by strip. A Painter must not be
// used by several goroutines at once.
type Painter struct {
	scene  *scene.Scene
	scale  float64
	under  underlay
	shadow *shadow
	masks  *masks
	inks   map[color.NRGBA]*coverInk

	window   image.Rectangle // in pixels
	radius   float64
	darkness []uint16
	plain    []byte // the last row, before and
	dark     []byte // after its shadow
	surface  surface
}

// NewPainter returns a Painter of a picture of width by height pixels.
func NewPainter(l *scene.Scene, scale float64, width, height, channels int) *Painter {
	p := &Painter{
		scene: l, scale: scale, under: newUnderlay(l.Background, width, height),
		masks: newMasks(scale), inks: make(map[color.NRGBA]*coverInk), radius: l.Radius * scale,
	}
	w := l.Window
	p.window = image.Rect(p.px(w.X), p.px(w.Y), p.px(w.X+w.W), p.px(w.Y+w.H))
	if l.Shadow {
		p.shadow = newShadow(w, l.Radius, scale, width)
		p.darkness = make([]uint16, width)
		p.plain, p.dark = make([]byte, channels*width), make([]byte, channels*width)
	}
	p.surface = surface{width: width, channels: channels}
	return p
}

// Paint paints the rows from y0 to before y1.
func (p *Painter) Paint(pix []byte, stride, y0, y1 int) {
	s := &p.surface
	s.pix, s.stride, s.y0, s.y1 = pix, stride, y0, y1
	for y := y0; y < y1; y++ {
		left, right := p.outside(y)
		p.under.paint(s.at(0, s.width, y), y, s.channels, left, right)
		if p.shadow != nil {
			p.paintShadow(y, left, right)
		}
		if p.scene.Framed && y >= p.window.Min.Y && y < p.window.Max.Y {
			p.paintWindow(y)
		}
	}
	if p.scene.Buttons {
		p.paintButtons()
	}
	p.paintRows()
	for _, label := range p.scene.Labels() {
		p.paintSpans(label.Grid, 0, label.Spans)
	}
	if s.channels == 4 {
		s.straighten()
	}
}

// outside returns which pixels of row y are not covered by the window: those
// before left, and those from right on. They include the corners, which the
// window covers in part.
func (p *Painter) outside(y int) (left, right int) {
	width := p.surface.width
	if !p.scene.Framed || y < p.window.Min.Y || y >= p.window.Max.Y {
		return width, width
	}
	reach := 0
	if p.depth(y) < p.radius {
		reach = p.reach()
	}
	return p.window.Min.X + reach, p.window.Max.X - reach
}

// reach returns the width of a corner in pixels.
func (p *Painter) reach() int {
	return min(int(math.Ceil(p.radius)), p.window.Dx()/2)
}

// paintShadow darkens row y outside the window. It copies a side from the row
// before if neither its colours nor the shadow differ, as along most of a long
// picture, which takes a sixth less time.
func (p *Painter) paintShadow(y, left, right int) {
	s, n := &p.surface, p.surface.channels
	isSame := p.shadow.coverage(p.darkness, y, left, right)
	for _, side := range [...][2]int{{0, left}, {right, s.width}} {
		row, from, to := s.at(side[0], side[1], y), side[0]*n, side[1]*n
		if isSame && string(row) == string(p.plain[from:to]) {
			copy(row, p.dark[from:])
			continue
		}
		copy(p.plain[from:], row)
		for i, amount := range p.darkness[side[0]:side[1]] {
			if amount > 0 { // and below 128 of 256, where over takes it as it is
				s.over(row[i*n:], color.NRGBA{}, uint32(amount))
			}
		}
		copy(p.dark[from:], row)
	}
}

// paintWindow paints row y of the window.
func (p *Painter) paintWindow(y int) {
	s := &p.surface
	c := p.scene.Color
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

// depth returns the distance from the middle of row y to the nearer horizontal
// edge of the window.
func (p *Painter) depth(y int) float64 {
	return min(float64(y-p.window.Min.Y)+0.5, float64(p.window.Max.Y-y)-0.5)
}

// cornerCover returns how much of a pixel, out of 255, is inside a circle; x
// and y are the distances between their centres.
func cornerCover(x, y, radius float64) uint32 {
	return uint32(255*min(1, max(0, radius-math.Hypot(x, y)+0.5)) + 0.5)
}

func (p *Painter) paintButtons() {
	for i, c := range scene.ControlColors {
		x, y := p.scene.Button(i)
		p.disc(x*p.scale, y*p.scale, scene.ControlsSize/2*p.scale, c)
	}
}

// disc paints a filled circle.
func (p *Painter) disc(cx, cy, radius float64, c color.NRGBA) {
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
// extend beyond their row by up to a row.
func (p *Painter) paintRows() {
	l, s := p.scene, &p.surface
	pitch := l.Grid.Line * p.scale
	top := l.Grid.Y * p.scale
	first := max(0, int(math.Floor((float64(s.y0)-top)/pitch))-1)
	last := min(len(l.Rows)-1, int(math.Ceil((float64(s.y1)-top)/pitch))+1)
	code := l.Grid
	code.X += float64(l.Gutter) * l.Grid.Cell
	for i := first; i <= last; i++ {
		if c := l.Rows[i].Behind; c.A > 0 {
			p.paintBand(i, c)
		}
	}
	for i := first; i <= last; i++ {
		p.paintSpans(l.Grid, i, l.Rows[i].Number)
		p.paintSpans(code, i, l.Rows[i].Spans)
	}
}

// paintBand paints the band that sets off a row, within the corners of the
// window.
func (p *Painter) paintBand(row int, c color.NRGBA) {
	s, b := &p.surface, p.scene.Band(row)
	for y := max(p.px(b.Y), s.y0); y < min(p.px(b.Y+b.H), s.y1); y++ {
		inset := int(math.Ceil(scene.Corner(p.depth(y), p.radius)))
		s.fill(p.px(b.X)+inset, y, p.px(b.X+b.W)-inset, y+1, c)
	}
}

// px converts a length to whole pixels.
func (p *Painter) px(v float64) int { return int(math.Round(v * p.scale)) }

// paintSpans paints spans on row i of a grid.
func (p *Painter) paintSpans(g scene.Grid, i int, spans []typeset.Span) {
	top := g.Y + float64(i)*g.Line
	baseline := p.px(top + g.Baseline)
	for _, s := range spans {
		if c := s.Ink.Behind; c.A > 0 {
			p.surface.fill(p.px(g.X+float64(s.Column)*g.Cell), p.px(top), p.px(g.X+float64(s.Column+s.Cells)*g.Cell), p.px(top+g.Line), c)
		}
	}
	for n := range spans {
		s := &spans[n]
		k := p.ink(s.Ink.Color)
		x := float32((g.X + float64(s.Column)*g.Cell) * p.scale)
		switch s.Kind {
		case typeset.BoxDrawing:
			left, y := p.px(g.X+float64(s.Column)*g.Cell), p.px(top)
			m := p.masks.box(s, p.px(g.X+float64(s.Column+s.Cells)*g.Cell)-left, p.px(top+g.Line)-y)
			p.surface.stamp(m, left+m.x, y+m.y, k)
		default:
			for _, gl := range s.Glyphs {
				m, at := p.masks.of(gl, x+gl.X*float32(p.scale))
				if m.w > 0 {
					p.surface.stamp(m, at+m.x, baseline+round(gl.Y*float32(p.scale))+m.y, k)
				}
			}
		}
		for _, below := range g.Rules(s.Ink) {
			p.rule(s, g, baseline+p.px(below))
		}
	}
}

// rule paints a horizontal line of the length of a span.
func (p *Painter) rule(s *typeset.Span, g scene.Grid, y int) {
	thick := max(1, p.px(g.Thick()))
	p.surface.fill(p.px(g.X+float64(s.Column)*g.Cell), y, p.px(g.X+float64(s.Column+s.Cells)*g.Cell), y+thick, s.Ink.Color)
}

func (p *Painter) ink(c color.NRGBA) *coverInk {
	k := p.inks[c]
	if k == nil {
		_, levels := fineness(p.scale)
		k = newCoverInk(c, levels)
		p.inks[c] = k
	}
	return k
}
