package gradient

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"
)

// svgMaxError is how far, in levels, an SVG may differ from what CSS paints:
// SVG does not premultiply, and interpolates only in sRGB. Colours of eight
// bits do not allow less than half a level.
const svgMaxError = 0.75

// WriteSVG writes an SVG document of width by height pixels, each from 1 to
// 2,097,152, that shows what a browser paints for the CSS in a box of that
// size. Coordinates are those of the box (userSpaceOnUse), so that angles are
// right in a box of any shape. Perceptual spaces, colour hints and transparency
// become plain stops.
//
// SVG has no conic gradients; these are embedded as an image of up to
// 67,108,864 pixels.
//
// The error is that of w, or joins an option error for each invalid field:
// width and height.
func (g Gradient) WriteSVG(w io.Writer, width, height int) error {
	if err := sizeFaults(width, height).Err(); err != nil {
		return err
	}
	var body string
	switch {
	case g.ramp == nil:
	case g.kind == Conic:
		var image bytes.Buffer
		if err := g.WritePNG(&image, width, height); err != nil {
			return err
		}
		body = fmt.Sprintf(`<image width="%d" height="%d" href="data:image/png;base64,%s"/>`, width, height, base64.StdEncoding.EncodeToString(image.Bytes()))
	default:
		body = g.svgBody(width, height)
	}
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d">%[3]s</svg>`+"\n", width, height, body)
	return err
}

// svgBody returns a gradient element and a rectangle that shows it. Its id is
// derived from everything that the gradient shows, so that the ids of several
// documents in one page differ.
func (g Gradient) svgBody(width, height int) string {
	const rectangle = `<rect width="%d" height="%d" fill="%s"/>`
	p := g.resolve(float64(width), float64(height), svgMaxError)
	if p.Solid {
		c := p.Stops[0].Color
		return fmt.Sprintf(rectangle, width, height, FormatHex(solid(c))+`" fill-opacity="`+svgNumber(alphaNumber(c.A)))
	}
	hash := fnv.New32a()
	_, _ = fmt.Fprint(hash, g.CSS(), width, height)
	id := fmt.Sprintf("gradient-%08x", hash.Sum32())
	name, line := p.svgLine()
	if p.Repeating {
		line += ` spreadMethod="repeat"`
	}
	var stops strings.Builder
	for _, s := range p.Stops {
		opacity := ""
		if s.Opacity < 1 {
			opacity = ` stop-opacity="` + svgNumber(round4(s.Opacity)) + `"`
		}
		_, _ = fmt.Fprintf(&stops, `<stop offset="%s" stop-color="%s"%s/>`, svgNumber(s.Offset), FormatHex(solid(s.Color)), opacity)
	}
	return fmt.Sprintf(`<defs><%[1]s id="%[2]s" gradientUnits="userSpaceOnUse"%[3]s>%[4]s</%[1]s></defs>`, name, id, line, stops.String()) +
		fmt.Sprintf(rectangle, width, height, "url(#"+id+")")
}

// svgLine returns the name of the gradient element and the attributes of its
// geometry.
func (p Resolved) svgLine() (name, attributes string) {
	x, y, rx, ry := svgNumber(p.Start.X), svgNumber(p.Start.Y), svgNumber(p.Radii.X), svgNumber(p.Radii.Y)
	switch {
	case p.Kind == Linear:
		return "linearGradient", fmt.Sprintf(` x1="%s" y1="%s" x2="%s" y2="%s"`, x, y, svgNumber(p.End.X), svgNumber(p.End.Y))
	case p.Radii.X == p.Radii.Y:
		return "radialGradient", fmt.Sprintf(` cx="%s" cy="%s" r="%s"`, x, y, rx)
	}
	return "radialGradient", fmt.Sprintf(` cx="0" cy="0" r="1" gradientTransform="matrix(%s 0 0 %s %s %s)"`, rx, ry, x, y)
}

func solid(c color.NRGBA) color.NRGBA {
	c.A = 255
	return c
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

// Resolve returns the gradient in a box, each side from 1 to 2,097,152 pixels, as
// plain sRGB stops. Painted channels differ from the exact ones by at most
// maxError steps of 1/255, from 0.75 to 64.
//
// The error joins an option error for each invalid field: width, height and
// maxError; the last also if more than 1,024 stops would be needed.
func (g Gradient) Resolve(width, height int, maxError float64) (Resolved, error) {
	faults := sizeFaults(width, height)
	if !(maxError >= svgMaxError && maxError <= maxMaxError) {
		faults.Add("maxError", "out_of_range", "must be from 0.75 to 64")
	}
	if err := faults.Err(); err != nil {
		return Resolved{}, err
	}
	p := g.resolve(float64(width), float64(height), maxError)
	if len(p.Stops) > maxStops {
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
	x := expansion{maxError: maxError, straight: true}
	x.ramp(r)
	stops, end := x.stops, m.reach
	if r.repeating && g.kind != Conic {
		p.Repeating, end = true, period
	}
	if r.repeating {
		stops = tile(stops, period, end)
	}
	if g.kind == Conic {
		stops = turned(stops, g.angle)
	}
	p.Stops = cut(stops, end)
	for i := range p.Stops {
		p.Stops[i].Offset /= end
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
func turned(stops []ResolvedStop, angle float64) []ResolvedStop {
	first, last := stops[0], stops[len(stops)-1]
	first.Offset, last.Offset = min(first.Offset, 0), max(last.Offset, 1)
	stops = cut(append(append([]ResolvedStop{first}, stops...), last), 1)
	for i := range stops {
		stops[i].Offset += math.Mod(angle+270, 360) / 360
	}
	return tile(stops, 1, 1)
}

// tile repeats the stops of one period so that they reach from 0 to end.
func tile(stops []ResolvedStop, period, end float64) (all []ResolvedStop) {
	first := stops[0].Offset
	for n := math.Floor(-first / period); first+n*period < end && len(all) <= maxStops; n++ {
		for _, s := range stops {
			s.Offset += n * period
			all = append(all, s)
		}
	}
	return all
}

// cut returns the stops from place 0 to place end. It inserts a stop at an end
// that lies between two stops.
func cut(stops []ResolvedStop, end float64) (kept []ResolvedStop) {
	for i, s := range stops {
		for _, at := range []float64{0, end} {
			if i > 0 && stops[i-1].Offset < at && at < s.Offset {
				kept = append(kept, between(stops[i-1], s, at))
			}
		}
		if s.Offset >= 0 && s.Offset <= end {
			kept = append(kept, s)
		}
	}
	if len(kept) == 0 {
		// All stops are on one side of the box.
		s := stops[0]
		if s.Offset < 0 {
			s = stops[len(stops)-1]
		}
		s.Offset = 0
		return []ResolvedStop{s}
	}
	return kept
}

// between interpolates two stops as SVG does.
func between(a, b ResolvedStop, at float64) ResolvedStop {
	v := levels(a.Color, a.Opacity).toward(levels(b.Color, b.Opacity), (at-a.Offset)/(b.Offset-a.Offset))
	return ResolvedStop{at, color.NRGBA{round8(v[0]), round8(v[1]), round8(v[2]), 255}, v[3]}
}
