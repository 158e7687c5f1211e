// Package scene describes the contents of a picture of code and their
// positions. The PNG and the SVG writer draw the same scene. All lengths are in
// CSS pixels, of which Zoom times as many are shown.
package scene

import (
	"image/color"
	"math"
	"slices"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/screenshot/internal/typeset"
)

// The dimensions of the title bar.
const (
	BarHeight    = 40
	ControlsSize = 12
	controlsX    = 22 // from the window's edge to the centre of the first button
	controlsGap  = 20 // between the centres of buttons
	cornerMargin = 4  // kept free beside the rounded corner
)

// ControlColors are the colours of the window controls: close, minimise, zoom.
var ControlColors = [...]color.NRGBA{{0xff, 0x5f, 0x57, 255}, {0xfe, 0xbc, 0x2e, 255}, {0x28, 0xc8, 0x40, 255}}

// The shadow of a window is black, shifted down by ShadowDrop, and blurred.
// ShadowBlur is the standard deviation of the blur.
const (
	ShadowDrop    = 18
	ShadowBlur    = 24
	ShadowOpacity = 0.45
)

// Corner returns how far a rounded corner reaches inwards at a distance from
// the top or the bottom.
func Corner(at, radius float64) float64 {
	d := max(0, radius-at)
	return radius - math.Sqrt(max(0, radius*radius-d*d))
}

// Button returns the centre of button i of the window.
func (s *Scene) Button(i int) (x, y float64) {
	return s.Window.X + s.BesideCorner(controlsX, ControlsSize) + controlsGap*float64(i), s.Window.Y + BarHeight/2
}

// BesideCorner returns how far from the edge of the window the centre of a
// control of a size is: at, or further if the corner is in the way.
func (s *Scene) BesideCorner(at, size float64) float64 {
	return max(at, Corner((BarHeight-size)/2, s.Radius)+size/2+cornerMargin)
}

// A Scene is everything in a picture.
type Scene struct {
	Width, Height float64
	Zoom          float64
	Background    Background

	Name        string // accessible name of the picture
	Description string // text alternative of the picture

	Window  Box
	Color   color.NRGBA // of the window
	Radius  float64     // of its corners
	Framed  bool        // whether the window is drawn
	Shadow  bool
	Buttons bool // whether three discs are at the left of the title bar

	Grid      Grid
	Gutter    int // columns before the code
	Rows      []Row
	Title     *Label
	Signs     *Label // the controls at the right of the title bar
	Watermark *Label
}

// A Background is a gradient, or a colour if Gradient is nil.
type Background struct {
	Gradient *gradient.Gradient
	Color    color.NRGBA
}

// Opaque reports whether the background is opaque.
func (b Background) Opaque() bool {
	if b.Gradient != nil {
		return b.Gradient.Opaque()
	}
	return b.Color.A == 255
}

// Contrast returns the colour of small print in the bottom right corner: white
// on a dark background, black on a light one, and grey if the background is
// mostly transparent.
func (b Background) Contrast() color.NRGBA {
	c := b.Color
	if b.Gradient != nil {
		const side = 64 // pixels of the sample
		if p, err := b.Gradient.Painter(side, side); err == nil {
			row := make([]byte, 4*side)
			p.RowRGBA(side-4, row)
			last := row[4*(side-4):]
			c = color.NRGBA{last[0], last[1], last[2], last[3]}
		}
	}
	light := 0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B) // ITU-R BT.709
	switch {
	case c.A < 128:
		return color.NRGBA{128, 128, 128, 255}
	case light > 160:
		return color.NRGBA{0, 0, 0, 160}
	default:
		return color.NRGBA{255, 255, 255, 190}
	}
}

// A Box is a rectangle with its top left corner at X, Y.
type Box struct{ X, Y, W, H float64 }

// A Row is a row of the picture: a line of code or a part of one.
type Row struct {
	Number []typeset.Span // the number and the sign of a diff, in the gutter
	Behind color.NRGBA    // band that sets the row off; transparent for none
	Spans  []typeset.Span
}

// A Grid holds the position and the size of the cells of a text.
type Grid struct {
	X, Y     float64 // of the first cell
	Cell     float64 // width
	Line     float64 // height
	Baseline float64 // below the top of a line
	Size     float64 // of the font
}

// NewGrid returns the grid of a face at a font size. Its lines are lineHeight
// times as high, rounded to whole pixels, with the letters in the middle.
func NewGrid(f *typeset.Face, size, lineHeight float64) Grid {
	extents, _ := f.FontHExtents()
	id, _ := f.NominalGlyph('0')
	scale := size / float64(f.Upem())
	up, down := float64(extents.Ascender)*scale, -float64(extents.Descender)*scale
	line := math.Round(size * lineHeight)
	return Grid{Cell: float64(f.HorizontalAdvance(id)) * scale, Line: line, Baseline: (line-up-down)/2 + up, Size: size}
}

// Rules returns the offsets below the baseline of the underline and
// strikethrough of an ink.
func (g Grid) Rules(k typeset.Ink) []float64 {
	var below []float64
	if k.Underline {
		below = append(below, 0.12*g.Size)
	}
	if k.Strike {
		below = append(below, -0.3*g.Size)
	}
	return below
}

// Thick returns the thickness of underlines and strikethroughs.
func (g Grid) Thick() float64 { return g.Size / 14 }

// Band returns the band that sets off row i. It is as wide as the window or,
// without a window, slightly wider than the code.
func (s *Scene) Band(i int) Box {
	box := Box{s.Window.X, s.Grid.Y + float64(i)*s.Grid.Line, s.Window.W, s.Grid.Line}
	if !s.Framed {
		const beside = 12
		grow := min(beside, s.Window.X)
		box.X, box.W = box.X-grow, box.W+2*grow
	}
	return box
}

// Labels returns the existing labels.
func (s *Scene) Labels() []*Label {
	return slices.DeleteFunc([]*Label{s.Title, s.Signs, s.Watermark}, func(l *Label) bool { return l == nil })
}

// Each calls visit for every span.
func (s *Scene) Each(visit func(*typeset.Span)) {
	each := func(spans []typeset.Span) {
		for i := range spans {
			visit(&spans[i])
		}
	}
	for _, r := range s.Rows {
		each(r.Number)
		each(r.Spans)
	}
	for _, label := range s.Labels() {
		each(label.Spans)
	}
}
