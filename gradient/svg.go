package gradient

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"image/color"
	"io"
	"math"
	"strconv"
)

// svgMaxError is how far, in levels, an SVG may differ from what CSS paints:
// SVG does not premultiply, and interpolates only in sRGB. Colours of eight
// bits do not allow less than half a level.
const svgMaxError = 0.75

// WriteSVG writes an SVG document of width by height pixels, each from 1 to
// [MaxSide], that shows what a browser paints for the CSS in a box of that
// size. Coordinates are those of the box (userSpaceOnUse), so that angles are
// right in a box of any shape. Perceptual spaces, colour hints and transparency
// become plain stops.
//
// SVG has no conic gradients; these are embedded as an image of up to
// [MaxPixels] pixels.
//
// The error is that of w, or joins an option error for each invalid field:
// width and height.
func (g Gradient) WriteSVG(w io.Writer, width, height int) error {
	if err := sizeFaults(width, height).Err(); err != nil {
		return err
	}
	s := svgWriter{Writer: bufio.NewWriter(w), g: g, width: width, height: height}
	var err error
	switch {
	case g.ramp == nil:
		s.open()
	case g.kind == Conic:
		err = s.conic()
	default:
		s.open()
		s.paint()
	}
	if err != nil {
		return err
	}
	s.print("</svg>\n")
	return s.Flush()
}

// svgWriter writes one document. The bufio.Writer keeps the first error until
// Flush.
type svgWriter struct {
	*bufio.Writer
	g             Gradient
	width, height int
}

func (s *svgWriter) print(format string, args ...any) {
	_, _ = fmt.Fprintf(s, format, args...)
}

func (s *svgWriter) open() {
	s.print(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">`, s.width, s.height, s.width, s.height)
}

// fill writes a rectangle that covers the box, filled with paint.
func (s *svgWriter) fill(paint string) {
	s.print(`<rect width="%d" height="%d" fill="%s"/>`, s.width, s.height, paint)
}

// paint writes the gradient element and the rectangle that shows it.
func (s *svgWriter) paint() {
	p := s.g.resolve(float64(s.width), float64(s.height), svgMaxError)
	if p.Solid {
		c := p.Stops[0].Color
		s.fill(FormatHex(solid(c)) + `" fill-opacity="` + svgNumber(alphaNumber(c.A)))
		return
	}
	id := s.id()
	s.print("<defs>")
	name := s.openGradient(id, p)
	for _, stop := range p.Stops {
		s.stop(stop)
	}
	s.print("</%s></defs>", name)
	s.fill("url(#" + id + ")")
}

// id returns an id derived from everything that the gradient shows, so that the
// ids of several documents in one page differ.
func (s *svgWriter) id() string {
	h := fnv.New32a()
	_, _ = fmt.Fprint(h, s.g.CSS(), s.width, s.height)
	return fmt.Sprintf("gradient-%08x", h.Sum32())
}

// openGradient writes the start tag of the gradient element and returns the
// name of the element.
func (s *svgWriter) openGradient(id string, p Resolved) string {
	name := "linearGradient"
	if p.Kind == Radial {
		name = "radialGradient"
	}
	s.print(`<%s id="%s" gradientUnits="userSpaceOnUse"`, name, id)
	switch {
	case p.Kind == Linear:
		s.print(` x1="%s" y1="%s" x2="%s" y2="%s"`, svgNumber(p.Start.X), svgNumber(p.Start.Y), svgNumber(p.End.X), svgNumber(p.End.Y))
	case p.Radii.X == p.Radii.Y:
		s.print(` cx="%s" cy="%s" r="%s"`, svgNumber(p.Start.X), svgNumber(p.Start.Y), svgNumber(p.Radii.X))
	default:
		s.print(` cx="0" cy="0" r="1" gradientTransform="matrix(%s 0 0 %s %s %s)"`,
			svgNumber(p.Radii.X), svgNumber(p.Radii.Y), svgNumber(p.Start.X), svgNumber(p.Start.Y))
	}
	if p.Repeating {
		s.print(` spreadMethod="repeat"`)
	}
	s.print(">")
	return name
}

func (s *svgWriter) stop(stop ResolvedStop) {
	s.print(`<stop offset="%s" stop-color="%s"`, svgNumber(stop.Offset), FormatHex(solid(stop.Color)))
	if stop.Opacity < 1 {
		s.print(` stop-opacity="%s"`, svgNumber(round4(stop.Opacity)))
	}
	s.print("/>")
}

func solid(c color.NRGBA) color.NRGBA {
	c.A = 255
	return c
}

// conic embeds the gradient as a PNG, since SVG has no conic gradients.
func (s *svgWriter) conic() error {
	s.open()
	s.print(`<image width="%d" height="%d" href="data:image/png;base64,`, s.width, s.height)
	b := base64.NewEncoder(base64.StdEncoding, s)
	if err := s.g.WritePNG(b, s.width, s.height, ImageOptions{}); err != nil {
		return err // without a picture, nothing has been flushed
	}
	if err := b.Close(); err != nil {
		return err
	}
	s.print(`"/>`)
	return nil
}

// svgNumber formats a number with up to eight decimals.
func svgNumber(v float64) string {
	const places = 1e8
	return strconv.FormatFloat(math.Round(v*places)/places, 'f', -1, 64)
}

// Resolved is a gradient laid out in a box for targets without the CSS rules: sRGB
// stops, without premultiplied alpha, at offsets along a line in pixels.
type Resolved struct {
	Kind Kind

	// Start and End are the points of a linear gradient at offsets 0 and 1, in
	// pixels from the top left corner. For other gradients Start is the centre.
	Start, End Point

	// Radii are the radii, in pixels, of the ellipse at offset 1 of a radial
	// gradient. Offsets of a conic gradient are turns, clockwise from three
	// o'clock.
	Radii Point

	Repeating bool // for linear and radial gradients; the stops of a conic one cover the whole turn
	Solid     bool // the only stop covers the whole box
	Stops     []ResolvedStop
}

// ResolvedStop is a stop of a [Resolved] gradient.
type ResolvedStop struct {
	Offset  float64 // from 0 to 1, ascending
	Color   color.NRGBA
	Opacity float64 // the alpha of Color, from 0 to 1, with higher precision
}

// Resolve returns the gradient in a box, each side from 1 to [MaxSide] pixels, as
// plain sRGB stops. Painted channels differ from the exact ones by at most
// maxError steps of 1/255, from 0.75 to 64.
//
// The error joins an option error for each invalid field: width, height and
// maxError; the last also if more than [MaxStops] stops would be needed.
func (g Gradient) Resolve(width, height int, maxError float64) (Resolved, error) {
	faults := sizeFaults(width, height)
	if !(maxError >= svgMaxError && maxError <= maxMaxError) {
		faults.Add("maxError", "out_of_range", "must be from 0.75 to 64")
	}
	if err := faults.Err(); err != nil {
		return Resolved{}, err
	}
	p := g.resolve(float64(width), float64(height), maxError)
	if len(p.Stops) > MaxStops {
		return Resolved{}, tooManyStops()
	}
	return p, nil
}

func (g Gradient) resolve(width, height, maxError float64) Resolved {
	r := g.ramp
	if r == nil {
		return Resolved{Solid: true, Stops: []ResolvedStop{{}}}
	}
	m := g.geometry(width, height)
	p := Resolved{Kind: g.kind, Start: Point{m.cx, m.cy}}
	period := r.last - r.first
	if m.solid || r.repeating && period <= 0 {
		p.Solid, p.End = true, Point{width, height}
		c := straight(r.mean())
		p.Stops = []ResolvedStop{{Color: c, Opacity: opacity(c)}}
		return p
	}
	x := expansion{maxError: maxError, pieces: Easing{}.pieces(), straight: true}
	x.ramp(r)
	end := m.reach
	switch {
	case g.kind == Conic:
		x.stops = turned(x.stops, r, g.angle)
	case r.repeating:
		p.Repeating, end = true, period
		x.stops = unroll(x.stops, period)
	}
	for _, s := range cut(x.stops, end) {
		p.Stops = append(p.Stops, ResolvedStop{s.position / 100 / end, s.color, s.opacity})
	}
	switch g.kind {
	case Linear:
		square := m.dx*m.dx + m.dy*m.dy
		x, y := m.dx/square, m.dy/square
		p.Start = Point{width/2 - x/2, height/2 - y/2}
		p.End = Point{p.Start.X + x*end, p.Start.Y + y*end}
	case Radial:
		p.Radii = Point{end / m.dx, end / m.dy}
	case Conic:
	}
	return p
}

// turned returns the stops of a whole turn clockwise from three o'clock, for a
// conic gradient that starts at an angle from the top.
func turned(stops []expandedStop, r *ramp, angle float64) []expandedStop {
	const whole = 100
	if r.repeating {
		period := whole * (r.last - r.first)
		var all []expandedStop
		for n := math.Floor(-whole * r.last / period); whole*r.first+n*period <= whole && len(all) <= MaxStops; n++ {
			for _, s := range stops {
				s.position += n * period
				all = append(all, s)
			}
		}
		stops = all
	}
	first, last := stops[0], stops[len(stops)-1]
	first.position, last.position = min(first.position, 0), max(last.position, whole)
	stops = append(append([]expandedStop{first}, stops...), last)
	stops = cut(stops, 1)
	shift := math.Mod(angle+270, 360) / 3.6
	var all []expandedStop
	for _, by := range []float64{shift - whole, shift} {
		for _, s := range stops {
			s.position += by
			all = append(all, s)
		}
	}
	return all
}

// unroll shifts the stops, which form one period, so that they start at 0. If 0
// is inside the period, the result starts before 0 and has two periods.
func unroll(stops []expandedStop, period float64) []expandedStop {
	first := stops[0].position
	length := 100 * period
	moved := first - math.Ceil(first/length)*length
	shifts := []float64{moved - first, moved - first + length}
	if moved == 0 {
		shifts = shifts[:1]
	}
	all := make([]expandedStop, 0, 2*len(stops))
	for _, shift := range shifts {
		for _, s := range stops {
			s.position += shift
			all = append(all, s)
		}
	}
	return all
}

// cut returns the stops from place 0 to place end. It inserts a stop at an end
// that lies between two stops.
func cut(stops []expandedStop, end float64) []expandedStop {
	limit := 100 * end
	var kept []expandedStop
	for i, s := range stops {
		if i > 0 {
			before := stops[i-1]
			for _, at := range []float64{0, limit} {
				if before.position < at && at < s.position {
					kept = append(kept, between(before, s, at))
				}
			}
		}
		if s.position >= 0 && s.position <= limit {
			kept = append(kept, s)
		}
	}
	if len(kept) == 0 {
		// All stops are on one side of the box.
		s := stops[0]
		if s.position < 0 {
			s = stops[len(stops)-1]
		}
		s.position = 0
		return []expandedStop{s}
	}
	return kept
}

// between interpolates two stops as SVG does.
func between(a, b expandedStop, at float64) expandedStop {
	v := levels(a.color, a.opacity).toward(levels(b.color, b.opacity), (at-a.position)/(b.position-a.position))
	return expandedStop{color: color.NRGBA{round8(v[0]), round8(v[1]), round8(v[2]), 255}, opacity: v[3], position: at}
}
