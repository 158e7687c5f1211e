package gradient

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"image/color"
	"image/png"
	"io"
	"math"
	"strconv"
)

// svgMaxError is how far, in levels, the stops of an SVG may be from what CSS
// paints: SVG does not premultiply, and interpolates in sRGB alone. Less than
// half a level is out of reach, since colours have eight bits.
const svgMaxError = 0.75

// WriteSVG writes an SVG document of width by height pixels, each 1 to
// [MaxSide], that shows what a browser paints for the CSS in a box of that
// size. Coordinates are those of the box (userSpaceOnUse), so that angles are
// right in any box. Perceptual spaces, colour hints and transparency become
// plain stops.
//
// SVG has no conic gradients: these are embedded as an image of up to
// [MaxPixels] pixels.
//
// The error is one of w, or joins an option error for each of width and
// height at fault.
func (g Gradient) WriteSVG(w io.Writer, width, height int) error {
	if err := checkSize(width, height); err != nil {
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

// svgWriter writes one document. bufio keeps the first error until Flush.
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

// fill writes the rectangle with its paint.
func (s *svgWriter) fill(paint string) {
	s.print(`<rect width="%d" height="%d" fill="%s"/>`, s.width, s.height, paint)
}

// paint writes the gradient as SVG knows it and the rectangle that shows it.
func (s *svgWriter) paint() {
	m := s.g.geometry(float64(s.width), float64(s.height))
	r := s.g.ramp
	period := r.last - r.first
	if m.solid || r.repeating && period <= 0 {
		s.fillColor(r.ends[1])
		return
	}
	x := expansion{maxError: svgMaxError, pieces: Easing{}.pieces(), straight: true}
	x.ramp(r)
	end := m.reach
	if r.repeating {
		end = period
		x.stops = unroll(x.stops, period)
	}
	id := s.id()
	s.print("<defs>")
	name := s.openGradient(id, m, end)
	for _, stop := range cut(x.stops, end) {
		s.stop(stop, end)
	}
	s.print("</%s></defs>", name)
	s.fill("url(#" + id + ")")
}

// id tells the gradients of several documents apart when they end up in one
// page: it depends on all that a gradient shows.
func (s *svgWriter) id() string {
	h := fnv.New32a()
	_, _ = fmt.Fprint(h, s.g.CSS(), s.width, s.height)
	return fmt.Sprintf("gradient-%08x", h.Sum32())
}

// openGradient opens the element whose offset 1 is at the place end, and
// returns its name.
func (s *svgWriter) openGradient(id string, m geometry, end float64) string {
	name := "linearGradient"
	if m.kind == Radial {
		name = "radialGradient"
	}
	s.print(`<%s id="%s" gradientUnits="userSpaceOnUse"`, name, id)
	switch {
	case m.kind == Linear:
		s.linearVector(m, end)
	case m.dx == m.dy:
		s.print(` cx="%s" cy="%s" r="%s"`, svgNumber(m.cx), svgNumber(m.cy), svgNumber(end/m.dx))
	default:
		s.print(` cx="0" cy="0" r="1" gradientTransform="matrix(%s 0 0 %s %s %s)"`,
			svgNumber(end/m.dx), svgNumber(end/m.dy), svgNumber(m.cx), svgNumber(m.cy))
	}
	if s.g.repeating {
		s.print(` spreadMethod="repeat"`)
	}
	s.print(">")
	return name
}

// linearVector writes the line from place 0 to place end.
func (s *svgWriter) linearVector(m geometry, end float64) {
	square := m.dx*m.dx + m.dy*m.dy
	x, y := m.dx/square, m.dy/square
	startX, startY := float64(s.width)/2-x/2, float64(s.height)/2-y/2
	s.print(` x1="%s" y1="%s" x2="%s" y2="%s"`, svgNumber(startX), svgNumber(startY), svgNumber(startX+x*end), svgNumber(startY+y*end))
}

func (s *svgWriter) stop(stop plainStop, end float64) {
	s.print(`<stop offset="%s" stop-color="%s"`, svgNumber(stop.position/100/end), FormatHex(solid(stop.color)))
	if stop.opacity < 1 {
		s.print(` stop-opacity="%s"`, svgNumber(round4(stop.opacity)))
	}
	s.print("/>")
}

// fillColor fills all of the box.
func (s *svgWriter) fillColor(c color.NRGBA) {
	s.fill(FormatHex(solid(c)) + `" fill-opacity="` + svgNumber(alphaNumber(c.A)))
}

func solid(c color.NRGBA) color.NRGBA {
	c.A = 255
	return c
}

// conic embeds the picture.
func (s *svgWriter) conic() error {
	img, err := s.g.Image(s.width, s.height, ImageOptions{})
	if err != nil {
		return err
	}
	s.open()
	s.print(`<image width="%d" height="%d" href="data:image/png;base64,`, s.width, s.height)
	b := base64.NewEncoder(base64.StdEncoding, s)
	if err := png.Encode(b, img); err != nil {
		return err
	}
	if err := b.Close(); err != nil {
		return err
	}
	s.print(`"/>`)
	return nil
}

// svgNumber writes a number with up to eight decimals.
func svgNumber(v float64) string {
	const places = 1e8
	return strconv.FormatFloat(math.Round(v*places)/places, 'f', -1, 64)
}

// unroll moves the period that the stops make so that it starts at 0. If that
// cuts it, it starts before, and a second one follows.
func unroll(stops []plainStop, period float64) []plainStop {
	first := stops[0].position
	length := 100 * period
	moved := first - math.Ceil(first/length)*length
	shifts := []float64{moved - first, moved - first + length}
	if moved == 0 {
		shifts = shifts[:1]
	}
	all := make([]plainStop, 0, 2*len(stops))
	for _, shift := range shifts {
		for _, s := range stops {
			s.position += shift
			all = append(all, s)
		}
	}
	return all
}

// cut returns the stops from place 0 to place end. Where it cuts between two
// stops, it puts one.
func cut(stops []plainStop, end float64) []plainStop {
	limit := 100 * end
	var kept []plainStop
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
		return []plainStop{s}
	}
	return kept
}

// between interpolates two stops as SVG does.
func between(a, b plainStop, at float64) plainStop {
	f := (at - a.position) / (b.position - a.position)
	from, to := levels(a.color, a.opacity), levels(b.color, b.opacity)
	var v vec
	for i := range v {
		v[i] = from[i] + (to[i]-from[i])*f
	}
	return plainStop{color: color.NRGBA{round8(v[0]), round8(v[1]), round8(v[2]), 255}, opacity: v[3], position: at}
}
